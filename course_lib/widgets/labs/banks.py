"""The banks: turn the pitch of a tile's rows and the pattern of a read, and see 32 lanes on 32 banks, turn by turn."""

from typing import Any, NamedTuple

import numpy as np

from course_lib.draw.copies.banks import bank_picture
from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.banks import Access, Addresses, access, ldmatrix
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import WARP_LANES
from course_lib.widgets.skeleton.base import TENSOR_ADDRESS, Settings, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec, call_panels

LINE_BYTES, FLOAT_BYTES, ROWS = 128, 4, 32
MOST_PITCH = 272
FIRST: Settings = {"width": "4", "pattern": "column", "pitch_bytes": 128, "byte": 0, AGAIN: 0}


class Width(NamedTuple):
    """What one lane reads."""

    words: str
    size: int
    c: str


WIDTHS = {
    "4": Width("4 bytes", 4, "float x = *(const float *)(tile + a);"),
    "8": Width("8 bytes", 8, "float2 x = *(const float2 *)(tile + a);"),
    "16": Width("16 bytes", 16, "float4 x = *(const float4 *)(tile + a);"),
    "ldmatrix": Width(
        "a row of ldmatrix.x4",
        16,
        "uint32_t r[4], s = (uint32_t)__cvta_generic_to_shared(tile + a);\n"
        'asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"\n'
        '             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(s) : "memory");',
    ),
}


class LanePattern(NamedTuple):
    """Which row, and which piece of it, a lane reads: as C, with ``per`` pieces in a row."""

    words: str
    row: str
    piece: str


PATTERNS = {
    "column": LanePattern("32-row column", "lane", "0"),
    "eight": LanePattern("8-row columns", "lane % 8", "lane / 8 % {per}"),
    "rows": LanePattern("whole rows", "lane / {per}", "lane % {per}"),
    "one": LanePattern("one place", "0", "0"),
    "pairs": LanePattern("pairs of lanes", "lane / 2", "0"),
}


CONTROLS = (
    Control("pitch_bytes", "range", "from row to row", "bytes", 16, MOST_PITCH, 4, group="The tile"),
    Control(
        "width", "select", "each lane reads", options=[(name, w.words) for name, w in WIDTHS.items()], group="The read"
    ),
    Control(
        "pattern",
        "select",
        "the lanes read",
        options=[(name, p.words) for name, p in PATTERNS.items()],
        group="The read",
    ),
    Control("byte", "range", "beginning at byte of the row", "bytes", 0, LINE_BYTES - 4, 4, group="The read"),
    start_again("The read"),
)


def per_row(values: Settings) -> int:
    """Pieces that a row holds, as wide as a lane reads; a row holds 128 bytes at most, the rest of its pitch is gap."""
    return max(min(int(values["pitch_bytes"]), LINE_BYTES) // WIDTHS[values["width"]].size, 1)


def addresses_of(values: Settings) -> Addresses:
    """The byte address of every lane, in a tile at address 0."""
    lane, per, size = np.arange(WARP_LANES), per_row(values), WIDTHS[values["width"]].size
    places = {
        "column": (lane, 0 * lane),
        "eight": (lane % 8, lane // 8 % per),
        "rows": (lane // per, lane % per),
        "one": (0 * lane, 0 * lane),
        "pairs": (lane // 2, 0 * lane),
    }
    row, piece = places[values["pattern"]]
    at: Addresses = row * values["pitch_bytes"] + piece * size + values["byte"]
    return at


def refusal(values: Settings) -> str:
    """Why there is no such read; empty where there is one."""
    if not 1 <= values["pitch_bytes"] <= MOST_PITCH or values["byte"] < 0:
        return f"from row to row {values['pitch_bytes']} bytes, beginning at {values['byte']}: out of this picture."
    size, at = WIDTHS[values["width"]].size, addresses_of(values)
    off = np.flatnonzero(at % size)
    if off.size:
        return (
            f"No such read: lane {off[0]} reads {size} bytes at address {at[off[0]]}, which is no multiple of {size} "
            "(misaligned address)."
        )
    return ""


def access_of(values: Settings) -> Access:
    """The read, in phases."""
    width, at = WIDTHS[values["width"]], addresses_of(values)
    return ldmatrix(at) if values["width"] == "ldmatrix" else access(at, width.size)


def call_of(values: Settings) -> TiledTensorMap:
    """32 rows of floats, in a box as wide as the pitch; the tensor has 128 bytes a row, or less."""
    width = min(values["pitch_bytes"], LINE_BYTES) // FLOAT_BYTES
    return TiledTensorMap(
        data_type=DataType.FLOAT32,
        global_address=TENSOR_ADDRESS,
        global_dim=(width, ROWS),
        global_strides=(LINE_BYTES,),
        box_dim=(values["pitch_bytes"] // FLOAT_BYTES, ROWS),
    )


def result_words(found: Access) -> str:
    """What the read costs, and what it would at best."""
    phases = len(found.phases)
    best = "" if found.extra_turns == 0 else f", {phases} without conflicts"
    return (
        f"{plural(found.turns, 'turn')}{best}.\n{plural(phases, 'phase')}, the worst of degree {found.degree}: "
        f"its busiest bank gives {plural(found.degree, 'word')}."
    )


def kernel_read(values: Settings) -> str:
    """The read in C."""
    pattern, width, per = PATTERNS[values["pattern"]], WIDTHS[values["width"]], per_row(values)
    row, piece = (words.format(per=per) for words in (pattern.row, pattern.piece))
    return (
        "unsigned lane = threadIdx.x % 32;  // tile: const char *, in shared memory\n"
        f"unsigned row = {row}, piece = {piece};\n"
        f"unsigned a = row * {values['pitch_bytes']} + piece * {width.size} + {values['byte']};\n{width.c}"
    )


def show(values: Settings) -> tuple[str, Picture]:
    """The banks turn by turn, and what the read costs."""
    found = access_of(values)
    return result_words(found), bank_picture(found, f"Rows {values['pitch_bytes']} bytes apart")


class BankLab(Lab):
    """``access`` is the read that the controls stand for, None where it faults; ``tensor_map`` a tile with this pitch."""

    spec = Spec(
        FIRST,
        CONTROLS,
        show,
        (
            Panel("The read in a kernel", kernel_read, open=True, copy=True, always=True),
            Panel(
                "Can a tensor copy bring this tile?",
                lambda values: str(call_of(values).check()),
                open=True,
                always=True,
            ),
            *call_panels(call_of, always=True),
            IN_WORDS,
        ),
        refusal,
    )

    @property
    def access(self) -> Access | None:
        """The read as the controls have it."""
        return None if refusal(self.state) else access_of(self.state)

    @property
    def tensor_map(self) -> TiledTensorMap:
        """The call that brings a tile with this pitch, legal or not."""
        return call_of(self.state)


def bank_lab(**settings: Any) -> BankLab:
    """A read of 32 lanes from a tile of 32 rows. ``settings`` are those of the controls; KeyError for another name."""
    return BankLab(with_settings(FIRST, settings))
