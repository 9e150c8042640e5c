"""The constructor takes any integer and refuses only a wrong type or length; the value is frozen."""

import dataclasses

import numpy as np
import pytest

from course_lib import (
    DataType,
    IllegalTensorMap,
    Im2colTensorMap,
    Im2colWideTensorMap,
    Interleave,
    L2Promotion,
    NotMeasured,
    OobFill,
    Swizzle,
    TiledTensorMap,
)

SHARED = {"data_type": DataType.UINT8, "global_address": 0, "global_dim": (64, 4, 4), "global_strides": (64, 256)}
COLUMN = {"channels_per_pixel": 16, "pixels_per_column": 8}
MAPS = {
    TiledTensorMap: SHARED | {"box_dim": (16, 2, 2)},
    Im2colTensorMap: SHARED | COLUMN | {"pixel_box_lower_corner": (0,), "pixel_box_upper_corner": (0,)},
    Im2colWideTensorMap: SHARED | COLUMN | {"pixel_box_lower_corner_width": 0, "pixel_box_upper_corner_width": 0},
}
SEQUENCES = [
    *((TiledTensorMap, name) for name in ("global_dim", "global_strides", "box_dim", "element_strides")),
    *((Im2colTensorMap, name) for name in ("pixel_box_lower_corner", "pixel_box_upper_corner", "element_strides")),
]
SCALARS = [
    *(
        (TiledTensorMap, n)
        for n in ("data_type", "global_address", "interleave", "swizzle", "l2_promotion", "oob_fill")
    ),
    *((Im2colTensorMap, n) for n in ("channels_per_pixel", "pixels_per_column")),
    *((Im2colWideTensorMap, n) for n in ("pixel_box_lower_corner_width", "pixel_box_upper_corner_width", "wide_mode")),
]


def made(call, **changed):
    return call(**MAPS[call] | changed)


@pytest.mark.parametrize(("call", "name"), SCALARS)
@pytest.mark.parametrize("value", [1.0, "1", True, None, (1,), np.float64(1), np.bool_(True)])
def test_a_scalar_that_is_no_integer_is_a_type_error_that_names_it(call, name, value):
    with pytest.raises(TypeError, match=f"^{name} must be an integer, not"):
        made(call, **{name: value})


@pytest.mark.parametrize(("call", "name"), SEQUENCES)
@pytest.mark.parametrize("value", [1, "16", b"16", 1.5, {16, 32, 64}, {16: 1, 32: 1}, np.array(3)], ids=repr)
def test_a_sequence_that_is_none_is_a_type_error_that_names_it(call, name, value):
    with pytest.raises(TypeError, match=f"^{name} must be a sequence of integers, not"):
        made(call, **{name: value})


@pytest.mark.parametrize(("call", "name"), SEQUENCES)
@pytest.mark.parametrize("entry", [1.0, "1", False, None])
def test_an_entry_that_is_no_integer_is_named_with_its_place(call, name, entry):
    length = len(getattr(made(call), name))
    with pytest.raises(TypeError, match=rf"^{name}\[{length - 1}\] must be an integer, not"):
        made(call, **{name: [1] * (length - 1) + [entry]})


@pytest.mark.parametrize(("call", "name"), [pair for pair in SEQUENCES if pair[1] != "global_dim"])
@pytest.mark.parametrize("more", [-1, 1])
def test_a_length_that_does_not_fit_the_rank_is_a_value_error_that_names_it(call, name, more):
    length = len(getattr(made(call), name))
    message = f"^{name} has {length + more} entries; a tensor map of rank 3 takes {length}"
    with pytest.raises(ValueError, match=message):
        made(call, **{name: [1] * (length + more)})


@pytest.mark.parametrize("call", MAPS, ids=lambda c: c.__name__)
def test_numpy_integers_and_arrays_are_integers(call):
    arguments = {k: np.asarray(v, np.int64) if isinstance(v, tuple) else np.int64(v) for k, v in MAPS[call].items()}
    assert call(**arguments) == made(call)
    assert all(type(v) in (int, tuple) or isinstance(v, int) for v in vars(call(**arguments)).values())
    assert all(type(entry) is int for entry in call(**arguments).global_dim)


@pytest.mark.parametrize("call", MAPS, ids=lambda c: c.__name__)
def test_a_map_is_frozen_and_equal_maps_hash_alike(call):
    with pytest.raises(dataclasses.FrozenInstanceError):
        made(call).swizzle = 1
    assert len({made(call), made(call), made(call, swizzle=1)}) == 2


@pytest.mark.parametrize("call", MAPS, ids=lambda c: c.__name__)
def test_arguments_go_by_name_alone(call):
    with pytest.raises(TypeError, match="positional"):
        call(*MAPS[call].values())


def test_the_last_five_arguments_have_defaults():
    m = made(TiledTensorMap)
    assert m.element_strides == (1, 1, 1)
    assert (m.interleave, m.swizzle) == (Interleave.NONE, Swizzle.NONE)
    assert (m.l2_promotion, m.oob_fill) == (L2Promotion.NONE, OobFill.NONE)


@pytest.mark.parametrize(("call", "rank"), [(call, rank) for call in MAPS for rank in (0, 1, 2, 6, 7)])
def test_any_rank_is_asked_and_a_rule_refuses_it(call, rank):
    arrays = {"global_dim": (64,) * rank, "global_strides": (64,) * max(rank - 1, 0)}
    own = {"box_dim": (16,) * rank} if call is TiledTensorMap else {}
    if call is Im2colTensorMap:
        own = {f"pixel_box_{side}_corner": (0,) * max(rank - 2, 0) for side in ("lower", "upper")}
    m = made(call, **arrays, **own)
    assert m.rank == rank
    assert ("rank-is-in-range" in {b.id for b in m.check().broken}) == (not (call is TiledTensorMap and 1 <= rank <= 5))


@pytest.mark.parametrize(
    ("name", "member"), [("swizzle", Swizzle.B64), ("data_type", DataType.FLOAT16), ("oob_fill", OobFill.NONE)]
)
def test_a_known_number_becomes_its_member_and_an_unknown_one_stays(name, member):
    assert getattr(made(TiledTensorMap, **{name: int(member)}), name) is member
    assert getattr(made(TiledTensorMap, **{name: 999}), name) == 999
    assert getattr(made(TiledTensorMap, **{name: -1}), name) == -1


def test_the_pixel_box_of_a_wide_call_is_0_in_height_and_depth():
    dims = {"global_dim": (64, 9, 9, 9, 2), "global_strides": (64,) * 4}
    wide = made(Im2colWideTensorMap, **dims, pixel_box_lower_corner_width=-3, pixel_box_upper_corner_width=2)
    assert wide.pixel_box == ((-3, 0, 0), (2, 0, 0))


def test_a_refused_map_raises_with_the_verdict_in_it():
    with pytest.raises(IllegalTensorMap) as refused:
        made(TiledTensorMap, global_address=8).encode()
    verdict = refused.value.verdict
    assert isinstance(refused.value, ValueError)
    assert [broken.id for broken in verdict.broken] == ["address-is-aligned"]
    assert str(refused.value) == str(verdict)


@pytest.mark.parametrize("target", ["sm_80", "", "sm90", "SM_90", "gfx942"])
def test_an_unknown_target_is_a_value_error_that_names_the_known_ones(target):
    for ask in (made(TiledTensorMap).check, made(TiledTensorMap).encode):
        with pytest.raises(ValueError, match=rf"target='{target}'.*sm_90, sm_90a, sm_100"):
            ask(target)


@pytest.mark.parametrize("target", [None, 90, b"sm_90", ["sm_90"]])
def test_a_target_that_is_no_text_is_a_type_error_that_names_it(target):
    for ask in (made(TiledTensorMap).check, made(TiledTensorMap).encode):
        with pytest.raises(TypeError, match=r"^target must be a name such as 'sm_90', not "):
            ask(target)


@pytest.mark.parametrize("call", MAPS, ids=lambda c: c.__name__)
def test_bytes_of_later_targets_are_not_invented(call):
    legal_there = {"swizzle": Swizzle.B64}
    assert made(call, **legal_there).check("sm_100").accepted
    with pytest.raises(NotMeasured, match="target='sm_100'"):
        made(call, **legal_there).encode("sm_100")


def test_hopper_by_its_other_name_gives_the_same_bytes():
    assert made(TiledTensorMap).encode("sm_90a") == made(TiledTensorMap).encode()
