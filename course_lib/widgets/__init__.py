"""Controls around pictures: `predict` and `reveal` for every lesson, and one widget for each subject."""

from .address import AddressLab, address_lab
from .banks import BankLab, bank_lab
from .barrier import BarrierLab, barrier_lab
from .base import Turnable, View
from .box import BoxSlider, box_slider
from .diagnosis import Diagnosis, diagnosis
from .edge import EdgeStepper, edge_stepper
from .float_bits import FloatBits, float_bits
from .microscope import Microscope, microscope
from .packets import PacketLab, packet_lab
from .predict import Prediction, predict, reveal
from .row_cost import RowCostLab, row_cost_lab
from .swizzle import SwizzleLab, swizzle_lab
from .tile_cost import TileCostLab, tile_cost_lab
from .verdict import VerdictDesk, verdict_desk

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
