"""Controls around pictures: `predict` and `reveal` for every lesson, and one widget for each subject."""

from course_lib.widgets.labs.address import AddressLab, address_lab
from course_lib.widgets.labs.banks import BankLab, bank_lab
from course_lib.widgets.labs.barrier import BarrierLab, barrier_lab
from course_lib.widgets.labs.box import BoxSlider, box_slider
from course_lib.widgets.labs.edge import EdgeStepper, edge_stepper
from course_lib.widgets.labs.float_bits import FloatBits, float_bits
from course_lib.widgets.labs.microscope import Microscope, microscope
from course_lib.widgets.labs.packets import PacketLab, packet_lab
from course_lib.widgets.labs.row_cost import RowCostLab, row_cost_lab
from course_lib.widgets.labs.swizzle import SwizzleLab, swizzle_lab
from course_lib.widgets.labs.tile_cost import TileCostLab, tile_cost_lab
from course_lib.widgets.labs.verdict import VerdictDesk, verdict_desk
from course_lib.widgets.questions.diagnosis import Diagnosis, diagnosis
from course_lib.widgets.questions.predict import Prediction, predict, reveal
from course_lib.widgets.skeleton.base import Turnable, View

__all__ = [
    "AddressLab",
    "BankLab",
    "BarrierLab",
    "BoxSlider",
    "Diagnosis",
    "EdgeStepper",
    "FloatBits",
    "Microscope",
    "PacketLab",
    "Prediction",
    "RowCostLab",
    "SwizzleLab",
    "TileCostLab",
    "Turnable",
    "VerdictDesk",
    "View",
    "address_lab",
    "bank_lab",
    "barrier_lab",
    "box_slider",
    "diagnosis",
    "edge_stepper",
    "float_bits",
    "microscope",
    "packet_lab",
    "predict",
    "reveal",
    "row_cost_lab",
    "swizzle_lab",
    "tile_cost_lab",
    "verdict_desk",
]
