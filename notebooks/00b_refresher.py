# %% [markdown]
# # 00b · A kernel engineer's refresher
#
# **The question:** what must I know first?
#
# Afterwards you can
#
# - say which warp a thread belongs to, and how many threads run a guarded line,
# - find the bytes of any element from shape and strides, in elements or bytes,
# - read hex addresses, masks, and the bits of a float,
# - read a short kernel in PTX and in SASS, line by line,
# - say what `cp.async` does, when its bytes are there, and for whom,
# - work out how many blocks an SM holds, and how many bytes must be under way to keep memory busy.
#
# **Time:** about 40 minutes for all of it, about 5 for a section. Nothing is graded. **You need:** some CUDA C++ and a
# little NumPy. You need no GPU and no CUDA.
#
# The text of a section needs no other section, so go where the questions of [lesson 00](00_start_here.ipynb) sent
# you. Its cells use names from the cells above: select the first cell of the section, then *Run* → *Run All Above
# Selected Cell*.

# %% [markdown]
# ## What you need, again
#
# Each section tells what the later lessons take for granted, and ends with one or two questions. Commit an answer,
# then run the next cell. Every claim about the hardware carries a label: **measured**, **documented**, **model** or
# **seen**; lesson 00 says what they mean.
#
# Three questions from lesson 00. Answer each aloud before you open it.
#
# <details><summary>What does a dimension of a tensor map count, and what a stride?</summary>A dimension counts elements, a
# stride counts bytes.</details>
#
# <details><summary>Which dimension does the driver name first?</summary>The innermost: the one whose elements lie side
# by side.</details>
#
# <details><summary>The driver accepts a call. What does that tell you?</summary>That it is legal. Not that it is what
# you meant.</details>

# %%
import numpy as np

from course_lib.widgets import predict, reveal

# %% [markdown]
# ## Warps and blocks
#
# A launch makes a **grid** of **blocks**, and a block is up to 1024 threads. A block stays on one **SM**, a
# *streaming multiprocessor*, from its first instruction to its last, and its threads share memory and can wait for
# each other. Nothing is promised about the order of blocks. The hardware cuts a block into **warps** of 32 threads,
# the *lanes*, and issues one instruction for a whole warp. An SM has four schedulers, each for a quarter of its warps
# (**documented**: CUDA Programming Guide, compute capability 9.0). The cut goes by a thread's number in the block, in
# which *x* counts fastest, then *y*, then *z* (**documented**: CUDA Programming Guide, SIMT architecture and thread
# hierarchy).


# %%
def warp_and_lane(x, y, z, block_dim):
    number = x + block_dim[0] * (y + block_dim[1] * z)
    return divmod(number, 32)


warp_and_lane(5, 3, 0, block_dim=(16, 16, 1))

# %% [markdown]
# Thread (5, 3) of a block of 16 × 16 has the number 5 + 16 × 3 = 53: lane 21 of warp 1. A warp here is two rows of 16.

# %%
warps = predict(
    "A block is 20 × 10 threads. How many warps does the SM keep for it?",
    number=(1, 32),
    name="Warps of 20 × 10 threads",
)

# %% jupyter={"outputs_hidden": true}
threads = [warp_and_lane(x, y, 0, (20, 10, 1)) for y in range(10) for x in range(20)]
reveal(warps, model=len({warp for warp, lane in threads}))

# %% [markdown]
# Seven: 200 threads are six warps and a quarter, and the last 24 lanes have no thread. A warp is never shared between
# blocks. Where only some lanes of a warp take a branch, the warp runs it with the others switched off. A lane that waits
# costs as much as one that works.
#
# A kernel that uses the copy engine lets *one* thread issue the copy. So this matters more than it looks:

# %%
leaders = predict(
    "A block is 64 × 4 threads. How many threads run the body of `if (threadIdx.x == 0)`?",
    number=(0, 256),
    name="Threads in the branch",
)

# %% jupyter={"outputs_hidden": true}
branch = [warp_and_lane(0, y, 0, (64, 4, 1)) for y in range(4)]
reveal(leaders, model=len(branch))

# %% jupyter={"outputs_hidden": true}
branch

# %% [markdown]
# Four, one for each *y*, in the warps 0, 2, 4 and 6 (**model**). A copy in that branch is issued four times. In a
# block with more than one dimension, test the thread's *number*.
#
# ## Shared memory
#
# Each SM has its own shared memory, and a block has its share of the one where it runs. (The blocks of a *cluster* can
# reach each other's: lesson 14.) On Hopper an SM has 228 KiB, of which the system keeps 1 KiB for each block, so one
# block can have 227 KiB. A kernel may declare 48 KiB of it statically; more must be dynamic, and asked for before the
# launch by `cudaFuncSetAttribute(…, cudaFuncAttributeMaxDynamicSharedMemorySize, …)` (**documented**: CUDA Programming
# Guide, compute capability 9.0). A shared address is a 32-bit number in a window of its own;
# `__cvta_generic_to_shared` makes it from a pointer.
#
# What one thread writes, another may read only after both have passed a barrier such as `__syncthreads()`.
#
# The memory has 32 **banks**. Four neighbouring bytes are a word, neighbouring words lie in neighbouring banks, and a
# bank gives one word a cycle. This counts the words that each bank must give when 32 lanes read one word each, every
# fourth word of memory:

# %%
lane = np.arange(32)
np.bincount(16 * lane // 4 % 32, minlength=32)

# %% [markdown]
# Eight banks give four words each, and 24 have nothing to do. Now every *second* word. The answer comes from an H200,
# where 16 warps did this read over and over:

# %%
turns = predict(
    "32 lanes read 4 bytes each, 8 bytes apart. How many cycles does the read take?",
    choices=["1", "2", "4", "8"],
    name="Cycles of the read",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings import committed, provenance, read_rows
from course_lib.recordings.times.banks import bank_read

read = bank_read("stride 2 x 4 bytes")
reveal(turns, model=str(read.modelled.turns), hardware=str(int(read.cycles)), source=provenance("bank_cycles.jsonl.xz"))

# %% [markdown]
# Two (**measured**): 16 banks give two words each. [Lesson 08](08_banks.ipynb) has all of it, and the cases where this
# count misleads. The second question is about size.

# %%
tiles = predict(
    "A tile of 128 × 64 bfloat16 is 16 KiB. How many such tiles fit into the shared memory of one block?",
    number=(1, 20),
    name="Tiles in a block",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.model.facts.limits import SHARED_MEMORY_PER_BLOCK_BYTES

reveal(tiles, model=SHARED_MEMORY_PER_BLOCK_BYTES // (128 * 64 * 2))

# %% [markdown]
# 14, with 3 KiB to spare for barriers. With 228 KiB it would be 14 too; it is the 48 KiB that people run into, at
# the fourth tile.
#
# ## Strides
#
# Memory is one line of bytes. An array in it is a start, the size of an element, and for each axis a **stride**: how
# far it is to the next element along that axis. So
#
# > byte of an element = start + *i0* × *stride0* + *i1* × *stride1* + …
#
# Here is a float32 array of 4 rows and 8 columns, whose rows are 32 bytes long and lie 48 bytes apart. The distance
# of the rows is often called the **pitch**. (Axes as NumPy and C have them: rows first. A line of the picture is 32
# bytes.)

# %%
from course_lib.draw import memory_picture
from course_lib.model.call.strided import Strided

padded = Strided(shape=(4, 8), strides=(48, 4), item_bytes=4, base=64)
memory_picture(padded, index=(2, 5))

# %% [markdown]
# Element [2, 5] is 64 + 2 × 48 + 5 × 4 = byte 180. **Row-major** means that rows follow each other, so the last axis
# has the smallest stride; **column-major**, that columns do, and the first axis has it. The array above is row-major,
# with gaps between the rows. A slice or a transposed view is other strides on the same bytes; nothing moves:

# %%
memory = np.zeros(256, np.uint8)
array = np.ndarray((4, 8), np.float32, memory, offset=64, strides=(48, 4))
array.strides, array.T.strides, array[1:, 4:].strides

# %%
columns = predict(
    "The same array. What are the strides of array[:, ::2], in bytes?",
    choices=["(48, 4)", "(48, 8)", "(24, 8)", "(96, 4)"],
    name="Strides of every second column",
)

# %% jupyter={"outputs_hidden": true}
reveal(columns, model=str(array[:, ::2].strides))

# %% [markdown]
# Only the step from column to column doubles. Which **unit** a stride has depends on who speaks: NumPy and the
# driver's `globalStrides` count bytes, PyTorch and DLPack count elements (**documented**: NumPy, CUDA Driver API,
# PyTorch, dlpack.h).

# %%
tensor_byte = predict(
    "A bfloat16 tensor in PyTorch has stride() = (80, 1). How many bytes behind its start does element [3, 2] begin?",
    number=(0, 1000),
    name="Bytes behind the start",
)

# %% jupyter={"outputs_hidden": true}
reveal(tensor_byte, model=Strided((4, 64), (80 * 2, 1 * 2), item_bytes=2).address((3, 2)))

# %% [markdown]
# (3 × 80 + 2 × 1) × 2 = 484. Turn it yourself: every number is a control, and the sum, the NumPy view, the PyTorch
# view and the C expression stand below. Guess first, then turn:
#
# - Make the array column-major. How far apart are [0, 0] and [0, 1] now?
# - With which row stride is there one row for all? With which do neighbouring rows share half of their bytes?
# - Which row strides make every row begin on 16 bytes? (The copy engine asks for that, and `cp.async` of 16 bytes.)

# %%
from course_lib.widgets import address_lab

address_lab()

# %% [markdown]
# [Lesson 04](04_shapes_strides_boxes.ipynb) turns such views into tensor maps, and says which have none.
#
# ## Bits and hexadecimal
#
# Alignment, banks and descriptors are questions about *bits* of an address, and a hex digit is four bits. Worth
# knowing by heart: `0x10` is 16, `0x80` is 128, `0x100` is 256, `0x400` is 1024, `0x10000` is 65,536. With a power
# of two *n*, division needs no division:
#
# | to get | write | because |
# | --- | --- | --- |
# | *a* modulo *n* | `a & (n - 1)` | the low bits are the rest |
# | *a* rounded down to a multiple | `a & ~(n - 1)` | the low bits go |
# | *a* rounded up to a multiple | `(a + n - 1) & ~(n - 1)` | past it, then down |
# | *a* / 2<sup>k</sup>, rounded down | `a >> k` | the low *k* bits fall off |
# | bits *k* to *k* + *w* − 1 | `a >> k & ((1 << w) - 1)` | move down, cut off |
# | the largest power of two that divides *a* | `a & -a` | the lowest bit that is 1 |
#
# `&` keeps a bit that both have, `|` one that either has, and `^`, XOR, one that **exactly one** has. So XOR with a 1
# flips a bit, XOR with a 0 leaves it, and the same XOR twice gives back what was there.

# %%
a, n = 0x12F4, 128
[hex(value) for value in (a & (n - 1), a & ~(n - 1), (a + n - 1) & ~(n - 1), a & -a, a ^ 0xFF, a ^ 0xFF ^ 0xFF)]

# %% [markdown]
# Read it digit by digit: 128 is `0x80`, so rounding down turns the last two digits into `00` or `80`, here `f4` into
# `80`. Rounding up may carry into the others.

# %%
aligned = predict(
    "Which of these addresses is a multiple of 128?",
    choices=["0x1f40", "0x2fc0", "0x3f80", "0x8010"],
    name="The multiple of 128",
)

# %% jupyter={"outputs_hidden": true}
addresses = (0x1F40, 0x2FC0, 0x3F80, 0x8010)
reveal(aligned, model=next(hex(address) for address in addresses if address % 128 == 0))

# %% [markdown]
# A multiple of 128 ends in `00` or `80`. The others end in `40`, `c0` and `10`: multiples of 64, 64 and 16.
#
# GPUs, and the CPUs that drive them, are **little-endian**: the lowest byte of a number lies at the lowest address.
# (Every recorded dump in this course is read that way.) A dump shows bytes in the order of addresses.

# %%
order = predict(
    "The 32-bit number 0x11223344 lies in memory. Which bytes does a dump show?",
    choices=["11 22 33 44", "44 33 22 11", "22 11 44 33"],
    name="Bytes in a dump",
)

# %% jupyter={"outputs_hidden": true}
reveal(order, model=np.array(0x11223344, "<u4").tobytes().hex(" "))

# %% [markdown]
# One more habit: know when 32 bits are not enough. A pitch of 16 KiB times row 300,000 is above 2<sup>32</sup>; in
# `unsigned` the product silently keeps its low 32 bits, and the kernel reads another row. Widen *before* you
# multiply. The SASS below shows what that costs, and a report among the traps what it costs not to.

# %% [markdown]
# ## Float bits
#
# A float is three fields: a sign, an **exponent** and a **mantissa**. The exponent is stored with a *bias* added, and
# the mantissa leaves out its leading 1. An exponent of all zeros means no leading 1: zero and the **subnormals**. An
# exponent of all ones means infinity or NaN (**documented**: IEEE 754). For everything finite and not negative:


# %%
def value(bits, exponent, mantissa):
    bias = 2 ** (exponent - 1) - 1
    field, fraction = bits >> mantissa & 2**exponent - 1, bits & 2**mantissa - 1
    if field == 0:
        return fraction * 2.0 ** (1 - bias - mantissa)
    return (2**mantissa + fraction) * 2.0 ** (field - bias - mantissa)


float16 = np.arange(0x7C00, dtype=np.uint16).view(np.float16)
all(value(bits, 5, 10) == x for bits, x in enumerate(float16.tolist()))

# %% [markdown]
# All 31,744 finite float16 from 0 up agree with NumPy's. The formats that you meet in this course, by the same
# function:

# %%
from course_lib.recordings.tables import table

FORMATS = {"float32": (8, 23), "TF32": (8, 10), "bfloat16": (8, 7), "float16": (5, 10)}
FORMATS |= {"fp8 e5m2": (5, 2), "fp8 e4m3": (4, 3)}


def facts(name, e, m):
    top = 0b1111_110 if name == "fp8 e4m3" else ((2**e - 1) << m) - 1  # e4m3 has no infinity, and one NaN a sign
    bits = {"largest": top, "after one": ((2 ** (e - 1) - 1) << m) + 1, "normal": 1 << m, "least": 1}
    return {"name": name, "e": e, "m": m} | {key: f"{value(b, e, m):.8g}" for key, b in bits.items()}


# %%
heads = {"e": "exponent bits", "m": "mantissa bits", "largest": "largest"}
rows = [facts(name, *parts) for name, parts in FORMATS.items()]
table(rows, name="format", **heads, normal="least normal", least="least subnormal")

# %% [markdown]
# bfloat16 is the upper half of a float32, and TF32 a float32 whose low 13 mantissa bits are not used. The two fp8
# formats are those of the OCP specification, in which e4m3 gives up infinity for a larger range (**documented**: OCP
# 8-bit floating point). Bit by bit, two bfloat16:

# %%
from course_lib import DataType
from course_lib.draw import BitsRow, bits_picture

one_and_small = [BitsRow("1.0", 0x3F80), BitsRow("a subnormal", 0x0005)]
bits_picture("Two bfloat16", DataType.BFLOAT16, one_and_small, "The subnormal's exponent field is all zeros.")

# %%
neighbour = predict(
    "1.0 in bfloat16 is 0x3f80. Which number is 0x3f81?",
    choices=["1.0000001", "1.0009766", "1.0078125", "1.125"],
    name="The bfloat16 0x3f81",
)

# %% jupyter={"outputs_hidden": true}
reveal(neighbour, model=str(value(0x3F81, 8, 7)))

# %% [markdown]
# 1 + 2<sup>−7</sup>: a bfloat16 has between two and three decimal digits. The next number after 1 in each format:

# %% jupyter={"outputs_hidden": true}
{row["name"]: row["after one"] for row in rows}

# %% [markdown]
# And fp8?

# %%
missing = predict(
    "Which is the first whole number, counting up from 0, that fp8 e4m3 can't hold?",
    number=(0, 500),
    name="The first missing number",
)

# %% jupyter={"outputs_hidden": true}
held = {value(bits, 4, 3) for bits in range(0b1111_111)}
reveal(missing, model=next(number for number in range(500) if number not in held))

# %% [markdown]
# 17: with three bits behind the leading 1, numbers from 16 on go in steps of 2. What a *copy* does to such bits is the
# subject of [lesson 05](05_element_types.ipynb); fp8 has no type of its own there.
#
# ## Reading PTX and SASS
#
# CUDA C++ becomes **PTX**, the text of a virtual machine with as many registers as it likes, and PTX becomes
# **SASS**, what the chip runs. PTX has a manual; of SASS, only a list of opcode names is published (**documented**:
# PTX ISA; CUDA Binary Utilities). `cuobjdump -sass`, `nvdisasm` and Nsight Compute show SASS. Here is a small kernel:
# each of 128 threads brings 16 bytes of a row into shared memory, and then reads 4 bytes that its neighbour brought.

# %%
from course_lib.recordings.times.listings import listing, listings_compiler

with_copy = listing("row_to_shared", ASYNC=1)
print(with_copy.source[with_copy.source.index("extern") :])

# %% [markdown]
# We read it as `-DASYNC=1` makes it: with the three lines of assembly, without the `uint4` line. The PTX that the
# compiler makes, declarations left out (**measured**: the output of this compiler; another version may write it
# differently):

# %%
print(f"{listings_compiler()}, {len(with_copy.ptx_body)} instructions")
print("\n".join(with_copy.ptx_body))

# %% [markdown]
# An instruction is `name.types destination, sources;`. Registers carry their kind: `%r` 32 bits, `%rd` 64, `%p` a
# predicate. Square brackets are memory, and the instruction says which: `ld.param`, `ld.shared`, `st.global`.
# `[%r1+32]` is 32 bytes on, and `.v4` moves four registers in one access: `ld.shared.v4.f32` reads 16 bytes a thread.
#
# | lines | what they do |
# | --- | --- |
# | `ld.param` × 3, `cvta` | fetch the arguments; make a generic pointer a global one |
# | `mul.wide.u32` | block × pitch, 32 × 32 → 64 bits: the cast in the source |
# | `shl.b32 …, 4`, `add` | thread × 16, added to the row's start and to the start of `row` |
# | `cp.async` … `wait_group` | the three lines of the source, as they are: inline assembly is PTX |
# | `bar.sync 0` | `__syncthreads()` |
# | `mov.u32 %r6, _ZZ3runE3row` | the shared address of `row`, under the compiler's name for it: `__cvta_generic_to_shared` costs nothing here |
# | `add 16`, `and 2032` | (thread + 1) % 128 × 16, as (16 × thread + 16) & `0x7f0`: bits 10 to 4 |
# | `ld.shared`, `st.global` | the neighbour's word, out to global memory |
#
# Now the SASS, all of it, with the address of each instruction: they are 16 bytes apart.

# %%
print("\n".join(with_copy.instructions))

# %% [markdown]
# It looks worse than it is. `R` is a register of a thread, `UR` one that the whole warp shares, `P` a predicate, `RZ`
# and `PT` the constants 0 and *true*. The rest, group by group:
#
# | instructions | what they do |
# | --- | --- |
# | `LDC`, `ULDC` `c[0x0][…]` | a constant: the arguments lie at `0x210` (`in`), `0x218` (`pitch`), `0x220` (`out`) |
# | `S2R`, `S2UR` | a special register: `SR_TID.X` the thread, `SR_CTAID.X` the block |
# | `HFMA2.MMA R3, -RZ, RZ, 0, 0` | R3 = 0, as a product of zeros; it is the upper half of R2:R3 |
# | `IMAD.SHL R2, R6, 0x10` | thread × 16: a shift, made by the multiplier |
# | `IMAD.WIDE R4, R11, UR4, R2` | R4:R5 = block × pitch + R2:R3, in 64 bits: a pair of registers, **one** name |
# | `IADD3 R4, P0`, `IADD3.X R5, P0` | add `in`, 64 bits in two steps: P0 is the carry |
# | `UMOV 0x400`, `ULEA … 0x18` | the start of `row` in shared memory: 1024, and the block's place in its cluster from bit 24 up |
# | `VIADD R7, R2, UR4` | where this thread's piece goes in shared memory |
# | `LDGSTS.E.BYPASS.128 [R7], [R4.64]` | **the copy**: from global R4:R5 to shared R7, 128 bits, past L1 |
# | `LDGDEPBAR`, `DEPBAR.LE SB0, 0x0` | `commit_group`; `wait_group 0` |
# | `IADD3 R2, 0x10`, `LOP3.LUT R0, R2, 0x7f0, RZ, 0xc0` | (R2 + 16) & `0x7f0`; `0xc0` is the truth table of AND |
# | `IMAD R11, 0x80`, `IMAD.WIDE R2, R11, 0x4, R2` | 128 × block + thread; `out` + 4 times that |
# | `BAR.SYNC`, `LDS`, `STG`, `EXIT` | `__syncthreads()`, read shared, write global, done |
# | `LDC R1`, `desc[UR6]` | a stack that is not used; a descriptor that each access to global memory names |
#
# So widening the row's address costs one `IMAD.WIDE` and a carry, and `row` begins at 1024 because of the KiB that
# the system keeps. (`.reuse` keeps an operand at hand for the next instruction.) The compiler mixes the order: the
# copy is issued in the middle of the address arithmetic for the *end* of the kernel. And the three `@!PT LDS RZ,
# [RZ]` do nothing at all, since *not true* never holds. We know of no document that says why the compiler puts them
# before an `LDGSTS`.
#
# What you can count in SASS is what the SM issues: an instruction is issued once for each warp.

# %%
issued = predict(
    "A block is 128 threads. How many warp instructions does it issue, all 30 lines of the listing included?",
    number=(0, 4000),
    name="Warp instructions of a block",
)

# %% jupyter={"outputs_hidden": true}
reveal(issued, model=128 // 32 * len(with_copy.instructions))

# %% [markdown]
# 4 × 30 = 120. The compiler runs on the CPU, so this machine can make the listing again, if it has one. (What this
# cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.listing import compiler_status, disassemble

print(compiler_status().sentence)
if compiler_status().usable:
    print("the same SASS as above:", disassemble("row_to_shared", ASYNC=1) == with_copy.sass)
else:
    print("not compiled here: the committed listing above stands in")

# %% [markdown]
# ## cp.async
#
# Before TMA there was `cp.async` (sm_80): each thread copies 4, 8 or 16 bytes from global to shared memory and goes
# on. What its manual says (**documented**: PTX ISA, `cp.async`, `cp.async.commit_group`, `cp.async.wait_group`):
#
# - `.ca` goes through L1 and takes 4, 8 or 16 bytes, `.cg` passes it by and takes 16. Both addresses are multiples of
#   that size.
# - A fourth operand says how many bytes are *read*; the rest of the piece is written as zeros. That is how a
#   kernel guards an edge.
# - `commit_group` makes a **group** of all copies that *this thread* has issued since its last group.
# - `wait_group N` waits until at most the *N* youngest groups **of this thread** are still under way.
# - It says nothing about other threads' copies. To read those, every thread waits, and then all meet at a barrier.
#
# What is gained is best seen beside the same kernel without it, `-DASYNC=0`. Here is all that touches its memory:

# %%
plain = listing("row_to_shared", ASYNC=0)
print("\n".join(line for line in plain.instructions if any(op in line for op in ("LDG", "STS", "BAR", "LDS"))))
print("registers a thread:", plain.registers, "- with cp.async:", with_copy.registers)

# %%
carried = predict(
    "LDG.E.128 R8 … STS.128 [R0+UR4], R8. How many registers hold the 16 bytes on their way?",
    number=(0, 16),
    name="Registers for 16 bytes",
)

# %% jupyter={"outputs_hidden": true}
load_line = next(line for line in plain.ptx_body if line.startswith("ld.global"))
reveal(carried, model=load_line.split("[")[0].count("%r"))

# %% [markdown]
# Four, R8 to R11: SASS names the first, and the PTX, `ld.global.v4.u32`, lists all (**measured**: this compiler).
# They are taken from the `LDG` until the `STS`, and the `STS` waits until the load is there. Eight copies under way
# are 32 registers, and a thread has 255 at most. The `LDGSTS` has no such register: that is the **register-free
# path**. (In so small a kernel it buys nothing yet: registers are given in steps of 8 a thread, so 14 and 16 both
# take 16; see *Occupancy*.) Its price stays: every thread still computes two addresses.
#
# Groups let a kernel wait for the oldest copies and leave younger ones under way.

# %%
done = predict(
    "A thread commits four groups, one after the other, then runs `cp.async.wait_group 1`. How many are surely there?",
    number=(0, 4),
    name="Groups that are there",
)

# %% jupyter={"outputs_hidden": true}
committed_groups, may_be_pending = 4, 1
reveal(done, model=committed_groups - may_be_pending)

# %% [markdown]
# The three oldest (**model**: the manual's rule). The number is how many may be *missing*, not how many you wait for:
# after **one** group, `wait_group 1` waits for nothing. The bulk copies of lesson 13 have groups of the same kind, and
# there this slip was reported: a slot was overwritten while the only group still read it. What TMA makes of both, the
# addresses and the waiting, is lessons [01](01_why_tma.ipynb) and [02](02_arrival.ipynb).
#
# ## Occupancy
#
# While a warp waits, its SM runs others, so it matters how many it holds. A block gets its warps, registers and
# shared memory when it starts and keeps them to the end. (Its warps may trade registers by `setmaxnreg`, lesson 15.)
# An SM of Hopper has 64 warps, 32 blocks, 65,536 registers and 228 KiB. A thread has at most 255 registers, and a
# block at most 1024 threads (**documented**: CUDA Programming Guide, compute capability 9.0; Hopper Tuning Guide).
# The number of blocks is the least of four divisions:
#
# - 32,
# - 64 / (warps of a block),
# - the registers: a warp gets them in units of 256, from the quarter of the SM that it runs on,
# - 228 KiB / (shared memory of a block + 1 KiB).

# %%
from course_lib.draw import resident_picture
from course_lib.model.cost.occupancy import occupancy

resident_picture(occupancy(threads=128, registers=168, shared_bytes=48 * 1024))

# %% [markdown]
# **Occupancy** is the warps that an SM holds, as a part of 64. Here the registers are the limit: a warp takes 32 ×
# 168 = 5376, a quarter of the SM has 16,384, so three warps a quarter, twelve in all.

# %%
held_blocks = predict(
    "Blocks of 256 threads, 40 registers a thread, 20 KiB of shared memory. How many does an SM hold?",
    number=(0, 32),
    name="Blocks on an SM",
)

# %% jupyter={"outputs_hidden": true}
reveal(held_blocks, model=occupancy(256, 40, 20 * 1024).blocks)

# %% jupyter={"outputs_hidden": true}
resident_picture(occupancy(256, 40, 20 * 1024))

# %% [markdown]
# Six. 32 × 40 = 1280 registers a warp, twelve warps in a quarter, 48 in all: six blocks of eight warps, at 75 %.
#
# The word *quarter* is a claim. Here is a launch that can tell: an H200's driver was asked how many blocks of 64
# threads with 42 registers an SM holds. (42 is what the compiler of the listings gives this kernel.) A warp gets 1536
# registers. One pool of 65,536 has 42 such warps, 21 blocks; four quarters of 16,384 have 10 each.

# %%
quarters = predict(
    "Two warps a block, 1536 registers a warp. How many blocks did the driver name?",
    choices=["20", "21", "24", "32"],
    name="Blocks, as the driver says",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.times.listings import resident_launches

by_h200 = provenance("measure_bandwidth.jsonl.xz")
(launch,) = {each for each in resident_launches() if (each.threads, each.registers) == (64, 42)}
reveal(quarters, model=str(launch.modelled.blocks), hardware=str(launch.blocks), source=by_h200)

# %% [markdown]
# 20 (**measured**). The hardware section below has 190 more such launches. High occupancy is no goal by itself, as
# the next section shows.
#
# ## Bytes over time
#
# Kernels are timed with **events**: one is recorded in the stream before the launch and one behind it, and the GPU
# notes the time at which it passes each (**documented**: CUDA Runtime API, event management). Warm up, repeat,
# alternate the candidates, take medians. GB/s in this course are 10<sup>9</sup> bytes a second, and KiB are 1024
# bytes. A whole read of 4 GiB by `cp.async`, as recorded:

# %%
reads = [row for row in read_rows(committed("measure_bandwidth.jsonl.xz")) if "warps" in row]
best = max((row for row in reads if row["kernel"] == "measure_read_cp_async"), key=lambda row: row["gb_per_s"])
print(by_h200)
f"{best['moved_bytes']:,} bytes / {best['us_median']} µs = {best['moved_bytes'] / best['us_median'] / 1000:,.0f} GB/s"

# %% [markdown]
# **Little's law** says what that takes: *bytes under way = bandwidth × latency*. If a byte takes 386 ns to come, then
# 4,585 bytes a nanosecond need 1.77 million bytes under way at any time. An H200 has 132 SMs, so that is 13.4 thousand for
# each (**measured**: its driver's count of SMs). How long does a byte take? A single block copied 128 bytes from DRAM and
# waited, on an H200:

# %%
latencies = list(read_rows(committed("measure_latency.jsonl.xz")))
wanted = {"how": "cp.async", "from": "dram", "tile_bytes": 128}
cycles = next(row["cycles_median"] for row in latencies if wanted.items() <= row.items())
mhz = next(row["mhz_median"] for row in latencies if row.get("kind") == "sm_clock")
latency_ns = cycles / mhz * 1000
f"{cycles:.0f} cycles at {mhz:.0f} MHz = {latency_ns:.0f} ns"

# %%
one_warp = predict(
    "One warp on each of 132 SMs, and each lane has one copy of 16 bytes under way. About how many GB/s?",
    choices=["17", "170", "1,700", "4,500"],
    name="Bandwidth of one warp an SM",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.times.listings import in_flight

rate = next(rate for kernel, size, rate in in_flight() if kernel == "measure_read_cp_async" and size == 512)
choice = min((17, 170, 1700, 4500), key=lambda rounded: abs(rounded - rate))
said = min((17, 170, 1700, 4500), key=lambda rounded: abs(rounded - 132 * 512 / latency_ns))
reveal(one_warp, model=f"{said:,}", hardware=f"{choice:,}", source=f"{rate} GB/s: {by_h200}")

# %% [markdown]
# 132 × 512 bytes / 386 ns = 175 GB/s, and 172 were measured: two separate measurements that meet.
# Here are all the launches of that run that read by threads, from one warp an SM to 64:

# %%
from course_lib.draw import in_flight_chart

NAMES = {"measure_read_cp_async": "cp.async", "measure_read_plain": "loads into registers"}
points = {name: [(b, r) for kernel, b, r in in_flight() if kernel == key] for key, name in NAMES.items()}
in_flight_chart(points, latency_ns, best["gb_per_s"])

# %% [markdown]
# No launch lies above the line (**measured**, 88 of 88). Near the bend they fall short of it. Our explanation, not
# measured: when many bytes are under way each takes longer, and no kernel has all that it may have under way at every
# moment. 32 KiB an SM reach 93 % and more of the best. *How* they come to be under way counts little:

# %%
shown = [r for r in reads if r["in_flight_bytes"] == 49152 and r["part"] == "sweep" and "unroll" in r]
each = {"warps": "warps a block", "unroll": "copies a thread and group", "stages": "groups"}
table(shown, blocks_per_sm="blocks an SM", **each, gb_per_s="GB/s")

# %% [markdown]
# 4 warps or 48, cp.async or (0 groups) loads: 48 KiB under way give 4,488 to 4,531 GB/s (**measured**). That is the
# point of large copies by few warps, and lesson 15 is built on it.
#
# ## The trap
#
# Five reports from public projects, retold.
#
# ### The stride without a unit
#
# The header of a format for passing tensors between libraries had a field *strides*, and a comment that did not say
# whether it counts elements or bytes. A reader asked. A second one had been about to ask the same, and had concluded
# from an example that one library uses bytes. It uses elements. Our array, with strides in elements taken for bytes:

# %%
mistaken = Strided(shape=(4, 8), strides=(12, 1), item_bytes=4, base=64)
memory_picture(mistaken, index=(2, 5))

# %% [markdown]
# **Diagnosis:** the last stride is less than the element's size, so elements lie on top of each other, and most begin
# off 4 bytes. **Mend:** write the unit into the name, `row_pitch_bytes`, and check that the last stride is the size
# of an element. (The header says it today: elements.) Had somebody left the last stride out, as the driver does, the
# error would be quieter: 12 bytes from row to row, overlapping rows, right alignment.
#
# ### Aligned by its shape
#
# An attention kernel looked at the *shape* of its tensors to decide whether it may copy 16 bytes at a time, and ended
# up with misaligned pointers. The tensors were views. Say rows of 64 float16, which lie 130 of them apart (the
# numbers are ours). Where do the first eight rows begin, modulo 16?

# %%
view = Strided(shape=(8, 64), strides=(130 * 2, 2), item_bytes=2)
[(view.address((row, 0)) % 16) for row in range(8)]

# %% [markdown]
# **Diagnosis:** 128 bytes a row are a multiple of 16, but 260 bytes from row to row are not: only every fourth row
# begins on 16 bytes. **Mend:** ask the start *and every stride*, not the shape. The largest copy that is always right
# is the largest power of two in all of them together, by the trick `a & -a`:

# %%
together = 0x7F0000000000 | (130 * 2)
together & -together

# %% [markdown]
# Four bytes a copy (**model**). They mended it by looking at the strides too.
#
# ### The stride that turned negative
#
# In the same project there was a mask for attention, with half a million tokens and batches of 8192. A kernel took its
# outermost stride as an `int`, counted in pairs of float16:

# %%
stride = 524_288 * 8_192 * 2 // 4
hex(stride), int(np.int64(stride).astype(np.int32))

# %% [markdown]
# **Diagnosis:** exactly bit 31, so −2<sup>31</sup>: wherever the outermost index is not 0, the mask is looked for far
# below its start. With half the context nothing is wrong. **Mend:** 64 bits for strides and for their products.
# Tensor maps have room for strides below 2<sup>40</sup> bytes.
#
# ### The barrier that did not wait
#
# A compiler let only the threads with `threadIdx.y == 0` copy a row by `cp.async`, then put a `__syncthreads()`, and
# all threads read the row. A race detector objected, and it was right. We compile our kernel without its
# `wait_group`. Does the compiler say anything, or wait on its own?

# %%
careless = listing("row_to_shared", ASYNC=1, WAIT=0)
shown = ("LDGSTS", "BAR", "LDS R9")
for name, made in {"with the wait": with_copy, "without": careless}.items():
    print(name, [line.split()[1] for line in made.instructions if any(op in line for op in shown)])

# %% [markdown]
# Neither: it compiles in silence, and between `LDGDEPBAR` and `BAR.SYNC` nothing waits any more (**measured**: this
# compiler). **Diagnosis:** a barrier waits for *threads*, and they have all arrived; the copies have not. **Mend:**
# `cp.async.wait_all` (or `wait_group 0`) *before* the barrier, in the threads that copied; the fix that was proposed
# there does just that. Why TMA needs another kind of barrier altogether is lesson 02.
#
# ### A constant from another chip
#
# A robotics library chose its block sizes by an occupancy formula with 100 KB of shared memory an SM. That number
# holds for some chips; Hopper has 228. For a block of 32 KiB:

# %%
100 * 1024 // (32 * 1024), occupancy(threads=128, registers=32, shared_bytes=32 * 1024).blocks

# %% [markdown]
# **Diagnosis:** three blocks where six fit, so the formula ranked the candidates for another machine. **Mend:** ask
# the device, as they did (`cudaDevAttrMaxSharedMemoryPerMultiprocessor`), or the driver's own
# `cuOccupancyMaxActiveBlocksPerMultiprocessor`. A formula of your own needs the 1 KiB a block too.
#
# ## On the hardware
#
# For 191 launches an H200's driver was asked how many blocks an SM holds. Their threads and shared memory are
# recorded. Their registers were not; those below are what the compiler of the listings makes of the same kernels. How
# often does the formula agree, as it stands and with one part left out?


# %%
def blocks(launch, pools=4, unit=256, reserved=1024):
    warps, per_warp = -(-launch.threads // 32), -(-launch.registers * 32 // unit) * unit
    by_registers = pools * (65536 // pools // per_warp) // warps
    return min(32, 64 // warps, by_registers, 228 * 1024 // max(launch.shared_bytes + reserved, 1))


# %%
LEFT_OUT = {"nothing": {}, "the quarters": {"pools": 1}, "the unit of 256": {"unit": 1}, "the KiB": {"reserved": 0}}
print(len(resident_launches()), "launches:", by_h200)
agree = {name: sum(blocks(x, **part) == x.blocks for x in resident_launches()) for name, part in LEFT_OUT.items()}
table([{"name": name, "count": count} for name, count in agree.items()], name="left out", count="launches that agree")

# %% [markdown]
# 191 of 191 as it stands, and fewer without any one of its parts (**measured**). The quarters rest on the one launch
# that you saw.
#
# And the limits themselves, on a machine with a GPU, as its driver tells them. (What this cell prints differs
# from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status
from course_lib.gpu.sm_limits import sm_limits

print(gpu_status().sentence)
print(sm_limits() if gpu_status().usable else "no live answer here: the numbers above stand in")

# %% [markdown]
# ## What to keep
#
# - A warp is 32 threads with neighbouring numbers; *x* counts fastest. In a block of 64 × 4, four threads have *x* =
#   0.
# - The byte of an element is the start plus index times stride, axis by axis. Ask each stride for its unit.
# - A multiple of 128 ends in `00` or `80`. `a & (n - 1)` is the rest, `a & -a` the alignment.
# - An exponent of zeros is a subnormal, of ones infinity or NaN. bfloat16 is half a float32.
# - SASS is read by its destinations: one name may stand for two or four registers. An instruction is issued for each
#   warp.
# - `cp.async` needs no data registers. `wait_group N` lets *N* groups be missing, and speaks for one thread alone.
# - Blocks on an SM: the least of 32, warps, registers by quarters, and shared memory with 1 KiB more a block.
# - Bandwidth × latency is what must be under way: 13.4 thousand bytes an SM at least, better 32 KiB.
#
# | number | unit |
# | --- | --- |
# | shape, dimension, index | elements |
# | stride in NumPy and in the driver, pitch | bytes |
# | stride in PyTorch and DLPack | elements |
# | word, bank | 4 bytes |
# | registers a thread | 4 bytes each |
# | GB/s | 10<sup>9</sup> bytes a second; the same as bytes a nanosecond |
# | KiB | 1024 bytes |
#
# ## Ask yourself
#
# <details><summary>In which warp and lane is thread (3, 2, 1) of a block of 8 × 4 × 4?</summary>3 + 8 × (2 + 4 × 1) = 51: warp 1,
# lane 19.</details>
#
# <details><summary>LOP3's table of AND is <code>0xc0</code>. It comes from feeding <code>0xf0</code>, <code>0xcc</code> and
# <code>0xaa</code> through the wanted function of three inputs. What is the table of a | b?</summary><code>0xf0 |
# 0xcc</code> = <code>0xfc</code>.</details>
#
# <details><summary>A thread issues three copies without a commit, then <code>wait_group 0</code>. Is anything waited
# for?</summary>No: no group was committed. <code>wait_all</code> commits and waits.</details>
#
# <details><summary>Why does a kernel with 256 threads and 128 registers run two blocks on an SM?</summary>32 × 128 = 4096
# registers a warp, four warps a quarter, 16 in all: two blocks of eight warps.</details>
#
# <details><summary>Latency doubles and bandwidth stays. What must double?</summary>The bytes under way.</details>
#
# **No exercise:** this lesson is not graded. Next: [lesson 01](01_why_tma.ipynb), where one thread with two
# coordinates replaces all those addresses.
#
# **Where to go:** before: [00 · Start here](00_start_here.ipynb) ·
# next: [01 · Why TMA](01_why_tma.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/call/strided.py`](../course_lib/model/call/strided.py)
