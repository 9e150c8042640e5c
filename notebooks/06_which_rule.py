# %% [markdown]
# # 06 · Which rule did I break?
#
# **The question:** `CUDA_ERROR_INVALID_VALUE`, now what?
#
# Afterwards you can
#
# - tell the three kinds of failure apart, refused, trapped and silently wrong, and say who reports each, when and how,
# - find the broken rule of a refused call, with a verdict or with nothing but the driver,
# - say which fault comes first where a copy breaks several rules,
# - judge a fix: whether the call becomes legal, and whether it still means what you meant,
# - write host code that names the right culprit, also when an older kernel is to blame.
#
# **Time:** about 75 minutes: the three kinds 35, forty calls from real reports 30, error handling 10. **You need:** [lesson
# 03](03_the_descriptor.ipynb) and [lesson 04](04_shapes_strides_boxes.ipynb), and a verdict, which the next cell
# repeats. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# A tensor map of this course is the list of arguments of an encode call. `.check()` gives the *verdict*: would the driver
# accept, and if not, which rules are broken.

# %%
from dataclasses import replace

from course_lib import DataType, DeviceFault, Swizzle, TiledTensorMap, load

good = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=0x7F0000000000,
    global_dim=(1024, 128),
    global_strides=(4096,),
    box_dim=(32, 64),
    swizzle=Swizzle.B128,
)

# %%
good.check().accepted, replace(good, box_dim=(32, 257)).check().accepted

# %% [markdown]
# Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>Why can a box not have 257 rows?</summary>A box entry has 8 bits and is stored less one. 256 is the
# largest that fits.</details>
#
# <details><summary>Rows of 1733 float32 lie side by side without a gap. What is wrong with that matrix?</summary>Its rows are
# 6932 bytes apart, no multiple of 16: the stride field can't hold that.</details>
#
# <details><summary>The stride of an axis of size 1 is never used. May it be anything?</summary>No. The driver checks it like
# any other: a multiple of 16, 0 to below 2<sup>40</sup>.</details>
#
# ## One word for everything
#
# How much does the driver tell you? In this recording each of the 28 rules that can be broken
# alone on this chip is broken somewhere, among legal calls.

# %%
from collections import Counter

from course_lib.recordings import committed, provenance, read_rows
from course_lib.widgets import predict, reveal

codes = predict(
    "An H200's driver refused more than 11,000 recorded calls. How many different error codes did it give?",
    number=(1, 40),
    name="How many codes",
)

# %% jupyter={"outputs_hidden": true}
answers = Counter(row["result"] for row in read_rows(committed("encode_probes.jsonl.xz")))
print("CUresult and how often:", dict(answers))
reveal(codes, model=1, hardware=len(answers) - 1, source=provenance("encode_probes.jsonl.xz"))

# %% [markdown]
# One: `CUDA_ERROR_INVALID_VALUE`, number 1, for everything (**measured**). No argument is named, no value, no line. The other
# codes that the manual lists say that there is no driver or no context (**documented**: CUDA Driver API, tensor map
# object management).
#
# ## Three kinds
#
# Some courses say that a broken rule gives *no error and wrong data*. Others, that the driver checks everything. Both
# are a third of the truth:
#
# | | refused | trapped | silently wrong |
# | --- | --- | --- | --- |
# | who notices | the driver, in the encode call | the engine, in the copy | nobody |
# | when | at once | after the launch has returned | when you look at the numbers |
# | what you get | code 1 from the call itself | 715, 716 or 700 from a *later* call, and the context is lost | code 0 |
# | it looks at | the twelve arguments | coordinates, addresses, memory | — |
# | first check | the verdict, below | start × size mod 16, shared address mod 128 | compare with NumPy |
#
# Every rule belongs to exactly one column, and the rest of this lesson fills them. A copy that never *ends* is a fourth
# symptom, but no rule of the map: there the barrier waits for bytes that don't come. Lesson 02 has it.
#
# # Part A · The three kinds
#
# ## Refused: reading a verdict
#
# Someone gives this call to the driver and gets code 1. How many mistakes do you see? Look before you run the cell.

# %%
from course_lib.draw import verdict_picture

bad = replace(good, global_address=0x7F0000000008, global_dim=(1733, 128), global_strides=(6932,), box_dim=(252, 240))
verdict_picture(bad)

# %% [markdown]
# Each broken rule has a number, stands under the argument that it reads, and names the entry, the value, the limit and a
# fix. Rule 3 and rule 4 both complain about the box, and one fix mends both. The same as values for a program:

# %%
first = bad.check().broken[1]
print(first.id, "|", first.field, first.index, first.value, "| limit", first.limit, "| fix", first.fix)
print(bad.check().mended)

# %% [markdown]
# `mended` is the call with all fixes applied, in the order of the arguments. Each fix takes a legal value near by and
# breaks no new rule.
#
# ## With nothing but a driver
#
# Without the library, take a call that works and one that doesn't, and exchange **one argument at a time**. If the
# bad call works with the good value of a single argument, that argument is to blame.


# %%
def cures(bad, good):
    return [name for name in vars(bad) if replace(bad, **{name: getattr(good, name)}).check().accepted]


cures(replace(good, box_dim=(64, 64)), good)

# %% [markdown]
# The box. (64 float32 are 256 bytes, too many for a row under this swizzle. Another swizzle would be a cure too, but the good
# call has the same one.) Now the call above, with three wrong arguments.

# %%
cured = predict(
    "The call bad has three wrong arguments. For how many of the ten arguments does the good value alone make it legal?",
    number=(0, 10),
    name="How many cures",
)

# %% jupyter={"outputs_hidden": true}
reveal(cured, model=len(cures(bad, good)), source="not asked of the hardware")

# %% [markdown]
# None. With one code for everything, two mistakes hide each other: mend one, and the answer is the same 1 as before.
# So people mend the right thing, see no change, and put the mistake back. Go the other way: start from the *good* call,
# carry over one argument after the other, and stop at the first refusal. You must come to one, since the last step is the
# bad call itself. This is task 1 of the exercise.
#
# Read its answer with care where arguments belong together. A wider box is refused under the good call's narrow swizzle, though
# box and swizzle of the bad call may fit each other (**model**). So it is with type and box. Carry over such a pair as one.
#
# ## Every rule that the driver refuses for
#
# The model has them as small functions. For each, the last column counts the recorded calls that this rule
# *alone* refuses: so much stands behind it.

# %% jupyter={"outputs_hidden": true}
from course_lib.model.rules.judge import RULES
from course_lib.recordings.copies.reports import rows_behind_rules
from course_lib.recordings.tables import table

counted = rows_behind_rules()
every = {rule.id: rule for rules in RULES.values() for rule in rules}
rows = [{"rule": name, "says": rule.text, "calls": counted.get(name)} for name, rule in every.items()]
print(len(rows), "rules; with recorded calls of their own:", len(counted))
table(rows, rule="rule", says="what it demands", calls="calls that it alone refuses")

# %% [markdown]
# Rules with a number are **measured**: the driver refused so many calls for nothing else. Rules with a dash are
# **documented** (CUDA Driver API) and can't be seen alone here: this chip refuses packed types altogether, and takes the pair of interleave and swizzle
# that documents forbid. Where the threshold of each lies, and the nearest recorded value on both sides of it, is in
# `course_lib/recordings/RULES.md`.
#
# Four groups help to remember them. **A unit**: address and strides in 16 bytes, a row of the box in 16 bytes. **A
# width**: what a field can't hold (lesson 03). **A pair**: swizzle with row, NaN with float, interleave with rank. **A
# size**: 228 KiB for the whole box.
#
# Where documents and this driver disagree (**measured**): the 228 KiB and an address below 2<sup>57</sup> are in no
# document. `element_strides[0]` is documented as ignored, and 9 is refused there. A row of the box must be whole 16-byte units
# with interleave too. Interleave B32 is taken with every swizzle. And 16 bytes for the address is often explained as
# a matter of speed: it is not, every other address is refused.
#
# ## A fix is legal, not right
#
# Take the second rule of `bad` alone: 1733 columns of float32, dense. The fix is `global_strides = (6944,)`. The call
# becomes legal. We fill the matrix with 10,000 × row + column and load the first tile.

# %%
import numpy as np

dense = replace(good, global_address=0, global_dim=(1733, 128), global_strides=(6932,), swizzle=Swizzle.NONE)
legal = dense.check().mended
print(legal.check().accepted, legal.global_strides)
row_1 = predict(
    "Row 1, column 0 of the matrix is 10000. What does the tile hold there?", number=(0, 20000), name="Tile[1, 0]"
)

# %% jupyter={"outputs_hidden": true}
matrix = (10_000 * np.arange(128)[:, None] + np.arange(1733)).astype(np.float32)
shared = np.zeros(64 * 32 * 4, np.uint8)
load(legal, (0, 0), np.pad(matrix.ravel(), (0, 1024)).view(np.uint8), shared)
reveal(row_1, model=int(shared.view(np.float32).reshape(64, 32)[1, 0]), source="the bytes are the model's")

# %% [markdown]
# 10003: the tile's rows begin 12 bytes too late, 24 in the next row, and so on (**model**). We have turned a refused call into
# a silently wrong one. The verdict can't know: it sees numbers, not memory. Of a fix, ask: **does the memory look like
# that?** A fix of a box changes how much a copy brings, and the kernel's loop must follow. A fix of an address or a stride
# claims that the data lies elsewhere. Here the mend is in the data: allocate rows of 1736 columns, and *then* say 6944.
#
# ## Trapped: the copy's own rules
#
# An accepted map says nothing about the copy. Coordinates, the shared address and what lies at the global
# address come later, and the engine checks them itself.
#
# | CUresult | the copy breaks this rule | more in |
# | --- | --- | --- |
# | 715 illegal instruction | load, store, reduction: innermost coordinate × size is a multiple of 16 bytes (without interleave) | lesson 04 |
# | 715 | store, reduction: no coordinate below 0 | lesson 07 |
# | 715 | im2col: the start lies in the bounding box of the map | lesson 12 |
# | 715 | im2col store: the bounding box does not reach out of the tensor | lesson 12 |
# | 715 | reduction: the engine has this operation on this type | lesson 13 |
# | 716 misaligned address | the shared address is a multiple of 128 | lesson 09 |
# | 716 | the map itself lies on a multiple of 64 | lesson 03 |
# | 700 illegal address | what the copy touches is there | lesson 03, 07 |
# | 719 launch failed | a barrier stays within its ranges | lesson 02 |
#
# All rows are **measured**. So *coordinates may be anything, the edge is filled*, as often taught, needs three exceptions: the
# innermost one falls on 16 bytes, stores go nowhere below 0, an im2col start stays in its box. Loads may go below 0. The
# recording of copies that fault on purpose, with the model's answer to each:

# %%
from course_lib.recordings.replay.replay import replay

print(replay(committed("faults.jsonl.xz")).report(3))
faults = list(read_rows(committed("faults.jsonl.xz")))
dict(Counter(row.get("fault") for row in faults))

# %% [markdown]
# In the model a trap is an exception, `DeviceFault`, with the code and the reason. This asks it about a load from a tensor
# that is not there:

# %%
names = {715: "715, illegal instruction", 716: "716, misaligned address", 700: "700, illegal address"}


def model_says(coordinates, shared_address):
    nowhere, shared = replace(good, global_address=2**44), np.zeros(16384, np.uint8)
    try:
        load(nowhere, coordinates, np.zeros(64, np.uint8), shared, shared_address=shared_address)
    except DeviceFault as fault:
        return names[fault.code]


# %%
model_says((0, 0), 0)

# %% [markdown]
# ### Which one wins?
#
# A copy can break several rules at once, and you are told one.

# %%
winner = predict(
    "A load starts at column 1, the shared address is 64, and the tensor's memory is not there. Which fault?",
    choices=list(names.values()),
    name="The fault",
)

# %% jupyter={"outputs_hidden": true}
parts = ("innermost coordinate off 16 bytes", "shared address off 128", "global memory not there")
said = {row["why"]: row.get("fault") for row in faults if "op" not in row}

reveal(
    winner, model=model_says((1, 0), 64), hardware=names[said[" + ".join(parts)]], source=provenance("faults.jsonl.xz")
)

# %% jupyter={"outputs_hidden": true}
why = [*parts, " + ".join(parts[:2]), f"{parts[0]} + {parts[2]}", " + ".join(parts[1:]), " + ".join(parts)]
table([{"why": name, "fault": said[name]} for name in why], why="what is wrong with the load", fault="fault")

# %% [markdown]
# 715 before 716 before 700 (**measured**; stores the same). To remember it: first the coordinates, then the shared address, last
# the memory. So a 700 of a copy says more than it seems: *start and shared address were fine*. (That holds for a box within the
# block's shared memory. No recording here shows one that runs past its end.) And a mended 715 may show you a 716.
#
# ### Nothing to read
#
# A load at column 64 of a tensor with 64 columns brings no byte from memory: all is filled.

# %%
outside = predict(
    "The box lies wholly outside, and nothing lies at the tensor's address. What does the load do?",
    choices=["it fills, no fault", *names.values()],
    name="A load of nothing",
)

# %% jupyter={"outputs_hidden": true}
fate = {(row.get("op", "load"), row["why"]): row.get("fault") for row in faults}
case = "not there, box of 8 x 2 at [64, 0] of 64 x 64"
print("the same box stored:", fate["store", case] or "no fault, nothing is written")
reveal(
    outside, model=model_says((1024, 0), 0), hardware=names[fate["load", case]], source=provenance("faults.jsonl.xz")
)

# %% [markdown]
# It faults (**measured**). A load wants the tensor's address to be mapped even where it needs none of it; a store of
# the same box writes nothing and does not fault. In a pipeline that runs one tile past the end, an unmapped or null tensor
# is therefore no harmless case.
#
# ## Silently wrong: what a checker can still say
#
# Some legal calls are so often a mistake, or against a document, that the verdict *warns*. All its warnings:

# %% jupyter={"outputs_hidden": true}
from course_lib.model.rules.cautions import CAUTIONS

warnings = {rule.id: {"warning": rule.id, "says": rule.text, "source": rule.source} for rule in CAUTIONS}
table(warnings.values(), warning="warning", says="what it says", source="source")

# %% [markdown]
# And these no checker can see, since each is exactly what somebody else meant to do:
#
# | symptom | cause | first check |
# | --- | --- | --- |
# | the tile is made of pieces of one row | a stride in elements or in 16 bytes | stride against `global_dim[0]` × size |
# | right data, wrong rows | strides of the shape, not of the view | the tensor's own strides |
# | the next row where zeros should be | a matrix passed as one long row | the rank |
# | every third row, then a jump | element stride that does not divide the box | box = n × stride |
# | values near the right ones | TFLOAT32 rounds | the type |
# | zeros where another fill was meant | the engine knows zero and NaN only | lesson 07 |
# | right numbers at wrong places | the reader assumes another shared address | lesson 09 |
# | 0 to 15 bytes behind a row change | a store clips at 16 bytes | lesson 07 |
#
# The first check for all of them is the same: a tensor that holds *10,000 × row + column*, one tile, and NumPy beside it. Equal
# data hides such mistakes, and random data does not say where a wrong element comes from.
#
# ## Turn it yourself
#
# A desk with the bad call on it. Apply the fixes one by one and watch which numbers go away together. Then start from
# another call and guess before you look. Can you break a rule that names another argument than the one you turned? (Take a
# smaller swizzle.) Which fix changes an argument that its rule does not name? (Try a packed type.) What does the verdict say when
# you set the address to 0?

# %%
from course_lib.recordings.copies.reports import reports
from course_lib.widgets import verdict_desk

cases = {"8-bit rows": "T22", "a wide tile": "T14", "one head": "T05", "an interleave": "T26b", "no operand": "T01"}
verdict_desk(bad, {name: reports()[report].call for name, report in cases.items()})

# %% [markdown]
# # Part B · Real reports
#
# ## The trap, forty times
#
# All of these come from public reports about kernels, compilers and libraries, retold. Each has a number, under which its
# arguments stand in the recording. Read the group, commit to a count, then compare: the model's verdict and
# the answer that an H200's driver gave to exactly this call (0 accepted, 1 refused).
#
# ### Eight strides
#
# 1. **T02** A float32 matrix with N = 1733 columns, dense. *An opaque failure, for this N only.*
# 2. **T04** bfloat16, K = 511, dense. *Wrong products, no error:* that program wrote its map on the device, where
#    nobody checks. Here it asks the driver.
# 3. **T05** One key-value head; the size-1 axis has a stride of 2 bytes. *Fails for this model only.*
# 4. **T07** A size-1 axis with a stride of 9216 bytes where dense would be 8192. *Was blamed for a start-up failure.*
# 5. **T08** A very long context; the outermost stride is 2,305,843,007,066,210,304. *A 32-bit count went negative, then grew.*
# 6. **T08fix** The same with 0, on that axis of size 1. *The merged fix.*
# 7. **T22** fp8, 1000 bytes a row. *Works for some widths; the reporter concludes that 64 is needed.*
# 8. **T23** float32 rows 24 elements apart. *A checker refused it: 24 is no multiple of 16.*

# %%
from course_lib.recordings.copies.reports import answers_to, refusals

strides = ["T02", "T04", "T05", "T07", "T08", "T08fix", "T22", "T23"]
guess_1 = predict("How many of the eight does the driver refuse?", number=(0, 8), name="Refused of eight")

# %% jupyter={"outputs_hidden": true}
reveal(guess_1, **refusals(strides)._asdict(), source=provenance("reports.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
answers_to(strides)

# %% [markdown]
# Five (**measured**). T02, T04 and T22: pad the rows, to 1736, 512 and 1008 elements; 16 bytes are enough, 64 are not needed. T05:
# any legal stride on the size-1 axis, here the fix *is* right, since nobody steps along it. T08: the same, and the true
# mistake is the overflow. T07 and T23 are innocent: a stride needs not be the dense one, and the rule counts **bytes**, 24
# × 4 = 96. The checker of T23 hid the real fault, which was T48 below.
#
# ### Nine boxes
#
# 1. **T11** Box of 8 rows on a dimension of 7. *Was suspected after a failure.*
# 2. **T13** 512 float32 as a one-dimensional box. *A compiler had merged (256, 2).*
# 3. **T13fix** The same 512 elements as a box of (256, 2).
# 4. **T14** A tile of 128 bfloat16 columns with swizzle B128. *Why does the code switch to 3-D?*
# 5. **T14fix** The same tile in three dimensions, a stride of 128 after one of 16384.
# 6. **T16** 64 float16 under swizzle B64. *A helper chose the swizzle from 64 elements.*
# 7. **T17** A box of one float32. *An autotuner tried it.*
# 8. **T19** A box of 72 on a dimension of 64. *On purpose: rows of 144 bytes in shared memory.*
# 9. **T25** Four rows under a swizzle. *A front end insisted on eight.*

# %%
boxes = ["T11", "T13", "T13fix", "T14", "T14fix", "T16", "T17", "T19", "T25"]
guess_2 = predict("How many of the nine does the driver refuse?", number=(0, 9), name="Refused of nine")

# %% jupyter={"outputs_hidden": true}
reveal(guess_2, **refusals(boxes)._asdict(), source=provenance("reports.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
answers_to(boxes)

# %% [markdown]
# Four (**measured**). T13: 256 an entry, so keep two dimensions, or issue two copies and let the barrier expect the sum. T14: a
# row of the box has at most 128 bytes there; the third dimension walks over the panels. T16: choose the swizzle from
# `box_dim[0]` × size. T17: 16 bytes are the least, 4 float32. The innocent: a box may be larger than the tensor (T11,
# T19), a later stride smaller than an earlier one (T14fix), and any number of rows goes under a swizzle (T25).
#
# ### Eight of everything else
#
# 1. **T01** Address 0, for an operand that does not exist. *Refused in 2023, by the report.*
# 2. **T20** A dimension of 0. *An empty tensor.*
# 3. **T26a** Interleave B32 with swizzle B128. *Documents forbid it.*
# 4. **T26b** Interleave B16 with two dimensions. *Nobody says what the dimensions are.*
# 5. **T26c** Interleave B32, address 16 bytes after a multiple of 128.
# 6. **T32** Rank 1, no strides. *What do I pass for the strides?*
# 7. **T41** A packed 4-bit type. *Rows twice too far apart, the count twice too large.*
# 8. **T63** An address 16 bytes after a multiple of 128. *The author concludes that 128 is a must.*

# %%
others = ["T01", "T20", "T26a", "T26b", "T26c", "T32", "T41", "T63"]
guess_3 = predict("How many of the eight does the driver refuse?", number=(0, 8), name="Refused of eight others")

# %% jupyter={"outputs_hidden": true}
reveal(guess_3, **refusals(others)._asdict(), source=provenance("reports.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
answers_to(others)

# %% [markdown]
# Four (**measured**). T01 is accepted by today's driver, and faults with 700 in the copy (lesson 03): make no map for an operand
# that is not there. T20: skip the launch. T26a: documents and driver disagree; stay with the documents, since another driver may
# refuse it. T26b: three
# dimensions at least. T26c: with interleave B32, addresses and strides are multiples of 32. T41: this chip has no packed
# types; the report's own mistake, bytes for half bytes, would be silent. T63 is innocent: 16 bytes are enough.
#
# T32 is innocent too, and its question is a good one. Rank 1 has no stride, but the C call has a pointer for them. Give
# it the address of any number, as the guide's own call of rank 1 does (**documented**: CUDA Programming Guide, template
# tensor map). What lies there does not matter. These calls of rank 1 were accepted with numbers in the array that no
# stride may be:

# %%
lines = [row for row in read_rows(committed("encode.jsonl.xz")) if (row["api"], row["rank"]) == ("tiled", 1)]
held = [row["global_strides"] for row in lines if row["result"] == 0]
print(*sorted(strides for strides in held if any(stride % 16 or stride >= 2**40 for stride in strides)), sep="\n")

# %% [markdown]
# The driver reads as many strides as the rank less one, here none (**measured**). May the pointer itself be null? Two calls
# were accepted. Then one pointer at a time was left out of each, in a process that may end:

# %%
print(provenance("measure_nulls.jsonl.xz"))
asked = [row for row in read_rows(committed("measure_nulls.jsonl.xz")) if "null" in row]
nulls = [row for row in asked if (row["api"], row["rank"]) in (("tiled", 1), ("im2col", 3))]
table(
    [row | {"null": row["null"] or "none"} for row in nulls],
    api="call",
    rank="rank",
    null="null",
    driver_result="CUresult",
)

# %% [markdown]
# A null pointer is refused with 1, even where no stride is read. The driver does not look at im2col's two corners before it
# reads them: a null there ended the process (**measured**, the two "–"). A binding may make a null of an empty list. So in
# Python, too, a list of one number is the safe choice. In this course it is `global_strides=()`.
#
# ### Four for convolutions
#
# **T80** A channel box of 128 float16 under B128: *compiles, and the launch fails*. **T80fix** with 64. **T83** 1025 pixels a
# column. **T83b** A corner of −129 at rank 4.

# %%
answers_to(["T80", "T80fix", "T83", "T83b"])

# %% [markdown]
# Three refused, one taken (**measured**). The same two mistakes in new words: a row beyond the span of the swizzle, a number beyond its field. A fifth report passed four corner entries at rank 4, where
# the call takes two. Here that is a ValueError; in C it reads what lies in the array, and nobody knows.
#
# ### Twelve that were accepted
#
# Code 0, all of them (**measured**). What then? Three answers are possible: a **trap**, **silently** wrong data, a **hang**.
#
# 1. **T47** Load of float16 at element 130. *Fails once the grid reaches block 9.*
# 2. **T48** Store of int32 into columns 1 to 32.
# 3. **T48b** Store of float32 at 1021, the tail.
# 4. **T30** A view with 160 bytes between rows, given 128, its dense value.
# 5. **T50** int32, and −99 wanted outside.
# 6. **T51** A 4 × 12 matrix as one row of 48, box of 8.
# 7. **T54** Element stride 3, box 4, one box after the other.
# 8. **T55** float32 values through TFLOAT32.
# 9. **T61** Ring of stages of 16 bytes, packed: stage 1. *Works with two stages, fails with three.*
# 10. **T61b** The same with 32 bytes.
# 11. **T65** The barrier expects 65536 bytes, 32768 come.
# 12. **T70** The barrier expects nothing, 4096 come.

# %%
accepted = ["T47", "T48", "T48b", "T30", "T50", "T51", "T54", "T55", "T61", "T61b", "T65", "T70"]
guess_4 = predict("How many of the twelve does the engine trap on?", number=(0, 12), name="Traps of twelve")

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.copies.reports import copy_of, in_short

copies = {name: copy_of(reports()[name]) for name in accepted}
reveal(
    guess_4,
    model=sum(code > 0 for code, _ in copies.values()),
    source="the driver took all; the copies are the model's",
)

# %% jupyter={"outputs_hidden": true}
told = [(in_short(reports()[name].call), name, *copies[name]) for name in accepted]
rows = [{"call": call, "id": name, "code": code, "why": why or None} for call, name, code, why in told]
table(rows, id="report", call="the call", code="the copy", why="the reason")

# %% [markdown]
# Five trap, five are silent, two hang or wake too early: their copies go through, it is the wait that goes wrong. (**Model**; each rule behind a trap is **measured** in the recording of faults
# above.) *Mends.* T47, T48, T48b: starts on 16 bytes, the tail by ordinary stores. T61: a stage takes 128 bytes, however
# small it is; why two stages worked, the report does not tell. T30: the view's own strides. T50: fill the margin in the kernel. T51: two dimensions, so that a row has an end. T54: a
# box that is a multiple of its stride. T55: FLOAT32 for a plain copy. T65, T70: what the copy brings to *this* barrier, no
# more and no less.
#
# One of the silent ones, run. T54 wants rows 0, 3, 6, 9 …, by boxes of 4 rows at 0 and at 4:

# %%
steps = replace(reports()["T54"].call, global_address=0)
numbers = np.repeat(np.arange(20, dtype=np.float32), 16).view(np.uint8)  # each row holds its own number
for start in (0, 4):
    shared = np.zeros(2 * 16 * 4, np.uint8)
    load(steps, (0, start), numbers, shared)
    print(f"box at row {start}: rows", shared.view(np.float32).reshape(2, 16)[:, 0])

# %% [markdown]
# 0, 3, then 4, 7: each box begins its steps anew (**model**). With a box of 3 or 6 rows it is right.
#
# ## Blamed for another's mistake
#
# The last reports have dumps of calls that *failed*, with messages like *illegal memory access*. Their
# arguments:

# %%
answers_to(["T10a", "T10b", "T11"])

# %% [markdown]
# All legal, and the driver takes them (**measured**). So what failed? A trap is **sticky**: it ends the context, and from then on
# *every* call in the process answers with its code (**documented**: CUDA Runtime API, cudaErrorIllegalAddress: "any
# further CUDA work will return the same error"). And a launch returns before its kernel has run. So the code comes out at the next call
# that somebody checks, often an encode call. A pretended context, by the documents alone (**model**):


# %%
class Context:
    sticky = 0

    def launch(self, report):
        self.sticky = self.sticky or copy_of(report)[0]
        return 0  # the launch itself went well; the kernel has not run yet

    def encode(self, call):
        return self.sticky or int(not call.check().accepted)


# %%
context = Context()
context.launch(reports()["T47"]), context.encode(reports()["T11"].call), context.encode(good)

# %% [markdown]
# The unaligned load is launched with code 0, and two legal calls "fail" with 715. Does the encode call itself hand the old code
# on? That was asked of an H200: a kernel that faults, a wait, then an encode call, and one more with a stride of 8 bytes,
# which the driver refuses at any other time.

# %%
behind_a_fault = predict(
    "A kernel faulted with 715, and a wait has told it. What does an encode call with a broken stride answer?",
    choices=["0", "1", "715", "1, and 715 to a legal call"],
    name="The answer to the broken call",
)

# %% jupyter={"outputs_hidden": true}
stale = [row for row in read_rows(committed("stale.jsonl.xz")) if row.get("why") == "innermost coordinate off 16 bytes"]
waited = {tuple(row["calls"]): row["answers"] for row in stale if row["wait_ms"] == 0}
order = ("synchronize", "encode", "encode a broken map", "allocate", "launch")
reveal(behind_a_fault, hardware=str(waited[order][2]), source=provenance("stale.jsonl.xz"))

# %% [markdown]
# 715, and so for every other call behind it (**measured**, as for 700 and 716). The driver doesn't even look at the
# arguments. And who is told *first*? All four orders of calls that were tried, right behind the launch:

# %% jupyter={"outputs_hidden": true}
told = [{"calls": ", ".join(calls), "answers": answers} for calls, answers in waited.items()]
table(told, calls="calls behind the faulty launch", answers="their CUresults")

# %% [markdown]
# An encode call right behind the launch answers 0: the kernel has not come to its fault yet. So do `allocate` and another
# launch (**seen**: 9 of 9 runs, three for each code; it is a race). The first call that *waits* tells the fault, and from then
# on everyone does. After 100 milliseconds the encode call itself was the first to tell 715 and 716, not 700 (**seen**: one
# run each). **Diagnosis:** the number. An encode
# call of its own answers 0 or 1, or that driver or context are missing. 700, 715, 716 and 719 always belong to a *kernel
# before*. **Find it:** run with `CUDA_LAUNCH_BLOCKING=1`, or
# synchronize after each launch, or use `compute-sanitizer` (**documented**: CUDA Programming Guide, Compute Sanitizer). **Mend:** that
# kernel. The process can't go on, it must be started anew: so does the program that made our recordings, after each fault.
#
# A 1 is different. It is the answer of *this* call, and the next legal call succeeds.
#
# ## Error handling that names the culprit
#
# In C, look at every CUresult, where it arises:
#
# ```c
# #define DRIVER(call) do { CUresult r_ = (call); if (r_ != CUDA_SUCCESS) { const char *name_ = "?";    \
#     cuGetErrorName(r_, &name_);                                                                       \
#     fprintf(stderr, "%s:%d: %s (%d), %s\n", __FILE__, __LINE__, name_, (int)r_, #call); abort(); }     \
# } while (0)
#
# RUNTIME(cudaGetLastError());        // before the encode call: what has been told so far
# DRIVER(encode(&map, …));            // 1 here is this call's own
# kernel<<<grid, block, bytes>>>(map);
# RUNTIME(cudaGetLastError());        // the launch: a grid or a size that can't be
# RUNTIME(cudaDeviceSynchronize());   // while debugging: what the kernel trapped on
# ```
#
# `RUNTIME` is the same for a `cudaError_t`; the numbers are the same too. `cudaGetLastError` hands out the last error and
# resets it, also that of a launch long before; `cudaPeekAtLastError` resets nothing; after a trap no reset helps (**documented**: CUDA Runtime API, error
# handling). In Python nothing raises: the binding returns a tuple, and a program that drops its first part goes on without
# a tensor map.
#
# Print the arguments **in one line**, the broken rule first. In one report several processes printed their dumps at once, and
# the lines mixed until no field could be read.


# %%
def explained(code, call):
    if code > 1:
        return f"CUresult {code} belongs to a kernel before this call, or to a context that is missing"
    rules = "; ".join(broken.message for broken in call.check().broken)
    return f"{call.entry_point} = {code}: {rules or 'no rule is broken'} | {call}"


for report, code in ((reports()["T22"], 1), (reports()["T11"], 700)):
    print(explained(code, report.call)[:150], "…")

# %% [markdown]
# ## On the hardware
#
# All reports whose call can be made.

# %%
asked = list(reports().values())
same = sum(report.call.check().accepted == (report.result == 0) for report in asked)
print(f"{same} of {len(asked)} verdicts are the driver's answers: {provenance('reports.jsonl.xz')}")

# %% [markdown]
# On a machine with a Hopper GPU, its own driver is asked. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status

print(gpu_status().sentence)
if gpu_status().usable:
    from course_lib.gpu.encode import encode

    print(sum(encode(report.call)[0] == report.result for report in asked), "of", len(asked), "answers are the same")
else:
    print("no live answer here: the recordings above stand in")

# %% [markdown]
# ## What to keep
#
# - Refused, trapped, silently wrong: the driver looks at the arguments, the engine at the copy, nobody at the meaning.
# - The driver has one word, 1, for every rule. Two mistakes hide each other: go from a good call, one argument at a time.
# - 715 before 716 before 700. Innermost start on 16 bytes, shared address on 128, memory that is there, even for a
#   load that needs none of it.
# - A fix makes a call legal. Whether memory looks like that, you must know.
# - Bytes, not elements: most refused calls in the reports are a unit mixed up.
# - 700, 715, 716 from an encode call are another kernel's. Sticky errors end the process.
# - Test with numbers that name their place.
#
# | quantity | unit | checked by | otherwise |
# | --- | --- | --- | --- |
# | `global_address`, `global_strides` | bytes, multiples of 16 | the driver | 1 |
# | `box_dim[0]` × size | bytes, a multiple of 16 | the driver | 1 |
# | `global_dim`, `box_dim` | elements | the driver | 1 |
# | innermost coordinate × size | bytes, a multiple of 16 | the engine | 715 |
# | shared address | bytes, a multiple of 128 | the engine | 716 |
# | what the barrier expects | bytes | nobody | a hang, or an early end |
#
# ## Ask yourself
#
# <details><summary>You mend the stride, and the driver still answers 1. Was the mend wrong?</summary>You can't tell: a
# second broken rule gives the same answer. Ask for the verdict, or start from a call that works.</details>
#
# <details><summary>A copy of a box faults with 700, and the box fits into the block's shared memory. What do you know of its
# coordinates?</summary>The innermost one falls on 16 bytes, and the shared address on 128: those would have won.</details>
#
# <details><summary>An encode call returns 716. Which argument is misaligned?</summary>None of it. An encode call never answers
# 716 of its own; a kernel before it trapped.</details>
#
# <details><summary>The verdict proposes a larger stride, and the call becomes legal. When is that fix right?</summary>When
# the rows lie that far apart, or when the axis has size 1. Otherwise pad the data first.</details>
#
# <details><summary>A load at coordinates (−8, −1), a store at the same. Types of 4 bytes, no interleave. What
# happens?</summary>−8 × 4 = −32 is a multiple of 16: the load fills what lies outside. The store is 715.</details>
#
# **Now you:** in [exercise 06](../exercises/06_which_rule/06_which_rule.ipynb) you find culprits with the driver alone, write
# two rules that recorded calls judge, and predict the code of any copy. Then [lesson 07](07_out_of_bounds.ipynb) looks at
# the edge.
#
# **Where to go:** [exercise 06](../exercises/06_which_rule/06_which_rule.ipynb) ·
# before: [05 · Element types](05_element_types.ipynb) ·
# next: [07 · Out of bounds](07_out_of_bounds.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/rules/judge.py`](../course_lib/model/rules/judge.py)
