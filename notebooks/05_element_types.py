# %% [markdown]
# # 05 · Element types
#
# **The question:** does a copy change values?
#
# Afterwards you can
#
# - choose the type for any array, also for those that have none of their own: fp8, int8, bool, complex numbers,
# - say what the type of a descriptor fixes, and what it does not,
# - say for every bit pattern what a load, a store and a reduction make of it: subnormals, NaN, ties, zeros,
# - recognise in a dump which type a tile came through.
#
# **Time:** about 55 minutes. **You need:** [lesson 03](03_the_descriptor.ipynb): the call and its units. You need no
# GPU.

# %% [markdown]
# ## What you need, again
#
# A float is a sign, an exponent and a mantissa. An exponent of all ones is an **infinity** if the mantissa is 0, else a
# **NaN**; the highest mantissa bit makes the NaN *quiet*, and without it it is *signalling*. An exponent of all zeros is
# a **zero** or a **subnormal**: a number so small that its mantissa has no hidden leading 1. Here is a subnormal of
# float32, bit by bit:

# %%
from course_lib import DataType, ReduceOp, TiledTensorMap
from course_lib.draw.bits.float_bits import BitsRow, bits_picture

bits_picture(
    "A subnormal",
    DataType.FLOAT32,
    [BitsRow("0x004d29ae", 0x004D29AE)],
    "0.602… × 2^-126, less than the least normal number.",
)

# %% [markdown]
# *Flush to zero*, FTZ, is arithmetic that takes every subnormal for a zero of its sign. **TF32** is float32 with 10
# mantissa bits instead of 23, kept in 32 bits.
#
# Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>Which of the arguments <code>global_dim</code>, <code>global_strides</code>, <code>box_dim</code> change
# when the same matrix is described as UINT64 instead of UINT8?</summary><code>global_dim[0]</code> and
# <code>box_dim[0]</code>: they count elements. Strides are bytes and stay.</details>
#
# <details><summary>The code in bits 71 to 74 is 7 and bit 80 is 1. Which type is it?</summary>TFLOAT32: the code of FLOAT32,
# and the TF32 bit.</details>
#
# <details><summary>A box has 32 × 4 float64. Which number does the barrier expect?</summary>1,024 bytes: 128 elements of 8
# bytes.</details>
#
# ## Sixteen names
#
# These are all types of the encode call. *Row* is the shortest row of a box, which is 16 bytes, and the longest, 256
# elements.

# %%
from course_lib.recordings.tables import table

ROUNDED = (DataType.TFLOAT32, DataType.TFLOAT32_FTZ)


def facts(t):
    code = f"{t.facts.replace_code - 4} and bit 80" if t in ROUNDED else t.facts.replace_code
    row = "not on this chip" if t.is_packed else f"{128 // t.facts.bits} to 256"
    return {"type": t.name, "number": int(t), "bits": t.facts.bits, "row": row, "nan": t.facts.is_float, "code": code}


# %%
columns = {"number": "driver's number", "bits": "bits", "row": "elements in a row of the box", "nan": "NaN fill"}
table(map(facts, DataType), type="type", **columns, code="code in the descriptor")

# %% [markdown]
# The names, numbers and sizes are **documented** (CUDA Driver API). The codes of the first thirteen and the NaN column are
# **measured** (lesson 03 and the recorded encode calls); those of the last three are PTX's. How did the driver of
# our H200 answer to each of them?

# %%
from collections import Counter

from course_lib.recordings import committed, provenance, read_rows

rows = read_rows(committed("encode.jsonl.xz"))
places = [(row, (row["global_address"], *row["global_strides"][: max(row["rank"] - 1, 0)])) for row in rows]
calls = [(row["data_type"], row["result"], any(place % 16 for place in found)) for row, found in places]
asked = Counter(call[:2] for call in calls)
print(provenance())
for t in DataType:
    print(f"{t.name:<16} accepted {asked[t, 0]:>4} of {asked[t, 0] + asked[t, 1]:,} random calls")

# %% [markdown]
# Thirteen live, three are refused in every one of thousands of calls (**measured**). The three **packed** types come with
# CUDA 12.8 and chips after Hopper (**documented**: CUDA Driver API). What you don't find in the list is as important: no signed 8- or 16-bit integer, no
# fp8, no bool, no complex number.
#
# ## What the type fixes
#
# One course says that the engine takes *alignment* and *transfer size* from the type. The size, yes: bytes of a box are
# elements times their size. The alignment?

# %%
from course_lib.widgets import predict, reveal

align = predict(
    "A matrix of float64 begins 8 bytes after a multiple of 16, one of uint8 too. What does the driver say?",
    choices=["takes both", "takes the uint8 alone", "takes the float64 alone", "refuses both"],
    name="Two matrices at a multiple of 8",
)

# %% jupyter={"outputs_hidden": true}
off = [call for call in calls if call[2] and 0 <= call[0] < 13]  # an address or a stride off 16 bytes
types, taken = {t for t, *_ in off}, {t for t, result, _ in off if result == 0}
print(len(off), "calls,", len(types), "types, an address or a stride off 16; types of which one was taken:", len(taken))
shape = {"global_address": 0x1008, "global_dim": (64, 8), "global_strides": (512,), "box_dim": (16, 8)}
asked_for = (DataType.UINT8, DataType.FLOAT64)
model = tuple(TiledTensorMap(data_type=t, **shape).check().accepted for t in asked_for)
said = {(False, False): "refuses both", (True, False): "takes the uint8 alone", (True, True): "takes both"}
hardware = said[tuple(t in taken for t in asked_for)]
reveal(align, model=said[model], hardware=hardware, source=provenance())

# %% [markdown]
# Addresses and strides are multiples of **16 bytes** for every one of the thirteen types (**measured**); of 32 for
# two of the packed ones (**documented**: CUDA Driver API). So the type fixes four things and no more:
#
# 1. the **unit** of dimensions, boxes, element strides and coordinates. A copy must begin on 16 bytes, so the first
#    coordinate goes in steps of 16 elements of 1 byte, or 2 of 8;
# 2. whether the edge may be filled with **NaN** (lesson 07);
# 3. the **arithmetic** of a reduction. The instruction has no type of its own;
# 4. for two types, a **rounding** on loads.
#
# Swizzle, interleave and L2 promotion (lessons 09 to 11) count bytes and don't ask for the type.
#
# ## An array without a type of its own
#
# From 1. follows how to carry what is not in the list: take a type of the **same size**. fp8 of both kinds, int8 and
# bool travel as UINT8, int16 as UINT16, complex64 as UINT64. Loads and stores bring the bits (**measured** below), and
# what the bits mean is the kernel's business. Only 2. and 3. are lost:

# %%
fp8 = {"global_address": 0x1000, "global_dim": (4096, 64), "global_strides": (4096,), "box_dim": (128, 64)}
print(TiledTensorMap(data_type=DataType.UINT8, oob_fill=1, **fp8).check())

# %% [markdown]
# An fp8 tensor can't be filled with NaN at the edge: to the driver it is made of integers (**measured**: the driver
# refused each recorded call that asks for NaN with an integer type). For complex64 there is a way, since FLOAT64 has the same size and is a float: the fill is the
# 16-bit pattern `0x7FF7` again and again, so both halves read as a float32 are NaN (**measured** in lesson 07).
#
# The unit can also be *chosen larger* than the array's own. A box has at most 256 elements in a row, and rows of 1024
# bytes are four boxes of UINT8, or one of UINT64:

# %%
wide = {"global_address": 0x1000, "global_strides": (4096,)}
as_bytes = TiledTensorMap(data_type=DataType.UINT8, global_dim=(4096, 64), box_dim=(1024, 8), **wide)
as_words = TiledTensorMap(data_type=DataType.UINT64, global_dim=(512, 64), box_dim=(128, 8), **wide)
[m.check().accepted for m in (as_bytes, as_words)]

# %% [markdown]
# The price: the edge is now decided 8 bytes at a time, so `global_dim[0]` in bytes must be a multiple of 8.
#
# ## Does a load change values?
#
# A recorded load tells: random bits were in global memory, and the recording holds what lay in shared memory afterwards.
# Random bits are good here, for one float32 in 256 is a subnormal or zero and one in 256 an infinity or NaN. First FLOAT32_FTZ. One
# course describes FTZ rightly, as arithmetic that takes subnormals for 0, and presents it as a property of this type.

# %%
ftz = predict(
    "The subnormal 0x004D29AE lies in a FLOAT32_FTZ tensor. Which bits does a load bring?",
    choices=["0x004d29ae", "0x00000000", "0x004d2000"],
    name="A subnormal through FLOAT32_FTZ",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.model.copy.one_element import kind_of, load_bits
from course_lib.recordings.copies.elements import loaded_elements, loads_by

loads = loaded_elements()


def arrived(t, bits):
    return f"0x{loads[t].after[loads[t].before == bits][0]:08x}"


t = DataType.FLOAT32_FTZ
reveal(ftz, model=f"0x{load_bits(t, 0x004D29AE):08x}", hardware=arrived(t, 0x004D29AE), source=loads_by())

# %% [markdown]
# Nothing is flushed: a load does no arithmetic (**measured**). In which of the thirteen types does any element
# change on the way? In each recorded load the bits before and after, side by side:


# %%
def changed(t):
    kinds = Counter(kind_of(t, bits) for bits in loads[t].before.tolist())
    nans = kinds["quiet NaN"] + kinds["signalling NaN"]
    counts = {"elements": loads[t].before.size, "changed": int((loads[t].before != loads[t].after).sum())}
    return {"type": t.name, "loads": loads[t].loads, "subnormal": kinds["subnormal"], "nan": nans, **counts}


columns = {"loads": "loads", "elements": "elements", "subnormal": "of them subnormal", "nan": "NaN"}
table(map(changed, loads), type="type", **columns, changed="changed by the load")

# %% [markdown]
# Eleven types bring every bit, signalling NaNs too. Two change nearly everything. (Among the 960 elements of float64 was
# no subnormal and no NaN. The tiled loads of which only a digest is kept had seven of each, and their digests are those
# of unchanged bits; a test of the project compares them.)
#
# ## TFLOAT32: what a load rounds
#
# What is it for? A tensor core that computes in TF32 wants operands that are TF32 numbers already, and the CUDA Programming
# Guide has the program convert them first (**documented**: warp matrix functions, alternate floating point). A TFLOAT32
# map does that on the way, without an instruction.
#
# 13 mantissa bits become 0. The manual of the encode call gives the name and no rule. Three are plausible: cut the bits off; round to the nearest,
# and a tie **away** from zero, as PTX's `cvt.rna.tf32.f32` does (**documented**: PTX ISA, `cvt`); or a tie to the
# **even** neighbour, as IEEE arithmetic does.

# %%
tie = predict(
    "0xB6D81000 lies in the middle between two TF32 numbers. Which does a TFLOAT32 load bring?",
    choices=["0xb6d80000", "0xb6d81000", "0xb6d82000"],
    name="A tie through TFLOAT32",
)

# %% [markdown]
# A random float32 is a tie once in 8,192 times, and the ties that separate the two rules are half of them. The recording
# has three loads with such an element. Of these the digest of the window is kept: we round all elements of
# the window by each rule, and see which rule gives the recorded digest.

# %% jupyter={"outputs_hidden": true}
import numpy as np

from course_lib.recordings.copies.elements import tied_loads

RULES = {
    "cut off": lambda bits: bits & 0xFFFFE000,
    "ties away": lambda bits: bits + 0x1000 & 0xFFFFE000,
    "ties to even": lambda bits: bits + 0xFFF + (bits >> 13 & 1) & 0xFFFFE000,
}


# %% jupyter={"outputs_hidden": true}
def digests_agree(rule):
    def rounding(bits):  # NaN is another matter, as you will see below
        return np.where((bits & 0x7FFFFFFF) > 0x7F800000, load_bits(DataType.TFLOAT32, 0x7F800001), rule(bits))

    return [load.agrees(rounding) for load in tied_loads()]


{name: digests_agree(rule) for name, rule in RULES.items()}

# %% jupyter={"outputs_hidden": true}
even = f"0x{RULES['ties to even'](0xB6D81000):08x}"
reveal(tie, model=f"0x{load_bits(DataType.TFLOAT32, 0xB6D81000):08x}", hardware=even, source=loads_by())

# %% [markdown]
# Ties go to **even** (**measured**: three loads, and no other rule gives their digests). So a reference that rounds with
# `cvt.rna`, or a host function that adds half and cuts, differs from the copy in one element of 16,384: too rare
# for a small test and certain in a large one. `cvt.rn.tf32.f32`, from `sm_90` on, rounds to even (**documented**: PTX
# ISA, `cvt`).
#
# The picture shows the other tie, the one where both rules agree, from a window that was kept whole:

# %%
before, after = 0xB25E3000, int(arrived(DataType.TFLOAT32, 0xB25E3000), 16)
bits_picture(
    "A tie whose lower neighbour is odd",
    DataType.TFLOAT32,
    [BitsRow("memory", before), BitsRow("arrives", after, before)],
)

# %% [markdown]
# ## Subnormals and NaN through TF32

# %%
nan_through = predict(
    "The signalling NaN 0xFF8C4686 goes through a TFLOAT32 load. Which bits arrive?",
    choices=["0xff8c4686", "0xff8c4000", "0xffcc4000", "0x7fffe000"],
    name="A NaN through TFLOAT32",
)

# %% jupyter={"outputs_hidden": true}
t = DataType.TFLOAT32
reveal(nan_through, model=f"0x{load_bits(t, 0xFF8C4686):08x}", hardware=arrived(t, 0xFF8C4686), source=loads_by())

# %% [markdown]
# Every NaN becomes `0x7FFFE000`, with its sign and payload gone (**measured**). Whoever hides a message in a NaN, an index or
# a tag, loses it here. Now the subnormals, through both TF32 types. Does the FTZ in the name do
# anything?


# %%
def small(t):
    pairs = zip(loads[t].before.tolist(), loads[t].after.tolist(), strict=True)
    return {(before, after) for before, after in pairs if kind_of(t, before) == "subnormal"}


for t in ROUNDED:
    print(f"{t.name:<13}", *(f"{before:08x} → {after:08x}" for before, after in sorted(small(t))[:4]))
print("equal zero after the load:", sum(after & 0x7FFFFFFF == 0 for t in ROUNDED for _, after in small(t)))

# %% [markdown]
# Subnormals are rounded like all others and not flushed, by both types alike (**measured**). At the two ends the rule
# follows from the same bit arithmetic: the largest float32 rounds up to infinity, and the least subnormal to 0. No
# random element came so near to an end, so these two are **model** here.


# %%
def through(bits):
    return f"{bits:08x} → {load_bits(DataType.TFLOAT32, bits):08x}"


[through(bits) for bits in (0x7F7FFFFF, 0x7F7FEFFF, 0x00000001, 0x00001001)]

# %% [markdown]
# Stores? A TF32 tile that is stored again was rounded when it was loaded, but a kernel may have computed new values.
# The recording has 142 stores of random bits through the two types:

# %%
from course_lib.recordings.replay.copy_rows import compare_store

rows = [row for row in read_rows(committed("store.jsonl.xz")) if row["data_type"] in ROUNDED and row["op"] == "store"]
plain = [row for row in rows if row["result"] == 0 and row.get("fault") is None]
print(
    "stores:",
    len(plain),
    "- with the bits exactly as in shared memory:",
    sum(not compare_store(r).differing for r in plain),
)

# %% [markdown]
# A store rounds nothing (**measured**).

# %% [markdown]
# ## Reductions: here the type computes
#
# A reduction adds a tile in shared memory into global memory, element by element. In PTX:
#
# ```
# cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [map, {column, row}], [shared];
# ```
#
# It says `.add` and no type. The descriptor's type decides, and so a type that was "only 32 bits" for a load is
# arithmetic now. Not every operation exists for every type, and no compiler can tell you. The H200 was asked for each pair:

# %%
faults = {(row["op"], row["data_type"]): row["fault"] for row in read_rows(committed("traps.jsonl.xz")) if "op" in row}
for op in ("add", "min", "max"):
    print(op, *(t.name for t in loads if faults[op, t] is None))
print("the others fault with", {faults[op, t] for op in ("add", "min", "max") for t in loads} - {None})

# %% [markdown]
# Sums of every float, and of integers of 4 bytes or more, but not of INT64. Minima and maxima of 16-bit floats, and of
# all integers of 4 bytes or more (**measured**; lesson 13 has the other operations). Another recording has 40 special
# values against each other, for each legal pair.

# %%
from course_lib.recordings.copies.elements import reduce_table, tables_by

adds = {t: reduce_table(ReduceOp.ADD, t) for t in (DataType.FLOAT32, DataType.FLOAT32_FTZ, *ROUNDED)}
half = 0x00400000  # a subnormal: half of the least normal number
ftz_add = predict(
    "Memory holds the subnormal 0x00400000, and 0x00400000 is added through FLOAT32_FTZ. The exact sum is the least "
    "normal number, 0x00800000. What does memory hold?",
    choices=["0x00800000", "0x00400000", "0x00000000"],
    name="Two subnormals, added",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.model.copy.one_element import reduce_bits

t = DataType.FLOAT32_FTZ
model, hardware = reduce_bits(ReduceOp.ADD, t, half, half), adds[t].of(half, half)
reveal(ftz_add, model=f"0x{model:08x}", hardware=f"0x{hardware:08x}", source=tables_by())

# %% [markdown]
# Here it flushes: both operands count as 0 (**measured**). Not only what comes is flushed, also what *was* in memory:
# adding 0 to a subnormal destroys it. And TF32, does it round in an addition?

# %%
for a in adds:
    print(f"{a.name:<13}", *(f"as {b.name}: {(adds[a].result == adds[b].result).mean():4.0%}" for b in adds), sep="   ")

# %% [markdown]
# In all 1,600 pairs TFLOAT32 adds exactly as FLOAT32, and TFLOAT32_FTZ as FLOAT32_FTZ (**measured**). So the two parts of
# a name act in different places, and never together:
#
# | type | a load rounds to TF32 | an add flushes subnormals |
# | --- | --- | --- |
# | FLOAT32 | no | no |
# | FLOAT32_FTZ | no | **yes** |
# | TFLOAT32 | **yes** | no |
# | TFLOAT32_FTZ | **yes** | **yes** |
#
# ### Signed or not
#
# For an add it makes no difference whether 32 bits are signed. For min it does.

# %%
signed = predict(
    "int32 memory holds −1. A reduction MIN brings 1, through a map of type UINT32. What does memory hold, as int32?",
    number=(-2, 2),
    name="The minimum of −1 and 1",
)

# %% jupyter={"outputs_hidden": true}
model = reduce_bits(ReduceOp.MIN, DataType.UINT32, 0xFFFFFFFF, 1)
reveal(signed, model=model, hardware=reduce_table(ReduceOp.MIN, DataType.UINT32).of(0xFFFFFFFF, 1), source=tables_by())

# %% [markdown]
# To UINT32, −1 is the largest number there is. No error, no fault: the wrong element stays (**measured**). A load
# through either type is the same, so the mistake waits until someone reduces.
#
# ### What becomes of a NaN
#
# The results of real reductions, for NaN and for the two zeros:

# %%
CASES = [
    ("add FLOAT32", "a signalling NaN and 1", 0x7F800001, 0x3F800000),
    ("add FLOAT32", "∞ and −∞", 0x7F800000, 0xFF800000),
    ("add FLOAT16", "a signalling NaN and a subnormal", 0x7C01, 0x0001),
    ("add FLOAT64", "1 and a signalling NaN", 0x3FF0000000000000, 0x7FF0000000000001),
    ("add FLOAT64", "a signalling NaN and a quiet one", 0x7FF0000000000001, 0x7FF8000000000005),
    ("max FLOAT16", "a signalling NaN and 1", 0x7C01, 0x3C00),
    ("max FLOAT16", "two NaN", 0x7C01, 0x7E05),
    ("max FLOAT16", "−0 and +0", 0x8000, 0x0000),
    ("min FLOAT16", "+0 and −0", 0x0000, 0x8000),
]


# %%
def case(words, what, memory, operand):
    op, t = words.split()
    became = reduce_table(ReduceOp[op.upper()], DataType[t]).of(memory, operand)
    digits = DataType[t].facts.bits // 4
    return {"copy": words, "what": what, "became": f"0x{became:0{digits}x}"}


table([case(*c) for c in CASES], copy="reduction", what="memory and what comes", became="memory afterwards")

# %% [markdown]
# - A sum that is NaN is one fixed pattern: `0x7FFFFFFF` in 32 bits, `0x7FFF` in 16. Not the `0x7FC00000` that most
#   libraries print as *the* NaN, so compare NaN by kind and not by bits.
# - **float64 differs**: the NaN comes through as it is, even a signalling one, which IEEE arithmetic would make quiet.
#   If both are NaN, what comes wins over what was there.
# - min and max prefer a number to a NaN, and put −0 below +0. Only two NaN give one.
#
# All **measured**, and no document that we know states the float64 row. PTX does not even list f64 for this
# instruction's `.add` on tensors; the chip does it.
#
# ### Small steps vanish
#
# Memory has the type's precision, after *each* addition. The bfloat16 sum 1 + 2<sup>−8</sup> is a tie:

# %%
bf16 = reduce_table(ReduceOp.ADD, DataType.BFLOAT16)
one, step = 0x3F80, 0x3B80
sums = [BitsRow("memory before", one), BitsRow("what comes", step), BitsRow("memory after", bf16.of(one, step), one)]
bits_picture("1 + 2^-8 in bfloat16", DataType.BFLOAT16, sums)

# %% [markdown]
# It rounds to even and stays 1 (**measured**), however many such tiles come. A split-K kernel that adds its partial
# tiles through a bfloat16 map loses exactly these. **Mend:** reduce into float32, convert once.
#
# ## Turn it yourself
#
# One element, any live type, and four things that can happen to it. Some things to try, each with a guess first. Go
# through the examples with TFLOAT32 and a load: which of them arrive as they are? Choose *an add into memory* with
# FLOAT32_FTZ, memory `0x00400001`, and let zero come: what is left? Then take FLOAT32 instead. Let −0 come to memory 0 by
# a min through FLOAT16. And which types refuse to take part in an add?

# %%
from course_lib.widgets import float_bits

float_bits()

# %% [markdown]
# ## The packed three
#
# Documented and not measured: this chip has none of them. Sixteen values of 4 or 6 bits are a group. In global memory
# the groups are dense; in shared memory two of the three types put a gap behind each group, so that each begins on 16
# bytes. `cd` is a byte that the copy did not write.

# %%
from course_lib.model.later.packed import load_packed

memory = (np.arange(1024) % 256).astype(np.uint8)
for t, row_bytes in ((DataType.U4X16_ALIGN8B, 128), (DataType.U4X16_ALIGN16B, 128), (DataType.U6X16_ALIGN16B, 192)):
    packed = {"global_address": 0, "global_dim": (256, 4), "global_strides": (row_bytes,), "box_dim": (128, 4)}
    shared = np.full(1024, 0xCD, np.uint8)
    counted = load_packed(TiledTensorMap(data_type=t, **packed), (0, 0), memory, shared).transaction_bytes
    print(f"{t.name:<15} {counted} bytes counted: {shared[:32].tobytes().hex(' ', 4)}")

# %% [markdown]
# Dimensions, boxes and coordinates count single values, and strides count bytes. The barrier counts the **packed** bytes
# and not the gaps. With the two ALIGN16B types a row of the box has exactly 128 values, and addresses and strides are
# multiples of 32 (**documented**: CUDA Driver API; PTX ISA, packed types). CUTLASS takes ALIGN8B for fp4 that stays
# packed, ALIGN16B for fp4 that is unpacked to bytes, and the 6-bit type for fp6 (**documented**: its
# `copy_sm90_desc.hpp`).
#
# ## The trap
#
# Three reports from public projects, retold.
#
# ### The one where the interpreter was right
#
# A compiler has an interpreter that runs kernels on the host. For one kernel its float32 results were not the GPU's, in 13
# of 16 elements of a test. The descriptor had been made with an option that rounds to TF32, and the interpreter had
# forgotten the option. What a dump of such a tile shows:

# %%
tile = np.float32([1 / 3, 0.1, np.pi, 1e-40, 65504.5])
got = np.array([load_bits(DataType.TFLOAT32, int(bits)) for bits in tile.view(np.uint32)], np.uint32)
print([f"{bits:08x}" for bits in got], "low 13 bits all zero:", not (got & 0x1FFF).any())

# %% [markdown]
# **Diagnosis:** print the tile in hex, and the same elements in global memory. If the lowest 13 bits are 0 in every element
# of the tile and not in memory, it came through a TF32 type (**model**, on the rule measured above). Test with data that
# needs the bits: float16 and bfloat16 values, or small integers, have none of them anyway. **Mend:** FLOAT32 for a copy that is to be a copy. The mended interpreter
# leaves NaN *alone*, says its description. Compare with what you saw above: on an H200 each becomes `0x7FFFE000`. (It
# was tested on a chip of a later generation. What that one does with the bits of a NaN, we have not measured.)
#
# ### The one with the pitch of 64
#
# A weight-gradient kernel in fp8 worked for some row lengths only. Its author found that 64 worked, and concluded that
# the pitch must be a multiple of 64.

# %%
from course_lib.rows.calls import tensor_map_of_report

reports = {row["id"]: row for row in read_rows(committed("reports.jsonl.xz"))}
for name in ("T22", "T22fix"):
    m = tensor_map_of_report(reports[name])
    print(m.data_type.name, m.global_dim, m.global_strides, "recorded CUresult", reports[name]["driver_result"])
print(tensor_map_of_report(reports["T22"]).check())

# %% [markdown]
# The row of 1000 values is 1000 bytes, no multiple of 16; a pitch of 1008 is taken (**measured**). With 2-byte types one row
# length in 8 fits, with 1-byte types one in 16, so the old rule shows up first with fp8. **Mend:** pad
# the rows to 16 **bytes**. It is a rule of the stride and not of the type.
#
# ### The one that counted FP4 as bytes
#
# A compiler took the size of a 4-bit value, rounded up to whole bytes: 1. So the strides were twice what they should be,
# and so was the number that the barrier expected.

# %%
from dataclasses import replace

m = tensor_map_of_report(reports["T41"])
print(m.data_type.name, m.global_dim, m.global_strides, "- on the H200, CUresult", reports["T41"]["driver_result"])
memory = np.repeat(np.arange(256), 128).astype(np.uint8)  # byte = its row of 256 values
for stride in (256, 128):
    shared = np.zeros(4096, np.uint8)
    right = replace(m, global_address=0, global_strides=(stride,), global_dim=(256, 64))
    print(stride, "delivers", load_packed(right, (0, 0), memory, shared).transaction_bytes, "rows", shared[::64][:4])

# %% [markdown]
# With the doubled stride every second row is skipped, and a barrier that expects 8,192 bytes gets 4,096 and waits for
# ever (**model**, from documents; on this chip the call itself is refused). **Diagnosis:** compare the expected bytes with
# `bits × elements / 8`. **Mend:** compute sizes in bits, divide once, at the end.
#
# ## On the hardware
#
# The table above was every type through the engine: 500 loads of all thirteen types and of im2col, whose windows were
# kept. Here the model judges them byte for byte, and all 33 legal reductions, 1,600 pairs each:

# %%
from course_lib.recordings.replay.replay import replay

for name in ("load_windows", "reduce_table"):
    agreement = replay(committed(f"{name}.jsonl.xz"))
    agreeing = dict(agreement.agreeing)
    print(f"{name}: {agreeing}, {len(agreement.differences)} differ: {provenance(f'{name}.jsonl.xz')}")

# %% [markdown]
# On a machine with a Hopper GPU, one load of each type is made now. (What this cell prints differs from machine to
# machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status
from course_lib.machines import agree, machine

print(gpu_status().sentence)
small_map = {"global_address": 4096, "global_dim": (64, 8), "global_strides": (512,), "box_dim": (16, 8)}
for t in loads if gpu_status().usable else ():
    m = TiledTensorMap(data_type=t, **small_map)
    print(f"{t.name:<13}", agree(*(machine(kind).load(m, (0, 0), seed=5) for kind in ("live", "model"))))

# %% [markdown]
# ## What to keep
#
# - Thirteen types live on this chip. Size is all that matters for a copy, but for TF32: any array travels as a type of its
#   size.
# - Alignment is 16 bytes, whatever the type.
# - A load changes bits with TFLOAT32 and TFLOAT32_FTZ alone: nearest, ties to even, every NaN `0x7FFFE000`, subnormals
#   rounded and not flushed. A store changes nothing.
# - FTZ acts in additions alone, on what comes, on what was there, and on the sum. TF32 does nothing there.
# - In a reduction the type is the arithmetic: signed or not, 16 bits of precision or more.
# - NaN of a sum: `0x7FFFFFFF`, `0x7FFF`, and in float64 the operand's own.
#
# | quantity | unit |
# | --- | --- |
# | `global_dim`, `box_dim`, `element_strides`, coordinates | elements (single values of a packed type) |
# | `global_address`, `global_strides` | bytes, multiples of 16 |
# | what the barrier counts | bytes, without the gaps of packed types |
# | step of the first coordinate | 16 bytes |
#
# ## Ask yourself
#
# <details><summary>Which type for an fp8 tensor, and what can't you have then?</summary>UINT8. No NaN at the edge, and no
# arithmetic: UINT8 has no reduction at all.</details>
#
# <details><summary>A float32 tile has only zeros in its lowest 13 bits, and the tensor has others. What do you look
# at?</summary>The data type of its tensor map: TFLOAT32 rounds on loads.</details>
#
# <details><summary>You want tensor-core operands rounded to nearest, and the untouched tensor elsewhere. How many
# descriptors?</summary>Two of the same memory: a TFLOAT32 and a FLOAT32 one. They differ in one bit, bit 80.</details>
#
# <details><summary>Gradients below 2<sup>−126</sup> vanish in global memory, one tile after the other. Which type is
# it?</summary>FLOAT32_FTZ or TFLOAT32_FTZ in a reduction. No load or store would do it.</details>
#
# <details><summary>int64 counters are to be added by the engine. INT64 has no add. And now?</summary>UINT64: two's complement
# addition is the same for both.</details>
#
# **Now you:** in [exercise 05](../exercises/05_element_types/05_element_types.ipynb) you round, flush, choose,
# and find out from a dump which type it was.
# [Lesson 06](06_which_rule.ipynb) is about calls that are refused.
#
# **Where to go:** [exercise 05](../exercises/05_element_types/05_element_types.ipynb) ·
# before: [04 · Shapes, strides, boxes](04_shapes_strides_boxes.ipynb) ·
# next: [06 · Which rule did I break?](06_which_rule.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/copy/element_bits.py`](../course_lib/model/copy/element_bits.py)
