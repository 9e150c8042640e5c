# %% [markdown]
# # 01 · Why TMA
#
# **The question:** what does one thread with two coordinates replace?
#
# Afterwards you can
#
# - write down, for any thread, which 16 bytes of a tile it copies by `cp.async`, from where, how many, and to where,
# - count a copy in three fair ways: by thread, by warp instruction, by everything that the loop issues,
# - read in machine code who issues a tensor copy, and see when 32 lanes do instead of one,
# - say what TMA saves in your kernel, what it does not save, and when threads do better.
#
# **Time:** about 80 minutes: part A, one tile, 30; part B, the count, 25; part C, what it is worth, 25. **You need:**
# [lesson 00](00_start_here.ipynb), and warps, `cp.async` and a little SASS, which
# [the refresher](00b_refresher.ipynb) repeats. You need no GPU. To begin with part B or C, select its heading and choose
# *Run* → *Run All Above Selected Cell*.

# %% [markdown]
# ## What you need, again
#
# A **warp** is 32 threads that issue one instruction together. `cp.async` copies 4, 8 or 16 bytes from global to shared
# memory for each thread that runs it, past the registers, and the thread goes on meanwhile. Two addresses belong to it,
# and a size of 0 to 16: what is not copied of the 16 bytes becomes zero (**documented**: PTX ISA, `cp.async`). A kernel
# cuts its matrix into **tiles** and fetches one after the other. The first byte of a row of a tile:

# %%
pitch_bytes, row, column = 8192, 130, 64  # a matrix of 4,096 bfloat16 in a row
row * pitch_bytes + column * 2

# %% [markdown]
# Three questions from lesson 00. Answer each aloud before you open it.
#
# <details><summary>A matrix has 300 rows of 4,093 columns. What is <code>global_dim</code>?</summary>(4093, 300): the innermost
# dimension comes first.</details>
#
# <details><summary>And <code>global_strides</code>, if a row takes 8,192 bytes?</summary>(8192,): bytes, and one number less than
# there are dimensions.</details>
#
# <details><summary>The driver accepts your call. What do you know?</summary>That it is legal. Not that it is what you
# meant.</details>
#
# # Part A · One tile
#
# ## By 256 threads
#
# A tile of 128 rows and 64 columns of bfloat16: 16 KiB, rows of 128 bytes. `cp.async` moves 16 bytes at most, so a row is
# eight **pieces**, and neighbouring threads take neighbouring pieces, so that a warp reads whole rows. In C, for a matrix
# `in` that is `width` wide and `height` high, its rows `pitch` bytes apart (a `size_t`), with the tile at column `x` and row `y`:
#
# ```c
# for (int piece = threadIdx.x; piece < 1024; piece += 256) {
#     int row = piece / 8, unit = piece % 8;
#     int column = x + unit * 8, line = y + row;
#     int left = (width - column) * 2;                      // bytes up to the right edge
#     int inside = line < 0 || line >= height || column < 0 || left < 0 ? 0 : left > 16 ? 16 : left;
#     const char *from = inside ? in + line * pitch + column * 2 : in;
#     unsigned to = place(tile + row * 128 + unit * 16);    // its place in shared memory
#     asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(from), "r"(inside) : "memory");
# }
# ```
#
# Four jobs are in it: which piece, from where, how much of it, to where. `thread_copies` of the library is the same loop in
# Python, one value for each `cp.async`. Thread 37, for a tile in the lower right corner of our matrix:

# %%
from course_lib import DataType, Swizzle, TiledTensorMap
from course_lib.model.cost.thread_copy import thread_copies

tile = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0,
    global_dim=(4093, 300),
    global_strides=(8192,),
    box_dim=(64, 128),
    swizzle=Swizzle.B128,
)

# %%
copies = thread_copies(tile, (4032, 192), threads=256)
[copy for copy in copies if copy.thread == 37]

# %% [markdown]
# Look at one copy. `source` is a byte address in global memory, `inside` the size, `target` an address in shared memory. Unit 5 of row 4
# would be at 4 × 128 + 5 × 16 = 592, and it lies at 528: `place` puts the pieces of a row in another order, a **permutation**, so that
# later reads of a *column* meet fewer bank conflicts. Which one, lesson [09](09_swizzle.ipynb) finds; here it is a function that is
# called once a piece. And the tensor ends after 4,093 columns and 300 rows, so **guards** cut pieces. All threads, those of 37 dark:

# %%
from course_lib.draw.copies.thread_copies import thread_picture

thread_picture(copies, 37)

# %% [markdown]
# (A thick line: rows are left out.) Seven threads in eight bring 16 bytes; the eighth, at the right edge, 10. The last 20 rows of the tile
# are below the matrix, so 0. Nothing is skipped: a piece that lies outside still writes 16 zeros, or the tensor core would read what the last tile left.
#
# ## How many instructions?
#
# A chapter that many read says: one instruction a thread, 256 for the block. How many does the tile above take?
# Count the `cp.async` that the *warps issue*, all eight warps together.

# %%
from course_lib.widgets import predict, reveal

issued = predict("How many cp.async do the 8 warps issue for this tile?", choices=[4, 32, 256, 1024], name="cp.async")

# %% jupyter={"outputs_hidden": true}
from course_lib.model.cost.tile_cost import TileCost
from course_lib.recordings import provenance
from course_lib.recordings.times.tile_costs import one_tile

by_threads, elected, thread_0 = one_tile()
in_each_warp = by_threads["opcodes"]["LDGSTS.E.BYPASS.128.ZFILL"]  # what cp.async becomes in SASS
answer = in_each_warp * by_threads["warps"]
model = TileCost(128, 128, 256).copy_instructions
reveal(issued, model=model, hardware=answer, source=provenance("measure_sass.jsonl.xz"), who="compiler")

# %% [markdown]
# Three of the four numbers can be defended, so people mean different things by one word (**measured** in the machine code):
#
# | counted | cp.async | TMA |
# | --- | --- | --- |
# | copies of 16 bytes, by thread | 1,024 | — |
# | by one thread | 4 | 1, by one thread of 256 |
# | instructions, as warps issue them | 32 | 1 |
#
# 256 would be right if a thread had one copy, and it has four. And to hold 1,024 against 1 is unfair: what an SM issues are
# warp instructions, 32 against 1. Fair, then, is this: **everything** that warps issue on behalf of the tile. Part B counts it.
#
# ## By one thread
#
# The same tile by the **Tensor Memory Accelerator**. It is a unit of each SM that copies boxes of tensors, of one to five
# dimensions, between global and shared memory (**documented**: Hopper white paper). What the loop above works out
# is written down once, on the CPU, in 128 bytes: base address, number of dimensions, sizes, strides, type, box, the order in shared
# memory, what to do at the edge. That **descriptor** is our `tile`. There are three steps: create it, encode it, issue copies with it.
#
# ```c
# if (warp == 0 && elected()) {    // one thread
#     asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16384;" :: "r"(barrier) : "memory");
#     asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
#                  " [%0], [%1, {%3, %4}], [%2];" :: "r"(to), "l"(&map), "r"(barrier), "r"(x), "r"(y) : "memory");
# }
# wait(barrier, parity);           // every thread that reads the tile
# ```
#
# 1,024 pairs of addresses have become one pair of coordinates: no address, no guard, no `place`. The documents call that
# *single-threaded*: one thread is elected to issue. The instruction only starts the copy. The thread goes on, the whole block
# does, and a barrier in shared memory counts the bytes that arrive (lesson [02](02_arrival.ipynb)). One descriptor is enough
# for a million tiles, since all that differs between them are the coordinates; lesson [03](03_the_descriptor.ipynb) opens it.
#
# Do both leave the same bytes? First the model: 256 threads, and one copy of the engine, into memory that is 0xCD.

# %%
import numpy as np

from course_lib import load
from course_lib.model.cost.thread_copy import perform

memory = np.random.default_rng(1).integers(0, 256, 300 * 8192, np.uint8)
shared_by_threads, shared_by_tma = np.full((2, 16384), 0xCD, np.uint8)
perform(copies, memory, shared_by_threads)
load(tile, (4032, 192), memory, shared_by_tma)
int((shared_by_threads == shared_by_tma).sum()), "of 16,384 bytes are the same"

# %% [markdown]
# Now the hardware. For thousands of loads we know what an H200 left in shared memory. Of those, many are tiles that threads could
# bring: two dimensions, zero fill, any swizzle, any shared address.

# %%
from course_lib.recordings.copies.thread_loads import plain_loads

loads = list(plain_loads())
across = sum(load.crosses_an_edge for load in loads)
print(len(loads), "recorded loads,", across, "of them across an edge")
print(sum(load.agrees for load in loads), "leave what 256 threads leave, byte for byte")

# %% [markdown]
# **Every one** (**measured**): guards and order included, the engine did what the loop does. So a kernel can change from one to
# the other and keep everything behind it.
#
# # Part B · The count
#
# ## One tile, counted in machine code
#
# Two kernels fetch one tile, wait, and read one word a thread. The first is the loop above, unrolled, with guards; the second
# is TMA. NVRTC, CUDA's compiler in a library, compiled both for `sm_90a`, and we count what all 8 warps issue up to the end.

# %%
fewer = predict(
    "One tile, once: how many times fewer instructions do 8 warps issue by TMA?",
    choices=["1.2 times", "5 times", "32 times", "1,024 times"],
    name="How many times fewer",
)

# %% jupyter={"outputs_hidden": true}
ratio = by_threads["warp_instructions"] / elected["warp_instructions"]
reveal(fewer, hardware=f"{ratio:.0f} times", source=provenance("measure_sass.jsonl.xz"), who="compiler")

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.tables import table

table(
    (by_threads, elected, thread_0),
    name="kernel",
    instructions="instructions in the text",
    of_one_warp="of these in one warp only",
    warp_instructions="issued by 8 warps",
    registers="registers a thread",
)

# %% [markdown]
# 1,112 against 221, and 32 registers against 12 (**measured**, NVRTC 13.5; another compiler, other numbers). Of 139
# instructions 4 are copies; the rest are addresses, guards, and the wait. In the TMA kernel 7 of 8 warps only wait and read.
#
# ## A loop is not a tile
#
# A careful reader objects: nobody fetches one tile. In a loop along the rows of the matrix, whatever does not change is
# worked out before it. Right; so here is the fair contest. `measure_loop_cp_async.cu` is written as well as we can: row and unit once,
# addresses as one pointer that moves, and three kinds of guard. Everything inside the matrix first, no guard at all.

# %%
tight = predict(
    "In a loop, all inside, 128 x 128 bytes, 256 threads: how many times fewer instructions a tile by TMA?",
    choices=["none fewer", "1.2 times", "5 times", "32 times"],
    name="How many times fewer",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.times.tile_costs import loop_of, loop_rows, loops, tma_loop

a_tile = {edges: 8 * loop_of(edges, 4).instructions for edges in ("none", "rows", "any")}  # 8 warps, 4 copies a thread
by_tma = tma_loop().of_all(warps=8)
reveal(
    tight, hardware=f"{a_tile['none'] / by_tma:.1f} times", source=provenance("measure_loops.jsonl.xz"), who="compiler"
)

# %% jupyter={"outputs_hidden": true}
print("8 warps, one tile, by cp.async:", a_tile, "- by TMA:", by_tma)
print("a loop that copies nothing:", 8 * loop_rows()[0]["loop_instructions"])

# %% [markdown]
# 192 against 166 (**measured**). **Without guards, and at four copies a thread, a good loop by `cp.async` costs hardly more instructions than TMA.** If you heard
# that TMA wins because of a thousand instructions, this is the number to remember. And look where the 166 go: 14 to issue, the rest
# to the wait on the barrier, which every warp does. A warp that does not read the tile need not wait, and then pays nothing.
#
# Where is the gain? In the other two numbers. With rows that may lie outside, decided before the loop, 200. With guards to the
# byte, 600. (The engine's guards do more: this loop has none for columns below 0.)
#
# ## The law
#
# Let *n* be the copies of a thread: here 4, for a tile of 32 KiB 8. We compiled the loop for every *n* from 1 to 16. What does a warp
# issue for one tile?

# %%
from course_lib.draw.charts.loop_law import law_chart

law_chart({edges: [loop_of(edges, n).instructions for n in range(1, 17)] for edges in ("none", "rows", "any")})

# %% [markdown]
# Two rows of marks are nearly straight, and the middle one bends. Their slopes have causes that you can read in the code:
#
# | what may lie outside | instructions of a warp for a tile | of one more copy |
# | --- | --- | --- |
# | nothing | 3 *n* + 12 to 15 | the copy, and two to add 64 bits of address |
# | rows, decided before the loop | the same up to *n* = 6, then 6 *n* − 6 | a predicate; there are seven, and the loop needs one. Then they spill into registers |
# | any byte | 13 *n* + 17 to 23 | the copy, 3 compares, 1 to select a size, 2 to add and 2 to select an address, 4 for *the size again* |
# | by TMA | 33 in the warp that issues, 19 in the others | nothing |
#
# Why *the size again*? In SASS the size of a `cp.async` has no operand. It travels in the low four bits of the source address, as 16 − size,
# and four instructions a copy put it there. (Our reading of the code; no document says so.) The 12 to 15 are the loop itself, and
# three empty `LDS` that this compiler puts before the first copy.
#
# The laws were read from *n* = 1 to 8, 10, 12, 14 and 16. Do they hold for the others, and for other rows and threads?

# %%
from course_lib.model.cost.tile_cost import loop_instructions

seen = [(8, 128, each) for each in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16)]
unseen = [loop for loop in loops() if (loop.units, loop.threads, loop.each) not in seen]
held = [loop.instructions in loop_instructions(loop.each, loop.edges) for loop in unseen]
print(sum(held), "of", len(held), "kernels of other sizes keep the law")
print("by TMA, for 8, 64, 128 and 256 rows:", [tma_loop(rows=rows).instructions for rows in (8, 64, 128, 256)])

# %% [markdown]
# So the shape of a tile, and the number of threads, matter only through *n* (**measured** for these kernels and this
# compiler). That holds where the threads are a power of two; 96, 160, 192 and 384 threads come within 5 per cent
# (compiled, not among the recordings). Double the tile and threads pay more for it: without guards 8 × 17
# instructions at one copy, 8 × 62 at sixteen. TMA pays 166 for both, as for every tile that is one box, at most 256
# in a dimension.
#
# ## Who issues: elect.sync or thread 0?
#
# `elect.sync` names one lane of a warp; `threadIdx.x == 0` does too. Many texts say that the first is faster. Here is what the
# compiler makes of the part that one warp issues, with each:

# %%
for issuer in ("elect.sync", "threadIdx.x == 0"):
    issuing = tma_loop(issuer).issuing
    print(f"{issuer}: {len(issuing)} instructions, the last five:", *issuing[-5:], sep="\n    ")

# %% [markdown]
# `UTMALDG` is the tensor copy; it takes *uniform* registers, one value for the whole warp. The compiler does not know that
# `threadIdx.x == 0` leaves one lane, so it wraps the copy in a **loop over the lanes that are active**: elect one, copy, strike it off,
# again while any is left. With one lane the loop runs once. 15 instructions against 14: so much for speed (**measured**). (In the kernels
# for one tile, above, thread 0 even took fewer in all, 201 against 221, since there every warp ran `elect.sync`.) The difference is elsewhere. What if the condition is `threadIdx.x < 32`, the warp but not the lane?

# %%
lanes = predict(
    "Warp 0 issues, and nobody picks a lane. How often does its code start the copy of a tile?",
    choices=["once", "8 times", "32 times"],
    name="How often",
)

# %% jupyter={"outputs_hidden": true}
every, first = (tma_loop(issuer).issuing for issuer in ("every lane", "threadIdx.x == 0"))
over_lanes = every[-1].startswith("@P0 BRA.U.ANY")  # the same loop, now with 32 active lanes
reveal(
    lanes, hardware="32 times" if over_lanes else "once", source=provenance("measure_loops.jsonl.xz"), who="compiler"
)

# %% jupyter={"outputs_hidden": true}
print("the same instructions as with threadIdx.x == 0:", every == first)

# %% [markdown]
# The machine code is **the same to the letter**; only the number of lanes in the loop differs. Every thread that executes the
# instruction starts a copy (**documented**: PTX ISA; one is enough, and nothing forbids several); that this loop is how it is done is our reading of the SASS. The
# trap below shows what 32 copies do. And `elect.sync` has a price of its own: look at its first instructions.

# %%
tma_loop("elect.sync").issuing[:3]

# %% [markdown]
# `WARPSYNC.ALL`: all 32 lanes must come together first. Inside a branch that not all of them take, they never do.
#
# ## Turn it yourself
#
# The law in your hand. First guess, then turn. At which tile do 128 threads pay twice what TMA costs, without guards?
# Take guards to the byte and 1,024 threads: does it help that each has one copy? Where does *rows* begin to cost more than
# *nothing*? And which setting takes most registers?

# %%
from course_lib.widgets import tile_cost_lab

tile_cost_lab()

# %% [markdown]
# # Part C · What it is worth
#
# ## What freed registers buy
#
# Registers first, as compiled for *n* = 4, 8, 12 and 16 copies a thread, with TMA's 10 (**measured**):

# %%
for edges in ("none", "rows", "any"):
    print(f"{edges:<5}", [loop_of(edges, n).registers for n in (4, 8, 12, 16)], "- by TMA:", tma_loop().registers)

# %% [markdown]
# 8 to 52 fewer; it is the spilled predicates that make 62. A chapter says where they go: to accumulators, so to larger tiles, so to more arithmetic for each byte.
# How much more? A thread has 255 at most (**documented**: CUDA Programming Guide). Let 256 threads hold a tile of C of 256 rows, one
# register an element, and give 32 to all other needs. C is as wide as the rest allows, in steps of 8. For each step along K the block
# then fetches 256 rows of A and as many rows of B as C has columns: some 14 copies a thread.

# %%
from course_lib.model.cost.gemm import gemm_traffic
from course_lib.model.cost.tile_cost import widest_tile

for name, loop in (("TMA", tma_loop()), ("any", loop_of("any", 14)), ("rows", loop_of("rows", 14))):
    width = widest_tile(256, threads=256, fetching=loop.registers, others=32)
    block = gemm_traffic(256, width, 64, tile_m=256, tile_n=width)
    print(
        f"{name:<5}{loop.registers:>3} registers, {width} columns, {block.operations_per_byte:5.1f} operations a byte"
    )

# %% [markdown]
# 115 operations a byte against 107 or 101: 7 to 13 per cent more (**model**). Real, and no revolution. What changes more is that
# `wgmma` can read its operands from shared memory, so they need no registers at all (**documented**: PTX ISA; lesson 16), and that warps which only fetch can give theirs away
# (lesson 15). From 128 × 128 to 256 × 128, 64 operations become 85; that is decided by your accumulators, not by addresses.
#
# ## While it flies
#
# After `UTMALDG` no instruction of the SM takes part until somebody waits. *The transfer runs without the SM*, one course says. Without its
# **instructions**: the unit sits in the SM, and the bytes arrive in the SM's shared memory (**documented**: Hopper white paper). What
# one thread can start in this way is a lot. The best of a sweep in which one thread an SM issues all copies, and of one by `cp.async`,
# by the number of warps that read what arrives. (By TMA there is one warp more, the one that issues.)

# %%
from course_lib.recordings.times.tile_costs import CP_ASYNC, TMA, streaming, sweep

for kernel in (TMA, CP_ASYNC):
    print(f"{kernel:<22}", {warps: f"{streaming(kernel, warps):,.0f} GB/s" for warps in (1, 2, 4, 8)})
print("reads whose sum of all words is right:", sum(row["sum_is_right"] for row in sweep()), "of", len(sweep()))

# %% [markdown]
# The best read of the whole sweep has 4,585 GB/s, and few warps come within one per cent of it either way: five by TMA, eight
# by `cp.async` (**measured**). It is often said that with TMA occupancy stops to be the lever. It stops as soon as enough bytes are in flight,
# whoever asks for them. How many are enough is lesson 15, with producer warps and consumer warps. All units busy at once, the copy engine filling one buffer while the tensor cores work on another: that is what people call
# *perfect asynchrony*, and TMA is one half of it. Its other talents have lessons too: stores (13), several SMs fed by one
# copy (14), convolutions (12), edges ([07](07_out_of_bounds.ipynb)).
#
# Is it faster, then? One block, alone, one tile that lies in L2:

# %%
from course_lib.recordings.times.tile_costs import cycles_alone

cycles = {how: cycles_alone(how) for how in ("tma", "cp.async", "loads")}
for size in (128, 512, 2048, 16384, 65536):
    print(f"{size:>6} bytes:", {how: round(spent[size]) for how, spent in cycles.items()}, "cycles")

# %% [markdown]
# No. Up to 16 KiB a tile arrives about 40 to 70 cycles *later* than by `cp.async`, and level with it at 64 KiB (**measured**). TMA
# is not a faster copy. It is a copy that one thread starts, whatever its size.
#
# ## When threads do better
#
# Read this before you convert everything. Threads do better with rows of 16 to 64 bytes, and with tiles of up to some KiB
# that one thread issues. And they alone can read a pitch that is no multiple of 16: no descriptor can describe it. Rows
# first, GB/s of dense rows, the best of each:

# %%
from course_lib.model.facts.limits import SMS
from course_lib.recordings.times.tile_costs import dense_rows, small_tiles

{width: [dense_rows(kernel)[width] for kernel in (TMA, CP_ASYNC)] for width in (16, 32, 64, 128)}

# %% [markdown]
# At 16 bytes a row TMA reaches half, at 32 and 64 three quarters, from 128 on it is level (**measured**). Now small tiles, rows of
# 128 bytes, by one issuing thread an SM and by eight (in eight blocks), and how often the one thread issues:

# %%
print({size: [small_tiles(issuers)[size] for issuers in (1, 8)] for size in (128, 1024, 4096, 8192)})
print(f"one thread, 128 bytes: a copy every {128 / (small_tiles(1)[128] / SMS):.0f} ns")

# %% [markdown]
# With one issuing thread tiles of 1 KiB get a fifth of the bandwidth, with eight nearly all of it (**measured**). So it is the
# *thread* that is busy, 153 ns for a copy and the waits that belong to it. The engine of the SM can do at least six times as many. The
# advice is: **large tiles, or several issuers.** For rows that are narrow or not aligned, threads. Lesson 19 goes through it.
#
# ## The price
#
# What a chapter lists as TMA's cost, and where this course stands on each:
#
# | said | what holds |
# | --- | --- |
# | descriptors are built on the host, awkward for shapes that vary | mostly; bytes can be edited on the device with `tensormap.replace` on `sm_90a` (**documented**: PTX ISA), lesson 18 |
# | constraints are many, and breaking them is silent | the driver refuses most, with one code for all; some trap, few are silent: lesson [06](06_which_rule.ipynb) (**measured**) |
# | debugging is painful: the copy is asynchronous and in another unit | a wrong count hangs or wakes early: lesson [02](02_arrival.ipynb) shows how to see which |
# | needs at least `sm_90a`, no fallback | the tensor copy assembles for `sm_90`, see below; `wgmma` is what needs the `a`. No fallback: true |
# | use CUTLASS, ThunderKittens, Triton, not your hands | often good advice, and you debug their descriptors. Triton emits it for `make_tensor_descriptor`, not for plain pointers, see below; lesson 19 |

# %%
from course_lib.recordings import committed, read_rows

assembled = read_rows(committed("measure_assemble.jsonl.xz"))
{row["target"]: row["assembles"] for row in assembled if row.get("instruction") == "tensor copy"}

# %% [markdown]
# Chapters also say that Triton makes TMA of `tl.load`. Four kernels were compiled by Triton 3.6.0 for the H200 and run; all
# results were right. Counted in the PTX, for a copy and a matrix product:

# %%
print(provenance("measure_triton.jsonl.xz"))
triton = [row for row in read_rows(committed("measure_triton.jsonl.xz")) if "triton_kernel" in row]
opcodes = {"cp_async_bulk_tensor": "tensor copies", "cp_async": "cp.async", "ld_global": "ld.global"}
table(triton, triton_kernel="kernel", uses="source", **opcodes, tensormap_replace="edits of a map")

# %% [markdown]
# No tensor copy comes of `tl.load` on pointers, in neither kernel; both that use `tl.make_tensor_descriptor` have them
# (**measured**). They build their map on the device, field by field: 26 and 39 `tensormap.replace`.
#
# ## The trap
#
# Four reports from public projects and the warning of a fifth, retold.
#
# ### The one that every lane issued
#
# A barrier was set up for one arrival, and a whole warp arrived at it. (One way to the same slip: `elect.sync` in every warp. It
# picks a lane of *each* warp, not one of the block.) The barrier of the model knows what an H200 does then:

# %%
from course_lib import DeviceFault
from course_lib.model.barrier.mbarrier import MBarrier

barrier = MBarrier(1)
try:
    for _lane in range(32):
        barrier.arrive_expect_tx(16384)
except DeviceFault as fault:
    print("lane", _lane, "-", fault)

# %% [markdown]
# The second arrival is one too many, and the launch ends with 719 (**model**, after recorded misuse of barriers). Worse is the
# version in which *one* thread announces and 32 copy, since nothing traps at once. One tile is awaited:

# %%
barrier = MBarrier(1)
barrier.arrive_expect_tx(16384)
for _ in range(32):
    barrier.complete_tx(16384)
print(barrier.state)

# %% [markdown]
# The first copy ends the phase, and the first tile is right. The other 31 land in the phase after it, whose count is now half a million
# bytes below zero: the second tile never completes, and its wait hangs. **Diagnosis:** a program right for one tile that hangs at
# the second; in SASS, a `BRA.U.ANY` behind `UTMALDG`, and more than one lane there. **Mend:** `warp == 0 && elected()`, or
# `threadIdx.x == 0`.
#
# ### The one that elected twice
#
# The guide of a library warns: its TMA copy elects a lane by itself, and who wraps the call in an election of their own can deadlock.
# You saw the reason: `WARPSYNC.ALL` waits for lanes that took the other branch. PTX says so too: `elect.sync` waits for every thread in its
# mask (**documented**: PTX ISA, `elect.sync`). **Diagnosis:** stop the kernel in a debugger; one lane stands before `ELECT`. **Mend:** elect once, in a place
# that the whole warp reaches.
#
# ### The one that got slower
#
# Somebody ran two example programs, one with TMA and one without, and asked why TMA was so much slower. The sizes that the two have by
# default differ: one computes 0.27 GFLOP and the other 215. A small problem measures the start, a large one the rate. The same slip in our
# recording, a tile of 2 KiB by TMA beside one of 64 KiB by `cp.async`:

# %%
rate = {(how, size): size / spent for how, sizes in cycles.items() for size, spent in sizes.items()}
slip, fair = (rate["cp.async", 65536] / rate["tma", size] for size in (2048, 65536))
print(f"TMA seems {slip:.1f} times slower; at the same size {fair:.2f} times")

# %% [markdown]
# (**measured**.) **Diagnosis:** print the bytes and the operations of both runs beside their times. **Mend:** the same shape on both
# sides, and long enough that the start does not count.
#
# ### The one on another chip
#
# On a consumer GPU of the next generation TMA reached 0.31 to 0.79 of the rate of `cp.async`. The tiles had 16 and 32 KiB and were
# read again and again. Those sizes on an H200, from L2:

# %%
for size in (16384, 32768):
    print(f"{size:,} bytes: TMA at {rate['tma', size] / rate['cp.async', size]:.2f} of cp.async")

# %% [markdown]
# 0.93 and 0.97 (**measured** for one block alone; the report's loop was another). **Diagnosis:** a number of one chip. **Mend:** measure on
# the chip that you ship on. The instruction is the same there, and the engine is not.
#
# ### The one with 1,733 columns
#
# A matrix of float32 with 1,733 columns, dense: a compiler could not make its descriptor, and said no more than that. The report's
# call, the driver, and the rule:

# %%
from course_lib.rows.calls import tensor_map_of_report

report = next(row for row in read_rows(committed("reports.jsonl.xz")) if row["id"] == "T02")
print("recorded CUresult:", report["driver_result"])
print(tensor_map_of_report(report).check())

# %% [markdown]
# Refused (**measured**). Threads can copy 4 bytes at a time from any multiple of 4; a descriptor counts strides in 16 bytes. **Diagnosis:** pitch
# modulo 16. **Mend:** pad the rows to 1,736 columns when you allocate, or keep the threads for such a matrix: there is no fallback unless you write it.
#
# ## On the hardware
#
# In part A, NumPy played the threads. Here the threads are an H200's own: both kernels of part B fetched the same tiles, inside
# a matrix, over every edge and beside it, and all of shared memory was kept as a digest.

# %%
from course_lib.recordings.copies.thread_loads import same_tiles

tiles = same_tiles()
print(len(tiles), "tiles,", sum(tile.crosses_an_edge for tile in tiles), "over an edge or outside")
print("cp.async and TMA left the same bytes:", sum(tile.by_cp_async == tile.by_tma for tile in tiles))
print("and so did the model:", sum(tile.by_model == tile.by_tma for tile in tiles))
print(provenance("measure_same_tile.jsonl.xz"))

# %% [markdown]
# 56 of 56, guards to the byte and order included (**measured**). On a machine with a Hopper GPU the engine is asked now. Without
# one, the recording of the same call answers. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.machines import machine

across_an_edge = (load for load in loads if load.tensor_map.swizzle == Swizzle.B128 and load.crosses_an_edge)
asked = max(across_an_edge, key=lambda load: load.row["transaction_bytes"])
seed, base = asked.row["seed"], asked.row.get("shared_address", 0)
told = machine().load(asked.tensor_map, asked.coordinates, seed=seed, shared_address=base)
window = asked.window_by_threads
print(told)
print("as 256 threads leave it:", bool((told.memory[: window.size] == window).all()))

# %% [markdown]
# With a GPU the two kernels of part B run too, inside a matrix and at its edges, and their tiles are held against each other.

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status

if gpu_status().usable:
    from course_lib.gpu.context import Gpu
    from course_lib.gpu.measure.same_tile import measure as both_kernels

    equal = [row["equal"] for row in both_kernels(Gpu(), False)]
    print(sum(equal), "of", len(equal), "tiles are the same, by cp.async and by TMA")
else:
    print(gpu_status().sentence, "Nothing ran here.")

# %% [markdown]
# And if this machine has the compiler, it counts your kernels' instructions as it counted ours. (Yours may be a later
# version.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.listing import compiler_status

status = compiler_status()
print(status.sentence)
if status.usable:
    from course_lib.gpu.sass import measure

    print({row["name"]: (row["warp_instructions"], row["registers"]) for row in measure(None, True)})

# %% [markdown]
# ## What to keep
#
# - A 16 KiB tile is 1,024 copies of 16 bytes: 4 for each of 256 threads, 32 warp instructions. By TMA it is one, of one thread.
# - Threads work out which piece, from where, how much of it, to where. The engine takes all four from a descriptor
#   and two coordinates, and leaves the same bytes.
# - Count the loop, not the copy: at four copies a thread 192 instructions a tile against 166, with guards to the byte 600.
# - What a thread pays grows with its copies and its guards. What TMA costs does not grow with the tile.
# - Freed registers buy some per cent of arithmetic a byte. Warps that need not fetch are the larger gain.
# - TMA is no faster for one tile. Use threads for rows under 128 bytes and pitches off 16; use more issuers for small tiles.
# - One lane of one warp issues. `elect.sync` needs the whole warp; a missing condition issues once a lane.
#
# | number | unit |
# | --- | --- |
# | size of a `cp.async` | bytes, 0 to 16 |
# | coordinates of a tensor copy | elements, innermost first |
# | what the barrier expects | bytes, of the whole box |
# | issued instructions | of warps, 32 threads each |
# | registers | of a thread, 255 at most |
#
# ## Ask yourself
#
# <details><summary>A tile of 64 rows of 64 bytes, 128 threads. How many copies has a thread, and how many cp.async are
# issued?</summary>256 pieces, so 2 a thread; 8 warp instructions.</details>
#
# <details><summary>Why does a piece that lies wholly outside still write 16 bytes?</summary>The tile in shared memory must be complete: what
# an earlier tile left there would enter the product. The engine does the same, and counts them.</details>
#
# <details><summary>Your loop has no guards and 2 copies a thread. What does TMA save?</summary>Few instructions. Some registers, and
# every instruction of the warps that need not read the tile.</details>
#
# <details><summary>In a profile you see 32 times the traffic that you expect. Which two instructions do you look
# for?</summary><code>UTMALDG</code> with <code>BRA.U.ANY</code> behind it: a loop over lanes. Then who reaches it.</details>
#
# <details><summary>What is in the 128 bytes, in one sentence?</summary>Everything about the copy that does not change from tile to
# tile: where the data lies, its type, shape and strides, the box, and what becomes of order and edges.</details>
#
# **Now you:** in [exercise 01](../exercises/01_why_tma/01_why_tma.ipynb) you are the 256 threads, and then you choose a tile by its
# registers. [Lesson 02](02_arrival.ipynb) is about the barrier that this lesson took for granted.
#
# **Where to go:** [exercise 01](../exercises/01_why_tma/01_why_tma.ipynb) ·
# before: [00b · A kernel engineer's refresher](00b_refresher.ipynb) ·
# next: [02 · Arrival](02_arrival.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/cost/tile_cost.py`](../course_lib/model/cost/tile_cost.py)
