# mypy: ignore-errors
# ruff: noqa: N803
"""Triton kernels for ``triton_copies``: the same work with tl.load on pointers and with loads on a tensor descriptor.

Imports Triton, which the project doesn't need otherwise. All sizes are whole numbers of tiles.
"""

import triton
import triton.language as tl


@triton.jit
def copy_by_pointers(source, target, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """A tile of a matrix to the same place of another."""
    y = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    x = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    at = y[:, None] * columns + x[None, :]
    tl.store(target + at, tl.load(source + at))


@triton.jit
def copy_by_descriptor(source, target, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """The same through descriptors that the kernel makes."""
    here = tl.make_tensor_descriptor(source, [rows, columns], [columns, 1], [ROWS, COLUMNS])
    there = tl.make_tensor_descriptor(target, [rows, columns], [columns, 1], [ROWS, COLUMNS])
    at = [tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS]
    there.store(at, here.load(at))


@triton.jit
def product_by_pointers(a, b, c, rows, columns, depth, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr):
    """A tile of C = A B, all three row by row."""
    y = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    x = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    k = tl.arange(0, DEPTH)
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for begin in range(0, depth, DEPTH):
        left = tl.load(a + y[:, None] * depth + (begin + k)[None, :])
        right = tl.load(b + (begin + k)[:, None] * columns + x[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + y[:, None] * columns + x[None, :], total.to(tl.float16))


@triton.jit
def product_by_descriptor(
    a, b, c, rows, columns, depth, ROWS: tl.constexpr, COLUMNS: tl.constexpr, DEPTH: tl.constexpr
):
    """The same through descriptors that the kernel makes."""
    left = tl.make_tensor_descriptor(a, [rows, depth], [depth, 1], [ROWS, DEPTH])
    right = tl.make_tensor_descriptor(b, [depth, columns], [columns, 1], [DEPTH, COLUMNS])
    out = tl.make_tensor_descriptor(c, [rows, columns], [columns, 1], [ROWS, COLUMNS])
    y, x = tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS
    total = tl.zeros((ROWS, COLUMNS), tl.float32)
    for begin in range(0, depth, DEPTH):
        total = tl.dot(left.load([y, begin]), right.load([begin, x]), total)
    out.store([y, x], total.to(tl.float16))
