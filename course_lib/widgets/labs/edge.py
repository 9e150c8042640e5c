"""A box stepped across the edge of a small tensor: which bytes are copied, filled, clipped or spilled."""

from typing import Any

import numpy as np

from course_lib.draw.bits.hexdump import hex_lines
from course_lib.draw.copies.edge import edge_picture, outline_picture
from course_lib.draw.replies.calls import c_call, python_call
from course_lib.model.call.sizes import ceil_div, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.call.verdict import IllegalTensorMap
from course_lib.model.copy.transfer import load, store
from course_lib.model.facts.enums import DataType, OobFill
from course_lib.model.facts.faults import DeviceFault
from course_lib.model.facts.limits import INNER_UNIT_BYTES
from course_lib.widgets.skeleton.base import PanelLook, Settings, Turnable, View, put_back, start_over, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, sliders_of, start_again

ADDRESS, MEMORY_BYTES, UNTOUCHED = 1024, 4096, 0xCD
TENSOR, BOX, COPY = "The tensor", "The box", "The copy"
TYPES = [(int(t), f"{t.name} ({int(t)})") for t in DataType if not t.is_packed]
FILLS = [(0, "zero: NONE (0)"), (1, "NaN: NAN_REQUEST_ZERO_FMA (1)")]
DIRECTIONS = [("load", "load: global → shared"), ("store", "store: shared → global")]
CONTROLS = (
    Control("data_type", "select", "data_type", options=TYPES, group=TENSOR),
    Control("columns", "range", "global_dim[0]", "elements", 1, 12, group=TENSOR),
    Control("rows", "range", "global_dim[1]", "elements", 1, 6, group=TENSOR),
    Control("box_columns", "range", "box_dim[0]", "elements", 1, 32, group=BOX),
    Control("box_rows", "range", "box_dim[1]", "elements", 1, 6, group=BOX),
    Control("oob_fill", "select", "oob_fill", options=FILLS, group=BOX),
    Control("direction", "select", "direction", options=DIRECTIONS, group=COPY),
    Control("column", "range", "coordinate 0", "elements", -32, 32, group=COPY),
    Control("row", "range", "coordinate 1", "elements", -8, 8, group=COPY),
    start_again(COPY),
)
SLIDERS = sliders_of(CONTROLS)
FIRST = {
    "data_type": int(DataType.FLOAT32),
    "oob_fill": 1,
    "columns": 7,
    "rows": 3,
    "box_columns": 8,
    "box_rows": 4,
    "direction": "load",
    "column": 4,
    "row": -1,
    AGAIN: 0,
}
PTX = {
    "load": "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes\n"
    "    [shared], [tensorMap, {{{column}, {row}}}], [barrier];   // the barrier expects {bytes} bytes",
    "store": "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group\n    [tensorMap, {{{column}, {row}}}], [shared];",
}


def edge_stepper(**settings: Any) -> "EdgeStepper":
    """A box at the corner of a tensor of 7 × 3 float32; ``settings`` turn controls at the start."""
    return EdgeStepper(with_settings(FIRST, settings))


class EdgeStepper(Turnable):
    """``call`` is the encode call that the controls stand for, ``coordinates`` where the box starts."""

    panels = {  # noqa: RUF012
        "Verdict": PanelLook(open=True),
        "The call and the copy in Python": PanelLook(open=True, copy=True),
        "The call and the copy in C and PTX": PanelLook(copy=True),
        "The bytes that the copy wrote": PanelLook(copy=True),
        "The picture in words": PanelLook(),
    }

    def __init__(self, values: Settings) -> None:
        self.first = dict(values)
        super().__init__(CONTROLS, values)

    @property
    def call(self) -> TiledTensorMap:
        """The call as the controls have it, legal or not."""
        return call_of(self.state)

    @property
    def coordinates(self) -> tuple[int, int]:
        """Where the box starts, innermost first, in elements."""
        return self.state["column"], self.state["row"]

    def settle(self, before: Settings, now: Settings) -> Settings:
        """``again`` starts over; what lies outside the range of its control is put back."""
        return put_back(before, start_over(before, now, self.first), SLIDERS)

    def see(self, values: Settings) -> View:
        """The box at its place, what becomes of its bytes, and the copy as a program has it."""
        call, where, direction = call_of(values), (values["column"], values["row"]), values["direction"]
        try:
            picture = edge_picture(call, where, direction)
            said, verdict, wrote = (
                copy_sentence(call, picture.text, direction),
                str(call.check()),
                written_bytes(call, where, direction),
            )
        except IllegalTensorMap as refused:
            said = f"Refused by the encode call: {refused.verdict.broken[0].message}. Nothing is copied."
            verdict, wrote = str(refused.verdict), "Nothing: there is no tensor map."
            picture = outline_picture(call, where, said)
        except DeviceFault as fault:
            said = f"The copy faults, CUresult {fault.code}: {fault.reason}."
            verdict, wrote = f"{call.check()}\n\n{said}", "Nothing: the copy faults."
            picture = outline_picture(call, where, said)
        texts = (verdict, python_text(call, where, direction), c_text(call, where, direction), wrote, picture.text)
        return View(said, picture, dict(zip(self.panels, texts, strict=True)))


def call_of(values: Settings) -> TiledTensorMap:
    """The call behind the controls: rows lie as close as the rule of 16 bytes lets them."""
    data_type = DataType(values["data_type"])
    return TiledTensorMap(
        data_type=data_type,
        global_address=ADDRESS,
        global_dim=(values["columns"], values["rows"]),
        global_strides=(ceil_div(values["columns"] * data_type.size_bytes, INNER_UNIT_BYTES) * INNER_UNIT_BYTES,),
        box_dim=(values["box_columns"], values["box_rows"]),
        oob_fill=OobFill(values["oob_fill"]),
    )


def copy_sentence(call: TiledTensorMap, text: str, direction: str) -> str:
    """The last line of the picture's words, and for a load what its barrier counts."""
    told = text.splitlines()[-1]
    return f"{told} The barrier counts {transaction_bytes(call)}." if direction == "load" else told


def python_text(call: TiledTensorMap, where: tuple[int, int], direction: str) -> str:
    """The call and the copy as this library has them."""
    memories = "global_memory, shared_memory" if direction == "load" else "shared_memory, global_memory"
    return f"tensor_map = {python_call(call)}\n{direction}(tensor_map, {where}, {memories})"


def c_text(call: TiledTensorMap, where: tuple[int, int], direction: str) -> str:
    """The call in C, the copy in PTX."""
    copy = PTX[direction].format(column=where[0], row=where[1], bytes=transaction_bytes(call))
    return f"{c_call(call)}\n\n// in the kernel\n{copy}"


def written_bytes(call: TiledTensorMap, where: tuple[int, int], direction: str) -> str:
    """What the copy left where it wrote, 16 bytes a line: a box of 0xCD before a load, a tensor of zeros before a store."""
    if direction == "load":
        memory, shared = np.arange(MEMORY_BYTES, dtype=np.uint64).astype(np.uint8), np.full(8192, UNTOUCHED, np.uint8)
        size = load(call, where, memory, shared).transaction_bytes
        return f"shared memory; the tensor's bytes count up from 00\n{hex_lines(shared[:size].tobytes(), row=INNER_UNIT_BYTES)}"
    memory, shared = np.zeros(MEMORY_BYTES, np.uint8), np.full(8192, 0xAA, np.uint8)
    store(call, where, shared, memory)
    after = memory[ADDRESS : ADDRESS + call.global_strides[0] * call.global_dim[1]].tobytes()
    return f"the tensor in global memory; the box holds aa, memory held 00\n{hex_lines(after, bytes(len(after)), INNER_UNIT_BYTES)}"
