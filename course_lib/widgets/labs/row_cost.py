"""What a row costs: turn its width, its place, the pitch and the promotion, and see sectors, DRAM bytes and the limit."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from course_lib.draw.charts.row_cost import BLOCKS_SHOWN, row_cost_picture
from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.traffic import BLOCK_BYTES, Traffic, rows_traffic
from course_lib.model.facts.enums import DataType, L2Promotion
from course_lib.widgets.skeleton.base import TENSOR_ADDRESS, Settings, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec, call_panels

FLOAT_BYTES, BOX_ROWS, ROWS = 4, 64, 1 << 22
MOST_ROW, MOST_PITCH = 512, 1024
FIRST: Settings = {"row_bytes": 16, "pitch_bytes": 512, "start_bytes": 0, "promotion": "0", AGAIN: 0}
NOT_RECORDED = "No recording has exactly these rows: the numbers are the model's."


CONTROLS = (
    Control("row_bytes", "range", "a row of the box", "bytes", 16, MOST_ROW, 16, group="The rows"),
    Control("pitch_bytes", "range", "from row to row", "bytes", 16, MOST_PITCH, 16, group="The rows"),
    Control("start_bytes", "range", "the first begins at", "bytes", 0, BLOCK_BYTES - 16, 16, group="The rows"),
    Control(
        "promotion",
        "select",
        "l2_promotion",
        options=[(str(int(p)), p.name.removeprefix("L2_")) for p in L2Promotion],
        group="The descriptor",
    ),
    start_again("The descriptor"),
)


def promotion_of(values: Settings) -> L2Promotion:
    """The promotion that the select names."""
    return L2Promotion(int(values["promotion"]))


def first_starts(values: Settings) -> range:
    """The rows of the first few blocks."""
    count = (
        max(1, BLOCKS_SHOWN * BLOCK_BYTES // values["pitch_bytes"])
        if values["pitch_bytes"] < BLOCK_BYTES
        else BLOCKS_SHOWN
    )
    return range(values["start_bytes"], values["start_bytes"] + count * values["pitch_bytes"], values["pitch_bytes"])


def refusal(values: Settings) -> str:
    """Why there are no such rows; empty where there are some."""
    row, pitch, start = values["row_bytes"], values["pitch_bytes"], values["start_bytes"]
    if not (16 <= row <= MOST_ROW and 16 <= pitch <= MOST_PITCH and 0 <= start < BLOCK_BYTES):
        return f"rows of {row} bytes, {pitch} apart, from byte {start}: out of this picture."
    off = next((n for n in (row, pitch, start) if n % 16), None)
    if off is not None:
        return f"{off} is no multiple of 16 bytes: no tensor copy has such rows."
    if pitch < row:
        return f"Rows of {row} bytes, {pitch} apart: they overlap, and this picture has no such rows."
    return ""


def traffic_of(values: Settings) -> Traffic:
    """What ROWS such rows cost."""
    return rows_traffic(ROWS, values["row_bytes"], values["pitch_bytes"], promotion_of(values), values["start_bytes"])


def call_of(values: Settings) -> TiledTensorMap:
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


def result_words(found: Traffic, pitch_bytes: int) -> str:
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


def recorded_words(recorded: Iterable[Any], values: Settings) -> str:
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


def show(values: Settings) -> tuple[str, Picture]:
    """The first blocks of memory, and what a row costs."""
    starts, said_of_rows = first_starts(values), result_words(traffic_of(values), values["pitch_bytes"])
    return said_of_rows, row_cost_picture(starts, values["row_bytes"], promotion_of(values), "The first rows")


class RowCostLab(Lab):
    """``traffic`` is what the rows cost, None where there are no such rows; ``tensor_map`` the call that reads them."""

    def __init__(self, values: Settings, recorded: Iterable[Any] = ()) -> None:
        point = Panel("The recorded point", partial(recorded_words, tuple(recorded)), open=True)
        panels = (point, *call_panels(call_of, always=True), IN_WORDS)
        self.spec = Spec(FIRST, CONTROLS, show, panels, refusal)
        super().__init__(values)

    @property
    def traffic(self) -> Traffic | None:
        """What very many such rows cost."""
        return None if refusal(self.state) else traffic_of(self.state)

    @property
    def tensor_map(self) -> TiledTensorMap:
        """The call, legal or not."""
        return call_of(self.state)


def row_cost_lab(recorded: Iterable[Any] = (), **settings: Any) -> RowCostLab:
    """Rows of a matrix that a kernel reads once. ``settings`` are those of the controls; KeyError for another name.

    ``recorded``: reads to show beside the model's where they have the same rows (course_lib.recordings.times.l2.row_reads()).
    """
    return RowCostLab(with_settings(FIRST, settings), recorded)
