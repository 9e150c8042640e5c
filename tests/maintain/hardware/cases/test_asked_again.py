"""Scripts, pieces, multicasts and sparse rows: what would be asked is what was recorded, and what kernels are sent fits them."""

import csv
import re
from ctypes import c_char, sizeof
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from course_lib import TiledTensorMap, load
from course_lib.gpu import compile
from course_lib.gpu.asked import barriers, copies, multicast
from course_lib.recordings import committed, read_rows
from course_lib.rows.boxes import SEED, box_row
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.memory import GLOBAL_BYTES_OF_LOADS, source_bytes
from maintain.hardware import stale
from maintain.hardware.cases import faults as cases_faults
from maintain.hardware.cases import misuse as cases_misuse
from maintain.hardware.cases import multicast as cases_multicast
from maintain.hardware.measure.traffic import offsets

KINDS = (
    ("barrier_misuse", ("ended", "fault"), cases_misuse.misuse_rows),
    ("barrier_pieces", ("hits",), cases_misuse.piece_rows),
    ("multicast", ("ended", "landed", "fault"), cases_multicast.multicast_rows),
)


@pytest.mark.parametrize(("name", "answers", "rows"), KINDS, ids=[kind[0] for kind in KINDS])
def test_a_recordings_questions_can_be_made_again(name, answers, rows):
    recorded = [{k: v for k, v in row.items() if k not in answers} for row in read_rows(committed(f"{name}.jsonl.xz"))]
    assert recorded == list(rows())


def test_the_sparse_rows_that_were_counted_are_the_ones_to_count_again():
    columns = ("row_pitch_bytes", "box_inner_bytes", "l2_promotion", "row_offset_bytes")
    with committed("l2_offsets.csv").open() as lines:
        recorded = [tuple(row[name] for name in columns) for row in csv.DictReader(lines)]
    assert recorded == [tuple(map(str, case)) for case in offsets.sparse_reads()]


def test_counted_rows_become_the_lines_of_the_recording():
    with committed("l2_offsets.csv").open() as lines:
        recorded = next(csv.DictReader(lines))
    row = {source: recorded[column] for column, source in offsets.COLUMNS.items()}
    row |= {"dram_read_bytes": float(row["dram_read_bytes"]), "l2_sectors_from_fabric": None}
    (read,) = csv.DictReader(offsets.as_csv([row]).splitlines())
    assert read == recorded | {"from_fabric_sectors": "None"}


def test_the_box_that_a_cluster_gets_is_the_one_that_the_model_loads():
    memory, shared = source_bytes(SEED, GLOBAL_BYTES_OF_LOADS), np.zeros(1024, np.uint8)
    load(tensor_map_of(box_row(*multicast.BOX)), (0, 0), memory, shared)
    assert np.array_equal(shared, multicast.box_alone())


def test_only_the_blocks_of_the_mask_are_in_the_cluster_or_it_is_a_broken_one():
    there = [row for row in cases_multicast.multicast_rows() if row["mask"] >> row["cluster"] == 0]
    assert {row["mask"] for row in cases_multicast.multicast_rows() if row not in there} == set(cases_multicast.BROKEN)


@cache
def parameter_bytes(kernel, entry, macros):
    """The size of each parameter of a kernel, as the compiler lays it out."""
    program = compile.create_program(compile.source(kernel), "k.cu")
    options = [b"--gpu-architecture=compute_90a", *(f"-D{name}={value}".encode() for name, value in macros)]
    compile.nvrtc_value(nvrtc.nvrtcCompileProgram(program, len(options), options))
    text = compile.nvrtc_result(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX).decode()
    head = re.search(rf"\.entry {entry}\((.*?)\)", text, re.S)[1]
    sizes = {"u64": 8, "b64": 8, "u32": 4, "b32": 4, "f32": 4}
    found = re.findall(r"\.param (?:\.align \d+ )?\.(\w+)\s[^\n\[,]*(?:\[(\d+)\])?", head)
    return [int(count) if count else sizes[kind] for kind, count in found]


class CheckingGpu:
    """Takes launches whose arguments fit the kernel; a block's threads and shared memory too. Memory is zeros."""

    target = "sm_90"

    def __init__(self):
        self.launched = []

    def function(self, kernel, entry="run", macros=None):
        return kernel, entry, tuple((macros or {}).items())

    def launch(self, function, *arguments, blocks=1, threads=256, shared_bytes=0):
        assert [sizeof(argument) for argument in arguments] == parameter_bytes(*function)
        assert shared_bytes <= 226 * 1024
        assert threads <= 1024
        self.launched.append((function, blocks))

    def buffer(self, name, size_bytes):
        return 1 << 40

    host_buffer = buffer

    def unchanging(self, seed, size_bytes):
        return 1 << 41

    def write(self, address, data):
        assert data.dtype == np.uint8

    def read(self, address, size_bytes):
        return np.zeros(size_bytes, np.uint8)


def accepted(row, memory):
    """As the driver would: by the model's verdict on the map at that place."""
    tensor_map = tensor_map_of(row)
    assert isinstance(tensor_map, TiledTensorMap) or tensor_map.api.startswith("im2col")
    return (0, (c_char * 128)()) if tensor_map.check().accepted else (1, None)


@pytest.fixture
def gpu(monkeypatch):
    for module in (barriers, copies, multicast, stale):
        monkeypatch.setattr(module, "descriptor", accepted)
    return CheckingGpu()


def test_a_script_without_a_copy_fits_the_kernel():
    for row in cases_misuse.misuse_rows():
        script = barriers.script_of(row)
        assert script.steps == len(row["steps"]) <= barriers.STEPS_MAX
        assert parameter_bytes("barrier", "run", ()) == [128, sizeof(script), 8]


@pytest.mark.parametrize("row", list(cases_misuse.piece_rows()), ids=lambda row: f"{row['copy']} {row['row_bytes']}")
def test_every_expected_count_of_a_copy_is_tried_sixteen_times(gpu, row):
    assert barriers.count_hits(gpu, row) == {"hits": {}}
    assert len(gpu.launched) == 16 * (row["row_bytes"] * row["rows"] // 16 + 1)


@pytest.mark.parametrize("row", list(cases_multicast.multicast_rows()), ids=str)
def test_a_multicast_is_one_launch_of_one_cluster(gpu, row):
    told = multicast.multicast(gpu, row)
    assert told == {"ended": [0] * row["cluster"], "landed": [0] * row["cluster"]}
    ((_, _, macros), blocks) = gpu.launched[0]
    assert dict(macros) == {"CLUSTER": blocks}


def test_a_prefetch_is_sent_what_its_kernel_reads(gpu, monkeypatch):
    seen = []
    monkeypatch.setattr(gpu, "launch", lambda function, *arguments: seen.append((function, arguments)))
    for _, row in (*cases_faults.prefetch_jobs(), *cases_faults.prefetch_im2col_jobs()):
        assert copies.prefetch(gpu, row) == {"result": 0}
    for function, arguments in seen:
        wanted = parameter_bytes(*function)
        assert all(sizeof(a) >= size for a, size in zip(arguments, wanted, strict=True))  # a kernel reads its own part
    assert {function[0] for function, _ in seen} == {"prefetch", "prefetch_im2col"}


class Driver(SimpleNamespace):
    """Hands out memory at one address after the other; a launch fails from the second call on."""

    launches = 0

    def __getattr__(self, name):
        return getattr(stale_driver, name)

    def cuMemAlloc(self, size):  # noqa: N802
        return 0, 1 << 42

    def cuLaunchKernel(self, *_):  # noqa: N802
        self.launches += 1
        return (stale_driver.CUresult(0 if self.launches < 2 else 715),)

    def cuCtxSynchronize(self):  # noqa: N802
        return (stale_driver.CUresult(0 if self.launches < 2 else 715),)

    cuMemsetD8 = cuMemFree = lambda self, *_: (0,)  # noqa: N815


stale_driver = stale.driver


@pytest.fixture
def pretended(gpu, monkeypatch):
    monkeypatch.setattr(stale, "driver", Driver())
    monkeypatch.setattr(stale, "encode", lambda m: (0 if m.check().accepted else 1, b""))
    window = "11" * 1024 + "cd" * 1024
    monkeypatch.setattr(stale, "launch_load", lambda *_: {"status": 1, "window": window})
    return gpu


def test_a_map_whose_memory_is_gone_tells_which_bytes_it_brought(pretended):
    told = [stale.run_freed(pretended, row) for row in stale.rows_of_freed_memory()]
    assert told[0] == {"first": "old", "status": 1, "saw": "old"}
    assert told[1] == {"first": "old", "same_address": True, "status": 1, "saw": "old"}


def test_mixed_bytes_are_neither_old_nor_new(pretended, monkeypatch):
    monkeypatch.setattr(stale, "launch_load", lambda *_: {"status": 0, "window": "1122" * 1024})
    assert stale.run_freed(pretended, next(stale.rows_of_freed_memory()))["saw"] == "other"


def test_calls_behind_a_fault_tell_each_curesult_and_end_the_process(pretended):
    row = next(row for row in stale.after_fault_rows() if "encode a broken map" in row["calls"])
    with pytest.raises(stale.Trap) as caught:
        stale.run_after_fault(pretended, row)
    assert caught.value.seen == {"answers": [0, 0, 1, 0, 715]}
    assert caught.value.code == 715


def test_a_fault_that_no_call_has_told_ends_the_process_all_the_same(pretended):
    row = {**next(stale.after_fault_rows()), "calls": ["encode", "launch"]}
    stale.driver.cuLaunchKernel = lambda *_: (setattr(stale.driver, "launches", 2), (stale_driver.CUresult(0),))[1]
    with pytest.raises(stale.Trap) as caught:
        stale.run_after_fault(pretended, row)
    assert (caught.value.seen, caught.value.code) == ({"answers": [0, 0]}, 715)


def test_the_launch_behind_which_calls_are_made_fits_its_kernel(pretended):
    for row in stale.after_fault_rows():
        arguments = ((c_char * 128)(), copies.load_request(row["map"]))
        wanted = parameter_bytes(*copies.load_kernel(pretended, row["map"]))
        assert [sizeof(a) for a in arguments] == wanted[:2]


def test_every_stale_map_is_legal_so_that_only_its_memory_or_its_copy_is_wrong():
    for _, row in stale.stale_jobs():
        tensor_map = tensor_map_of(row["map"])
        assert tensor_map.check().accepted
        assert "memory_bytes" not in row or tensor_map.global_strides[0] * 256 <= row["memory_bytes"]
