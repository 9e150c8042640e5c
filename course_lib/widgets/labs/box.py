"""A box slid over a tensor: every number of the call and of the copy, and the addresses that they stand for."""

from collections.abc import Iterator
from dataclasses import replace

from course_lib.draw.copies.box import (
    address_lines,
    box_picture,
    cells_of,
    must_be_drawable,
    must_be_small,
    picked_lines,
    sentence,
)
from course_lib.draw.replies.calls import c_call, python_call
from course_lib.model.call.sizes import copied_shape
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.traps import must_start_right
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.faults import DeviceFault
from course_lib.widgets.skeleton.base import PanelLook, Settings, Turnable, View
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again

FIRST = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=4096, global_dim=(16, 10), global_strides=(64,), box_dim=(8, 4)
)
PICKED = "picked"
NO_COPY = "none: no copy is made"
TYPES = ("UINT8", "UINT16", "FLOAT32", "FLOAT64")
LONGEST_BOX, MOST_STEP, PAST = 12, 4, 4
COPY = "cp.async.bulk.tensor.{rank}d.shared::cluster.global.tile.mbarrier::complete_tx::bytes\n    {operands};"


def box_slider(tensor_map: TiledTensorMap | None = None) -> "BoxSlider":
    """A box on ``tensor_map``, or on a float32 matrix of 16 columns and 10 rows at byte 4096. ValueError for a map with
    swizzle or interleave."""
    return BoxSlider(FIRST if tensor_map is None else tensor_map)


class BoxSlider(Turnable):
    """``call`` is the encode call that the controls stand for, ``coordinates`` where the copy begins."""

    panels = {  # noqa: RUF012
        "The addresses": PanelLook(open=True, copy=True),
        "Verdict": PanelLook(open=True),
        "The call in Python": PanelLook(copy=True),
        "The call in C": PanelLook(copy=True),
        "The copy in PTX": PanelLook(copy=True),
    }

    def __init__(self, tensor_map: TiledTensorMap) -> None:
        must_be_drawable(tensor_map)
        self.first = tensor_map
        self._shown = box_picture(tensor_map, (0,) * tensor_map.rank, picked=0)
        super().__init__(_controls(tensor_map), _values(tensor_map))

    @property
    def call(self) -> TiledTensorMap:
        """The call as the controls have it, legal or not."""
        return _call(self.first, self.state)

    @property
    def coordinates(self) -> tuple[int, ...]:
        """Where the copy begins: elements, innermost first."""
        return _numbers("coordinate", self.first.rank, self.state)

    def settle(self, before: Settings, now: Settings) -> Settings:
        """`again` puts everything back; a copy that works becomes the picture."""
        if now[AGAIN] != before[AGAIN]:
            now = _values(self.first) | {AGAIN: now[AGAIN]}
        call, at = _call(self.first, now), _numbers("coordinate", self.first.rank, now)
        if not _trouble(call, at):
            self._shown = box_picture(call, at, now[PICKED])
        return now

    def see(self, values: Settings) -> View:
        """The copy as a picture with its addresses; a refusal or a trap in words over the last good picture."""
        call, at = _call(self.first, values), _numbers("coordinate", self.first.rank, values)
        trouble, lines = _trouble(call, at), [NO_COPY]
        said = f"{trouble}\nThe picture keeps the last copy that worked."
        if not trouble:
            cells = cells_of(call, at)
            said = f"{' × '.join(map(str, copied_shape(call)))} = {sentence(call, cells)}"
            lines = [*address_lines(call, cells), *picked_lines(call, cells, values[PICKED])]
        texts = {
            "The addresses": "\n".join(lines),
            "Verdict": str(call.check()),
            "The call in Python": python_call(call),
            "The call in C": c_call(call),
            "The copy in PTX": _ptx(at),
        }
        return View(said, self._shown, texts)


def _trouble(call: TiledTensorMap, at: tuple[int, ...]) -> str:
    """Why there is no copy to draw; empty where there is one."""
    verdict = call.check()
    if not verdict.accepted:
        return f"Refused: {verdict.broken[0].message}."
    try:
        must_start_right(call, at, 0)
        must_be_small(call)
    except (DeviceFault, ValueError) as reason:
        return f"The copy traps. {reason}." if isinstance(reason, DeviceFault) else f"Not drawn: {reason}."
    return ""


def _ptx(at: tuple[int, ...]) -> str:
    operands = f"[shared], [map, {{{', '.join(map(str, at))}}}], [barrier]"
    return COPY.format(rank=len(at), operands=operands)


def _numbers(name: str, count: int, values: Settings) -> tuple[int, ...]:
    return tuple(values[f"{name}_{i}"] for i in range(count))


def _call(first: TiledTensorMap, values: Settings) -> TiledTensorMap:
    return replace(
        first,
        data_type=values["data_type"],
        global_dim=_numbers("global_dim", first.rank, values),
        global_strides=_numbers("global_strides", first.rank - 1, values),
        box_dim=_numbers("box_dim", first.rank, values),
        element_strides=_numbers("element_strides", first.rank, values),
    )


def _values(m: TiledTensorMap) -> Settings:
    values: Settings = {f"coordinate_{i}": 0 for i in range(m.rank)}
    for name in ("box_dim", "element_strides", "global_dim", "global_strides"):
        values |= {f"{name}_{i}": entry for i, entry in enumerate(getattr(m, name))}
    return values | {"data_type": int(m.data_type), PICKED: 0, AGAIN: 0}


def _controls(m: TiledTensorMap) -> Iterator[Control]:
    for i, (size, box) in enumerate(zip(m.global_dim, m.box_dim, strict=True)):
        yield Control(f"coordinate_{i}", "range", f"coordinate {i}", "elements", -box, size + PAST, group="The copy")
    yield Control(PICKED, "number", "work out element number", low=0, high=143, group="The copy")
    for i, box in enumerate(m.box_dim):
        high = max(LONGEST_BOX, box)
        yield Control(f"box_dim_{i}", "range", f"box_dim[{i}]", "elements", 1, high, group="The box")
        yield Control(
            f"element_strides_{i}", "range", f"element_strides[{i}]", "elements", 1, MOST_STEP, group="The box"
        )
    options = [(int(DataType[name]), name) for name in dict.fromkeys((*TYPES, DataType(m.data_type).name))]
    yield Control("data_type", "select", "data_type", options=options, group="The tensor")
    for i in range(m.rank):
        yield Control(f"global_dim_{i}", "number", f"global_dim[{i}]", "elements", 0, group="The tensor")
    for i in range(m.rank - 1):
        name = f"global_strides_{i}"
        yield Control(name, "number", f"global_strides[{i}]", "bytes", 0, step=16, group="The tensor")
    yield start_again("The tensor")
