"""Channel packets: where each value lies, what pads the last slice, and the map that reads them."""

from itertools import product

import numpy as np
import pytest

from course_lib import DataType, Interleave, Swizzle, TiledTensorMap, load
from course_lib.model.copy.packets import pack, packet_channels, packet_map, packets_in, unpack


def numbered(*shape):
    return np.arange(1, np.prod(shape) + 1, dtype=np.uint16).reshape(shape)


@pytest.mark.parametrize(("channels", "per_packet"), list(product((1, 7, 8, 9, 19), (4, 8, 16))))
def test_each_value_lies_in_its_slice_at_its_pixel_and_the_rest_is_zero(channels, per_packet):
    values = numbered(2, channels, 3, 5)
    packed = pack(values, per_packet)
    assert packed.shape == (2, -(-channels // per_packet), 3, 5, per_packet)
    assert packed.flags.c_contiguous
    for n, c, y, x in np.ndindex(values.shape):
        assert packed[n, c // per_packet, y, x, c % per_packet] == values[n, c, y, x]
    assert np.count_nonzero(packed) == values.size


@pytest.mark.parametrize("spatial", [(6,), (3, 5), (2, 3, 4)])
def test_unpacking_undoes_packing_for_one_to_three_spatial_dimensions(spatial):
    values = numbered(2, 11, *spatial)
    assert np.array_equal(unpack(pack(values, 8), 11), values)


def test_a_packet_holds_16_or_32_bytes_of_channels():
    assert [packet_channels(Interleave.B16, t) for t in (0, 6, 7, 8)] == [16, 8, 4, 2]
    assert [packet_channels(Interleave.B32, t) for t in (0, 6, 7, 8)] == [32, 16, 8, 4]


@pytest.mark.parametrize("interleave", [Interleave.B16, Interleave.B32])
@pytest.mark.parametrize("spatial", [(24,), (6, 24), (3, 6, 24)])
def test_the_map_of_packets_is_legal_and_a_load_brings_one_slice(interleave, spatial):
    values = numbered(2, 19, *spatial)
    packed = pack(values, packet_channels(interleave, DataType.UINT16))
    box = (8, *(2,) * (len(spatial) - 1))
    m = packet_map(packed.shape, DataType.UINT16, interleave, box, swizzle=Swizzle.B32)
    assert m.check().accepted
    shared, where = np.zeros(4096, np.uint8), (3, *(1,) * (len(spatial) - 1), 1, 1)
    load(m, where, packed.reshape(-1).view(np.uint8), shared, shared_address=128)
    cut = packed[(1, 1, *(slice(1, 3) for _ in box[1:]), slice(3, 11))]
    assert np.array_equal(packets_in(m, shared, 128), cut.reshape(-1, cut.shape[-1]).view(np.uint8))


def test_a_map_without_interleave_has_no_packets():
    plain = TiledTensorMap(data_type=0, global_address=0, global_dim=(16,), global_strides=(), box_dim=(16,))
    with pytest.raises(ValueError, match="has no packets"):
        packets_in(plain, np.zeros(128, np.uint8))
