"""Controls around pictures: `predict` and `reveal` for every lesson, and one widget for each subject."""

from .base import Turnable, View
from .predict import Prediction, predict, reveal

__all__ = ["Prediction", "Turnable", "View", "predict", "reveal"]
