"""A box across the edge of a small tensor: its place in global memory, and what each of its bytes meets."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from course_lib.draw.pen.svg import Drawing, Picture, beside, text_width
from course_lib.model.call.sizes import ceil_div, element_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.edge import CLIPPED, COPIED, FILLED, SPILLED, Edge, EdgePiece, load_edge, store_edge
from course_lib.model.facts.limits import INNER_UNIT_BYTES

LOOKS = {COPIED: "chosen", FILLED: "filled", CLIPPED: "hole", SPILLED: "wrong"}
WORDS = {
    COPIED: "copied",
    FILLED: "filled, outside the tensor",
    CLIPPED: "clipped, written nowhere",
    SPILLED: "spilled, written past the row",
}
FILLS = {0: "zero", 1: "NaN"}
EDGES = {"load": load_edge, "store": store_edge}
LEFT, TOP, LINE, WIDE, WIDEST_BYTES, MOST_ROWS = 34.0, 38.0, 17.0, 540, 800, 20


class Scene(NamedTuple):
    """Everything in bytes and rows: the tensor, and the box at its place. ``edge`` is None where nothing moves."""

    row_bytes: int
    pitch_bytes: int
    rows: int
    element_bytes: int
    box_begin: int
    box_bytes: int
    first_row: int
    box_rows: int
    edge: Edge | None

    @property
    def span(self) -> tuple[int, int]:
        """First byte of a row that is drawn, and one past the last."""
        return min(0, self.box_begin), max(self.pitch_bytes, self.box_begin + self.box_bytes)

    @property
    def lines(self) -> tuple[int, int]:
        """First row that is drawn, and one past the last."""
        return min(0, self.first_row), max(self.rows, self.first_row + self.box_rows)


def edge_picture(
    tensor_map: TiledTensorMap, coordinates: Sequence[int], direction: str = "load", mark: tuple[int, int] | None = None
) -> Picture:
    """A tiled box of rank 1 or 2 at ``coordinates``, loaded or stored; ``mark`` is (row, element) of the box, marked.

    Raises what the call or the device refuses, ValueError for another rank or direction, or where it does not fit.
    """
    if direction not in EDGES:
        raise ValueError(f"direction={direction!r}: it is load or store")
    edge = EDGES[direction](tensor_map, coordinates)
    scene = scene_of(tensor_map, coordinates, edge)
    told = edge_sentence(tensor_map, coordinates, edge, direction)
    marked = [f"marked: row {mark[0]}, element {mark[1]} of the box"] if mark else []
    return beside(_memory(scene, told), _box(scene, told, mark), text="\n".join([*edge_lines(edge), *marked, told]))


def outline_picture(tensor_map: TiledTensorMap, coordinates: Sequence[int], told: str) -> Picture:
    """The tensor and the place of the box, where no copy takes place; ``told`` says why."""
    return beside(_memory(scene_of(tensor_map, coordinates, None), told), text=told)


def scene_of(m: TiledTensorMap, coordinates: Sequence[int], edge: Edge | None) -> Scene:
    """The numbers of the picture; ValueError where they don't fit."""
    if m.rank not in (1, 2):
        raise ValueError(f"the picture is flat: rank 1 or 2, not {m.rank}")
    size, row = element_bytes(m), m.global_dim[0] * element_bytes(m)
    pitch = m.global_strides[0] if m.rank == 2 else ceil_div(row, INNER_UNIT_BYTES) * INNER_UNIT_BYTES
    rows, first, box_rows = (m.global_dim[1], coordinates[1], m.box_dim[1]) if m.rank == 2 else (1, 0, 1)
    scene = Scene(row, pitch, rows, size, coordinates[0] * size, m.box_dim[0] * size, first, box_rows, edge)
    (low, high), (top, bottom) = scene.span, scene.lines
    if high - low > WIDEST_BYTES or bottom - top > MOST_ROWS:
        raise ValueError(
            f"the picture holds {WIDEST_BYTES} bytes × {MOST_ROWS} rows, not {high - low} × {bottom - top}"
        )
    return scene


def edge_sentence(m: TiledTensorMap, coordinates: Sequence[int], edge: Edge, direction: str) -> str:
    """What happens to the bytes of the box, counted."""
    where, whole = f"A {direction} at ({', '.join(map(str, coordinates))})", transaction_bytes(m)
    if direction == "load":
        filled = edge.bytes_of(FILLED)
        told = f"{filled} are filled with {FILLS[int(m.oob_fill)]}" if filled else "none is filled"
        return f"{where}: {edge.copied_bytes} of {whole} bytes come from the tensor, {told}."
    spilled, clipped = edge.bytes_of(SPILLED), edge.bytes_of(CLIPPED)
    return (
        f"{where}: {edge.copied_bytes} of {whole} bytes go into the tensor, {spilled} spill past the ends of its rows, "
        f"{clipped} are clipped."
    )


def edge_lines(edge: Edge) -> list[str]:
    """Each row of the box in words."""
    return [f"row {number} of the box: {', '.join(map(_piece_words, row))}" for number, row in enumerate(edge.rows)]


def _piece_words(piece: EdgePiece) -> str:
    return f"bytes {piece.begin} to {piece.begin + piece.size - 1} {piece.kind}"


def _scale(scene: Scene) -> float:
    low, high = scene.span
    return min(7.0, WIDE / (high - low))


def _memory(scene: Scene, told: str) -> Drawing:
    """Global memory, a line for each row, with the box at its place."""
    (low, high), (top, bottom), scale = scene.span, scene.lines, _scale(scene)
    end, foot = LEFT + (high - low) * scale, TOP + (bottom - top) * LINE
    drawing = Drawing(max(round(end) + 20, 420), foot + 26, "A box at the edge of a tensor in global memory", told)
    drawing.text(2, 13, "global memory: the bytes of each row, the box framed", bold=True)
    _axis(drawing, low, high, scale)
    for row in range(top, bottom):
        y = TOP + (row - top) * LINE
        drawing.text(LEFT - 6, y + 13, str(row), anchor="end", size=10, faint=not 0 <= row < scene.rows)
        if 0 <= row < scene.rows:
            _row_of_memory(drawing, scene, row, y)
    _elements(drawing, scene)
    x, y = LEFT + (scene.box_begin - low) * scale, TOP + (scene.first_row - top) * LINE
    drawing.frame(x, y, scene.box_bytes * scale, scene.box_rows * LINE, "opened")
    _legend(drawing, foot + 8, [("element", "the tensor"), ("empty", "memory between its rows")])
    return drawing


def _elements(drawing: Drawing, scene: Scene) -> None:
    """Lines between the elements of the tensor, where there is room for them."""
    scale, first, top = _scale(scene), scene.span[0], TOP - scene.lines[0] * LINE
    if scene.element_bytes * scale >= 5:
        for byte in range(scene.element_bytes, scene.row_bytes, scene.element_bytes):
            x = LEFT + (byte - first) * scale
            drawing.line(x, top + 1, x, top + scene.rows * LINE - 2)


def _axis(drawing: Drawing, low: int, high: int, scale: float) -> None:
    step = INNER_UNIT_BYTES * (1 + (high - low) // 200)
    for byte in range(ceil_div(low, step) * step, high + 1, step):
        x = LEFT + (byte - low) * scale
        drawing.text(x, TOP - 8, str(byte), anchor="middle", size=10)
        drawing.line(x, TOP - 5, x, TOP - 1)


def _row_of_memory(drawing: Drawing, scene: Scene, row: int, y: float) -> None:
    scale, left = _scale(scene), LEFT - scene.span[0] * _scale(scene)

    def run(state: str, begin: int, size: int) -> None:
        if size:
            drawing.box(left + begin * scale, y + 1, size * scale, LINE - 3, state)

    run("element", 0, scene.row_bytes)
    run("empty", scene.row_bytes, scene.pitch_bytes - scene.row_bytes)
    pieces = scene.edge.rows[row - scene.first_row] if scene.edge and _in_box(scene, row) else ()
    for piece in pieces:
        if piece.kind in (COPIED, SPILLED):
            run(LOOKS[piece.kind], scene.box_begin + piece.begin, piece.size)


def _in_box(scene: Scene, row: int) -> bool:
    return scene.first_row <= row < scene.first_row + scene.box_rows


def _box(scene: Scene, told: str, mark: tuple[int, int] | None = None) -> Drawing:
    """Shared memory: the rows of the box, each as its pieces."""
    assert scene.edge is not None
    scale = min(7.0, WIDE / scene.box_bytes)
    kinds = [kind for kind in LOOKS if scene.edge.bytes_of(kind)]
    words = [f"{WORDS[kind]}: {scene.edge.bytes_of(kind)} bytes" for kind in kinds]
    wide = max([LEFT + scene.box_bytes * scale + 20, 380, 30 + text_width("", *words)])
    height = TOP + scene.box_rows * LINE + 10 + 20 * len(kinds)
    drawing = Drawing(round(wide), height, "The same box in shared memory", told)
    drawing.text(2, 13, "shared memory: the bytes of each row of the box", bold=True)
    _axis(drawing, 0, scene.box_bytes, scale)
    for number, row in enumerate(scene.edge.rows):
        y = TOP + number * LINE
        drawing.text(LEFT - 6, y + 13, str(number), anchor="end", size=10)
        for piece in row:
            size = piece.size * scale
            word = f"{piece.size} B" if size >= 40 else ""
            drawing.box(LEFT + piece.begin * scale, y + 1, size, LINE - 3, LOOKS[piece.kind], word, size=10)
    if mark:
        x, width = LEFT + mark[1] * scene.element_bytes * scale, max(scene.element_bytes * scale, 4)
        drawing.box(x, TOP + mark[0] * LINE, width, LINE - 1, "first", "▲" if width >= 10 else "", size=10)
    for number, (kind, word) in enumerate(zip(kinds, words, strict=True)):
        _legend(drawing, TOP + scene.box_rows * LINE + 8 + 20 * number, [(LOOKS[kind], word)])
    return drawing


def _legend(drawing: Drawing, y: float, entries: Sequence[tuple[str, str]]) -> None:
    for x, (state, words) in zip(_places(entries), entries, strict=True):
        drawing.box(x, y, 14, 14, state)
        drawing.text(x + 19, y + 11, words, size=11)


def _places(entries: Sequence[tuple[str, str]]) -> Iterator[float]:
    x = 4.0
    for _, words in entries:
        yield x
        x += 34 + 6.7 * len(words)
