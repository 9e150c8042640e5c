# %% [markdown]
# # Exercise 09 · Swizzle
#
# Five tasks on [lesson 09](../../notebooks/09_swizzle.ipynb): you compute where a byte lies, put a tile back in order,
# choose the mode for a read, and find the rule of an engine that nobody has described. About 60 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. The tiles
# in tasks 1 and 2 are what a real H200 left in shared memory, but for narrow ones without swizzle.
#
# **Where to go:** [lesson 09](../../notebooks/09_swizzle.ipynb) ·
# next: [exercise 10](../10_interleave/10_interleave.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
import numpy as np

from course_lib import Swizzle
from course_lib.checks import lesson_09, show
from course_lib.draw import swizzle_grid
from course_lib.model.cost.banks import access
from course_lib.recordings import provenance
from course_lib.recordings.copies.swizzles import recorded_tile

print("The tiles in the checks are from:", provenance("load_swizzle.jsonl.xz"), sep="\n")

# %% [markdown]
# ## What the lesson found
#
# | mode | widest row | mask | shift | repeats after |
# | --- | --- | --- | --- | --- |
# | `Swizzle.NONE` | — | 0 | — | — |
# | `Swizzle.B32` | 32 bytes | `0x080` | 3 | 256 bytes |
# | `Swizzle.B64` | 64 bytes | `0x180` | 3 | 512 bytes |
# | `Swizzle.B128` | 128 bytes | `0x380` | 3 | 1024 bytes |
#
# What is XORed, and how far apart rows lie, is for you to recall: the hints say it again.

# %% [markdown]
# ## Task 1: the address of a byte
#
# **Specification.** A box of rows of `row_bytes` bytes (a multiple of 16, at most the widest row of the mode) was loaded to
# `shared_address`, a multiple of 128. Return the shared address of byte `byte` of row `row`. Without swizzle rows lie
# `row_bytes` apart.
#
# Expected length: 3 to 6 lines.
#
# <details><summary>Hint 1: which field</summary>The swizzle gives the mask and how far apart the rows lie; the base and the
# row give the address that the XOR starts from.</details>
# <details><summary>Hint 2: which rule</summary>Under a swizzle, rows lie a whole span apart, also narrow ones. The key is the
# address with the base in it: <code>a ^ ((a & mask) >> 3)</code>.</details>
# <details><summary>Hint 3: a worked neighbour</summary>B32, base 384, row 1, byte 0: <code>a = 384 + 32 = 416</code>, which is
# <code>0x1a0</code>; bit 7 is 1, so bit 4 turns: <code>0x1b0</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "address-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def address_of(swizzle, row_bytes, shared_address, row, byte):
    ### BEGIN SOLUTION
    mask = {Swizzle.NONE: 0, Swizzle.B32: 0x080, Swizzle.B64: 0x180, Swizzle.B128: 0x380}[swizzle]
    pitch = {Swizzle.NONE: row_bytes, Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}[swizzle]
    a = shared_address + row * pitch + byte
    return a ^ ((a & mask) >> 3)
    ### END SOLUTION


# %% [markdown]
# **Picture.** What the H200 left of a tile under B64 at address 128, with the unit marked that lies where you say that row 5,
# byte 32 lies. It should be 5.2.


# %%
def picture_1():
    tile = recorded_tile(Swizzle.B64, 128)
    at = address_of(Swizzle.B64, 64, 128, 5, 32)
    return swizzle_grid(tile.units, tile.units_in_row, 128, marked=[tile.units[at // 16]])


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "address-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_09.check_address_of(address_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_09.check_address_of(address_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: the tile, put back in order
#
# **Specification.** `shared` is a uint8 array, a window of shared memory whose index 0 lies on a multiple of 1024. A tile of
# `rows` rows of `row_bytes` bytes was loaded into it at `shared_address`. Return the bytes of the tile as an array of
# shape (rows, row_bytes), in order. Use `address_of` from task 1.
#
# Expected length: 1 to 4 lines.
#
# <details><summary>Hint 1: which field</summary>For each row and each byte, <code>address_of</code> is an index into
# <code>shared</code>.</details>
# <details><summary>Hint 2: which rule</summary>Only read; never turn <code>shared</code> itself around. If
# <code>address_of</code> uses only arithmetic on <code>row</code> and <code>byte</code>, it takes arrays as well.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A plain tile of 4 rows of 32 bytes at 256: with <code>r</code> and
# <code>b</code> from <code>np.indices((4, 32))</code> it is <code>shared[256 + r * 32 + b]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "tile-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def tile_of(shared, swizzle, row_bytes, rows, shared_address):
    ### BEGIN SOLUTION
    row, byte = np.indices((rows, row_bytes))
    return shared[address_of(swizzle, row_bytes, shared_address, row, byte)]
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your tile, made from what the H200 left at address 384 of rows of 48 bytes. It should begin with 0.0, 0.1,
# 0.2, 1.0.


# %%
def picture_2():
    tile = recorded_tile(Swizzle.B128, 384, row_bytes=48)
    mine = np.asarray(tile_of(tile.shared, Swizzle.B128, 48, 16, 384)).reshape(-1)
    return swizzle_grid(tile._replace(shared=mine).units, 3, title="Your tile, row after row")


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "tile-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_09.check_tile_of(tile_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_09.check_tile_of(tile_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: the mode for a read
#
# **Specification.** A tile with rows of `row_bytes` bytes lies at a multiple of 1024. A warp reads it: lane *i* reads
# `access_bytes` bytes from `lanes[i]`, a pair (row, byte). Return the mode, of NONE, B32, B64 and B128, in which the read
# takes the fewest turns and which the driver accepts; of equals the first. `access(addresses, access_bytes).turns`
# counts the turns.
#
# Expected length: 6 to 12 lines.
#
# <details><summary>Hint 1: which field</summary><code>row_bytes</code> says which modes are accepted;
# <code>address_of</code> with address 0 gives the addresses of the lanes.</details>
# <details><summary>Hint 2: which rule</summary>A row may not be wider than the span, 32, 64 or 128 bytes; NONE has no
# span. Try each mode that is left and keep the best.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The first of the smallest:
# <code>min(modes, key=turns)</code>, if <code>modes</code> is in the right order.</details>


# %% nbgrader={"grade": false, "grade_id": "best-mode", "locked": false, "schema_version": 3, "solution": true, "task": false}
def best_mode(row_bytes, lanes, access_bytes):
    ### BEGIN SOLUTION
    def turns(mode):
        addresses = [address_of(mode, row_bytes, 0, row, byte) for row, byte in lanes]
        return access(addresses, access_bytes).turns

    widest = {Swizzle.NONE: row_bytes, Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}
    return min((mode for mode in widest if row_bytes <= widest[mode]), key=turns)
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your choice for 16-byte units of eight rows, by the width of the row. (Surprised by some? An odd number of
# units in a row spreads them without any help.)


# %%
def picture_3():
    for row_bytes in range(16, 129, 16):
        lanes = [(i % 8, i // 8 * 16 % row_bytes) for i in range(32)]
        print(f"rows of {row_bytes:>3} bytes: {best_mode(row_bytes, lanes, 16)!r}")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "best-mode-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_09.check_best_mode(best_mode)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_09.check_best_mode(best_mode, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: a rule that nobody has described
#
# **Specification.** `load` is a copy engine of another make. `load(base)` brings a tile of 8 rows of 128 bytes to the shared
# address `base`, a multiple of 128 from 0 to 7168, and returns 64 integers: entry *i* is the unit of the tile that lies at
# `base + 16 * i`, counted row by row. Its rule is `a ^ ((a & mask) >> shift)`, with a mask of one to three neighbouring
# bits, from bit 7 to bit 12, and it turns bits 4 to 6. Return `(mask, shift)`.
#
# Here is one such engine, twice.

# %%
engine = lesson_09.unseen_engine()
lesson_09.window_picture(engine, 0)

# %%
lesson_09.window_picture(engine, 0xC00)

# %% [markdown]
# Expected length: 5 to 10 lines.
#
# <details><summary>Hint 1: which field</summary>Entry 0 of <code>load(base)</code> is the number that is XORed into the
# units of the line at <code>base</code>.</details>
# <details><summary>Hint 2: which rule</summary>Choose bases that have a single bit set, from 7 to 12. A bit of the mask shows
# by a number other than 0. The shift is the distance from that bit to the one that it turns; unit number 1 is address
# bit 4.</details>
# <details><summary>Hint 3: a worked neighbour</summary>For B128, <code>load(0x200)[0]</code> would be 4: bit 9 is in the mask
# and turns bit 6, so the shift is 3.</details>


# %% nbgrader={"grade": false, "grade_id": "rule-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def rule_of(load):
    ### BEGIN SOLUTION
    mask = shift = 0
    for bit in range(7, 13):
        turned = int(load(1 << bit)[0])
        if turned:
            mask |= 1 << bit
            shift = bit - (turned.bit_length() - 1 + 4)
    return mask, shift
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your rule for the engine above, and where it says that the units of a tile at `0xC00` lie: it should be
# the second picture again.


# %%
def picture_4():
    mask, shift = rule_of(engine)
    print(f"a ^ ((a & 0x{mask:x}) >> {shift})")
    places = 0xC00 + 16 * np.arange(64)
    units = (places ^ ((places & mask) >> shift)) - 0xC00 >> 4
    return swizzle_grid([-1] * (0xC00 // 16) + list(units), 8, 0xC00, title="By your rule")


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "rule-of-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_09.check_rule_of(rule_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_09.check_rule_of(rule_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: a column without conflicts
#
# **Specification.** For those who transpose: a tile of 32 rows of 128 bytes lies under B128 at a multiple of 1024. A warp is
# to read the 16-byte unit `unit` of all 32 rows, 4 bytes a lane and a read. Return four reads, each a list of 32 pairs
# (row, byte), so that every 4-byte word of these units is read once and each read takes one turn.
#
# Expected length: 1 to 4 lines.
#
# <details><summary>Hint 1: which field</summary>Rows 0, 8, 16 and 24 put the unit at the same place of their lines. They must
# read another word of it each.</details>
# <details><summary>Hint 2: which rule</summary>In one read, the lane of row <i>r</i> takes word (<i>r</i> // 8 + <i>k</i>) mod 4
# of the unit, with another <i>k</i> in each of the four reads.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The read that costs 4 turns:
# <code>[(row, 16 * unit) for row in range(32)]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "skewed", "locked": false, "schema_version": 3, "solution": true, "task": false}
def skewed(unit):
    ### BEGIN SOLUTION
    return [[(row, 16 * unit + 4 * ((row // 8 + k) % 4)) for row in range(32)] for k in range(4)]
    ### END SOLUTION


# %% [markdown]
# **Picture.** The turns of your four reads of unit 5.


# %%
def picture_5():
    for lanes in skewed(5):
        addresses = [address_of(Swizzle.B128, 128, 0, row, byte) for row, byte in lanes]
        print("turns:", access(addresses, 4).turns, "- first lanes:", lanes[:3])


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "skewed-check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
lesson_09.check_skewed(skewed)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_09.check_skewed(skewed, seed=class_seed()).require()
### END HIDDEN TESTS
