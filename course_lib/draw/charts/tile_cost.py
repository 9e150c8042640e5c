"""What one tile costs by cp.async and by TMA: the warp instructions of a block, part by part, and the registers of a thread."""

from typing import NamedTuple

from course_lib.draw.charts.bars import Stretch, bar_name, bar_number, stretches
from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.cost.tile_cost import LOOP_ALONE, TMA_REGISTERS, TileCost

LEFT, LONG, HIGH, TOP, WIDE = 96.0, 430.0, 24.0, 40.0, 690
LEGEND = (("empty", "the loop alone"), ("unit", "copies"), ("first", "addresses, guards, waiting"))


class Part(NamedTuple):
    """A stretch of a bar."""

    state: str  # of LEGEND, or "element" for registers
    number: int


class StackedBar(NamedTuple):
    """A bar with its total in words."""

    name: str
    parts: tuple[Part, ...]
    total: str


def instruction_bars(cost: TileCost) -> list[StackedBar]:
    """What all warps issue for one tile."""
    alone, span = LOOP_ALONE * cost.warps, cost.instructions
    most = span.stop - 1
    by_threads = (Part("empty", alone), Part("unit", cost.copy_instructions))
    rest = Part("first", most - alone - cost.copy_instructions)
    total = f"{span.start:,} to {most:,}" if len(span) > 1 else f"{most:,}"
    by_tma = (Part("empty", alone), Part("unit", 1), Part("first", cost.tma_instructions - alone - 1))
    return [StackedBar("cp.async", (*by_threads, rest), total), StackedBar("TMA", by_tma, f"{cost.tma_instructions:,}")]


def register_bars(cost: TileCost) -> list[StackedBar]:
    """Registers of a thread."""
    numbers = (("cp.async", cost.registers), ("TMA", TMA_REGISTERS))
    return [StackedBar(name, (Part("element", number),), str(number)) for name, number in numbers]


def cost_picture(cost: TileCost) -> Picture:
    """Two bars of instructions, two of registers. ValueError where no kernel was compiled for so many copies a thread."""
    groups = {
        f"Instructions that {cost.warps} warps issue for a tile": instruction_bars(cost),
        "Registers of a thread": register_bars(cost),
    }
    said = "; ".join(f"{name}: {', '.join(f'{bar.name} {bar.total}' for bar in bars)}" for name, bars in groups.items())
    drawing = Drawing(WIDE, TOP + 6 * HIGH + 12, "One tile by cp.async and by TMA", said + ".")
    _legend(drawing)
    y = TOP
    for name, bars in groups.items():
        y = _group(drawing, y, name, bars)
    lines = [f"{bar.name}: {parts_words(bar)} = {bar.total}" for bar in instruction_bars(cost)]
    return drawing.picture("\n".join(["One tile by cp.async and by TMA", said + ".", *lines]))


def parts_words(bar: StackedBar) -> str:
    """A bar in words."""
    names = dict(LEGEND)
    return " + ".join(f"{names[part.state]} {part.number:,}" for part in bar.parts)


def _group(drawing: Drawing, y: float, name: str, bars: list[StackedBar]) -> float:
    drawing.text(8, y + 12, name, bold=True)
    longest = max(sum(part.number for part in bar.parts) for bar in bars)
    for number, bar in enumerate(bars):
        _bar(drawing, y + 20 + number * HIGH, bar, LONG / longest)
    return y + 30 + len(bars) * HIGH


def _bar(drawing: Drawing, y: float, bar: StackedBar, scale: float) -> None:
    bar_name(drawing, LEFT, y + 15, bar.name)
    parts = (_stretch(part, part.number * scale) for part in bar.parts)
    with drawing.group(bar=bar.name):
        end = stretches(drawing, LEFT, y + 1, HIGH - 4, parts, size=10)
    bar_number(drawing, end, y + 15, bar.total, bold=True)


def _stretch(part: Part, wide: float) -> Stretch:
    """A part with its number where there is room for it."""
    return Stretch(part.state, wide, str(part.number) if wide > 26 else "")


def _legend(drawing: Drawing) -> None:
    x = 8.0
    for state, words in LEGEND:
        drawing.box(x, 8, 16, 14, state)
        drawing.text(x + 22, 19, words, size=11)
        x += 40 + len(words) * 7
