# %% [markdown]
# # Exercise 00 · Start here
#
# Four small tasks on [lesson 00](../../notebooks/00_start_here.ipynb). You say in the driver's words which tile of a
# matrix you mean, and find where two descriptors differ. Then you mend a call that is refused, and make data in which a
# wrong tile shows. About 30 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*.
#
# **Where to go:** [lesson 00](../../notebooks/00_start_here.ipynb) ·
# next: [exercise 01](../01_why_tma/01_why_tma.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from dataclasses import replace

import numpy as np

from course_lib import DataType, TiledTensorMap
from course_lib.checks import lesson_00, show
from course_lib.draw import compare_words, verdict_picture

# %% [markdown]
# ## Task 1: one tile of a matrix
#
# **Specification.** A matrix of float16 lies in GPU memory from `address` on, one row after the other without gaps. It
# has `rows` rows of `columns` elements. Return the `TiledTensorMap` for boxes of `box_rows` rows and `box_columns`
# columns. Leave all other arguments at their defaults.
#
# Expected length: one expression of five arguments.
#
# <details><summary>Hint 1: which field</summary>Look at <code>global_strides</code>: its unit is not the unit of
# <code>global_dim</code>.</details>
# <details><summary>Hint 2: which rule</summary>Dimension 0 is the innermost: the one whose neighbours lie side by
# side in memory.</details>
# <details><summary>Hint 3: a worked neighbour</summary>For float32, 10 rows of 100 columns, boxes of 2 rows and 20
# columns: <code>global_dim=(100, 10)</code>, <code>global_strides=(400,)</code>, <code>box_dim=(20, 2)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "tile-map", "locked": false, "schema_version": 3, "solution": true, "task": false}
def tile_map(address, rows, columns, box_rows, box_columns):
    ### BEGIN SOLUTION
    return TiledTensorMap(
        data_type=DataType.FLOAT16,
        global_address=address,
        global_dim=(columns, rows),
        global_strides=(2 * columns,),
        box_dim=(box_columns, box_rows),
    )
    ### END SOLUTION


# %% [markdown]
# **Picture.** The bytes of your tensor map, beside those of the same map with boxes of one row more.


# %%
def picture_1():
    mine, taller = (tile_map(0x7F0000000000, 4096, 1024, box_rows, 32) for box_rows in (64, 65))
    return compare_words(mine.encode(), taller.encode(), ("64 rows", "65 rows"))


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "tile-map-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_00.check_tile_map(tile_map)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_00.check_tile_map(tile_map, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: where do they differ?
#
# **Specification.** `ours` and `theirs` are two descriptors, `bytes` of length 128. Read each as 16 words of 64 bits
# (8 bytes). Return the numbers of the words that differ, from 0 to 15, in any order.
#
# Expected length: 1 to 3 lines.
#
# <details><summary>Hint 1: which field</summary>No field yet: word number <i>n</i> is the slice
# <code>[8 * n : 8 * n + 8]</code>.</details>
# <details><summary>Hint 2: which rule</summary>Equal slices of <code>bytes</code> compare equal with
# <code>==</code>.</details>
# <details><summary>Hint 3: a worked neighbour</summary>For 32-bit words:
# <code>[n for n in range(32) if ours[4 * n : 4 * n + 4] != theirs[4 * n : 4 * n + 4]]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "words", "locked": false, "schema_version": 3, "solution": true, "task": false}
def words_that_differ(ours, theirs):
    ### BEGIN SOLUTION
    return [n for n in range(16) if ours[8 * n : 8 * n + 8] != theirs[8 * n : 8 * n + 8]]
    ### END SOLUTION


# %% [markdown]
# **Picture.** The words that your function finds where only the address of the matrix differs.


# %%
def picture_2():
    here, there = (tile_map(address, 4096, 1024, 64, 32).encode() for address in (0x7F0000000000, 0x7F0000001000))
    print("words that differ:", words_that_differ(here, there))
    return compare_words(here, there, ("here", "there"))


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "words-check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
lesson_00.check_words_that_differ(words_that_differ)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_00.check_words_that_differ(words_that_differ, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: read a verdict, mend a call
#
# **Specification.** `tensor_map` is a call that the driver may refuse; some of the calls in the check come from real trouble
# reports. `tensor_map.check()` is a verdict, and `.broken` of the verdict is a sequence of the rules that the call breaks. Each has
# `.fix`: the name of an argument, and a value for it that mends the rule when the fixes before it have been applied. Return the
# call with all the fixes applied in order. A call that is accepted comes back as it is.
#
# Expected length: 3 to 5 lines.
#
# <details><summary>Hint 1: which field</summary>Ask the verdict, not your eye: <code>broken.fix[0]</code> is the name,
# <code>broken.fix[1]</code> the value. Print <code>tensor_map.check()</code> to see both.</details>
# <details><summary>Hint 2: which rule</summary>A tensor map can't be changed. <code>replace(tensor_map, box_dim=(64, 32))</code>
# makes a new one; keep what it returns, and apply the next fix to that.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A name that is only known when the program runs goes into
# <code>replace</code> by two stars: <code>replace(tensor_map, **{"box_dim": (64, 32)})</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "mended", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mended(tensor_map):
    ### BEGIN SOLUTION
    for broken in tensor_map.check().broken:
        name, value = broken.fix
        tensor_map = replace(tensor_map, **{name: value})
    return tensor_map
    ### END SOLUTION


# %% [markdown]
# **Picture.** A call with three mistakes, and below it what your function makes of it. Accepted, and not yet right: the new
# address is 8 bytes behind the matrix, and the stride is still not the row's. A fix says what would be legal.

# %%
three_mistakes = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000008,
    global_dim=(1024, 4096),
    global_strides=(2056,),
    box_dim=(64, 300),
)
verdict_picture(three_mistakes)


# %%
def picture_3():
    return verdict_picture(mended(three_mistakes))


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "mended-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_00.check_mended(mended)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_00.check_mended(mended, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: data that tell
#
# **Specification.** A matrix of `rows` × `columns` **uint8** is cut into tiles of `box_rows` × `box_columns`, side by side; they fill it
# without a rest. Return such a matrix in which no two tiles hold the same bytes: then a kernel that loads one tile for another
# can't pass a test on it. There are up to 512 tiles, and a tile has at least 64 bytes.
#
# Expected length: 1 to 6 lines.
#
# <details><summary>Hint 1: which field</summary><code>data_type</code>: a uint8 has 256 values, so numbers that count up begin
# again after 256 elements, and with them the rows.</details>
# <details><summary>Hint 2: which rule</summary>Either each tile carries its own number, and 512 numbers need more than one byte; or
# the bytes are random. Two random tiles of 64 bytes are equal once in 256<sup>64</sup> times.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Random float32:
# <code>np.random.default_rng(0).random((rows, columns), dtype=np.float32)</code>. Whole numbers below 7:
# <code>np.random.default_rng(0).integers(0, 7, (rows, columns))</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "telling-matrix", "locked": false, "schema_version": 3, "solution": true, "task": false}
def telling_matrix(rows, columns, box_rows, box_columns):
    ### BEGIN SOLUTION
    return np.random.default_rng(0).integers(0, 256, (rows, columns), dtype=np.uint8)
    ### END SOLUTION


# %% [markdown]
# **Picture.** How many of 16 tiles pass a test although tile (0, 0) was loaded for each: in a matrix that counts up, and in yours.
# One is right, that of tile (0, 0) itself.


# %%
def picture_4():
    counted = np.arange(1024).astype(np.uint8).reshape(16, 64)
    for name, matrix in (("counted", counted), ("yours", telling_matrix(16, 64, 4, 16))):
        tiles = [matrix[y : y + 4, x : x + 16] for y in range(0, 16, 4) for x in range(0, 64, 16)]
        print(f"{name}: {sum(np.array_equal(tile, tiles[0]) for tile in tiles)} of {len(tiles)} pass")


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "telling-matrix-check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
lesson_00.check_telling_matrix(telling_matrix)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_00.check_telling_matrix(telling_matrix, seed=class_seed()).require()
### END HIDDEN TESTS
