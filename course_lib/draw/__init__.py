"""Model values → pictures. A picture is SVG text with a title, a description and the same content in plain words."""

from course_lib.draw.bits.descriptor import descriptor_picture
from course_lib.draw.bits.float_bits import BitsRow, bits_picture
from course_lib.draw.bits.words import compare_words
from course_lib.draw.charts.cost_bars import Bar, cost_bars
from course_lib.draw.charts.degrees import degree_chart
from course_lib.draw.charts.in_flight import in_flight_chart
from course_lib.draw.charts.resident import resident_picture
from course_lib.draw.charts.row_cost import row_cost_picture
from course_lib.draw.charts.shares import Share, share_bars
from course_lib.draw.copies.banks import bank_picture
from course_lib.draw.copies.box import box_picture
from course_lib.draw.copies.edge import edge_picture
from course_lib.draw.copies.memory import memory_picture
from course_lib.draw.copies.packets import packet_picture
from course_lib.draw.copies.planes_of_channels import channel_picture, photo_picture
from course_lib.draw.copies.swizzle_grid import address_bits, swizzle_grid
from course_lib.draw.pen.svg import Drawing, Picture, beside
from course_lib.draw.replies.compare import compare_rows, compare_values
from course_lib.draw.replies.verdict import verdict_picture
from course_lib.draw.steps.barrier_steps import barrier_picture

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
