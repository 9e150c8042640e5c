"""Times of launches: warmed up, A and B interleaved in a new order each round, medians with spread."""

from collections.abc import Callable, Sequence
from ctypes import addressof, c_void_p
from dataclasses import dataclass
from random import Random
from statistics import median, quantiles
from typing import Any

from cuda.bindings import driver

from course_lib.gpu.context import Trap, driver_value
from course_lib.rows.row import Row

Work = Callable[[], None]
ROUNDS = 9


@dataclass(frozen=True)
class Launch:
    """A kernel with its ctypes arguments; calling it puts it into the queue and doesn't wait."""

    function: Any
    arguments: tuple[Any, ...]
    blocks: tuple[int, int]
    threads: int
    shared_bytes: int = 0

    def __call__(self) -> None:
        pointers = (c_void_p * len(self.arguments))(*(addressof(argument) for argument in self.arguments))
        sizes = (*self.blocks, 1, self.threads, 1, 1, self.shared_bytes, 0)
        driver_value(driver.cuLaunchKernel(self.function, *sizes, addressof(pointers), 0), "launch")


def finish() -> None:
    """Wait for all that was queued. Trap where a kernel faulted."""
    driver_value(driver.cuCtxSynchronize(), "kernel", Trap)


def mark() -> Any:
    """An event behind everything queued so far."""
    event = driver_value(driver.cuEventCreate(0), "event")
    driver_value(driver.cuEventRecord(event, 0), "event")
    return event


def microseconds(begin: Any, end: Any) -> float:
    """The time between two events that have passed; both are given back."""
    spent = 1000 * float(driver_value(driver.cuEventElapsedTime(begin, end), "elapsed"))
    for event in (begin, end):
        driver_value(driver.cuEventDestroy(event), "event")
    return spent


def time_interleaved(works: Sequence[Work], rounds: int = ROUNDS, warm_up: int = 1) -> list[list[float]]:
    """Microseconds of each work, one for each round. In every round all take their turn, in a new order."""
    times: list[list[float]] = [[] for _ in works]
    order = Random(1)
    for turn in range(-warm_up, rounds):
        pending = [(index, enclose(works[index])) for index in order.sample(range(len(works)), len(works))]
        finish()
        for index, events in pending:
            spent = microseconds(*events)
            if turn >= 0:
                times[index].append(spent)
    return times


def time_in_a_row(work: Work, times: int) -> list[float]:
    """Microseconds of each of so many works that follow one another at once: the device never idles between them."""
    pending = [enclose(work) for _ in range(times)]
    finish()
    return [microseconds(*events) for events in pending]


def enclose(work: Work) -> tuple[Any, Any]:
    """The events before and after a work."""
    begin = mark()
    work()
    return begin, mark()


def summarize(values: Sequence[float], name: str = "us") -> Row:
    """Median, quartiles and range of what was measured, and how often."""
    low, _, high = quantiles(values, n=4) if len(values) > 1 else (values[0],) * 3
    kinds = {"median": median(values), "q1": low, "q3": high, "min": min(values), "max": max(values)}
    return {f"{name}_{kind}": round(float(value), 3) for kind, value in kinds.items()} | {"runs": len(values)}
