# %% [markdown]
# # Exercise 04 · Shapes, strides, boxes
#
# Six tasks on [lesson 04](../../notebooks/04_shapes_strides_boxes.ipynb): you find the bytes of one element, turn views
# into encode calls, and in the end you load a box by hand, byte for byte as an H200 does. About 60 minutes, no GPU
# needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. In tasks 5
# and 6 it compares with what an H200 counted and brought.
#
# **Where to go:** [lesson 04](../../notebooks/04_shapes_strides_boxes.ipynb) ·
# next: [exercise 05](../05_element_types/05_element_types.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
import numpy as np

from course_lib import DataType, TiledTensorMap
from course_lib.checks import lesson_04, show
from course_lib.draw import box_picture
from course_lib.model.copy.layout import stride_bytes
from course_lib.recordings import provenance
from course_lib.recordings.tables import table

print("The boxes in the checks are from:", provenance("load_views.jsonl.xz"), provenance("load.jsonl.xz"), sep="\n")

# %% [markdown]
# The pictures use one memory and one matrix in it, 10 rows of 16 float32 that begin at byte 128. Element number *n*
# holds *n*.

# %%
memory = np.zeros(4096, np.uint8)
matrix = memory[128 : 128 + 640].view(np.float32).reshape(10, 16)
matrix[:] = np.arange(160).reshape(10, 16)
tile = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=128,
    global_dim=(16, 10),
    global_strides=(64,),
    box_dim=(8, 4),
)

# %% [markdown]
# ## Task 1: one element
#
# **Specification.** `tensor_map` is a `TiledTensorMap` without swizzle and with element strides of 1, of rank 1 to 5.
# `coordinates` say where a box begins, and `index` which element of the box is meant; both are tuples, innermost first.
# The box lies inside the tensor. Return the pair `(global byte, byte in the box)`: where the element lies in global
# memory, and where in shared memory, counted from the start of the box. `tensor_map.data_type.size_bytes` is the size
# of an element.
#
# Expected length: 6 to 10 lines.
#
# <details><summary>Hint 1: which fields</summary><code>global_address</code>, <code>global_strides</code> and the
# element size for the one; <code>box_dim</code> and the element size for the other.</details>
# <details><summary>Hint 2: which rule</summary>The element's position is coordinate + index along each dimension. Each
# position counts with the stride of its dimension; dimension 0 has the element size. In the box the "strides" are
# products of the box entries before.</details>
# <details><summary>Hint 3: a worked neighbour</summary>For rank 2 only, the byte in the box is
# <code>(index[0] + index[1] * tensor_map.box_dim[0]) * size</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "addresses", "locked": false, "schema_version": 3, "solution": true, "task": false}
def addresses(tensor_map, coordinates, index):
    ### BEGIN SOLUTION
    size = tensor_map.data_type.size_bytes
    there, here, pitch = tensor_map.global_address, 0, size
    for d, stride in enumerate((size, *tensor_map.global_strides)):
        there += (coordinates[d] + index[d]) * stride
        here += index[d] * pitch
        pitch *= tensor_map.box_dim[d]
    return there, here
    ### END SOLUTION


# %% [markdown]
# **Picture.** The element (2, 2) of the box at (4, 2), and your two numbers. The cells count from the tensor's start,
# your first number from address 0.


# %%
def picture_1():
    print("global byte, byte in the box:", addresses(tile, (4, 2), (2, 2)))
    return box_picture(tile, (4, 2), picked=2 * 8 + 2)


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "addresses-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_04.check_addresses(addresses)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_04.check_addresses(addresses, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: the shape of a view
#
# **Specification.** `array` is a NumPy view whose last axis is contiguous. Return the pair
# `(global_dim, global_strides)` in the driver's order and units. An axis of size 1 may have *any* stride in NumPy; give
# it one that the driver takes.
#
# Expected length: 2 to 5 lines.
#
# <details><summary>Hint 1: which fields</summary><code>array.shape</code> and <code>array.strides</code>, the last in
# bytes.</details>
# <details><summary>Hint 2: which rule</summary>Innermost first, and no stride for the innermost. 0 is a multiple of 16
# and below 2<sup>40</sup>.</details>
# <details><summary>Hint 3: a worked neighbour</summary>All but the last entry of a tuple, reversed:
# <code>(7, 8, 9)[-2::-1]</code> is <code>(8, 7)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "shape-of-view", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shape_of_view(array):
    ### BEGIN SOLUTION
    outer = zip(array.shape[-2::-1], array.strides[-2::-1], strict=True)
    return array.shape[::-1], tuple(0 if size == 1 else stride for size, stride in outer)
    ### END SOLUTION


# %% [markdown]
# **Picture.** What you return for every third row of the matrix, and for one row of it six times; and a box of the
# second.


# %%
def picture_2():
    for view in (matrix[1::3], np.broadcast_to(matrix[3], (6, 16))):
        dims, strides = shape_of_view(view)
        print("global_dim", dims, "global_strides", strides)
    changed = {"global_address": 320, "global_dim": dims, "global_strides": strides}
    return box_picture(TiledTensorMap(**(vars(tile) | changed)), (4, 1))


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "shape-of-view-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_04.check_shape_of_view(shape_of_view)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_04.check_shape_of_view(shape_of_view, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: what stands in the way
#
# **Specification.** `array` is any NumPy view of rank 1 to 5, and `address` the byte at which it begins. Return the
# first of these words that applies:
#
# - `"last axis"`: its elements along the last axis do not lie side by side,
# - `"start"`: it does not begin on 16 bytes,
# - `"stride"`: another stride is negative, or no multiple of 16,
# - `""`: nothing, there is a tensor map.
#
# An axis of size 1 never stands in the way, whatever its stride.
#
# Expected length: 4 to 8 lines.
#
# <details><summary>Hint 1: which fields</summary><code>array.shape</code>, <code>array.strides</code> and
# <code>array.itemsize</code>.</details>
# <details><summary>Hint 2: which rule</summary>The last axis must step by the element size, forwards. In Python
# <code>-64 % 16</code> is 0, so a negative stride needs a question of its own.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Does any axis but the last repeat itself?
# <code>any(stride == 0 for size, stride in zip(array.shape[:-1], array.strides[:-1]) if size > 1)</code></details>


# %% nbgrader={"grade": false, "grade_id": "why-not", "locked": false, "schema_version": 3, "solution": true, "task": false}
def why_not(array, address):
    ### BEGIN SOLUTION
    used = [(size, stride) for size, stride in zip(array.shape[:-1], array.strides[:-1], strict=True) if size > 1]
    if array.shape[-1] > 1 and array.strides[-1] != array.itemsize:
        return "last axis"
    if address % 16:
        return "start"
    if any(stride < 0 or stride % 16 for _, stride in used):
        return "stride"
    return ""
    ### END SOLUTION


# %% [markdown]
# **Picture.** Six views of the matrix.


# %%
def picture_3():
    views = {
        "matrix": (matrix, 128),
        "matrix[:, ::2]": (matrix[:, ::2], 128),
        "matrix[:, 1:]": (matrix[:, 1:], 132),
        "matrix[::-1]": (matrix[::-1], 704),
        "matrix.T": (matrix.T, 128),
        "matrix[:, None]": (matrix[:, None], 128),
    }
    said = [{"view": name, "said": why_not(*view) or "possible"} for name, view in views.items()]
    return table(said, view="view", said="you say")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "why-not-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_04.check_why_not(why_not)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_04.check_why_not(why_not, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: the whole call
#
# **Specification.** `array` is a view of the flat uint8 array `memory`, for which there is a tensor map; `box` has the
# extents of a copy in the **array's** axis order. Return the `TiledTensorMap` of a plain copy: no swizzle, no interleave,
# every element, zeros at the edge. Its address counts from the start of `memory`. The array has one of NumPy's types uint8, uint16, uint32, int32, uint64, int64, float16, float32, float64.
# Use `shape_of_view` from task 2.
#
# Expected length: 7 to 12 lines.
#
# <details><summary>Hint 1: which fields</summary>Type, address, dimensions, strides, box; the rest may be left
# out.</details>
# <details><summary>Hint 2: which rule</summary>The member of <code>DataType</code> has the name of NumPy's type in
# capitals. The distance of two arrays is the difference of their addresses.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The address of an array:
# <code>array.__array_interface__["data"][0]</code>. A member by name:
# <code>DataType["BFLOAT16"]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "map-of-view", "locked": false, "schema_version": 3, "solution": true, "task": false}
def map_of_view(array, box, memory):
    ### BEGIN SOLUTION
    global_dim, global_strides = shape_of_view(array)
    start, base = (part.__array_interface__["data"][0] for part in (array, memory))
    return TiledTensorMap(
        data_type=DataType[array.dtype.name.upper()],
        global_address=start - base,
        global_dim=global_dim,
        global_strides=global_strides,
        box_dim=box[::-1],
    )
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your map of the matrix as two panels of eight columns, and a box of both.


# %%
def picture_4():
    panels = matrix.reshape(10, 2, 8).transpose(1, 0, 2)
    return box_picture(map_of_view(panels, (2, 4, 8), memory), (0, 3, 0))


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "map-of-view-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_04.check_map_of_view(map_of_view)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_04.check_map_of_view(map_of_view, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: the bytes of a copy
#
# **Specification.** `tensor_map` is a `TiledTensorMap` without swizzle and interleave, with any element strides. Return
# the number of bytes that the barrier counts for one copy.
#
# Expected length: 3 to 5 lines.
#
# <details><summary>Hint 1: which fields</summary><code>box_dim</code>, <code>element_strides</code> and the element
# size. Not the coordinates: parts outside the tensor count too.</details>
# <details><summary>Hint 2: which rule</summary>Entry 0 of the element strides is ignored. Elsewhere ⌈box ÷ step⌉
# positions are read.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A division that rounds up: <code>-(-7 // 2)</code> is
# 4.</details>


# %% nbgrader={"grade": false, "grade_id": "bytes-of-copy", "locked": false, "schema_version": 3, "solution": true, "task": false}
def bytes_of_copy(tensor_map):
    ### BEGIN SOLUTION
    total = tensor_map.box_dim[0] * tensor_map.data_type.size_bytes
    for box, step in zip(tensor_map.box_dim[1:], tensor_map.element_strides[1:], strict=True):
        total *= -(-box // step)
    return total
    ### END SOLUTION


# %% [markdown]
# **Picture.** Every third row of a box of seven.


# %%
def picture_5():
    third = TiledTensorMap(**(vars(tile) | {"box_dim": (8, 7), "element_strides": (2, 3)}))
    print("bytes:", bytes_of_copy(third))
    return box_picture(third, (4, 1))


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "bytes-of-copy-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_04.check_bytes_of_copy(bytes_of_copy)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_04.check_bytes_of_copy(bytes_of_copy, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 6: load a box by hand
#
# **Specification.** `tensor_map` is as in task 5, of rank 1 to 5. `coordinates` is a tuple of any integers that the engine
# takes, and `memory` a flat uint8 array that holds the tensor. Return the bytes of the box as they lie in shared memory,
# without gaps: `bytes`, or an array of any type. Elements outside the tensor are zero. The `load` of the library is not
# the point. A box may begin far outside its tensor; none has more than 2,048 bytes, so a loop is fast enough.
#
# Expected length: 10 to 16 lines.
#
# <details><summary>Hint 1: which fields</summary>All of them. Along each dimension: coordinate, box, step and dimension
# say which positions are asked for, and which of them exist.</details>
# <details><summary>Hint 2: which rule</summary>Positions are <code>coordinate + k * step</code> for the
# ⌈box ÷ step⌉ values of <i>k</i>, with step 1 along dimension 0. An element exists if 0 ≤ position &lt; dimension
# along <b>every</b> dimension. Dimension 0 runs fastest.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The index pairs of a box of 2 rows and 3 columns, column
# fastest: <code>[(x, y) for y, x in itertools.product(range(2), range(3))]</code>. The strides of all dimensions,
# the element size first: <code>stride_bytes(tensor_map)</code>, which is imported above.</details>


# %% nbgrader={"grade": false, "grade_id": "load-box", "locked": false, "schema_version": 3, "solution": true, "task": false}
def load_box(tensor_map, coordinates, memory):
    ### BEGIN SOLUTION
    from itertools import product

    size, steps = tensor_map.data_type.size_bytes, (1, *tensor_map.element_strides[1:])
    along = [range(c, c + b, s) for c, b, s in zip(coordinates, tensor_map.box_dim, steps, strict=True)]
    box = bytearray()
    for backwards in product(*along[::-1]):
        position = backwards[::-1]
        at = tensor_map.global_address + sum(p * s for p, s in zip(position, stride_bytes(tensor_map), strict=True))
        inside = all(0 <= p < n for p, n in zip(position, tensor_map.global_dim, strict=True))
        box += memory[at : at + size].tobytes() if inside else bytes(size)
    return bytes(box)
    ### END SOLUTION


# %% [markdown]
# **Picture.** The values that your function brings from the lower right corner of the matrix.


# %%
def picture_6():
    print(np.frombuffer(bytes(load_box(tile, (12, 8), memory)), np.float32).reshape(4, 8).astype(int))
    return box_picture(tile, (12, 8))


show(picture_6)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "load-box-check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
lesson_04.check_load_box(load_box)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_04.check_load_box(load_box, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Done?
#
# Put the pieces together. Take an array from your own code and ask `why_not`. If nothing stands in its way, load a box
# from its corner with `map_of_view` and `load_box`. Is it what you expected?
