"""All rules of a call together, in the order of its arguments, and the verdict."""

from functools import lru_cache
from typing import Any

from course_lib.model.facts.enums import DataType, Im2colWideMode, Interleave, L2Promotion, OobFill, Swizzle
from course_lib.model.facts.limits import HEADER, target_named
from course_lib.model.rules import cautions
from course_lib.model.rules import im2col as i
from course_lib.model.rules import packed as p
from course_lib.model.rules import tiled as r
from course_lib.model.rules.verdict import Rule, Verdict

CACHED_VERDICTS = 4096

HEAD = (
    r.known("data_type", DataType),
    r.data_type_on_target,
    r.rank_is_in_range,
    r.address_is_in_range,
    r.address_is_aligned,
    r.dimensions_are_in_range,
    p.packed_dimension_is_whole_groups,
    r.strides_are_in_range,
    r.strides_are_aligned,
)
TAIL = (
    r.element_strides_are_in_range,
    r.known("interleave", Interleave),
    p.packed_6_bit_takes_no_interleave,
    r.known("swizzle", Swizzle),
    r.swizzle_on_target,
    r.interleave_32b_takes_swizzle_32b,
    p.packed_swizzle_is_listed,
    r.known("l2_promotion", L2Promotion),
    r.known("oob_fill", OobFill),
    r.nan_fill_needs_a_float,
)


def inner_rules(field: str, units_source: str) -> tuple[Rule, ...]:
    """The rules of the inner row, which ``field`` counts; ``units_source`` is behind its whole 16-byte units."""
    return (
        r.rule(field, HEADER)(p.packed_row_is_128_elements),
        r.rule(field, units_source)(r.inner_row_is_whole_units),
        r.rule(field, mend=(field, "swizzle"))(r.inner_row_fits_swizzle),
    )


def im2col_rules(suffix: str) -> tuple[Rule, ...]:
    """The rules of an im2col call whose corner arguments end in ``suffix``."""
    lower, upper = (f"pixel_box_{side}_corner{suffix}" for side in ("lower", "upper"))
    return (
        i.corner_is_in_range(lower),
        i.corner_is_in_range(upper),
        r.rule(upper, i.NOT_EMPTY, (upper, lower, "global_dim"))(i.pixel_box_is_not_empty),
        i.channels_are_in_range,
        *inner_rules("channels_per_pixel", r.MEASURED),
        i.pixels_are_in_range,
        i.column_fits_the_engine,
    )


RULES: dict[str, tuple[Rule, ...]] = {
    "tiled": (*HEAD, r.box_dim_is_in_range, *inner_rules("box_dim", r.DRIVER), r.box_fits_the_engine, *TAIL),
    "im2col": (*HEAD, *im2col_rules(""), *TAIL),
    "im2col_wide": (*HEAD, *im2col_rules("_width"), r.known("wide_mode", Im2colWideMode), *TAIL),
}


def judge(tensor_map: Any, target: str = "sm_90") -> Verdict:
    """The verdict on a call for ``target``; kept in a bounded cache. ValueError for an unknown target."""
    return _judge(tensor_map, target_named(target).name)


@lru_cache(CACHED_VERDICTS)
def _judge(tensor_map: Any, target: str) -> Verdict:
    return Verdict(tensor_map, target_named(target), RULES[tensor_map.api], cautions.CAUTIONS)
