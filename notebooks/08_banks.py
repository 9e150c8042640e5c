# %% [markdown]
# # 08 · Banks
#
# **The question:** why is this read 8 times slower?
#
# Afterwards you can
#
# - say in which bank a byte lies, and count the turns that any read of a warp takes,
# - tell a read that conflicts from one that only looks so: broadcasts, 8- and 16-byte reads, `ldmatrix`,
# - choose how far apart the rows of a tile lie, and say what that costs,
# - say which of these distances a tensor copy can make.
#
# **Time:** about 60 minutes: part A, banks and turns, 25; part B, wide reads, 20; part C, padding, 15. **You need:**
# [lesson 04](04_shapes_strides_boxes.ipynb) for boxes and their rows, and warps, which the next cell repeats. You need
# no GPU.

# %% [markdown]
# ## What you need, again
#
# A **warp** is 32 threads, its **lanes**: `lane = threadIdx.x % 32`. When it reads shared memory, one instruction
# carries 32 byte addresses, one a lane, and each lane reads 4, 8 or 16 bytes from its own. We write such a read as an
# array of 32 addresses. Here a tile has rows of 128 bytes, and the lanes read one row, or 4 words of each of 8 rows:

# %%
import numpy as np

lane = np.arange(32)
one_row = 4 * lane
eight_rows = 128 * (lane % 8) + 4 * (lane // 8)
one_row[:10], eight_rows[:10]

# %% [markdown]
# Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>A box has 8 rows of 64 bfloat16, no swizzle. How far apart do its rows lie in shared
# memory?</summary>128 bytes: a box is packed, row after row, whatever the tensor's stride is.</details>
#
# <details><summary>How many bytes may a row of the box have?</summary>A multiple of 16, and at most 256
# elements.</details>
#
# <details><summary>The box is wider than the tensor. What arrives beyond the edge, and does the barrier count
# it?</summary>Zeros (or NaN, if asked for), and yes.</details>
#
# # Part A · Banks and turns
#
# Both reads above take 128 bytes, each byte once, with one instruction. We let an H200 do each of them over and over,
# with 16 warps, so that shared memory never rests, and counted its cycles for each read (**measured**):

# %%
from course_lib.recordings import provenance
from course_lib.recordings.times.banks import bank_read, bank_reads

by_h200 = provenance("bank_cycles.jsonl.xz")
print(by_h200)
bank_read("rows, pitch 128").cycles, bank_read("8-row columns, pitch 128").cycles

# %% [markdown]
# One cycle, and eight. (`pitch 128` says that rows lie 128 bytes apart. The 0.04 is the measuring loop.) The second
# read is nothing exotic: it is how each warp of a matrix multiplication touches its 8 × 8 pieces. So why?
#
# ## 32 banks
#
# Shared memory is one flat space to a program: you compute one address, and any lane may use any of them. The hardware
# below it is cut into 32 **banks**, each of which gives one 4-byte word a cycle (**documented**: CUDA Programming Guide,
# shared memory). Why 32? A warp has 32 lanes, so in the best case each is served by a bank of its own. A bank is no
# array that you could index: which bank a byte lies in is settled by its address.


# %%
def bank(address):
    return address // 4 % 32


bank(0), bank(3), bank(4), bank(127), bank(128)

# %% [markdown]
# In bits: 0 and 1 are the byte of the word, **6 to 2 the bank**, and the rest is the *line* of 128 bytes. Words that
# lie 128 bytes apart, or any multiple of it, are in the same bank. Now the two reads:

# %%
bank(one_row), bank(eight_rows)

# %% [markdown]
# One row meets every bank once. The 8 × 4 words of the other read lie in banks 0 to 3, eight in each. A bank gives one
# word in a **turn**, so that read takes eight turns, while 28 banks have nothing to do. A row of the picture is a turn:

# %%
from course_lib.draw import bank_picture, degree_chart
from course_lib.model.cost.banks import access

bank_picture(access(eight_rows, 4), "4 words of each of 8 rows")

# %% [markdown]
# That is a **bank conflict**: lanes that are served together ask one bank for *different* words. The number of words
# that the busiest bank has to give is its **degree**; this one is called an 8-way conflict. `access` is the
# bank model of this course; it knows nothing but addresses. (A *phase*, in the picture, is the lanes that are served
# together: here all 32. Part B has others.) How many turns a read takes is measured. In which order a
# bank gives its words isn't; the picture takes the lowest lane first (**model**).
#
# Profilers have a word of their own for a turn: Nsight Compute counts *wavefronts*.

# %%
from course_lib.widgets import predict, reveal

column = predict(
    "A tile has 32 rows of 128 bytes. Lane i reads word 0 of row i. How many cycles does the read take?",
    number=(1, 32),
    name="Cycles of the read",
)

# %% jupyter={"outputs_hidden": true}
down = bank_read("column 0, pitch 128")
reveal(column, model=down.modelled.turns, hardware=int(down.cycles), source=by_h200)

# %% [markdown]
# All 32 words lie in bank 0: the worst that can happen. It is what a transpose does, and the reason why a tile of
# 32 × 32 floats is the classical trap.
#
# ## Which distances conflict?
#
# Let lane *i* read the word at `i * s`, counted in words. Some distances *s* are bad, some are not
# (cycles by distance):

# %%
strides = {s: int(bank_read(f"stride {s} x 4 bytes").cycles) for s in range(1, 34)}
print(strides)

# %% [markdown]
# These numbers show how many banks there are, without any document. Distance 33 is as good as 1, and 32 is the
# worst: it repeats after 32 words. Were a bank 8 bytes wide, distance 2 would cost nothing. Every odd
# distance is free. And in general?

# %%
from math import gcd

all(cycles == gcd(s, 32) for s, cycles in strides.items())

# %% [markdown]
# The degree is the largest common divisor of the distance and 32 (**measured**, for 1 to 33). So an even distance
# gives 2, 4, 8, 16 or 32, and courses often list only these. Any degree from 1 to 32 can happen, though: take *d* lanes
# that ask bank 0 for different words, and let the others have a bank of their own. The chart at the end has all 32.
#
# ## One word for many
#
# It is also taught that *several threads on one bank* make a conflict. Here half of the lanes read word 0, the other
# half word 32. Both lie in bank 0:

# %%
halves = predict(
    "Even lanes read address 0, odd lanes address 128, 4 bytes each. How many cycles?",
    choices=["1", "2", "16", "32"],
    name="Cycles of the read",
)

# %% jupyter={"outputs_hidden": true}
two_words = bank_read("two addresses in one bank")
reveal(halves, model=str(two_words.modelled.turns), hardware=str(int(two_words.cycles)), source=by_h200)

# %% jupyter={"outputs_hidden": true}
bank_picture(two_words.modelled, "Two words of one bank")

# %% [markdown]
# Two. A bank that gives a word gives it to **every** lane that asks for it, in the same turn: a *broadcast*. What counts
# is how many different words a bank has to give, not how many lanes ask. All 32 lanes on one word take one cycle. And
# a few may share a word while the others read elsewhere:

# %%
sharing = ["broadcast", "lanes 0 and 16 share", "all but lane 31 at one address", "pairs share an address"]
{name: int(bank_read(name).cycles) for name in sharing}

# %% [markdown]
# All take one cycle (**measured**). So a table of constants that all lanes read at one index takes one turn. A lookup at 32
# different indices may take up to 32, if the table is longer than a line: 32 floats have a bank each. Two bytes of one word aren't different words either: 16-bit or 8-bit elements
# side by side in a word are no conflict (**documented**: CUDA Programming Guide).
#
# Stores go to the same banks. If several lanes write one word, one of them wins, and which is not defined
# (**documented**: the same place). Cycles were measured for loads only.
#
# # Part B · Wide reads
#
# Now each lane reads 16 bytes, a `float4`, and lane *i* reads at `16 * i`: 512 bytes, each once. Lanes 0, 8, 16 and 24
# lie on the same four banks, in different words.

# %%
wide = predict(
    "32 lanes read 16 neighbouring bytes each. How many cycles?",
    choices=["1", "2", "4", "8", "16"],
    name="Cycles of the read",
)

# %% jupyter={"outputs_hidden": true}
neighbours = bank_read("stride 1 x 16 bytes", 16)
reveal(wide, model=str(neighbours.modelled.turns), hardware=str(int(neighbours.cycles)), source=by_h200)

# %% jupyter={"outputs_hidden": true}
bank_picture(neighbours.modelled, "16 bytes a lane, side by side")

# %% [markdown]
# Four, and that is **no conflict**: all banks together give 128 bytes a turn, so 512 bytes need four. The read goes in
# **phases**: 8 lanes at a time for 16 bytes, 16 lanes for 8 bytes, all 32 for 4 bytes, always 128 bytes. Only lanes of
# one phase can be in each other's way. Two reads show it. In the first, lanes 0, 8, 16 and 24 ask the same banks for
# different words (and 1, 9, 17, 25, and so on); in the second, lanes 0 and 1 do (and 2 and 3, and so on):

# %%
quarters = "quarters conflict: lane i and i + 8 rows apart"
neighbouring = "pairs conflict: lane i and i + 1 rows apart"
for name in (quarters, neighbouring):
    print(name, {size: int(bank_read(name, size).cycles) for size in (4, 8, 16)})

# %% [markdown]
# Lanes 8 apart cost 4 turns with 4 bytes a lane. With 16 bytes a lane the read takes the 4 turns that it takes anyway.
# Neighbouring lanes are in one phase at every width, and pay at every width: 2, 4, 8 where 1, 2, 4 would do (**measured**).
#
# So the turns of a read are the **sum of the degrees of its phases**. A 16-byte column of 8 rows that lie 128 bytes apart,
# four times side by side:

# %%
fragments = bank_read("8-row columns, pitch 128", 16)
[phase.degree for phase in fragments.modelled.phases], fragments.modelled.turns, fragments.cycles

# %% [markdown]
# Each of the four phases is an 8-way conflict: 32 turns where four would do.
#
# ## Lanes that share, in wide reads
#
# Broadcasts are free in wide reads too. But there is more, and we know of no document that says it.

# %%
same = predict(
    "All 32 lanes read the same 16 bytes. How many cycles?",
    number=(1, 32),
    name="Cycles of the read",
)

# %% jupyter={"outputs_hidden": true}
one_place = bank_read("broadcast", 16)
reveal(same, model=one_place.modelled.turns, hardware=int(one_place.cycles), source=by_h200)

# %% [markdown]
# Not 4, one for each phase of eight lanes, and not 1. Which kinds of sharing make a wide read cheaper? Lanes whose
# numbers differ in one bit read the same address, all others an address of their own:

# %%
for bit in range(5):
    read = bank_read(f"lanes share whose number differs in bit {bit}", 16)
    print(f"lane and lane ^ {2**bit:>2} share: {read.cycles:.2f} cycles")
for name in ("lower half shares by bit 0, upper by bit 1", "all but lane 31 at one address"):
    print(f"{name}: {bank_read(name, 16).cycles:.2f} cycles")

# %% [markdown]
# If **every** lane shares its address with `lane ^ 1`, or every lane with `lane ^ 2`, a phase takes twice as many lanes:
# 16 of 16 bytes, or 32 of 8 bytes. Partners 4, 8 or 16 lanes away don't do it, nor a mixture, and a single lane that
# reads elsewhere doubles the cost for all (**measured**). The rule holds in all the recorded reads, and the model has it. You meet it
# where neighbouring lanes work on one row, and read the same 16 bytes of it.
#
# ## ldmatrix
#
# `ldmatrix.x4` reads four 8 × 8 matrices of 16-bit elements. Each lane gives the address of a row of 16 bytes: lanes 0
# to 7 those of the first matrix, 8 to 15 of the second, and so on. It takes **a matrix a phase** (**measured**). Here
# lane *i* gives row *i* of a tile, and only the distance of the rows changes:

# %%
pitches = range(16, 273, 16)
matrix_cycles = {pitch: int(bank_read(f"ldmatrix.x4, row pitch {pitch}", 0).cycles) for pitch in pitches}
{pitch: cycles for pitch, cycles in matrix_cycles.items() if pitch <= 144}

# %%
rows_192 = predict(
    "ldmatrix.x4 from rows that lie 192 bytes apart. How many cycles? (4 is free of conflicts.)",
    choices=["4", "8", "16", "32"],
    name="Cycles of ldmatrix.x4",
)

# %% jupyter={"outputs_hidden": true}
at_192 = bank_read("ldmatrix.x4, row pitch 192", 0)
reveal(rows_192, model=str(at_192.modelled.turns), hardware=str(matrix_cycles[192]), source=by_h200)

# %% [markdown]
# In a line there is room for eight pieces of 16 bytes. 192 bytes are 12 pieces, and 12 and 8 have 4 in common: eight rows
# find only two different places. The rule is that of the strides again, with pieces for words:

# %%
all(cycles == 4 * gcd(pitch // 16, 8) for pitch, cycles in matrix_cycles.items())

# %% [markdown]
# So rows at an **odd multiple of 16 bytes** are free, and 128, 256 and all their multiples are the worst. Those are the
# distances that a tile has by nature: 64 bfloat16 are 128 bytes.
#
# ## What a turn costs
#
# All 395 recorded reads, with the turns that the model counts: how far are the cycles from the turns?

# %%
apart = [read.cycles - read.modelled.turns for read in bank_reads()]
f"{len(apart)} reads: cycles are {min(apart):.3f} to {max(apart):.3f} more than the turns"

# %% [markdown]
# One cycle a turn, and nothing else (**measured**). That is while shared memory is busy. A warp that is alone and waits
# for its value sees another number, the *latency*. It fits a rule too:


# %%
def latency(read):
    phases = 1 if read.access_bytes == 0 else len(read.modelled.phases)  # ldmatrix: no extra for its phases
    return 26.848 + 2 * read.modelled.turns + (phases - 1)


f"largest error of the rule: {max(abs(latency(read) - read.latency) for read in bank_reads()):.3f} cycles"

# %% [markdown]
# About 27 cycles, **2 for each turn**, and 1 for each phase after the first (**measured**; the loop's own addition is in
# the 27). If you read elsewhere that a conflict costs two cycles a way, and here that it costs one, both can be right:
# one is what a lone warp waits, the other what a busy memory loses. A conflict hurts most where many warps read.
#
# ## Turn it yourself
#
# A tile with rows of up to 128 bytes, and a read of 32 lanes. First guess, then turn: which distance near 128 makes the
# column free? Does it still work with 16 bytes a lane? At 144, what do the column and the 8 rows cost, at each width? Let
# two lanes share a row of the column, and watch the phases. And open the panels: which of your tiles can a tensor
# copy bring?

# %%
from course_lib.widgets import bank_lab

bank_lab()

# %% [markdown]
# # Part C · Padding
#
# The column of 32 rows costs 32 turns because 128 bytes are 32 words. Make the rows
# one word longer than their data, and the distance is odd: **padding**. Nothing lies in the extra word.

# %%
for name, size in (("column 0", 4), ("8-row columns", 16)):
    possible = [pitch for pitch in (128, 132, 144) if pitch % size == 0]
    cycles = {pitch: int(bank_read(f"{name}, pitch {pitch}", size).cycles) for pitch in possible}
    print(f"{name}, {size} bytes a lane: cycles by distance {cycles}")

# %% [markdown]
# There is no best distance. 132 bytes free the 4-byte column, and forbid 16-byte reads: row 1 begins at a multiple of 4
# that is no multiple of 16, and such a read faults (**documented**: CUDA Programming Guide, alignment). 144 bytes free the
# 16-byte columns of 8 rows, 4 turns for 512 bytes, and leave the 4-byte column of 32 rows at 4 (**measured**).
#
# **A distance is good or bad for a read, never by itself.** For one width of read the model finds the smallest distance
# at which a column is free, an odd multiple of the width:

# %%
from course_lib.model.cost.banks import padded_pitch_bytes

[(row_bytes, [padded_pitch_bytes(row_bytes, size) for size in (4, 8, 16)]) for row_bytes in (64, 128, 160, 256)]

# %% [markdown]
# ## What a tensor copy can do
#
# A kernel that fills its tile with ordinary stores may choose any distance. The tensor copy packs the rows of its box, so
# the distance is the width of the box. 132 bytes are 33 floats:

# %%
from dataclasses import replace

from course_lib import DataType, TiledTensorMap, load

tile = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=0, global_dim=(32, 32), global_strides=(128,), box_dim=(33, 32)
)
print(tile.check())

# %% [markdown]
# Refused: a row of a box is a multiple of 16 bytes. The next one is 144 bytes, a box of 36 floats. Our tensor has 32 in
# a row; the other four are out of bounds, so they are filled (lesson 07). If the tensor went on there, they would be
# *read*, too.

# %%
wide_tile = replace(tile, box_dim=(36, 32))
shared = np.zeros(8192, np.uint8)
arrived = load(wide_tile, (0, 0), np.arange(1024, dtype=np.float32).view(np.uint8), shared)
arrived.transaction_bytes, shared.view(np.float32)[:1152].reshape(32, 36)[1, 28:]

# %% [markdown]
# So padding by a box has its price, here for rows of 128 bytes (**model**). It takes one eighth more shared memory. The
# barrier awaits 4,608 bytes where 4,096 are data. And a box is at most 256 elements wide: a row of 256 one-byte elements
# can't be padded at all. For 16-byte columns and `ldmatrix` it buys everything, for the 4-byte column it leaves 4 turns.
#
# The copy engine has another answer, which needs no padding: it can put the 16-byte pieces of a row in another
# order. Which order, you find out in [lesson 09](09_swizzle.ipynb). There is a third answer, without the engine: let
# the lanes read other words, as long as each gets its own in the end. That is the last task of exercise 09.
#
# ## Turns are not time
#
# A kernel transposes a matrix of 16,384 × 16,384 floats in tiles of 32 × 32. A warp reads a column of the tile: 32 turns
# with rows of 128 bytes, 1 with rows of 132. A profiler counted the turns, on a smaller matrix, for each read (**measured**):

# %%
from course_lib.recordings.times.banks import transpose, transposes_provenance

ways = ("plain", "padded", "tma")
counted = {way: transpose(way, counted=True) for way in ways}
{way: round(row["shared_load_wavefronts"] / row["warp_reads"], 2) for way, row in counted.items()}

# %% [markdown]
# *plain* and *padded* fill their tile with ordinary stores, *tma* by a tensor copy without padding. The model is right
# about the turns. What about the time?

# %%
gains = {"about 30 times": 20, "about 8 times": 6, "about 4 times": 3, "about twice": 1.5, "not at all": 0}
gain = predict(
    "Padding turns 32 turns of each read into 1. How much faster is the whole transpose?",
    choices=list(gains),
    name="How much faster",
)

# %% jupyter={"outputs_hidden": true}
micros = {way: transpose(way)["us_median"] for way in ways}
ratio = micros["plain"] / micros["padded"]
answer = next(words for words, least in gains.items() if ratio > least)
reveal(gain, hardware=answer, source=transposes_provenance())

# %% jupyter={"outputs_hidden": true}
print(micros, f"plain / padded: {ratio:.2f}")

# %% [markdown]
# 1.84 times (**measured**). The turns explain both ends. 16,384² floats are 8,388,608 reads of a warp, on 132 SMs, each
# of which serves one turn a cycle. At the clock that was recorded on this GPU:

# %%
from course_lib.recordings import committed, read_rows

latencies = read_rows(committed("measure_latency.jsonl.xz"))
clock = next(row["mhz_median"] for row in latencies if row.get("kind") == "sm_clock")
{turns: f"{16384**2 / 32 * turns / 132 / clock:.0f} microseconds at {clock:.0f} MHz" for turns in (32, 1)}

# %% [markdown]
# With 32 turns, the turns alone take about a millisecond, most of the 1.1 and 1.4 that were measured: shared memory *is*
# the bottleneck. With 1 turn they take 32 microseconds of 740; the kernel waits for something else (**model**: the division;
# **measured**: the times). So divide before you mend: reads × turns / SMs / clock. If that is far below the
# kernel's time, conflicts are not your problem.
#
# ## The trap
#
# Four reports from public projects, retold.
#
# ### The box that was too wide, on purpose
#
# A matrix multiplication stores its result by a tensor copy, from a tile of 64 bfloat16 a row, with a box of **72**. An
# error? The call is accepted, and the eight extra columns are out of bounds, so the store leaves them out. How its warps
# write the tile, the report does not say; a common way is 4 bytes a lane, 8 rows × 4 words at a time:

# %%
from course_lib.rows.calls import tensor_map_of_report

report = next(row for row in read_rows(committed("reports.jsonl.xz")) if row["id"] == "T19")
print(tensor_map_of_report(report).box_dim, "recorded CUresult:", report["driver_result"])
[access(pitch * (lane // 4) + 4 * (lane % 4), 4).turns for pitch in (128, 144)]

# %% [markdown]
# **Diagnosis:** padding, made by the box: rows 144 bytes apart instead of 128. Eight turns become one (**model**; the same
# 32 addresses, given to other lanes and *read*, were **measured** at 8.04 and 1.04 cycles). **Mend:** nothing, it is meant.
# Whoever "corrects" the 72 to 64 gets the same result, with eight turns for each of these writes.
#
# ### The four that were no conflict
#
# Three projects, one question. A kernel reads or writes 16 bytes a lane, side by side, and somebody counts: lanes 0, 8, 16
# and 24 are on the same banks, *a 4-way conflict*. In one of them a comment in the code said so, and a layout had been
# built to avoid it; a reader asked, and the author agreed that the comment must be wrong.

# %%
neighbours.modelled.degree, neighbours.modelled.turns, neighbours.cycles

# %% [markdown]
# **Diagnosis:** turns taken for conflicts. Four phases, degree 1 each: 4 turns for 512 bytes is the best there is.
# **Mend:** nothing. Compare the turns with bytes / 128 before you compare them with 1.
#
# ### The slow eight
#
# A solver works on cubes of *n* × *n* × *n* doubles. At *n* = 9 and *n* = 7 it reaches 90 % of the memory's bandwidth, at
# *n* = 8 only 80. A column of such a tile, a double a lane, rows *n* doubles apart:

# %%
{n: access(8 * n * lane, 8).turns for n in (7, 8, 9)}

# %% [markdown]
# **Diagnosis:** a power of two as the distance: 16 turns where two would do (**model**; rows of 64 bytes were measured
# at 16.04). **Mend:** they gave the tile rows of *n* + 1. The whole kernel lost a tenth, not seven eighths: see *turns are
# not time*.
#
# ### The counter that isn't zero
#
# Someone padded a transpose, as here, and the profiler still reports bank conflicts. Ours does, too:

# %%
padded = counted["padded"]
more = padded["shared_load_conflicts"]
f"{more:,.0f} conflicts in {padded['warp_reads']:,} reads, {more / padded['warp_reads']:.1%}"

# %% [markdown]
# The addresses make no conflict: the degree is 1. **Diagnosis:** the counter is turns less reads, and so holds
# every turn that was lost for another reason. Shared memory and the L1 cache are one memory, and this kernel also loads
# and stores through L1; that this is the reason is a guess of ours and not measured. **Mend:** nothing. Compute the
# degree from the addresses; a few per cent in the counter are no layout error, a factor is.
#
# ## On the hardware
#
# Cycles against the degree, for the three widths. *d* lanes of each phase ask bank 0 for different words, the others a
# bank of their own (**measured**):

# %%
print(by_h200)
conflicts = [read for read in bank_reads() if read.pattern.startswith("degree ")]
degree_chart(
    {
        f"{size} bytes a lane": [(r.modelled.degree, r.cycles) for r in conflicts if r.access_bytes == size]
        for size in (4, 8, 16)
    }
)

# %% [markdown]
# Straight lines: 1, 2 and 4 turns a degree, as many as there are phases. On a machine with a Hopper GPU, some of
# the reads are measured now. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.child import Child
from course_lib.gpu.device import gpu_status

print(gpu_status().sentence)
if gpu_status().usable:
    with Child() as child:
        for read in conflicts[3:32:4]:
            live = child.ask("banks", {"access_bytes": 4, "addresses": list(read.addresses)})
            print(read.pattern, "recorded", read.cycles, "here", live["cycles_median"])
else:
    print("no live answer here: the recordings above stand in")

# %% [markdown]
# ## What to keep
#
# - The bank is `address // 4 % 32`. A bank gives one 4-byte word a turn, to every lane that asks for it.
# - The degree of a phase is the number of *different words* that its busiest bank gives. A read takes the sum of the
#   degrees of its phases: 32 lanes of 4 bytes are a phase, 16 of 8, 8 of 16, one matrix of `ldmatrix`.
# - A turn costs 1 cycle of a busy memory, and 2 of a lone warp's wait.
# - A column is free at an odd multiple of the width of the read. 128 bytes are the worst distance there is: 32 turns
#   for a 4-byte column of 32 rows, and for 16-byte columns of 8 rows.
# - A tensor copy makes distances that are multiples of 16: 144 frees 16-byte columns, and leaves a 4-byte column at 4.
# - Reads × turns / SMs / clock tells whether it matters.
#
# | number | unit |
# | --- | --- |
# | address, distance of rows (pitch) | bytes |
# | word | 4 bytes |
# | line, what all banks give in a turn | 128 bytes |
# | `box_dim[0]` | elements; times the size of one it is the distance of rows, a multiple of 16 bytes |
# | degree | words a bank gives in a phase |
# | turn | a cycle, when shared memory is busy |
#
# ## Ask yourself
#
# <details><summary>In which bank does byte 1000 lie?</summary>1000 // 4 = 250, 250 % 32 = 26: bank 26.</details>
#
# <details><summary>32 lanes read 8 bytes each, side by side. Turns? Conflicts?</summary>Two turns, since it is 256 bytes; no
# conflict.</details>
#
# <details><summary>Lane i reads the float in row i of a tile with rows of 160 bytes. Turns?</summary>160 bytes are 40 words;
# 40 and 32 have 8 in common: 8 turns.</details>
#
# <details><summary>Rows of 144 bytes: which is free, a 4-byte column of 32 rows or a 16-byte column of 8?</summary>The second:
# 144 is 9 × 16, and 9 is odd. For the first it is 36 words, which have 4 in common with 32.</details>
#
# <details><summary>Why can't a tensor copy make rows 132 bytes apart?</summary>Its rows lie as far apart as the box is wide,
# and that is a multiple of 16 bytes.</details>
#
# <details><summary>Your kernel makes 4 million reads of 8 turns each on 132 SMs at 1.9 GHz, and takes 2 ms. Is it worth
# mending?</summary>4 million × 8 / 132 / 1900 MHz is 128 microseconds, 6 % of the time: hardly.</details>
#
# **Now you:** in [exercise 08](../exercises/08_banks/08_banks.ipynb) you write the model of the banks, and an H200
# judges it. Next: [lesson 09](09_swizzle.ipynb), where the bytes of a row lie in another order.
#
# **Where to go:** [exercise 08](../exercises/08_banks/08_banks.ipynb) ·
# before: [07 · Out of bounds](07_out_of_bounds.ipynb) ·
# next: [09 · Swizzle](09_swizzle.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/cost/banks.py`](../course_lib/model/cost/banks.py)
