"""Rules of the two im2col calls only: the pixel box, channels a pixel, pixels a column."""

from course_lib.model.call.sizes import corner_range, descriptor_box_bytes, spatial_dimensions
from course_lib.model.call.tensor_map import Im2colCall, Im2colTensorMap
from course_lib.model.facts.limits import CHANNELS_MAX, HOPPER, PIXELS_MAX, Target
from course_lib.model.rules.boxes import inner_rules
from course_lib.model.rules.declaration import DRIVER, MEASURED, Finding, Rule, entries, rule
from course_lib.model.rules.quantities import Numbers, Quantity, box_bytes, is_column, of_argument, of_corner

NOT_EMPTY = "documented: CUDA Driver API 13.5, the area must not be 0; measured: encode.jsonl, in 32 bits"


def corner_is_in_range(field: str) -> Rule:
    """The rule for one of the four corner arguments."""

    def find(m: Im2colCall, t: Target) -> Finding | None:
        low, high = corner_range(m, t)
        value = getattr(m, field)
        sentence = f"at rank {m.rank} a corner must be {low} to {high}"
        if isinstance(value, tuple):
            return entries(value, lambda c: low <= c <= high, (low, high), sentence)
        return None if low <= value <= high else Finding(value, (low, high), sentence)

    text = "Each corner fits its bits: 16 at rank 3, 8 at rank 4, 5 at rank 5."
    return Rule(f"{field.replace('_', '-')}-is-in-range", field, DRIVER, find, (field,), text, of_corner(field))


def as_signed(value: int, bits: int | None) -> int:
    """``value`` as a signed number of so many bits; as it is for None."""
    return value if bits is None else (value + 2 ** (bits - 1)) % 2**bits - 2 ** (bits - 1)


def box_extents(m: Im2colCall, bits: int | None) -> tuple[int, ...]:
    """Positions of the pixel box along each spatial dimension, as a driver computes them that has so many ``bits``."""
    lower, upper = m.pixel_box
    return tuple(as_signed(d + u, bits) - lo for d, u, lo in zip(spatial_dimensions(m), upper, lower, strict=False))


def extents(m: Im2colCall) -> Numbers:
    """Positions of the pixel box along each spatial dimension."""
    yield from (("", extent) for extent in box_extents(m, HOPPER.pixel_box_bits))


def pixel_box_is_not_empty(m: Im2colCall, t: Target) -> Finding | None:
    """The pixel box is not empty: dimension + upper corner - lower corner, in 32 bits on sm_90, is 1 or more."""
    extents = box_extents(m, t.pixel_box_bits)
    if all(extent > 0 for extent in extents):
        return None
    computed = f" (in {t.pixel_box_bits} bits)" if t.pixel_box_bits else ""
    sentence = f"dimension + upper corner - lower corner is {extents}{computed}; each must be 1 or more"
    return Finding(m.pixel_box[1] if isinstance(m, Im2colTensorMap) else m.pixel_box_upper_corner_width, 1, sentence)


def corner_rules(suffix: str) -> tuple[Rule, Rule, Rule]:
    """The rules of the corner arguments that end in ``suffix``."""
    lower, upper = (f"pixel_box_{side}_corner{suffix}" for side in ("lower", "upper"))
    looks_at = Quantity("positions of the pixel box along a dimension", extents)
    not_empty = rule(upper, NOT_EMPTY, (upper, lower, "global_dim"), looks_at)(pixel_box_is_not_empty)
    return corner_is_in_range(lower), corner_is_in_range(upper), not_empty


lower_corner, upper_corner, pixel_box = corner_rules("")
lower_corner_width, upper_corner_width, pixel_box_width = corner_rules("_width")


@rule("channels_per_pixel", looks_at=of_argument("channels_per_pixel", lambda n: n % 2 == 0))
def channels_are_in_range(m: Im2colCall, t: Target) -> Finding | None:
    """A pixel has 1 to 256 channels."""
    if 1 <= m.channels_per_pixel <= CHANNELS_MAX:
        return None
    return Finding(m.channels_per_pixel, (1, CHANNELS_MAX), f"a pixel must have 1 to {CHANNELS_MAX} channels")


packed_channels, whole_channels, swizzled_channels = inner_rules("channels_per_pixel", MEASURED)


@rule("pixels_per_column", looks_at=of_argument("pixels_per_column"))
def pixels_are_in_range(m: Im2colCall, t: Target) -> Finding | None:
    """A column has 1 to 1024 pixels."""
    if 1 <= m.pixels_per_column <= PIXELS_MAX:
        return None
    return Finding(m.pixels_per_column, (1, PIXELS_MAX), f"a column must have 1 to {PIXELS_MAX} pixels")


@rule("pixels_per_column", MEASURED, looks_at=Quantity("bytes of a column", box_bytes, is_column))
def column_fits_the_engine(m: Im2colCall, t: Target) -> Finding | None:
    """A column, channels by pixels, is at most 228 KiB."""
    size = descriptor_box_bytes(m)
    if size is None or t.box_bytes_max is None or size <= t.box_bytes_max.value:
        return None
    limit, source = t.box_bytes_max
    return Finding(m.pixels_per_column, limit, f"a column is {size} bytes; at most {limit} are taken", source=source)
