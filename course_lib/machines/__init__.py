"""Who answers: the model, the recordings of an H200, or a live Hopper GPU, behind one interface.

Importing this loads no CUDA: only ``machine()`` and ``Live`` look for a GPU.
"""

from course_lib.machines.answers import Agreement, Encoded, Mismatch, Moved, Who, agree
from course_lib.machines.best import machine
from course_lib.machines.interface import Machine
from course_lib.machines.live import Live, LiveError
from course_lib.machines.modelled import Model
from course_lib.machines.recorded import Recorded

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
