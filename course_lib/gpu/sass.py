"""One tile by cp.async and by TMA: warp instructions and registers, counted in the machine code. Needs no GPU."""

import re
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from course_lib.gpu import compile
from course_lib.gpu.compile import Macros
from course_lib.rows.row import Row

INSTRUCTION = re.compile(r"/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_.]*)")
REGISTERS = b"\x04\x2f\x08\x00"  # .nv.info: EIATTR_REGCOUNT with 8 bytes: a symbol, the number
TILES: tuple[tuple[str, str, Macros], ...] = (
    ("cp.async, 256 threads", "measure_tile_cp_async", {}),
    ("TMA, elect.sync", "measure_tile_tma", {"ELECT": 1}),
    ("TMA, threadIdx.x == 0", "measure_tile_tma", {"ELECT": 0}),
)
TARGET, WARPS = "sm_90a", 8
ONE_WARP_ONLY = ("@P0 BRA", "BSYNC")


def disassembler() -> str:
    """nvdisasm of the package nvidia-cuda-nvdisasm, or the one on the path. FileNotFoundError where there is none."""
    spec = find_spec("nvidia")
    places = [Path(place) for place in (spec.submodule_search_locations or [] if spec else [])]
    found = next((str(path) for place in places for path in place.glob("*/bin/nvdisasm")), None) or which("nvdisasm")
    if found is None:
        raise FileNotFoundError("nvdisasm: the package nvidia-cuda-nvdisasm is not installed")
    return found


def sass(cubin: bytes) -> str:
    """The machine code as text."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "kernel.cubin"
        path.write_bytes(cubin)
        command = [disassembler(), "-c", str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def opcodes(text: str) -> list[str]:
    """The instructions in order, up to the last EXIT: what lies behind it are the loops of waits that took long."""
    found = [match[1] for line in text.splitlines() if (match := INSTRUCTION.search(line))]
    ends = [index for index, name in enumerate(found) if name == "EXIT"]
    return found[: ends[-1] + 1] if ends else found


def registers(cubin: bytes) -> int:
    """Registers a thread, from the one kernel's .nv.info."""
    at = cubin.index(REGISTERS)
    return int(struct.unpack_from("<I", cubin, at + 8)[0])


def count_issuing(text: str) -> int:
    """The instructions between the first branch that all but the issuing thread's warp take, and where they meet again."""
    names = [line for line in text.splitlines() if INSTRUCTION.search(line)]
    begin = next(index for index, line in enumerate(names) if ONE_WARP_ONLY[0] in line)
    end = next(index for index, line in enumerate(names) if index > begin and ONE_WARP_ONLY[1] in line)
    return end - begin - 1


def count_tile(name: str, kernel: str, macros: Macros) -> Row:
    """One kernel. ``warp_instructions``: what all 8 warps issue, where no wait has to be repeated."""
    cubin = compile.cubin(kernel, TARGET, **macros)
    text = sass(cubin)
    names = opcodes(text)
    alone = count_issuing(text) if kernel.endswith("tma") else 0
    row: Row = {"name": name, "kernel": kernel, "macros": macros, "target": TARGET, "warps": WARPS}
    row |= {"instructions": len(names), "of_one_warp": alone, "registers": registers(cubin)}
    row |= {"warp_instructions": WARPS * (len(names) - alone) + alone}
    return row | {"opcodes": dict(sorted(Counter(names).items()))}


def measure(gpu: object, quick: bool) -> Iterator[Row]:
    """Each kernel once; the compiler that made it."""
    for tile in TILES:
        yield {"compiler": compile.compiler()} | count_tile(*tile)
