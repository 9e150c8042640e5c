"""The swizzle: turn mode, shape and shared address, and see where each unit of a tile lies and what a read of it costs."""

from typing import Any

import numpy as np

from course_lib.draw.copies.swizzle_grid import bits_drawing, grid_drawing
from course_lib.draw.pen.svg import Picture, beside
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.traps import SHARED_ALIGNMENT_BYTES
from course_lib.model.cost.banks import Access, Addresses, access
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.model.facts.limits import BANKS, BOX_DIM_MAX, INNER_UNIT_BYTES, SWIZZLE_SPAN_BYTES
from course_lib.model.facts.swizzle import PATTERNS, Pattern
from course_lib.widgets.skeleton.base import TENSOR_ADDRESS, Settings, start_over, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec, call_panels

READS = {"word": ("a 4-byte column", 4), "unit": ("a 16-byte column", 16)}
LAST_BASE, MOST_ROWS, MOST_ROW_BYTES = 1920, 24, 144
FIRST: Settings = {
    "mode": int(Swizzle.B128),
    "row_bytes": 128,
    "rows": 16,
    "shared_address": 0,
    "row": 3,
    "byte": 84,
    "read": "word",
    AGAIN: 0,
}


CONTROLS = (
    Control(
        "mode",
        "select",
        "swizzle",
        options=[(int(m), m.name + ("" if m <= Swizzle.B128 else " (documented)")) for m in PATTERNS],
        group="The call",
    ),
    Control("row_bytes", "range", "row of the box", "bytes", 16, MOST_ROW_BYTES, 16, group="The call"),
    Control("rows", "range", "rows of the box", "rows", 1, MOST_ROWS, group="The call"),
    Control(
        "shared_address", "range", "shared address", "bytes", 0, LAST_BASE, SHARED_ALIGNMENT_BYTES, group="The copy"
    ),
    Control("row", "range", "follow a byte of row", "row", 0, MOST_ROWS - 1, group="A byte of the tile"),
    Control("byte", "range", "at byte of the row", "bytes", 0, MOST_ROW_BYTES - 1, group="A byte of the tile"),
    Control(
        "read",
        "select",
        "32 lanes read",
        options=[(name, words) for name, (words, _) in READS.items()],
        group="A read through it",
    ),
    start_again("A read through it"),
)


def call_of(values: Settings) -> TiledTensorMap:
    """A dense tensor of bytes, of which the box is the whole."""
    shape = (values["row_bytes"], values["rows"])
    return TiledTensorMap(
        data_type=DataType.UINT8,
        global_address=TENSOR_ADDRESS,
        global_dim=shape,
        global_strides=shape[:1],
        box_dim=shape,
        swizzle=values["mode"],
    )


def refusal(values: Settings) -> str:
    """Why there is no picture, empty where there is one: the map is refused for a reason other than the chip, or the copy traps."""
    broken = [rule for rule in call_of(values).check().broken if rule.id != "swizzle-on-target"]
    if broken:
        return f"Refused: {broken[0].message}."
    if values["shared_address"] % SHARED_ALIGNMENT_BYTES or not 0 <= values["shared_address"] <= LAST_BASE:
        return (
            f"shared_address = {values['shared_address']}: a multiple of 128, or the copy traps (716); here up to 1920."
        )
    if values["rows"] > MOST_ROWS:
        return f"rows of the box = {values['rows']}: legal up to 256, but the picture shows {MOST_ROWS} at most."
    if values["row_bytes"] > widest_row_bytes(values):
        return f"row of the box = {values['row_bytes']} bytes: this swizzle takes rows up to {widest_row_bytes(values)} bytes."
    return ""


def widest_row_bytes(values: Settings) -> int:
    """The widest row of a swizzle; without one, of a box of bytes."""
    return SWIZZLE_SPAN_BYTES[values["mode"]] or BOX_DIM_MAX


def pitch_bytes(values: Settings) -> int:
    """From one row of the box to the next in shared memory: the span, whatever the row; dense without swizzle."""
    return int(values["row_bytes"]) if values["mode"] == Swizzle.NONE else widest_row_bytes(values)


def mode_pattern(values: Settings) -> Pattern:
    """The pattern of the chosen mode."""
    return PATTERNS[Swizzle(values["mode"])]


def address_before_xor(values: Settings, row: Any, byte: Any) -> Any:
    """Where a byte of the tile would lie without the XOR."""
    return values["shared_address"] + row * pitch_bytes(values) + byte


def tile_drawing(values: Settings) -> tuple[Any, str]:
    """Where each unit lies; those of the read's column are marked."""
    in_row = values["row_bytes"] // INNER_UNIT_BYTES
    numbers = np.arange(values["rows"] * in_row)
    plain = address_before_xor(values, numbers // in_row, numbers % in_row * INNER_UNIT_BYTES)
    places = mode_pattern(values)(plain) // INNER_UNIT_BYTES
    units = np.full(places.max() // 8 * 8 + 8, -1)
    units[places] = numbers
    marked = set(range(values["byte"] // INNER_UNIT_BYTES, numbers.size, in_row))
    title = f"{Swizzle(values['mode']).name}, shared address {values['shared_address']}"
    return grid_drawing(units, in_row, values["shared_address"], marked, title)


def column_read(values: Settings, swizzled: bool = True) -> Access:
    """The read of 32 lanes, each in a row of its own, at the followed byte."""
    size = READS[values["read"]][1]
    plain: Addresses = address_before_xor(values, np.arange(BANKS), values["byte"] // size * size)
    return access(mode_pattern(values)(plain) if swizzled else plain, size)


def result_words(values: Settings, call: TiledTensorMap) -> str:
    """Where the byte lies, what the read costs, and what the engine of this chip says to the mode."""
    plain = address_before_xor(values, values["row"], values["byte"])
    lies = mode_pattern(values)(plain)
    where = "where it is meant" if lies == plain else f"not at 0x{plain:03x}"
    turns, without = (column_read(values, swizzled).turns for swizzled in (True, False))
    lines = [
        f"Row {values['row']}, byte {values['byte']} lies at 0x{lies:03x}, {where}.",
        f"32 lanes that read {READS[values['read']][0]} of 32 rows take {turns} turns, {without} without the XOR.",
    ]
    broken = call.check().broken
    return "\n".join([*lines, f"Refused on this chip: {broken[0].message}."] if broken else lines)


def kernel_read(values: Settings) -> str:
    """C that finds the byte, keyed to the address."""
    pattern = mode_pattern(values)
    turned = f"a ^ ((a & 0x{pattern.mask:x}) >> {pattern.shift})" if pattern.mask else "a"
    return (
        "uint32_t base = (uint32_t)__cvta_generic_to_shared(tile);  // the whole address, not an offset\n"
        f"uint32_t a = base + row * {pitch_bytes(values)} + byte;\n"
        f"uint32_t b = {turned};\n"
        "uint32_t value;  // a register of 32 bits: the byte, and zeros above it\n"
        'asm volatile("ld.shared.u8 %0, [%1];" : "=r"(value) : "r"(b) : "memory");'
    )


def show(values: Settings) -> tuple[str, Picture]:
    """The bits of one address and the whole tile, and what a read costs."""
    followed = address_before_xor(values, values["row"], values["byte"])
    bits, bits_words = bits_drawing(mode_pattern(values), followed, 12)
    tile, tile_words = tile_drawing(values)
    return result_words(values, call_of(values)), beside(bits, tile, text=f"{bits_words}\n{tile_words}")


class SwizzleLab(Lab):
    """``tensor_map`` is the call that the controls stand for, legal or not."""

    spec = Spec(
        FIRST,
        CONTROLS,
        show,
        (
            Panel("Verdict", lambda values: refusal(values) or str(call_of(values).check()), open=True, always=True),
            Panel("The read in a kernel", kernel_read, open=True, copy=True),
            *call_panels(call_of),
            IN_WORDS,
        ),
        refusal,
    )

    @property
    def tensor_map(self) -> TiledTensorMap:
        """The call as the controls have it."""
        return call_of(self.state)

    def settle(self, before: Settings, now: Settings) -> Settings:
        """The button brings the first settings back; the byte that is followed stays in the tile."""
        now = start_over(before, now, FIRST)
        inside = {"row": min(now["row"], now["rows"] - 1), "byte": min(now["byte"], now["row_bytes"] - 1)}
        return now | {name: max(value, 0) for name, value in inside.items()}


def swizzle_lab(**settings: Any) -> SwizzleLab:
    """A tile of bytes in shared memory. ``settings`` are those of the controls; KeyError for another name."""
    return SwizzleLab(with_settings(FIRST, settings))
