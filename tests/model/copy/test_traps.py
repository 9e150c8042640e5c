"""What traps, with which CUresult, and which cause wins where two apply. Nothing is written."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from course_lib import (
    DataType,
    DeviceFault,
    IllegalTensorMap,
    Im2colTensorMap,
    ReduceOp,
    TiledTensorMap,
    load,
    prefetch,
    reduce,
    store,
)
from tests.model.memories import noise, window

PLANE = TiledTensorMap(
    data_type=DataType.UINT32, global_address=256, global_dim=(16, 8), global_strides=(64,), box_dim=(8, 4)
)
PIXELS = Im2colTensorMap(
    data_type=DataType.UINT32,
    global_address=256,
    global_dim=(8, 4, 4, 2),
    global_strides=(32, 128, 512),
    pixel_box_lower_corner=(0, 0),
    pixel_box_upper_corner=(-1, -1),
    channels_per_pixel=8,
    pixels_per_column=4,
)
MISSING = {"global_address": 2**40}
GLOBAL_BYTES = 2048
LOADS = [  # cause or causes, map, coordinates, shared address, CUresult
    ("innermost start off 16 bytes", PLANE, (1, 0), 0, 715),
    ("innermost start off 16 bytes, below 0", PLANE, (-1, 0), 0, 715),
    ("innermost start off 16 bytes, box outside", PLANE, (1, 99), 0, 715),
    ("shared address off 128", PLANE, (0, 0), 64, 716),
    ("shared address off 128 by 16", PLANE, (4, 1), 128 + 16, 716),
    ("memory not there", replace(PLANE, **MISSING), (0, 0), 0, 700),
    ("last row not there", replace(PLANE, global_strides=(1024,)), (0, 0), 0, 700),
    ("tensor not there, box outside it", replace(PLANE, **MISSING), (0, 99), 0, 700),
    ("start and shared address", PLANE, (1, 0), 64, 715),
    ("start and memory", replace(PLANE, **MISSING), (1, 0), 0, 715),
    ("shared address and memory", replace(PLANE, **MISSING), (0, 0), 64, 716),
    ("all three", replace(PLANE, **MISSING), (1, 0), 64, 715),
    ("im2col start left of the box", PIXELS, (0, -1, 0, 0), 0, 715),
    ("im2col start right of the box", PIXELS, (0, 3, 0, 0), 0, 715),
    ("im2col start above the box", PIXELS, (0, 0, 3, 0), 0, 715),
    ("im2col channel off 16 bytes", PIXELS, (1, 0, 0, 0), 0, 715),
    ("im2col start and shared address", PIXELS, (0, 3, 0, 0), 64, 715),
    ("im2col memory", replace(PIXELS, **MISSING), (0, 0, 0, 0), 0, 700),
]
STORES = [
    ("innermost start off 16 bytes", PLANE, (1, 0), 0, 715),
    ("negative innermost coordinate", PLANE, (-4, 0), 0, 715),
    ("negative coordinate", PLANE, (0, -1), 0, 715),
    ("shared address off 128", PLANE, (0, 0), 64, 716),
    ("memory not there", replace(PLANE, **MISSING), (0, 0), 0, 700),
    ("negative coordinate and shared address", PLANE, (0, -1), 64, 715),
    ("shared address and memory", replace(PLANE, **MISSING), (0, 0), 64, 716),
    ("im2col box that reaches out below", replace(PIXELS, pixel_box_lower_corner=(-1, 0)), (0, 0, 0, 0), 0, 715),
    ("im2col box that reaches out above", replace(PIXELS, pixel_box_upper_corner=(0, 1)), (0, 0, 0, 0), 0, 715),
    ("im2col start outside the box", PIXELS, (0, 3, 0, 0), 0, 715),
]
FINE = [(PLANE, (0, 0), 0), (PLANE, (4, 7), 128), (PLANE, (0, 99), 0), (PIXELS, (0, 2, 2, 1), 1024)]


@pytest.mark.parametrize(("why", "m", "at", "address", "code"), LOADS, ids=lambda v: v if isinstance(v, str) else "")
def test_a_load_traps_with_the_result_of_the_first_cause(why, m, at, address, code):
    shared = window()
    with pytest.raises(DeviceFault) as fault:
        load(m, at, noise(1, GLOBAL_BYTES), shared, shared_address=address)
    assert fault.value.code == code
    assert str(fault.value) == f"CUresult {code}: {fault.value.reason}"
    assert np.array_equal(shared, window())


@pytest.mark.parametrize("copy", [store, partial(reduce, ReduceOp.ADD)], ids=["store", "add"])
@pytest.mark.parametrize(("why", "m", "at", "address", "code"), STORES, ids=lambda v: v if isinstance(v, str) else "")
def test_a_store_or_reduction_traps_with_the_result_of_the_first_cause(why, m, at, address, code, copy):
    memory = noise(1, GLOBAL_BYTES).copy()
    with pytest.raises(DeviceFault) as fault:
        copy(m, at, noise(2, 4096), memory, shared_address=address)
    assert fault.value.code == code
    assert np.array_equal(memory, noise(1, GLOBAL_BYTES))


@pytest.mark.parametrize(("m", "at", "address"), FINE)
def test_what_no_rule_names_does_not_trap(m, at, address):
    load(m, at, noise(1, GLOBAL_BYTES), window(), shared_address=address)
    store(m, at, noise(2, 4096), noise(1, GLOBAL_BYTES).copy(), shared_address=address)
    prefetch(m, at)


def test_a_trap_tells_what_it_was_given():
    with pytest.raises(DeviceFault, match=r"coordinates\[0\] = 3 starts at byte 12, no multiple of 16"):
        prefetch(PLANE, (3, 0))
    with pytest.raises(DeviceFault, match="shared_address = 192 is no multiple of 128"):
        load(PLANE, (0, 0), noise(1, GLOBAL_BYTES), window(), shared_address=192)
    with pytest.raises(DeviceFault, match="the start 3 lies outside the bounding box, 0 to 2"):
        prefetch(PIXELS, (0, 3, 0, 0))
    with pytest.raises(DeviceFault, match=r"coordinates\[1\] = -2: a store must not start below 0"):
        store(PLANE, (0, -2), noise(2, 4096), noise(1, GLOBAL_BYTES).copy())


def test_loads_take_negative_coordinates():
    load(PLANE, (-4, -1), noise(1, GLOBAL_BYTES), window())


@pytest.mark.parametrize("address", range(0, 512, 16))
@pytest.mark.parametrize("swizzle", [0, 1, 3])
def test_every_shared_address_but_the_multiples_of_128_traps_with_or_without_swizzle(address, swizzle):
    def copy():
        load(replace(PLANE, swizzle=swizzle), (0, 0), noise(1, GLOBAL_BYTES), window(), shared_address=address)

    if address % 128:
        with pytest.raises(DeviceFault, match="716"):
            copy()
    else:
        copy()


@pytest.mark.parametrize("data_type", [DataType.UINT8, DataType.UINT16, DataType.UINT32, DataType.UINT64])
@pytest.mark.parametrize("start", range(-16, 17))
def test_the_innermost_start_times_the_element_must_be_whole_16_bytes(data_type, start):
    m = replace(PLANE, data_type=data_type, box_dim=(32 // data_type.size_bytes, 4), global_dim=(16, 4))
    if start * data_type.size_bytes % 16:
        with pytest.raises(DeviceFault, match="715"):
            load(m, (start, 0), noise(1, GLOBAL_BYTES), window())
    else:
        load(m, (start, 0), noise(1, GLOBAL_BYTES), window())


def test_with_interleave_any_innermost_start_is_whole_packets():
    m = TiledTensorMap(
        data_type=DataType.UINT16,
        global_address=0,
        global_dim=(8, 2, 2),
        global_strides=(128, 256),
        box_dim=(8, 1, 1),
        interleave=1,
    )
    load(m, (1, 0, 0), noise(1, GLOBAL_BYTES), window())


def test_a_pair_that_the_engine_lacks_traps_before_its_other_faults():
    for at, address in (((0, 0), 0), ((0, 0), 64), ((0, 99), 0)):
        with pytest.raises(DeviceFault, match=r"715: the engine has no MIN on FLOAT32"):
            reduce(
                ReduceOp.MIN,
                replace(PLANE, data_type=DataType.FLOAT32),
                at,
                noise(2, 4096),
                noise(1, GLOBAL_BYTES).copy(),
                shared_address=address,
            )


def test_a_refused_map_is_refused_before_anything_traps():
    refused = replace(PLANE, swizzle=5)
    for copy in (
        lambda: load(refused, (1, 0), noise(1, GLOBAL_BYTES), window(), shared_address=64),
        lambda: store(refused, (-1, 0), noise(2, 4096), noise(1, GLOBAL_BYTES).copy()),
        lambda: reduce(ReduceOp.INC, refused, (0, 0), noise(2, 4096), noise(1, GLOBAL_BYTES).copy()),
        lambda: reduce(
            ReduceOp.INC,
            replace(refused, data_type=DataType.FLOAT32),
            (0, 0),
            noise(2, 4096),
            noise(1, GLOBAL_BYTES).copy(),
        ),
        lambda: prefetch(refused, (0, 0)),
    ):
        with pytest.raises(IllegalTensorMap) as refusal:
            copy()
        assert [broken.id for broken in refusal.value.verdict.broken] == ["swizzle-on-target"]


@pytest.mark.parametrize("size", [256 + 3 * 64 + 32, 256 + 3 * 64 + 31])
def test_memory_must_reach_to_the_last_byte_of_the_box_and_no_further(size):
    if size % 32 == 0:
        load(PLANE, (0, 0), noise(1, size), window())
        return
    with pytest.raises(DeviceFault, match=r"touches bytes 256 to 479 of a global memory of 479 bytes"):
        load(PLANE, (0, 0), noise(1, size), window())


def test_a_load_across_the_edge_needs_only_the_tensors_bytes_and_a_store_whole_units():
    narrow = replace(PLANE, global_dim=(1, 1), box_dim=(8, 1))
    load(narrow, (0, 0), noise(1, 260), window())
    with pytest.raises(DeviceFault, match="700"):
        load(narrow, (0, 0), noise(1, 259), window())
    store(narrow, (0, 0), noise(2, 4096), noise(1, 272).copy())
    with pytest.raises(DeviceFault, match="700"):
        store(narrow, (0, 0), noise(2, 4096), noise(1, 271).copy())


@pytest.mark.parametrize(
    ("m", "at", "end"), [(PLANE, (-4, 5), 256 + 7 * 64 + 16), (PIXELS, (0, 1, 1, 1), 256 + 512 + 2 * 128 + 2 * 32)]
)
def test_across_an_edge_memory_must_reach_to_the_last_byte_inside_and_no_further(m, at, end):
    load(m, at, noise(1, end), window())
    with pytest.raises(DeviceFault, match=f"touches bytes [0-9]+ to {end - 1} of a global memory of {end - 1} bytes"):
        load(m, at, noise(1, end - 1), window())


@pytest.mark.parametrize("size", [256, 257])
def test_a_load_wholly_outside_needs_the_tensors_first_byte(size):
    if size == 257:
        load(PLANE, (0, 99), noise(1, size), window())
        return
    with pytest.raises(DeviceFault, match="700"):
        load(PLANE, (0, 99), noise(1, size), window())


def test_a_store_wholly_outside_touches_nothing_and_needs_no_memory():
    store(replace(PLANE, **MISSING), (0, 99), noise(2, 4096), noise(1, 64).copy())
