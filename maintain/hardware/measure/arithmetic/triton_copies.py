"""What Triton makes of tl.load: on pointers, and on a descriptor of make_tensor_descriptor. Counted in the PTX.

Triton and PyTorch are no part of the project: where they are missing, the one row says so.
"""

import re
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any, NamedTuple

from course_lib.rows.row import Row

SIZE = 512
OPTIONS = {"num_warps": 4, "num_stages": 3}
TOLERANCE = 2e-3  # of the norm: the product is rounded to float16
INSTRUCTION = re.compile(r"(?<![\w.%])(?:cp\.|ld\.global|st\.global|wgmma\.mma|mma\.sync|ldmatrix|tensormap\.)[\w.:]*")
FAMILIES = {  # the copies by the beginning of their names; a commit or a wait is none
    "cp_async_bulk_tensor": r"cp\.async\.bulk\.tensor\.",
    "cp_async": r"cp\.async\.c[ag]\.",
    "ld_global": r"ld\.global",
    "st_global": r"st\.global",
    "tensormap_replace": r"tensormap\.replace",
}


class TritonCase(NamedTuple):
    """A kernel of triton_kernels with its tile."""

    kernel: str
    uses: str
    tile: dict[str, int]


COPY, PRODUCT = {"ROWS": 128, "COLUMNS": 64}, {"ROWS": 128, "COLUMNS": 128, "DEPTH": 64}
CASES = (
    TritonCase("copy_by_pointers", "tl.load on pointers", COPY),
    TritonCase("copy_by_descriptor", "tl.make_tensor_descriptor", COPY),
    TritonCase("product_by_pointers", "tl.load on pointers", PRODUCT),
    TritonCase("product_by_descriptor", "tl.make_tensor_descriptor", PRODUCT),
)


def instructions(ptx: str) -> Counter[str]:
    """How often each copy, load, store and matrix instruction stands in the text (in a loop: once)."""
    return Counter(INSTRUCTION.findall(re.sub(r"//[^\n]*", "", ptx)))


def families(counted: Counter[str]) -> dict[str, int]:
    """The copies, by family."""
    return {
        name: sum(times for instruction, times in counted.items() if re.match(begin, instruction))
        for name, begin in FAMILIES.items()
    }


def count_copies(case: TritonCase, ptx: str) -> Row:
    """What the PTX of a kernel holds."""
    counted = instructions(ptx)
    target = re.search(r"^\.target (\w+)", ptx, re.M)
    row: Row = {"kind": "triton", "triton_kernel": case.kernel, "uses": case.uses, "tile": case.tile, **OPTIONS}
    row |= {"target": target[1] if target else None} | families(counted)
    return row | {"instructions": dict(sorted(counted.items()))}


def check_copy(torch: Any, kernel: Any, case: TritonCase) -> tuple[Any, bool]:
    """(the compiled kernel, is the copy the matrix?)"""
    source = torch.randn(SIZE, SIZE, device="cuda", dtype=torch.float16)
    target = torch.full_like(source, float("nan"))
    grid = (SIZE // case.tile["ROWS"], SIZE // case.tile["COLUMNS"])
    made = kernel[grid](source, target, SIZE, SIZE, **case.tile, **OPTIONS)
    return made, bool(torch.equal(source, target))


def check_product(torch: Any, kernel: Any, case: TritonCase) -> tuple[Any, bool]:
    """(the compiled kernel, is the product that of float64, rounded?)"""
    a, b = (torch.randn(SIZE, SIZE, device="cuda", dtype=torch.float16) for _ in "ab")
    c = torch.full_like(a, float("nan"))
    grid = (SIZE // case.tile["ROWS"], SIZE // case.tile["COLUMNS"])
    made = kernel[grid](a, b, c, SIZE, SIZE, SIZE, **case.tile, **OPTIONS)
    right = a.double() @ b.double()
    return made, bool((c.double() - right).norm() < TOLERANCE * right.norm())


def run_triton(torch: Any, kernels: Any, case: TritonCase) -> Row:
    """Compile and launch one kernel; the error in words where Triton cannot."""
    work = check_copy if case.kernel.startswith("copy") else check_product
    try:
        made, right = work(torch, getattr(kernels, case.kernel), case)
        return count_copies(case, made.asm["ptx"]) | {"result_is_right": right}
    except Exception as error:  # whatever it is, the other kernels go on and the row says it
        row: Row = {"kind": "triton", "triton_kernel": case.kernel, "uses": case.uses}
        return row | {"failed": f"{type(error).__name__}: {error}"[:600]}


def measure(gpu: object, quick: bool) -> Iterator[Row]:
    """Each kernel once, with Triton's version."""
    try:
        triton, torch = import_module("triton"), import_module("torch")
    except ImportError as missing:
        said = f"{missing.name} is not installed, so what Triton makes of tl.load was not asked."
        yield {"kind": "missing", "said": said}
        return
    if hasattr(triton, "set_allocator"):  # memory for the descriptors that a kernel makes
        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    kernels = import_module(f"{__package__}.triton_kernels")
    for case in CASES:
        yield run_triton(torch, kernels, case) | {"triton": triton.__version__, "torch": torch.__version__}
