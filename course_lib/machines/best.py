"""Which machine answers here."""

from course_lib.machines.interface import Machine
from course_lib.machines.live import Live
from course_lib.machines.modelled import Model
from course_lib.machines.recorded import Recorded

KINDS: dict[str, type[Machine]] = {"model": Model, "recorded": Recorded, "live": Live}


def machine(kind: str = "") -> Machine:
    """The best machine of this computer: live where there is a usable GPU, else the recordings.

    ``kind`` "model", "recorded" or "live" asks for one by name; ValueError for another name.
    """
    if kind and kind not in KINDS:
        raise ValueError(f"kind={kind!r}: it must be one of {', '.join(KINDS)}")
    if kind:
        return KINDS[kind]()
    from course_lib.gpu.device import gpu_status  # a GPU is looked for only when a machine is asked for

    return Live() if gpu_status().usable else Recorded()
