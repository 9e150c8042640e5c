"""Rules of the two im2col calls only: the pixel box, channels a pixel, pixels a column."""

from typing import Any

from course_lib.model.call.sizes import corner_range, descriptor_box_bytes, spatial_dimensions
from course_lib.model.facts.limits import CHANNELS_MAX, PIXELS_MAX, Target
from course_lib.model.rules.tiled import DRIVER, MEASURED, entries, rule
from course_lib.model.rules.verdict import Finding, Rule

NOT_EMPTY = "documented: CUDA Driver API 13.5, the area must not be 0; measured: encode.jsonl, in 32 bits"


def corner_is_in_range(field: str) -> Rule:
    """The rule for one of the four corner arguments."""

    def find(m: Any, t: Target) -> Finding | None:
        low, high = corner_range(m, t)
        value = getattr(m, field)
        sentence = f"at rank {m.rank} a corner must be {low} to {high}"
        if isinstance(value, tuple):
            return entries(value, lambda c: low <= c <= high, (low, high), sentence)
        return None if low <= value <= high else Finding(value, (low, high), sentence)

    text = "Each corner fits its bits: 16 at rank 3, 8 at rank 4, 5 at rank 5."
    return Rule(f"{field.replace('_', '-')}-is-in-range", field, DRIVER, find, (field,), text)


def as_signed(value: int, bits: int | None) -> int:
    """``value`` as a signed number of so many bits; as it is for None."""
    return value if bits is None else (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def box_extents(m: Any, bits: int | None) -> tuple[int, ...]:
    """Positions of the pixel box along each spatial dimension, as a driver computes them that has so many ``bits``."""
    lower, upper = m.pixel_box
    return tuple(as_signed(d + u, bits) - lo for d, u, lo in zip(spatial_dimensions(m), upper, lower, strict=False))


def pixel_box_is_not_empty(m: Any, t: Target) -> Finding | None:
    """The pixel box is not empty: dimension + upper corner - lower corner, in 32 bits on sm_90, is 1 or more."""
    extents = box_extents(m, t.pixel_box_bits)
    if all(extent > 0 for extent in extents):
        return None
    computed = f" (in {t.pixel_box_bits} bits)" if t.pixel_box_bits else ""
    sentence = f"dimension + upper corner - lower corner is {extents}{computed}; each must be 1 or more"
    return Finding(m.pixel_box[1] if m.api == "im2col" else m.pixel_box_upper_corner_width, 1, sentence)


@rule("channels_per_pixel")
def channels_are_in_range(m: Any, t: Target) -> Finding | None:
    """A pixel has 1 to 256 channels."""
    if 1 <= m.channels_per_pixel <= CHANNELS_MAX:
        return None
    return Finding(m.channels_per_pixel, (1, CHANNELS_MAX), f"a pixel must have 1 to {CHANNELS_MAX} channels")


@rule("pixels_per_column")
def pixels_are_in_range(m: Any, t: Target) -> Finding | None:
    """A column has 1 to 1024 pixels."""
    if 1 <= m.pixels_per_column <= PIXELS_MAX:
        return None
    return Finding(m.pixels_per_column, (1, PIXELS_MAX), f"a column must have 1 to {PIXELS_MAX} pixels")


@rule("pixels_per_column", MEASURED)
def column_fits_the_engine(m: Any, t: Target) -> Finding | None:
    """A column, channels by pixels, is at most 228 KiB."""
    size = descriptor_box_bytes(m)
    if size is None or t.box_bytes_max is None or size <= t.box_bytes_max.value:
        return None
    limit, source = t.box_bytes_max
    return Finding(m.pixels_per_column, limit, f"a column is {size} bytes; at most {limit} are taken", source=source)
