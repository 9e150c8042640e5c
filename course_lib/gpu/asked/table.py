"""The actions of a child process by name: each takes the Gpu, a row, and whether to keep all bytes."""

from collections.abc import Callable

from course_lib.gpu.asked import banks, barriers, bulk, copies, multicast, operands
from course_lib.rows.row import Row

ACTIONS: dict[str, Callable[..., Row]] = {
    "encode": copies.encode_row,
    "load": copies.load,
    "store": copies.store,
    "prefetch": copies.prefetch,
    "bulk": bulk.bulk,
    "operands": operands.reduce_operands,
    "barrier": barriers.barrier,
    "misuse": barriers.misuse,
    "pieces": barriers.count_hits,
    "multicast": multicast.multicast,
    "banks": banks.bank_cycles,
}
