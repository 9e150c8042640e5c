"""A verdict reads as a report, judges any call without raising, and its fixes keep their promise."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib import DataType, Im2colWideTensorMap, Swizzle, TiledTensorMap
from course_lib.model.facts.limits import TARGETS
from tests.model.drawing import any_calls, bent_calls, im2col_maps, tiled_maps

BROKEN = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=8,
    global_dim=(100, 64),
    global_strides=(400,),
    box_dim=(48, 8),
    swizzle=Swizzle.B128,
)
WARNED = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0,
    global_dim=(100, 64),
    global_strides=(208,),
    box_dim=(64, 64),
    swizzle=Swizzle.B128,
)
UNMENDABLE = Im2colWideTensorMap(
    data_type=DataType.UINT8,
    global_address=4096,
    global_dim=(16, 4),
    global_strides=(16,),
    pixel_box_lower_corner_width=0,
    pixel_box_upper_corner_width=0,
    channels_per_pixel=16,
    pixels_per_column=8,
)
DRIVER = "documented: CUDA Driver API 13.5, cuTensorMapEncode*; measured: encode.jsonl"
LATER = "documented: CUDA Driver API 13.5, cuTensorMapEncode*; measured on sm_90: encode.jsonl"
NEWER = "documented: PTX ISA 9.0, tensormap.replace, and CUDA Driver API 13.5; measured on sm_90: encode.jsonl"
REFUSED = f"""\
cuTensorMapEncodeTiled on sm_90: refused with CUDA_ERROR_INVALID_VALUE; rules broken: 2
  1. global_address = 0x8: the address must be a multiple of 16 bytes [address-is-aligned; {DRIVER}]
     fix: global_address = 0x10
  2. box_dim[0] = 48: a row of the box is 192 bytes; this swizzle takes at most 128 [inner-row-fits-swizzle; {DRIVER}]
     fix: box_dim = (32, 8)"""
NOT_MEASURED = f"""\
cuTensorMapEncodeIm2colWide on sm_100 (by the documents, not measured): refused with CUDA_ERROR_INVALID_VALUE; \
rules broken: 2
  1. global_dim = (16, 4): the rank is 2; this call takes 3 to 5 [rank-is-in-range; {LATER}]
     fix: none: no argument mends it without breaking another rule
  2. swizzle = NONE (0): on sm_100 this call takes only B64, B128, B128_ATOM_32B [swizzle-on-target; {NEWER}]
     fix: swizzle = B128 (3)"""


def test_a_refusal_reads_as_rule_source_and_fix():
    assert str(BROKEN.check()) == REFUSED


def test_a_later_target_is_marked_as_not_measured():
    assert str(UNMENDABLE.check("sm_100")) == NOT_MEASURED


def test_an_accepted_call_reads_with_its_warnings():
    first, null, spill = str(WARNED.check()).splitlines()
    assert first == "cuTensorMapEncodeTiled on sm_90: accepted"
    assert null.startswith("  warning: global_address = 0x0: the driver encodes a null address;")
    assert spill.startswith("  warning: global_dim[0] = 100: a row is 200 bytes; a store clips at 16 bytes")


def test_a_fix_is_an_argument_and_its_value():
    assert [broken.fix for broken in BROKEN.check().broken] == [("global_address", 16), ("box_dim", (32, 8))]
    assert BROKEN.check().mended == replace(BROKEN, global_address=16, box_dim=(32, 8))


def test_where_no_argument_mends_a_rule_the_verdict_says_so():
    verdict = UNMENDABLE.check()
    assert (verdict.broken[0].fix, verdict.mended) == (None, None)


def test_an_accepted_call_is_its_own_mend():
    assert WARNED.check().mended == WARNED
    assert WARNED.check().broken == ()


def test_a_refused_call_has_no_warnings():
    assert replace(WARNED, global_address=1).check().warnings == ()
    assert WARNED.check().warnings


def test_a_rule_that_the_recordings_contradict_stands_on_documents_alone():
    packets = {"interleave": 2, "swizzle": 3, "global_dim": (8, 8, 8), "global_strides": (256, 2048)}
    m = replace(WARNED, **packets, box_dim=(8, 1, 8), element_strides=(1, 1, 1))
    assert m.check().accepted
    (broken,) = m.check("sm_100").broken
    assert (broken.id, broken.source.split(":")[0]) == ("interleave-32b-takes-swizzle-32b", "documented")
    assert "measured" not in broken.source


@pytest.mark.parametrize("target", TARGETS)
def test_only_hopper_is_measured(target):
    verdict = WARNED.check(target)
    assert verdict.measured == target.startswith("sm_90")
    assert ("by the documents, not measured" in str(verdict)) == (not verdict.measured)


@settings(max_examples=400)
@given(st.one_of(any_calls(), bent_calls()), st.sampled_from(sorted(TARGETS)))
def test_any_integers_anywhere_are_judged_and_fixes_keep_their_promise(m, target):
    verdict = m.check(target)
    assert str(verdict).startswith(m.entry_point)
    assert ("measured:" in str(verdict)) <= verdict.measured
    before = {broken.id for broken in verdict.broken}
    fixes = [broken.fix for broken in verdict.broken]
    for fix in filter(None, fixes):
        assert {broken.id for broken in replace(m, **dict([fix])).check(target).broken} <= before
    mended = replace(m, **dict(filter(None, fixes)))
    assert mended.check(target).accepted == (verdict.mended is not None) == (None not in fixes)


@settings(max_examples=100)
@given(st.one_of(tiled_maps(), im2col_maps()))
def test_a_legal_call_is_accepted_and_every_warning_has_a_source(m):
    verdict = m.check()
    assert verdict.accepted
    assert all(caution.source.startswith(("measured: ", "documented: ")) for caution in verdict.warnings)
