"""One box sent to the blocks of a cluster: masks of blocks that are there, that are not, and that have ended."""

from collections.abc import Iterator
from itertools import chain

from course_lib.gpu.asked.multicast import BOX
from course_lib.rows.row import Row

MASKS = {1: (1,), 2: (0b11, 0b10, 0b01), 4: (0b101, 0b1111)}  # that name blocks which are there
BROKEN = (0b101, 0b100, 1 << 15)  # of a cluster of 2: blocks that are not there
LEAVING = ((2, 0b11, 1), (4, 0b1111, 2))  # cluster, mask, the block that has ended


def multicast_rows() -> Iterator[Row]:
    """Masks of blocks that are there, of blocks that are not, of none, and of a block that has ended."""
    whole = ((cluster, mask, None) for cluster, masks in MASKS.items() for mask in masks)
    odd = ((2, mask, None) for mask in (*BROKEN, 0))
    for cluster, mask, leaves in chain(whole, odd, LEAVING):
        yield {"cluster": cluster, "mask": mask, "leaves": leaves, "box": list(BOX)}
