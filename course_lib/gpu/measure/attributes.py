"""What the driver says of its device: the SMs, what one of them holds, and L2."""

from collections.abc import Iterator

from ..context import Gpu
from ..rows import Row
from ..sm_limits import ATTRIBUTES, sm_limits


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """One row for each attribute: our name, the driver's, the ``value``."""
    for name, value in sm_limits().items():
        yield {"attribute": name, "driver_name": f"CU_DEVICE_ATTRIBUTE_{ATTRIBUTES[name]}", "value": value}
