"""The measurements by name: where each is, how long it may take, and whether the profiler counts its launches."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

from course_lib.rows.row import Row


class Measurement(NamedTuple):
    """``function`` of ``module`` (of this room, or one of course_lib by its whole name), a generator of rows.

    ``how``: "gpu", "counters" (the profiler counts) or "compiler" (no GPU needed).
    """

    module: str
    seconds: float
    how: str = "gpu"
    function: str = "measure"

    def load(self) -> Callable[[Any, bool], Iterator[Row]]:
        """The function: it takes the Gpu (None for the compiler) and whether to be quick."""
        place = self.module if self.module.startswith("course_lib.") else f"{__package__}.{self.module}"
        found: Callable[[Any, bool], Iterator[Row]] = getattr(import_module(place), self.function)
        return found


MEASUREMENTS = {
    "sass": Measurement("course_lib.gpu.sass", 60, "compiler"),
    "assemble": Measurement("assemble", 60, "compiler"),
    "loops": Measurement("loops", 240, "compiler"),
    "listing": Measurement("listing", 60, "compiler"),
    "fence_code": Measurement("fence_code", 60, "compiler"),
    "attributes": Measurement("attributes", 20),
    "bandwidth": Measurement("traffic.bandwidth", 90),
    "same_tile": Measurement("course_lib.gpu.measure.same_tile", 30),
    "narrow": Measurement("traffic.narrow", 80),
    "transpose": Measurement("traffic.transpose", 40),
    "multicast": Measurement("traffic.multicast", 40),
    "latency": Measurement("traffic.latency", 50),
    "fma": Measurement("arithmetic.fma", 20),
    "order": Measurement("order.order", 40),
    "edit": Measurement("order.edit", 20),
    "nulls": Measurement("nulls", 60),
    "fences": Measurement("order.fences", 40),
    "fences_close": Measurement("order.fences_close", 80),
    "stores": Measurement("traffic.stores", 40),
    "sources": Measurement("traffic.sources", 30),
    "peers": Measurement("traffic.peers", 60),
    "tensor_core": Measurement("arithmetic.tensor_core", 150),
    "triton": Measurement("arithmetic.triton_copies", 120),
    "multicast_counters": Measurement("traffic.multicast", 50, "counters", "profile"),
    "transpose_counters": Measurement("traffic.transpose", 40, "counters", "profile"),
    "prefetch": Measurement("course_lib.gpu.measure.prefetch", 60),
    "prefetch_counters": Measurement("course_lib.gpu.measure.prefetch", 120, "counters", "profile"),
    "hints_counters": Measurement("traffic.hints", 120, "counters", "profile"),
    "hints_tensor_counters": Measurement("traffic.hints", 120, "counters", "profile_tensor_copies"),
    "stores_counters": Measurement("traffic.stores", 120, "counters", "profile"),
    "offsets_counters": Measurement("traffic.offsets", 90, "counters", "profile"),
}
