"""Who answers: the model, the recordings of an H200, or a live Hopper GPU, behind one interface.

Importing this loads no CUDA: only ``machine()`` and ``Live`` look for a GPU.
"""

from .answers import Agreement, Encoded, Mismatch, Moved, Who, agree
from .choice import machine
from .interface import Machine
from .live import Live, LiveError
from .modelled import Model
from .recorded import Recorded

__all__ = [
    "Agreement",
    "Encoded",
    "Live",
    "LiveError",
    "Machine",
    "Mismatch",
    "Model",
    "Moved",
    "Recorded",
    "Who",
    "agree",
    "machine",
]
