"""One access of a warp on the 32 banks: in each turn, which bank gives its word to which lanes.

How many turns an access takes is measured. Which of the words that meet in a bank comes first is not: the picture takes
the lowest lane first.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from course_lib.draw.pen.plural import first_to_last, plural
from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.cost.banks import Access, Phase
from course_lib.model.facts.limits import BANK_BYTES, BANKS

CELL, HIGH, LEFT, TOP = 24.0, 17.0, 112.0, 44.0
SMALL = 9
LEGEND = (
    "Columns: banks. Numbers: lanes. Dark, 0+7: lane 0 and 7 others get the same word. ! a turn that a conflict costs."
)


Gift = tuple[int, tuple[int, ...]]  # a bank, and the lanes that get its word


class Turn(NamedTuple):
    """What the banks give at one time. ``lanes`` are those of the phase, ``gives`` bank → lanes that get its word."""

    lanes: tuple[int, ...]
    number_in_phase: int
    gives: dict[int, tuple[int, ...]]


def turns_of(found: Access) -> list[Turn]:
    """Every turn of an access, phase by phase."""
    return [turn for phase in found.phases for turn in turns_of_phase(phase)]


def turns_of_phase(phase: Phase) -> Iterator[Turn]:
    """The turns of one phase: in each, every bank gives the next word that is asked of it."""
    asked: dict[int, dict[int, list[int]]] = {}
    for lane, words in zip(phase.lanes, phase.words.tolist(), strict=True):
        for word in words:
            asked.setdefault(word % BANKS, {}).setdefault(word, []).append(lane)
    for number in range(max(map(len, asked.values()))):
        given = {bank: list(words.values())[number] for bank, words in asked.items() if number < len(words)}
        yield Turn(phase.lanes, number, {bank: tuple(lanes) for bank, lanes in sorted(given.items())})


def bank_picture(found: Access, title: str = "A read on the 32 banks") -> Picture:
    """A row for each turn, a column for each bank, and in it the lane that gets the bank's word."""
    turns, said = turns_of(found), sentence(found)
    drawing = Drawing(LEFT + BANKS * CELL + 8, TOP + len(turns) * HIGH + 26, title, said)
    _heads(drawing)
    for bank in range(0, BANKS + 1, 4):
        drawing.line(LEFT + bank * CELL, TOP, LEFT + bank * CELL, TOP + len(turns) * HIGH, width=0.5)
    for row, turn in enumerate(turns):
        _row(drawing, row, turn)
    drawing.text(8, TOP + len(turns) * HIGH + 18, LEGEND, faint=True, size=11)
    lines = (f"turn {number}, {lanes_words(turn.lanes)}: {gives_words(turn)}" for number, turn in enumerate(turns, 1))
    return drawing.picture("\n".join([title, said, *lines]))


def sentence(found: Access) -> str:
    """What the access costs."""
    lanes = sum(len(phase.lanes) for phase in found.phases)
    each, phases = BANK_BYTES * found.phases[0].words.shape[1], len(found.phases)
    free = "free of conflicts" if found.extra_turns == 0 else f"conflicts cost {found.extra_turns} of them"
    return f"{lanes} lanes, {each} bytes each: {plural(found.turns, 'turn')} in {plural(phases, 'phase')}, {free}."


def lanes_words(lanes: Sequence[int]) -> str:
    """Neighbouring lanes in words."""
    return first_to_last("lane", lanes[0], lanes[-1])


def served_words(lanes: Sequence[int]) -> str:
    """Who gets a word: one lane, or the lowest and how many others."""
    return str(lanes[0]) + (f"+{len(lanes) - 1}" if len(lanes) > 1 else "")


def gives_words(turn: Turn) -> str:
    """Bank by bank who is served. Neighbouring banks that serve the same lanes, or one lane after the other, are a run."""
    runs: list[list[Gift]] = []
    for gift in turn.gives.items():
        if runs and _goes_on(runs[-1], gift):
            runs[-1].append(gift)
        else:
            runs.append([gift])
    return "; ".join(map(_run_words, runs))


def _goes_on(run: list[Gift], gift: Gift) -> bool:
    step = _step(run[-1], gift)
    return step is not None and (len(run) == 1 or step == _step(*run[:2]))


def _step(gift: Gift, after: Gift) -> int | None:
    """0 where the next bank serves the same lanes, 1 where it serves the next lane, else None."""
    (bank, lanes), (next_bank, next_lanes) = gift, after
    if next_bank != bank + 1:
        return None
    one_up = len(lanes) == len(next_lanes) == 1 and next_lanes[0] == lanes[0] + 1
    return 0 if lanes == next_lanes else 1 if one_up else None


def _run_words(run: list[Gift]) -> str:
    (first, lanes), (last, end) = run[0], run[-1]
    return f"{first_to_last('bank', first, last)} → {served_words(lanes)}" + (f"–{end[0]}" if end != lanes else "")


def _heads(drawing: Drawing) -> None:
    drawing.text(8, 16, f"{drawing.title}: {drawing.description}", bold=True)
    drawing.text(8, 38, "lanes", faint=True, size=11)
    drawing.text(LEFT - 6, 38, "turn", anchor="end", faint=True, size=11)
    for bank in range(BANKS):
        drawing.text(LEFT + (bank + 0.5) * CELL, 38, str(bank), anchor="middle", faint=True, size=SMALL)


def _row(drawing: Drawing, row: int, turn: Turn) -> None:
    y = TOP + row * HIGH
    if turn.number_in_phase == 0:
        drawing.text(8, y + 12, lanes_words(turn.lanes), size=11)
        drawing.line(4, y, LEFT + BANKS * CELL + 4, y)
    drawing.text(LEFT - 6, y + 12, "! " * (turn.number_in_phase > 0) + str(row + 1), anchor="end", size=11)
    drawing.line(LEFT, y + HIGH, LEFT + BANKS * CELL, y + HIGH, width=0.5)
    for bank, lanes in turn.gives.items():
        state = "chosen" if len(lanes) > 1 else "first" if turn.number_in_phase else "element"
        drawing.box(LEFT + bank * CELL, y + 1, CELL, HIGH - 2, state, served_words(lanes), size=SMALL, hatched=False)
