# %% [markdown]
# # Exercise 05 · Element types
#
# Five tasks on [lesson 05](../../notebooks/05_element_types.ipynb): you round a float32 as a TFLOAT32 load does, and choose
# the type for any array. Then you say bit by bit what an addition and a maximum leave in memory, and find out from a dump
# which type it was. About 60 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. The elements
# that it asks about, and what became of them, are for the most part a real H200's.
#
# **Where to go:** [lesson 05](../../notebooks/05_element_types.ipynb) ·
# next: [exercise 06](../06_which_rule/06_which_rule.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from course_lib import DataType
from course_lib.checks import lesson_05, show
from course_lib.draw.bits.float_bits import BitsRow, bits_picture
from course_lib.recordings.copies.elements import loads_by, tables_by
from course_lib.recordings.tables import table

print("The bits in the checks are from:", loads_by(), tables_by(), sep="\n")

# %% [markdown]
# ## What you need, again
#
# | type | sign | exponent | mantissa | infinity | largest number |
# | --- | --- | --- | --- | --- | --- |
# | float16 | 1 bit | 5 bits | 10 bits | `0x7C00` | `0x7BFF` |
# | bfloat16 | 1 bit | 8 bits | 7 bits | `0x7F80` | `0x7F7F` |
# | float32 | 1 bit | 8 bits | 23 bits | `0x7F800000` | `0x7F7FFFFF` |
#
# Without the sign, a NaN is any pattern **above** infinity, and a subnormal any pattern but 0 whose exponent is 0. All
# elements in these tasks are Python integers.

# %% [markdown]
# ## Task 1: round to TF32
#
# **Specification.** `bits` are the 32 bits of a float32, as an integer. Return the 32 bits that a load through a TFLOAT32
# map brings.
#
# Expected length: 3 to 5 lines.
#
# <details><summary>Hint 1: which bits</summary>The lowest 13 become 0. Sign and exponent need no treatment of their own: a
# carry out of the mantissa makes the exponent one larger, as it should, up to infinity.</details>
# <details><summary>Hint 2: which rule</summary>The nearest is taken; a tie goes to the neighbour whose bit 13 is 0. Every
# NaN is another case.</details>
# <details><summary>Hint 3: a worked neighbour</summary>bfloat16 keeps the upper 16 bits. Rounded to nearest even, and not for
# NaN: <code>(bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "tf32-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def tf32_of(bits):
    ### BEGIN SOLUTION
    if bits & 0x7FFFFFFF > 0x7F800000:
        return 0x7FFFE000
    return bits + 0xFFF + (bits >> 13 & 1) & 0xFFFFE000
    ### END SOLUTION


# %% [markdown]
# **Picture.** A tie, and what you make of it.


# %%
def picture_1():
    tie = 0xB25E3000
    return bits_picture(
        "Your rounding", DataType.TFLOAT32, [BitsRow("given", tie), BitsRow("yours", tf32_of(tie), tie)]
    )


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "tf32-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_05.check_tf32_of(tf32_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_05.check_tf32_of(tf32_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: the type for an array
#
# **Specification.** `dtype` is the name of an array's element: `uint8`, `int8`, `bool`, `float8_e4m3fn`, `float8_e5m2`,
# `uint16`, `int16`, `float16`, `bfloat16`, `uint32`, `int32`, `float32`, `uint64`, `int64`, `float64`, `complex64`,
# `complex128`. `use` is one of
#
# - `"load"`: every bit arrives as it is,
# - `"nan fill"`: the same, and what lies beyond the edge arrives as NaN **of the array's own type** (both parts of a complex
#   number),
# - `"add"`, `"min"`: a reduction in the array's own arithmetic, subnormals included.
#
# Return a `DataType` of this chip in which one element of the map is one element of the array, or `"none"` where there
# is no such type. Where several do it, any of them is right.
#
# Expected length: 10 to 20 lines.
#
# <details><summary>Hint 1: which property</summary>For a load, the size, and which types round. The edge is filled with the
# 16-bit pattern 0x7FF7, again and again, and only for the driver's float types.</details>
# <details><summary>Hint 2: which rule</summary>The engine adds UINT32, INT32, UINT64 and all floats. It takes the minimum of
# UINT32, INT32, UINT64, INT64, FLOAT16 and BFLOAT16. Two's complement addition is the same for signed and
# unsigned.</details>
# <details><summary>Hint 3: a worked neighbour</summary><code>type_for("int16", "load")</code> is UINT16, or any other type of
# 2 bytes. <code>type_for("int16", "add")</code> is <code>"none"</code>, since the engine adds no 16-bit integers, and
# <code>type_for("int16", "nan fill")</code> too, since no int16 is a NaN.</details>


# %% nbgrader={"grade": false, "grade_id": "type-for", "locked": false, "schema_version": 3, "solution": true, "task": false}
def type_for(dtype, use):
    ### BEGIN SOLUTION
    own = {
        **dict.fromkeys(("int8", "bool", "float8_e4m3fn", "float8_e5m2"), DataType.UINT8),
        "int16": DataType.UINT16,
        "complex64": DataType.FLOAT64,  # the same size, and a float: so its edge can be NaN
    }
    carrier = own[dtype] if dtype in own else DataType.__members__.get(dtype.upper(), "none")
    if use == "nan fill":
        return carrier if dtype in ("float16", "bfloat16", "float32", "float64", "complex64") else "none"
    if use == "load":
        return carrier
    integers = ("uint32", "int32", "uint64", "int64")
    if use == "add" and dtype in (*integers, "float16", "bfloat16", "float32", "float64"):
        return DataType.UINT64 if dtype == "int64" else carrier
    return carrier if use == "min" and dtype in (*integers, "float16", "bfloat16") else "none"
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your choices for some arrays.


# %%
def picture_2():
    names = ("float8_e4m3fn", "int8", "bfloat16", "int64", "complex64")
    uses = ("load", "nan fill", "add", "min")
    chosen = [[getattr(type_for(name, use), "name", "none") for use in uses] for name in names]
    rows = [{"dtype": name, **dict(zip(uses, row, strict=True))} for name, row in zip(names, chosen, strict=True)]
    return table(rows, dtype="array", **{use: use for use in uses})


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "type-for-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_05.check_type_for(type_for)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_05.check_type_for(type_for, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: an addition, with FTZ and without
#
# **Specification.** `memory` and `operand` are the bits of two float32, as integers. Return the bits that memory holds
# after an add through FLOAT32, or, if `ftz` is true, through FLOAT32_FTZ. `float_of` and `bits_of` go from bits to
# a float32 and back; NumPy adds float32 as IEEE says.
#
# Expected length: 6 to 10 lines.
#
# <details><summary>Hint 1: which values</summary>Subnormals, where <code>ftz</code> is true, and every sum that is a
# NaN.</details>
# <details><summary>Hint 2: which rule</summary>With FTZ, a subnormal becomes a zero of its own sign: both operands before, and
# the sum after. A NaN is <code>0x7FFFFFFF</code>, with FTZ and without, whatever went in.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Is <code>bits</code> a negative subnormal?
# <code>bits & 0x7F800000 == 0 and bits & 0x7FFFFF != 0 and bits >> 31 == 1</code>. The zero of its sign is
# <code>bits & 0x80000000</code>.</details>

# %%
import numpy as np

np.seterr(all="ignore")  # a sum of infinities is no surprise here


def float_of(bits):
    return np.array([bits], np.uint32).view(np.float32)[0]


def bits_of(value):
    return int(np.array([value], np.float32).view(np.uint32)[0])


# %% nbgrader={"grade": false, "grade_id": "added", "locked": false, "schema_version": 3, "solution": true, "task": false}
def added(memory, operand, ftz):
    ### BEGIN SOLUTION
    def flushed(bits):
        return bits & 0x80000000 if ftz and bits & 0x7F800000 == 0 else bits

    total = float_of(flushed(memory)) + float_of(flushed(operand))
    return 0x7FFFFFFF if np.isnan(total) else flushed(bits_of(total))
    ### END SOLUTION


# %% [markdown]
# **Picture.** A subnormal that meets its double, through FLOAT32_FTZ.


# %%
def picture_3():
    memory, operand = 0x00400000, 0x00800000
    after = BitsRow("yours", added(memory, operand, True), memory)
    return bits_picture("Your sum", DataType.FLOAT32_FTZ, [BitsRow("memory", memory), BitsRow("comes", operand), after])


show(picture_3)

# %% [markdown]
# **Check.** All 1,600 pairs of the recording, for both types, then random bits.

# %% nbgrader={"grade": true, "grade_id": "added-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_05.check_added(added)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_05.check_added(added, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: a maximum, without floats
#
# **Specification.** `memory` and `operand` are the bits of two 16-bit floats, as integers; `exponent_bits` is 5 for
# FLOAT16 and 8 for BFLOAT16. Return the bits that memory holds after a MAX. Integer arithmetic is all you need.
#
# Expected length: 6 to 10 lines.
#
# <details><summary>Hint 1: which values</summary>NaN first; then negative floats and the two zeros.</details>
# <details><summary>Hint 2: which rule</summary>A number wins over a NaN, two NaN give <code>0x7FFF</code>, and −0 lies below
# +0. Among the others a float with larger bits is larger, if it is positive, and smaller, if it is negative.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Sorted as the floats are, 8-bit patterns with a sign bit have the key
# <code>bits if bits < 0x80 else 0x7F - bits</code>: the zero <code>0x80</code> has key −1, just below 0. And infinity
# is <code>(1 << exponent_bits) - 1 << 15 - exponent_bits</code> in 16 bits.</details>


# %% nbgrader={"grade": false, "grade_id": "maximum", "locked": false, "schema_version": 3, "solution": true, "task": false}
def maximum(memory, operand, exponent_bits):
    ### BEGIN SOLUTION
    infinity = (1 << exponent_bits) - 1 << 15 - exponent_bits
    numbers = [bits for bits in (memory, operand) if bits & 0x7FFF <= infinity]
    if not numbers:
        return 0x7FFF
    return max(numbers, key=lambda bits: bits if bits < 0x8000 else 0x7FFF - bits)
    ### END SOLUTION


# %% [markdown]
# **Picture.** The two zeros of float16.


# %%
def picture_4():
    memory, operand = 0x8000, 0x0000
    after = BitsRow("yours", maximum(memory, operand, 5), memory)
    return bits_picture("Your maximum", DataType.FLOAT16, [BitsRow("memory", memory), BitsRow("comes", operand), after])


show(picture_4)

# %% [markdown]
# **Check.** All 1,600 pairs of the recording, for both types, then random bits.

# %% nbgrader={"grade": true, "grade_id": "maximum-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_05.check_maximum(maximum)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_05.check_maximum(maximum, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: which type was it?
#
# **Specification.** Somebody's kernel added a tile through a map of 4-byte elements, and the sums look wrong. You have three
# lists of bits of equal length: `memory` before, `operand`, and what memory holds `after`. Return a collection of all
# `DataType` whose add leaves exactly this. The candidates are UINT32, INT32, FLOAT32, FLOAT32_FTZ, TFLOAT32 and
# TFLOAT32_FTZ. Use `added` from task 3.
#
# Expected length: 6 to 10 lines.
#
# <details><summary>Hint 1: which differences</summary>No add tells UINT32 from INT32, or TFLOAT32 from FLOAT32. So there are
# three kinds of addition.</details>
# <details><summary>Hint 2: which rule</summary>A type is a suspect if it explains <b>every</b> element. There may be none.
# Integers add modulo 2<sup>32</sup>.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Memory 5, and 6 comes, and 11 is there: integers, of course. But 5 and
# 6 are the bits of subnormals too, and their sum has the bits 11: FLOAT32 and TFLOAT32 are suspects as well, and only
# the FTZ types are ruled out.</details>


# %% nbgrader={"grade": false, "grade_id": "suspects", "locked": false, "schema_version": 3, "solution": true, "task": false}
def suspects(memory, operand, after):
    ### BEGIN SOLUTION
    pairs = list(zip(memory, operand, strict=True))
    sums = {
        (DataType.UINT32, DataType.INT32): [a + b & 0xFFFFFFFF for a, b in pairs],
        (DataType.FLOAT32, DataType.TFLOAT32): [added(a, b, False) for a, b in pairs],
        (DataType.FLOAT32_FTZ, DataType.TFLOAT32_FTZ): [added(a, b, True) for a, b in pairs],
    }
    return [t for types, result in sums.items() if result == list(after) for t in types]
    ### END SOLUTION


# %% [markdown]
# **Picture.** The dump of hint 3, and one of a tile of small gradients.


# %%
def picture_5():
    for dump in (([5], [6], [11]), ([0x00400000, 0x3F800000], [0x00400000, 0x3F800000], [0, 0x40000000])):
        print([[f"{bits:08x}" for bits in side] for side in dump], "→", [t.name for t in suspects(*dump)])


show(picture_5)

# %% [markdown]
# **Check.** Plain dumps first, then pairs of the recorded additions, then random integers.

# %% nbgrader={"grade": true, "grade_id": "suspects-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_05.check_suspects(suspects)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_05.check_suspects(suspects, seed=class_seed()).require()
### END HIDDEN TESTS
