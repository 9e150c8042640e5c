# %% [markdown]
# # 09 · Swizzle
#
# **The question:** where did my bytes go?
#
# Afterwards you can
#
# - find the rule of a swizzle from a dump of shared memory,
# - say at which shared address any byte of a tile lies, for each mode, each row width and each base address,
# - read a swizzled tile back in a kernel, and say when a formula without the base address is wrong,
# - say what a read through each mode costs, and which mode to take.
#
# **Time:** about 85 minutes: part A, the hunt, 35; part B, what follows from it, 50. **You need:**
# [lesson 03](03_the_descriptor.ipynb) for the call, and banks, which the next cells repeat. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# Shared memory has 32 banks of 4 bytes. So 128 bytes are one **line** over all banks, and the bank of a byte depends
# on its place in the line alone. In this lesson we cut a line into eight **units** of 16 bytes. The three parts of an
# address are bits: which line, which unit of the line, which byte of the unit.

# %%
address = 0x1B4
line, unit, byte = address >> 7, address >> 4 & 0b111, address & 0b1111
line, unit, byte, address // 4 % 32

# %% [markdown]
# `0x1b4` is byte 4 of unit 3 of line 3, in bank 13.
#
# Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>How many swizzle modes can a descriptor of this chip name?</summary>Four: the field has two bits. The
# modes are NONE, B32, B64 and B128.</details>
#
# <details><summary>Each descriptor has a word that depends on the swizzle alone. What does it hold?</summary>16, 256, 512 or
# 1024. Something repeats after so many bytes; today you see what.</details>
#
# <details><summary>A warp reads one 4-byte word from each of 32 rows that lie 128 bytes apart. How many turns does it
# take?</summary>32: all the words lie in one bank, and a bank gives one word a turn.</details>
#
# ## A column that costs 32
#
# That last read happens whenever a warp goes down a column of a tile: in a transpose, or when `ldmatrix` collects eight
# rows of a matrix. An H200 took so many cycles for each warp access (**measured**):

# %%
from course_lib.recordings import committed, provenance, read_rows

recorded = read_rows(committed("bank_cycles.jsonl.xz"))
cycles = {(row["pattern"], row["access_bytes"]): row["cycles_median"] for row in recorded}
{pitch: cycles[f"column 0, pitch {pitch}", 4] for pitch in (128, 132, 144)}

# %% [markdown]
# Rows 132 bytes apart would cure it: that is *padding*, and it costs memory. A tensor copy can't do it: the rows of its
# box are multiples of 16 bytes. Rows of 144 bytes are possible, with a box of 36 floats over a dimension that has 32,
# and cost 4 cycles, bytes in flight, and memory. The copy engine offers something else: it puts the bytes of each row in
# **another order**. Which?
#
# # Part A · The hunt
#
# We take a tile of 16 rows of 64 bfloat16: 128 bytes, so 8 units a row. Each unit gets a name, `3.5` for unit 5 of row
# 3. The tile was loaded by an H200 and all of shared memory was kept. Its bytes are random, so a unit is
# recognized wherever it lies. First without a swizzle:

# %%
from dataclasses import replace

import numpy as np

from course_lib import Swizzle, store
from course_lib.draw import address_bits, swizzle_grid
from course_lib.recordings.copies.swizzles import recorded_tile, recorded_tiles

# %% [markdown]
# `recorded_tile` finds such a tile, and `show` draws it, one line of 128 bytes below the other:


# %%
def show(tile, marked=(), lines=16):
    last = tile.shared_address // 16 + 8 * lines
    return swizzle_grid(tile.units[:last], tile.units_in_row, tile.shared_address, marked)


show(recorded_tile(Swizzle.NONE), lines=4)

# %% [markdown]
# As expected: row after row. Each line of the picture is 128 bytes of shared memory, and a column of the picture is the
# same four banks all the way down. Now the **same call with `swizzle=B128`**, and only the first three rows:

# %%
show(recorded_tile(Swizzle.B128), lines=3)

# %% [markdown]
# Every unit was found, so each is whole: nothing smaller than 16 bytes was moved (**measured**).
# Row 0 is in order. In row 1 neighbours have changed places. In row 2 pairs have. What comes next?

# %%
from course_lib.widgets import predict, reveal

fourth = predict(
    "Where in the picture does unit 5 of row 3 lie? (Row and column of the picture, from 0.)",
    cells=(8, 8),
    name="Row and column of the picture",
)

# %% jupyter={"outputs_hidden": true}
tile = recorded_tile(Swizzle.B128)
at = tile.addresses[3 * 8 + 5]
reveal(fourth, hardware=(at // 128, at // 16 % 8), source=provenance("load_swizzle.jsonl.xz"))

# %% [markdown]
# ## A rule, and a judge
#
# Here are all 16 rows, with unit 0 of each marked. Follow the dark boxes down, and find a rule: the place in the line
# as a function of the row and of the unit.

# %% jupyter={"outputs_hidden": true}
show(tile, marked=range(0, 128, 8))

# %% [markdown]
# You need not trust your eyes. `judge` counts the units, of 128, for which a rule names the place at which the H200
# put them. Two guesses to begin with: *the row is turned around by its number*, and *nothing happens*.


# %%
def judge(rule, tile):
    row, unit = divmod(np.arange(tile.addresses.size), tile.units_in_row)
    return int(sum(rule(row, unit) == tile.addresses // 16 % 8))


judge(lambda row, unit: (unit + row) % 8, tile), judge(lambda row, unit: unit, tile)

# %% [markdown]
# Try your own rule here before you read on. (In the first eight rows, unit 0 goes to place 0, 1, 2, 3, 4, 5, 6, 7. What
# does unit 1 do? Write both as bits. Python has `+ - * // %` and, for bits, `& | ^ ~ << >>`.)


# %%
def my_rule(row, unit):
    return unit


judge(my_rule, tile)

# %% [markdown]
# Swapping neighbours turns the lowest bit of the unit's number; swapping pairs turns the next one. Row 1 does the
# first, row 2 the second, row 3 both, row 4 swaps the halves of the line, and row 8 starts again. To turn those bits of one
# number that are 1 in another is an operation that every processor has, **XOR**, written `^`. Doing it twice undoes it:

# %%
[unit ^ 3 for unit in range(8)], [unit ^ 3 ^ 3 for unit in range(8)]

# %% [markdown]
# The first list is row 3 of the picture. So the number of the row, modulo 8, is XORed into that of the unit:


# %%
def by_row(row, unit):
    return unit ^ row % 8


judge(by_row, tile)

# %% [markdown]
# All 128. Many courses stop here. We have one more recording: the same call, the same bytes, but the tile was loaded
# to shared address 128 instead of 0.

# %%
moved = predict(
    "The tile lies at shared address 128. For how many of its 128 units does by_row name the place?",
    number=(0, 128),
    name="Units in their place",
)

# %% jupyter={"outputs_hidden": true}
at_128 = recorded_tile(Swizzle.B128, shared_address=128)
reveal(moved, hardware=judge(by_row, at_128), source=provenance("load_swizzle.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
show(at_128, marked=range(0, 128, 8))

# %% [markdown]
# Not one. Row 0 is no longer in order; row 7 is. So the rule that fitted all we had was wrong. What is the number that
# is XORed, if not the row of the tile? Make a new rule, and test it on a tile that you have not seen:

# %%
third_base = predict(
    "The tile lies at shared address 384. In which place of its line, 0 to 7, does unit 0 of row 0 lie?",
    number=(0, 7),
    name="The place in the line",
)

# %% jupyter={"outputs_hidden": true}
places = {base: int(recorded_tile(Swizzle.B128, base).addresses[0] // 16 % 8) for base in range(0, 1024, 128)}
reveal(third_base, hardware=places[384], source=provenance("load_swizzle.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
places

# %% [markdown]
# It is the number of the **line**, `address >> 7`, modulo 8. A tile at address 0 has its row 0 in line 0, so there the
# two are the same and nobody can tell them apart. Now a rule gets the address at which a byte would lie without a swizzle,
# and gives the address at which it does:


# %%
def judge_addresses(rule, tile):
    plain = tile.shared_address + 16 * np.arange(tile.addresses.size)
    return int(sum(rule(plain) == tile.addresses))


def by_line(a):
    return a ^ (a >> 7) % 8 << 4


bases = range(0, 1024, 128)
sum(judge_addresses(by_line, recorded_tile(Swizzle.B128, base)) for base in bases)

# %% [markdown]
# 1,024 of 1,024 units (**measured**). Written with a mask, as people mostly do: take three bits of the address, 9 to 7,
# move them down by three, and XOR them into bits 6 to 4.

# %% jupyter={"outputs_hidden": true}
from course_lib.model.facts.swizzle import PATTERNS

address_bits(PATTERNS[Swizzle.B128], 0x1B4)

# %% [markdown]
# In the picture, byte 4 of unit 3 of line 3 lies in unit 0 of the same line. Three things can be read off the bits.
# The bits 3 to 0 are not touched: **a 16-byte unit stays whole**. The bits from 7 up are not touched: **a byte stays in
# its line**. And the bits that are read are not those that are turned, so the same map leads back.
#
# ## The other two modes
#
# B64 allows rows of 64 bytes at most, so two rows share a line. B32 allows 32 bytes: four rows a line.

# %%
first_moved = predict(
    "B64, rows of 64 bytes, shared address 0. Which is the first row whose units have moved?",
    number=(0, 31),
    name="The first such row",
)

# %% jupyter={"outputs_hidden": true}
b64 = recorded_tile(Swizzle.B64)
plain = 16 * np.arange(b64.addresses.size)
first_row = np.flatnonzero(plain != b64.addresses)[0] // b64.units_in_row
reveal(first_moved, hardware=first_row, source=provenance("load_swizzle.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
show(b64, marked=range(0, 128, 4))

# %% [markdown]
# The line counts, not the row. (The rows 0 and 1 share line 0.) And each unit stays in its half of the line. Which
# mask is it? Three bits of the address are candidates, so there are eight masks, and seven shifts worth trying.
# We let the recordings decide, for each mode at all eight base addresses:

# %%
for mode in (Swizzle.B32, Swizzle.B64, Swizzle.B128):
    tiles = [recorded_tile(mode, base) for base in bases]
    for mask, shift in [(bits << 7, shift) for bits in range(8) for shift in range(1, 8)]:
        if all(judge_addresses(lambda a, m=mask, s=shift: a ^ (a & m) >> s, tile) == 128 for tile in tiles):
            print(f"{mode.name:<5} a ^ ((a & 0x{mask:x}) >> {shift})")

# %% [markdown]
# One mask and one shift are left for each (**measured**):
#
# | mode | mask | what happens | span: widest row | repeats after | in CuTe |
# | --- | --- | --- | --- | --- | --- |
# | NONE | — | nothing | no cap of its own | — | `Swizzle<0,4,3>` |
# | B32 | `0x080` | bit 4 ^= bit 7 | 32 bytes | 256 bytes | `Swizzle<1,4,3>` |
# | B64 | `0x180` | bits 5–4 ^= bits 8–7 | 64 bytes | 512 bytes | `Swizzle<2,4,3>` |
# | B128 | `0x380` | bits 6–4 ^= bits 9–7 | 128 bytes | 1024 bytes | `Swizzle<3,4,3>` |
#
# CuTe's three numbers are how many bits, the lowest bit that is turned, and the distance to the bits that are read
# (**documented**: CUTLASS). They count bytes here; a layout that counts 2-byte elements says 3 where this says 4. People
# often report that the formula and the figures of the manuals don't match. They apply the formula to offsets in the tile,
# and the hardware to addresses.
#
# A chapter that many read gives the mask as `1 << 7` for all modes. That is the mask of B32. Its own bit equations, one
# line below, are right for all three. So is its warning: a *swizzle row* is a line of 128 bytes and no row of your
# matrix.
#
# Words: the **span** is as far as a unit can move, 32, 64 or 128 bytes, and a row of the box must fit into it. The
# **atom** is what stays whole, here 16 bytes. (CUTLASS calls a whole repeat an atom.) The **repeat** is the
# number that the driver wrote into the descriptor, bits 576 up: the riddle of lesson 03.
#
# # Part B · What follows
#
# ## The address is the key
#
# What alignment does a swizzled tile need? Two answers, for two readers. First the **engine**:

# %%
alignment = [row for row in read_rows(committed("traps.jsonl.xz")) if row["kind"] == "shared_alignment"]
for multiple in (True, False):
    rows = [row for row in alignment if (row["shared_address"] % 128 == 0) == multiple]
    print("multiple of 128:", multiple, "- copies:", len(rows), "- faults:", {row["fault"] for row in rows})

# %% [markdown]
# 128 for every mode, NONE included; otherwise the copy faults with 716, misaligned address (**measured**). Not more:
# B128 works at any multiple of 128, as we saw. Then **your code**. A formula that sees only the row and
# the column *in the tile*, without the base, is right at some base addresses. At which?


# %%
def relative(tile):
    pattern, base = PATTERNS[tile.tensor_map.swizzle], tile.shared_address
    return judge_addresses(lambda plain: base + pattern(plain - base), tile)


for mode in (Swizzle.B32, Swizzle.B64, Swizzle.B128):
    print(f"{mode.name:<5}", {base: relative(recorded_tile(mode, base)) for base in bases})

# %% [markdown]
# All or nothing (**measured**): at multiples of the repeat it is right, and at every other address it is wrong for every
# unit. So:
#
# | who | B32 | B64 | B128 |
# | --- | --- | --- | --- |
# | the engine needs | 128 | 128 | 128 |
# | code that XORs by the row in the tile needs | 256 | 512 | 1024 |
# | code that XORs the whole address needs | 128 | 128 | 128 |
#
# That is why one document says 128 and another 1024: both are right, for different readers. CuTe has both kinds. Its
# swizzled *pointer* XORs the address, as the engine does; its swizzled *layout* XORs the offset in the tile. A tensor
# goes from the first to the second by `as_position_independent_swizzle_tensor`, and then needs the repeat
# (**documented**: CUTLASS, `pointer_swizzle.hpp`). The tensor core's own descriptors of shared memory are a third
# reader, with a field for the base offset: lesson 16.
#
# ## Reading it back in a kernel
#
# The safe way takes the address as the hardware sees it:
#
# ```c
# __device__ unsigned swizzled(unsigned a) { return a ^ ((a & 0x380) >> 3); }          // B128
#
# unsigned base = (unsigned)__cvta_generic_to_shared(tile);                            // in the shared window
# unsigned short x;
# asm volatile("ld.shared.u16 %0, [%1];" : "=h"(x) : "r"(swizzled(base + 128 * row + 2 * column)) : "memory");
# ```
#
# `"memory"` keeps the compiler from moving other reads and writes across this one (**documented**: Inline PTX Assembly in CUDA).
# The address costs an AND, a shift and an XOR, and often less: a thread whose row stays the same modulo 8 computes the XOR part
# once, and `ldmatrix` takes one such address for each 16-byte row, since a unit stays whole. If, and only if, the tile is aligned to the repeat, ordinary indexing works too: eight bfloat16 are a unit, so
# the element is `tile[row][column ^ (row % 8 * 8)]`. Both, on what the H200 left at address 384:

# %%
tile = recorded_tile(Swizzle.B128, shared_address=384)
row, column = np.indices((16, 64))
memory, right = tile.shared.view(np.uint16), tile.tensor.view(np.uint16).reshape(16, 64)
by_address = memory[by_line(384 + 128 * row + 2 * column) // 2]
by_index = memory[192:].reshape(-1, 64)[row, column ^ row % 8 * 8]
int((by_address == right).sum()), int((by_index == right).sum())

# %% [markdown]
# 1,024 of 1,024, and none. A store by the same tensor map needs no formula at all: on the way out the engine applies the
# same map, so the order in global memory is the plain one again (**measured**, below).
#
# ## The example that can't be right
#
# A good introduction to Hopper, which many people learn TMA from, has this as its main example: a box of 64 × 128
# bfloat16 with `SWIZZLE_128B` goes into `__shared__ alignas(128) __nv_bfloat16 As[128][64]`, and then comes the comment
# *use As[][]*. `alignas(128)` allows a multiple of 128 that is no multiple of 1024. We loaded that tile to address 128.

# %%
plain_rows = predict(
    "Of the 8192 elements, for how many is As[r][c] the element of row r, column c of the tile?",
    number=(0, 8192),
    name="Right elements of 8192",
)

# %% jupyter={"outputs_hidden": true}
seen = recorded_tile(Swizzle.B128, shared_address=128, rows=128)
row, column = np.indices((128, 64))
As, right = seen.shared[128:16512].view(np.uint16).reshape(128, 64), seen.tensor.view(np.uint16).reshape(128, 64)
reveal(plain_rows, hardware=int((As == right).sum()), source=provenance("load_swizzle.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
print("As[r][c]:                 ", int((As == right).sum()))
print("As[r][c ^ r % 8 * 8]:     ", int((As[row, column ^ row % 8 * 8] == right).sum()))
print("keyed to the address:     ", int((As[row, column ^ (row + 1) % 8 * 8] == right).sum()))

# %% [markdown]
# One row of eight is in its place (**measured**): the one whose line number is a multiple of 8. It is row 7, since the tile begins in
# line 1. Had the tile been at a multiple of 1024, as many elements would be right, those of rows 0, 8, 16 …; a test that
# prints the first row would pass there. **Mend:** read through the XOR, and align to 1024 or take the whole
# address. Or set the swizzle to NONE, if nobody reads columns.
#
# ## Narrow rows
#
# The same chapter says that the mode *fixes* the width of a tile: 32, 64 or 128 bytes. Let us try B128 with rows of 48
# bytes: a box of 24 × 16 bfloat16.

# %%
narrow = predict(
    "B128, 16 rows of 48 bytes. How many bytes of shared memory must be set aside for the tile?",
    number=(0, 4096),
    name="Bytes set aside",
)

# %% jupyter={"outputs_hidden": true}
thin = recorded_tile(Swizzle.B128, 0, row_bytes=48)
lines = int(thin.addresses.max()) // 128 + 1
reveal(narrow, hardware=128 * lines, source=provenance("load_swizzle.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
print("the barrier counted", thin.transaction_bytes, "bytes")
show(thin)

# %% [markdown]
# It works: the mode **caps** the width (**measured**: each multiple of 16 bytes under each mode). A row takes a whole span
# nevertheless, here a line, so the rows are 128 bytes apart and 80 bytes of each line stay as they were. Since the
# XOR works on the address, the gap is another one in every line. The barrier counts the *data* alone, 768 bytes, not 2048.
# Whoever expects the size of the buffer waits for ever.
#
# The other way round, a row *wider* than the span is refused: the first trap below. What is above the rows in a box,
# planes for instance, just goes on behind them (**measured**: 5 planes of 3 rows). And four rows are enough: a repeat is a
# period, not a minimum.
#
# ## What it buys
#
# Back to the column. In a swizzled tile the 32 lanes of the warp read their 4 bytes through the XOR. The bank is that
# of the address *after* it, `b / 4 % 32`, the bits 6 to 2; the XOR of B128 turns three of these five.

# %%
column_cost = predict(
    "32 rows of 128 bytes under B128. How many cycles does a read of one 4-byte column take? (Without: 32)",
    choices=["1", "2", "4", "8", "32"],
    name="Cycles of the read",
)

# %% jupyter={"outputs_hidden": true}
measured = cycles["column 0, pitch 128, swizzle 128", 4]
reveal(column_cost, hardware=str(int(measured)), source=provenance("bank_cycles.jsonl.xz"))

# %% [markdown]
# Four, not one. It is often said that the 128-byte swizzle removes all bank conflicts. The XOR knows eight places, so
# rows 0, 8, 16 and 24 send their word to the same place, and inside of a unit nothing moves. Eight lanes can be kept
# apart, not 32. All that was measured, cycles for each warp access:

# %%
for span in (32, 64, 128):
    for name, size in (("column 0", 4), ("8-row columns", 16)):
        without, through = (round(cycles[f"{name}, pitch {span}{end}", size]) for end in ("", f", swizzle {span}"))
        print(f"rows of {span:>3} bytes, B{span:<4} {name:<14} {size:>2} bytes a lane: {without:>2} -> {through}")

# %% [markdown]
# *8-row columns* is what `ldmatrix` does: 32 lanes, each 16 bytes, eight rows at a time. 512 bytes take four turns at
# best, so 4 is free of conflicts there. **Each mode, with rows as wide as its span, makes a 16-byte column of eight rows
# free, and leaves a 4-byte column of 32 rows at 4** (**measured**). That is what the modes are for: the tensor
# core and `ldmatrix` read 8 rows × 16 bytes. `ldmatrix.x4` itself:

# %%
names = [f"ldmatrix.x4, 8 rows of pitch 128, swizzle {mode}" for mode in (0, 32, 64, 128)]
[cycles[name, 0] for name in names]

# %% [markdown]
# The second and the third number belong to no copy that you can make: under B32 or B64 the rows of a box never lie 128 bytes
# apart. They show why span and row go together: on rows of 128 bytes, the XOR of B32 would only halve the cost.
#
# ## A transpose, with and without
#
# A tile of 32 × 32 floats is read down its columns. Rows of 128 bytes cost 32 turns, B128 makes it 4. Can the rest go
# as well? The four lanes that meet in one bank read rows 0, 8, 16 and 24. Let the second quarter of the
# warp read the *next* column, the third the one after, and so on: four reads later every lane has read its part of all
# four columns of a unit. The bank model of lesson 08 counts the turns of one such read:

# %%
from course_lib.model.cost.banks import access

lane = np.arange(32)
skewed = PATTERNS[Swizzle.B128](128 * lane + 4 * (lane // 8))
straight = PATTERNS[Swizzle.B128](128 * lane)
access(128 * lane, 4).turns, access(straight, 4).turns, access(skewed, 4).turns

# %% [markdown]
# 32, 4, and 1 (**model**). Five kernels transpose a matrix of 16,384 × 16,384 floats: with ordinary loads into a
# plain and into a padded tile, with TMA, with TMA and B128, and with the skewed columns as well. A profiler counted the
# turns, and a clock the time.

# %%
gains = {"4 times": 3, "twice": 1.5, "by a third": 1.05, "under 5 %": 0}
skew_gain = predict(
    "B128 alone takes 4 turns a read, skewed columns 1. How much faster is the whole transpose with them?",
    choices=list(gains),
    name="How much faster",
)

# %% jupyter={"outputs_hidden": true}
measured = [row for row in read_rows(committed("measure_transpose.jsonl.xz")) if row.get("warps") == 4]
rate = {(row["data_type"], row["way"]): row["gb_per_s"] for row in measured}
ratio = rate[7, "tma, 128B swizzle, skewed columns"] / rate[7, "tma, 128B swizzle"]
answer = next(words for words, least in gains.items() if ratio > least)
reveal(skew_gain, hardware=answer, source=provenance("measure_transpose.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.tables import table

counted = [row for row in read_rows(committed("measure_transpose_counters.jsonl.xz")) if "way" in row]
for row in counted:
    row["type"] = {7: "float32", 9: "bfloat16"}[row["data_type"]]
    row["turns"] = f"{row['shared_load_wavefronts'] / row['warp_reads']:.2f}"
    row["rate"] = f"{rate[row['data_type'], row['way']]:,.0f}"
table(counted, type="type", way="how", turns="turns a read", rate="GB/s")

# %% [markdown]
# The counters say what the model says: 32, 1, 32, 4 and 1 turns for floats (**measured**). The time says something
# else. TMA alone adds a fifth, since the reads still take 32 turns. B128 nearly doubles the rate. The skewed columns add
# one per cent: at 4 turns, shared memory is no longer what the kernel waits for. It moves 3.7 TB/s by then, and the memory
# of this GPU gives 4.8 at most (**documented**: NVIDIA, H200 data sheet). So **count turns to find a bottleneck, and stop
# where it isn't one any more**. Between *padded* and B128, 2.9 and 3.7 TB/s, conflicts are few in both; there it
# matters how the tile arrives.
#
# Two rows more deserve a look. The bfloat16 kernel under B128 takes 8 turns, not 4: its lanes read every *second* row of
# 64, so only four of the eight places occur. And the last row is the other way to the same end: `ldmatrix.trans` reads
# 16-byte units, four turns for 512 bytes, and the result leaves by a TMA store from a second swizzled tile.
#
# ## Turn it yourself
#
# All of this in one place. First guess, then turn. Move the shared address by 128: which unit of row 0 comes first
# now? Take B64 and then make the row 80 bytes wide: who says no? Take B128 and a row of 16 bytes: how much is
# gap? Let the lanes read 16-byte units: for which modes is it 4? Take NONE and rows of 144 bytes: why does that help?
# Then choose a mode that is marked *documented*.

# %%
from course_lib.widgets import swizzle_lab

swizzle_lab()

# %% [markdown]
# ## The newer modes
#
# The header lists three more values, and PTX describes them (**documented**: PTX ISA, swizzling modes; not measured
# here). They have another atom, so larger pieces stay whole:
#
# | value | name | what happens | atom |
# | --- | --- | --- | --- |
# | 4 | `128B_ATOM_32B` | bits 6–5 ^= bits 8–7 | 32 bytes |
# | 5 | `128B_ATOM_32B_FLIP_8B` | the same, and in every other line the 8-byte halves of each unit change places | 8 bytes |
# | 6 | `128B_ATOM_64B` | bit 6 ^= bit 7 | 64 bytes |
# | — | 96B | bit 4 ^= bit 7; no value in any header, only `tensormap.replace`, on `sm_103a` and `sm_107a` | 16 bytes |
#
# Two open ends. No document says *which* lines flip. And for the 64-byte atom PTX shows one bit, while CUTLASS asserts
# two. Nobody can settle it on this chip, whose driver refuses all three:

# %%
tiled = (row for row in read_rows(committed("encode.jsonl.xz")) if row["api"] == "tiled")
newer = [row for row in tiled if row["swizzle"] in (4, 5, 6)]
f"{len(newer):,} tiled calls with swizzle 4, 5 or 6; accepted: {sum(row['result'] == 0 for row in newer)}"

# %% [markdown]
# The field in the descriptor has two bits, so there is no room for them (lesson 03). What they are for, one chapter gives
# as *block-scaled formats*. The documents tie the 32-byte atom to an operand layout of Blackwell's tensor core, `tcgen05`
# (**documented**: PTX ISA, matrix layouts in shared memory); lesson 19 has more.
#
# ## Two sentences to unlearn
#
# *Swizzling maps addresses of global memory to addresses of shared memory.* It maps shared to shared: the hunt
# needed no global address at all. *The mode sets the size of the memory transactions.* It sets the order in shared memory.
# What the barrier counted for one and the same amount of data (**measured**):

# %%
{Swizzle(mode).name: recorded_tile(mode).transaction_bytes for mode in range(4)}

# %% [markdown]
# ## The trap
#
# Five reports from public projects, retold.
#
# ### The one that was right at +1024
#
# Wrong values with the tile at byte 128 of the buffer, right ones with the tile at 1024; in another project, a difference
# of about 3 appeared when somebody moved a buffer. A third has it in numbers: a tile of 16 rows of 64 fp8 under B64 at
# `0x600` had 0 of 1024 bytes wrong, and 128 bytes further all 1024. We have both copies:

# %%
pattern = PATTERNS[Swizzle.B64]
for base in (0x600, 128):
    tile = recorded_tile(Swizzle.B64, base, rows=16)
    wrong = tile.shared[base + pattern(np.arange(1024))] != tile.tensor
    print(f"base 0x{base:03x}, {base % 512:>3} mod 512: {wrong.sum()} of 1024 bytes wrong")

# %% [markdown]
# Both as reported (**measured**). `__align__(16)` on dynamic shared memory lets any static variable move the base. **Diagnosis:** print the address of
# the tile modulo 1024. **Mend:** align to the repeat in the declaration, round each stage of a ring up to it; or put
# the whole address through the XOR.
#
# ### The one that was too wide
#
# Why does a two-dimensional load stop at 64 bfloat16, asked a reader, and the code go over to three dimensions? Another
# program chose the mode by counting elements: right for one byte an element, wrong for two. Both calls, and the driver:

# %%
from course_lib.rows.calls import tensor_map_of_report

reports = {row["id"]: row for row in read_rows(committed("reports.jsonl.xz"))}
for name in ("T14", "T16"):
    print("recorded CUresult:", reports[name]["driver_result"], "-", tensor_map_of_report(reports[name]).check())

# %% [markdown]
# 128 bfloat16 are 256 bytes. **Mend:** cut the row into pieces of 128 bytes and make the piece a dimension of its own, with
# 128 bytes as its stride: `global_dim` (64, rows, pieces). The box then holds one piece after the other.

# %%
split = tensor_map_of_report(reports["T14fix"])
print(split.global_dim, split.global_strides, split.box_dim, "recorded CUresult:", reports["T14fix"]["driver_result"])

# %% [markdown]
# ### The one that needed eight rows
#
# A compiler insisted on at least 8 rows under a swizzle, since the pattern has 8. Someone showed on hardware that 4 rows
# work. **Diagnosis:** a period taken for a minimum. Here are 4 rows, loaded to address 384:

# %%
show(recorded_tile(Swizzle.B128, 384, rows=4), lines=4)

# %% [markdown]
# ### The one with the wrong tool
#
# Partial results lie in a swizzled tile; a *linear* bulk reduction (`cp.reduce.async.bulk`, no tensor map) adds them to
# global memory, and the sums are wrong. The linear copy has no descriptor, so it knows of no swizzle. We write what the
# H200 left in shared memory back to global memory, with the tensor map and without:

# %%
tile = recorded_tile(Swizzle.B128)
out = np.zeros(2048, np.uint8)
store(replace(tile.tensor_map, global_address=0), (0, 0), tile.shared, out)
linear = tile.shared[:2048]
int((out == tile.tensor).sum()), int((linear == tile.tensor).sum())

# %% [markdown]
# All 2048 bytes, and 268 (**model**): the two rows that lie in order, and a few bytes by chance. **Mend:** reduce and store
# with the same tensor map, or undo the XOR first.
#
# ### The one that was not
#
# After a hang somebody concluded that a swizzled tensor must lie at a multiple of 128 bytes in *global* memory. One guide
# says that too; the manual of the encode call says 16. Two copies from 16 and 48 bytes after a multiple of 128:

# %%
off = [tile for tile in recorded_tiles() if tile.tensor_map.global_address % 128]
[(tile.tensor_map.global_address % 128, judge_addresses(by_line, tile)) for tile in off]

# %% [markdown]
# 128 of 128 units, both times: the engine takes 16, and the guide asks for more than this chip needs (**measured**). The
# hang had another cause; a wrong byte count is the usual one.
#
# ## On the hardware
#
# Every mode at eight base addresses, narrow rows, few rows, planes, bytes: the model's window against the H200's, byte for
# byte. And the stores, which undo it, from eight addresses.

# %%
from course_lib.recordings.replay.replay import replay

for name in ("load_swizzle", "store_swizzle"):
    agreement = replay(committed(f"{name}.jsonl.xz"))
    print(
        dict(agreement.agreeing), "rows agree,", len(agreement.differences), "differ:", provenance(f"{name}.jsonl.xz")
    )

# %% [markdown]
# And 1,500 random copies to any multiple of 128, tiled and im2col, of which only a fingerprint of the window was kept:

# %%
agreement = replay(committed("load_offset.jsonl.xz"))
print(dict(agreement.agreeing), "rows agree,", len(agreement.differences), "differ")

# %% [markdown]
# On a machine with a Hopper GPU, the same loads are made now. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.child import Child
from course_lib.gpu.device import gpu_status

print(gpu_status().sentence)
if gpu_status().usable:
    rows = list(read_rows(committed("load_swizzle.jsonl.xz")))
    with Child() as child:
        live = [child.ask("load", row)["blake2b_96"] for row in rows]
    print(sum(a == row["blake2b_96"] for a, row in zip(live, rows, strict=True)), "of", len(rows), "are the same")
else:
    print("no live answer here: the recordings above stand in")

# %% [markdown]
# ## What to keep
#
# - A swizzle is an XOR on the **shared address**: `a ^ ((a & mask) >> 3)`, mask `0x80`, `0x180`, `0x380` for B32, B64, B128.
# - The key is the line, `a >> 7`. It is the row of the tile only for rows of 128 bytes at a multiple of the repeat.
# - A 16-byte unit stays whole and in its line. Doing it twice undoes it. A store through the same map undoes it.
# - The engine needs 128; code that ignores the base needs 256, 512 or 1024.
# - The span caps the row. A narrower row leaves a gap, and the barrier counts the data alone.
# - It frees 16-byte columns of eight rows. A 4-byte column of 32 rows still costs 4, unless the lanes are skewed. That is
#   often enough: find out what the kernel waits for.
# - Choose the mode by the row, in bytes: the one whose span is the row. A wider row does not fit, a narrower one leaves gaps.
#
# | field | unit |
# | --- | --- |
# | `swizzle` | a mode; its span is in bytes |
# | `box_dim[0]` | elements; times the size of one, at most the span in bytes |
# | shared address | bytes, a multiple of 128 |
# | unit, atom | 16 bytes |
# | line | 128 bytes, all banks once |
# | repeat | 256, 512, 1024 bytes |
#
# ## Ask yourself
#
# <details><summary>B128, base 1024. Where does byte 0 of row 9 lie?</summary>Meant for 1024 + 1152 = 2176 =
# <code>0x880</code>, line 17, 17 mod 8 = 1: unit 0 ^ 1, so at <code>0x890</code>.</details>
#
# <details><summary>Your tile is right in the first build and wrong after somebody added a shared variable. What do you
# look at?</summary>The address of the tile modulo the repeat of its mode.</details>
#
# <details><summary>A tile has rows of 32 bytes. Why not B128?</summary>It is allowed, but each row takes 128 bytes of shared
# memory, four times as much.</details>
#
# <details><summary>Which rows of a B64 tile at a multiple of 512 are in order?</summary>Those in lines 0, 4, 8 …: with
# rows of 64 bytes rows 0, 1, 8, 9, 16, 17 …</details>
#
# <details><summary>A 16-byte read by each of 32 lanes takes four turns. Is that a conflict?</summary>No: 512 bytes, and all banks
# together give 128 a turn.</details>
#
# **Now you:** in [exercise 09](../exercises/09_swizzle/09_swizzle.ipynb) you find the rule of an engine that nobody has
# described.
#
# **Where to go:** [exercise 09](../exercises/09_swizzle/09_swizzle.ipynb) ·
# before: [08 · Banks](08_banks.ipynb) ·
# next: [10 · Interleave](10_interleave.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/facts/swizzle.py`](../course_lib/model/facts/swizzle.py)
