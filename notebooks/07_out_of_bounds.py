# %% [markdown]
# # 07 · Out of bounds
#
# **The question:** what happens at the edge?
#
# Afterwards you can
#
# - say of each byte of a box whether it is copied, filled, clipped or spilled, before anything runs,
# - choose zero or NaN for the fill, and say what a NaN shows and what it hides,
# - leave the guards out of a kernel, and name the three places where one must stay,
# - find the bytes that a store writes past the end of a row, and keep it from doing so.
#
# **Time:** about 70 minutes: part A, loads, 45; part B, stores, 25. **You need:**
# [lesson 03](03_the_descriptor.ipynb): dimensions, strides and boxes, innermost first. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# Coordinates name the first element of a box, innermost first, in elements. They are signed 32-bit numbers. And a float
# is a NaN when all bits of its exponent are 1 and its fraction is not 0. In float32 the exponent has 8 bits and the
# fraction 23, so half a line tells a NaN from its bits:

# %%
bits = 0x7FC00000
(bits >> 23 & 0xFF) == 0xFF and (bits & 0x7FFFFF) != 0

# %% [markdown]
# Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>A box has 64 × 8 elements of bfloat16. Which number does the barrier expect?</summary>1,024 bytes: 512
# elements of 2 bytes.</details>
#
# <details><summary>How many bits of a descriptor say what comes from beyond the edge?</summary>One, bit 79: there are two
# fills and no third.</details>
#
# <details><summary>Rows of 7 float32 lie as close together as the driver allows. What is the stride?</summary>32 bytes: 28
# is no multiple of 16. Four bytes between two rows belong to nobody, or to another view of the same memory.</details>
#
# ## One tile for the whole lesson
#
# Seven columns and three rows of float32, rows 32 bytes apart, and a box that is larger than the tensor: 8 × 7. (The
# promotion is that of the recording; it changes no byte.)

# %%
from course_lib import DataType, DeviceFault, L2Promotion, OobFill, TiledTensorMap, load, store

tile = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=2**20 + 16,
    global_dim=(7, 3),
    global_strides=(32,),
    box_dim=(8, 7),
    l2_promotion=L2Promotion.L2_64B,
    oob_fill=OobFill.NAN_REQUEST_ZERO_FMA,
)

# %% [markdown]
# Here it is with the box at (−4, −1): it sticks out on the left, above and below. On the left of the picture is global
# memory, on the right what arrives.

# %%
from course_lib.draw import edge_picture

edge_picture(tile, (-4, -1))

# %% [markdown]
# The crossed part needs no memory: nothing has to lie above row 0. The fill is written into **shared** memory only. Global
# memory is read and stays as it is.
#
# # Part A · Loads
#
# ## Which bytes are counted?
#
# The tensor has 21 elements, 84 bytes. The box at (0, 0) has 56 elements, 224 bytes. With 8 columns instead of 7 the
# tensor would have 96.

# %%
from course_lib.machines import machine
from course_lib.widgets import predict, reveal

asked = "A load at (0, 0). Which byte count must the barrier expect?"
counted = predict(asked, choices=[84, 96, 224], name="Bytes to expect")

# %% jupyter={"outputs_hidden": true}
import numpy as np

answer = machine("recorded").load(tile, (0, 0), seed=77, shared_address=256)
memory, shared = np.zeros(2**21, np.uint8), np.zeros(224, np.uint8)
model = load(tile, (0, 0), memory, shared).transaction_bytes
reveal(counted, model=model, hardware=answer.told_bytes if answer.completed else None, source=answer.by)

# %% [markdown]
# The whole box, 224 (**measured**). A fill is delivered like data, so it counts like data. That is good news: the number
# that a kernel passes to `expect_tx` is a constant, the same for every tile, and needs no test for the edge. Who subtracts
# the missing part waits for a count that never comes, or worse, for one that comes too early (lesson 02).
#
# It holds for a box that has **no** byte of the tensor in it, too. Such a load is legal, brings a box of fill, and
# completes the barrier. How far outside? As far as a signed 32-bit coordinate goes (**measured**):

# %%
from course_lib.recordings import committed, provenance, read_rows
from course_lib.recordings.copies.edges import edge_loads

outside = [copy for copy in edge_loads() if copy.is_wholly_outside]
print(len(outside), "boxes wholly outside; barriers that completed:", sum(copy.row["status"] for copy in outside))
far = [row for row in read_rows(committed("load_far.jsonl.xz")) if row["api"] == "tiled"]
reached = [c for row in far for c in row["coordinates"]]
print(len(far), "more, from", min(reached), "to", max(reached), "- completed:", sum(row["status"] for row in far))

# %% [markdown]
# One rule stays: without interleave the box must *start* on 16 bytes, inside or outside, or the copy faults with 715.
# (Interleave and im2col fill by the same rules, with packets and pixels: lessons 10 and 12.)
#
# ## Zero, or which NaN?
#
# `oob_fill` has two values. NONE fills with **zero**: the name means *no special fill*, not *no fill*. The other one has
# a long name, NAN_REQUEST_ZERO_FMA. One course tells it so: *fill with NaN, which counts as 0 in an FMA*. Two claims; we
# take them one by one. NaNs have many bit patterns. Which one comes?

# %%
nans = ["0x7fc00000", "0x7fffffff", "0x7ff00001", "0x7ff77ff7"]
pattern = predict("Which bits does a load write for a float32 outside the tensor?", choices=nans, name="The NaN")

# %% jupyter={"outputs_hidden": true}
loaded, recorded = shared.view(np.uint32).reshape(7, 8), answer.memory[256:480].view(np.uint32).reshape(7, 8)
reveal(pattern, model=hex(loaded[3, 0]), hardware=hex(recorded[3, 0]), source=answer.by)

# %% [markdown]
# A strange pattern. Its cause shows when all types stand together. We read the fill out of every recorded window:

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.copies.edges import patterns
from course_lib.recordings.tables import table

types = [data_type for data_type in DataType if not data_type.is_packed]
spelled = {(t, fill): ", ".join(map(hex, patterns(t, fill))) or "–" for t in types for fill in OobFill}
rows = [{"type": t.name, "zero": spelled[t, OobFill(0)], "nan": spelled[t, OobFill(1)]} for t in types]
table(rows, type="type", zero="NONE", nan="NAN_REQUEST_ZERO_FMA")

# %% [markdown]
# **One 16-bit pattern, 0x7FF7, over and over** (**measured**; no document says it). The engine need not know the type
# to fill with it. Look at its first three hex digits: sign 0, then eleven ones. Eleven is the width of the exponent of
# float64, the widest of all, so the pattern is a NaN in *every* float type (**model**; the reason is our guess). Is it a quiet
# one? That is the first bit of the fraction.

# %%
exponents = {"float16": 5, "bfloat16": 8, "float32": 8, "float64": 11}
fill = 0x7FF77FF77FF77FF7
{name: {"all ones": fill >> 63 - n == 2**n - 1, "quiet": bool(fill >> 62 - n & 1)} for name, n in exponents.items()}

# %% [markdown]
# Quiet in all but float64, where it is a *signalling* NaN. Two more things that help in a dump. A NaN that arithmetic made
# is 0x7FFF in 16 bits and 0x7FFFFFFF in 32 (you will see it below), so the fill can be told from your own NaN. And
# TFLOAT32 turns every NaN of the *data* into 0x7FFFE000 on a load (lesson 05), but leaves the fill 0x7FF77FF7.
#
# ## Who may ask for it
#
# The dashes above are refusals. The driver was asked for the NaN fill with every type:

# %%
from collections import Counter

floats = {int(data_type) for data_type in types if data_type.facts.is_float}
probes = [row for row in read_rows(committed("encode_probes.jsonl.xz")) if row.get("oob_fill") == 1]
Counter(("float" if row["data_type"] in floats else "no float", f"CUresult {row['result']}") for row in probes)

# %% [markdown]
# Floats only (**measured**). That has a consequence which surprises people: **fp8 can't have it**. There is no fp8
# type; an fp8 tensor travels as UINT8, and UINT8 is no float. It would not help much: the bytes of the pattern, 0xF7 and
# 0x7F, are −240 and NaN in e4m3 (**model**), so every second element would be a number. An fp8 kernel has zero, which is +0
# in both fp8 formats, and no fill to debug with.
#
# ## Who decides: the element, or the 16 bytes?
#
# The engine moves units of 16 bytes. The row of our tile is 28 bytes, so its second unit is cut: three floats belong to
# the tensor, and behind them are 4 bytes of memory that do not.

# %%
choices = ["three floats, one fill", "four fills", "three floats, and the 4 bytes of memory behind them"]
cut = predict("What arrives in the second unit of row 0?", choices=choices, name="The cut unit")

# %% jupyter={"outputs_hidden": true}
kinds = dict(zip([(False, True), (True, True), (False, False)], choices, strict=True))
model, hardware = (kinds[row[4] == 0x7FF77FF7, row[7] == 0x7FF77FF7] for row in (loaded[0], recorded[0]))
print("the second unit of row 0 on the H200:", *map(hex, recorded[0, 4:]))
reveal(cut, model=model, hardware=hardware, source=answer.by)

# %% [markdown]
# **A load decides element by element** (**measured**). One row of one copy is little evidence, so here is every unit of
# a recorded window that an edge cuts, in all types. Of each we look at the bytes behind the edge.

# %%
from course_lib.recordings.copies.edges import cut_units

fills = {OobFill.NONE: bytes(16), OobFill.NAN_REQUEST_ZERO_FMA: bytes.fromhex("f77f" * 8)}
units = list(cut_units())
kept = sum(unit.recorded[unit.inside :] == fills[unit.oob_fill][unit.inside :] for unit in units)
print(kept, "of", len(units), "cut units hold the fill behind the edge")

# %% [markdown]
# So nothing of the memory behind a row reaches shared memory. Here is the box at the upper right corner, with the cut
# units. The 4 bytes between two rows lie inside the box and outside the tensor:

# %%
edge_picture(tile, (4, -1))

# %% [markdown]
# ## What arithmetic makes of it
#
# Now the second claim, *counts as 0 in an FMA*. It is about one instruction, `fma.rn.oob`, for float16 and bfloat16
# on `sm_90` (**documented**: PTX ISA, `fma`). Say a × b + c with a = the fill, b = 1 and c = 1.

# %%
results = {0x0000: "0", 0x3C00: "1", 0x7FFF: "NaN"}
oob = predict("What does fma.rn.oob.f16x2 make of fill × 1 + 1?", choices=list(results.values()), name="The result")

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.times.fmas import recorded_fma

plain, with_oob = recorded_fma("fma.rn.f16x2"), recorded_fma("fma.rn.oob.f16x2")
reveal(oob, hardware=results[with_oob[0x7FF7, 0x3C00, 0x3C00]], source=provenance("measure_fma.jsonl.xz"))

# %% [markdown]
# Zero. Not the operand counts as 0: the **result** does, and the addend is lost with it. In a dot product that adds up in
# one register this throws away the sum so far. Now the other places, and other NaNs. 1 is 0x3C00 in float16.

# %%
one = 0x3C00
triples = {"a": (0x7FF7, one, one), "b": (one, 0x7FF7, one), "c": (one, one, 0x7FF7)}
triples |= {"a, and b infinite": (0x7FF7, 0x7C00, one), "a, its sign set": (0xFFF7, one, one), "–": (0x7FF6, one, one)}
asked = [
    {"where": where, "abc": " ".join(map(hex, t)), "fma": hex(plain[t]), "oob": hex(with_oob[t])}
    for where, t in triples.items()
]
table(asked, where="the fill is", abc="a b c", fma="fma.rn", oob="fma.rn.oob")

# %% [markdown]
# To the ordinary `fma` every one is a NaN, and the result is 0x7FFF (**measured**). `.oob` knows the fill as a
# *factor*, with either sign, and whatever stands beside it. As an *addend* it does not know it, and a NaN one bit away is
# just a NaN. That is a rule; here it is tested on all recorded triples, in both types:

# %%
for form in ("f16x2", "bf16x2"):
    ordinary, special = recorded_fma(f"fma.rn.{form}"), recorded_fma(f"fma.rn.oob.{form}")
    right = [r == (0 if 0x7FF7 in (a & 0x7FFF, b & 0x7FFF) else ordinary[a, b, c]) for (a, b, c), r in special.items()]
    print(form, sum(right), "of", len(right), "triples")

# %% [markdown]
# Float32 has no `.oob`, and its `fma` makes NaN of 0x7FF77FF7 (**measured**, in the same recording). The tensor cores have
# none either (**documented**: PTX ISA, `wgmma` has no such modifier): to them the fill is a NaN. So the sentence of the
# course holds for one instruction, in two types, for the factors, and then more is 0 than it says.
#
# ## Zero to pad, NaN to debug
#
# That gives the two their work. In a product C = A × B with tiles of 64, let K be 100, and N be 100 too:
#
# - At the edge of **K** the tile is always used: the filled products enter every sum. There zero is right, and NaN would
#   spoil every element of C.
# - At the edges of **M** and **N** the fill only reaches elements of C that nobody stores. There a NaN changes nothing in
#   a right kernel, and shows in a wrong one.
#
# So the test is: *fill M and N with NaN, run once, look for NaN in C.* If there is one, the kernel used a value that
# it should never have touched. We try it with a sum over columns that forgot where the matrix ends:

# %%
np.ndarray((3, 7), np.float32, memory.data, tile.global_address, (32, 4))[:] = 1
load(tile, (0, 0), memory, shared)
box = shared.view(np.float32).reshape(7, 8)
print("sums of 7 columns:", box[:3, :7].sum(1), "- of 8, the mistake:", box[:3, :8].sum(1))

# %% [markdown]
# With zeros the mistake gives the right sum, today. And what does a NaN *not* show? Whatever swallows it. A maximum
# on a GPU takes the number beside a NaN (**documented**: PTX ISA, `max` without `.NaN`), and so does a ReLU made of it;
# a comparison with a NaN is false, but for `!=`. TMA's own reductions are of that kind, as the recorded table of float16 maxima says
# (**measured**; the pattern 0x7FF7 itself is not among its operands):

# %%
maxima = next(
    row for row in read_rows(committed("reduce_table.jsonl.xz")) if (row["op"], row["data_type"]) == ("max", 6)
)
operands, largest = (np.frombuffer(bytes.fromhex(maxima[part]), np.float16) for part in ("operands", "result"))
one_nan = np.isnan(operands)[:, None] ^ np.isnan(operands)
print("pairs of a NaN and a number:", one_nan.sum())
print("NaN came out of", np.isnan(largest.reshape(one_nan.shape)[one_nan]).sum())

# %% [markdown]
# Turn it round and it is a tool. For a sum, zero changes nothing. For a maximum, zero is wrong as soon as all
# numbers are negative, and a NaN changes nothing, if the maximum is one that takes the number:
#
# | what you compute | neutral value | fill |
# | --- | --- | --- |
# | sum, dot product, count | 0 | NONE |
# | maximum, minimum | none in the data | NaN, with a maximum that takes the number (`fmaxf`, `np.fmax`) |
# | mean; variance from the sums of x and of x² | 0 in the sums | NONE, and divide by the true count |
# | softmax | −∞ before the exponential: exp(0) is 1 | neither: mask, or NaN through `fmaxf` and a mask for the sum |
# | product | 1 | neither: mask |
#
# ## Where is the edge?
#
# At `global_dim`, wherever the memory ends. The engine does not know your allocation, only the numbers in the
# descriptor. That has two sides.
#
# A tensor may be declared **smaller** than its memory: the number of valid rows as `global_dim[1]`, say, and all the rest
# is fill. It costs one descriptor. And a tensor whose memory is **not there** is not made harmless by a box outside it.
# We gave the engine an address that nothing was mapped to, and a box that has no byte of the tensor in it.

# %%
unmapped = predict(
    "Nothing is mapped at the tensor's address, and the box lies wholly outside the tensor. What does a load do?",
    choices=["it fills the box", "it faults with 700, illegal address"],
    name="A load beside memory that is not there",
)

# %% jupyter={"outputs_hidden": true}
from dataclasses import replace

from course_lib.recordings.copies.edges import at_missing_memory

tried = at_missing_memory()
found = {row["fault"] for row in tried if row["outside"] and (row["copy"], row["memory"]) == ("load", "nothing")}
model = machine("model").load(replace(tile, global_address=2**40), (8, 0)).fault
model, hardware = (unmapped.options[fault == 700] for fault in (model, *found))
reveal(unmapped, model=model, hardware=hardware, source=provenance("faults.jsonl.xz"))

# %% [markdown]
# What else was tried: boxes of 8 × 2 uint32 at a tensor of 64 × 64.

# %% jupyter={"outputs_hidden": true}
table(tried, copy="copy", memory="mapped", outside="wholly outside", fault="fault", starts="boxes at")

# %% [markdown]
# Two halves. If the tensor's **address** is mapped, what lies outside is not touched, even where row 1 of the tensor is
# not there. If the address itself is not mapped, a load faults although it needs none of it, and a **store** of a
# box wholly outside is silent (**measured**). So an empty batch entry with a null pointer is not harmless to a load, however
# far away its coordinates are: skip the load.
#
# ## What a kernel gets rid of
#
# A kernel that copies tiles by hand has three things for the edge. A *guard* in every thread, `if (row < M && column <
# N)`. *Divergence* where a warp has lanes on both sides. And, in fast kernels, *special tiles*: one code path for full
# tiles without guards, others for the rest. Take a matrix of 1000 × 1000, tiles of 64 × 128, bf16, 16 bytes a
# lane:

# %%
starts = [(x, y) for y in range(0, 1000, 128) for x in range(0, 1000, 64)]
shapes = Counter((min(64, 1000 - x), min(128, 1000 - y)) for x, y in starts)
lanes = np.arange(1024).reshape(32, 32)  # 16 bytes each, 8 lanes a row of the tile
is_in = [(x + 8 * (lanes % 8) < 1000) & (y + lanes // 8 < 1000) for x, y in starts]
mixed = sum(int((warps.any(1) & ~warps.all(1)).sum()) for warps in is_in)
print(len(starts), "tiles, of the shapes", dict(shapes))
print(mixed, "of", 32 * len(starts), "warp copies diverge")

# %% [markdown]
# Four shapes, and guards in 4,096 warp copies of which 6 in 100 diverge (**model**). One course says that guards make the
# last warp of *each block* diverge; it is less, only blocks at an edge do, but *every* block pays for asking. With TMA
# there is one shape, one byte count, one code path, no guard. And a loop in which no tile is special can be unrolled
# whole; lesson 17 measures what that buys.
#
# **Three places where a guard stays**: where the fill is not neutral (the table above); where a mask depends on
# positions, as in causal attention; and at some stores. Which?
#
# # Part B · Stores
#
# The same descriptor, the other direction: shared memory to global. What of the box lies outside the tensor is clipped,
# that is, not written. Nothing is filled. Now the tensor is as small as it gets: **one byte**. The box has 128 bytes.

# %%
spill = predict(
    "A store of a box of 128 bytes into a tensor of 1 byte. How many bytes of global memory change?",
    number=(0, 128),
    name="Bytes that change",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings import source_bytes
from course_lib.recordings.copies.edges import after_store

stored = [row for row in read_rows(committed("store.jsonl.xz")) if row["op"] == "store"]
one_byte = next(row for row in stored if row["data_type"] == DataType.UINT8 and row["global_dim"] == [1])
after = after_store(one_byte)
model = np.count_nonzero(after != source_bytes(one_byte["seed"], after.size))
print("type", one_byte["data_type"], "global_dim", one_byte["global_dim"], "- bytes of the box:", one_byte["bytes"])
reveal(spill, model=model, hardware=one_byte["changed"], source=provenance())

# %% [markdown]
# Sixteen. **A store clips at 16 bytes, not at the element** (**measured**; no document says it, and PTX only says that a
# box may stick out at the far end). A unit that has at least one byte of the tensor in it is written whole. Here is our
# tile again, stored:

# %%
edge_picture(tile, (0, 0), "store")

# %% [markdown]
# Twelve bytes *spill*: four behind each row. A load of the same box fills there and touches nothing. The asymmetry is the
# most dangerous thing in this lesson, so we test the two rules. Of every recorded store we have the digest
# of global memory afterwards. Which rule gives that digest?

# %%
from course_lib.recordings.copies.edges import digests_by_rule, edge_stores

for kind, is_store in (("stores", True), ("reductions", False)):
    copies = [copy for copy in edge_stores() if (copy.row["op"] == "store") is is_store]
    fits = np.array([[rule == copy.row["blake2b_96"] for rule in digests_by_rule(copy)] for copy in copies]).sum(0)
    print(len(copies), f"recorded {kind}; the digest fits the rule by element: {fits[0]}, by 16 bytes: {fits[1]}")

# %% [markdown]
# No store at all fits the rule by element, every one the rule by 16 bytes (**measured**). **Reductions spill too**: an
# addition adds whatever lies in your box behind the row to whatever lies in memory behind the row. (The few that fit both
# rules changed nothing there, as a minimum with a larger number.)
#
# ## Whom it hits
#
# A stride is a multiple of 16, and a unit begins at a multiple of 16. So a spill never reaches the next row, unless rows
# overlap. It hits the gap, at most 15 bytes behind the end of each row, and nobody notices as long as the gap is a gap.
# It is somebody's in three cases:
#
# - the tensor is a **view**: the first 7 of 8 columns. The spill hits column 7;
# - the tensor is the **end** of what it lies in: a 1-D tensor of 1,001 floats in an arena, the next one right behind it;
# - **another kernel** writes what lies in the gap at the same time. Then it is also a race.

# %%
parent = np.zeros(2**21, np.uint8)
whole = np.ndarray((3, 8), np.float32, parent.data, tile.global_address, (32, 4))
whole[:, 7] = 42  # column 7 belongs to somebody else
store(tile, (0, 0), np.full(56, 1, np.float32).view(np.uint8), parent)
print(whole)

# %% [markdown]
# The 42s are gone (**model**, and the digests above vouch for the model). **Diagnosis:** global_dim[0] times the size
# of an element is no multiple of 16. The verdict of the library warns of it; the driver can't, since it does not know the
# direction:

# %%
print(tile.check())

# %% [markdown]
# **Mend**, in the order of preference: give each row its own whole units, that is, pad the tensor
# ([lesson 04](04_shapes_strides_boxes.ipynb)); or make sure
# that the gap is nobody's; or cut `global_dim[0]` down to whole units for the store and write the last few elements with
# ordinary stores. The exercise does the last.
#
# ## Clipping on purpose
#
# A public kernel stores through a box of 72 columns into a tensor that has 64, of bf16. The box is wider than the tensor so
# that its rows lie 144 bytes apart in shared memory, which is kind to the banks (lesson 08). A row of 128 bytes ends with
# a whole unit, so the clip is exact:

# %%
from course_lib.model.copy.edge import store_edge
from course_lib.rows.calls import tensor_map_of_report

reports = {row["id"]: row for row in read_rows(committed("reports.jsonl.xz"))}
padding = store_edge(tensor_map_of_report(reports["T19"]), (0, 0, 0))
print(
    "recorded CUresult:", reports["T19"]["driver_result"], "-", padding.rows[0], "spilled:", padding.bytes_of("spilled")
)

# %% [markdown]
# ## Below zero
#
# Loads take negative coordinates. A store or a reduction does not, not even where the box would reach into the tensor.
# Here with the other rule for a start, 16 bytes, which holds for both; the type is uint32:

# %%
about = ("negative coordinate", "innermost coordinate off 16 bytes")
faults = [row for row in read_rows(committed("faults.jsonl.xz")) if row["api"] == "tiled" and row["rank"] == 2]
faults = [row for row in faults if row["why"].startswith(about) and "+" not in row["why"]]
table([row | {"op": row.get("op", "load")} for row in faults], op="copy", coordinates="at", why="why", fault="fault")

# %% [markdown]
# 715, illegal instruction (**measured**; PTX asks for both and names no code). A convolution may *load* its halo at row −1
# and must *store* from 0 on. So the fault depends on the direction, and the descriptor is innocent.
#
# ## Turn it yourself
#
# Step the box across the corner. A start that does not fall on 16 bytes faults; so try multiples of 4 for float32. Some
# things to try, each with a guess first. Choose `store` and `global_dim[0]` = 8: what spills? Make the type UINT8: why
# is the box refused, and which type can't have the NaN? Move a load to row 6: what does the barrier count? Which
# setting has more spilled than copied bytes?

# %%
from course_lib.widgets import edge_stepper

edge_stepper()

# %% [markdown]
# ## The trap
#
# Three reports from public projects, retold, and one mistake that is often made.
#
# ### The one who wanted −99
#
# A padded tile was to hold −99 outside, so that a later step could tell. The tensor has 60 × 60 int32, the tile 64 × 64, and
# the margin came as 0. Here is that call, with the driver's recorded answer, and the last five elements of row 0:

# %%
padded = tensor_map_of_report(reports["T50"])
print("recorded CUresult:", reports["T50"]["driver_result"], "-", padded.global_dim, "in a box of", padded.box_dim)

# %%
window = np.zeros(64 * 64, np.int32)
load(replace(padded, global_address=0), (0, 0), np.full(60 * 60, 7, np.int32).view(np.uint8), window.view(np.uint8))
window = window.reshape(64, 64)
window[0, -5:]

# %% [markdown]
# There is one bit for the fill: zero or NaN, and for an integer only zero. **Diagnosis:** no call can say −99.
# **Mend:** write the margin in the kernel after the wait, which costs 496 of 4,096 elements here, or compare indices
# where the value is used.

# %%
window[:, 60:], window[60:] = -99, -99
print("elements of −99:", (window == -99).sum(), "- untouched elements of the tensor:", (window[:60, :60] == 7).sum())

# %% [markdown]
# ### The one whose sequences were packed
#
# [Lesson 04](04_shapes_strides_boxes.ipynb#The-one-without-rows) had a matrix that was passed as one long row. This is the
# same mistake one dimension higher, and a common one: sequences of 5, 3 and 6 rows lie one behind the other, and one
# descriptor of 14 rows stands for all. A row holds the number of its sequence. The second box of sequence 0 should bring
# its row 4, and three rows of fill:

# %%
packed = np.repeat(np.float32([0, 1, 2]), [5, 3, 6])[:, None] * np.ones(4, np.float32)
together = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=0, global_dim=(4, 14), global_strides=(16,), box_dim=(4, 4), oob_fill=1
)
window = np.zeros((4, 4), np.float32)
for rows in (14, 5):
    one = replace(together, global_dim=(4, rows))
    load(one, (0, 4), packed.view(np.uint8).reshape(-1), window.view(np.uint8).reshape(-1))
    print(f"global_dim {one.global_dim!s:<7} the rows begin with", window[:, 0])

# %% [markdown]
# With 14 rows the end of a sequence is no edge: the next one comes instead (**model**). No fault, no NaN, and the sum is
# wrong by a little. **Diagnosis:** fill with NaN, as above; if no NaN comes where an edge should be, the descriptor has no
# edge there. **Mend:** one descriptor a sequence, or one dimension for each edge that matters.
#
# ### The one with the tail at 1021
#
# A kernel stored 1,024 floats in pieces and the last piece began at element 1021, in a box of 4. It died with an
# *illegal instruction*, which sent people to look at their compiler.

# %%
tail = replace(tensor_map_of_report(reports["T48b"]), global_address=0)
try:
    store(tail, (1021,), np.zeros(16, np.uint8), np.zeros(4096, np.uint8))
except DeviceFault as fault:
    print(fault)

# %% [markdown]
# That it sticks out at the end is fine. That it begins at byte 4,084 is not: 4,084 is 4 more than a multiple of 16 (**model**;
# a recorded store at coordinate 1 of uint32 is in the table above). **Diagnosis:** coordinate 0 times the size of an
# element, modulo 16. **Mend:** pieces that begin at multiples of 4 floats. Starting one unit lower, at 1020, would write
# element 1020 a second time, so it needs the right value in the box.
#
# ### The one whose weights were zero
#
# In attention the weights behind the end of a sequence are 0, so the values there should not matter. Their tile was not
# loaded beyond the end, to save work. Now and then an output was NaN.

# %%
weights, values = np.float32([0.5, 0.5, 0, 0]), np.float32([3, 5, np.inf, 2])  # the last two: left from another tile
with np.errstate(invalid="ignore"):
    print("stale:", weights @ values, "- filled:", weights @ np.where(weights > 0, values, np.float32(0)))

# %% [markdown]
# 0 × ∞ is NaN. A weight of zero is no mask; what it meets must be a number (**model**: IEEE 754). **Diagnosis:** put NaN
# into shared memory at the start; if the output turns NaN, the kernel reads what no copy brought. **Mend:** load the tile
# nevertheless, with `global_dim` ending where the sequence ends: the tail comes as zeros and needs no
# memory. Loads past the end are harmless, as you saw; they still arm and complete their barrier, so expect their bytes.
#
# ## On the hardware
#
# Above, the recordings judged one rule at a time. Now the whole model, on every load whose window is kept whole: are the
# bytes in shared memory the same?

# %%
from course_lib.recordings.replay.replay import replay

agreement = replay(committed("load_windows.jsonl.xz"))
print(agreement.report(most=3))
print(len(edge_loads()), "of them cross an edge:", provenance())

# %% [markdown]
# On a machine with a Hopper GPU it is asked itself, with the tile of this lesson. Without one, the recording of the
# same call answers. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.machines import agree

here = machine()
told = here.load(tile, (0, 0), seed=77, shared_address=256)
print(told, "\nas recorded:", agree(told, answer))

# %% [markdown]
# ## What to keep
#
# - A load fills, element by element, in shared memory. The barrier counts the whole box, also one wholly outside.
# - Zero for everything that is used in a sum. NaN for floats, at edges whose elements nobody should use.
# - The NaN is 0x7FF7 over and over, a NaN to all arithmetic. Only `fma.oob` knows it, as a factor: then the result is 0.
# - fp8 travels as UINT8 and integers are no floats: zero only.
# - The edge is `global_dim`. An address that is not mapped faults in a load, even of a box wholly outside.
# - A store clips, 16 bytes by 16 bytes: up to 15 bytes behind a row are written. So does a reduction.
# - Stores and reductions take no coordinate below 0; loads do. Both start on 16 bytes.
#
# | number | unit |
# | --- | --- |
# | coordinates | elements |
# | edge of a load | elements |
# | edge of a store, and the start of both | 16-byte units |
# | barrier's count | bytes, of the whole box |
# | fill pattern | 16 bits |
#
# ## Ask yourself
#
# <details><summary>A tensor has 10 columns of float16, the box 16. How many bytes of a row does a load fill, and how many
# does a store spill?</summary>A load fills 6 elements, 12 bytes. A row is 20 bytes, so its second unit is cut: a store
# spills 12 bytes and clips none. Here the two numbers are equal, because the box ends with that unit.</details>
#
# <details><summary>What is fma.oob(1, 1, fill)?</summary>NaN: as an addend the fill is a NaN like any other. As a factor it
# would have made the result 0.</details>
#
# <details><summary>Your kernel subtracts the part outside from the bytes it expects. What happens?</summary>The copy
# delivers more than was announced. Depending on the number the phase ends too early or never ends: announce the whole
# box.</details>
#
# <details><summary>You fill with NaN, and C has a NaN in its last column only. Where do you look?</summary>At what reads
# column N or beyond: an index that is one too large, or a store or load whose box was laid out with another
# pitch.</details>
#
# <details><summary>Why can a spill never reach the next row?</summary>The next row begins at a multiple of 16 behind this one,
# and a unit ends at the next multiple of 16.</details>
#
# <details><summary>A reduction with MAX fills nothing. Does it need a guard?</summary>It clips like a store, so only for rows
# that are no multiple of 16 bytes: there it compares up to 15 bytes behind the row with what lies in your box.</details>
#
# **Now you:** in [exercise 07](../exercises/07_out_of_bounds/07_out_of_bounds.ipynb) you predict windows, count spilled
# bytes, and write a store that spills none. [Lesson 08](08_banks.ipynb) turns to what happens inside shared memory.
#
# **Where to go:** [exercise 07](../exercises/07_out_of_bounds/07_out_of_bounds.ipynb) ·
# before: [06 · Which rule did I break?](06_which_rule.ipynb) ·
# next: [08 · Banks](08_banks.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/copy/edge.py`](../course_lib/model/copy/edge.py)
