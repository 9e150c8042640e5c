"""Controls around pictures: `predict` and `reveal` for every lesson, and one widget for each subject."""

from .base import Turnable, View
from .microscope import Microscope, microscope
from .predict import Prediction, predict, reveal

__all__ = ["Microscope", "Prediction", "Turnable", "View", "microscope", "predict", "reveal"]
