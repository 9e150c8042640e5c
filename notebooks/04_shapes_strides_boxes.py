# %% [markdown]
# # 04 · Shapes, strides, boxes
#
# **The question:** which bytes does a box touch?
#
# Afterwards you can
#
# - work out the global and the shared address of every element of a box, and say which bytes are read,
# - turn a NumPy, PyTorch or DLPack view into the arguments of an encode call, or say why there is no such call,
# - use strides on purpose: every third row, one row for all, overlapping windows, a wide tile in panels,
# - say what element strides bring, what they skip, and what the barrier counts then.
#
# **Time:** about 80 minutes: part A, addresses, 25; part B, views, 25; part C, the box, 30. **You need:** [lesson
# 03](03_the_descriptor.ipynb), and the address of an element, which the next cell repeats. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# A matrix in memory is one line of bytes. NumPy's *strides* say how many bytes lie between neighbours along each
# axis, the rows first. The element in row *r* and column *c* lies at *r* × (row stride) + *c* × (column stride).

# %%
import numpy as np

memory = np.zeros(4096, np.uint8)
matrix = memory[:640].view(np.float32).reshape(10, 16)  # 10 rows, 16 columns, 4 bytes each
matrix[:] = np.arange(160).reshape(10, 16)
at = 2 * matrix.strides[0] + 5 * matrix.strides[1]
matrix.strides, at, memory[at : at + 4].view(np.float32)

# %% [markdown]
# Row 2, column 5: byte 148, and there lies 37 = 2 × 16 + 5. Every address in this lesson is such a sum.
#
# Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>A descriptor has five places for dimensions. How many has it for strides, and why?</summary>Four.
# The innermost dimension has none: its neighbours lie side by side.</details>
#
# <details><summary>In which unit do the bytes hold a stride, and what follows for the call?</summary>In units of 16
# bytes: a stride in the call must be a multiple of 16.</details>
#
# <details><summary>What comes with each copy, and is not in the descriptor?</summary>The coordinates, the
# shared-memory address and the barrier.</details>

# %% [markdown]
# # Part A · Addresses
#
# ## Innermost first
#
# NumPy, PyTorch and C name the axes of an array from the outside in: rows, then columns. The driver names them from
# the inside out, in **every** array of the call and in the coordinates: dimension 0 is the one whose elements lie
# side by side (**documented**: CUDA Programming Guide, TMA). So our 10 × 16 matrix is `global_dim=(16, 10)`.

# %%
from course_lib import DataType, DeviceFault, TiledTensorMap, load
from course_lib.draw import box_picture

tile = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=0,
    global_dim=(16, 10),  # columns, rows: elements
    global_strides=(64,),  # from row to row: bytes
    box_dim=(8, 4),  # columns, rows: elements
)
box_picture(tile, (4, 2))

# %% [markdown]
# On the left the tensor, on the right shared memory after a copy of the box from (4, 2): its first element lies in
# column 4 of row 2, which is the third row. A cell shows the same number on both sides: how many **bytes** behind the
# tensor's start the element lies. A box is 8 × 4 **elements**; the coordinates count **elements** too.
#
# The rule for an element at position (*p0*, *p1*, …):
#
# > global byte = `global_address` + *p0* × (element size) + *p1* × `global_strides[0]` + *p2* × `global_strides[1]` + …
#
# In shared memory there are no gaps (without swizzle, which is lesson 09): the rows of the box lie one behind the
# other, dimension 0 fastest, then dimension 1, and so on.

# %%
from course_lib.widgets import predict, reveal

arrives = predict(
    "A box (8, 4) of float32 is copied from (4, 2). At which byte of the box does column 6 of row 4 arrive?",
    number=(0, 127),
    name="Byte in shared memory",
)

# %% [markdown]
# The answers of hardware in this lesson are recordings: an H200 loaded boxes from views of an array `a` with the
# shape (4, 10, 16), whose bytes are random, so that each element can be told from all others. `a[1]` is a matrix like
# ours.

# %% jupyter={"outputs_hidden": true}
from course_lib.machines import machine
from course_lib.model.call.views import tensor_map_of_array
from course_lib.recordings import source_bytes

h200, recorded_memory = machine("recorded"), source_bytes(104, 4 * 2**20)
a = recorded_memory[2**20 :][:2560].view(np.float32).reshape(4, 10, 16)
answer = h200.load(tensor_map_of_array(a[1], (4, 8), recorded_memory), (4, 2), seed=104)
found = answer.memory.tobytes().index(a[1, 4, 6].tobytes())
reveal(arrives, model=(4 - 2) * 32 + (6 - 4) * 4, hardware=found, source=answer.by)

# %% [markdown]
# 72 (**measured**). Two rows of the box lie before it, each 8 × 4 = 32 bytes, not 64: the row pitch of the tensor
# stays behind in global memory. Whoever reads the tile in a kernel uses the box's own pitch.
#
# ## The stride that is not there
#
# One course says: *the stride of the innermost dimension must be a multiple of 16 bytes*. But that stride is not an
# argument. It is the size of an element, here 4. The rule belongs to the **other** strides. Lesson 03's matrix was
# encoded with eleven row strides:
#
# 0, 8, 16, 128, 2032, 2040, 2064, 4096, 2<sup>36</sup>, 2<sup>40</sup> − 16, 2<sup>40</sup>.

# %%
strides_taken = predict("How many of the eleven strides does the driver take?", number=(0, 11), name="Strides taken")

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.copies.descriptors import recorded_fields, tried_provenance
from course_lib.recordings.tables import table

fields = recorded_fields()
plain = next(iter(fields))
rows = [
    {"stride": call.global_strides[0], "mod 16": call.global_strides[0] % 16, "code": fields[call].result}
    for call in fields
    if vars(call) | {"global_strides": plain.global_strides} == vars(plain) and call != plain
]
reveal(strides_taken, hardware=sum(not row["code"] for row in rows), source=tried_provenance())

# %% jupyter={"outputs_hidden": true}
table(rows, stride="global_strides[0] (bytes)", code="CUresult")

# %% [markdown]
# Refused are 8 and 2040, no multiples of 16, and 2<sup>40</sup>. All multiples of 16 below 2<sup>40</sup> are taken,
# **zero** among them, and 16, although a row of this matrix has 2048 bytes (**measured**). So the driver does not
# compare a stride with the length of a row. Rows may lie apart, overlap, or all be the same row. Part B makes use of
# that; the traps show how it goes wrong.
#
# ## How large, how many
#
# A course says that a dimension is *0 to 2<sup>32</sup>*, the newest header says up to 2<sup>31</sup>. The driver:

# %%
sizes = [
    {"dim": call.global_dim[0], "code": fields[call].result}
    for call in fields
    if vars(call) | {"global_dim": (call.global_dim[0], 256)} == vars(plain) | {"global_dim": call.global_dim}
]
table(sorted(sizes, key=lambda row: row["dim"]), dim="global_dim[0] (elements)", code="CUresult")

# %% [markdown]
# 0 is refused, 2<sup>32</sup> is taken (**measured**). But a coordinate is a *signed* 32-bit number (**documented**:
# PTX ISA), so a box can't begin behind 2<sup>31</sup> − 1. What lies more than a box farther is out of reach. The driver
# says nothing; the model warns.

# %%
line = TiledTensorMap(
    data_type=DataType.UINT8, global_address=2**20, global_dim=(2**32,), global_strides=(), box_dim=(256,)
)
print(line.check())

# %% [markdown]
# A line like this has rank 1 and **no** strides: the tuple is empty, not `(1,)`. Another course gives tensor maps up
# to 32 dimensions. Here are the tiled ones of 40,000 recorded encode calls, by rank.

# %%
from collections import Counter

from course_lib.recordings import committed, provenance, read_rows

calls = [row for row in read_rows(committed("encode.jsonl.xz")) if row["api"] == "tiled"]
asked, taken = Counter(row["rank"] for row in calls), Counter(row["rank"] for row in calls if not row["result"])
print("tiled calls:", provenance())
by_rank = [{"rank": rank, "calls": asked[rank], "taken": taken[rank]} for rank in sorted(asked)]
table(by_rank, rank="rank", calls="calls", taken="taken")

# %% [markdown]
# Rank 1 to 5, nothing else (**measured**; with interleave, lesson 10, 3 to 5). What to do with six axes? Two
# neighbouring axes are one axis if the outer stride is the inner stride times the inner size. Then the addresses are
# the same, and only the coordinates change.

# %%
six = np.zeros((2, 3, 2, 2, 2, 16), np.float32)
folded = six.reshape(6, 2, 2, 2, 16)  # the two outer axes as one: a view, no copy
whole = six.reshape(-1).view(np.uint8)
for view in (six, folded):
    print(view.ndim, "axes, accepted:", tensor_map_of_array(view, view.shape, whole).check().accepted)
print("the same memory:", np.shares_memory(six, folded))

# %% [markdown]
# # Part B · From a view to a call
#
# ## Three ways to say a stride
#
# | who | order | unit | innermost stride | start of the view |
# | --- | --- | --- | --- | --- |
# | NumPy `.strides` | outermost first | bytes | given | in `.ctypes.data` |
# | PyTorch `.stride()` | outermost first | elements | given | in `.data_ptr()` |
# | DLPack `strides` | outermost first | elements | given | `data` **plus** `byte_offset` |
# | `globalStrides` | innermost first | bytes | left out | in `globalAddress` |
#
# (**documented**: NumPy, PyTorch, dlpack.h.) Before DLPack 1.2 the pointer `strides` may be NULL; then the tensor is
# dense and row-major. The way from elements to the driver's argument is one line: leave out the last, reverse, and
# multiply by the element size.

# %%
elements = tuple(stride // matrix.itemsize for stride in matrix.strides)  # what .stride() says in PyTorch
print("PyTorch and DLPack:", elements, " the driver:", tuple(4 * stride for stride in elements[-2::-1]))

# %% [markdown]
# `tensor_map_of_array` of this course does all of it for NumPy views: order, units, address. The box has the array's
# axis order. You write such a function in the exercise.

# %%
windows = np.lib.stride_tricks.sliding_window_view  # for later
columns = tensor_map_of_array(matrix[:, 4:12], (4, 8), memory)
columns.global_address, columns.global_dim, columns.global_strides, columns.box_dim

# %% [markdown]
# A slice of columns keeps the row stride, and its start moves to byte 16. It is another tensor now: beyond column 7
# *of the slice* the copy fills, although the matrix goes on.
#
# ## Which views have a tensor map?
#
# Ten views. For each: is there an encode call that the driver takes, and that means just this view?

# %%
views = {
    "matrix[1::3]": matrix[1::3],
    "matrix[:, 4:12]": matrix[:, 4:12],
    "matrix[:, 1:]": matrix[:, 1:],
    "matrix[:, ::2]": matrix[:, ::2],
    "matrix.T": matrix.T,
    "matrix[::-1]": matrix[::-1],
    "np.broadcast_to(matrix[3], (6, 16))": np.broadcast_to(matrix[3], (6, 16)),
    "matrix[:, None]": matrix[:, None],
    "windows(matrix[0], 8)[::4]": windows(matrix[0], 8)[::4],
}
views["16 of 17 columns"] = memory[:680].view(np.float32).reshape(10, 17)[:, :16]

# %%
possible = predict("How many of the ten views have a tensor map?", number=(0, 10), name="Views with a tensor map")


# %% jupyter={"outputs_hidden": true}
def why_not(view):
    try:
        verdict = tensor_map_of_array(view, (1,) * (view.ndim - 1) + (4,), memory).check()
    except ValueError as no_place:
        return str(no_place)
    return "–" if verdict.accepted else verdict.broken[0].message


answers = [{"view": name, "strides": view.strides, "why": why_not(view)} for name, view in views.items()]
reveal(possible, model=sum(row["why"] == "–" for row in answers))

# %% jupyter={"outputs_hidden": true}
table(answers, view="view", strides="NumPy's strides (bytes)", why="why not")

# %% [markdown]
# Five (**model**). For two of the ten there is no call to ask the driver about. For the others, and for more views of
# the array `a`, here is the driver's answer (**measured**):

# %% jupyter={"outputs_hidden": true}
asked_views = {row["view"]: row["result"] for row in read_rows(committed("load_views.jsonl.xz"))}
del asked_views["a[0, :, None]"]  # the axis of size 1 comes below
print(provenance("load_views.jsonl.xz"))
table([{"view": view, "code": code} for view, code in asked_views.items()], view="view of a", code="CUresult")

# %% [markdown]
# What stands in the way of a view is one of four things:
#
# 1. **The last axis is not contiguous** (`[:, ::2]`, `.T`). The call has no place for its stride. TMA does not gather
#    single elements, and it does not transpose.
# 2. **The start is not on 16 bytes** (`[:, 1:]`). One course calls that alignment a matter of speed; it is a
#    condition.
# 3. **A row stride is no multiple of 16** (17 columns of 4 bytes: 68).
# 4. **A stride is negative** (`[::-1]`). Read as an unsigned number it is far above 2<sup>40</sup>.
#
# And what works although it may surprise: gaps, broadcasting, overlapping. How to mend the others:
#
# - the last axis: take the array before `.T` and let the reader swap the indices, or copy;
# - the start: begin the view up to three columns earlier and skip them in the kernel, or use ordinary loads;
# - a row stride: pad the rows when you allocate;
# - a negative stride: load the rows as they lie, and let the reader count down.
#
# ## A stride of 0
#
# `np.broadcast_to` gives an axis the stride 0. Each "row" is the same one, as a bias that is added to all rows of a
# tile.

# %%
bias = tensor_map_of_array(np.broadcast_to(matrix[3], (6, 16)), (4, 8), memory)
box_picture(bias, (4, 1))

# %% [markdown]
# The same eight numbers in each row, so 128 bytes arrive and 32 different ones are read. Does the engine do it, or
# does only the driver take the call?

# %%
same_row = predict(
    "The H200 loads this box, stride 0. What arrives?",
    choices=["four times the same row", "one row, then zeros", "nothing: the copy faults"],
    name="What a stride of 0 brings",
)

# %% jupyter={"outputs_hidden": true}
bias_of_a = np.broadcast_to(a[0, 3], (6, 16))
answer = h200.load(tensor_map_of_array(bias_of_a, (4, 8), recorded_memory), (4, 2), seed=104)
arrived = answer.memory[:128].reshape(4, 32)
same = all((row == arrived[0]).all() for row in arrived) and arrived[0].tobytes() == a[0, 3, 4:12].tobytes()
reveal(same_row, hardware="four times the same row" if same else "nothing: the copy faults", source=answer.by)

# %% [markdown]
# It does (**measured**). The barrier still counts all 128 bytes. Use it for loads: a store through such a map writes one
# place several times, and nobody promises in which order (not measured here).
#
# ## Windows, and a band
#
# A stride may be shorter than a row. `windows(row, 8)[::4]` steps by 16 bytes: neighbouring windows share four
# elements, and one copy brings them all.

# %%
overlapping = tensor_map_of_array(windows(matrix[0], 8)[::4], (3, 8), memory)
box_picture(overlapping, (0, 0))

# %% [markdown]
# And a stride may be *longer* than the row by 16 bytes. Then each row begins four columns farther right: a band along
# the diagonal, in one copy.

# %%
band = np.lib.stride_tricks.as_strided(matrix, shape=(8, 4), strides=(80, 4))
shared = np.zeros(1024, np.uint8)
load(tensor_map_of_array(band, (4, 4), memory), (0, 0), memory, shared)
shared[:64].view(np.float32).reshape(4, 4).astype(int)

# %% [markdown]
# Row 0 from column 0, row 1 from column 4, row 2 from column 8 (**measured** too: both kinds are in the last
# section's recording). A band that moves one column a row would need a stride of 68: refused. And there is a price: the
# edge is that of the *view*. A row that runs past column 15 goes on in the next matrix row, and nothing is filled.
#
# ## An axis of size 1
#
# Nobody ever steps along an axis of size 1, so a library may leave any number as its stride. Three real reports, with
# the recorded answers of the driver:

# %%
from course_lib.rows.calls import tensor_map_of

reports = {row["id"]: row for row in read_rows(committed("reports.jsonl.xz"))}
size_one = [reports[name] for name in ("T05", "T05fix", "T07", "T08", "T08fix")]
table(size_one, global_dim="global_dim", global_strides="global_strides", driver_result="CUresult")

# %% [markdown]
# You know the first from lesson 03: 2 is no multiple of 16, and the dense 2048 mends it. The third looks just as odd,
# 9216 for an axis of size 1 where dense rows would give 8192, and it was blamed for a failure, too. But 9216 is a
# multiple of 16: nothing is wrong with it. In the fourth a 32-bit count of elements went negative and was widened:
# about 2<sup>61</sup>. The merged fix writes 0. And what does the *engine* do with such a stride?

# %%
heads = [row for row in read_rows(committed("load_views.jsonl.xz")) if row["view"] == "a[0, :, None]"]
first = [row | {"stride": row["global_strides"][0]} for row in heads if not any(row["coordinates"])]
for row in first:
    row["arrived"] = row.get("blake2b_96")
table(first, stride="stride of the axis of size 1", result="CUresult", arrived="digest of what arrived")

# %% [markdown]
# Any stride that is accepted brings the same bytes, the largest possible one too (**measured**). So make it canonical
# before you encode: dense, or 0.
#
# # Part C · The box
#
# ## Where a box may begin
#
# Coordinates count elements, may be negative, and may lie past the end; what is outside is filled (lesson 07). With
# one exception.

# %%
second_column = predict(
    "The map of the matrix, float32, and a copy at the coordinates (2, 0). What happens?",
    choices=["columns 2 to 9 arrive", "columns 0 to 7 arrive", "the encode call refuses", "the copy traps"],
    name="A start at column 2",
)

# %% jupyter={"outputs_hidden": true}
whole_matrix = tensor_map_of_array(a[1], (4, 8), recorded_memory)
answer = h200.load(whole_matrix, (2, 0), seed=104)
happened = "the copy traps" if answer.fault else "columns 2 to 9 arrive"
reveal(second_column, hardware=happened, source=answer.by)

# %% jupyter={"outputs_hidden": true}
for column in (-4, -1, 0, 1, 2, 3, 4):
    try:
        load(tile, (column, 0), memory, shared)
        print(f"column {column:>2}: byte {4 * column:>3}: fine")
    except DeviceFault as fault:
        print(f"column {column:>2}: {fault}")

# %% [markdown]
# The innermost coordinate, **in bytes**, must be a multiple of 16; else the GPU stops with CUresult 715, *illegal
# instruction* (**measured**). The encode call can't know: coordinates come later. So a box begins at every 16th
# element of one byte, every 8th of two, every 4th of four, every 2nd of eight. The other coordinates of a load
# are free.
#
# ## A box larger than the tensor
#
# A report suspected a box of 8 rows on a dimension of 7. Another program copies boxes 72 wide on a dimension of 64,
# on purpose. Both calls are legal (recorded CUresult 0); what is too much is filled in a load, and not written in a
# store. The 72 columns of two bytes give rows of 144 bytes in shared memory, and lesson 08 shows why one may want
# that. Here the whole matrix at once, and more:

# %%
print("recorded CUresult:", [reports[name]["driver_result"] for name in ("T11", "T19")])
everything = tensor_map_of_array(a[1], (12, 32), recorded_memory)
answer = h200.load(everything, (0, 0), seed=104)
arrived = answer.memory[: 12 * 32 * 4].view(np.float32).reshape(12, 32)
print(answer.told_bytes, "bytes; the matrix:", arrived[:10, :16].tobytes() == a[1].tobytes(), "by", answer.by)
print("the rest is zero:", not arrived[10:].any() and not arrived[:, 16:].any())

# %% [markdown]
# The box above has 12 rows: an entry need not be a power of two, though a library's manual asks for that (**measured**).
# A limit remains for each entry: 256 elements (lesson 03). One project merged a box of (2, 256) into one of (512,):
# the same bytes, and refused. Keep two dimensions (recorded CUresult 1 for the one, 0 for the other).
#
# ## A wide tile, in panels
#
# A box may be cut into *panels* side by side: columns 0 to 7, then columns 8 to 15, each a dimension of its own. The
# matrix seen that way has rank 3, and its outer stride, 32, is *smaller* than the middle one, 64. People do this
# because a swizzle limits the width of a row (lesson 09); a report asked why a well-known kernel stops at 64 columns
# and goes on in 3-D. Its numbers: `global_dim=(64, 8192, 128)`, `global_strides=(16384, 128)`, accepted by the
# driver.

# %%
panels = tensor_map_of_array(matrix.reshape(10, 2, 8).transpose(1, 0, 2), (2, 4, 8), memory)
print(panels.global_dim, panels.global_strides, "- the report:", reports["T14fix"]["driver_result"])

# %%
in_panels = predict(
    "The box (8, 4, 2) is copied from (0, 0, 0). At which byte of the box does column 9 of row 1 arrive?",
    number=(0, 255),
    name="Byte in shared memory",
)

# %% jupyter={"outputs_hidden": true}
panels_of_a = tensor_map_of_array(a[0].reshape(10, 2, 8).transpose(1, 0, 2), (2, 4, 8), recorded_memory)
answer = h200.load(panels_of_a, (0, 0, 0), seed=104)
found = answer.memory.tobytes().index(a[0, 1, 9].tobytes())
reveal(in_panels, model=1 * 128 + 1 * 32 + 1 * 4, hardware=found, source=answer.by)

# %% jupyter={"outputs_hidden": true}
box_picture(panels, (0, 0, 0), picked=1 * 32 + 1 * 8 + 1)

# %% [markdown]
# 164 (**measured**), and not 100, where a box of 16 columns would have put it. The *same* bytes of global memory are
# read; in shared memory the second panel lies behind the whole first one. This is all that a tensor map can
# rearrange: the order in which its dimensions lie in shared memory is the order of the call.
#
# ## Element strides, and their holes
#
# `element_strides` says: of the box, take only every *n*-th position. A box of 5 rows with element stride 2 takes
# rows 0, 2 and 4 of it.

# %%
every_second = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=0,
    global_dim=(16, 10),
    global_strides=(64,),
    box_dim=(8, 5),
    element_strides=(1, 2),
)
box_picture(every_second, (4, 2))

# %% [markdown]
# `box_dim` is what the copy walks *over*, not what it brings. A course says: 1 to 8 *in each dimension*. So let us
# set both.

# %%
both = predict(
    "float32, box_dim=(8, 5), element_strides=(2, 2). How many bytes does the barrier count?",
    number=(0, 160),
    name="Bytes of the copy",
)

# %% jupyter={"outputs_hidden": true}
from course_lib.model.call.sizes import transaction_bytes

stepped = tensor_map_of_array(a[1], (5, 8), recorded_memory, element_strides=(2, 2))
answer = h200.load(stepped, (4, 2), seed=104)
counted = answer.told_bytes if answer.completed else None
reveal(both, model=transaction_bytes(stepped), hardware=counted, source=answer.by)

# %% jupyter={"outputs_hidden": true}
steps = []
for element_strides in ((1, 1), (1, 2), (2, 2), (8, 3)):
    stepped = tensor_map_of_array(a[1], (5, 8), recorded_memory, element_strides=element_strides)
    word = int.from_bytes(stepped.encode()[64:72], "little")
    answer = h200.load(stepped, (4, 2), seed=104)
    steps.append({"steps": element_strides, "told": answer.told_bytes, "ends": answer.completed, "word": word})
table(steps, steps="element_strides", told="bytes expected", ends="the wait ended", word="box bytes in the descriptor")

# %% [markdown]
# Three things (**measured**, and not where one would look for them):
#
# - **Entry 0 is ignored** by the copy (without interleave, lesson 10): all 8 columns arrive. Yet the call demands 1
#   to 8 there. So `matrix[:, ::2]` can't be had this way either.
# - **Elsewhere the copy rounds up**: of 5 rows, every second, are 3. The barrier counts *that*, 8 × 3 × 4 = 96 bytes.
# - **The descriptor rounds down**, and divides entry 0 as well: 4 × 2 × 4 = 32. Lesson 03 found the word; no copy
#   reads it. Never take your byte count from there.
#
# ## Steps begin anew in each box
#
# A design note of a compiler proved that steps and tiles do not fit together if the step does not divide the box.
# Rows 0, 3, 6, 9 are wanted, with boxes of 4 rows and a step of 3:

# %%
third = tensor_map_of_array(matrix, (4, 4), memory, element_strides=(1, 3))
for start in (0, 4):
    load(third, (0, start), memory, shared)
    print(f"box at row {start}: rows", [int(value) // 16 for value in shared[:32].view(np.float32)[::4]])

# %% [markdown]
# 0, 3, and then 4, 7: each box counts from its own start (**measured** for both boxes). **Mend:** a box of a multiple
# of the step, 6 rows; or no element strides at all: the view `matrix[::3]` has the row stride 192, brings just the
# rows that you mean, knows no limit of 8, and its coordinate counts *its* rows. Element strides remain for the case
# in which one map must serve boxes that begin at any row.
#
# ## Turn it yourself
#
# The matrix, now at address 4096. Slide the box over it, with the arrow keys on a slider, or by the number beside it.
# Some things to try, each with a guess first. Step coordinate 0 from 0 to 4: what happens on the way? Put the row
# stride to 0, to 16, to 80, to 40. Make the box 12 wide and go to the right edge. Set `element_strides[0]` to 2, then
# `element_strides[1]`. Change the type to FLOAT64: which number should change with it, and what arrives if it does
# not?

# %%
from course_lib.widgets import box_slider

box_slider()

# %% [markdown]
# ## The trap
#
# Four reports from public projects, retold.
#
# ### The one with the dense strides
#
# A compiler worked out the strides from the shape. A tensor of 2 rows by 32 floats was a view into rows of 40. The
# driver's recorded answer, and the row that arrives:

# %%
padded = np.arange(80, dtype=np.float32).reshape(2, 40)
source = padded.reshape(-1).view(np.uint8)
dense = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=0, global_dim=(32, 2), global_strides=(128,), box_dim=(32, 1)
)
load(dense, (0, 1), source, shared)
print("recorded CUresult:", reports["T30"]["driver_result"], "- row 1 begins with", shared[:4].view(np.float32)[0])

# %% [markdown]
# 32, the tail of row 0, instead of 40 (**model**). All rules are kept: 128 is a multiple of 16. **Diagnosis:**
# compare `global_strides` with the array's own; a dense one is right only for a dense array. **Mend:** the view's
# strides.

# %%
right = tensor_map_of_array(padded[:, :32], (1, 32), source)
load(right, (0, 1), source, shared)
print(right.global_strides, "- row 1 begins with", shared[:4].view(np.float32)[0])

# %% [markdown]
# ### The one with the dimensions turned round
#
# Somebody hunted a hang and noted at the end: *the base must lie on 128 bytes, and dimensions go outermost
# first*. Both conclusions are wrong. The map had a base on 16 and the innermost dimension first, and the driver's
# recorded answer is 0. The slice `a[1, :, 4:12]` above begins 16 bytes past a multiple of 128, too. What does the turned
# order do? Our matrix, with the box turned as well:

# %%
turned = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=0, global_dim=(10, 16), global_strides=(64,), box_dim=(4, 8)
)
print("recorded CUresult:", reports["T63"]["driver_result"], "- ours:", "accepted" if turned.check().accepted else "")
box_picture(turned, (8, 6))

# %% [markdown]
# Accepted, and near the corner (0, 0) even right in part. Only the edges are wrong: from column 10 on all is filled,
# and rows 10 to 15, which do not exist, are *read*: whatever lies behind the matrix (**model**). **Diagnosis:** look at a
# tile from the right edge. Test with a matrix that is not square, and with data in which each element is different.
# **Mend:** `shape[::-1]`.
#
# ### The one without rows
#
# May a copy of 8 floats of a row be made from a 1-D map of the whole matrix, since it is dense? Four rows of 12, the
# box at element 8:

# %%
rows_of_12 = np.arange(48, dtype=np.float32).reshape(4, 12)
source = rows_of_12.reshape(-1).view(np.uint8)
for view, box, start in ((rows_of_12.reshape(-1), (8,), (8,)), (rows_of_12, (1, 8), (8, 0))):
    load(tensor_map_of_array(view, box, source), start, source, shared)
    print(f"{view.ndim}-D:", shared[:32].view(np.float32).astype(int))

# %% [markdown]
# The addresses are the same, the *edges* are not: in one dimension nothing ends at column 12, and the next row comes
# in (**model**). Fold axes only where a box never crosses the edge of the inner one, or where you want what lies
# behind it.
#
# ### The one that works up to block 8
#
# A kernel gives block *b* the offset `b // 9 * 130` into a line of float16. It ran with nine blocks.

# %%
halves = TiledTensorMap(
    data_type=DataType.FLOAT16, global_address=0, global_dim=(1300,), global_strides=(), box_dim=(128,)
)
for block in (8, 9):
    try:
        load(halves, (block // 9 * 130,), memory, shared)
        print("block", block, "fine")
    except DeviceFault as fault:
        print("block", block, fault)

# %% [markdown]
# 130 × 2 = 260 bytes, 4 past a multiple of 16. The report calls it an illegal instruction, which is the text of 715.
# **Diagnosis:** 715 at a copy: look at the innermost coordinate in bytes. **Mend:** offsets in multiples of 8
# elements. A store into columns 1 to 32 of an int32 matrix, in another report, trapped for the same reason.
#
# ## On the hardware
#
# Can NumPy alone say what an H200 brings? No model here: the view that a row's map describes, `np.ndarray` with the
# driver's numbers, and plain indexing.


# %%
def by_numpy(row):
    m, source = tensor_map_of(row), source_bytes(row["seed"], 4 * 2**20)
    size, kind = m.data_type.size_bytes, m.data_type.facts.carrier
    view = np.ndarray(m.global_dim[::-1], kind, source, m.global_address, (*m.global_strides[::-1], size))
    spread = zip(row["coordinates"], m.box_dim, (1, *m.element_strides[1:]), strict=True)
    places = [c + np.arange(0, box, step) for c, box, step in spread][::-1]
    inside = [(p >= 0) & (p < n) for p, n in zip(places, view.shape, strict=True)]
    box = np.zeros([p.size for p in places], kind)
    box[np.ix_(*inside)] = view[np.ix_(*(p[i] for p, i in zip(places, inside, strict=True)))]
    return box.tobytes()


# %% [markdown]
# First the boxes from real views that this lesson showed, then every plain load that was recorded: no swizzle, no
# interleave, filled with zeros, no type that rounds. The recording keeps a digest of shared memory, all bytes that
# the copy should *not* touch included.

# %%
from course_lib.rows.memory import digest


def is_plain(row):
    named = row["api"] == "tiled" and not (row["interleave"] or row["swizzle"] or row["oob_fill"] or row["result"])
    return named and row["data_type"] < 11 and not row.get("fault")


# %%
def agrees(row):
    window, box = np.full(row["window_bytes"], 0xCD, np.uint8), np.frombuffer(by_numpy(row), np.uint8)
    start = row.get("shared_address", 0)
    window[start : start + box.size] = box
    return digest(window) == row["blake2b_96"]


# %%
for name in ("load_views", "load", "load_offset"):
    plain_rows = [row for row in read_rows(committed(f"{name}.jsonl.xz")) if is_plain(row)]
    print(f"{name}: {sum(map(agrees, plain_rows)):,} of {len(plain_rows):,} agree:", provenance(f"{name}.jsonl.xz"))

# %% [markdown]
# All of them (**measured**): permuted axes, gaps, overlaps, stride 0, steps, boxes over every edge, rank 1 to 5. If
# you can write the view and index it, you know which bytes the box brings.
#
# On a machine with a Hopper GPU, ask it for a box of your own: change the view, the box or the coordinates. (What
# this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
here = machine()
mine, start = tensor_map_of_array(a[:, 2], (4, 8), recorded_memory), (8, 1)
answer = here.load(mine, start, seed=104)
print("answered by", answer.by)
print("as NumPy says:", answer.memory[:96].tobytes() == a[1:4, 2, 8:16].tobytes())

# %% [markdown]
# ## What to keep
#
# - Everything innermost first, in elements, but strides in bytes. The innermost stride is not an argument; it is one
#   element.
# - The other strides: multiples of 16, 0 to below 2<sup>40</sup>. Nothing compares them with the length of a row, so
#   gaps, overlaps and 0 work, and so does a wrong one.
# - A view has a tensor map if its last axis is contiguous, its start lies on 16 bytes, and its other strides are such
#   multiples.
# - Rank 1 to 5, dimensions 1 to 2<sup>32</sup>, box entries 1 to 256. The stride of an axis of size 1 is checked and
#   not used.
# - The innermost coordinate must fall on 16 bytes: 715 otherwise. In a load all others are free.
# - In shared memory the box is dense, in the order of the call's dimensions.
# - Element strides: entry 0 is ignored, the others bring ⌈box ÷ step⌉ positions, and begin anew in each box.
#
# | quantity | unit | where |
# | --- | --- | --- |
# | `global_dim`, `box_dim`, `element_strides` | elements | the encode call |
# | `global_strides` | bytes | the encode call |
# | coordinates | elements | each copy |
# | what the barrier counts | bytes | each copy |
# | NumPy's strides | bytes | the array |
# | strides of PyTorch and DLPack | elements | the tensor |
#
# ## Ask yourself
#
# <details><summary>A bfloat16 tensor has the PyTorch shape (8, 32, 128) and strides (8192, 256, 1). Which
# <code>global_dim</code>, <code>global_strides</code>?</summary>(128, 32, 8) elements and (512, 16384) bytes. A row
# has 256 bytes, so 256 bytes lie unused behind each.</details>
#
# <details><summary>The same tensor, but you want the heads (axis 1) outermost. What changes?</summary>The two outer
# dimensions and their strides change places: (128, 8, 32) and (16384, 512). No byte moves.</details>
#
# <details><summary>Box (64, 7), element strides (4, 3), 2 bytes an element. What does the barrier count?</summary>64
# × 3 × 2 = 384 bytes: entry 0 is ignored, and ⌈7 ÷ 3⌉ = 3.</details>
#
# <details><summary>int8, and a box is to begin at column 24. What happens?</summary>715: byte 24 is no multiple of
# 16.</details>
#
# <details><summary>A 2-D map has <code>global_strides=(64,)</code> and rows of 1024 bytes. Will the driver
# object?</summary>No. Rows that overlap are legal. Only you know whether you meant them.</details>
#
# **Now you:** in [exercise 04](../exercises/04_shapes_strides_boxes/04_shapes_strides_boxes.ipynb) you work out
# addresses, turn views into calls, and load a box by hand. Lesson 05 asks whether a copy changes values.
#
# **Where to go:** [exercise 04](../exercises/04_shapes_strides_boxes/04_shapes_strides_boxes.ipynb) ·
# before: [03 · The descriptor](03_the_descriptor.ipynb) ·
# next: [05 · Element types](05_element_types.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/call/views.py`](../course_lib/model/call/views.py)
