"""How many blocks an SM holds: what each resource alone allows, and which of them is the least."""

from course_lib.draw.charts.bars import bar_name
from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Drawing, Picture
from course_lib.model.cost.occupancy import Occupancy
from course_lib.model.facts.limits import SM_BLOCKS, SM_WARPS

CELL, HIGH, LEFT, TOP = 15, 26, 116, 30
TITLE = "Blocks that an SM holds"


def resident_picture(found: Occupancy) -> Picture:
    """A row for each resource, a box for each block that it allows; the rows that allow the fewest are marked."""
    said = sentence(found)
    drawing = Drawing(LEFT + SM_BLOCKS * CELL + 150, TOP + len(found.allowed) * HIGH + 12, TITLE, said)
    drawing.text(4, 14, said, bold=True, size=11)
    for row, (name, blocks) in enumerate(found.allowed.items()):
        y, least = TOP + row * HIGH, name in found.limited_by
        bar_name(drawing, LEFT, y + 15, name, bold=least)
        with drawing.group(resource=name):
            for block in range(min(blocks, SM_BLOCKS)):
                drawing.box(LEFT + block * CELL, y + 2, CELL - 3, HIGH - 8, "chosen" if least else "element")
        words = allows(blocks) + ", the least" * least
        drawing.text(LEFT + min(blocks, SM_BLOCKS) * CELL + 4, y + 15, words, size=11)
    lines = (f"{name}: {allows(blocks)}" for name, blocks in found.allowed.items())
    return drawing.picture("\n".join([TITLE, said, *lines]))


def allows(blocks: int) -> str:
    """How many blocks, in words."""
    return plural(blocks, "block")


def sentence(found: Occupancy) -> str:
    """What an SM holds, and what limits it."""
    limit = " and ".join(found.limited_by)
    return f"{allows(found.blocks)} of {found.warps_a_block} warps: {found.warps} of {SM_WARPS} warps, {found.share:.0%}. The limit: {limit}."
