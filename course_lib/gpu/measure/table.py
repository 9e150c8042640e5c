"""The measurements by name: where each is, how long it may take, and whether the profiler counts its launches."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

from ..rows import Row


class Measurement(NamedTuple):
    """``function`` of ``module``, a generator of rows; ``how``: "gpu", "counters" or "compiler" (no GPU needed)."""

    module: str
    seconds: float
    how: str = "gpu"
    function: str = "measure"

    def load(self) -> Callable[[Any, bool], Iterator[Row]]:
        """The function: it takes the Gpu (None for the compiler) and whether to be quick."""
        module = import_module(f"{__package__}.{self.module}")
        found: Callable[[Any, bool], Iterator[Row]] = getattr(module, self.function)
        return found


MEASUREMENTS = {
    "sass": Measurement("sass", 60, "compiler"),
    "assemble": Measurement("assemble", 60, "compiler"),
    "loops": Measurement("loops", 240, "compiler"),
    "listing": Measurement("listing", 60, "compiler"),
    "fence_code": Measurement("fence_code", 60, "compiler"),
    "attributes": Measurement("attributes", 20),
    "bandwidth": Measurement("bandwidth", 90),
    "same_tile": Measurement("same_tile", 30),
    "narrow": Measurement("narrow", 80),
    "transpose": Measurement("transpose", 40),
    "multicast": Measurement("multicast", 40),
    "latency": Measurement("latency", 50),
    "fma": Measurement("fma", 20),
    "order": Measurement("order", 40),
    "edit": Measurement("edit", 20),
    "nulls": Measurement("nulls", 60),
    "fences": Measurement("fences", 40),
    "fences_close": Measurement("fences_close", 80),
    "stores": Measurement("stores", 40),
    "sources": Measurement("sources", 30),
    "peers": Measurement("peers", 60),
    "tensor_core": Measurement("tensor_core", 150),
    "triton": Measurement("triton_copies", 120),
    "multicast_counters": Measurement("multicast", 50, "counters", "profiled"),
    "transpose_counters": Measurement("transpose", 40, "counters", "profiled"),
    "prefetch": Measurement("prefetch", 60),
    "prefetch_counters": Measurement("prefetch", 120, "counters", "profiled"),
    "hints_counters": Measurement("hints", 120, "counters", "profiled"),
    "hints_tensor_counters": Measurement("hints", 120, "counters", "by_tensor_copies"),
    "stores_counters": Measurement("stores", 120, "counters", "profiled"),
    "offsets_counters": Measurement("offsets", 90, "counters", "profiled"),
}
