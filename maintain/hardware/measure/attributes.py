"""What the driver says of its device: the SMs, what one of them holds, and L2."""

from collections.abc import Iterator

from course_lib.gpu.context import Gpu
from course_lib.gpu.sm_limits import ATTRIBUTES, sm_limits
from course_lib.rows.row import Row


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """One row for each attribute: our name, the driver's, the ``value``."""
    for name, value in sm_limits().items():
        yield {"attribute": name, "driver_name": f"CU_DEVICE_ATTRIBUTE_{ATTRIBUTES[name]}", "value": value}
