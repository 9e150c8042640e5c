"""Kernels: .cu files of one idea each, compiled by NVRTC. Needs no GPU and no driver.

They include one header, which lies beside them, so that nvcc too compiles each as it stands; NVRTC gets it by its name.

Source of the options: NVRTC documentation, Supported Compile Options.
"""

from functools import cache
from pathlib import Path
from typing import Any

from cuda.bindings import nvrtc

KERNELS = Path(__file__).parent / "kernels"
HEADER, ONCE = "tma.cuh", "#pragma once\n"
CUBIN = (nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)
PTX = (nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
Macros = dict[str, str | int]


class CompileError(RuntimeError):
    """The compiler refused a kernel; the text is its log, with the kernel's own line numbers."""


def source(kernel: str) -> str:
    """The text of a kernel, to show or to change. FileNotFoundError for an unknown name."""
    return (KERNELS / f"{kernel}.cu").read_text(encoding="utf-8")


def header() -> str:
    """The text of the header that kernels share, to show beside one."""
    return (KERNELS / HEADER).read_text(encoding="utf-8")


def whole_source(kernel: str) -> str:
    """The text of a kernel that stands alone: with the header in the place where it includes it."""
    return source(kernel).replace(f'#include "{HEADER}"\n', header().replace(ONCE, ""))


@cache
def cubin(kernel: str, target: str = "sm_90", **macros: str | int) -> bytes:
    """Machine code of a kernel for ``target`` ("sm_90", "sm_90a", "sm_100a" …), each macro defined as -Dname=value.

    Raises CompileError with the compiler's log, FileNotFoundError for an unknown kernel.
    """
    return compile_text(source(kernel), f"{kernel}.cu", target, **macros)


def compile_text(text: str, name: str, target: str = "sm_90", **macros: str | int) -> bytes:
    """Machine code of any CUDA C++ text, which may include the header; ``name`` is what the log calls it. Raises CompileError."""
    return compile_to(text, name, target, macros, CUBIN)


def ptx_of(text: str, name: str, target: str, macros: Macros) -> str:
    """What NVRTC makes of any CUDA C++ text before it assembles it. Raises CompileError."""
    return compile_to(text, name, target, macros, PTX).decode().strip("\0\n") + "\n"


def compile_to(text: str, name: str, target: str, macros: Macros, result: tuple[Any, Any]) -> bytes:
    """One of NVRTC's results, CUBIN or PTX, for a text; CompileError where it makes none."""
    options = [f"--gpu-architecture={target}".encode(), *(f"-D{k}={v}".encode() for k, v in macros.items())]
    program = create_program(text, name)
    try:
        (code,) = nvrtc.nvrtcCompileProgram(program, len(options), options)
        if int(code):
            raise CompileError(f"{name} for {target}: {code.name}\n{compiler_log(program)}")
        return nvrtc_result(program, *result)
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def create_program(text: str, name: str) -> Any:
    """A text for NVRTC, which has no folder to search: the header goes along under its name."""
    headers = [header().encode()], [HEADER.encode()]
    return nvrtc_value(nvrtc.nvrtcCreateProgram(text.encode(), name.encode(), 1, *headers))


def compiler() -> str:
    """Which compiler this is, for example "NVRTC 13.5". RuntimeError where its library lacks."""
    major, minor = nvrtc.nvrtcVersion()[1:]
    return f"NVRTC {major}.{minor}"


def compiler_log(program: Any) -> str:
    """What the compiler said."""
    return nvrtc_result(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).decode().strip("\0\n")


def nvrtc_result(program: Any, size_of: Any, copy_to: Any) -> bytes:
    """One of NVRTC's results: ask its size, then let it be copied."""
    into = bytearray(nvrtc_value(size_of(program)))
    nvrtc_value(copy_to(program, into))
    return bytes(into)


def nvrtc_value(answer: tuple[Any, ...]) -> Any:
    """The value of an NVRTC call; CompileError where it failed."""
    if int(answer[0]):
        raise CompileError(answer[0].name)
    return answer[1] if len(answer) > 1 else None
