"""What a row costs: turn its width, its place, the pitch and the promotion, and see sectors, DRAM bytes and the limit."""

from collections.abc import Iterable, Iterator
from typing import Any

from course_lib.draw.answers.calls import c_call, python_call
from course_lib.draw.charts.row_cost import BLOCKS_SHOWN, row_cost_picture
from course_lib.draw.pen.plural import plural
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.traffic import BLOCK_BYTES, Traffic, rows_traffic
from course_lib.model.facts.enums import DataType, L2Promotion
from course_lib.widgets.skeleton.base import (
    TENSOR_ADDRESS,
    PanelLook,
    Turnable,
    Values,
    View,
    started_again,
    with_settings,
)
from course_lib.widgets.skeleton.controls import AGAIN, Control

FLOAT_BYTES, BOX_ROWS, ROWS = 4, 64, 1 << 22
MOST_ROW, MOST_PITCH = 512, 1024
FIRST: Values = {"row_bytes": 16, "pitch_bytes": 512, "start_bytes": 0, "promotion": "0", AGAIN: 0}
NOT_RECORDED = "No recording has exactly these rows: the numbers are the model's."


def row_cost_lab(recorded: Iterable[Any] = (), **settings: Any) -> "RowCostLab":
    """Rows of a matrix that a kernel reads once. ``settings`` are those of the controls; KeyError for another name.

    ``recorded``: reads to show beside the model's where they have the same rows (course_lib.recordings.times.l2.row_reads()).
    """
    return RowCostLab(with_settings(FIRST, settings), recorded)


class RowCostLab(Turnable):
    """``traffic`` is what the rows cost, None where there are no such rows; ``tensor_map`` the call that reads them."""

    panels = {  # noqa: RUF012
        "The recorded point": PanelLook(open=True),
        "The call in Python": PanelLook(copy=True),
        "The call in C": PanelLook(copy=True),
        "The picture in words": PanelLook(),
    }

    def __init__(self, values: Values, recorded: Iterable[Any] = ()) -> None:
        self._recorded = tuple(recorded)
        super().__init__(controls(), values)

    @property
    def traffic(self) -> Traffic | None:
        """What very many such rows cost."""
        return None if refusal(self.state) else traffic_of(self.state)

    @property
    def tensor_map(self) -> TiledTensorMap:
        """The call, legal or not."""
        return call_of(self.state)

    def settle(self, before: Values, now: Values) -> Values:
        """The button brings the first settings back."""
        return started_again(before, now, FIRST)

    def see(self, values: Values) -> View:
        """The first blocks of memory, what a row costs, and the call."""
        wrong, call = refusal(values), call_of(values)
        texts = {"The call in Python": python_call(call), "The call in C": c_call(call)}
        if wrong is not None:
            return View(wrong, panels=texts)
        picture = row_cost_picture(first_starts(values), values["row_bytes"], promotion_of(values), "The first rows")
        texts |= {"The recorded point": recorded_words(self._recorded, values), "The picture in words": picture.text}
        return View(said(traffic_of(values), values["pitch_bytes"]), picture, texts)


def controls() -> Iterator[Control]:
    """One control for each setting."""
    promotions = [(str(int(p)), p.name.removeprefix("L2_")) for p in L2Promotion]
    yield Control("row_bytes", "range", "a row of the box", "bytes", 16, MOST_ROW, 16, group="The rows")
    yield Control("pitch_bytes", "range", "from row to row", "bytes", 16, MOST_PITCH, 16, group="The rows")
    yield Control("start_bytes", "range", "the first begins at", "bytes", 0, BLOCK_BYTES - 16, 16, group="The rows")
    yield Control("promotion", "select", "l2_promotion", options=promotions, group="The descriptor")
    yield Control(AGAIN, "button", "Start again", group="The descriptor")


def promotion_of(values: Values) -> L2Promotion:
    """The promotion that the select names."""
    return L2Promotion(int(values["promotion"]))


def first_starts(values: Values) -> range:
    """The rows of the first few blocks."""
    count = (
        max(1, BLOCKS_SHOWN * BLOCK_BYTES // values["pitch_bytes"])
        if values["pitch_bytes"] < BLOCK_BYTES
        else BLOCKS_SHOWN
    )
    return range(values["start_bytes"], values["start_bytes"] + count * values["pitch_bytes"], values["pitch_bytes"])


def refusal(values: Values) -> str | None:
    """Why there are no such rows."""
    row, pitch, start = values["row_bytes"], values["pitch_bytes"], values["start_bytes"]
    if not (16 <= row <= MOST_ROW and 16 <= pitch <= MOST_PITCH and 0 <= start < BLOCK_BYTES):
        return f"rows of {row} bytes, {pitch} apart, from byte {start}: out of this picture."
    off = next((n for n in (row, pitch, start) if n % 16), None)
    if off is not None:
        return f"{off} is no multiple of 16 bytes: no tensor copy has such rows."
    if pitch < row:
        return f"Rows of {row} bytes, {pitch} apart: they overlap, and this picture has no such rows."
    return None


def traffic_of(values: Values) -> Traffic:
    """What ROWS such rows cost."""
    return rows_traffic(ROWS, values["row_bytes"], values["pitch_bytes"], promotion_of(values), values["start_bytes"])


def call_of(values: Values) -> TiledTensorMap:
    """A matrix of floats of which a box takes 64 whole rows."""
    width = values["row_bytes"] // FLOAT_BYTES
    return TiledTensorMap(
        data_type=DataType.FLOAT32,
        global_address=TENSOR_ADDRESS + values["start_bytes"],
        global_dim=(width, ROWS),
        global_strides=(values["pitch_bytes"],),
        box_dim=(width, BOX_ROWS),
        l2_promotion=promotion_of(values),
    )


def said(found: Traffic, pitch_bytes: int) -> str:
    """What a row costs, and what sets the time."""
    sectors, read = found.requested_sectors / found.rows, found.dram_bytes / found.rows
    return (
        f"A row asks L2 for {plural(sectors, 'sector', number(sectors))}; DRAM reads {number(read)} bytes for it; "
        f"{100 * found.efficiency:.0f} % of them are asked for.\n{time_words(found, pitch_bytes)}"
    )


def time_words(found: Traffic, pitch_bytes: int) -> str:
    """The limit and the rate, where the model has been held against times: rows that share no block."""
    if pitch_bytes < BLOCK_BYTES:
        return "Rows share blocks of 256 bytes: the model has no time for them."
    rate = found.useful_bytes / found.time_ns
    return f"When all SMs read such rows, {found.limit} set the time (model): {rate:,.0f} useful GB/s."


def number(value: float) -> str:
    """A number with as many digits as it needs, two at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def recorded_words(recorded: Iterable[Any], values: Values) -> str:
    """The recorded reads of exactly these rows, one a line."""
    asked = values["row_bytes"], values["pitch_bytes"], promotion_of(values), values["start_bytes"]
    same = [r for r in recorded if (r.row_bytes, r.pitch_bytes, r.promotion, r.start_bytes) == asked]
    lines = [
        f"{read.source}: DRAM read {number(read.dram_bytes_a_row)} bytes a row (model {number(read.modelled.dram_bytes / read.rows)}), "
        f"L2 counted {number(read.l2_sectors_a_row)} sectors a row (model {number(read.modelled.l2_sectors / read.rows)}), "
        f"{read.useful_gb_per_s:,.0f} useful GB/s"
        for read in same
    ]
    return "\n".join(lines) or NOT_RECORDED
