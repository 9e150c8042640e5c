"""Public trouble reports: the call that somebody made, the copy after it, and what a real driver answered to the call."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.copy.transfer import load, store
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.model.facts.faults import DeviceFault
from course_lib.recordings.files import committed, read_rows
from course_lib.recordings.tables import Table, table
from course_lib.rows.calls import tensor_map_of_report
from course_lib.rows.row import Row

RULES = Path(__file__).parents[1] / "RULES.md"
GLOBAL_BYTES, SHARED_BYTES = 2**24, 2**18


class Report(NamedTuple):
    """One report. ``result`` is the recorded CUresult of the call; ``copy`` has the coordinates, direction and shared
    address of the copy where the report tells them."""

    id: str
    call: Call
    result: int
    copy: Row

    @property
    def broken(self) -> str:
        """The ids of the rules that the call breaks."""
        return ", ".join(broken.id for broken in self.call.check().broken)


@lru_cache(1)
def reports() -> dict[str, Report]:
    """Every report whose call can be made, by id; a call of the wrong form (two of four corners, say) is left out."""
    found = {}
    for row in read_rows(committed("reports.jsonl.xz")):
        try:
            call = tensor_map_of_report(row)
        except ValueError:
            continue
        found[row["id"]] = Report(row["id"], call, row["driver_result"], row.get("copy", {}))
    return found


def in_short(call: Call) -> str:
    """A call in one line: what is NONE or one is left out."""
    parts = [f"{DataType(call.data_type).name} {call.global_dim}, strides {call.global_strides}"]
    if isinstance(call, TiledTensorMap):
        parts.append(f"box {call.box_dim}")
    else:
        parts.append(f"corners {call.pixel_box[0]} and {call.pixel_box[1]}")
        parts.append(f"channels {call.channels_per_pixel}, pixels {call.pixels_per_column}")
    if call.global_address % 128:
        parts.append(f"address …{call.global_address % 128:02x}")
    steps = any(step != 1 for step in call.element_strides)
    parts += [f"element strides {call.element_strides}"] if steps else []
    parts += [f"interleave {Interleave(call.interleave).name}"] if call.interleave else []
    parts += [f"swizzle {Swizzle(call.swizzle).name}"] if call.swizzle else []
    return ", ".join(parts)


class Refusals(NamedTuple):
    """How many calls the model and the driver refuse."""

    model: int
    hardware: int


def refusals(ids: Iterable[str]) -> Refusals:
    """Of the reports with these ids, how many calls are refused."""
    chosen = [reports()[name] for name in ids]
    return Refusals(sum(not r.call.check().accepted for r in chosen), sum(r.result != 0 for r in chosen))


def answers_to(ids: Iterable[str]) -> Table:
    """The reports' calls, the model's verdicts and the driver's recorded answers side by side."""
    rows = [
        {
            "id": report.id,
            "call": in_short(report.call),
            "model": 0 if report.call.check().accepted else 1,
            "driver": report.result,
            "broken": report.broken or None,
        }
        for report in map(reports().__getitem__, ids)
    ]
    return table(rows, id="report", call="the call", model="model", driver="H200", broken="rule broken")


def copy_of(report: Report) -> tuple[int, str]:
    """What the model's copy of a report comes to: (CUresult, the reason), (0, "") where it goes through.

    Memory is large enough for the report's box and begins at the tensor.
    """
    told, call = report.copy, replace(report.call, global_address=0)
    start = told["coords"][0] if isinstance(told["coords"][0], list) else told["coords"]
    memory, shared = np.zeros(GLOBAL_BYTES, np.uint8), np.zeros(SHARED_BYTES, np.uint8)
    address = told.get("smem_base", 0)
    try:
        if told["dir"] == "store":
            store(call, start, shared, memory, shared_address=address)
        else:
            load(call, start, memory, shared, shared_address=address)
    except DeviceFault as fault:
        return fault.code, fault.reason
    return 0, ""


def rows_behind_rules() -> dict[str, int]:
    """For each rule: how many recorded calls it alone refuses. Read from RULES.md, where `thresholds` counted them."""
    counted: dict[str, int] = {}
    for line in RULES.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) > 2 and cells[2].isdigit():
            counted[cells[0]] = counted.get(cells[0], 0) + int(cells[2])
    return counted
