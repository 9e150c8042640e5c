"""Model values → pictures. A picture is SVG text with a title, a description and the same content in plain words."""

from .banks import bank_picture
from .box import box_picture
from .compare import compare_rows, compare_values
from .degrees import degree_chart
from .descriptor import descriptor_picture
from .edge import edge_picture
from .float_bits import BitsRow, bits_picture
from .svg import Drawing, Picture, beside
from .swizzle_grid import address_bits, swizzle_grid
from .verdict import verdict_picture
from .words import compare_words

__all__ = [
    "BitsRow",
    "Drawing",
    "Picture",
    "address_bits",
    "bank_picture",
    "beside",
    "bits_picture",
    "box_picture",
    "compare_rows",
    "compare_values",
    "compare_words",
    "degree_chart",
    "descriptor_picture",
    "edge_picture",
    "swizzle_grid",
    "verdict_picture",
]
