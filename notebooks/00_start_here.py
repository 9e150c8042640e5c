# %% [markdown]
# # 00 · Start here
#
# **The question:** what is this course, and does it run here?
#
# Afterwards you can
#
# - say in the driver's words which tile of a matrix you mean,
# - make the 128 bytes that describe it, and say who has checked them,
# - read why the driver refuses a call,
# - say what this machine can do: run on a Hopper GPU, or replay one.
#
# **Time:** about 15 minutes. **You need:** Python and a little NumPy. You need no GPU and no CUDA.

# %% [markdown]
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
# ## Four labels
#
# Each claim about the hardware in this course carries one of four labels.
#
# | label | who says so |
# | --- | --- |
# | **measured** | a recording of a real GPU, or a live cell, shows it |
# | **documented** | a named document says it, and we did not measure it |
# | **model** | only our own arithmetic says it |
# | **seen** | it happened in some of the recorded runs; nobody promises it |

# %% [markdown]
# ## One tile, one call
#
# A kernel rarely needs a whole matrix. It needs a *tile*: a small box that fits into the fast shared memory of the GPU.
# Hopper GPUs have a copy engine for that, the **Tensor Memory Accelerator**, in short TMA. One thread hands it a
# **tensor map** and two coordinates; the engine works out all the addresses and fetches the box
# (**documented**: CUDA Programming Guide, chapter on TMA).
#
# The tensor map is made once, on the CPU, by the driver's function `cuTensorMapEncodeTiled`. `TiledTensorMap` takes
# the same arguments under the same names. Here is a bfloat16 matrix as above, cut into boxes of 8 rows by 64 columns.

# %%
from course_lib import DataType, L2Promotion, Swizzle, TiledTensorMap

tile = TiledTensorMap(
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
# Would the driver accept this call? The model has a copy of the driver's rules.

# %%
print(tile.check())

# %% [markdown]
# ## 128 bytes
#
# What the driver makes of an accepted call is 128 bytes, the *descriptor*. The model makes them too.

# %%
descriptor = tile.encode()
len(descriptor), descriptor[:16].hex(" ")

# %% [markdown]
# These are only **our** bytes (**model**). A model can be wrong, so we ask a machine. On an NVIDIA H200 the same call
# was made with the same arguments, and the answer was recorded.

# %%
from course_lib.recordings import recorded_encode

recorded = recorded_encode(tile)
print(recorded.provenance)
print("CUresult", recorded.result, "and", len(recorded.bytes), "bytes")

# %% [markdown]
# `CUresult 0` means success. Now both answers side by side, as 16 words of 64 bits. The last column names the fields
# that are not zero in a word.

# %%
from course_lib.draw import compare_words

compare_words(descriptor, recorded.bytes, ("model", "H200"))

# %% [markdown]
# Every byte is equal (**measured**: this recording). No document says where a field lies in these bytes, and other
# chips lay them out in another way. Lesson 03 opens them bit by bit.
#
# ## Predict: a taller box
#
# A box of 16 rows instead of 8: **how many** of the 16 words change? Write your number before you run the next cell.

# %%
my_words = None  # your prediction: a number from 0 to 16

# %% jupyter={"outputs_hidden": true}
from dataclasses import replace

taller = replace(tile, box_dim=(64, 16))
compare_words(tile.encode(), taller.encode(), ("8 rows", "16 rows"))

# %% [markdown]
# Two words change. Word 7 holds the box as you gave it, each entry less one: `07` becomes `0f`. Word 8 holds a number
# that you did not give: the bytes of a whole box, `0x400` = 64 × 8 × 2 = 1024, which becomes `0x800`. The driver works it
# out (**model**); lesson 03 finds the rule in recordings, and asks the hardware who reads it.
#
# ## Predict: a view that starts a little later
#
# Somebody passes a view into a bfloat16 matrix that starts two elements, 4 bytes, after a multiple of 128.
# **Does the driver accept the call?**

# %%
my_verdict = None  # your prediction: "accepted" or "refused"

# %% jupyter={"outputs_hidden": true}
view = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000084,
    global_dim=(64, 5),
    global_strides=(128,),
    box_dim=(32, 16),
    swizzle=Swizzle.B128,
    l2_promotion=L2Promotion.L2_64B,
)
print("the H200 answered CUresult", recorded_encode(view).result)

# %% [markdown]
# Refused (**measured**). `CUresult 1` is `CUDA_ERROR_INVALID_VALUE`, and that is all the driver ever says: the same number for
# each of its rules. The model names the rule, and a value that would be accepted.

# %%
print(view.check())

# %% [markdown]
# Look once more at the call: the box has 16 rows and the matrix has only 5. That is no mistake. A box may reach over
# the edge, and lesson 07 shows what arrives there.
#
# ## The trap: accepted is not right
#
# A common slip is to write the shape as NumPy does, rows first. **Does the driver refuse that?**

# %%
my_guess = None  # your prediction: "accepted" or "refused"

# %% jupyter={"outputs_hidden": true}
rows_first = replace(tile, global_dim=(256, 1024))
print(rows_first.check())

# %% [markdown]
# The driver can't know how your matrix looks. It accepts a matrix of 1024 rows by 256 columns that lie 2048 bytes apart
# (**model**). Three quarters of each row are then out of bounds: the kernel runs, reports nothing, and computes with wrong
# numbers. A verdict of *accepted* says that a call is legal, not that it is what you meant. Exercise 00 is about this.
#
# ## What can this machine do?
#
# The whole course runs on the model and on recordings. On a machine with a Hopper GPU, the hardware cells ask that GPU
# as well, and its bytes must equal the recorded ones. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status
from course_lib.recordings import provenance

print(gpu_status().sentence)
print("Recorded answers:", provenance())

# %% [markdown]
# The lessons call the three that can answer a *machine*: the model, the recordings, or a live GPU. `machine()` is the
# best one of this computer, and each answer says who gave it.

# %% tags=["nbval-ignore-output"]
from course_lib.machines import agree, machine

here = machine().encode(tile)
print(here)
print("beside the model:", agree(here, machine("model").encode(tile)))

# %% [markdown]
# ## What to keep
#
# - A **tensor map** describes a tensor and a box; the engine needs it and a coordinate, and works out the addresses.
# - The innermost dimension comes first. Its stride is not given.
# - The driver checks many rules and has one error code for all of them.
# - Accepted does not mean right.
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
# **Now you:** [exercise 00](../exercises/00_start_here/00_start_here.ipynb) has two small tasks on this.
