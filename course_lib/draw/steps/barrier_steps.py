"""A script on barriers: a line for each step and each landing, with phase, arrivals, bytes, and what a wait would hear.

A step that never passes is drawn as a wait without an end, and the steps behind it are named.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from course_lib.draw.pen.svg import CHARACTER_WIDTH, Drawing, Picture, text_width
from course_lib.model.barrier.mbarrier import SET_UP_AGAIN, State
from course_lib.model.barrier.script import HANGS, Moment, Run

ROW, TOP, MOST_ROWS, SQUARES, LETTERS = 23.0, 50.0, 40, 5, 90
STEP, PHASE, ARRIVALS, BYTES, PASSES, NOTE, WIDTH = 8.0, 168.0, 250.0, 326.0, 452.0, 536.0, 704.0
NAMES = 44.0  # more room for the steps, where each names its barrier
ZERO, HALF = 364.0, 38.0  # where no byte is awaited, and how far the longest bar reaches
LONG = 7  # a run of landings as long as this is told in one line
SPELLED = {
    "init": "mbarrier.init",
    "arrive": "arrive",
    "arrive_count": "arrive",
    "arrive_drop": "arrive_drop",
    "expect": "expect_tx",
    "arrive_expect": "arrive.expect_tx",
    "complete": "complete_tx",
    "copy": "cp.async.bulk",
    "wait": "try_wait, parity",
    "sync": "__syncthreads()",
    "settle": "(some time later)",
    "read": "read the tile",
}
HEADS = {
    STEP: "step",
    PHASE: "phase|parity",
    ARRIVALS: "arrivals",
    BYTES: "bytes awaited",
    PASSES: "passes 0 | 1",
    NOTE: "what happens",
}
BAD = ("never", "traps", "missing", "no barrier", "in use")


class Line(NamedTuple):
    """One line of the picture: a moment, and how many landings it stands for."""

    moment: Moment
    landings: int = 1


def barrier_picture(run: Run, title: str = "A barrier, step by step", said: str = "") -> Picture:
    """The run as a table that is drawn; ``said`` stands below it, by default how the run ended.

    ValueError for more than 40 lines.
    """
    lines = list(moment_lines(run))
    if len(lines) > MOST_ROWS:
        raise ValueError(f"{len(lines)} lines: the picture holds {MOST_ROWS}")
    several = len({line.moment.barrier for line in lines}) > 1
    said = said or run.sentence
    told, shift = wrap_words(said, LETTERS), NAMES * several
    below = TOP + ROW * (len(lines) + (run.ending == HANGS))
    drawing = Drawing(WIDTH + shift, below + 18 * len(told) + (18 if run.left else 0) + 8, title, said)
    _heads(drawing, shift)
    most = max([abs(line.moment.state.awaited_bytes) for line in lines if line.moment.state] + [1])
    for number, line in enumerate(lines):
        _row(drawing, TOP + ROW * number, line, most, shift)
    drawing.line(ZERO + shift, TOP - 4, ZERO + shift, TOP + ROW * len(lines))
    if run.ending == HANGS:
        words = "the wait goes on, and nothing is left that could end it"
        drawing.box(STEP, below - ROW + 2, drawing.width - 16, ROW - 5, "waiting", words)
    if run.left:
        drawing.text(STEP, below + 14, f"never reached: {', '.join(map(spell_step, run.left))}", faint=True)
    for number, sentence in enumerate(told):
        drawing.text(STEP, below + (32 if run.left else 14) + 18 * number, sentence, bold=True)
    return drawing.picture("\n".join([title, *run_lines(run, lines, several), said]))


def moment_lines(run: Run) -> Iterator[Line]:
    """The moments; a long run of landings that end no phase is one line."""
    waiting: list[Moment] = []
    for moment in run.moments:
        quiet = moment.is_landing and not moment.completed
        if waiting and (not quiet or moment.barrier != waiting[-1].barrier):
            yield from _gather(waiting)
            waiting = []
        if quiet:
            waiting.append(moment)
        else:
            yield Line(moment)
    yield from _gather(waiting)


def _gather(landings: list[Moment]) -> Iterator[Line]:
    if len(landings) > LONG:
        yield Line(landings[-1], len(landings))
    else:
        yield from map(Line, landings)


def spell_step(words: str) -> str:
    """A step as PTX has it, without mbarrier. in front."""
    what, _, number = words.partition(" ")
    return f"{SPELLED.get(what, what)} {number}".strip()


def moment_words(line: Line) -> str:
    """What the first column says."""
    if line.moment.is_landing:
        times = f"{line.landings} times " if line.landings > 1 else ""
        return f"  ↓ {times}{line.moment.words}"
    return spell_step(line.moment.words)


def note_words(line: Line) -> str:
    """What the last column says."""
    moment = line.moment
    if moment.completed and moment.state:
        return f"phase {moment.state.phase - 1} ends"
    if moment.note == "issued":
        return f"{moment.in_flight} bytes in flight"
    if moment.note == SET_UP_AGAIN:
        return "set up while in use"
    return moment.note


def run_lines(run: Run, lines: Sequence[Line], several: bool) -> Iterator[str]:
    """Each line in words."""
    for number, line in enumerate(lines, 1):
        name = f" on {line.moment.barrier}" if several else ""
        state = str(line.moment.state) if line.moment.state else "no barrier yet"
        note = note_words(line)
        yield f"{number}. {moment_words(line).strip()}{name} → {state}" + (f"; {note}" if note else "")
    if run.left:
        yield f"never reached: {', '.join(map(spell_step, run.left))}"


def wrap_words(sentence: str, letters: int) -> list[str]:
    """A sentence cut at spaces."""
    lines = [""]
    for word in sentence.split():
        if len(lines[-1]) + len(word) >= letters:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _heads(drawing: Drawing, shift: float) -> None:
    drawing.text(STEP, 15, drawing.title, bold=True)
    for x, words in HEADS.items():
        drawing.text(x + shift * (x > STEP), 38, words, faint=True, size=10)
    drawing.line(STEP, TOP - 5, drawing.width - 8, TOP - 5)


def _row(drawing: Drawing, y: float, line: Line, most: int, shift: float) -> None:
    moment = line.moment
    with drawing.group(step=moment.words):
        drawing.text(STEP, y + 15, moment_words(line).replace(" ", "\u00a0"), faint=moment.is_landing)
        if shift:
            drawing.text(PHASE + shift - 8, y + 15, moment.barrier, anchor="end", faint=True, size=10)
        if moment.state:
            _state(drawing, y, moment.state, most, shift)
        _note(drawing, y, line, shift)
    if moment.completed:
        drawing.line(STEP, y + ROW - 2, drawing.width - 8, y + ROW - 2, "ours", 1.5)


def _state(drawing: Drawing, y: float, state: State, most: int, shift: float) -> None:
    words, zero = f"{state.phase} | {state.parity}", ZERO + shift
    drawing.box(PHASE + shift, y + 2, 60, ROW - 6, "unit" if state.parity else "element", words, size=11)
    _arrivals(drawing, ARRIVALS + shift, y, state)
    length = max(HALF * abs(state.awaited_bytes) / most, 2 if state.awaited_bytes else 0)
    if state.awaited_bytes > 0:
        drawing.box(zero, y + 3, length, ROW - 8, "byte")
    elif state.awaited_bytes < 0:
        drawing.box(zero - length, y + 3, length, ROW - 8, "first")
    drawing.text(zero + HALF + 6, y + 15, str(state.awaited_bytes), size=11)
    for parity in (0, 1):
        passes = state.parity != parity
        place = (PASSES + shift + 38 * parity, y + 2, 34, ROW - 6)
        drawing.box(*place, "right" if passes else "waiting", "yes" if passes else "no", size=10)


def _arrivals(drawing: Drawing, x: float, y: float, state: State) -> None:
    drawing.text(x, y + 15, str(state.pending), size=11)
    left = x + max(2, len(str(state.pending))) * CHARACTER_WIDTH
    if state.expected > SQUARES:
        drawing.text(left, y + 15, f"of {state.expected}", size=11, faint=True)
        return
    for number in range(state.expected):
        look = "waiting" if number < state.pending else "ready"
        drawing.box(left + 11 * number, y + 6, 9, ROW - 14, look, hatched=False)


def _note(drawing: Drawing, y: float, line: Line, shift: float) -> None:
    words, x = note_words(line), NOTE + shift
    state = "wrong" if any(bad in words for bad in BAD) else ""
    if words.startswith(("passes", "all bytes")):
        state = "ready"
    if state:
        drawing.box(x, y + 2, text_width(words) + 8, ROW - 6, state, words, size=11, hatched=False)
    elif words:
        drawing.text(x, y + 15, words, bold=line.moment.completed, size=11)
