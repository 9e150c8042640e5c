"""Calls that were recorded, and one that was not."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from stand_in import ModelAsGpu

from course_lib import DataType, L2Promotion, Swizzle, TiledTensorMap
from course_lib.machines import Live, Who
from course_lib.recordings import committed, read_rows
from course_lib.rows.calls import tensor_map_of

H200 = Who("live", "NVIDIA H200", "sm_90", "580.159.04", "13.0", "2026-12-01")


@pytest.fixture
def tile():
    """A call whose encoding was recorded."""
    return TiledTensorMap(
        data_type=DataType.BFLOAT16,
        global_address=0x7F0000000100,
        global_dim=(1024, 256),
        global_strides=(2048,),
        box_dim=(64, 8),
        swizzle=Swizzle.B128,
        l2_promotion=L2Promotion.L2_256B,
    )


@pytest.fixture
def small(tile):
    """A legal call at the start of memory that nobody recorded."""
    return replace(tile, global_address=0, global_dim=(64, 40), global_strides=(128,))


@pytest.fixture(scope="session")
def recorded_load():
    """The first tiled load of the recordings that went through: its map, coordinates and keywords."""
    row = next(r for r in read_rows(committed("load_pairs.jsonl.xz")) if r["api"] == "tiled")
    place = {name: row[name] for name in ("seed", "shared_address")}
    return tensor_map_of(row), row["coordinates"], place


@pytest.fixture
def live():
    """Live machines over stand-ins: ``live()`` answers well, ``live(status=0)`` otherwise."""

    def make(who=H200, **changes):
        return Live(ModelAsGpu(**changes), who)

    return make
