"""Eight questions, one after the other: commit to an answer, see the right one and where to read, and where to begin."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

from course_lib.draw.steps.progress import QuestionStep, progress_picture
from course_lib.widgets.questions.eight_questions import EIGHT, RefresherQuestion
from course_lib.widgets.skeleton.base import Settings, Turnable, View
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again

REFRESHER = "00b_refresher.ipynb"
PRESSED = ("commit", "next", AGAIN)
WHOLE_QUESTION_INSIDE = """
.course-widget[data-widget="Diagnosis"] .course-controls > div { max-width: 640px; }
.course-widget[data-widget="Diagnosis"] legend { float: left; padding: 6px 0; width: 100%; }
.course-widget[data-widget="Diagnosis"] legend + div { clear: both; }
.course-widget[data-widget="Diagnosis"] .course-field { margin-bottom: 6px; }
"""
FIRST: Settings = {"question": 0, "answer": None, "commit": 0, "next": 0, AGAIN: 0, "committed": {}, "hint": False}


def diagnosis() -> "Diagnosis":
    """The eight questions of lesson 00, none answered."""
    return Diagnosis(EIGHT)


class ReadingPlan(NamedTuple):
    """Where to begin, by the answers that were committed (number of the question → choice)."""

    questions: Sequence[RefresherQuestion]
    committed: Mapping[int, str]

    @property
    def missed(self) -> list[RefresherQuestion]:
        """The questions that were answered wrongly, in their order."""
        return [q for number, q in enumerate(self.questions) if self.committed.get(number, q.right) != q.right]

    def tell(self, named: Callable[[RefresherQuestion], str]) -> str:
        """How many are right, and what to read, each section as ``named`` spells it."""
        answered, missed = len(self.committed), self.missed
        right = f"{answered - len(missed)} of {answered} right"
        left = len(self.questions) - answered
        read = f"read {', '.join(map(named, missed))} in lesson 00b" if missed else "nothing to read in lesson 00b"
        if left:
            return f"{right}, {left} to go: {read} so far." if answered else "None of the questions is answered yet."
        return f"{right}: {read}. Then go on with lesson 01." if missed else f"{right}: go on with lesson 01."

    def __repr__(self) -> str:
        return self.tell(attrgetter("section"))

    def _repr_markdown_(self) -> str:
        """The same with a link to each section."""
        return self.tell(lambda q: f"[{q.section}]({REFRESHER}#{q.section.replace(' ', '-')})")


class Diagnosis(Turnable):
    """``answers`` has what was committed, by topic; ``plan`` says where to begin. The first answer to a question counts."""

    _css = Turnable._css + WHOLE_QUESTION_INSIDE

    def __init__(self, questions: Sequence[RefresherQuestion]) -> None:
        self.questions = questions
        super().__init__(self._controls_for(0), FIRST, "Where should I begin?")

    @property
    def answers(self) -> dict[str, str]:
        """The committed answers by topic."""
        return {self.questions[number].topic: words for number, words in self.plan.committed.items()}

    @property
    def plan(self) -> ReadingPlan:
        """What to read first, by the answers so far."""
        return self._plan(self.state)

    def settle(self, before: Settings, now: Settings) -> Settings:
        """A committed answer stays; another question comes with its own choices and its own answer."""
        if now[AGAIN] != before[AGAIN]:
            now = FIRST | {name: now[name] for name in PRESSED}
        elif now["next"] != before["next"]:
            now = now | {"question": self._next(now)}
        here, same = str(now["question"]), now["question"] == before["question"]
        committed, chosen = now["committed"], now["answer"] if same else None
        pressed = now["commit"] != before["commit"]
        if pressed and here not in committed and chosen in self.questions[now["question"]].choices:
            committed = committed | {here: chosen}
        if not same:
            self.redraw(self._controls_for(now["question"]))
        return now | {
            "committed": committed,
            "answer": committed.get(here, chosen),
            "hint": pressed and here not in committed,
        }

    def see(self, values: Settings) -> View:
        """What was answered to this question and what is right, and all questions at a glance."""
        plan = self._plan(values)
        steps = [self._step(question, plan.committed.get(number)) for number, question in enumerate(self.questions)]
        picture = progress_picture("The questions, and how each stands", steps, values["question"], str(plan))
        done = len(plan.committed) == len(self.questions)
        return View(self._words(values, plan) + f"\n{plan}" * done, picture)

    def _plan(self, values: Settings) -> ReadingPlan:
        return ReadingPlan(self.questions, {int(number): words for number, words in values["committed"].items()})

    def _next(self, values: Settings) -> int:
        """The next question that is not answered yet; the next one where all are."""
        now, count = int(values["question"]), len(self.questions)
        others = [(now + step) % count for step in range(1, count)]
        return next((n for n in others if str(n) not in values["committed"]), others[0])

    def _words(self, values: Settings, plan: ReadingPlan) -> str:
        number = values["question"]
        question, words = self.questions[number], plan.committed.get(number)
        where = f"Question {number + 1} of {len(self.questions)}, {question.topic}"
        if words is None:
            hint = "Not committed: choose one of the answers first." if values["hint"] else "Choose, then commit."
            chosen = f" Chosen: {values['answer']}." if values["answer"] else ""
            return f"{where}.{chosen} {hint}"
        if words == question.right:
            return f"{where}. Right, {words}: {question.because}"
        return (
            f"{where}. You said {words}; right is {question.right}: {question.because} "
            f"Read {question.section} in lesson 00b."
        )

    def _step(self, question: RefresherQuestion, words: str | None) -> QuestionStep:
        if words is None:
            return QuestionStep(question.topic, "open", "waiting")
        right = words == question.right
        return QuestionStep(
            question.topic, *(("right", "right", "") if right else ("read it", "wrong", question.section))
        )

    def _controls_for(self, number: int) -> Iterator[Control]:
        topics = [(n, f"{n + 1} of {len(self.questions)}: {q.topic}") for n, q in enumerate(self.questions)]
        yield Control("question", "select", "Question", options=topics)
        choices = [(choice, choice) for choice in self.questions[number].choices]
        yield Control("answer", "choices", self.questions[number].asked, options=choices)
        yield Control("commit", "button", "Commit this answer")
        yield Control("next", "button", "Next question")
        yield start_again()
