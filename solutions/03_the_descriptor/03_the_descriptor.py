# %% [markdown]
# # Exercise 03 · The descriptor
#
# Six tasks on [lesson 03](../../notebooks/03_the_descriptor.ipynb): you read one field of a descriptor, then more of
# them, and in the end you write all 128 bytes as the driver does. About 60 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. It asks
# your code about calls that a real driver answered; the bytes it compares with are the driver's.
#
# **Where to go:** [lesson 03](../../notebooks/03_the_descriptor.ipynb) ·
# next: [exercise 04](../04_shapes_strides_boxes/04_shapes_strides_boxes.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from dataclasses import replace

from course_lib import DataType, Swizzle, TiledTensorMap
from course_lib.checks import lesson_03, show
from course_lib.draw import compare_words, descriptor_picture
from course_lib.recordings import provenance
from course_lib.recordings.copies.descriptors import tried_provenance

print("The bytes in the checks are from:", provenance(), tried_provenance(), sep="\n")

# %% [markdown]
# The pictures use one tensor map, a small matrix of bfloat16 as in the lesson.

# %%
tile = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000100,
    global_dim=(1024, 256),
    global_strides=(2048,),
    box_dim=(64, 8),
)

# %% [markdown]
# ## The table
#
# Where the fields lie, as the lesson found it. Bit 0 is the lowest bit of byte 0; the 128 bytes are one little-endian
# number. What the rank does not use is 0, and so is every bit that no row names. *How* a value is stored is for you to
# recall: the hints say it again.
#
# | from bit | width | field |
# | --- | --- | --- |
# | 0 | 57 | `global_address` |
# | 68 | 3 | rank |
# | 71 | 4 | type code |
# | 75 | 2 | `interleave` |
# | 77 | 2 | `swizzle` |
# | 79 | 1 | `oob_fill` |
# | 80 | 1 | TF32 |
# | 81 | 2 | `l2_promotion` |
# | 96 + 32 i | 32 | `global_strides[i]`, lower part |
# | 224 + 4 i | 4 | `global_strides[i]`, upper part |
# | 256 + 32 i | 32 | `global_dim[i]` |
# | 416 + 3 i | 3 | `element_strides[i]` |
# | 440 + 8 i | 8 | `box_dim[i]` |
# | 512 | 18 | box bytes |
# | 576 | 11 | swizzle repeat |

# %% [markdown]
# ## Task 1: one field
#
# **Specification.** `descriptor` is `bytes` of length 128, a tiled tensor map of any rank. Return its rank, 1 to 5.
#
# Expected length: 1 or 2 lines.
#
# <details><summary>Hint 1: which field</summary>Bits 68 to 70. They lie in byte 8, or in the whole number after a shift
# by 68.</details>
# <details><summary>Hint 2: which rule</summary>The field stores the rank less one, so 0 stands for rank 1.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The interleave, 2 bits from bit 75:
# <code>int.from_bytes(descriptor, "little") >> 75 & 0b11</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "rank-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rank_of(descriptor):
    ### BEGIN SOLUTION
    return (int.from_bytes(descriptor, "little") >> 68 & 0b111) + 1
    ### END SOLUTION


# %% [markdown]
# **Picture.** The field, opened, and what you read in it.


# %%
def picture_1():
    print("rank:", rank_of(tile.encode()))
    return descriptor_picture(tile, opened="rank")


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "rank-of-check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
lesson_03.check_rank_of(rank_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_03.check_rank_of(rank_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: the shape
#
# **Specification.** Return the pair `(global_dim, global_strides)`: as many dimensions as the rank, in elements; one
# stride fewer, in bytes; the innermost first. Tuples, lists and arrays are all fine. Use `rank_of` from task 1.
#
# Expected length: 4 to 7 lines.
#
# <details><summary>Hint 1: which fields</summary>Dimension <i>i</i>: 32 bits from bit 256 + 32 <i>i</i>. Stride
# <i>i</i>: 32 bits from bit 96 + 32 <i>i</i>, and 4 more from bit 224 + 4 <i>i</i>.</details>
# <details><summary>Hint 2: which rule</summary>A dimension is stored less one. A stride is stored in units of 16 bytes,
# 36 bits of them; the 4 bits are the upper ones.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The box entries, with the bytes as one <code>number</code>:
# <code>[(number >> 440 + 8 * i & 0xFF) + 1 for i in range(rank_of(descriptor))]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "shape-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def shape_of(descriptor):
    ### BEGIN SOLUTION
    number, rank = int.from_bytes(descriptor, "little"), rank_of(descriptor)
    global_dim = [(number >> 256 + 32 * i & 0xFFFFFFFF) + 1 for i in range(rank)]
    low = [number >> 96 + 32 * i & 0xFFFFFFFF for i in range(rank - 1)]
    high = [number >> 224 + 4 * i & 0xF for i in range(rank - 1)]
    return global_dim, [16 * (upper << 32 | lower) for upper, lower in zip(high, low, strict=True)]
    ### END SOLUTION


# %% [markdown]
# **Picture.** What you read from two matrices. The rows of the second lie farther apart than the 32 lower bits can say; the
# field that tells them apart is opened.


# %%
def picture_2():
    far = replace(tile, global_strides=(2**36 + 2048,))
    print("near:", shape_of(tile.encode()))
    print("far: ", shape_of(far.encode()))
    return descriptor_picture(far, before=tile, opened="strides")


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "shape-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_03.check_shape_of(shape_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_03.check_shape_of(shape_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: the element type
#
# **Specification.** Return the `DataType` of a descriptor. The packed 4- and 6-bit types do not occur: this chip refuses
# them.
#
# Expected length: 4 to 8 lines.
#
# <details><summary>Hint 1: which fields</summary>The code, 4 bits from bit 71, and the TF32 bit, bit 80.</details>
# <details><summary>Hint 2: which rule</summary>The code is the driver's number up to 7. Above that,
# 8 is FLOAT32_FTZ, 9 FLOAT64 and 10 BFLOAT16. A TF32 type has no code of its own: it has that of the float32 type with the
# same flushing, and the TF32 bit.</details>
# <details><summary>Hint 3: a worked neighbour</summary>For the swizzle, a table would be
# <code>{0: Swizzle.NONE, 1: Swizzle.B32, 2: Swizzle.B64, 3: Swizzle.B128}[number >> 77 & 0b11]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "type-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def type_of(descriptor):
    ### BEGIN SOLUTION
    number = int.from_bytes(descriptor, "little")
    code, is_tf32 = number >> 71 & 0b1111, number >> 80 & 1
    if is_tf32:
        return {7: DataType.TFLOAT32, 8: DataType.TFLOAT32_FTZ}[code]
    others = {8: DataType.FLOAT32_FTZ, 9: DataType.FLOAT64, 10: DataType.BFLOAT16}
    return others.get(code) or DataType(code)
    ### END SOLUTION


# %% [markdown]
# **Picture.** What you read from BFLOAT16 and from TFLOAT32, and the bits that moved between them.


# %%
def picture_3():
    tf32 = replace(tile, data_type=DataType.TFLOAT32)
    print("you read", repr(type_of(tile.encode())), "and", repr(type_of(tf32.encode())))
    return descriptor_picture(tf32, before=tile, opened="element type")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "type-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_03.check_type_of(type_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_03.check_type_of(type_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: the two derived words
#
# **Specification.** `tensor_map` is a `TiledTensorMap` that the driver accepts. Return the pair
# `(box_bytes, swizzle_repeat)` as the driver writes it into bits 512 up and 576 up. `tensor_map.data_type.size_bytes` is
# the size of an element.
#
# Expected length: 3 to 6 lines.
#
# <details><summary>Hint 1: which fields</summary><code>box_dim</code>, <code>element_strides</code> and
# <code>data_type</code> for the one, <code>swizzle</code> alone for the other.</details>
# <details><summary>Hint 2: which rule</summary>Each box entry is divided by its element stride and rounded <b>down</b>,
# entry 0 too; the product counts elements. The repeat is 16, 256, 512, 1024 for NONE, B32, B64, B128.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The elements of a box without element strides:
# <code>math.prod(tensor_map.box_dim)</code>. For two sequences side by side:
# <code>zip(tensor_map.box_dim, tensor_map.element_strides)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "derived-words", "locked": false, "schema_version": 3, "solution": true, "task": false}
def derived_words(tensor_map):
    ### BEGIN SOLUTION
    box_bytes = tensor_map.data_type.size_bytes
    for box, stride in zip(tensor_map.box_dim, tensor_map.element_strides, strict=True):
        box_bytes *= box // stride
    repeat = {Swizzle.NONE: 16, Swizzle.B32: 256, Swizzle.B64: 512, Swizzle.B128: 1024}
    return box_bytes, repeat[tensor_map.swizzle]
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your two words for every third row of the box: 8 rows, element stride 3.


# %%
def picture_4():
    every_third = replace(tile, element_strides=(1, 3))
    print("every row:      ", derived_words(tile))
    print("every third row:", derived_words(every_third))
    return descriptor_picture(every_third, before=tile, opened="box bytes")


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "derived-words-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_03.check_derived_words(derived_words)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_03.check_derived_words(derived_words, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: all 128 bytes
#
# **Specification.** `tensor_map` is a `TiledTensorMap` that the driver accepts. Return the 128 bytes that the driver
# writes for it, as `bytes`. `.encode()` of the library is not the point. Use `derived_words` from task 4.
#
# Expected length: 15 to 25 lines.
#
# <details><summary>Hint 1: which fields</summary>All rows of the table; tasks 1 to 3 say how they are stored, and a box entry
# and an element stride are stored less one. Begin with <code>number = 0</code>, put each value
# in with <code>number |= value << lsb</code>, and end with <code>number.to_bytes(128, "little")</code>.</details>
# <details><summary>Hint 2: which rule</summary>For each list, a loop over <code>enumerate(…)</code> gives the place and
# the value. Only the strides take two places: <code>stride // 16</code> is cut into 32 and 4 bits.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The box entries alone:
# <code>for i, box in enumerate(tensor_map.box_dim): number |= (box - 1) << 440 + 8 * i</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "encode-tiled", "locked": false, "schema_version": 3, "solution": true, "task": false}
def encode_tiled(tensor_map):
    ### BEGIN SOLUTION
    others = {DataType.FLOAT32_FTZ: 8, DataType.FLOAT64: 9, DataType.BFLOAT16: 10}
    tf32 = {DataType.TFLOAT32: 7, DataType.TFLOAT32_FTZ: 8}
    number = tensor_map.global_address
    number |= (tensor_map.rank - 1) << 68
    number |= (others | tf32).get(tensor_map.data_type, int(tensor_map.data_type)) << 71
    number |= tensor_map.interleave << 75
    number |= tensor_map.swizzle << 77
    number |= tensor_map.oob_fill << 79
    number |= (tensor_map.data_type in tf32) << 80
    number |= tensor_map.l2_promotion << 81
    for i, stride in enumerate(tensor_map.global_strides):
        number |= (stride // 16 & 0xFFFFFFFF) << 96 + 32 * i
        number |= (stride // 16 >> 32) << 224 + 4 * i
    for i in range(tensor_map.rank):
        number |= (tensor_map.global_dim[i] - 1) << 256 + 32 * i
        number |= (tensor_map.element_strides[i] - 1) << 416 + 3 * i
        number |= (tensor_map.box_dim[i] - 1) << 440 + 8 * i
    box_bytes, repeat = derived_words(tensor_map)
    number |= box_bytes << 512 | repeat << 576
    return number.to_bytes(128, "little")
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your bytes beside those of the library.


# %%
def picture_5():
    return compare_words(bytes(encode_tiled(tile)), tile.encode(), ("yours", "model"))


show(picture_5)

# %% [markdown]
# **Check.** First calls that the H200's driver answered, then calls that only the model knows.

# %% nbgrader={"grade": true, "grade_id": "encode-tiled-check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}
lesson_03.check_encode_tiled(encode_tiled)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_03.check_encode_tiled(encode_tiled, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 6: the way back
#
# **Specification.** For those who want to have it whole: return the `TiledTensorMap` behind 128 bytes: the call that
# somebody made, all ten arguments of it. `decode` of the library is not the point. Use your own functions.
#
# Expected length: 10 to 16 lines.
#
# <details><summary>Hint 1: which fields</summary>Tasks 1 to 3 read the rank, the shape and the type. Left are the
# address, the box, the element strides and four small numbers.</details>
# <details><summary>Hint 2: which rule</summary>The two derived words tell nothing new, so they are not read.</details>
# <details><summary>Hint 3: a worked neighbour</summary>An entry as <code>TiledTensorMap</code> takes it:
# <code>l2_promotion=number >> 81 & 0b11</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "decode-tiled", "locked": false, "schema_version": 3, "solution": true, "task": false}
def decode_tiled(descriptor):
    ### BEGIN SOLUTION
    number, rank = int.from_bytes(descriptor, "little"), rank_of(descriptor)
    global_dim, global_strides = shape_of(descriptor)
    return TiledTensorMap(
        data_type=type_of(descriptor),
        global_address=number & 2**57 - 1,
        global_dim=global_dim,
        global_strides=global_strides,
        box_dim=[(number >> 440 + 8 * i & 0xFF) + 1 for i in range(rank)],
        element_strides=[(number >> 416 + 3 * i & 0b111) + 1 for i in range(rank)],
        interleave=number >> 75 & 0b11,
        swizzle=number >> 77 & 0b11,
        l2_promotion=number >> 81 & 0b11,
        oob_fill=number >> 79 & 1,
    )
    ### END SOLUTION


# %% [markdown]
# **Picture.** The bytes, read and written again by your two functions.


# %%
def picture_6():
    return compare_words(bytes(encode_tiled(decode_tiled(tile.encode()))), tile.encode(), ("there and back", "model"))


show(picture_6)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "decode-tiled-check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
lesson_03.check_decode_tiled(decode_tiled)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_03.check_decode_tiled(decode_tiled, seed=class_seed()).require()
### END HIDDEN TESTS
