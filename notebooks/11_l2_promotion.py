# %% [markdown]
# # 11 · L2 promotion
#
# **The question:** how many bytes did that row cost?
#
# Afterwards you can
#
# - say which sectors L2 is asked for, and which bytes DRAM reads, for any row of a box and each promotion,
# - say whether rows or bytes set the time of a copy, and how far that rule goes,
# - test a rule of thumb against counters, and name the pattern on which it fails,
# - tell promotion, prefetch and cache hints apart, and say what each changes,
# - say what an L2 hit rate does not tell.
#
# **Time:** about 85 minutes: part A, what a row costs, 20; part B, time, 10; part C, rules of thumb, 20; part D, what
# L2 keeps, 25; traps, 10. **You need:** [lesson 03](03_the_descriptor.ipynb) for the call and [lesson
# 04](04_shapes_strides_boxes.ipynb) for boxes and their rows. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# A box is a set of **rows**: runs of bytes that lie together in global memory. A row is `box_dim[0]` elements wide,
# and the rows lie `global_strides[0]` bytes apart, their **pitch**. Between an SM and DRAM stands L2, which cuts
# memory into aligned pieces: **sectors** of 32 bytes, in which it is asked and counts (**documented**: Nsight
# Compute, memory tables), and **lines** of 128 bytes, which are four sectors. Byte 436 lies in sector 13 of memory
# and in line 3:

# %%
address = 436
address // 32, address // 128, address // 32 % 4

# %% [markdown]
# So it is in sector 1 of its line. Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>A box has 64 rows of 16 bytes, the tensor's stride is 512 bytes. How far apart do the rows lie in
# global memory, and how far in shared memory?</summary>512 bytes, and 16: the box is packed.</details>
#
# <details><summary>At which addresses may a row of a box begin?</summary>At multiples of 16: the address, the strides
# and the innermost coordinate times the size of an element are multiples of 16.</details>
#
# <details><summary>How many bits of the descriptor hold the promotion, and does it change a byte of what
# arrives?</summary>Two, bits 81 and 82. It changes none: it speaks of L2 alone.</details>
#
# # Part A · What a row costs
#
# The field `l2_promotion` has four values: NONE, 64B, 128B and 256B, numbered 0 to 3. The driver's manual calls it
# the *granularity* at which L2 fetches, and says no more (**documented**: CUDA Driver API). So we ask the hardware. 2
# GiB of memory of an H200 are cut into rows, one every 512 bytes, and one kernel on all SMs loads 16 bytes of each by
# tensor copies. Every row is read once, and nothing of it was in L2 before. A profiler counts.

# %%
from course_lib import L2Promotion
from course_lib.recordings import committed, provenance, read_rows
from course_lib.recordings.times.l2 import row_read, row_reads

narrow = row_read(row_bytes=16, pitch_bytes=512, promotion=L2Promotion.NONE)
by_h200 = provenance(narrow.source)
print(by_h200)
narrow.rows, narrow.useful_bytes

# %%
from course_lib.widgets import predict, reveal

one_row = predict(
    "16 bytes every 512 bytes, promotion NONE. How many bytes does DRAM read for each row?",
    choices=["16", "32", "64", "128"],
    name="Bytes from DRAM for a row",
)

# %% jupyter={"outputs_hidden": true}
modelled = narrow.modelled.dram_bytes // narrow.rows
reveal(one_row, model=str(modelled), hardware=str(round(narrow.dram_bytes_a_row)), source=by_h200)

# %% [markdown]
# It reads 64. Courses often say 32, and 32 is a real number too: it is what L2 *is asked for*. A second recording
# counted that apart, as sectors from SMs:

# %%
counted = row_read(16, 512, source="l2_offsets.csv")
f"{counted.sm_sectors / counted.rows:.2f} sectors asked for, {counted.dram_bytes_a_row / 32:.2f} sectors from DRAM"

# %% [markdown]
# One sector is asked for, and two come (**measured**). So the least that DRAM reads for a load is 64 bytes; we call
# them an **atom**. No document that we know of names it for this chip. 16 bytes are wanted, 32 asked for, 64 read:

# %%
from course_lib.draw import Bar, cost_bars, row_cost_picture

row_cost_picture([0, 512], 16, title="Two rows, NONE")

# %% [markdown]
# ## The line beside it
#
# Now the same rows with the largest promotion.

# %%
widest = predict(
    "The same 16-byte rows with promotion 256B. How many bytes does DRAM read for each?",
    choices=["64", "128", "just under 256", "256", "512"],
    name="Bytes from DRAM for a row",
)

# %% jupyter={"outputs_hidden": true}
read = row_read(16, 512, L2Promotion.L2_256B).dram_bytes_a_row
words = "just under 256" if 240 < read < 255 else str(round(read))
reveal(widest, hardware=words, source=by_h200)

# %% [markdown]
# All widths of that recording, in bytes that DRAM read for a row:

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.tables import table

names = {p.name.removeprefix("L2_"): p for p in L2Promotion}
costs = [
    {"row": width} | {name: round(row_read(width, 512, p).dram_bytes_a_row) for name, p in names.items()}
    for width in (16, 32, 64, 128, 256)
]
table(costs, row="a row has", **{name: name for name in names})

# %% [markdown]
# Read it by columns (**measured**). NONE and 64B are the same. 128B reads whole lines. 256B reads, for rows up to 128
# bytes, about 248, and not 256: the second line of the block of 256 bytes is asked for as a *hint*, and about 15 of
# 16 such hints are followed while memory is as busy as here. And the last row of the table is the same everywhere: if you want all of a block anyway,
# no promotion adds anything.
#
# All of that is one rule, the **model** of this lesson (`course_lib/model/cost/traffic.py`): DRAM reads the atoms, or with
# 128B and 256B the lines, around all sectors asked for, each once. With 256B, a row that touches sector 0 of a block
# also hints at line 1.

# %%
row_cost_picture([0, 512], 16, L2Promotion.L2_256B, "Two rows, 256B")

# %% [markdown]
# ## Rows that begin elsewhere
#
# So far rows began at a multiple of 512. The driver only asks for 16. Here 32-byte rows begin at byte 48 of their
# block.

# %%
across = predict(
    "32-byte rows that begin at byte 48 of every 512, promotion NONE. Bytes from DRAM for each?",
    choices=["32", "64", "96", "128"],
    name="Bytes from DRAM for a row",
)

# %% jupyter={"outputs_hidden": true}
off = row_read(32, 512, L2Promotion.NONE, start_bytes=48)
modelled = off.modelled.dram_bytes // off.rows
reveal(across, model=str(modelled), hardware=str(round(off.dram_bytes_a_row)), source=provenance(off.source))

# %% [markdown]
# The row lies across the border of two atoms, and pays both. Such borders come every 64 bytes for NONE and 64B, and
# every 128 for the others. 32-byte rows by the byte at which they begin:

# %% jupyter={"outputs_hidden": true}
elsewhere = [
    {"start": start}
    | {name: round(row_read(32, 512, p, start).dram_bytes_a_row) for name, p in names.items() if name != "64B"}
    for start in (0, 16, 48, 112, 240)
]
table(elsewhere, start="begins at byte", NONE="NONE", **{"128B": "128B", "256B": "256B"})

# %% [markdown]
# Two surprises (**measured**). At byte 48, 256B reads no more than 128B: the row doesn't touch sector 0, so there is
# no hint. And at byte 240 it reads 376, for 32 bytes: the row crosses into the next block, and touches sector 0
# *there*.

# %%
row_cost_picture([240], 32, L2Promotion.L2_256B, "A row at byte 240")

# %% [markdown]
# So **where a row begins counts as much as how wide it is**. Rows of 192 bytes that begin at byte 64, and the bytes
# that DRAM reads for each:

# %%
{name: round(row_read(192, 512, names[name], 64).dram_bytes_a_row) for name in ("NONE", "128B", "256B")}

# %% [markdown]
# Their own 192 through NONE, and two whole lines through 128B (**measured**). A pitch that is no multiple of 64 makes
# each row begin elsewhere in its atom.
#
# ## Rows of one box
#
# A box may also take rows that lie close together. `copy_traffic` counts a whole copy (**model**): each atom or line
# once, whichever rows want it. A box of 64 rows of 16 bytes, which is one kilobyte, by pitch:

# %%
from course_lib import DataType, TiledTensorMap
from course_lib.model.cost.traffic import copy_traffic, starts_traffic


def box_of(pitch, promotion):
    floats = {"data_type": DataType.FLOAT32, "global_address": 0, "global_dim": (4, 64)}
    return TiledTensorMap(**floats, global_strides=(pitch,), box_dim=(4, 64), l2_promotion=promotion)


# %%
boxes = [
    {"pitch": pitch} | {name: round(copy_traffic(box_of(pitch, p), (0, 0)).dram_bytes) for name, p in names.items()}
    for pitch in (16, 32, 64, 128, 256, 512)
]
table(boxes, pitch="from row to row", **{name: name for name in names})

# %% [markdown]
# Up to a pitch of 64 the promotion changes nothing, because every line is wanted in some row. From 128 on it doubles
# the bytes, and from 256 on 256B nearly doubles them again. So *narrow* is not the word that matters. *Sparse* is:
# does anybody want the rest of the line, while it is in L2?
#
# # Part B · Rows or bytes
#
# Fewer bytes should take less time. Rows of 16, 32 and 64 bytes cost 64 bytes each under NONE, so DRAM does the same
# work for them; rows of 128 bytes cost twice that.

# %%
same_work = predict(
    "A row every 512 bytes, NONE. How much longer do 128-byte rows take than 64-byte rows?",
    choices=["not at all", "about a quarter", "about a half", "twice as long"],
    name="How much longer",
)

# %% jupyter={"outputs_hidden": true}
ratio = row_read(128, 512).ns / row_read(64, 512).ns
limits = {"not at all": 1.05, "about a quarter": 1.35, "about a half": 1.7, "twice as long": 9}
reveal(same_work, hardware=next(w for w, most in limits.items() if ratio < most), source=by_h200)

# %% jupyter={"outputs_hidden": true}
bars = []
for width in (16, 32, 64, 128, 256):
    read = row_read(width, 512)
    bars.append(Bar(f"{width} bytes", read.ns / 1000, f"({read.useful_gb_per_s:,.0f} useful GB/s)"))
cost_bars(bars, "microseconds", "4,194,304 rows, one every 512 bytes, NONE")

# %% [markdown]
# 16, 32 and 64 bytes take the same time, and 128 bytes take a quarter more (**measured**). Two limits explain it, and
# the larger one counts: about 42 **rows** a nanosecond, and about 4,575 **bytes** a nanosecond from DRAM, for the
# whole GPU. Narrow rows hit the first, wide rows the second. With 10 microseconds for the launch:

# %%
timed = [read for read in row_reads() if read.source == "l2_promotion.csv"]
worst = max(abs(read.modelled.time_ns / read.ns - 1) for read in timed)
{name: row_read(16, 512, p).modelled.limit for name, p in names.items()}, f"worst of {len(timed)}: {worst:.1%}"

# %% [markdown]
# All 60 times of the recording lie within 6 % (**model**: the three numbers are *fitted* to this very table, so this
# is a summary of it and no prediction). Promotion turns the same narrow rows from *rows* to *bytes*.
#
# ## Whose limit it is
#
# Is it the copy engine that can do no more than 42 rows a nanosecond? Other kernels read 16 bytes at the same places,
# by ordinary loads and by `cp.async`, and one reads rows without a gap:

# %%
ways = {"measure_read_tma": "tensor copies", "measure_read_plain": "loads", "measure_read_cp_async": "cp.async"}
narrow_rows = [row for row in read_rows(committed("measure_narrow.jsonl.xz")) if row.get("part") == "width"]
narrow_rows = [row for row in narrow_rows if row["row_bytes"] == 16 and not row.get("linear")]
chosen = [row for row in narrow_rows if row["pitch_bytes"] in (16, 512)]
shown = [row | {"how": ways[row["kernel"]], "box": row.get("box_rows")} for row in chosen]
table(shown, how="how", box="rows a copy", warps="warps", pitch_bytes="from row to row", rows_per_ns="rows a ns")

# %% [markdown]
# At 512 bytes all three ways stop near 40 rows a nanosecond, so that limit is **not the engine's** (**measured**). It
# lies behind L2: each of these rows is a read from DRAM of its own. Without a gap, four rows share an atom, and
# tensor copies reach about 130 rows a nanosecond. There the engine has a limit of its own, since loads reach about
# 260. So take *42 rows* as what it is: 42 separate pieces from DRAM a nanosecond (**model**), for rows that share no
# block. At a pitch of 256 bytes the same program reached up to 50, 17 % more than the table to which the model was
# fitted.
#
# The lines with 8 rows a copy show a third limit. It is about copies, not about rows or bytes: under 7 rows a
# nanosecond at any pitch, which is 0.9 copies. Small boxes are the subject of lessons 15 and 19.
#
# # Part C · Rules of thumb
#
# One chapter that many read gives three rules. The four values, with the granularity that is **documented** (CUDA
# Driver API), and what was **measured** on this H200:
#
# | value | name | documented granularity | DRAM for a sparse 16-byte row | sectors L2 is asked for | for dense rows |
# | --- | --- | --- | --- | --- | --- |
# | 0 | NONE | none named | 64 bytes | 1 | their own bytes |
# | 1 | 64B | 64 bytes | 64 | 1 | the same |
# | 2 | 128B | 128 bytes | 128 | 1 | the same |
# | 3 | 256B | 256 bytes | about 248 | 3: 1, and 2 for the hint | the same bytes, a quarter more sectors |
#
# The chapter also says that without promotion 32 bytes are fetched while L2 works in lines of 128, which makes it
# inefficient. 64 are fetched, and the next cells show what the rest is worth.
#
# ## Dense rows
#
# *Rule 1: for dense GEMM and convolution always take 128B or 256B.* A dense matrix is read in rows of 256 bytes
# without a gap.

# %%
dense = predict(
    "Dense rows of 256 bytes. How does 256B change the time, against NONE?",
    choices=["over 10 % faster", "3 to 10 % faster", "under 3 % either way", "3 to 10 % slower", "over 10 % slower"],
    name="Change of the time",
)

# %% jupyter={"outputs_hidden": true}
change = row_read(256, 256, L2Promotion.L2_256B).ns / row_read(256, 256).ns - 1
steps = {"over 10 % faster": -0.1, "3 to 10 % faster": -0.03, "under 3 % either way": 0.03, "3 to 10 % slower": 0.1}
answer = next((w for w, most in steps.items() if change < most), "over 10 % slower")
reveal(dense, hardware=answer, source=by_h200)

# %% [markdown]
# Slower, by 7 %. Is that the width? A second program read 512 MiB without a gap, in boxes with rows of 64, 128 and
# 256 bytes, eight copies in flight on each SM. Times against NONE, medians of nine launches:

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.times.rings import RING_TIMES, ring_read, ring_reads

dense_rows = []
for width in (64, 128, 256):
    reads = {name: ring_read(width, width, p) for name, p in names.items()}
    megabytes = {f"{read.dram_bytes / 1e6:.1f}" for read in reads.values()}
    times = {name: f"{read.us / reads['NONE'].us - 1:+.1%}" for name, read in reads.items()}
    times["NONE"] = f"{reads['NONE'].us:.0f} microseconds"
    dense_rows.append({"width": width, "dram": ", ".join(sorted(megabytes))} | times)
table(dense_rows, width="a row has", dram="MB from DRAM, each", **{name: name for name in names})

# %% [markdown]
# DRAM reads every byte once, whatever the promotion: 536.9 MB for 536.9 MB of data (**measured**). So there is nothing
# for a promotion to save. 64B and 128B stay within half a percent of NONE. 256B asks L2 for a quarter more sectors,
# which bring nothing, and with rows of 128 and 256 bytes it takes 7 to 8 % longer. With rows of 64 bytes it costs
# nothing either, since bytes are not their limit: they take a third longer for the same bytes. Rows of 256 bytes out of
# a matrix whose rows have 16,384, one launch each under the profiler, and the streaming read of a 4 GiB matrix say the
# same:

# %%
counters = "measure_hints_counters.jsonl.xz"
wide = {name: row_read(16384, 16384, p, source=counters) for name, p in names.items()}
{name: f"{read.dram_bytes / 1e6:.1f} MB, {read.ns / wide['NONE'].ns - 1:+.1%}" for name, read in wide.items()}

# %%
sweep = [row for row in read_rows(committed("measure_bandwidth.jsonl.xz")) if row.get("part") == "sweep"]
like = {"kernel": "measure_read_tma", "box_row_bytes": 128, "box_rows": 128, "stages": 4, "warps": 4, "swizzle": 0}
like |= {"blocks_per_sm": 1, "fence": 1, "linear": 0}
same_ring = [row for row in sweep if like.items() <= row.items()]
{list(names)[row["l2_promotion"]]: f"{row['gb_per_s']:,.0f} GB/s" for row in same_ring}

# %% [markdown]
# **Rule 1 fails here**: 128B buys nothing on dense rows, and 256B costs up to 8 % (**measured**). The example of
# another chapter, a box with rows of 64 bfloat16 and 128B, is such a case: rows of 128 bytes at multiples of 128, so
# 128B and NONE are the same.
#
# ## Sparse rows
#
# *Rule 2: for embedding lookups and sparse access take NONE.* **It holds** (**measured**): 16-byte rows at a pitch of
# 512 take 22 % longer with 128B, and more than twice as long with 256B. (64B is as good as NONE.)
#
# *Rule 3: the promotion depends on the inner dimension of the tensor: below 64 bytes 128B may waste; match it to the
# width of your contiguous data.* Four tries:

# %%
tries = {
    "dense 64-byte rows": (64, 64, L2Promotion.L2_128B, 0, counters),
    "sparse 64-byte rows": (64, 512, L2Promotion.L2_128B, 0, "l2_promotion.csv"),
    "sparse 256-byte rows, matched": (256, 512, L2Promotion.L2_256B, 0, "l2_promotion.csv"),
    "128-byte rows at byte 64, matched": (128, 512, L2Promotion.L2_128B, 64, "l2_offsets.csv"),
}
for name, (width, pitch, promotion, start, source) in tries.items():
    none, other = (row_read(width, pitch, p, start, source) for p in (0, promotion))
    more, longer = other.dram_bytes / none.dram_bytes, other.ns / none.ns
    print(f"{name}: {promotion.name} against NONE: {more:.2f} times the bytes, {longer:.2f} times the time")

# %% [markdown]
# **Rule 3 fails in each direction** (**measured**). Rows of 64 bytes waste nothing when they are dense, and half when
# they are sparse, at 64 and not only below. A matched 256B is slower. A matched 128B reads twice the bytes if the
# rows begin in the middle of a line. And the inner dimension *of the tensor* is the wrong width: the engine reads the
# row of the **box**.
#
# ## The rule that is left
#
# Every rule is a function from a row to a promotion. We hold some against all 15 patterns of the recording: how much
# longer than the best promotion does the rule's choice take, at worst?

# %%
patterns = sorted({(read.row_bytes, read.pitch_bytes) for read in timed})
rules = {
    "always 256B": lambda row, pitch: 3,
    "always 128B": lambda row, pitch: 2,
    "NONE below 64 bytes, else 128B": lambda row, pitch: 0 if row < 64 else 2,
    "256B if dense, else NONE": lambda row, pitch: 3 if row == pitch else 0,
    "match the width": lambda row, pitch: {16: 0, 32: 0, 64: 1, 128: 2, 256: 3}[row],
    "always NONE": lambda row, pitch: 0,
}

# %%
bars = []
for name, rule in rules.items():
    losses = {p: row_read(*p, rule(*p)).ns / min(row_read(*p, q).ns for q in L2Promotion) - 1 for p in patterns}
    at = max(losses, key=losses.get)
    bars.append(Bar(name, 100 * losses[at], f"(rows of {at[0]}, pitch {at[1]})"))
cost_bars(bars, "% longer", "The worst loss of each rule, of 15 patterns", digits=1)

# %% [markdown]
# *Always NONE* is the only rule here that never loses more than 2 % (**measured**). But all of these are loads with
# many copies in flight. Where few are, DRAM has time to spare, and a hint that brings the next line early might help.
# One copy of 16 KiB in flight on each SM, and the next is issued when it is there:

# %%
few = predict(
    "Dense rows of 256 bytes, one copy in flight. How does 256B change the time, against NONE?",
    choices=["over 10 % faster", "3 to 10 % faster", "under 3 % either way", "3 to 10 % slower", "over 10 % slower"],
    name="Change of the time",
)

# %% jupyter={"outputs_hidden": true}
change = ring_read(256, 256, L2Promotion.L2_256B, 1).us / ring_read(256, 256, L2Promotion.NONE, 1).us - 1
answer = next((w for w, most in steps.items() if change < most), "over 10 % slower")
reveal(few, hardware=answer, source=provenance(RING_TIMES))

# %% jupyter={"outputs_hidden": true}
depths = [{"stages": stages} for stages in (1, 2, 4, 8)]
for row in depths:
    for width, pitch in ((64, 64), (128, 128), (256, 256), (16, 512)):
        none, hinted = (ring_read(width, pitch, p, row["stages"]) for p in (0, 3))
        row[f"{width} every {pitch}"] = f"{hinted.us / none.us - 1:+.1%}"
    row["dram"] = f"{hinted.dram_bytes_a_row:.1f}"
patterns_shown = {name: name for name in depths[0] if "every" in name}
table(depths, stages="copies in flight", **patterns_shown, dram="DRAM bytes for the last")

# %%
asked = {(*read[:2], read.stages) for read in ring_reads()}
times = {case: [ring_read(*case[:2], p, case[2]).us for p in L2Promotion] for case in asked}
f"{len(times)} cases; NONE takes {max(t[0] / min(t) - 1 for t in times.values()):.1%} longer than the best, at worst"

# %% [markdown]
# No promotion helps at any depth (**measured**). The rows of a dense box ask for their lines themselves, a moment
# later, so there is nothing that a hint could bring early (**model**, our reading). Two things in the table are worth a
# look. With few copies in flight a hint costs less time. And then **all** hints are followed: 256 bytes a row. So *15
# of 16* is no constant of the chip; it belongs to a busy memory (**measured**).
#
# That is a result and no law: loads of cold rows, on one chip with one driver.
#
# ## Stores and additions
#
# A map serves stores as well, and reductions, which add a tile to what lies in memory. Does its promotion matter
# there? A program cut 512 MiB into rows and wrote them all, in boxes of 64, eight in flight on each SM: stored and
# added, through every promotion.

# %%
from course_lib.recordings.times.writes import WRITE_TIMES, row_write

written, changes = [], {"bytes": [0], "time": [0]}
for width, pitch in ((32, 512), (64, 512), (128, 512), (256, 512), (64, 64), (256, 256)):
    row = {"shape": f"{width} every {pitch}"}
    for op in ("store", "add"):
        none, *others = (row_write(width, pitch, op, p) for p in L2Promotion)
        changes["bytes"] += [abs(w.dram_write_bytes / none.dram_write_bytes - 1) for w in others]
        changes["time"] += [abs(w.us / none.us - 1) for w in others]
        row |= {op: f"{none.us:.0f}", f"{op} read": f"{none.dram_read_bytes_a_row:.0f}"}
    written.append(row)

# %%
print(provenance(WRITE_TIMES))
print("promotion against NONE, at most:", {what: f"{max(change):.1%}" for what, change in changes.items()})
heads = {"store": "store, microseconds", "store read": "DRAM reads for a row"}
table(written, shape="rows, NONE", **heads, add="add, microseconds", **{"add read": "DRAM reads for a row"})

# %% [markdown]
# No promotion changes the bytes that DRAM writes by 1 %, or a time by 4 % (**measured**: six patterns, stored and
# added). So the field is for loads. The table shows two more things (**measured**):
#
# - A **store** of whole sectors makes DRAM read nothing, even where rows are sparse: 32 bytes are written, and nobody
#   asks for the rest of their atom. (Of the last rows 5 to 27 MB were still in L2 when the kernel ended, and not written
#   to DRAM: read these times with that in mind.)
# - An **addition** makes DRAM read its rows once. It takes 1.6 times as long as a store on rows of 32 bytes, and up to
#   3.2 times on wide or dense ones: it stops at 1,430 useful GB/s, where stores reach 4,430.
#
# For a row of 32 bytes a load costs 64 bytes, its atom, and an addition 48. We do not know why; it looks as if every
# second row paid one sector, and the others an atom. So the atom is a rule for loads.
#
# # Part D · What L2 keeps
#
# An H100 has an L2 of 50 MB (**documented**: NVIDIA Hopper Tuning Guide). And this H200? Its driver was asked:

# %%
attributes = read_rows(committed("measure_attributes.jsonl.xz"))
l2_bytes = next(row["value"] for row in attributes if row.get("attribute") == "L2 bytes")
print(provenance("measure_attributes.jsonl.xz"))
f"{l2_bytes:,} bytes = {l2_bytes / 2**20:g} MiB"

# %% [markdown]
# 60 MiB (**measured**: what the driver says of the device). What is read twice should come from DRAM once. In one
# kernel all SMs read a memory X, then another one Y, then X again, each SM the same part of X
# both times. DRAM bytes beyond X and Y were read for X a second time.

# %%
from course_lib.recordings.times.l2 import second_read, second_reads

MIB = 2**20
first = second_read(16 * MIB, 0)
print(provenance(counters))
f"again {first.again_bytes / MIB:.2f} MiB; {first.first_ns} ns, then {first.second_ns} ns"

# %% [markdown]
# With nothing in between, the second read costs DRAM nothing, and half the time or less (**measured**). Now 24 MiB, with 16
# MiB in between. Together that is 40 MiB, of 60.

# %%
second_time = predict(
    "X has 24 MiB, Y has 16 MiB. How much of X must DRAM read again?",
    choices=["nothing", "about a quarter", "about 60 %", "all"],
    name="How much again",
)

# %% jupyter={"outputs_hidden": true}
again = second_read(24 * MIB, 16 * MIB).again_bytes / (24 * MIB)
parts = {"nothing": 0.1, "about a quarter": 0.45, "about 60 %": 0.8, "all": 9}
reveal(second_time, hardware=next(w for w, most in parts.items() if again < most), source=provenance(counters))

# %% jupyter={"outputs_hidden": true}
bars = [
    Bar(f"X {x}, Y {y:>3} MiB", second_read(x * MIB, y * MIB).again_bytes / MIB)
    for x in (16, 24)
    for y in (0, 16, 64, 256)
]
cost_bars(bars, "MiB", "What DRAM reads of X a second time", digits=2)

# %% [markdown]
# 32 MiB together survive but for half a MiB, 40 do not, and 64 MiB of other data leave nothing of X
# (**measured**). Why does a cache of 60 MiB hold so little?
#
# ## Half of it twice
#
# L2 has two halves, one nearer to an SM than the other (**documented** for the chip before: NVIDIA A100 white paper).
# L2 counts what passes from one half to the other, too. Dense rows, read once: the sectors that SMs did not ask for,
# against those from DRAM.

# %%
read = row_read(256, 256, source="l2_offsets.csv")
f"{(read.l2_sectors - read.sm_sectors) * 32 / read.dram_bytes:.3f} sectors between the halves for each from DRAM"

# %% [markdown]
# Half of all data have their home in the far half (**measured**). And here is the same count for X, beyond the
# sectors that both reads of it asked for:

# %%
for x in (16, 24):
    read = second_read(x * MIB, 0)
    print(f"X {x} MiB, read twice: {read.partition_sectors * 32 / MIB:.1f} MiB between the halves")

# %% [markdown]
# Half of X crosses, though X was read twice (**measured**). So it crosses the first time only, and the second time
# the near half has it: far data lie in both. Then X takes one and a half times its size (**model**, our reading): 16
# MiB + 16 MiB take 48 of 60 MiB, and stay. 24 MiB + 16 MiB would take all 60, to the last line, and about a quarter of
# X is gone. What fits is a third less than the cache has, if each SM reads its own part.
#
# ## Cache hints
#
# A copy can carry a **cache policy**: an operand of the instruction, and no field of the descriptor. It says in which
# order data leave L2 (**documented**: PTX ISA, `createpolicy`, cache eviction priority hints):
#
# ```
# createpolicy.fractional.L2::evict_first.b64 policy, 1.0;
# cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint
#     [shared], [map, {x, y}], [barrier], policy;
# ```
#
# | policy | documented meaning |
# | --- | --- |
# | `evict_normal` | the default order |
# | `evict_first` | among the first to leave: for data that stream past once |
# | `evict_last` | among the last to leave: for data that come back |
# | `evict_unchanged` | leave the order as it is |
#
# The number after the policy is the part of the addresses to which it applies. CUTLASS writes constants instead:
# `0x12F0000000000000` and `0x14F0000000000000` are its EVICT_FIRST and EVICT_LAST (**documented**: CUTLASS,
# `CacheHintSm90`). All this is a hint; nothing is promised. Which words the assembler takes for L2 on this chip:

# %%
told = [row for row in read_rows(committed("measure_assemble.jsonl.xz")) if row.get("target") == "sm_90a"]
policies = {row["instruction"].partition(", ")[2]: row["assembles"] for row in told if "policy" in row["instruction"]}
print(provenance("measure_assemble.jsonl.xz"))
policies

# %% [markdown]
# The fifth is no policy of L2 (**measured**: the assembler does not know the word). Ordinary loads have one like it for
# L1, `ld.global.L1::no_allocate` (**documented**: PTX ISA, `ld`).
#
# We want to keep X, 16 MiB, while 64 MiB of Y stream past.

# %%
which_hint = predict(
    "Which hint keeps X in L2 (less than 2 % of it read again)?",
    choices=["evict_last on X alone", "evict_first on Y alone", "either alone", "only both together"],
    name="The hint that keeps X",
)

# %% jupyter={"outputs_hidden": true}
alone = {"evict_last on X alone": ("evict_last", None), "evict_first on Y alone": (None, "evict_first")}
keeps = [w for w, hints in alone.items() if second_read(16 * MIB, 64 * MIB, *hints).again_bytes < 0.02 * 16 * MIB]
answer = {0: "only both together", 1: keeps[0] if keeps else "", 2: "either alone"}[len(keeps)]
reveal(which_hint, hardware=answer, source=provenance(counters))

# %% jupyter={"outputs_hidden": true}
hints = {}
for read in second_reads():
    if read.y_bytes >= 64 * MIB:
        row = hints.setdefault((read.x_policy, read.y_policy), {"x": read.x_policy, "y": read.y_policy})
        row[f"X {read.x_bytes // MIB}, Y {read.y_bytes // MIB}"] = f"{100 * read.again_bytes / read.x_bytes:.1f} %"
sizes = ("X 16, Y 64", "X 16, Y 256", "X 24, Y 64", "X 24, Y 256")
table(hints.values(), x="policy of X", y="policy of Y", **{size: f"{size} MiB" for size in sizes})

# %% [markdown]
# The table says how much of X came from DRAM again (**measured**, linear bulk copies). `evict_first` on the *stream*
# keeps X, even past 256 MiB. `evict_last` on X alone keeps a quarter of 16 MiB and nothing of 24. And a stream that is
# marked `evict_last` or `evict_unchanged` is like one without a policy. So **mark what may go, not what should stay**.
# The program had set no part of L2 aside for persisting data; that is another interface.
#
# Tensor copies carry the same operand. Here is all of it once more, in boxes of 32 rows of 256 bytes, beside the linear
# copies: MiB of X that DRAM read again with no policy, and how far the two kinds are apart with any of the eight pairs.

# %%
from course_lib.recordings.times.l2 import TENSOR_HINTS

by_size = {}
for linear, tensor in zip(second_reads(), second_reads(TENSOR_HINTS), strict=True):
    of, *again = linear[2:4], linear.again_bytes / MIB, tensor.again_bytes / MIB
    by_size.setdefault(of, []).append(again)
kinds = [{"x": x // MIB, "y": y // MIB} for x, y in by_size]
for row, pairs in zip(kinds, by_size.values(), strict=True):
    row |= {"linear": f"{pairs[0][0]:.2f}", "tensor": f"{pairs[0][1]:.2f}"}
    row["apart"] = f"{max(abs(a - b) for a, b in pairs):.2f}"
table(kinds, x="X, MiB", y="Y, MiB", linear="linear copies", tensor="tensor copies", apart="apart, at most")

# %% [markdown]
# The same: under a third of a MiB apart with every policy (**measured**). Only for 24 MiB and 16 MiB, which just don't
# fit, it is one. To L2 both are the same requests for sectors (**model**, our reading).
#
# ## Prefetch is something else
#
# The chapter calls promotion a prefetch. A prefetch is an instruction of its own. It starts a read into L2 and waits
# for nothing: no shared memory, no barrier (**documented**: PTX ISA, `cp.async.bulk.prefetch.tensor`):
#
# ```
# cp.async.bulk.prefetch.tensor.2d.L2.global.tile [map, {x, y}];
# ```
#
# One block alone loads a tile of 16 KiB by a tensor copy: from DRAM, or right after the same tile was loaded before,
# or 8 microseconds after a prefetch.

# %%
cycles = {
    (row["from"], row["tile_bytes"]): row["cycles_median"]
    for row in read_rows(committed("measure_latency.jsonl.xz"))
    if row.get("how") == "tma"
}
{source: cycles[source, 16384] for source in ("dram", "l2")}

# %%
prefetched = predict(
    "16 KiB from DRAM take 1,035 cycles, from L2 561. And 8 microseconds after a prefetch?",
    choices=["about 300", "about 560", "about 700", "about 1,030"],
    name="Cycles after a prefetch",
)

# %% jupyter={"outputs_hidden": true}
answers = {"about 300": 400, "about 560": 620, "about 700": 850, "about 1,030": 9999}
after = cycles["prefetched", 16384]
answer = next(words for words, most in answers.items() if after < most)
reveal(prefetched, hardware=answer, source=provenance("measure_latency.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
places = {"dram": "from DRAM", "prefetched": "after a prefetch", "l2": "loaded before"}
sizes = (128, 4096, 16384, 65536)
bars = [Bar(f"{size:>6,} bytes {words}", cycles[source, size]) for size in sizes for source, words in places.items()]
cost_bars(bars, "cycles", "Until a tile lies in shared memory, one block alone")

# %% [markdown]
# The chapter is right that L2 answers much sooner than DRAM. A prefetch hides most of the difference, for large tiles
# not all (**measured**): from 4 KiB on they take 70 to 150 cycles more than data that were loaded before. That fits
# the two halves (**model**, our reading): a prefetch brings data home, a load brings far data near as well.
#
# 8 microseconds are generous, and one block alone is rare. Now all SMs go through 512 MiB, in tiles of 64 rows, and
# each tile is prefetched `ahead` tiles before its turn:
#
# ```
# prefetch(tile + ahead);  wait until a stage is free;  copy(tile)
# ```
#
# With 0 the prefetch comes right before the wait for a stage, as late as this loop can.

# %%
busy = predict(
    "Dense rows of 256 bytes, four copies in flight, prefetched two tiles ahead. Against no prefetch, it takes",
    choices=["a third less", "a tenth less", "as long, within 2 %", "over 10 % more"],
    name="Time with prefetch",
)

# %% jupyter={"outputs_hidden": true}
change = ring_read(256, 256, 0, 4, 2).us / ring_read(256, 256, 0, 4).us - 1
answers = {"a third less": -0.2, "a tenth less": -0.02, "as long, within 2 %": 0.02, "over 10 % more": 9}
reveal(busy, hardware=next(w for w, most in answers.items() if change < most), source=provenance(RING_TIMES))

# %% jupyter={"outputs_hidden": true}
distances = {None: "no prefetch", **{ahead: f"{ahead} ahead" for ahead in (0, 1, 2, 4, 8)}}
early = []
for (width, pitch), stages in (((64, 512), 1), ((64, 512), 4), ((256, 256), 1), ((256, 256), 4)):
    row = {"shape": f"{width} every {pitch}", "stages": stages}
    early.append(row | {words: f"{ring_read(width, pitch, 0, stages, a).us:.1f}" for a, words in distances.items()})
print("microseconds, medians of nine; two copies in flight and no prefetch take", end=" ")
print(*(f"{ring_read(*shape, 0, 2).us:.1f}" for shape in ((64, 512), (256, 256))), sep=" and ")
table(early, shape="rows", stages="copies in flight", **{words: words for words in distances.values()})

# %% [markdown]
# With **one** copy in flight a prefetch takes away 30 to 40 % of the time of sparse rows and 20 % of dense ones, even
# if it is late; one tile ahead is early enough. (Eight ahead are too many for dense rows: 11 %.) But a second stage
# without any prefetch does as much for sparse rows, and more for dense ones. With **four** in flight there is no
# latency left to hide: sparse rows gain nothing (within 2 %), and dense rows take 12 to 14 % *longer* (**measured**).
# What did the counters see?

# %%
for stages in (1, 4):
    for ahead in (None, 0, 4, 8):
        read = ring_read(256, 256, 0, stages, ahead)
        counted = f"DRAM {read.dram_bytes / 1e6:.1f} MB, SMs asked for {read.sm_sectors / read.rows:.1f} sectors a row"
        print(f"copies in flight {stages}, {distances[ahead]:<11} {counted}, reads {read.read_sectors / read.rows:.1f}")

# %% [markdown]
# DRAM reads the same bytes, and L2 is asked for nearly every sector twice (**measured**); we take that for what costs
# the time. Only a prefetch that is far too early costs DRAM bytes as well, here 6 and 13 % (**measured**): 8 tiles
# ahead on 132 SMs are 17 MB, and part of them had left L2 before its copy came (**model**, our reading). The reads that
# L2 counts, 8 from the SM and 4 between the halves, stay as they were; so far data still cross with the load, as we
# read it above.
#
# | | promotion | prefetch | cache policy |
# | --- | --- | --- | --- |
# | stands in | the descriptor | an instruction of its own | an operand of the copy |
# | says | how much around a miss | when | what leaves first |
# | DRAM bytes | as many, or up to 4 times as many (**measured**) | as many; 13 % more if far too early (**measured**) | fewer, if you read again (**measured**) |
# | asks L2 | as often; 256B for its hints as well | twice | as often |
# | helps | nothing here | with one copy in flight, like a second stage | data with a second use |
#
# `prefetch.tensormap` is a third word that sounds alike: it brings the 128 bytes of the *descriptor*, lesson 18. And
# ordinary loads have a knob like promotion, `ld.global.L2::128B` (**documented**: PTX ISA).
#
# ## Turn it yourself
#
# Width, pitch, start and promotion in one place, with the recorded point where there is one. First guess, then turn.
# Take 64-byte rows at pitch 512: which promotion doubles the bytes? Make the pitch 64: does it still? Begin at byte
# 240 with 256B. Find a row of 128 bytes for which 128B costs more than NONE. Which pitch makes the limit change from
# rows to bytes?

# %%
from course_lib.widgets import row_cost_lab

row_cost_lab(row_reads())

# %% [markdown]
# ## The trap
#
# Four reports from public projects, retold.
#
# ### The one with the better hit rate
#
# Somebody prefetched four tiles ahead in a GEMM with 32 rows. The profiler's L2 hit rate rose from 49 to 66 %, and
# the kernel took 43 microseconds instead of 27. Why is more hits slower? We have such a case without any second use:
# dense rows of 256 bytes, each byte read once. Nothing can be reused. A hit rate from the counters, *sectors that did
# not come from DRAM, of all that L2 counted*:

# %%
for name in ("NONE", "256B"):
    read = row_read(256, 256, names[name], source=counters)
    hits = 1 - read.dram_bytes / 32 / read.l2_sectors
    print(f"{name}: hit rate {hits:.1%}, DRAM {read.dram_bytes / 1e6:.1f} MB, {read.ns / 1000:.1f} microseconds")

# %% [markdown]
# A third of all sectors *hit*, though every byte came from DRAM: those that pass between the halves are counted too.
# With 256B the hints ask once more for what is there already, the rate rises to 43 %, and the time as well
# (**measured** counters; the rate is our arithmetic, the profiler's own column was not recorded). A prefetch does the
# same to a rate: it misses once, and then the load hits. And it can take longer, too: dense rows with four copies in
# flight, prefetched four tiles ahead, took 13 % more above.
#
# **Diagnosis:** a rate has a denominator, and whoever adds requests that hit improves it. In the report the GPU had
# too few blocks to be busy, and the answer was another way to cut the work. **Mend:** compare DRAM bytes and time;
# both are amounts.
#
# ### The one that measured L2
#
# A benchmark repeats a kernel and divides bytes by time. For small inputs, another project found, it told up to 1.6
# times what the kernel reaches on cold data; a third one had to take back a figure of 97 % of the peak. Our own
# second read:

# %%
read = second_read(16 * MIB, 0)
[f"{read.x_bytes / ns:,.0f} GB/s" for ns in (read.first_ns, read.second_ns)]

# %% [markdown]
# DRAM of an H200 gives 4,800 GB/s at most (**documented**: NVIDIA, H200 data sheet); the second number is more than
# that, which is how you notice. **Mend:** read enough other data in between. How much is enough? 16 MiB of Y left
# nearly all of X where it was, 64 MiB removed all. And by which loads? Here is the same flush of 256 MiB, with and
# without `evict_first`:

# %%
[round(second_read(16 * MIB, 256 * MIB, None, hint).again_bytes / MIB, 2) for hint in (None, "evict_first")]

# %% [markdown]
# All 16 MiB are gone, or all are still there (**measured**). A flush that streams politely flushes nothing.
#
# ### The one size for everybody
#
# Someone asked a library to let each copy choose its L2 fetch size, 0, 64, 128 or 256 bytes, because it helped in one
# case. What came was 128 bytes for all copies. Many libraries write 128B into every tensor map, too. On dense rows
# that costs nothing. Now a table of a million embeddings of 64 bytes, and 4,096 lookups at random, each a copy of its
# own:

# %%
import numpy as np

lookups = 64 * np.random.default_rng(11).integers(0, 2**20, 4096)
{name: round(starts_traffic(lookups, 64, p).dram_bytes / 1024) for name, p in names.items()}

# %% [markdown]
# In KiB: 128B doubles what DRAM reads, and 256B makes it 2.5 times; only one row in four begins in sector 0 of a
# block, from which a hint comes (**model**; for rows at a pitch the recordings say the same). **Diagnosis:** a
# default that was right for dense tiles, carried over to a lookup. **Mend:** the promotion is a field of each map;
# make one map for the table and one for the tiles.
#
# ### The hint that should keep it
#
# A GEMM marks its operands `evict_last`, since they are read again, and its output `evict_first`. Another project
# found 1.6 % for `evict_last` on a newer chip. On this H200, which of the two does the work?

# %%
ways = {"nothing": (None, None), "evict_last on X": ("evict_last", None), "both": ("evict_last", "evict_first")}
again = {way: second_read(24 * MIB, 64 * MIB, *policies).again_bytes / MIB for way, policies in ways.items()}
{way: f"{mib:.1f} MiB again" for way, mib in again.items()}

# %% [markdown]
# With X of 24 MiB, `evict_last` alone is the same as nothing, and `evict_first` on the stream is all of the gain
# (**measured**). **Mend:** try each hint alone, and count DRAM bytes. What a hint does is the chip's affair, so count
# again on the next one.
#
# ## On the hardware
#
# All recorded reads against the rule: how far is the model, at worst?

# %%
apart = {"DRAM bytes": [], "L2 sectors": []}
for read in row_reads():
    apart["DRAM bytes"].append(abs(read.modelled.dram_bytes / read.dram_bytes - 1))
    apart["L2 sectors"].append(abs(read.modelled.l2_sectors / read.l2_sectors - 1))
for name in dict.fromkeys(read.source for read in row_reads()):
    print(name, sum(read.source == name for read in row_reads()), "reads:", provenance(name))
{name: f"{max(errors):.2%} at worst" for name, errors in apart.items()}

# %% [markdown]
# A rule with one fitted number, the 15 of 16 hints, against 124 reads (**measured**). The bandwidths that belong to
# them, best of four launches, in useful GB/s at a pitch of 256 bytes:

# %%
rates = [
    {"row": width} | {name: round(row_read(width, 256, p).useful_gb_per_s) for name, p in names.items()}
    for width in (16, 32, 64, 128, 256)
]
table(rates, row="a row has", **{name: name for name in names})

# %% [markdown]
# On a machine with a Hopper GPU, sparse and dense rows are timed now. Counters need a profiler, so there are none
# here. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status

print(gpu_status().sentence)
if gpu_status().usable:
    from course_lib.gpu.measure.prefetch import live_rates

    for width, pitch in ((64, 512), (128, 512), (256, 256)):
        live = dict(zip(names, live_rates(width, pitch), strict=True))
        print(f"rows of {width}, pitch {pitch}:", {name: f"{rate:,.0f} GB/s" for name, rate in live.items()})
else:
    print("no live answer here: the recordings above stand in")

# %% [markdown]
# ## What to keep
#
# - A row asks L2 for the 32-byte **sectors** that it touches. DRAM reads 64-byte **atoms** around them, with 128B and
#   256B whole **lines**.
# - NONE and 64B are the same here. 256B adds line 1 of a block if a row touches its sector 0.
# - Where a row begins counts: across a border it pays both sides.
# - Dense rows cost their own bytes with every promotion. Sparse rows cost up to 2 times with 128B, up to 4 times with
#   256B.
# - Few bytes don't mean little time: below 128 bytes, sparse rows are limited by their number.
# - On this H200 NONE was never more than 2 % slower than the best. Test a rule on your own rows before you follow it.
# - Promotion widens a fetch, a prefetch starts one, a cache policy orders what leaves. Mark the stream `evict_first`.
# - Promotion is nothing to stores and additions. An addition reads its rows first, and takes up to 3 times as long.
# - A prefetch helps with one copy in flight, and a second stage helps as much. With four it helped nothing, or cost.
# - 32 MiB survived in L2 while each SM read its own part, 40 did not. A second read is no measure of DRAM.
# - Compare DRAM bytes and time, not hit rates.
#
# | number | unit |
# | --- | --- |
# | `l2_promotion` | a code, 0 to 3 |
# | row of a box, pitch, start | bytes, multiples of 16 |
# | sector | 32 bytes |
# | atom: the least that DRAM reads | 64 bytes |
# | line | 128 bytes |
# | block: two lines, for 256B | 256 bytes |
# | useful GB/s | bytes that were wanted, a nanosecond |
#
# ## Ask yourself
#
# <details><summary>A row of 48 bytes begins at byte 96 of a line. Sectors, and DRAM bytes with NONE and with
# 128B?</summary>Bytes 96 to 143: sectors 3 and 4, so 2. NONE reads the atoms 64–127 and 128–191, 128 bytes; 128B
# reads two lines, 256 bytes.</details>
#
# <details><summary>The rows of your tensor have 32 bytes and lie 32 bytes apart; boxes take 256 of them. Does 128B
# waste anything?</summary>No: they are dense, every line is wanted.</details>
#
# <details><summary>You double the width of sparse rows from 32 to 64 bytes, NONE, at multiples of 64. What happens to
# the time?</summary>Nothing: the same atoms, the same number of rows.</details>
#
# <details><summary>A profiler shows 70 % L2 hits. Is that good?</summary>One can't say. Look at DRAM bytes against
# the bytes that you need once.</details>
#
# <details><summary>Your benchmark of 8 MiB reports 6 TB/s. What do you do?</summary>It reads L2. Read at least 64 MiB
# of other data between two runs, without <code>evict_first</code>.</details>
#
# <details><summary>Weights stream past once, activations are read by every block. Which copies get a
# policy?</summary>Those of the weights: <code>evict_first</code>.</details>
#
# **Now you:** in [exercise 11](../exercises/11_l2_promotion/11_l2_promotion.ipynb) you write the rule, and counters
# of an H200 judge it. Lesson 12 goes on with im2col: where did the convolution's loop go?
#
# **Where to go:** [exercise 11](../exercises/11_l2_promotion/11_l2_promotion.ipynb) ·
# before: [10 · Interleave](10_interleave.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/cost/traffic.py`](../course_lib/model/cost/traffic.py)
