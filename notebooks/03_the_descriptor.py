# %% [markdown]
# # 03 · The descriptor
#
# **The question:** what is in the 128 bytes, and who makes them?
#
# Afterwards you can
#
# - make the encode call in C and in Python, and say for each of its arguments what it decides and in which unit,
# - say where a descriptor may lie, and what happens when it lies elsewhere,
# - read any field out of 128 bytes, and write all of them as the driver does,
# - say which odd limits of the manual are nothing but the width of a field.
#
# **Time:** about 80 minutes: part A, the call, 35; part B, the bits, 45. **You need:**
# [lesson 00](00_start_here.ipynb), and shifts and masks, which the next cell repeats. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# Sixteen bytes or 128 bytes can be read as **one** number. *Little-endian* means that the first byte is the lowest. A
# *field* is a run of bits in it: `number >> 4` drops the 4 lowest bits, and `& 0b111` keeps 3 of what is left. So this
# reads the three bits from bit 4 on:

# %%
number = int.from_bytes(bytes([0x34, 0x12, 0xA0]), "little")
hex(number), number >> 4 & 0b111

# %% [markdown]
# Three questions from lesson 00. Answer each aloud before you open it.
#
# <details><summary>A bfloat16 matrix has 256 rows of 1024 columns, without gaps. What are <code>global_dim</code> and
# <code>global_strides</code>?</summary><code>(1024, 256)</code> elements, the innermost dimension first, and
# <code>(2048,)</code> bytes.</details>
#
# <details><summary>The driver answers 1. What do you know?</summary>That at least one rule is broken, and not which:
# <code>CUDA_ERROR_INVALID_VALUE</code> stands for all of them.</details>
#
# <details><summary>The driver answers 0. What do you know?</summary>That the call is legal. Whether it says what you meant,
# the driver can't know.</details>
#
# # Part A · The call
#
# A copy takes three steps: **create** 128 bytes, **encode** the call into them, **issue** copies in a kernel. In CUDA
# C++:
#
# ```c++
# CUtensorMap map;                                                    // 1 create: 128 bytes in host memory
# cuuint64_t global_dim[] = {1024, 256}, global_strides[] = {2048};   //   elements; bytes
# cuuint32_t box_dim[] = {64, 8}, element_strides[] = {1, 1};         //   elements
# CUresult r = cuTensorMapEncodeTiled(                                // 2 encode
#     &map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, address,             //   where to, type, rank, address
#     global_dim, global_strides, box_dim, element_strides,
#     CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
#     CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
# kernel<<<grid, block>>>(map, …);                                    // 3 issue: in the kernel, by one thread
# ```
#
# In Python the binding makes the 128 bytes itself and gives them back:
#
# ```python
# from cuda.bindings import driver as cuda
# code, map = cuda.cuTensorMapEncodeTiled(
#     cuda.CUtensorMapDataType.CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, address,
#     [cuda.cuuint64_t(1024), cuda.cuuint64_t(256)], [cuda.cuuint64_t(2048)],
#     [cuda.cuuint32_t(64), cuda.cuuint32_t(8)], [cuda.cuuint32_t(1), cuda.cuuint32_t(1)],
#     cuda.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE, …)   # swizzle, promotion and fill likewise
# ```
#
# And the same call in this course, where what is left out is NONE or one:

# %%
from course_lib import DataType, Swizzle, TiledTensorMap, decode, load

tile = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000100,
    global_dim=(1024, 256),
    global_strides=(2048,),
    box_dim=(64, 8),
)

# %% [markdown]
# All twelve arguments, in the driver's order. Those from the type to `boxDim` decide *what* is copied, the last five
# *how*. Ours leaves out the first, which is the result, and the rank, which is the length of `global_dim`.
#
# | argument | unit | here | what it decides | more in |
# | --- | --- | --- | --- | --- |
# | `tensorMap` | — | the result | where the 128 bytes go | this lesson |
# | `tensorDataType` | — | BFLOAT16 | size and kind of one element | [lesson 05](05_element_types.ipynb) |
# | `tensorRank` | — | 2 | the number of dimensions, 1 to 5 | [lesson 04](04_shapes_strides_boxes.ipynb) |
# | `globalAddress` | bytes | `0x7F0000000100` | where the tensor begins | this lesson |
# | `globalDim` | elements | 1024, 256 | the size of each dimension, innermost first | [lesson 04](04_shapes_strides_boxes.ipynb) |
# | `globalStrides` | bytes | 2048 | the way from one row to the next; none for dimension 0 | [lesson 04](04_shapes_strides_boxes.ipynb) |
# | `boxDim` | elements | 64, 8 | the size of what one copy brings | [lesson 04](04_shapes_strides_boxes.ipynb) |
# | `elementStrides` | elements | 1, 1 | every how many-th element of the box is copied | [lesson 04](04_shapes_strides_boxes.ipynb) |
# | `interleave` | — | NONE | whether channels come in packets | [lesson 10](10_interleave.ipynb) |
# | `swizzle` | — | NONE | in which order bytes lie in shared memory | [lesson 09](09_swizzle.ipynb) |
# | `l2Promotion` | — | NONE | how much L2 fetches for a request | [lesson 11](11_l2_promotion.ipynb) |
# | `oobFill` | — | NONE | what arrives from beyond the edge: zero, or NaN | [lesson 07](07_out_of_bounds.ipynb) |
#
# ## Why one descriptor is enough
#
# Look at what is **not** in the list: no coordinate, no shared-memory address, no barrier. Those come with each copy.
# In PTX:
#
# ```
# cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
#     [shared], [map, {column, row}], [barrier];
# ```
#
# So one descriptor serves every block, every tile and every stage of a pipeline, in both directions (**documented**:
# PTX ISA, `cp.async.bulk.tensor`). Our matrix has 16 × 32 = 512 tiles and needs one descriptor. Another tensor needs
# another, and so does another box.
#
# ## The function that nobody links
#
# `cuTensorMapEncodeTiled` is a function of the *driver*, in `libcuda.so.1`, not of the runtime. Either you link with
# `-lcuda`, or you ask the runtime for its address (**documented**: CUDA Programming Guide, TMA):
#
# ```c
# void *found; cudaDriverEntryPointQueryResult state;
# cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &state);
# PFN_cuTensorMapEncodeTiled_v12000 encode = (PFN_cuTensorMapEncodeTiled_v12000)found;   // cudaTypedefs.h
# ```
#
# 12000 says *the function as it was in CUDA 12.0*. The im2col call has that number too, the wide one 12080. Older samples
# do it without a version: the header of CUDA 13.0 marks `cudaGetDriverEntryPoint` as deprecated, and no longer has the
# type `PFN_cuTensorMapEncodeTiled` without the number (**documented**: `cuda_runtime_api.h`, `cudaTypedefs.h`). The call
# launches nothing and reads no tensor, it only packs numbers. So does it need a GPU at all?

# %%
from course_lib.widgets import predict, reveal

results = {0: "0: it only packs numbers", 1: "1: invalid value", 201: "201: invalid context"}
first_call = predict(
    "In a new process, nothing has made a CUDA context yet. What does the first encode call answer?",
    choices=list(results.values()),
    name="The driver's answer",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.copies.descriptors import recorded_fields, rows_tried, tried_provenance

reveal(first_call, hardware=results[rows_tried("encode_without_context")[0]["result"]], source=tried_provenance())

# %% [markdown]
# `CUDA_ERROR_INVALID_CONTEXT` (**measured**). It only packs numbers, and still asks for a current context. In a program
# that uses the runtime it is enough to call `cudaFree(0)` before. A context is current for one *thread*
# (**documented**: CUDA Driver API, contexts), so expect the same in a worker thread that has called nothing of CUDA
# yet.
#
# ## Which memory can it point to?
#
# One course lists the *memory space*, device, host or unified, among the things that a descriptor records. The table
# above has no such argument. We encoded the same call for six kinds of memory, and copied a tile of 512 elements from
# each.

# %%
faults = {None: "it brings the tile", 700: "fault 700, illegal address", 716: "fault 716, misaligned address"}
pinned = predict(
    "The matrix lies in pinned host memory (cudaHostAlloc). What does the copy do?",
    choices=list(faults.values()),
    name="A tensor in pinned host memory",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.tables import table

by_memory = [row for row in rows_tried("descriptor_at") if row["home"] == "grid_constant"]
hardware = faults[next(row for row in by_memory if row["memory"] == "pinned")["fault"]]
reveal(pinned, hardware=hardware, source=tried_provenance())

# %% jupyter={"outputs_hidden": true}
table(
    by_memory,
    memory="the tensor lies in",
    result="encode",
    only_the_address_differs="only the address bits differ",
    fault="fault of the copy",
    right_elements="right elements of 512",
)

# %% [markdown]
# The bytes hold an **address** and nothing about the memory behind it (**measured**). What the GPU can reach by that
# address works: device, managed, pinned, and registered host memory. What it can't reach, ordinary `malloc` memory on
# this machine and the null pointer, is encoded all the same, and the *copy* faults with 700, illegal address. (On a
# machine where the GPU reads pageable memory, the row may differ: not measured here.)
#
# ## Where may the descriptor lie?
#
# Documents name three places: a kernel parameter declared `const __grid_constant__ CUtensorMap`, a `__constant__`
# variable, and global memory with a fence before its use (**documented**: CUDA Programming Guide, TMA). What is special
# about the long word?

# %%
by_value = predict(
    "kernel(CUtensorMap map) takes it by value, without __grid_constant__, and passes &map to the copy. What happens?",
    choices=["it does not compile", *faults.values()],
    name="By value without __grid_constant__",
)

# %% jupyter={"outputs_hidden": true}
homes = [row for row in rows_tried("descriptor_at") if row["memory"] == "device" and row["address_mod_128"] == 0]
hardware = faults[next(row for row in homes if row["home"] == "by_value")["fault"]]
reveal(by_value, hardware=hardware, source=tried_provenance())

# %% jupyter={"outputs_hidden": true}
table(homes, home="the descriptor is", fault="fault", right_elements="right elements of 512")

# %% [markdown]
# It compiles, and faults (**measured**). `&map` of an ordinary parameter makes the compiler copy the 128 bytes into the
# thread's *local* memory, and the address of that copy means nothing to the engine. The same fault comes from a
# descriptor in shared memory. `__grid_constant__` promises that nobody writes the parameter, so its address is that of
# the parameter itself.
#
# Whoever launches from another language has 128 bytes to pass by value. A launcher of one project cut every such argument
# to 8 bytes, and the launch still answered 0. Let a test read the argument *behind* the map.
#
# One row needs care. In global memory **without** the fence the right tile came (**seen**: in 2 of 2 recorded tries). The engine
# reads descriptors by a path of its own, the *tensormap proxy*, and may still hold what lay at an address before. Here
# the address was new to it. A fence, `fence.proxy.tensormap::generic.acquire.sys [map], 128`, orders the two
# (**documented**: PTX ISA, `membar` and `fence`). Lesson 18 shows a stale descriptor.
#
# ## 64 bytes or 128?
#
# Three sources disagree. The manual of the encode call asks for a multiple of 64. The C type has an alignment of
# 64 up to CUDA 12 and of 128 from CUDA 13 on. One course says that 128 is a must.

# %%
alignment = predict(
    "Descriptors lay in global memory 8, 16, 32, 48, 64 and 96 bytes after a multiple of 128. How many of the six worked?",
    number=(0, 6),
    name="How many of six addresses",
)

# %% jupyter={"outputs_hidden": true}
fenced = [row for row in rows_tried("descriptor_at") if row["home"] == "global_fenced" and row["address_mod_128"]]
reveal(alignment, hardware=sum(row["right_elements"] == 512 for row in fenced), source=tried_provenance())

# %% jupyter={"outputs_hidden": true}
encoded = [row for row in rows_tried("encode_to") if row["address_mod_128"] not in (0, 64)]
print(len(encoded), "encode calls to other addresses, odd ones too; accepted:", sum(not r["result"] for r in encoded))
table(fenced, address_mod_128="address mod 128", fault="fault", right_elements="right elements of 512")

# %% [markdown]
# The **engine** needs 64: every other address that we tried faults with 716, misaligned
# address (**measured**). The **driver** does not
# care: it wrote the same bytes to every address that we gave it, to odd ones too, so an accepted call proves nothing.
# The **C type** asks for 128 since CUDA 13. Use 128 everywhere and no compiler, driver or chip can disagree. The
# first trap below is about programs where two of these numbers meet.
#
# # Part B · The bits
#
# No document tells where a field lies in the 128 bytes. So we find it out: we guess a rule, and the driver judges it.
# The recording holds thousands of tiled calls that an H200 accepted, with their bytes.

# %%
from course_lib.recordings import committed, provenance, read_rows
from course_lib.rows.calls import tensor_map_of

answers = [row for row in read_rows(committed("encode.jsonl.xz")) if row["result"] == 0]
rows = [row for row in answers if row["api"] == "tiled"]
calls = [tensor_map_of(row) for row in rows]
numbers = [int.from_bytes(bytes.fromhex(row["bytes"]), "little") for row in rows]
print(f"{len(rows):,} accepted calls:", provenance())

# %% [markdown]
# `agree` counts in how many of them `width` bits from bit `lsb` on hold what `rule` makes of the call. A
# simple rule that holds for all of them is as much as one can know of bits that no document describes.


# %%
def agree(lsb, width, rule):
    mask = (1 << width) - 1
    return sum(number >> lsb & mask == rule(call) for call, number in zip(calls, numbers, strict=True))


agree(68, 3, lambda call: call.rank), agree(68, 3, lambda call: call.rank - 1)

# %% [markdown]
# Bits 68 to 70 hold the rank in none of the calls, and the rank **less one** in all (**measured**). A rank of 0 makes
# no sense, so no pattern of bits is spent on it. You will meet that habit again and again. Here is the field, opened,
# in the descriptor of `tile`. (Names and colours of the other fields come one after the other.)

# %%
from course_lib.draw import compare_words, descriptor_picture

descriptor_picture(tile, opened="rank")

# %% [markdown]
# ## Dimensions, boxes, element strides
#
# `tile` has `global_dim=(1024, 256)`, and bits 256 to 287 hold the first of them.

# %%
stored = predict("Which number do the 32 bits from bit 256 on hold?", number=(0, 65535), name="The stored number")

# %% jupyter={"outputs_hidden": true}
fields = recorded_fields()
model, hardware = (int.from_bytes(data, "little") >> 256 & 0xFFFFFFFF for data in (tile.encode(), fields[tile].bytes))
reveal(stored, model=model, hardware=hardware, source=tried_provenance())

# %% [markdown]
# Less one, like the rank: 1023. With it the largest dimension, 2<sup>32</sup>, fits into 32 bits, and a dimension of 0
# has no pattern: the driver must refuse it. The same holds for boxes (8 bits, so 1 to 256) and element strides (3 bits,
# so 1 to 8). All five places, in all calls:


# %%
def less_one(name, i):
    return lambda call: getattr(call, name)[i] - 1 if i < call.rank else 0


for name, first, width in (("global_dim", 256, 32), ("box_dim", 440, 8), ("element_strides", 416, 3)):
    print(f"{name:<16}", [agree(first + width * i, width, less_one(name, i)) for i in range(5)])

# %% [markdown]
# All **measured**. A dimension that the rank does not have is stored as 0, which read on its own would say 1. A reader
# must look at the rank first.
#
# ## Strides
#
# A stride is a multiple of 16, so its four lowest bits are always 0, and are not stored. What is left of a
# stride below 2<sup>40</sup> are 36 bits. They lie apart: 32 in one place, the upper 4 in another.


# %%
def units(i, shift=0):
    return lambda call: call.global_strides[i] // 16 >> shift & 0xFFFFFFFF if i < call.rank - 1 else 0


for i in range(4):
    lower, upper = agree(96 + 32 * i, 32, units(i)), agree(224 + 4 * i, 4, units(i, 32))
    print(f"global_strides[{i}]: lower part {lower:,}, upper part {upper:,}")

# %% [markdown]
# So *a multiple of 16* and *below 2<sup>40</sup>* are two halves of one fact (**measured**): that is what the field can
# say. Nothing
# is left for a stride of dimension 0, which is always one element. Rows that lie 2048 bytes apart are stored as `0x80`,
# 128 units. Rows 2<sup>36</sup> bytes farther apart need the upper part:

# %%
from dataclasses import replace

descriptor_picture(replace(tile, global_strides=(2**36 + 2048,)), before=tile, opened="strides")

# %% [markdown]
# ## The type has two numbers
#
# `DataType.BFLOAT16` is 9 in the driver's header. Is it 9 in the bytes?

# %%
bf16_code = predict("Which code do the 4 bits from bit 71 on hold for BFLOAT16?", number=(0, 15), name="The code")

# %% jupyter={"outputs_hidden": true}
model, hardware = (int.from_bytes(data, "little") >> 71 & 15 for data in (tile.encode(), fields[tile].bytes))
reveal(bf16_code, model=model, hardware=hardware, source=tried_provenance())

# %% [markdown]
# Ten. The bytes use another numbering, the one that PTX gives to `tensormap.replace`, an instruction that edits a
# descriptor. There FLOAT32_FTZ is 8, FLOAT64 9 and BFLOAT16 10. PTX itself warns that the two differ (**documented**:
# PTX ISA, `tensormap.replace`). `replace_code` is that numbering. Does it fit all calls?

# %%
agree(71, 4, lambda call: call.data_type), agree(71, 4, lambda call: call.data_type.facts.replace_code)

# %% [markdown]
# Better, and not all. Which ones are left?

# %%
misfits = {
    (call.data_type.name, call.data_type.facts.replace_code, number >> 71 & 15, number >> 80 & 1)
    for call, number in zip(calls, numbers, strict=True)
    if call.data_type.facts.replace_code != number >> 71 & 15
}
sorted(misfits)

# %% [markdown]
# Here the document and the hardware part (**measured**). By PTX the two TF32 types have codes 11 and 12. In the bytes
# they have the codes of their float32 types, 7 and 8, and a bit of their own, bit 80, which is 1. TF32 is not a type to
# this engine: it is float32 with something done to it on the way (lesson 05 shows what).

# %%
float32, tfloat32 = (replace(tile, data_type=data_type) for data_type in (DataType.FLOAT32, DataType.TFLOAT32))
descriptor_picture(tfloat32, before=float32, opened="TF32")

# %% [markdown]
# ## The small fields
#
# Four enumerations are left, and they are stored as they are. Note the widths.

# %%
from operator import attrgetter

small = {"interleave": (75, 2), "swizzle": (77, 2), "oob_fill": (79, 1), "l2_promotion": (81, 2)}
{name: agree(*place, attrgetter(name)) for name, place in small.items()}

# %% [markdown]
# Two bits for the swizzle are four modes. The header lists seven, and this driver refuses the numbers 4 to 6 on this
# chip: its descriptors have no room for them.
#
# ## Two words that nobody asked for
#
# Now every argument has its place, and two words are still full: bits 512 up and bits 576 up. In lesson 00 the first
# of them was the bytes of a box. With element strides it gets interesting. Let a box of 64 × 8 bfloat16 take
# every third row: rows 0, 3 and 6. The driver's manual says that ceil(8 / 3) = 3 rows are copied.

# %%
counted = predict(
    "64 × 8 bfloat16, element strides 1 and 3. Which number of bytes stands in bits 512 up?", number=(0, 2048)
)

# %% jupyter={"outputs_hidden": true}
thirds = replace(tile, element_strides=(1, 3))
model, hardware = (int.from_bytes(data, "little") >> 512 & 0x3FFFF for data in (thirds.encode(), fields[thirds].bytes))
reveal(counted, model=model, hardware=hardware, source=tried_provenance())

# %% [markdown]
# 256 bytes: **two** rows, although three are copied and the barrier counts 384. The word is rounded *down*. Both
# rules, judged by all calls:

# %%
from functools import partial
from math import ceil, prod


def box_bytes(call, rounded):
    steps = zip(call.box_dim, call.element_strides, strict=True)
    return prod(rounded(box / step) for box, step in steps) * call.data_type.size_bytes


[agree(512, 18, partial(box_bytes, rounded=rounded)) for rounded in (ceil, int)]

# %% [markdown]
# Rounding up, as the manual counts, fits about seven calls of ten. Rounding down fits all (**measured**). A box entry
# that is smaller than its stride counts as 0 even, and the word is 0. The second word depends on the swizzle alone:

# %%
sorted(
    {(call.swizzle.name, number >> 576 & 0x7FF) for call, number in zip(calls, numbers, strict=True)},
    key=lambda x: x[1],
)

# %% [markdown]
# One bit is set, for 16, 256, 512 or 1024. Lesson 09 finds out what repeats after so many bytes.
#
# ## Who reads them?
#
# It is natural to think that the driver works these words out so that the engine need not. That can be tried. We wrote
# other numbers into the two words of a descriptor, too small, too large, zero, and copied with it.

# %%
ends = {(None, True): "it brings the right tile", (None, False): "it never ends", (715, None): "it faults"}
spoilt = predict(
    "The word says 16 bytes, the box has 1024. The barrier expects 1024. What does a load do?",
    choices=list(ends.values()),
    name="A wrong number in the word",
)

# %% jupyter={"outputs_hidden": true}
pokes = [row for row in rows_tried("poke") if row["poked"][0]["lsb"] in (512, 576)]
too_small = next(row for row in pokes if row["poked"][0]["value"] == 16)
print("loads with the two words set at will:", len(pokes))
print("of which bring the same bytes as before:", sum(row["bytes_that_differ"] == 0 for row in pokes))
reveal(spoilt, hardware=ends[too_small["fault"], too_small["completed"]], source=tried_provenance())

# %% [markdown]
# Nothing happens, at all (**measured**). Then we went further and overwrote bytes 64 to 127, the whole upper half, with
# ones, with zeros, and with pieces of another descriptor, and loaded, stored and reduced.

# %%
halves = rows_tried("upper_half")
same = sum(row["fault"] is None and row["bytes_that_differ"] == 0 for row in halves)
print(same, "of", len(halves), "copies did exactly the same as with the upper half in order")

# %% [markdown]
# **On this chip tiled copies read the first 64 bytes of a descriptor and no more** (**measured**: two dimensions;
# loads, stores and additions; all four swizzles and promotions). It fits what we saw above, that the engine wants a
# multiple of 64. What the two words are for we don't know. The driver itself uses the first: it refuses a box whose
# word would be above 233,472.

# %%
caps = [call for call in fields if call.data_type == 0 and call.rank == 3]
table(
    [{"box": c.box_dim, "steps": c.element_strides, "word": box_bytes(c, int), "code": fields[c].result} for c in caps],
    box="box_dim (bytes)",
    steps="element_strides",
    word="rounded-down bytes",
    code="CUresult",
)

# %% [markdown]
# 233,472 bytes are 228 KiB, all the shared memory of an SM of this architecture; a block may have 227 of them
# (**documented**: CUDA Programming Guide, compute capability 9.0). No document states this rule of the encode call. The
# row before the last is accepted, although its copy would bring more than the cap: the rule looks at the word, the
# engine does not.
#
# ## A limit is a width
#
# Put side by side what the driver takes and what a field can hold:
#
# | argument | field | so it can say | the driver takes |
# | --- | --- | --- | --- |
# | rank | 3 bits, less one | 1 to 8 | 1 to 5: there are five places for dimensions |
# | `global_address` | 57 bits | below 2<sup>57</sup> | below 2<sup>57</sup>; no document says so |
# | `global_dim` | 32 bits, less one | 1 to 2<sup>32</sup> | 1 to 2<sup>32</sup>; the header of CUDA 13.5 says 2<sup>31</sup> |
# | `global_strides` | 36 bits, in 16 bytes | multiples of 16 below 2<sup>40</sup> | the same |
# | `box_dim` | 8 bits, less one | 1 to 256 | the same |
# | `element_strides` | 3 bits, less one | 1 to 8 | the same |
# | `swizzle` | 2 bits | 4 modes | 4 of the header's 7 |
# | box bytes | 18 bits | below 262,144 | up to 233,472: not a width |
#
# Each row but the first and the last is the same number twice (**measured**). Whoever knows the widths need not learn
# the limits.
#
# ## Turn it yourself
#
# Every field in its place, the call beside it, and the bytes that it stands for. Some things to try, each with a guess
# first. Make the box 257 rows high: who says no, and what has no room? Change BFLOAT16 to FLOAT16: how many bits move?
# Set the stride to 68719476736, which is 2<sup>36</sup>: which field changes, and which is empty now? Choose swizzle
# B64: why does the driver refuse it, and which of the two box numbers mends it?

# %%
from course_lib.widgets import microscope

microscope(tile)

# %% [markdown]
# ## Editing on the device
#
# A kernel can change a descriptor without the driver: `tensormap.replace` writes one field of 128 bytes in shared or
# global memory, on `sm_90a` (**documented**: PTX ISA). It must pack as the driver does. But does it do *all* that the
# driver does? When the box of `tile` grows to 16 rows by an encode call, two words change: that of the box, and the
# derived one.

# %%
edit = predict(
    "tensormap.replace sets box_dim[1] from 8 to 16. How many of the 16 words change?",
    number=(0, 16),
    name="How many words",
)

# %% jupyter={"outputs_hidden": true}
edits = {row["edit"]: bytes.fromhex(row["bytes"]) for row in rows_tried("device_edit")}
encoded, edited = replace(tile, box_dim=(64, 16)).encode(), edits["box_dim[1] 16"]
changed = [sum(a[i : i + 8] != tile.encode()[i : i + 8] for i in range(0, 128, 8)) for a in (encoded, edited)]
print("words that change by an encode call:", changed[0])
reveal(edit, hardware=changed[1], source=tried_provenance())

# %% jupyter={"outputs_hidden": true}
compare_words(encoded, edited, ("encode call", "device edit"))

# %% [markdown]
# The instruction does less than the encode call: it writes its own field and leaves the derived words stale
# (**measured**: 35 edits, every field). So a descriptor that was edited on the device can have bytes that *no* encode
# call gives, and `decode` says so. Loads through exactly such bytes, 16 rows under the word of 8, were among those that
# we tried above: they bring 16 rows.


# %%
try:
    decode(edited)
except ValueError as refusal:
    print(refusal)

# %% [markdown]
# Four more things that the recorded edits show (**measured**). The field `rank` takes the rank less one: a 2 made
# three dimensions. The element type 11 comes out as code 7 with bit 80, so the instruction translates what PTX calls
# TF32. A stride of 4104, no multiple of 16, becomes 4096 without a word: nobody checks on the device. And
# `global_dim` 0 becomes the largest dimension there is, since 0 − 1 in 32 bits is 2<sup>32</sup> − 1. What the driver
# refuses, the device takes. The stride was in bytes here; with CUDA 12.3 and 12.4 it was in units of 16
# (**documented**: CUTLASS alone, `copy_sm90_desc.hpp`). When an edited descriptor may be used again is lesson 18,
# with `cuTensorMapReplaceAddress`, the edit of one field on the host.
#
# ## Not a contract
#
# Everything in part B holds for `sm_90` under one driver. The bytes are opaque by the manual, and other chips differ.
# Someone published a layout for `sm_120` from 71 encode calls (**documented** there, not measured here): much of it
# looks like this one, but the swizzle lies in two fields, which makes room for more modes, and bit 85 marks large
# tensors. A public work-around for a driver bug clears that very bit, for Blackwell. On our chip it is never set:

# %%
ever_set = 0
for number in numbers:
    ever_set |= number
print("bit 85 set:", ever_set >> 85 & 1, "- bits that are ever set:", ever_set.bit_count(), "of 1024")

# %% [markdown]
# Read the bytes to understand and to debug. Make them with the driver.
#
# ## The trap
#
# Four reports from public projects, retold.
#
# ### The one with two headers
#
# A run-time check asked for descriptors at multiples of 128, and the storage had multiples of 64: the two had been
# built against different headers. There the check spoke. Where nothing checks, the same mix looks like this: host and
# kernel share a struct in which a descriptor follows an `int`. With the header of CUDA 13 it lies at byte 128, with
# that of CUDA 12 at byte 64. The host writes by the one, the kernel reads by the other. We build that struct by hand.

# %%
struct = bytearray(256)
struct[128:256] = tile.encode()  # the host: alignas(128)
seen = bytes(struct[64:192])  # the kernel: alignas(64)
compare_words(seen, tile.encode(), ("the kernel sees", "meant"))

# %% [markdown]
# The first 64 bytes, all that the engine reads, are zero: a tensor of one byte at address 0 (**model**). No driver and
# no compiler says *wrong header*. **Diagnosis:** print the words in the kernel; if word 8 holds your address, you are
# 64 bytes off. **Mend:** `alignas(128)` on the member, and the same header on both sides.
#
# ### The one that worked
#
# A workspace held many descriptors, with 64 bytes for each slot instead of 128. A reader of the code noticed it, not a
# test. How can such a program have worked?

# %%
other = replace(tile, global_address=0x7F0000100000)
workspace = bytearray(64 * 2 + 64)
for slot, tensor_map in enumerate((tile, other)):
    workspace[64 * slot : 64 * slot + 128] = tensor_map.encode()
compare_words(bytes(workspace[:128]), tile.encode(), ("slot 0", "meant"))

# %% [markdown]
# Slot 0 has lost its upper half to slot 1. On this chip nobody reads that half, so the copies work (**measured**,
# above). Now let the program refill the slots in another order:

# %%
workspace[0:128] = tile.encode()  # slot 0 is written again, over the lower half of slot 1
compare_words(bytes(workspace[64:192]), other.encode(), ("slot 1", "meant"))

# %% [markdown]
# Slot 1 now begins with the upper half of slot 0: its address is `0x400`. **Diagnosis:** `decode` of what lies in the
# slot. **Mend:** slots of 128 bytes. That it worked was luck of order, on one chip.
#
# ### The one with the wrong unit
#
# One part of a compiler divided strides by 16 before it encoded, another did not; a review found out. You have seen
# where the 16 comes from: it is how the *bytes* hold a stride. Here is such a call, and our driver's recorded answer.

# %%
from course_lib.rows.calls import tensor_map_of_report

reports = {row["id"]: row for row in read_rows(committed("reports.jsonl.xz"))}
wrong_unit = tensor_map_of_report(reports["T29"])
print("recorded CUresult:", reports["T29"]["driver_result"], "-", wrong_unit.global_dim, wrong_unit.global_strides)
print(wrong_unit.check())

# %% [markdown]
# Accepted: 128 is a multiple of 16 too. A row of 1024 float16 takes 2048 bytes, and the next "row" begins 128 bytes
# later. We load the first tile of a matrix that holds 1000 × row + column, and look at its first column.

# %%
import numpy as np

matrix = (1000 * np.arange(64)[:, None] + np.arange(1024)).astype(np.uint16)
for strides in ((128,), (2048,)):
    shared = np.zeros(64 * 64 * 2, np.uint8)
    plain = replace(wrong_unit, global_address=0, global_dim=(1024, 64), global_strides=strides, swizzle=Swizzle.NONE)
    load(plain, (0, 0), matrix.view(np.uint8).ravel(), shared)
    print(f"strides {strides}: first column", shared.view(np.uint16).reshape(64, 64)[:4, 0])

# %% [markdown]
# The first tile is made of pieces of row 0 (**model**). No error, no warning. **Diagnosis:** compare
# `global_strides[0]` with `global_dim[0]` times the size of an element; if it is smaller, rows overlap. **Mend:** the
# call takes bytes; that the field counts in 16 is the driver's business.
#
# ### The one on an axis of size 1
#
# The opposite case. A model with one key-value head, whose tensor is a view; the call failed for this model only.

# %%
one_head = tensor_map_of_report(reports["T05"])
print(one_head.global_dim, one_head.global_strides)
print(one_head.check())

# %% [markdown]
# A library may leave any stride on an axis of size 1, here 2 bytes, since nobody ever steps along it. The driver
# refuses it nevertheless: 2 bytes are no whole number of 16-byte units, so the field can't hold them. **Mend:** give
# such an axis any stride that fits; the merged fix used the dense one, 2048, and the driver took it (recorded CUresult
# 0). Stride 0 is taken as well.
#
# ## On the hardware
#
# Your turn to trust nothing. First, `tile` with one argument changed at a time: dimensions, strides, types, boxes, up
# to and over each limit, as the driver answered.

# %%
verdicts = [call.check().accepted == (answer.result == 0) for call, answer in fields.items()]
accepted = {call: answer for call, answer in fields.items() if answer.result == 0}
equal = [call.encode() == answer.bytes for call, answer in accepted.items()]
print(
    f"{sum(verdicts)} of {len(fields)} verdicts and {sum(equal)} of {len(accepted)} descriptors agree:",
    tried_provenance(),
)

# %% [markdown]
# Then other calls: one with five dimensions, one with interleave, and an im2col call. The last keeps four numbers where
# a tiled one keeps its box: channels, pixels and two corners. Lesson 12 explains them. Here only the bytes matter.

# %%
im2col_row = next(row for row in answers if row["api"] == "im2col" and row["rank"] == 4)
im2col = tensor_map_of(im2col_row)
compare_words(im2col.encode(), bytes.fromhex(im2col_row["bytes"]), ("model", "H200"))

# %% [markdown]
# And all that was recorded, whatever the call.

# %%
same = sum(tensor_map_of(row).encode().hex() == row["bytes"] for row in answers)
print(f"{same:,} of {len(answers):,} descriptors are equal byte for byte:", provenance())

# %% [markdown]
# On a machine with a Hopper GPU, its own driver is asked as well. (What this cell prints differs from machine to
# machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status

print(gpu_status().sentence)
if gpu_status().usable:
    from course_lib.gpu.encode import encode

    live = {call: encode(call) for call in fields}
    print(sum(live[call] == (answer.result, answer.bytes) for call, answer in fields.items()), "of", len(live), "agree")
else:
    print("no live answer here: the recordings above stand in")

# %% [markdown]
# ## What to keep
#
# - Create, encode, issue. The encode call packs twelve arguments; it needs a context and touches no memory.
# - One descriptor serves all tiles of a tensor: coordinates, shared address and barrier come with the copy.
# - It holds an address, not a kind of memory. It lies in a `__grid_constant__` parameter, in constant memory, or in global
#   memory behind a fence, at a multiple of 64; use 128.
# - Stored less one: rank, dimensions, boxes, element strides. Stored in 16 bytes: strides. The limits of the manual are
#   the widths of these fields.
# - The type code is not the driver's number, and TF32 is a bit.
# - Two words are derived, and tiled copies on this chip don't read them, nor anything past byte 63.
# - The layout is no contract. `encode` and `decode` are for reading, the driver is for making.
#
# | field | unit in the call | unit in the bytes |
# | --- | --- | --- |
# | `global_address` | bytes | bytes |
# | `global_dim` | elements | elements, less one |
# | `global_strides` | bytes | 16 bytes |
# | `box_dim` | elements | elements, less one |
# | `element_strides` | elements | elements, less one |
# | box bytes | — | bytes |
#
# ## Ask yourself
#
# <details><summary>Bits 96 to 127 hold <code>0x10</code>. How far apart are the rows?</summary>16 units of 16 bytes: 256
# bytes.</details>
#
# <details><summary>Why can a box not have 257 rows?</summary>A box entry has 8 bits and is stored less one: 256 is the
# largest that it can say.</details>
#
# <details><summary>A kernel faults with 716 at its first copy. What do you look at?</summary>The address of the
# descriptor, which must be a multiple of 64, and the address in shared memory, which must be a multiple of 128.</details>
#
# <details><summary>The code in the bits is 8. Which type is it?</summary>FLOAT32_FTZ, if bit 80 is 0, and TFLOAT32_FTZ, if it
# is 1. In the driver's header 8 is FLOAT64.</details>
#
# <details><summary>You edit <code>box_dim</code> on the device and then compare the bytes with a fresh encode call. Why do they
# differ?</summary>The edit leaves the derived word with the bytes of the old box.</details>
#
# **Now you:** in [exercise 03](../exercises/03_the_descriptor/03_the_descriptor.ipynb) you read a descriptor field by
# field, and write the encoder.
#
# **Where to go:** [exercise 03](../exercises/03_the_descriptor/03_the_descriptor.ipynb) ·
# before: [02 · Arrival](02_arrival.ipynb) ·
# next: [04 · Shapes, strides, boxes](04_shapes_strides_boxes.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/call/encoding.py`](../course_lib/model/call/encoding.py)
