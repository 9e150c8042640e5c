"""A box of channel packets: which pixels of which slice it takes, and where each 16-byte unit lies in shared memory."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from course_lib.draw.pen.plural import first_to_last
from course_lib.draw.pen.svg import Drawing, Picture, beside
from course_lib.model.call.sizes import ceil_div, packet_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.packets import packet_channels
from course_lib.model.copy.plain import Position, is_inside, tiled_elements
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.model.facts.swizzle import pattern_of

LINE_BYTES, IN_LINE = 128, 8
PIXEL, HIGH, LEFT, TOP, UNIT = 36.0, 20.0, 40.0, 64.0, 48.0
MOST_UNITS, MOST_PIXELS = 128, 160


class PacketUnit(NamedTuple):
    """16 bytes of a packet: the packet's position, which part of it, the shared address, and whether it is the tensor's."""

    position: Position
    part: int
    address: int
    inside: bool


def packet_units(m: TiledTensorMap, coordinates: Sequence[int], shared_address: int) -> list[PacketUnit]:
    """Every 16-byte unit of a box of packets, in the order of the box."""
    pattern, found = pattern_of(m.swizzle), []
    for position, offset in tiled_elements(m, tuple(coordinates)):
        for part in range(packet_bytes(m) // INNER_UNIT_BYTES):
            address = pattern(shared_address + offset + part * INNER_UNIT_BYTES)
            found.append(PacketUnit(position, part, int(address), is_inside(m, position)))
    return found


def packet_picture(m: TiledTensorMap, coordinates: Sequence[int], channels: int, shared_address: int = 0) -> Picture:
    """A box of packets of rank 4 (W, H, slice, N): the slice it is taken from, and shared memory afterwards.

    ``channels`` is the number that the image has before padding. ValueError without interleave, for another rank, and
    for more than 128 units or 160 pixels.
    """
    must_be_packets(m)
    units = packet_units(m, coordinates, shared_address)
    told = sentence(m, coordinates, channels, units)
    lines = [told, *slice_lines(m, channels), *unit_lines(m, units)]
    return beside(
        slice_drawing(m, coordinates, channels, told),
        shared_packets_drawing(m, units, told),
        text="\n".join(lines),
    )


def must_be_packets(m: TiledTensorMap) -> None:
    """ValueError for what the picture does not show."""
    if not packet_bytes(m) or m.rank != 4:
        raise ValueError("this picture shows tiled maps of rank 4 with interleave: W, H, slice, N")
    units, pixels = transaction_bytes(m) // INNER_UNIT_BYTES, m.global_dim[0] * m.global_dim[1]
    if units > MOST_UNITS or pixels > MOST_PIXELS:
        raise ValueError(f"{units} units of {pixels} pixels are too many for this picture")


def channel_words(m: TiledTensorMap, number: int, channels: int) -> str:
    """The channels that a slice holds."""
    per_packet = packet_channels(m.interleave, m.data_type)
    first, last = number * per_packet, min((number + 1) * per_packet, channels) - 1
    if not 0 <= number < ceil_div(channels, per_packet):
        return "no channels: outside"
    some = first_to_last("channel", first, last, " to ")
    rest = (number + 1) * per_packet - last - 1
    return some + (f" and {rest} of padding" if rest else "")


def sentence(m: TiledTensorMap, coordinates: Sequence[int], channels: int, units: Sequence[PacketUnit]) -> str:
    """What the copy brings, in one sentence."""
    packets = len(units) // (packet_bytes(m) // INNER_UNIT_BYTES)
    outside = sum(not unit.inside for unit in units) * INNER_UNIT_BYTES // packet_bytes(m)
    start = f"{packets} packets of {packet_bytes(m)} bytes, {transaction_bytes(m)} bytes in all"
    filled = f"; {outside} of the packets are filled" if outside else ""
    return f"{start}, of slice {coordinates[2]}: {channel_words(m, coordinates[2], channels)}{filled}."


def slice_lines(m: TiledTensorMap, channels: int) -> Iterator[str]:
    """The slices of the image in words."""
    for number in range(m.global_dim[2]):
        yield f"slice {number}: {channel_words(m, number, channels)}"


def unit_name(unit: PacketUnit, parts: int) -> str:
    """x,y of the pixel, and a letter for the half of a 32-byte packet."""
    where = f"{unit.position[0]},{unit.position[1]}"
    return where + ("ab"[unit.part] if parts > 1 else "")


def unit_lines(m: TiledTensorMap, units: Sequence[PacketUnit]) -> Iterator[str]:
    """One line for each 128 bytes of shared memory."""
    parts, at = packet_bytes(m) // INNER_UNIT_BYTES, {unit.address: unit for unit in units}
    for line in memory_lines(units):
        places = range(line, line + LINE_BYTES, INNER_UNIT_BYTES)
        words = [word_of(at[place], parts) if place in at else "–" for place in places]
        yield f"0x{line:03x}  {'  '.join(words)}"


def word_of(unit: PacketUnit, parts: int) -> str:
    """A unit in the text: its name, and a mark where it is filled."""
    return unit_name(unit, parts) + ("" if unit.inside else " filled")


def memory_lines(units: Sequence[PacketUnit]) -> range:
    """The addresses of the 128-byte lines that the box reaches."""
    addresses = [unit.address for unit in units]
    first, last = min(addresses) // LINE_BYTES, max(addresses) // LINE_BYTES
    return range(first * LINE_BYTES, (last + 1) * LINE_BYTES, LINE_BYTES)


class Grid(NamedTuple):
    """The cells of one slice: those of the image and those of the box."""

    columns: range
    rows: range

    def place(self, x: int, y: int) -> tuple[float, float]:
        """The upper left corner of a cell."""
        return LEFT + (x - self.columns.start) * PIXEL, TOP + (y - self.rows.start) * HIGH


def slice_drawing(m: TiledTensorMap, coordinates: Sequence[int], channels: int, told: str) -> Drawing:
    """The pixels of the chosen slice, with the box framed."""
    sides = zip(coordinates[:2], m.box_dim[:2], m.global_dim[:2], strict=True)
    grid = Grid(*(range(min(at, 0), max(at + box, size)) for at, box, size in sides))
    right, foot = grid.place(grid.columns.stop, grid.rows.stop)
    drawing = Drawing(right + 10, foot + 40, "One slice of the image", told)
    drawing.text(4, 14, f"global memory: slice {coordinates[2]} of {m.global_dim[2]}", bold=True)
    drawing.text(4, 32, f"{channel_words(m, coordinates[2], channels)}; one cell is one packet", faint=True, size=11)
    for x in grid.columns:
        drawing.text(grid.place(x, 0)[0] + PIXEL / 2, TOP - 5, f"x {x}", anchor="middle", faint=True, size=9.5)
    for y in grid.rows:
        drawing.text(LEFT - 5, grid.place(0, y)[1] + 14, f"y {y}", anchor="end", faint=True, size=9.5)
    size = m.box_dim[0] * PIXEL, m.box_dim[1] * HIGH
    start = grid.place(*coordinates[:2])
    drawing.box(*start, *size, "filled")
    draw_pixels(drawing, m, grid, coordinates)
    drawing.frame(*start, *size, "opened")
    drawing.text(4, foot + 30, "dark: in the box; crossed: filled; the frame: the box", faint=True, size=11)
    return drawing


def draw_pixels(drawing: Drawing, m: TiledTensorMap, grid: Grid, coordinates: Sequence[int]) -> None:
    """The packets of the slice that are the image's; what the box takes is dark."""
    taken = {position for position, _ in tiled_elements(m, tuple(coordinates))}
    for y in grid.rows:
        for x in grid.columns:
            position = (x, y, *coordinates[2:])
            if is_inside(m, position):
                state = "chosen" if position in taken else "element"
                drawing.box(*grid.place(x, y), PIXEL, HIGH, state, f"{x},{y}", size=9.5)


def shared_packets_drawing(m: TiledTensorMap, units: Sequence[PacketUnit], told: str) -> Drawing:
    """Shared memory in lines of 128 bytes."""
    parts, lines, at = packet_bytes(m) // INNER_UNIT_BYTES, memory_lines(units), {unit.address: unit for unit in units}
    left, foot = LEFT + 14, TOP + len(lines) * HIGH
    drawing = Drawing(left + IN_LINE * UNIT + 8, foot + 40, "The box in shared memory", told)
    drawing.text(4, 14, "shared memory: eight units of 16 bytes a line", bold=True)
    halves = ", a and b its halves" if parts > 1 else ""
    drawing.text(4, 32, f"7,5: the packet of pixel x 7, y 5{halves}", faint=True, size=11)
    for place in range(IN_LINE):
        across = left + (place + 0.5) * UNIT
        drawing.text(across, TOP - 5, f"+{16 * place}", anchor="middle", faint=True, size=9.5)
    drawing.box(left, TOP, IN_LINE * UNIT, foot - TOP, "filled")
    for number, address in enumerate(range(lines.start, lines.stop, INNER_UNIT_BYTES)):
        x, y = left + number % IN_LINE * UNIT, TOP + number // IN_LINE * HIGH
        if number % IN_LINE == 0:
            drawing.text(left - 5, y + 14, f"0x{address:03x}", anchor="end", size=10.5)
        draw_unit(drawing, x, y, at.get(address), parts)
    drawing.text(4, foot + 30, "crossed: filled; –: untouched", faint=True, size=11)
    return drawing


def draw_unit(drawing: Drawing, x: float, y: float, unit: PacketUnit | None, parts: int) -> None:
    """One unit of shared memory; a filled one lets the ground show."""
    if unit is None:
        drawing.box(x, y, UNIT, HIGH, "hole", "–", size=10, hatched=False)
    elif unit.inside:
        drawing.box(x, y, UNIT, HIGH, "chosen", unit_name(unit, parts), size=10)
    else:
        drawing.line(x, y, x, y + HIGH)
