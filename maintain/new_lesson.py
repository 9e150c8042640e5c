"""python -m maintain.new_lesson NN topic [--title TITLE]: everything that a new lesson needs, as stubs.

The lesson, its exercise, the checks and their tests, and its rows in the tables, made of the files in lesson_template/.
Whatever is to be written is marked, and a test of the house fails until the last mark is gone. All is planned before
anything is written: a refusal leaves the course as it was.
"""

import argparse
import re
import sys
from pathlib import Path
from typing import NamedTuple

from maintain.new_rows import add_rows
from maintain.notebook import ROOT
from maintain.stubs import MARK

TEMPLATE = Path(__file__).resolve().parent / "lesson_template"
ROWS = TEMPLATE / "rows"
ENDING = ".txt"  # so that no tool takes a template for a program
NUMBER, TOPIC, TITLE = (
    re.compile(r"\d\d[a-z]?"),
    re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*"),
    re.compile(r"[^|\[\]{}\n]+"),
)
NEXT = (
    "python -m maintain.build_notebooks notebooks/{number}_{topic}.py solutions/{number}_{topic}/{number}_{topic}.py",
    "python -m maintain.where_to_go",
    "python -m maintain.build_exercises {number}_{topic}",
)


class Refusal(Exception):
    """Why no lesson is begun: one sentence."""


class Lesson(NamedTuple):
    """What a new lesson is called: "12", "im2col", "Im2col"."""

    number: str
    topic: str
    title: str

    def fill(self, text: str) -> str:
        """A template, or the path of one, with this lesson's names in their places."""
        for name, value in self._asdict().items():
            text = text.replace(f"{{{name}}}", value)
        return text


def plan(lesson: Lesson, root: Path = ROOT) -> dict[Path, str]:
    """Every file to write, new or changed, with its text; Refusal where there is something already."""
    must_be_named(lesson)
    must_be_free(lesson, root)
    files = new_files(lesson, root)
    there = [path.relative_to(root).as_posix() for path in files if path.exists()]
    if there:
        raise Refusal(f"{' and '.join(there)}: there already. Nothing was written.")
    rows = {path.name.removesuffix(ENDING): lesson.fill(path.read_text(encoding="utf-8")) for path in ROWS.iterdir()}
    return files | add_rows(lesson.number, rows, root)


def must_be_named(lesson: Lesson) -> None:
    """Refusal unless the names can be those of files, modules and headings."""
    if not NUMBER.fullmatch(lesson.number):
        raise Refusal(f"{lesson.number!r} is no number of a lesson: two digits, and a letter for one between, as 00b.")
    if not TOPIC.fullmatch(lesson.topic):
        raise Refusal(f"{lesson.topic!r} is no topic: lower-case words with underscores, as out_of_bounds.")
    if not TITLE.fullmatch(lesson.title):
        raise Refusal(f"{lesson.title!r} is no title: one line without brackets and |.")


def must_be_free(lesson: Lesson, root: Path) -> None:
    """Refusal where there is a lesson of this number, whatever its topic."""
    places = [f"{name}/{lesson.number}_*" for name in ("notebooks", "solutions", "exercises")]
    there = [path.relative_to(root).as_posix() for place in places for path in sorted(root.glob(place))]
    if there:
        raise Refusal(f"Lesson {lesson.number} is there already: {there[0]}. Nothing was written.")


def new_files(lesson: Lesson, root: Path) -> dict[Path, str]:
    """The template's files under their new names."""
    templates = [path for path in sorted(TEMPLATE.rglob(f"*{ENDING}")) if path.parent != ROWS]
    names = [path.relative_to(TEMPLATE).as_posix().removesuffix(ENDING) for path in templates]
    texts = [path.read_text(encoding="utf-8") for path in templates]
    return {root / lesson.fill(name): lesson.fill(text) for name, text in zip(names, texts, strict=True)}


def write_files(files: dict[Path, str]) -> None:
    """Put the texts into their files."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def next_steps(lesson: Lesson, files: dict[Path, str], new: set[Path], root: Path) -> str:
    """What was written, and the commands that make the rest of it."""
    lines = [f"  {path.relative_to(root).as_posix()}{'' if path in new else ', its rows'}" for path in files]
    commands = [f"  {lesson.fill(command)}" for command in NEXT]
    last = f"Every {MARK} says what goes there; `python -m maintain.stubs` lists those that are left."
    return "\n".join(["Written:", *lines, "Now:", *commands, last])


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Begin a lesson; 2 and one sentence where it can't be begun."""
    parser = argparse.ArgumentParser(prog="python -m maintain.new_lesson", description=__doc__.split("\n")[0])
    parser.add_argument("number", metavar="NN", help="two digits, and a letter for a lesson between two others")
    parser.add_argument("topic", help="as in the names of its files: im2col, out_of_bounds")
    parser.add_argument("--title", help="as a reader sees it; otherwise the topic in words")
    asked = parser.parse_args(arguments)
    words = asked.topic.replace("_", " ")
    lesson = Lesson(asked.number, asked.topic, asked.title or words[:1].upper() + words[1:])
    try:
        files = plan(lesson, root)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 2
    new = {path for path in files if not path.exists()}
    write_files(files)
    print(next_steps(lesson, files, new, root))
    return 0


if __name__ == "__main__":
    sys.exit(main())
