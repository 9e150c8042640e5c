"""Copies that trap, or might: each alone, and two or three causes at once, to see which CUresult wins."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from course_lib.model.call.sizes import transaction_bytes
from course_lib.rows.calls import tensor_map_of
from course_lib.rows.row import Row
from maintain.hardware.cases.encode import im2col_base, tiled_base

FaultJob = tuple[str, Row]  # what to do, the row
SEED = 96
NOT_THERE = 1 << 44  # an offset at which nothing is mapped
PAST_715: Row = {"coordinates": [1, 0]}  # 4 bytes: no multiple of 16
CAUSES: dict[str, Row] = {
    "innermost coordinate off 16 bytes": PAST_715,
    "shared address off 128": {"shared_address": 64},
    "global memory not there": {"global_address": NOT_THERE},
}


def load_of(row: Row, **changed: Any) -> Row:
    """A load through ``row`` at the tensor's start."""
    asked = {
        "global_address": 1 << 20,
        "coordinates": [0] * row["rank"],
        "seed": SEED,
        "shared_address": 0,
        "window_bytes": 4096,
    }
    if row["api"] != "tiled":
        asked |= {"im2col_offsets": [0] * (row["rank"] - 2)}
    row = row | asked | changed
    return row | {"transaction_bytes": transaction_bytes(tensor_map_of(row))}


def store_of(row: Row, op: str = "store", **changed: Any) -> Row:
    """A store or reduction through ``row`` at the tensor's start."""
    asked = {"op": op, "global_address": 1 << 16, "coordinates": [0] * row["rank"], "seed": SEED, "shared_address": 0}
    row = row | asked | changed
    return row | {"bytes": transaction_bytes(tensor_map_of(row))}


def because(why: str, do: str, row: Row) -> FaultJob:
    """A job with its reason."""
    return do, row | {"why": why}


def together(do: str, make: Any) -> Iterator[FaultJob]:
    """Each cause alone, each two, all three."""
    for chosen in product((False, True), repeat=len(CAUSES)):
        names = [name for name, there in zip(CAUSES, chosen, strict=True) if there]
        changed: Row = {}
        for name in names:
            changed |= CAUSES[name]
        if names:
            yield because(" + ".join(names), do, make(tiled_base(2, 2), **changed))


def missing_memory() -> Iterator[FaultJob]:
    """Memory that is not there, in whole or in part. A null address is no offset: the row says so by itself."""
    flat = tiled_base(2, 2)
    for do, make in (("load", load_of), ("store", store_of)):
        yield because("null address", do, make(flat, absolute_address=0, global_address=NOT_THERE))
        yield because("row 1 of the box not there", do, make(flat, global_strides=[1 << 38]))
    yield because("not there", "store", store_of(flat, "add", global_address=NOT_THERE))


def outside_jobs() -> Iterator[FaultJob]:
    """Boxes outside a tensor whose memory is not there, or of which only the first row is: does the copy look at it?"""
    places = ([64, 0], [0, 64], [0, 1000], [-8, 0], [0, -2], [0, -1], [0, 63], [60, 0])
    far: dict[str, Row] = {
        "base there, row 1 not": {"global_strides": [1 << 38]},
        "not there": {"global_address": NOT_THERE},
    }
    for why, changed in far.items():
        for at in places:
            yield because(
                f"{why}, box of 8 x 2 at {at} of 64 x 64", "load", load_of(tiled_base(2, 2), **changed, coordinates=at)
            )
        for at in ([64, 0], [0, 64], [0, 63]):
            yield because(
                f"{why}, box of 8 x 2 at {at} of 64 x 64",
                "store",
                store_of(tiled_base(2, 2), **changed, coordinates=at),
            )
    pixel = im2col_base(4, data_type=2)
    for at in ([0, 0, 0, 64], [0, 0, 0, -1], [0, -1, 0, 0], [64, 0, 0, 0]):
        yield because(f"not there, column at {at}", "load", load_of(pixel, global_address=NOT_THERE, coordinates=at))
    deep = tiled_base(3, 2, interleave=1)
    for at in ([64, 0, 0], [0, 64, 0], [0, 0, 64]):
        yield because(
            f"not there, interleaved box at {at}", "load", load_of(deep, global_address=NOT_THERE, coordinates=at)
        )


def prefetch_of(base: Row, **changed: Any) -> Row:
    """A load row that says that nothing is loaded: a recorded outcome has no window."""
    return load_of(base, **changed) | {"prefetch": True}


def prefetch_jobs() -> Iterator[FaultJob]:
    """Tiled prefetches: nothing is to be seen but a fault."""
    flat, coarse = tiled_base(2, 2), tiled_base(2, 0)
    for name, changed in CAUSES.items():
        if "shared_address" not in changed:
            yield because(name, "prefetch", prefetch_of(flat, **changed))
    yield because("null address", "prefetch", prefetch_of(flat, absolute_address=0, global_address=NOT_THERE))
    for at in ([0, 64], [0, -2], [-8, 0], [0, 0]):
        yield because(f"box at {at}", "prefetch", prefetch_of(flat, coordinates=at))
    yield because("innermost coordinate off 16 bytes, negative", "prefetch", prefetch_of(coarse, coordinates=[-8, 0]))


def prefetch_im2col_jobs() -> Iterator[FaultJob]:
    """im2col prefetches: starts in the bounding box and outside it, memory that is not there, other ranks."""
    pixel = im2col_base(4, data_type=2)  # 64 x 64 pixels, corners -1 and -1: starts -1 to 62
    inside = ([0, 0, 0, 0], [0, -1, 62, 0], [0, 0, 0, 64], [0, 0, 0, -1], [64, 0, 0, 0], [-4, 0, 0, 0])
    for at in (*inside, [0, -2, 0, 0], [0, 63, 0, 0], [0, 0, -2, 0], [0, 0, 63, 0], [1, 0, 0, 0]):
        yield because(f"im2col prefetch at {at}, starts -1 to 62", "prefetch", prefetch_of(pixel, coordinates=at))
    yield because("im2col prefetch, filter offsets", "prefetch", prefetch_of(pixel, im2col_offsets=[5, 255]))
    for at in ([0, 0, 0, 0], [0, 63, 0, 0]):
        row = prefetch_of(pixel, global_address=NOT_THERE, coordinates=at)
        yield because(f"im2col prefetch at {at}, memory not there", "prefetch", row)
    null = prefetch_of(pixel, absolute_address=0, global_address=NOT_THERE)
    yield because("im2col prefetch, null address", "prefetch", null)
    for rank, interleave in ((3, 0), (5, 0), (4, 1)):
        row = prefetch_of(im2col_base(rank, data_type=2, interleave=interleave))
        yield because(f"im2col prefetch, rank {rank}, interleave {interleave}", "prefetch", row)


def alignment_jobs() -> Iterator[FaultJob]:
    """Shared addresses, coordinates, the barrier's address."""
    flat = tiled_base(2, 2)
    for address in (1, 8, 16, 96):
        yield because("shared address off 128", "load", load_of(flat, shared_address=address))
    for op, address in product(("store", "add"), (16, 64)):
        yield because("shared address off 128", "store", store_of(flat, op, shared_address=address))
    yield because("innermost coordinate off 16 bytes", "store", store_of(flat, "add", coordinates=[1, 0]))
    yield because("innermost coordinate off 16 bytes, negative", "load", load_of(flat, coordinates=[-1, 0]))
    yield because("innermost coordinate off 16 bytes, box outside", "load", load_of(flat, coordinates=[1, 64]))
    yield because(
        "innermost coordinate off 16 bytes", "load", load_of(im2col_base(4, data_type=2), coordinates=[1, 0, 0, 0])
    )
    yield because("barrier off 8 bytes", "load", load_of(flat, barrier_offset=4))
    yield because(
        "barrier off 8 bytes + innermost coordinate", "load", load_of(flat, barrier_offset=4, coordinates=[1, 0])
    )
    yield because("packet coordinate 1 is fine", "load", load_of(tiled_base(3, 2, interleave=1), coordinates=[1, 0, 0]))


def starts() -> Iterator[FaultJob]:
    """im2col starts around the bounding box; stores at negative coordinates."""
    pixel = im2col_base(4, data_type=2)  # 64 x 64 pixels, corners -1 and -1: starts -1 to 62
    for at in (
        [0, -2, 0, 0],
        [0, 63, 0, 0],
        [0, 0, -2, 0],
        [0, 0, 63, 0],
        [0, -1, 62, 0],
        [0, 0, 0, -1],
        [0, 0, 63, 64],
        [-4, 0, 0, 0],
    ):
        yield because(f"im2col start {at[1:]} in -1 to 62; channel {at[0]}", "load", load_of(pixel, coordinates=at))
    outside = {"coordinates": [0, 63, 0, 0]}
    yield because("im2col start outside + shared address off 128", "load", load_of(pixel, shared_address=64, **outside))
    yield because(
        "im2col start outside + global memory not there", "load", load_of(pixel, global_address=NOT_THERE, **outside)
    )
    for at in ([-4, 0], [0, -1], [0, -64]):
        yield because("negative coordinate", "store", store_of(tiled_base(2, 2), coordinates=at))
    yield because("negative coordinate", "store", store_of(tiled_base(2, 2), "add", coordinates=[0, -1]))
    yield because(
        "negative coordinate + shared address",
        "store",
        store_of(tiled_base(2, 2), coordinates=[0, -1], shared_address=64),
    )


SPACE: Row = {"global_dim": [64, 9, 5, 4], "global_strides": [256, 2304, 11520], "pixels_per_column": 8}
CORNERS = (
    ([0, 0], [0, 0]),
    ([1, 0], [-1, -1]),
    ([-1, 0], [0, 0]),
    ([0, -1], [0, 0]),
    ([0, 0], [1, 0]),
    ([0, 0], [0, 1]),
)
STARTS = (  # around the box of positions 1 to 7 and 1 to 3: channel, width, height, image
    *([0, 0, 1, 0], [0, 1, 0, 0], [0, 8, 1, 0], [0, 1, 4, 0], [0, 7, 3, 3], [0, 1, 1, 4], [0, 1, 1, 3]),
    *([64, 1, 1, 0], [60, 1, 1, 0], [1, 1, 1, 0]),
)


def im2col_stores() -> Iterator[FaultJob]:
    """im2col stores around a pixel box that lies inside the tensor, at its edge, or leaves it."""
    for lower, upper in CORNERS:
        row = pixel_space(lower, upper)
        yield because(f"im2col store, corners {lower} and {upper}", "store", store_of(row, coordinates=[0, 2, 1, 0]))
    row = pixel_space([1, 1], [-1, -1])
    for at in STARTS:
        why = f"im2col store at {at} of 64 x 9 x 5 x 4, starts 1 to 7 and 1 to 3"
        yield because(why, "store", store_of(row, coordinates=at))
    off = store_of(row, coordinates=[0, 1, 1, 0], shared_address=64)
    yield because("im2col store + shared address off 128", "store", off)
    yield because("im2col reduction", "store", store_of(row, "add", coordinates=[0, 7, 3, 3]))


def pixel_space(lower: list[int], upper: list[int]) -> Row:
    """A small im2col map with these corners."""
    return im2col_base(4, data_type=2, **SPACE, pixel_box_lower_corner=lower, pixel_box_upper_corner=upper)


def bad_pairs() -> Iterator[FaultJob]:
    """A reduction that the hardware lacks, alone and with other causes."""
    flat = tiled_base(2, 0)
    yield because("bad pair add uint8", "store", store_of(flat, "add"))
    yield because("bad pair + shared address off 128", "store", store_of(flat, "add", shared_address=64))
    yield because("bad pair + global memory not there", "store", store_of(flat, "add", global_address=NOT_THERE))
    yield because("bad pair, box outside the tensor", "store", store_of(flat, "add", coordinates=[0, 64]))


LOAD_ENDS_KIB = (2, 3, 4, 16, 128, 224, 225, 226, 227, 228, 229, 240, 255, 256, 257, 512, 1024, 8192, 16383, 16384)
STORE_ENDS_KIB = (4, 5, 224, 227, 228, 229, 256, 1024)


def past_the_window() -> Iterator[FaultJob]:
    """Shared memory beyond what the block allocated."""
    flat = tiled_base(2, 2, box_dim=[8, 32])  # 1,024 bytes
    for kib in LOAD_ENDS_KIB:
        for window in (2048, 224 * 1024) if kib > 200 else (2048,):
            row = prefetch_of(flat, window_bytes=window, shared_address=kib * 1024 - 1024)
            yield because(f"box ends at {kib} KiB of a window of {window} bytes", "load", row)
    row = prefetch_of(flat, window_bytes=2048, shared_address=1152)
    yield because("box ends 128 bytes past a window of 2048", "load", row)
    for kib in STORE_ENDS_KIB:
        row = store_of(flat, shared_bytes=4096, shared_address=kib * 1024 - 1024)
        yield because(f"box ends at {kib} KiB of 4096 bytes of shared memory", "store", row)


def fault_jobs() -> Iterator[FaultJob]:
    """All of them: (what to do, the row with its ``why``)."""
    yield from together("load", load_of)
    yield from together("store", store_of)
    for family in (missing_memory, alignment_jobs, starts, im2col_stores, bad_pairs):
        yield from family()
