"""Hypothesis strategies: legal maps of small boxes for copies, and calls with any integers anywhere."""

from dataclasses import fields, replace

from hypothesis import assume
from hypothesis import strategies as st

from course_lib import Im2colTensorMap, Im2colWideTensorMap, Interleave, Swizzle, TiledTensorMap
from course_lib.model.facts.limits import HOPPER, SWIZZLE_SPAN_BYTES

TYPES = sorted(HOPPER.data_types)
PAIRS = [(i, s) for i in Interleave for s in sorted(HOPPER.swizzles)]
MEMORY_BYTES = 1 << 16
ELEMENTS_MAX = 1500
EDGES = sorted({0, -1, 17, *(2**b + d for b in (0, 3, 4, 5, 7, 8, 10, 15, 16, 31, 32, 40, 57, 64) for d in (-1, 0, 1))})


@st.composite
def shared_arguments(draw, pair, data_type, dims):
    """What all calls share, with strides that do not overlap rows more than the recordings do."""
    step = 32 if pair[0] == Interleave.B32 else 16
    unit = {Interleave.B16: 16, Interleave.B32: 32}.get(pair[0], data_type.size_bytes)
    strides, extent = [], dims[0] * unit
    for dim in dims[1:]:
        strides.append(-(-extent // step) * step + step * draw(st.sampled_from([0, 0, 0, 1, 3])))
        extent = strides[-1] * dim
    return {
        "data_type": data_type,
        "global_address": 4096 + step * draw(st.integers(0, 9)),
        "global_dim": dims,
        "global_strides": strides,
        "element_strides": [draw(st.sampled_from([1, 1, 1, 2, 3, 8])) for _ in dims],
        "interleave": pair[0],
        "swizzle": pair[1],
        "l2_promotion": draw(st.integers(0, 3)),
        "oob_fill": draw(st.integers(0, 1)) if data_type.facts.is_float else 0,
    }


@st.composite
def inner_elements(draw, pair, data_type):
    """Elements of an inner row: whole 16-byte units within the swizzle's span."""
    span = SWIZZLE_SPAN_BYTES[Swizzle(pair[1])] if pair[0] == Interleave.NONE else None
    units = draw(st.integers(1, min((span or 128) // 16, 256 * data_type.size_bytes // 16)))
    return units * 16 // data_type.size_bytes


@st.composite
def tiled_maps(draw, pairs=None, types=None):
    """A legal tiled map with a small box."""
    pair, data_type = draw(st.sampled_from(pairs or PAIRS)), draw(st.sampled_from(types or TYPES))
    rank = draw(st.integers(3 if pair[0] else 1, 5))
    inner = draw(inner_elements(pair, data_type))
    dims = [draw(st.integers(1, 2 * inner + 3)), *(draw(st.integers(1, 6)) for _ in range(rank - 1))]
    box = [inner, *(draw(st.integers(1, 5)) for _ in range(rank - 1))]
    arguments = draw(shared_arguments(pair, data_type, dims))
    return kept(TiledTensorMap(box_dim=box, **arguments))


@st.composite
def im2col_maps(draw, pairs=None, types=None):
    """A legal im2col or wide map with a small column."""
    pair, data_type = draw(st.sampled_from(pairs or PAIRS)), draw(st.sampled_from(types or TYPES))
    spatial = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    channels = draw(inner_elements(pair, data_type))
    slices = draw(st.integers(1, 3)) if pair[0] else draw(st.integers(1, 2 * channels))
    images = draw(st.integers(1, 3))
    dims = [*spatial, slices, images] if pair[0] else [slices, *spatial, images]
    own = {"channels_per_pixel": channels, "pixels_per_column": draw(st.integers(1, 40))}
    own |= draw(shared_arguments(pair, data_type, dims))
    if draw(st.booleans()):
        ends = [(-3, 1), (-3, 1)] if draw(st.booleans()) else [(0, 1), (-2, 0)]  # the latter never leaves the tensor
        lower, upper = ([draw(st.integers(*end)) for _ in spatial] for end in ends)
        return kept(Im2colTensorMap(pixel_box_lower_corner=lower, pixel_box_upper_corner=upper, **own))
    width = {f"pixel_box_{side}_corner_width": draw(st.integers(-3, 1)) for side in ("lower", "upper")}
    return kept(Im2colWideTensorMap(wide_mode=draw(st.integers(0, 1)), **width, **own))


def kept(tensor_map):
    """The map, where it is legal and its box small."""
    assume(tensor_map.check().accepted)
    assume(elements_of(tensor_map) <= ELEMENTS_MAX)
    return tensor_map


def elements_of(m):
    """Elements of the box, a bound."""
    count = 1
    for size in m.box_dim if m.api == "tiled" else (m.channels_per_pixel, m.pixels_per_column):
        count *= size
    return count


@st.composite
def coordinates(draw, m, lowest=-5):
    """Coordinates around every edge; mostly, not always, such that nothing traps."""
    at = [draw(st.integers(lowest, dim + 3)) for dim in m.global_dim]
    if draw(st.integers(0, 19)) == 0:
        at[draw(st.integers(0, m.rank - 1))] = draw(st.sampled_from([2**31 - 16, -(2**31)][: 2 if lowest < 0 else 1]))
    first = 0 if m.interleave else 1
    if m.api != "tiled":
        for i, (low, up) in enumerate(zip(*m.pixel_box, strict=True), first):
            at[i] = draw(st.integers(max(low, lowest), max(m.global_dim[i] - 1 + up, low, lowest)))
    if not m.interleave and draw(st.integers(0, 9)):
        unit = max(16 // m.data_type.size_bytes, 1)
        at[0] = at[0] // unit * unit
    return tuple(at)


@st.composite
def offsets(draw, m):
    """im2col offsets, or none."""
    return () if m.api == "tiled" else tuple(draw(st.integers(0, 3)) for _ in range(m.rank - 2))


SHARED_ADDRESSES = st.sampled_from([*(128 * n for n in range(18)), 64, 130])
CALLS = st.sampled_from(["tiled", "im2col", "im2col_wide"])
NUMBERS = st.one_of(st.sampled_from(EDGES), st.integers(1, 300), st.integers(-(2**65), 2**65))


@st.composite
def any_calls(draw):
    """A call with any integers anywhere: mostly one that breaks many rules."""
    rank = draw(st.integers(0, 6))

    def numbers(less=0):
        return [draw(NUMBERS) for _ in range(max(rank - less, 0))]

    def code(most):
        return draw(st.one_of(st.integers(0, most), NUMBERS))

    common = {
        **{
            "data_type": code(15),
            "global_address": draw(NUMBERS),
            "global_dim": numbers(),
            "global_strides": numbers(1),
        },
        **{
            "element_strides": numbers(),
            "interleave": code(2),
            "swizzle": code(6),
            "l2_promotion": code(3),
            "oob_fill": code(1),
        },
    }
    api = draw(CALLS)
    if api == "tiled":
        return TiledTensorMap(box_dim=numbers(), **common)
    common |= {"channels_per_pixel": draw(NUMBERS), "pixels_per_column": draw(NUMBERS)}
    if api == "im2col":
        return Im2colTensorMap(pixel_box_lower_corner=numbers(2), pixel_box_upper_corner=numbers(2), **common)
    width = {f"pixel_box_{side}_corner_width": draw(NUMBERS) for side in ("lower", "upper")}
    return Im2colWideTensorMap(wide_mode=code(1), **width, **common)


@st.composite
def bent_calls(draw):
    """A legal call with one or two arguments replaced by numbers near the limits."""
    m = draw(st.one_of(tiled_maps(), im2col_maps()))
    for name in draw(st.lists(st.sampled_from([f.name for f in fields(m)]), min_size=1, max_size=2, unique=True)):
        value = getattr(m, name)
        if name == "global_dim" or isinstance(value, tuple):
            changed = [draw(st.one_of(st.just(v), NUMBERS)) for v in value]
        else:
            changed = draw(NUMBERS)
        m = replace(m, **{name: changed})
    return m
