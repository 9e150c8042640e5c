# %% [markdown]
# # Exercise 00 · Start here
#
# Two small tasks on [lesson 00](../../notebooks/00_start_here.ipynb): say in the driver's words which tile of a
# matrix you mean, and find where two descriptors differ. About 15 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*.

# %%
from course_lib import DataType, TiledTensorMap
from course_lib.checks import lesson_00, shown
from course_lib.draw import compare_words

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


shown(picture_1)

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


shown(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "words-check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
lesson_00.check_words_that_differ(words_that_differ)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_00.check_words_that_differ(words_that_differ, seed=class_seed()).require()
### END HIDDEN TESTS
