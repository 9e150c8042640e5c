# %% [markdown]
# # Exercise 07 · Out of bounds
#
# Five tasks on [lesson 07](../../notebooks/07_out_of_bounds.ipynb): you say what the fill is, predict filled windows, count
# spilled bytes, find maxima without a guard, and write a store that spills nothing. About 60 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a **check**.
# The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. Fills, and some of the
# windows and stores, are those of an H200.
#
# **Where to go:** [lesson 07](../../notebooks/07_out_of_bounds.ipynb) ·
# next: [exercise 08](../08_banks/08_banks.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from dataclasses import replace

import numpy as np

from course_lib import DataType, OobFill, TiledTensorMap, store
from course_lib.checks import lesson_07, show
from course_lib.draw import compare_values, edge_picture
from course_lib.recordings import provenance

print("The hardware's answers in the checks are from:", provenance())

# %% [markdown]
# The pictures use the tile of the lesson: 7 columns and 3 rows of float32, rows 32 bytes apart, a box of 8 × 4.

# %%
tile = TiledTensorMap(
    data_type=DataType.FLOAT32, global_address=256, global_dim=(7, 3), global_strides=(32,), box_dim=(8, 4)
)
edge_picture(tile, (4, -1))

# %% [markdown]
# ## Task 1: the fill of each type
#
# **Specification.** `data_type` is a `DataType`, none of the packed ones; `oob_fill` is an `OobFill`. Return the bits of
# **one** element outside the tensor, as an integer, lowest byte first as always. Return −1 where the driver refuses the
# fill for this type. `data_type.size_bytes` is the size of an element, `data_type.facts.is_float` says what its name
# says.
#
# Expected length: 4 to 6 lines.
#
# <details><summary>Hint 1: which field</summary><code>oob_fill</code> alone decides between zero and NaN. The type decides
# how wide an element is, and whether the NaN is allowed.</details>
# <details><summary>Hint 2: which rule</summary>The NaN fill is the 16-bit pattern 0x7FF7 over and over, and the driver takes
# it for floats only.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The pattern 0xAB over and over, in an element of 4 bytes:
# <code>int.from_bytes(bytes([0xAB]) * 4, "little")</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "fill-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def fill_of(data_type, oob_fill):
    ### BEGIN SOLUTION
    if oob_fill == OobFill.NONE:
        return 0
    if not data_type.facts.is_float:
        return -1
    return int("7FF7" * (data_type.size_bytes // 2), 16)
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your fills of three types.


# %%
def picture_1():
    for data_type in (DataType.UINT8, DataType.BFLOAT16, DataType.FLOAT64):
        print(f"{data_type.name:<10}", *(f"{fill.name}: {fill_of(data_type, fill):#x}  " for fill in OobFill))


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "fill-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_07.check_fill_of(fill_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_07.check_fill_of(fill_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: the window
#
# **Specification.** `tensor` is a two-dimensional NumPy array, `tensor[row, column]`. `start` is `(column, row)`, where the
# box begins; `box` is `(columns, rows)`, its size; both innermost first, in elements. `start` may be negative or far
# outside. `fill` is the value of an element outside. Return what a load delivers: an array of the shape
# `(rows, columns)` of the box. Leave the tensor as it is.
#
# Expected length: 5 to 9 lines.
#
# <details><summary>Hint 1: which fields</summary>Column <i>j</i> of the box is column <code>start[0] + j</code> of the
# tensor; row <i>i</i> is row <code>start[1] + i</code>. Beware of NumPy: index −1 is the <i>last</i> element.</details>
# <details><summary>Hint 2: which rule</summary>An element is filled if its column <i>or</i> its row lies outside, each from 0 to
# the size of the tensor less one.</details>
# <details><summary>Hint 3: a worked neighbour</summary>In one dimension:
# <code>[row[c] if 0 &lt;= c &lt; len(row) else fill for c in range(start, start + box)]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "window", "locked": false, "schema_version": 3, "solution": true, "task": false}
def window(tensor, start, box, fill):
    ### BEGIN SOLUTION
    delivered = np.full((box[1], box[0]), fill, tensor.dtype)
    for i in range(box[1]):
        for j in range(box[0]):
            column, row = start[0] + j, start[1] + i
            if 0 <= column < tensor.shape[1] and 0 <= row < tensor.shape[0]:
                delivered[i, j] = tensor[row, column]
    return delivered
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your window at the upper right corner, and the same box drawn.


# %%
def picture_2():
    numbers = np.arange(1, 22).reshape(3, 7)
    print(window(numbers, (4, -1), (8, 4), 0))
    return edge_picture(tile, (4, -1))


show(picture_2)

# %% [markdown]
# **Check.** First corners of a small tensor, then windows of the H200, their elements as bits.

# %% nbgrader={"grade": true, "grade_id": "window-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_07.check_window(window)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_07.check_window(window, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: how many bytes spill?
#
# **Specification.** `tensor_map` is a `TiledTensorMap` of rank 1 or 2, without interleave, and every row of its box is
# copied; its swizzle does not matter. `coordinates` has one or two entries, none negative, and starts on 16 bytes. A box
# is stored there. Return how many bytes it writes that are not bytes of the tensor.
#
# Expected length: 5 to 10 lines.
#
# <details><summary>Hint 1: which fields</summary><code>global_dim[0]</code>, <code>box_dim[0]</code>, <code>coordinates[0]</code>
# and the size of an element say what happens to one row. The second entries, if there are any, say how many rows of the box
# lie in the tensor.</details>
# <details><summary>Hint 2: which rule</summary>The unit in which the row ends is written whole, if the box reaches it and the
# row does not end exactly with it. A box that begins behind the row's end, or ends before it, spills nothing.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The bytes from the end of a row of <code>n</code> bytes to the next
# multiple of 16 are <code>-n % 16</code>. The rows that both have:
# <code>max(0, min(box_rows, tensor_rows - first_row))</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "spilled-bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def spilled_bytes(tensor_map, coordinates):
    ### BEGIN SOLUTION
    size = tensor_map.data_type.size_bytes
    row_end = tensor_map.global_dim[0] * size
    begin, end = coordinates[0] * size, (coordinates[0] + tensor_map.box_dim[0]) * size
    in_a_row = -row_end % 16 if begin < row_end < end else 0
    rows = 1
    if tensor_map.rank == 2:
        rows = max(0, min(tensor_map.box_dim[1], tensor_map.global_dim[1] - coordinates[1]))
    return in_a_row * rows
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your count for the tile, and where the bytes are.


# %%
def picture_3():
    print("spilled bytes:", spilled_bytes(tile, (4, 1)))
    return edge_picture(tile, (4, 1), "store")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "spilled-bytes-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_07.check_spilled_bytes(spilled_bytes)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_07.check_spilled_bytes(spilled_bytes, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: maxima without a guard
#
# **Specification.** A float32 matrix is known to you only through `load_tile(column, row, oob_fill)`: one load of a box, as
# an array of `box[1]` rows and `box[0]` columns. `shape` is `(columns, rows)` of the matrix, `box` the size of the box, both
# innermost first; the shape need not be a multiple of the box. Return the largest element of each row of the matrix: `rows`
# numbers. Do not compare any index with the shape: choose the fill so that you need not. No element of the matrix is
# NaN; whole rows are negative.
#
# Expected length: 5 to 8 lines.
#
# <details><summary>Hint 1: which field</summary><code>oob_fill</code>. With zero, a row of negative numbers has the maximum
# 0, which none of its elements is.</details>
# <details><summary>Hint 2: which rule</summary>A NaN is neutral for a maximum that takes the number beside it:
# <code>np.fmax</code>, as <code>fmaxf</code> on the GPU. <code>np.maximum</code> hands the NaN on. Filled <i>rows</i> at the end
# are cut off by the slice that returns the result.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Sums instead of maxima:
# <code>total = np.zeros(rows + box[1])</code>, then for every tile
# <code>total[row : row + box[1]] += load_tile(column, row, OobFill.NONE).sum(axis=1)</code>, and
# <code>total[:rows]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "row-maxima", "locked": false, "schema_version": 3, "solution": true, "task": false}
def row_maxima(load_tile, shape, box):
    ### BEGIN SOLUTION
    largest = np.full(shape[1] + box[1], np.nan, np.float32)
    for row in range(0, shape[1], box[1]):
        for column in range(0, shape[0], box[0]):
            loaded = load_tile(column, row, OobFill.NAN_REQUEST_ZERO_FMA)
            rows = slice(row, row + box[1])
            largest[rows] = np.fmax(largest[rows], np.fmax.reduce(loaded, axis=1))
    return largest[: shape[1]]
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your maxima of a matrix of 13 × 5, beside NumPy's.


# %%
def picture_4():
    matrix = -np.arange(1, 66, dtype=np.float32).reshape(5, 13)
    mine = row_maxima(lesson_07.tile_loader(matrix, (8, 4)), (13, 5), (8, 4))
    return compare_values(mine, matrix.max(axis=1), ("yours", "NumPy"), "maxima")


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "row-maxima-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_07.check_row_maxima(row_maxima)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_07.check_row_maxima(row_maxima, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: a store that spills nothing
#
# **Specification.** `store` is the library's function; `tensor_map` has rank 2, no swizzle and no
# element strides; `coordinates` is a legal start. The box lies at byte 0 of `shared`, its rows without gaps; `shared` and
# `memory` are flat uint8 arrays, and `tensor_map.global_address` is an index into `memory`. Write the bytes of the box that
# belong to the tensor, and no other, not even for a moment: to put spilled bytes back afterwards is a race. What lies
# in whole 16-byte units goes through `store`; the last few bytes of each row you write yourself, as threads would. Leave
# `shared` as it is. A dimension of 0 is refused.
#
# Expected length: 8 to 14 lines.
#
# <details><summary>Hint 1: which field</summary><code>global_dim[0]</code>: a tensor whose rows end with a whole unit spills
# nothing. <code>replace(tensor_map, global_dim=…)</code> makes such a map of the same memory.</details>
# <details><summary>Hint 2: which rule</summary>Cut the columns down to a multiple of 16 // size. The columns from there to
# <code>global_dim[0]</code> are yours, where the box has them, in the rows that both have.</details>
# <details><summary>Hint 3: a worked neighbour</summary>One element of row <i>i</i> of the box, in column <i>c</i> of the
# tensor, lies at <code>tensor_map.global_address + (coordinates[1] + i) * tensor_map.global_strides[0] + c * size</code> in
# <code>memory</code>, and at <code>(i * tensor_map.box_dim[0] + c - coordinates[0]) * size</code> in
# <code>shared</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "exact-store", "locked": false, "schema_version": 3, "solution": true, "task": false}
def exact_store(store, tensor_map, coordinates, shared, memory):
    ### BEGIN SOLUTION
    size = tensor_map.data_type.size_bytes
    (columns, rows), (box_columns, box_rows), (x, y) = tensor_map.global_dim, tensor_map.box_dim, coordinates
    whole = columns - columns % (16 // size)
    if whole:
        store(replace(tensor_map, global_dim=(whole, rows)), coordinates, shared, memory)
    for i in range(min(box_rows, rows - y)):
        for column in range(max(x, whole), min(x + box_columns, columns)):
            to = tensor_map.global_address + (y + i) * tensor_map.global_strides[0] + column * size
            at = (i * box_columns + column - x) * size
            memory[to : to + size] = shared[at : at + size]
    ### END SOLUTION


# %% [markdown]
# **Picture.** The tile in a memory of zeros after your store of a box of ones: 7 columns of it, and the column that
# belongs to somebody else.


# %%
def picture_5():
    memory = np.zeros(1024, np.uint8)
    exact_store(store, tile, (0, 0), np.ones(32, np.float32).view(np.uint8), memory)
    print(memory[256:352].view(np.float32).reshape(3, 8))


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "exact-store-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_07.check_exact_store(exact_store)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_07.check_exact_store(exact_store, seed=class_seed()).require()
### END HIDDEN TESTS
