# %% [markdown]
# # 00 · Start here
#
# **The question:** what is this course, and does it run here?
#
# Afterwards you can
#
# - say in the driver's words which tile of a matrix you mean, and have it copied,
# - put one question to a model, to a recorded H200 and to a live GPU, and see whether they agree,
# - say who stands behind a sentence of this course, and what would make it wrong,
# - say where you should begin.
#
# **Time:** about 25 minutes. **You need:** Python and a little NumPy. You need no GPU and no CUDA. Eight questions near
# the end tell you whether the refresher, lesson 00b, is worth your time.

# %% [markdown]
# ## How this course works
#
# You click on a cell of code and press Shift+Enter: it runs, and the next one is chosen. Run all cells in their order.
#
# **Reading copy and working copy.** Do you see results below the cells already? Then this is the reading copy. The
# command `python3 start.py lab` opens your working copy, in the folder `work`: it has no results yet, you can change
# everything, and no later version of the course overwrites what you wrote.
#
# **Predict first.** Several times in a lesson you commit to an answer, and the cell *after* it shows who is right. A
# wrong answer costs nothing, and you remember what surprised you. In the reading copy these results are folded.
#
# **Checks.** Each lesson has an exercise with checks. A check gives one of three answers: *not attempted*, *incorrect*
# with the first place where you and it differ, or *correct*.
#
# ## Does it run here?
#
# This cell looks for a GPU, and for the recordings that come with the course. (What it prints differs from machine to
# machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status
from course_lib.recordings import provenance
from course_lib.recordings.files import names

print(gpu_status().sentence)
print(len(names()), "files of recorded answers, the first from:", provenance())
print("They are about:", ", ".join(sorted({name.split(".")[0].split("_")[0] for name in names()})))

# %% [markdown]
# Three lines? Then everything runs here, with a GPU or without. If the cell ends in an error instead, type `python3
# start.py check` in a terminal. It prints five lines, each with what to do, for example
#
# ```text
# Python      3.11.7, new enough: nothing to do
# Packages    installed in .venv: nothing to do
# Browser     found: nothing to do
# GPU         none found: recorded answers of a real H200 stand in, nothing to do
# Recordings  60 files, 1.8 MB: nothing to do
# ```
#
# ## What you need, again
#
# A matrix in memory is one long line of bytes. In a *row-major* matrix each row lies behind the one before. NumPy says
# how many bytes lie between two neighbours in each direction: the *strides*. NumPy names the rows first.

# %%
import numpy as np

matrix = np.zeros((256, 1024), dtype=np.float16)  # 256 rows, 1024 columns, 2 bytes each
matrix.shape, matrix.strides

# %% [markdown]
# From one row to the next it is 1024 × 2 = 2048 bytes; from one column to the next, 2 bytes. Keep the two numbers
# apart: a *dimension* counts elements, a *stride* counts bytes.
#
# ## One call
#
# A kernel rarely needs a whole matrix. It needs a *tile*: a small box that fits into the fast shared memory of the GPU.
# Hopper GPUs have a copy engine for that, the **Tensor Memory Accelerator**, in short TMA. One thread hands it a
# **tensor map** and two coordinates; the engine works out all the addresses and fetches the box
# (**documented**: CUDA Programming Guide, chapter on TMA).
#
# The tensor map is made on the CPU, before the kernel runs, by the driver's function `cuTensorMapEncodeTiled`.
# `TiledTensorMap` takes the same arguments under the same names. Here is a bfloat16 matrix as above, cut into boxes of
# 8 rows by 64 columns.

# %%
from course_lib import DataType, L2Promotion, Swizzle, TiledTensorMap

call = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000100,  # where the matrix begins, in bytes
    global_dim=(1024, 256),  # elements, the innermost dimension first: columns, then rows
    global_strides=(2048,),  # bytes from one row to the next
    box_dim=(64, 8),  # elements: 64 columns of 8 rows
    swizzle=Swizzle.B128,
    l2_promotion=L2Promotion.L2_256B,
)

# %% [markdown]
# Two things differ from NumPy: the innermost dimension comes **first**, and the stride of the innermost dimension is
# left out, since it is always one element. The last two arguments, *swizzle* and *L2 promotion*, have lessons of their
# own; here they come along because real kernels set them.
#
# What the driver makes of an accepted call is 128 bytes, the *descriptor*. The lessons call whoever can answer such a
# call a **machine**. The model is one, the recordings are another: what an NVIDIA H200 answered to the same call.

# %%
from course_lib.machines import agree, machine

model, recorded = machine("model"), machine("recorded")
ours, theirs = model.encode(call), recorded.encode(call)
print(theirs)
print("beside the model:", agree(ours, theirs))

# %% [markdown]
# Here are both answers as 16 words of 64 bits. The last column names the fields that are not zero in a word.

# %%
from course_lib.draw import compare_words

compare_words(ours.bytes, theirs.bytes, ("model", "H200"))

# %% [markdown]
# Every byte is equal (**measured**: this recording). No document says where a field lies in these bytes, so another
# chip may have it elsewhere. Lesson 03 opens them bit by bit.
#
# ### A taller box
#
# Your first prediction. Choose a number, press the button, then run the next cell.

# %%
from course_lib.widgets import predict, reveal

words = predict("A box of 16 rows instead of 8: how many of the 16 words change?", number=(0, 16), name="Words")

# %% jupyter={"outputs_hidden": true}
from dataclasses import replace

from course_lib.draw.bits.words import words_of

taller = [m.encode(replace(call, box_dim=(64, 16))) for m in (model, recorded)]
changed = [sum(a != b for a, b in zip(words_of(ours.bytes), words_of(e.bytes), strict=True)) for e in taller]
reveal(words, model=changed[0], hardware=changed[1], source=taller[1].by)

# %% jupyter={"outputs_hidden": true}
compare_words(theirs.bytes, taller[1].bytes, ("8 rows", "16 rows"))

# %% [markdown]
# Two words (**measured**). Word 7 holds the box as you gave it, each entry less one: `07` becomes `0f`. Word 8 holds a
# number that you did not give: the bytes of a whole box, `0x400` = 64 × 8 × 2 = 1024, which becomes `0x800`. Lesson 03
# finds the rule in recordings, and asks the hardware who reads it.
#
# ## One tile
#
# A tensor map moves nothing. Now a copy, with a matrix small enough to be drawn: 16 rows of 64 float32. Its rows lie
# 272 bytes apart, although 64 × 4 is 256: 16 bytes behind each row are not part of it. The box has 16 columns and 4
# rows.

# %%
tile = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=2**20 + 32,  # in the machines' own memory of 4 MiB, full of random bytes
    global_dim=(64, 16),
    global_strides=(272,),
    box_dim=(16, 4),
    l2_promotion=L2Promotion.L2_128B,
)
size = predict("How many bytes does one copy of the box bring?", choices=[64, 256, 1024, 1088], name="Bytes")

# %% [markdown]
# The copy takes two coordinates, the column and the row of the box's first element. `seed` says which random bytes lie
# in the matrix: those of the recording. A *barrier* in shared memory is told how many bytes to expect, and completes
# when they are there.

# %% jupyter={"outputs_hidden": true}
ours, theirs = (m.load(tile, (16, 7), seed=22) for m in (model, recorded))
print(theirs.outcome, "- shared memory beside the model's:", agree(ours, theirs))
reveal(size, model=ours.told_bytes, hardware=theirs.told_bytes if theirs.completed else None, source=theirs.by)

# %% [markdown]
# 16 × 4 elements of 4 bytes (**measured**). The gaps between the rows stay where they are. (Compared were 2,048 bytes
# of shared memory: the box, and what lies behind it, where nothing was written.) Here is the whole copy. A number says
# how many bytes behind the tensor's start an element lies, so you can see which one arrives where. (Of the 64 columns
# you see those of the box and two on each side.)

# %% jupyter={"outputs_hidden": true}
from course_lib.draw import box_picture

box_picture(tile, (16, 7))

# %% [markdown]
# On the GPU one thread gave two numbers, and no thread worked out one of these 64 addresses. What that is worth is the
# subject of lesson 01; how anyone knows that the bytes are there, that of lesson 02.
#
# ### Could they agree by construction?
#
# A fair suspicion. Most recordings of copies keep a digest of the bytes, 96 bits of BLAKE2b, and no bytes. The recorded
# machine takes the model's bytes and checks that their digest is the one that was recorded. So let us give it a model
# that is wrong in one bit of the 2,048 bytes.

# %%
from course_lib.machines import Mismatch, Model, Recorded


class Careless(Model):
    def ask(self, question):
        outcome, who = super().ask(question)
        outcome["memory"][100] ^= 1
        return outcome, who


# %%
try:
    Recorded(Careless()).load(tile, (16, 7), seed=22)
except Mismatch as mismatch:
    print(str(mismatch).split(":")[0])

# %% [markdown]
# It is found out. (Other recordings keep every byte; lesson 09 needs them.)
#
# ## Who says so? Four labels
#
# Each claim about the hardware carries one of four labels:
#
# | label | who says so | what would make it wrong |
# | --- | --- | --- |
# | **measured** | a recording of a real GPU, or a live cell | another chip, another driver |
# | **documented** | a named document; we did not measure it | the document |
# | **model** | only our own arithmetic | a mistake of ours |
# | **seen** | it happened in *k* of *n* recorded runs | nothing: nobody promises it |
#
# An example of each. **Measured**: the answer to our call names a device, a driver and a date.

# %%
print(recorded.encode(call).by)

# %% [markdown]
# **Documented**: the rules of later chips, which we have not asked; the model follows the CUDA Driver API 13.5. The
# verdict on our call says so itself.

# %%
print(call.check("sm_100"))

# %% [markdown]
# **Model**: a question that nobody recorded. The recorded machine does not hide that. It gives the model's answer, and
# the last line says whose it is.

# %%
print(recorded.encode(replace(call, global_dim=(1000, 250))))

# %% [markdown]
# **Seen**: what depends on timing. A copy brings 128 bytes, but its barrier was told to expect 48. The H200 ran this 16
# times. Did the wait end?

# %%
from course_lib.recordings import committed, read_rows

rows = [row for row in read_rows(committed("barrier_steps.jsonl.xz")) if not row["map"]["swizzle"]]
(row,) = (row for row in rows if row["name"] == "8 rows of 16 bytes, 48 expected")
print("ended in", row["completed"], "of", row["runs"], "runs:", provenance("barrier_steps.jsonl.xz"))

# %% [markdown]
# Such a program may pass a test and hang in the next run; lesson 02 explains both. Where documents and hardware
# disagree, a lesson says so, and shows the recording.
#
# ## A refusal
#
# Somebody passes a view into a bfloat16 matrix that starts two elements, 4 bytes, after a multiple of 128.

# %%
view = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000084,
    global_dim=(64, 5),
    global_strides=(128,),
    box_dim=(32, 16),
    swizzle=Swizzle.B128,
    l2_promotion=L2Promotion.L2_64B,
)
answers = {0: "accepted", 1: "refused"}
odd_start = predict("Does the driver accept this call?", choices=list(answers.values()), name="The driver")

# %% jupyter={"outputs_hidden": true}
ours, theirs = model.encode(view), recorded.encode(view)
reveal(odd_start, model=answers[ours.result], hardware=answers[theirs.result], source=theirs.by)

# %% [markdown]
# Refused (**measured**). The driver's answer is `CUresult 1`, `CUDA_ERROR_INVALID_VALUE`, and that is all it ever says:
# the same number for each of its rules. The model's *verdict* names the rule that is broken, and a value that would be
# accepted. `print(view.check())` says the same in text, with the document and the recording behind the rule.

# %% jupyter={"outputs_hidden": true}
from course_lib.draw import verdict_picture

verdict_picture(view)

# %% [markdown]
# The fix is legal, and not what somebody meant: the matrix would begin 12 bytes, six elements, later (**model**). Look
# at the box: it has 16 rows and the matrix has only 5. That is no mistake. A box may reach over the edge, and lesson 07
# shows what arrives there.
#
# ## The trap
#
# ### Accepted is not right
#
# The words invite mistakes. In a public tutorial a comment said *shape* where *stride* was meant, and its readers had
# to find out. As common is to write the shape as NumPy does, rows first: `global_dim=(256, 1024)`.

# %%
rows_first = replace(call, global_dim=(256, 1024))
slip = predict("Does the driver refuse the shape with rows first?", choices=list(answers.values()), name="The driver")

# %% jupyter={"outputs_hidden": true}
ours, theirs = model.encode(rows_first), recorded.encode(rows_first)
reveal(slip, model=answers[ours.result], hardware=answers[theirs.result], source=theirs.by)

# %% [markdown]
# Accepted (**measured**). The driver can't know how your matrix looks: this one has 1024 rows of 256 columns, 2048
# bytes apart. Three quarters of each row lie beyond its edge. We load the box that begins at column 512:

# %%
moved = model.load(replace(rows_first, global_address=2**20), (512, 0), seed=1)
moved.outcome, int(moved.memory[:1024].sum())

# %% [markdown]
# 1,024 bytes came, and all are zero (**model**; lesson 07 has the recordings). The kernel runs, reports nothing, and
# computes with zeros. **Diagnosis:** print `global_dim` beside the array's shape. **Mend:** `matrix.shape[::-1]`. A
# verdict of *accepted* says that a call is legal, not that it is what you meant.
#
# ### The test that could not fail
#
# From a public project: a tutorial's kernel ignored the number of its block and loaded tile 0 in every block; in
# another place it ran past the last tile. Its own test passed, and a reader found it. We rebuild the case. The matrix
# above without gaps has 4 × 4 tiles. The "kernel" loads tile (0, 0) sixteen times; the test compares with the tile that
# should have come.

# %%
from course_lib import load

dense = replace(tile, global_address=0, global_strides=(256,))


def passed(matrix):
    shared = np.zeros(256, np.uint8)
    load(dense, (0, 0), matrix.view(np.uint8).ravel(), shared)  # the mistake: always the same tile
    right = [matrix[y : y + 4, x : x + 16] for y in range(0, 16, 4) for x in range(0, 64, 16)]
    return sum(shared.tobytes() == wanted.tobytes() for wanted in right)


# %%
often = "The matrix holds number % 16, row by row. How many of the 16 tiles pass?"
passing = predict(often, number=(0, 16), name="Tiles that pass")

# %% jupyter={"outputs_hidden": true}
numbers = np.arange(1024, dtype=np.float32).reshape(16, 64)
reveal(passing, model=passed(numbers % 16))

# %% [markdown]
# All 16: every tile of such a matrix holds the same bytes, as does one of ones, or one of zeros. **Diagnosis:** ask of
# a test which mistake it would see. **Mend:** data that say where they come from.

# %%
passed(numbers)

# %% [markdown]
# One passes now, tile (0, 0), rightly (**model**). That is why the memory of our recorded copies is random. In exercise
# 00 you make such a matrix, where it is less easy than here.
#
# ## On the hardware
#
# The whole course in one picture: one call and one tile, and who answered.

# %%
from course_lib.draw.replies.several_machines import MachineAnswer, machines_picture


def asked(kind):
    here = machine(kind)
    encoded, moved = here.encode(call), here.load(tile, (16, 7), seed=22)
    parts = {"the call": encoded.bytes, "the tile": moved.memory[:256].tobytes()}
    return MachineAnswer(kind, parts, str(moved.by))


machines_picture([asked("model"), asked("recorded")])

# %% [markdown]
# What the H200 gave is what the model gives, byte for byte (**measured**). If there is a Hopper GPU in this computer,
# the next cell asks it as well. Its bytes must be those of the recording, or the cell ends in an error. Without one,
# the third row says what is missing. (It differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
status = gpu_status()
missing = MachineAnswer("live", {"the call": None, "the tile": None}, status.sentence)
machines_picture([asked("model"), asked("recorded"), asked("live") if status.usable else missing])

# %% [markdown]
# In the lessons `machine()` without a name is the best one of this computer: a live GPU, else the recordings.
#
# ## Where should you begin?
#
# Eight questions, three to four minutes. Choose an answer, commit it, and you see the right one and why. *Next
# question* goes on, and the list below shows how you stand. The keyboard does it too: Tab moves on, the arrow keys
# choose.

# %%
from course_lib.widgets import diagnosis

questions = diagnosis()
questions

# %% [markdown]
# When you are through, run this cell: it says what to read, with a link to each place.

# %%
questions.plan

# %% [markdown]
# <details><summary>The eight questions on one page, to read or to discuss in a room</summary>
#
# 1. **Warps.** `blockDim` is (16, 16). In which warp of the block is the thread with `threadIdx.x` = 3 and `threadIdx.y` = 2? — warp 0 / warp 1 / warp 2 / warp 3. ([Warps and blocks](00b_refresher.ipynb#Warps-and-blocks))
# 2. **Shared memory.** Thread 0 of a block writes a float to shared memory, and thread 40 of the block reads it. What must lie between? — nothing / `__syncwarp()` / `__syncthreads()` / the end of the kernel. ([Shared memory](00b_refresher.ipynb#Shared-memory))
# 3. **Strides.** x is a row-major float32 array of 6 rows and 40 columns. What is `x[:, 4:36].strides`, in bytes? — (128, 4) / (32, 1) / (40, 1) / (160, 4). ([Strides](00b_refresher.ipynb#Strides))
# 4. **Hexadecimal.** What is the largest power of two that divides the address 0x1b40? — 16 / 32 / 64 / 128. ([Bits and hexadecimal](00b_refresher.ipynb#Bits-and-hexadecimal))
# 5. **Float bits.** The upper 16 bits of the float32 number 1.0 are 0x3f80. Which 16-bit type reads these bits as 1.0? — bfloat16 / float16 / both / neither. ([Float bits](00b_refresher.ipynb#Float-bits))
# 6. **PTX.** `ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1+32];`  How many bytes does one thread read here? — 16 / 32 / 48 / 128. ([Reading PTX and SASS](00b_refresher.ipynb#Reading-PTX-and-SASS))
# 7. **cp.async.** Each thread of a block copies 16 bytes by `cp.async` and executes `cp.async.wait_all`. What may it read then? — nothing yet / what the block copied / what its warp copied / its own 16 bytes. ([cp.async](00b_refresher.ipynb#cp.async))
# 8. **Occupancy.** A block has 256 threads of 128 registers each. An SM has 65,536 registers and room for 2,048 threads. Shared memory is no limit. How many such blocks run on an SM at a time? — 2 / 4 / 8 / 16. ([Occupancy](00b_refresher.ipynb#Occupancy))
#
# </details>
#
# ## Three ways through
#
# Times are estimates until more people have tried them. Lessons without a link are being written.
#
# | way | what | together |
# | --- | --- | --- |
# | **90 minutes**, a first look | this lesson; [02](02_arrival.ipynb) part A; [04](04_shapes_strides_boxes.ipynb) under *Turn it yourself*; [09](09_swizzle.ipynb) part A | 25 + 20 + 10 + 35 minutes |
# | **one day**, a long one | this lesson, [01](01_why_tma.ipynb), [02](02_arrival.ipynb), [03](03_the_descriptor.ipynb) part A, [04](04_shapes_strides_boxes.ipynb), [06](06_which_rule.ipynb), [07](07_out_of_bounds.ipynb), [08](08_banks.ipynb), [09](09_swizzle.ipynb), and one task of each exercise | 10 hours and 2 for the tasks; better two days |
# | **ten weeks** | all lessons and exercises, as below | up to 5 hours a week at home |
#
# With half a day, 3 to 4 hours, add [03](03_the_descriptor.ipynb) part A and [08](08_banks.ipynb) to the first look.
#
# | week | lessons | week | lessons |
# | --- | --- | --- | --- |
# | 1 | 00, [00b](00b_refresher.ipynb), [01](01_why_tma.ipynb), [02](02_arrival.ipynb) | 6 | 12 im2col, 13 stores and reductions |
# | 2 | [03](03_the_descriptor.ipynb), [04](04_shapes_strides_boxes.ipynb) | 7 | 14 clusters and multicast, 15 pipelines |
# | 3 | [05](05_element_types.ipynb), [06](06_which_rule.ipynb), [07](07_out_of_bounds.ipynb) | 8, 9 | 16 what wgmma reads, 17 a GEMM that keeps up |
# | 4 | [08](08_banks.ipynb), [09](09_swizzle.ipynb) | 10 | 18 a descriptor's life, 19 other dialects and chips, viva |
# | 5 | [10](10_interleave.ipynb), [11](11_l2_promotion.ipynb), quiz | | |
#
# ## What to keep
#
# - A **tensor map** describes a tensor and a box; a copy needs it and a coordinate, and the engine works out the addresses.
# - The innermost dimension comes first. Its stride is not given.
# - The driver checks many rules and has one error code for all of them.
# - Accepted does not mean right, and a test that can't fail shows nothing.
# - Measured, documented, model, seen: look for the label, and for device, driver and date.
#
# | argument | unit |
# | --- | --- |
# | `global_address` | bytes |
# | `global_dim` | elements |
# | `global_strides` | bytes |
# | `box_dim` | elements |
# | a coordinate | elements |
#
# ## Ask yourself
#
# <details><summary>A float32 matrix has 100 rows of 64 columns, without gaps. What are <code>global_dim</code> and
# <code>global_strides</code>?</summary><code>(64, 100)</code> elements and <code>(256,)</code> bytes.</details>
#
# <details><summary>How many bytes does a box of <code>(64, 8)</code> float32 elements hold?</summary>64 × 8 × 4 = 2048
# bytes.</details>
#
# <details><summary>A cell says <b>measured</b>. What could make it wrong for your machine?</summary>Another chip or another
# driver: a measurement holds for the device, driver and date that it names.</details>
#
# <details><summary>The driver accepts a call, and the result of the kernel is wrong. Was the verdict wrong?</summary>No. It says
# that the call is legal. Whether it describes your matrix, only you can know.</details>
#
# **Now you:** [exercise 00](../exercises/00_start_here/00_start_here.ipynb) has four small tasks on this. Then go on
# with [00b, a refresher](00b_refresher.ipynb), where the questions sent you there, or with [01, why
# TMA](01_why_tma.ipynb).
#
# **Where to go:** [exercise 00](../exercises/00_start_here/00_start_here.ipynb) ·
# next: [00b · A kernel engineer's refresher](00b_refresher.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model`](../course_lib/model)
