"""Model values → pictures. A picture is SVG text with a title, a description and the same content in plain words."""

from .banks import bank_picture
from .barrier_steps import barrier_picture
from .box import box_picture
from .compare import compare_rows, compare_values
from .cost_bars import Bar, cost_bars
from .degrees import degree_chart
from .descriptor import descriptor_picture
from .edge import edge_picture
from .float_bits import BitsRow, bits_picture
from .in_flight import in_flight_chart
from .memory import memory_picture
from .packets import packet_picture
from .planes_of_channels import channel_picture, photo_picture
from .resident import resident_picture
from .row_cost import row_cost_picture
from .shares import Share, share_bars
from .svg import Drawing, Picture, beside
from .swizzle_grid import address_bits, swizzle_grid
from .verdict import verdict_picture
from .words import compare_words

__all__ = [
    "Bar",
    "BitsRow",
    "Drawing",
    "Picture",
    "Share",
    "address_bits",
    "bank_picture",
    "barrier_picture",
    "beside",
    "bits_picture",
    "box_picture",
    "channel_picture",
    "compare_rows",
    "compare_values",
    "compare_words",
    "cost_bars",
    "degree_chart",
    "descriptor_picture",
    "edge_picture",
    "in_flight_chart",
    "memory_picture",
    "packet_picture",
    "photo_picture",
    "resident_picture",
    "row_cost_picture",
    "share_bars",
    "swizzle_grid",
    "verdict_picture",
]
