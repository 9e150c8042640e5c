"""A descriptor's address edited on the device by tensormap.replace, and used at once: with and without the proxy fences."""

from collections.abc import Iterator
from ctypes import Structure, c_uint32, c_uint64
from itertools import product

import numpy as np

from course_lib.gpu.compile import Macros
from course_lib.gpu.context import Gpu, pointer
from course_lib.gpu.encode import encode
from course_lib.gpu.measure.buffers import map_argument, read_words
from course_lib.gpu.measure.timing import Launch, finish
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.facts.enums import DataType
from course_lib.rows.row import Row

MEMORIES, TILE, ROW_BYTES = 4, 32, 128
EDITS, LAUNCHES = 256, 16
MEMORY_BYTES = 1 << 16


class EditRequest(Structure):
    """The kernel's struct request."""

    _fields_ = (("memory", c_uint64 * MEMORIES), ("edits", c_uint32), ("tile_bytes", c_uint32))


def numbered_memories(gpu: Gpu) -> list[int]:
    """Memories that begin with their own number, counted from 1."""
    addresses = [gpu.buffer(f"memory {number}", MEMORY_BYTES) for number in range(MEMORIES)]
    for number, address in enumerate(addresses, 1):
        gpu.write(address, np.full(MEMORY_BYTES // 4, number, np.uint32).view(np.uint8))
    return addresses


def launch_edits(gpu: Gpu, macros: Macros, addresses: list[int], blocks: int) -> tuple[list[int], bytes]:
    """(what each copy brought, the edited descriptor's bytes)."""
    place, arrived = gpu.buffer("descriptor", 256), gpu.buffer("arrived", 4 * EDITS)
    gpu.write(place, np.zeros(256, np.uint8))
    map_bytes = map_argument(addresses[0], ROW_BYTES, MEMORY_BYTES // ROW_BYTES, ROW_BYTES, ROW_BYTES, TILE)
    request = EditRequest((c_uint64 * MEMORIES)(*addresses), EDITS, TILE * ROW_BYTES)
    arguments = (map_bytes, request, pointer(place), pointer(arrived))
    Launch(gpu.function("measure_edit", macros=macros), arguments, (blocks, 1), 32, TILE * ROW_BYTES)()
    finish()
    return read_words(gpu, arrived, EDITS).tolist(), gpu.read(place, 128).tobytes()


def driver_bytes(address: int) -> bytes:
    """The driver's own bytes for that address."""
    shape = (ROW_BYTES // 4, MEMORY_BYTES // ROW_BYTES)
    plain = TiledTensorMap(
        data_type=DataType.FLOAT32,
        global_address=address,
        global_dim=shape,
        global_strides=(ROW_BYTES,),
        box_dim=(shape[0], TILE),
    )
    return encode(plain)[1] or b""


def measure(gpu: Gpu, quick: bool) -> Iterator[Row]:
    """k of n copies that saw the edit made just before them."""
    addresses = numbered_memories(gpu)
    wanted = [1 + k % MEMORIES for k in range(EDITS)]
    for release, acquire in product((1, 0), (1, 0)):
        macros: Macros = {"RELEASE": release, "ACQUIRE": acquire}
        tries = [launch_edits(gpu, macros, addresses, 1) for _ in range(2 if quick else LAUNCHES)]
        fresh = sum(a == b for found, _ in tries for a, b in zip(found, wanted, strict=True))
        early = sum(found[0] == wanted[0] for found, _ in tries)
        last = driver_bytes(addresses[(EDITS - 1) % MEMORIES])
        row: Row = {"kernel": "measure_edit", "macros": macros, "edits": EDITS * len(tries), "fresh": fresh}
        row |= {"first_fresh": early, "launches": len(tries), "never_came": sum(f.count(0xFFFFFFFF) for f, _ in tries)}
        yield row | {"bytes_are_the_drivers": all(data == last for _, data in tries)}
