"""Each check is proved four ways: not attempted, incorrect, correct, and correct when it is written otherwise.

class TestEachTask(FourWays):
    tasks = [(check, [solution, the same written otherwise, …], [(mistake, words of the message), …]), …]

A mistake that is shown has a third entry, words of its picture.
"""

from course_lib.checks import Status

SEEDS = (0, 1, 20261130)
OTHER_SEEDS = range(40, 43)  # a mistake must meet a question that shows it whatever a class's seed
LARGEST_PICTURE = 60_000  # bytes


def untouched(*_, **__):
    """The stub as it is handed out."""
    raise NotImplementedError


def pictures_of(tasks):
    """(check, mistake, words of its picture) for each mistake that is shown."""
    return [(task[0], row[0], row[2]) for task in tasks for row in task[2] if len(row) > 2]


class FourWays:
    """The four proofs of every task of an exercise, and the pictures of mistakes."""

    tasks: list
    message_seeds = (0,)  # the first difference is another for another seed

    def pytest_generate_tests(self, metafunc):
        """One case for each task, and each answer, mistake and seed, as far as the test asks for them."""
        asked = metafunc.fixturenames
        if "words" in asked:
            metafunc.parametrize(("check", "mistake", "words"), pictures_of(self.tasks))
        elif "message" in asked:
            metafunc.parametrize(
                ("check", "mistake", "message"), [(t[0], *row[:2]) for t in self.tasks for row in t[2]]
            )
        elif "mistake" in asked:
            metafunc.parametrize(("check", "mistake"), [(t[0], row[0]) for t in self.tasks for row in t[2]])
        elif "answer" in asked:
            metafunc.parametrize(("check", "answer"), [(t[0], answer) for t in self.tasks for answer in t[1]])
        else:
            metafunc.parametrize("check", [t[0] for t in self.tasks])
        if "seed" in asked:
            metafunc.parametrize("seed", self.seeds_for(asked))

    def seeds_for(self, asked):
        """The seeds of a test that asks for these values."""
        if "message" in asked:
            return self.message_seeds
        return OTHER_SEEDS if "mistake" in asked else SEEDS

    def test_an_untouched_stub_is_not_attempted(self, check):
        assert check(untouched).status is Status.NOT_ATTEMPTED

    def test_the_solution_is_correct_however_it_is_written(self, check, answer, seed):
        outcome = check(answer, seed=seed)
        assert outcome.is_correct, str(outcome)

    def test_a_mistake_is_incorrect_and_its_first_difference_is_named(self, check, mistake, message, seed):
        outcome = check(mistake, seed=seed)
        assert outcome.status is Status.INCORRECT
        assert message in outcome.message

    def test_a_mistake_meets_a_question_that_shows_it_whatever_the_seed(self, check, mistake, seed):
        assert check(mistake, seed=seed).status is Status.INCORRECT

    def test_a_mistake_is_shown_in_a_picture(self, check, mistake, words):
        outcome = check(mistake)
        assert outcome.status is Status.INCORRECT
        assert words in outcome.picture.text
        assert len(outcome.picture.svg.encode()) < LARGEST_PICTURE

    def test_every_task_has_two_answers_and_two_mistakes_at_least(self, check):
        (task,) = (task for task in self.tasks if task[0] is check)
        assert len(task[1]) >= 2
        assert len(task[2]) >= 2
