# %% [markdown]
# # Exercise 01 · Why TMA
#
# Five tasks on [lesson 01](../../notebooks/01_why_tma.ipynb): first you are the threads, and the engine judges what you leave; then
# you say what happens when the wrong threads issue, and spend the registers that are left. About 50 minutes, no GPU
# needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*.
#
# **Where to go:** [lesson 01](../../notebooks/01_why_tma.ipynb) ·
# next: [exercise 02](../02_arrival/02_arrival.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from course_lib import DataType, Swizzle
from course_lib.checks import lesson_01, show
from course_lib.checks.lesson_01.questions import Box, matrix
from course_lib.draw import barrier_picture
from course_lib.draw.charts.register_budget import budget_picture
from course_lib.draw.copies.thread_copies import thread_picture
from course_lib.model.barrier.script import run
from course_lib.model.cost.thread_copy import ThreadCopy
from course_lib.model.cost.tile_cost import registers_of_a_thread

# %% [markdown]
# ## What the lesson found
#
# A tile is cut into **pieces** of 16 bytes, numbered row by row. Thread *t* of *T* copies the pieces *t*, *t* + *T*,
# *t* + 2 *T* … In the box, rows lie one behind the other, without gaps, before `place` puts the pieces in another order. A
# piece outside of the tensor is not left out: 0 of its bytes are copied and 16 become zero.
#
# In the pictures, `matrix(type, columns, rows, box)` is a call for a matrix at address 0 whose rows lie as close as 16 bytes allow.

# %% [markdown]
# ## Task 1: count in three ways
#
# **Specification.** A tile has `rows` rows of `row_bytes` bytes (a multiple of 16), and a block has `threads` threads (a
# multiple of 32). Return a tuple: copies of 16 bytes, copies of the busiest thread, `cp.async` that the warps issue.
#
# Expected length: 3 to 5 lines.
#
# <details><summary>Hint 1: which number</summary>All pieces: <code>rows * row_bytes // 16</code>. The others follow from it.</details>
# <details><summary>Hint 2: which rule</summary>Both are divisions that round up: some threads, and some lanes of a warp, may have nothing to do in the
# last turn. A warp without a piece issues nothing.</details>
# <details><summary>Hint 3: a worked neighbour</summary>How many lines of 128 bytes hold 300 bytes: <code>-(-300 // 128)</code>, which is 3.</details>


# %% nbgrader={"grade": false, "grade_id": "count-copies", "locked": false, "schema_version": 3, "solution": true, "task": false}
def count_copies(rows, row_bytes, threads):
    ### BEGIN SOLUTION
    pieces = rows * row_bytes // 16
    return pieces, -(-pieces // threads), -(-pieces // 32)
    ### END SOLUTION


# %% [markdown]
# **Picture.** A small tile, 10 rows of 48 bytes, shared out among 64 threads without your help; what you say of it stands above.


# %%
def picture_1():
    print("copies, of the busiest thread, by warp:", count_copies(10, 48, 64))
    box = Box(matrix(DataType.UINT8, 48, 10, (48, 10)), (0, 0), 64)
    return thread_picture(box.copies, 5)


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "count-copies-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_01.check_count_copies(count_copies)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_01.check_count_copies(count_copies, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: one thread's addresses
#
# **Specification.** `tensor_map` describes a matrix and a box, `start` is (column, row) of the box, in elements. It lies
# inside, and there is no swizzle. Return the pieces of thread `thread` of `threads` as a list of (source, target): byte
# addresses in global and in shared memory, where the box begins at 0. A thread may have no piece: an empty list.
#
# Expected length: 6 to 10 lines.
#
# <details><summary>Hint 1: which fields</summary><code>box_dim</code> (columns, rows), <code>global_address</code>, <code>global_strides[0]</code> and
# <code>data_type.size_bytes</code>.</details>
# <details><summary>Hint 2: which rule</summary>Piece number → row and unit by the pieces in a row of the <b>box</b>. The source counts rows in
# <code>global_strides[0]</code>, the target in the bytes of a row of the box. <code>start</code> is in elements.</details>
# <details><summary>Hint 3: a worked neighbour</summary>All pieces of thread 3 of 32, if there are 100: <code>list(range(3, 100, 32))</code>. Element (5, 2) of a
# tensor of float32 lies at <code>global_address + 2 * global_strides[0] + 5 * 4</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "pieces-inside", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pieces_inside(thread, threads, tensor_map, start):
    ### BEGIN SOLUTION
    size, pitch = tensor_map.data_type.size_bytes, tensor_map.global_strides[0]
    units, rows = tensor_map.box_dim[0] * size // 16, tensor_map.box_dim[1]
    corner = tensor_map.global_address + start[1] * pitch + start[0] * size
    found = []
    for piece in range(thread, rows * units, threads):
        row, unit = divmod(piece, units)
        found.append((corner + row * pitch + unit * 16, piece * 16))
    return found
    ### END SOLUTION


# %% [markdown]
# **Picture.** A box of 64 × 16 bfloat16 and 32 threads: the pieces of your thread 9, by their targets.


# %%
def drawn(call, thread, threads, pieces):
    row_bytes = call.box_dim[0] * call.data_type.size_bytes
    copies = [
        ThreadCopy(t, turn, target // row_bytes, target % row_bytes // 16, source, inside, target)
        for t in range(threads)
        for turn, (source, inside, target) in enumerate(pieces(t))
    ]
    return thread_picture(sorted(copies, key=lambda copy: copy.target), thread)


def picture_2():
    call = matrix(DataType.BFLOAT16, 256, 64, (64, 16))
    return drawn(call, 9, 32, lambda t: [(a, 16, b) for a, b in pieces_inside(t, 32, call, (64, 3))])


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "pieces-inside-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_01.check_pieces_inside(pieces_inside)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_01.check_pieces_inside(pieces_inside, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: guards and order
#
# **Specification.** As task 2, with two more duties. The box may lie partly or wholly outside, on every side: return (source, inside,
# target), where `inside` is how many bytes of the piece, from its first on, belong to the tensor. (If it is 0, `source` does
# not matter, and may be `None`.) And `place(address)` says where a piece meant for `address` lies: `target` is that place. The box starts on 16 bytes, so no
# piece is cut on its left.
#
# Expected length: 8 to 13 lines.
#
# <details><summary>Hint 1: which fields</summary><code>global_dim</code> (columns, rows), in elements. A row of the tensor has
# <code>global_dim[0] * size</code> bytes; the rest of its stride belongs to nobody.</details>
# <details><summary>Hint 2: which rule</summary>Count in the tensor: line = start row + row, column = start column in bytes + 16 × unit. Outside above, below or on the left:
# 0. Otherwise what is left of the row, from 0 to 16.</details>
# <details><summary>Hint 3: a worked neighbour</summary>How much of bytes 40 to 55 lies below 50: <code>max(0, min(16, 50 - 40))</code>, which is 10.</details>


# %% nbgrader={"grade": false, "grade_id": "pieces", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pieces(thread, threads, tensor_map, start, place):
    ### BEGIN SOLUTION
    size, pitch = tensor_map.data_type.size_bytes, tensor_map.global_strides[0]
    units, rows = tensor_map.box_dim[0] * size // 16, tensor_map.box_dim[1]
    width, height = tensor_map.global_dim[0] * size, tensor_map.global_dim[1]
    found = []
    for piece in range(thread, rows * units, threads):
        line, column = start[1] + piece // units, start[0] * size + piece % units * 16
        outside = not 0 <= line < height or column < 0
        inside = 0 if outside else max(0, min(16, width - column))
        found.append((tensor_map.global_address + line * pitch + column, inside, place(piece * 16)))
    return found
    ### END SOLUTION


# %% [markdown]
# **Picture.** A box over the lower right corner of 101 × 37 bfloat16, in plain order: the pieces of your thread 9, and every cut.


# %%
def picture_3():
    call = matrix(DataType.BFLOAT16, 101, 37, (64, 16), swizzle=Swizzle.NONE)
    return drawn(call, 9, 32, lambda t: pieces(t, 32, call, (64, 27), lambda address: address))


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "pieces-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_01.check_pieces(pieces)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_01.check_pieces(pieces, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: who issues
#
# **Specification.** A block fetches two tiles, one after the other, with one barrier that was set up for **one** arrival. For each tile:
#
# 1. every thread for which `announces(thread, elected)` is true runs `arrive.expect_tx` with the bytes of one tile,
# 2. then every thread for which `copies(thread, elected)` is true starts the copy of it, and all these bytes land,
# 3. then the block waits.
#
# `elected` is true for lane 0 of each warp, whom `elect.sync` picks here. Return what happens, one of
#
# - `"completes"`,
# - `"hangs at tile 1"`, `"hangs at tile 2"`: the wait for that tile never ends,
# - `"wakes early at tile 2"`: its phase is complete before its copy starts,
# - `"faults"`: an arrival too many (719).
#
# Expected length: 4 to 12 lines.
#
# <details><summary>Hint 1: which numbers</summary>How many threads announce and how many copy, out of <code>range(threads)</code>; thread
# <code>t</code> is elected if <code>t % 32 == 0</code>.</details>
# <details><summary>Hint 2: which rule</summary>A phase ends when arrivals <b>and</b> bytes are both at zero. More copies than announced end the first phase all the same, and the
# rest counts below zero in the second, before anything is announced there. Two copies are a case of their own.</details>
# <details><summary>Hint 3: a worked neighbour</summary>One announced, two land: <code>barrier_picture(run([("init", 1), ("arrive_expect", 64),
# ("complete", 64), ("complete", 64)]))</code> ends in phase 1 with −64 bytes awaited.</details>


# %% nbgrader={"grade": false, "grade_id": "outcome", "locked": false, "schema_version": 3, "solution": true, "task": false}
def outcome(announces, copies, threads):
    ### BEGIN SOLUTION
    announced = sum(bool(announces(t, t % 32 == 0)) for t in range(threads))
    copied = sum(bool(copies(t, t % 32 == 0)) for t in range(threads))
    if announced > 1:
        return "faults"
    if announced == 0 or copied == 0:
        return "hangs at tile 1"
    return {1: "completes", 2: "wakes early at tile 2"}.get(copied, "hangs at tile 2")
    ### END SOLUTION


# %% [markdown]
# **Picture.** The barrier in two tiles when one thread announces and every warp of 96 threads elects somebody to copy. Above it, what
# you say. (If it wakes early or hangs, the picture shows where.)


# %%
def picture_4():
    print("you say:", outcome(lambda t, elected: t == 0, lambda t, elected: elected, 96))
    a_tile = [("arrive_expect", 1024), *[("complete", 1024)] * 3]
    return barrier_picture(run([("init", 1), *a_tile, ("wait", 0), *a_tile, ("wait", 1)]))


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "outcome-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_01.check_outcome(outcome)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_01.check_outcome(outcome, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: the widest tile
#
# **Specification.** `threads` threads hold a tile of C with `tile_m` rows in registers, one an element, shared out evenly.
# Each thread has `registers_of_a_thread(threads)` at most, of which fetching takes `fetching` and all else `others`. Return
# (columns, operations): the widest tile of C, a multiple of 8 up to 256, and its operations for each byte of A and B, which are bfloat16.
#
# Expected length: 3 to 7 lines.
#
# <details><summary>Hint 1: which numbers</summary>The accumulators of a thread: <code>tile_m * columns / threads</code>, which must fit into what is left of its
# registers.</details>
# <details><summary>Hint 2: which rule</summary>For one step along K a tile does 2 × tile_m × columns operations. It needs tile_m elements of A, and of B
# as many as it has columns, 2 bytes each.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A tile of 128 × 128: 2 × 128 × 128 operations, 256 elements of 2 bytes: 64 operations a byte.</details>


# %% nbgrader={"grade": false, "grade_id": "widest", "locked": false, "schema_version": 3, "solution": true, "task": false}
def widest(tile_m, threads, fetching, others):
    ### BEGIN SOLUTION
    room = (registers_of_a_thread(threads) - fetching - others) * threads
    columns = min(256, room // tile_m // 8 * 8)
    return columns, tile_m * columns / (tile_m + columns)
    ### END SOLUTION


# %% [markdown]
# **Picture.** 384 threads, 192 rows: your tile with 31 registers for fetching.


# %%
def picture_5():
    columns, operations = widest(192, 384, 31, 40)
    print(f"{columns} columns, {operations:.1f} operations a byte")
    uses = {"accumulators": -(-192 * columns // 384), "fetching": 31, "others": 40}
    return budget_picture(uses, registers_of_a_thread(384))


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "widest-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_01.check_widest(widest)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_01.check_widest(widest, seed=class_seed()).require()
### END HIDDEN TESTS
