# %% [markdown]
# # Exercise 08 · Banks
#
# Five tasks on [lesson 08](../../notebooks/08_banks.ipynb): in three steps you write the bank model, and an H200 judges it; then
# you choose how far apart the rows of a tile lie, and the box that makes a tensor copy do it. About 50 minutes, no GPU
# needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. The reads
# in tasks 1 to 3 are first of all those that an H200 timed: a turn is a cycle.
#
# **Where to go:** [lesson 08](../../notebooks/08_banks.ipynb) ·
# next: [exercise 09](../09_swizzle/09_swizzle.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from dataclasses import replace

import numpy as np

from course_lib import DataType, TiledTensorMap
from course_lib.checks import lesson_08, show
from course_lib.draw import bank_picture
from course_lib.model.cost.banks import access, column, ldmatrix
from course_lib.recordings import provenance

print("The cycles in the checks are from:", provenance("bank_cycles.jsonl.xz"), sep="\n")

# %% [markdown]
# ## What the lesson found
#
# | one lane reads | lanes of a phase | all lanes share in pairs |
# | --- | --- | --- |
# | 4 bytes | 32 | 32 |
# | 8 bytes | 16 | 32 |
# | 16 bytes | 8 | 16 |
#
# There are 32 banks, each gives a word of 4 bytes a turn. What counts as a conflict is for you to recall: the hints say it
# again.

# %% [markdown]
# ## Task 1: the degree
#
# **Specification.** `addresses` is an array of 1 to 32 byte addresses, multiples of 4, one for each lane. Each lane reads 4
# bytes. Return the degree: how many turns the busiest bank needs.
#
# Expected length: 2 to 5 lines.
#
# <details><summary>Hint 1: which number</summary>The word is <code>addresses // 4</code>; its bank is the word modulo 32.</details>
# <details><summary>Hint 2: which rule</summary>A bank gives a word to all lanes that ask for it in one turn, so count <b>different</b> words: take the set of
# them first, then count how often each bank occurs.</details>
# <details><summary>Hint 3: a worked neighbour</summary>How many different words are asked for in all: <code>len(np.unique(addresses // 4))</code>. How often each number
# occurs: <code>np.bincount(numbers)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "degree-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def degree_of(addresses):
    ### BEGIN SOLUTION
    words = np.unique(addresses // 4)
    return np.bincount(words % 32).max()
    ### END SOLUTION


# %% [markdown]
# **Picture.** A read of 32 lanes at two words of one bank, and what you say.


# %%
def picture_1():
    addresses = np.arange(32) % 2 * 128
    print("degree:", degree_of(addresses))
    return bank_picture(access(addresses, 4), "Two words of one bank")


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "degree-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_08.check_degree_of(degree_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_08.check_degree_of(degree_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: the turns of wide reads
#
# **Specification.** 32 lanes read `access_bytes` bytes each, 4, 8 or 16; no two lanes read at the same address
# (for 4 bytes there may be fewer lanes). `addresses` is an array of multiples of `access_bytes`. Return how many turns the
# read takes. `access` of the library is not the point; use `degree_of` from task 1.
#
# Expected length: 4 to 9 lines.
#
# <details><summary>Hint 1: which number</summary>A phase has <code>128 // access_bytes</code> lanes, neighbours; a lane asks for <code>access_bytes // 4</code> words.</details>
# <details><summary>Hint 2: which rule</summary>The turns are the sum of the degrees of the phases. For a phase, put the words of all its lanes together;
# <code>degree_of</code> takes any number of addresses.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The addresses of all words that lanes 0 to 15 ask for in an 8-byte read:
# <code>np.concatenate([addresses[:16], addresses[:16] + 4])</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "turns-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def turns_of(addresses, access_bytes):
    ### BEGIN SOLUTION
    lanes = 128 // access_bytes
    words = addresses[:, None] + np.arange(0, access_bytes, 4)
    return sum(degree_of(words[first : first + lanes].reshape(-1)) for first in range(0, len(words), lanes))
    ### END SOLUTION


# %% [markdown]
# **Picture.** Sixteen bytes a lane, down the 8 rows of four matrices, rows 128 bytes apart. Your number should be 32.


# %%
def picture_2():
    lane = np.arange(32)
    addresses = 128 * (lane % 8) + 16 * (lane // 8)
    print("turns:", turns_of(addresses, 16))
    return bank_picture(access(addresses, 16), "8-row columns, 16 bytes a lane")


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "turns-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_08.check_turns_of(turns_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_08.check_turns_of(turns_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: lanes that share
#
# **Specification.** As task 2, but lanes may read at the same address. If every lane reads where `lane ^ 1`
# reads, or every lane where `lane ^ 2` reads, a phase has twice as many lanes, 32 at most. Wide reads have 32 lanes here; reads of 4 bytes
# may have fewer.
#
# Expected length: 5 to 10 lines.
#
# <details><summary>Hint 1: which number</summary>With <code>lane = np.arange(32)</code>, the addresses of the partners are
# <code>addresses[lane ^ 1]</code>, and the same with 2.</details>
# <details><summary>Hint 2: which rule</summary><b>Every</b> lane, by the same of the two: a mixture doesn't count, nor does lane ^ 4. Four-byte reads are one phase
# anyway, so you may leave them to task 2.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Does every lane read where lane ^ 16 reads?
# <code>(addresses == addresses[lane ^ 16]).all()</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "turns-shared", "locked": false, "schema_version": 3, "solution": true, "task": false}
def turns_shared(addresses, access_bytes):
    ### BEGIN SOLUTION
    if access_bytes == 4:
        return turns_of(addresses, 4)
    lane = np.arange(len(addresses))
    in_pairs = any((addresses == addresses[lane ^ bit]).all() for bit in (1, 2))
    lanes = 128 // access_bytes * (2 if in_pairs else 1)
    words = addresses[:, None] + np.arange(0, access_bytes, 4)
    return sum(degree_of(words[first : first + lanes].reshape(-1)) for first in range(0, len(words), lanes))
    ### END SOLUTION


# %% [markdown]
# **Picture.** All lanes at the same 16 bytes (you should say 2), and all but lane 31 (you should say 4, as the H200 does).


# %%
def picture_3():
    addresses = np.where(np.arange(32) < 31, 0, 16)
    print("all:", turns_shared(0 * addresses, 16), "all but one:", turns_shared(addresses, 16))
    return bank_picture(access(addresses, 16), "All but lane 31 at the same 16 bytes")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "turns-shared-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_08.check_turns_shared(turns_shared)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_08.check_turns_shared(turns_shared, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: a distance for the rows
#
# **Specification.** A tile has rows of `row_bytes` bytes. `read(pitch)` gives the 32 addresses of a read if the
# rows lie `pitch` bytes apart; each lane reads `access_bytes`. Return the best pitch: a multiple of `step_bytes`, at least
# `row_bytes` and at most 128 more, at which the read takes the fewest turns; of equals the smallest. (`step_bytes` is a
# multiple of `access_bytes`; it is 16 if a tensor copy fills the tile.)
#
# Expected length: 2 to 6 lines.
#
# <details><summary>Hint 1: which number</summary><code>turns_shared(read(pitch), access_bytes)</code> counts the turns at a pitch; so does
# <code>access(read(pitch), access_bytes).turns</code> of the library.</details>
# <details><summary>Hint 2: which rule</summary>Try every multiple of <code>step_bytes</code>, from <code>row_bytes</code> rounded up. Not every tile has a pitch that is
# free: take the best there is. <code>min(…, key=…)</code> gives the first of equals.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The worst pitch from 128 to 256 for 4-byte reads:
# <code>max(range(128, 257, 4), key=lambda pitch: turns_of(read(pitch), 4))</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "best-pitch", "locked": false, "schema_version": 3, "solution": true, "task": false}
def best_pitch(row_bytes, step_bytes, access_bytes, read):
    ### BEGIN SOLUTION
    first = -(-row_bytes // step_bytes) * step_bytes
    pitches = range(first, row_bytes + 129, step_bytes)
    return min(pitches, key=lambda pitch: access(read(pitch), access_bytes).turns)
    ### END SOLUTION


# %% [markdown]
# **Picture.** A column of 32 floats in rows of 128 bytes, at the pitch that you choose for a tensor copy.


# %%
def picture_4():
    pitch = best_pitch(128, 16, 4, column)
    return bank_picture(access(column(pitch), 4), f"Rows {pitch} bytes apart")


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "best-pitch-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_08.check_best_pitch(best_pitch)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_08.check_best_pitch(best_pitch, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: the box that pads
#
# **Specification.** `tensor_map` is a call for a matrix, without swizzle, whose box is as wide as a row of it. Return
# the call with the narrowest box, at least as wide, at which 16-byte columns of 8 rows are free of conflicts (`ldmatrix`
# reads those). Nothing else changes, and the driver accepts it.
#
# Expected length: 3 to 6 lines.
#
# <details><summary>Hint 1: which field</summary><code>box_dim[0]</code>, in elements; <code>tensor_map.data_type.size_bytes</code> is the size of one.
# <code>replace(tensor_map, box_dim=…)</code> makes a call with another box.</details>
# <details><summary>Hint 2: which rule</summary>The rows of a box are packed, so its width in bytes is the pitch. It must be an <b>odd</b> number of 16-byte units; some
# boxes are already.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A box of half the width: <code>replace(tensor_map, box_dim=(tensor_map.box_dim[0] // 2, tensor_map.box_dim[1]))</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "padded-box", "locked": false, "schema_version": 3, "solution": true, "task": false}
def padded_box(tensor_map):
    ### BEGIN SOLUTION
    size = tensor_map.data_type.size_bytes
    units = tensor_map.box_dim[0] * size // 16
    if units % 2 == 0:
        units += 1
    return replace(tensor_map, box_dim=(units * 16 // size, tensor_map.box_dim[1]))
    ### END SOLUTION


# %% [markdown]
# **Picture.** Eight rows of your box for 64 bfloat16, as `ldmatrix` reads them.


# %%
def picture_5():
    tile = TiledTensorMap(
        data_type=DataType.BFLOAT16, global_address=0, global_dim=(64, 64), global_strides=(128,), box_dim=(64, 64)
    )
    width = padded_box(tile).box_dim[0]
    return bank_picture(ldmatrix(column(2 * width, rows=8)), f"A box of {width} elements")


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "padded-box-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_08.check_padded_box(padded_box)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_08.check_padded_box(padded_box, seed=class_seed()).require()
### END HIDDEN TESTS
