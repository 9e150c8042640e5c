"""The glossary, followed: each word to the heading of the lesson that owns it."""

import re
from typing import NamedTuple

from maintain.lessons import MARKS, sections
from maintain.tables import GLOSSARY, is_broken, links, table_rows


class Word(NamedTuple):
    """A row of the glossary, cell by cell."""

    word: str
    meaning: str
    owner: str
    french: str
    chinese: str

    @property
    def plain(self) -> str:
        """The word without marks, in one case: what the rows are sorted by."""
        return MARKS.sub("", self.word).casefold()


def glossary(text: str | None = None) -> list[Word]:
    """All rows of the committed glossary, or of another."""
    found = table_rows(GLOSSARY.read_text(encoding="utf-8") if text is None else text)
    return [Word(*row) for row in found]


def why_absent(word: Word) -> str:
    """Why a word is not where its row says; "" where it is. What stands in parentheses tells two words apart."""
    (link,) = links(word.owner, GLOSSARY.parent)
    if is_broken(link):
        return f"{word.word}: no such lesson or heading: {word.owner}"
    shown = MARKS.sub("", sections(link.path)[link.anchor].shown).casefold()
    sought = re.sub(r" *\(.*\)", "", word.plain)
    return "" if " ".join(sought.split()) in " ".join(shown.split()) else f"{word.word} does not occur: {word.owner}"
