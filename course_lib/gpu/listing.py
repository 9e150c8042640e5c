"""A kernel's PTX and SASS, its registers and its shared memory. Needs the compiler, no GPU and no driver."""

import struct
from importlib import import_module
from typing import NamedTuple

from course_lib.model.facts.limits import RESERVED_SHARED_BYTES
from course_lib.rows.row import Row

SECTION = struct.Struct("<IIQQQQIIQQ")  # of a 64-bit ELF: name, type, flags, address, offset, size, …


class Compiler(NamedTuple):
    """``usable``, and the sentence that says what there is, or what lacks."""

    usable: bool
    sentence: str


def compiler_status() -> Compiler:
    """Can kernels be compiled and disassembled here, and if not, why not? Never raises."""
    try:
        nvrtc = import_module("cuda.bindings.nvrtc")
        major, minor = nvrtc.nvrtcVersion()[1:]
        import_module("course_lib.gpu.sass").disassembler()
    except ImportError:
        return Compiler(False, "No compiler: the package cuda-python is not installed (there is none for macOS).")
    except RuntimeError:
        return Compiler(False, "No compiler: the package nvidia-cuda-nvrtc is not installed.")
    except FileNotFoundError:
        return Compiler(False, "No disassembler: the package nvidia-cuda-nvdisasm is not installed.")
    return Compiler(True, f"Compiler: NVRTC {major}.{minor}, nvdisasm.")


def list_kernel(kernel: str, target: str = "sm_90a", **macros: str | int) -> Row:
    """The kernel's ``source`` (whole), ``ptx`` and ``sass``, with its resources. ImportError or RuntimeError without a compiler."""
    compile = import_module("course_lib.gpu.compile")
    text = compile.whole_source(kernel)
    row = resources(kernel, target, **macros) | {"source": text}
    row |= {"ptx": compile.ptx_of(text, "kernel.cu", target, macros)}
    return row | {"sass": disassemble(kernel, target, **macros)}


def disassemble(kernel: str, target: str = "sm_90a", **macros: str | int) -> str:
    """The kernel's SASS, made here. ImportError or RuntimeError without a compiler."""
    compile, sass = (import_module(f"course_lib.gpu.{name}") for name in ("compile", "sass"))
    text: str = sass.sass(compile.cubin(kernel, target, **macros))
    return text


def resources(kernel: str, target: str = "sm_90a", **macros: str | int) -> Row:
    """``registers`` a thread and ``shared_bytes`` that the kernel declares, without those that the system reserves."""
    compile, sass = (import_module(f"course_lib.gpu.{name}") for name in ("compile", "sass"))
    cubin = compile.cubin(kernel, target, **macros)
    row: Row = {"kernel": kernel, "macros": macros, "target": target}
    shared_bytes = max(section_bytes(cubin, ".nv.shared.run") - RESERVED_SHARED_BYTES, 0)
    return row | {"registers": sass.registers(cubin), "shared_bytes": shared_bytes}


def section_bytes(cubin: bytes, name: str) -> int:
    """The size of an ELF section; 0 where there is none."""
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [SECTION.unpack_from(cubin, table + number * size) for number in range(count)]
    strings = sections[names][4]
    for section in sections:
        start = strings + section[0]
        if cubin[start : cubin.index(0, start)] == name.encode():
            return int(section[5])
    return 0
