"""The three encode calls as frozen values: the driver's arguments, nothing refused but a wrong type or length.

Any integer is allowed anywhere, enumerations included: a rule refuses it, not the constructor, so that a learner can ask.
Source of names and order: CUDA Driver API 13.5, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col,
cuTensorMapEncodeIm2colWide. Dimension 0 is the innermost everywhere.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Any, ClassVar, Final, cast

from course_lib.model.call.arguments import as_integer, as_integers
from course_lib.model.call.verdict import Judged, Verdict
from course_lib.model.facts.enums import DataType, Im2colWideMode, Interleave, L2Promotion, OobFill, Swizzle

ENUMERATIONS: dict[str, type[IntEnum]] = {
    "data_type": DataType,
    "interleave": Interleave,
    "swizzle": Swizzle,
    "l2_promotion": L2Promotion,
    "oob_fill": OobFill,
    "wide_mode": Im2colWideMode,
}
SHORTER_THAN_RANK = {  # sequences, by how many entries they lack
    "global_strides": 1,
    "box_dim": 0,
    "element_strides": 0,
    "pixel_box_lower_corner": 2,
    "pixel_box_upper_corner": 2,
}
ONES: Final[Any] = None  # stands for as many ones as there are dimensions


def as_enumeration(name: str, value: Any) -> int:
    """The enumeration's member, or the bare integer where the driver has none of that number."""
    number = as_integer(name, value)
    enumeration = ENUMERATIONS[name]
    return enumeration(number) if number in enumeration._value2member_map_ else number


class TensorMap(Judged):
    """What the three calls share."""

    api: ClassVar[str]
    is_im2col: ClassVar[bool] = True
    entry_point: ClassVar[str]
    global_dim: Sequence[int]

    def __post_init__(self) -> None:
        object.__setattr__(self, "global_dim", as_integers("global_dim", self.global_dim))
        for name in (field.name for field in fields(self)):  # type: ignore[arg-type]
            object.__setattr__(self, name, self._normal(name, getattr(self, name)))

    def _normal(self, name: str, value: Any) -> Any:
        if name == "global_dim":
            return value
        if name in ENUMERATIONS:
            return as_enumeration(name, value)
        if name not in SHORTER_THAN_RANK:
            return as_integer(name, value)
        length = max(self.rank - SHORTER_THAN_RANK[name], 0)
        values = (1,) * length if value is ONES and name == "element_strides" else as_integers(name, value)
        if len(values) != length:
            raise ValueError(f"{name} has {len(values)} entries; a tensor map of rank {self.rank} takes {length}")
        return values

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.global_dim)

    def check(self, target: str = "sm_90") -> Verdict:
        """What the driver answers on ``target``, and why. ValueError for a target without tensor maps."""
        return self.judge.check(cast("Call", self), target)

    def encode(self, target: str = "sm_90") -> bytes:
        """The 128 bytes that the driver writes on sm_90.

        Raises IllegalTensorMap where the driver refuses, NotMeasured for a target whose bytes nobody recorded here.
        Source: the recorded encode calls (NVIDIA H200, driver 580.159.04).
        """
        return self.judge.encode(cast("Call", self), target)


@dataclass(frozen=True, kw_only=True)
class TiledTensorMap(TensorMap):
    """The arguments of cuTensorMapEncodeTiled. ``global_strides`` in bytes, one less than the rank; dimensions and
    box in elements. TypeError for a wrong type, ValueError for a sequence that does not fit ``len(global_dim)``.
    """

    api: ClassVar[str] = "tiled"
    is_im2col: ClassVar[bool] = False
    entry_point: ClassVar[str] = "cuTensorMapEncodeTiled"

    data_type: int
    global_address: int
    global_dim: Sequence[int]
    global_strides: Sequence[int]
    box_dim: Sequence[int]
    element_strides: Sequence[int] = ONES
    interleave: int = Interleave.NONE
    swizzle: int = Swizzle.NONE
    l2_promotion: int = L2Promotion.NONE
    oob_fill: int = OobFill.NONE


@dataclass(frozen=True, kw_only=True)
class Im2colTensorMap(TensorMap):
    """The arguments of cuTensorMapEncodeIm2col. Both corners have rank - 2 entries, the innermost spatial dimension
    first: the lower one counts from the tensor's first element, the upper one from its last.
    """

    api: ClassVar[str] = "im2col"
    entry_point: ClassVar[str] = "cuTensorMapEncodeIm2col"

    data_type: int
    global_address: int
    global_dim: Sequence[int]
    global_strides: Sequence[int]
    pixel_box_lower_corner: Sequence[int]
    pixel_box_upper_corner: Sequence[int]
    channels_per_pixel: int
    pixels_per_column: int
    element_strides: Sequence[int] = ONES
    interleave: int = Interleave.NONE
    swizzle: int = Swizzle.NONE
    l2_promotion: int = L2Promotion.NONE
    oob_fill: int = OobFill.NONE

    @property
    def pixel_box(self) -> tuple[Sequence[int], Sequence[int]]:
        """Lower and upper corner."""
        return self.pixel_box_lower_corner, self.pixel_box_upper_corner


@dataclass(frozen=True, kw_only=True)
class Im2colWideTensorMap(TensorMap):
    """The arguments of cuTensorMapEncodeIm2colWide: both corners only along the width."""

    api: ClassVar[str] = "im2col_wide"
    entry_point: ClassVar[str] = "cuTensorMapEncodeIm2colWide"

    data_type: int
    global_address: int
    global_dim: Sequence[int]
    global_strides: Sequence[int]
    pixel_box_lower_corner_width: int
    pixel_box_upper_corner_width: int
    channels_per_pixel: int
    pixels_per_column: int
    element_strides: Sequence[int] = ONES
    interleave: int = Interleave.NONE
    wide_mode: int = Im2colWideMode.W
    swizzle: int = Swizzle.NONE
    l2_promotion: int = L2Promotion.NONE
    oob_fill: int = OobFill.NONE

    @property
    def pixel_box(self) -> tuple[Sequence[int], Sequence[int]]:
        """Lower and upper corner, 0 in height and depth."""
        rest = (0,) * (self.rank - 3)
        return (self.pixel_box_lower_corner_width, *rest), (self.pixel_box_upper_corner_width, *rest)


Im2colCall = Im2colTensorMap | Im2colWideTensorMap
Call = TiledTensorMap | Im2colCall
CALLS: dict[str, type[Call]] = {kind.api: kind for kind in (TiledTensorMap, Im2colTensorMap, Im2colWideTensorMap)}
