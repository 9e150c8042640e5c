"""What Triton's PTX holds is counted by whole instructions; without Triton one sentence says so."""

import sys
from types import SimpleNamespace

import pytest

from maintain.hardware.measure.arithmetic import triton_copies
from maintain.hardware.measure.arithmetic.triton_copies import CASES, count_copies, families, instructions

PTX = """
.version 8.7
.target sm_90a
	// cp.async.cg.shared.global in a remark is none
	cp.async.cg.shared.global [ %r1 + 0 ], [ %rd1 + 0 ], 0x10, %r2;
	@%p1 cp.async.ca.shared.global [ %r1 + 0 ], [ %rd1 + 0 ], 0x4, %r2;
	cp.async.commit_group;
	cp.async.wait_group 1;
	@%p2 cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd2, {%r3, %r4}], [%r5];
	cp.async.bulk.commit_group;
	ld.global.v4.b32 { %r1, %r2, %r3, %r4 }, [ %rd1 + 0 ];
	ld.param.b64 %rd1, [x];
	tensormap.replace.tile.rank.shared::cta.b1024.b32 [ %r1 + 0 ], 0x1;
"""


def test_copies_are_counted_by_family_and_neither_commits_nor_remarks_are():
    found = {"cp_async_bulk_tensor": 1, "cp_async": 2, "ld_global": 1, "st_global": 0, "tensormap_replace": 1}
    assert families(instructions(PTX)) == found
    assert instructions(PTX)["cp.async.bulk.commit_group"] == 1


def test_a_row_tells_kernel_target_and_every_instruction():
    row = count_copies(CASES[0], PTX)
    assert (row["triton_kernel"], row["target"], row["uses"]) == ("copy_by_pointers", "sm_90a", "tl.load on pointers")
    assert "ld.param.b64" not in row["instructions"]


def test_without_triton_one_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "triton", None)
    (row,) = triton_copies.measure(None, True)
    assert row["kind"] == "missing"
    assert row["said"].endswith("was not asked.")


def test_a_kernel_that_triton_cannot_make_costs_only_itself():
    def refusing(*_, **__):
        raise ValueError("no such block")

    torch = SimpleNamespace(randn=refusing, float16=None)
    row = triton_copies.run_triton(torch, SimpleNamespace(copy_by_pointers=None), CASES[0])
    assert row["failed"] == "ValueError: no such block"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.kernel)
def test_every_kernel_is_there_and_the_matrix_is_whole_tiles(case):
    text = (triton_copies.__spec__.loader.path).replace("triton_copies", "triton_kernels")
    with open(text) as lines:
        assert f"def {case.kernel}(" in lines.read()
    assert all(triton_copies.SIZE % width == 0 for width in case.tile.values())
