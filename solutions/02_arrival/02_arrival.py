# %% [markdown]
# # Exercise 02 · Arrival
#
# Five tasks on [lesson 02](../../notebooks/02_arrival.ipynb): you count bytes, keep a barrier's books, choose parities,
# mend scripts that hang or read too early, and diagnose barriers. About 75 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. Some
# scripts and states are those of an H200.
#
# **Where to go:** [lesson 02](../../notebooks/02_arrival.ipynb) ·
# next: [exercise 03](../03_the_descriptor/03_the_descriptor.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from course_lib import DataType, TiledTensorMap
from course_lib.checks import lesson_02, show
from course_lib.draw import barrier_picture, compare_values
from course_lib.model.barrier.script import run
from course_lib.model.call.sizes import transaction_bytes
from course_lib.recordings import provenance

print("The hardware's answers in the checks are from:", provenance("barriers.jsonl.xz"))

# %% [markdown]
# ## Task 1: what to announce
#
# **Specification.** `copies` is a list of copies on one barrier. Each is one of two kinds. `("tensor", tensor_map,
# coordinates)` is a tensor copy of a `TiledTensorMap` without interleave; its box may lie across an edge or outside.
# `("linear", size)` is a linear bulk copy of `size` bytes, 0 or more, perhaps no multiple of 16. Return the number of bytes that the
# barrier will count for all of them together: what `expect_tx` must be told. Compute it; do not call the library's own
# functions for it.
#
# `tensor_map.box_dim` and `tensor_map.element_strides` are tuples, innermost first; `tensor_map.data_type.size_bytes`
# is the size of an element. Along dimension 0 the element stride is 1 here.
#
# Expected length: 6 to 10 lines.
#
# <details><summary>Hint 1: which field</summary><code>box_dim</code>, <code>element_strides</code> and the size of an
# element. The coordinates do not matter: what lies outside is filled and counted.</details>
# <details><summary>Hint 2: which rule</summary>Along each dimension <code>ceil(box / stride)</code> positions are
# copied. A linear size is cut down to a multiple of 16.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A box of 8 × 5 float32 with element strides (1, 2): 8 × 3
# elements, 96 bytes. <code>-(-5 // 2)</code> is 3.</details>


# %% nbgrader={"grade": false, "grade_id": "expected-bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def expected_bytes(copies):
    ### BEGIN SOLUTION
    total = 0
    for kind, what, *_ in copies:
        if kind == "linear":
            total += what // 16 * 16
            continue
        size_of_copy = what.data_type.size_bytes
        for box, stride in zip(what.box_dim, what.element_strides, strict=True):
            size_of_copy *= -(-box // stride)
        total += size_of_copy
    return total
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your number for a box that hangs over the left edge, and for the linear copy of 252 bytes, beside the
# library's.


# %%
def picture_1():
    tile = TiledTensorMap(
        data_type=DataType.FLOAT32, global_address=0, global_dim=(64, 64), global_strides=(256,), box_dim=(32, 8)
    )
    mine = [expected_bytes([("tensor", tile, (-16, 0))]), expected_bytes([("linear", 252)])]
    return compare_values(mine, [transaction_bytes(tile), 240], ("yours", "library"), "announcements")


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "expected-bytes-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_02.check_expected_bytes(expected_bytes)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_02.check_expected_bytes(expected_bytes, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: keep the books
#
# **Specification.** A barrier was set up for `count` arrivals. `steps` is a list of `(what, number)`, in order:
# `("arrive", n)`, n arrivals; `("expect", bytes)`; `("arrive_expect", bytes)`, which expects first and then arrives
# once; `("complete", bytes)`, so many bytes land. None of them traps. Return what the barrier holds after the last
# step, as a tuple `(phase, pending, awaited)`: how many phases have ended, how many arrivals the current one still
# needs, how many bytes it awaits. Do not use the model's barrier.
#
# Expected length: 8 to 14 lines.
#
# <details><summary>Hint 1: which field</summary>Three numbers are enough: phase, pending arrivals, awaited bytes. They
# start as 0, <code>count</code>, 0.</details>
# <details><summary>Hint 2: which rule</summary>After <i>each</i> step: if both counts are zero, the phase ends, and the
# next one begins with <code>count</code> arrivals pending.</details>
# <details><summary>Hint 3: a worked neighbour</summary>count 1; complete 64 makes (0, 1, −64); arrive_expect 64 makes
# pending 0 and bytes 0, so (1, 1, 0).</details>


# %% nbgrader={"grade": false, "grade_id": "state-after", "locked": false, "schema_version": 3, "solution": true, "task": false}
def state_after(count, steps):
    ### BEGIN SOLUTION
    phase, pending, awaited = 0, count, 0
    for what, number in steps:
        if what in ("expect", "arrive_expect"):
            awaited += number
        if what == "complete":
            awaited -= number
        if what.startswith("arrive"):
            pending -= number if what == "arrive" else 1
        if pending == 0 and awaited == 0:
            phase, pending = phase + 1, count
    return phase, pending, awaited
    ### END SOLUTION


# %% [markdown]
# **Picture.** A script step by step, and your books at its end.


# %%
def picture_2():
    steps = [("expect", 64), ("arrive", 1), ("complete", 64), ("arrive_expect", 32), ("complete", 32)]
    print("yours:", state_after(2, steps))
    return barrier_picture(run([("init", 2), *steps[:2]]), "The first two steps: go on yourself")


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "state-after-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_02.check_state_after(state_after)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_02.check_state_after(state_after, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: the parities of a ring
#
# **Specification.** A ring has `slots` slots, 1 or more, each with a *full* and an *empty* barrier, set up once. Tile
# `tile`, counted from 0, goes through slot `tile % slots`. Return a tuple `(slot, full, empty)`: the slot, the parity
# for which the consumer of this tile waits on *full*, and the parity for which its producer waits on *empty* before it
# issues the copy. The producer must not be held in the first round.
#
# Expected length: 2 to 3 lines.
#
# <details><summary>Hint 1: which field</summary>How often was <i>this slot</i> used before? Not the number of the
# tile.</details>
# <details><summary>Hint 2: which rule</summary>A wait for parity p passes if the latest phase of that parity has ended.
# A fresh barrier lets parity 1 pass.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A ring of 2, tile 3: slot 1, used once before (by tile 1), so
# the consumer waits for parity 1; the producer waits until the first use is over, phase 0 of <i>empty</i>: parity
# 0.</details>


# %% nbgrader={"grade": false, "grade_id": "parities", "locked": false, "schema_version": 3, "solution": true, "task": false}
def parities(tile, slots):
    ### BEGIN SOLUTION
    use, slot = divmod(tile, slots)
    return slot, use % 2, 1 - use % 2
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your consumer's waits in a ring of 2, on the model: three tiles, one after the other.


# %%
def picture_3():
    steps = [("init", 1, "full0"), ("init", 1, "full1")]
    for tile in range(3):
        slot, full, _ = parities(tile, 2)
        on = f"full{slot}"
        steps += [("arrive_expect", 64, on), ("copy", 64, on), ("wait", full, on), ("read", None, on)]
    return barrier_picture(run(steps), "A ring of 2, three tiles")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "parities-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_02.check_parities(parities)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_02.check_parities(parities, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: mend six scripts
#
# Each of these scripts hangs, traps or reads too early, with one order of landing at least. What is meant is clear from
# the copies and the reads: they are right.


# %%
for name in lesson_02.BROKEN:
    print(f"{name:<7}", lesson_02.broken(name, 128))

# %% [markdown]
# **Specification.** `name` is one of the six names, `tile_bytes` the size of a tile, a multiple of 64. Return a right
# script: a list of steps as above, with the same copies and reads, in the same order and on the same barriers.
# Everything else may change: `init`, `arrive`, `expect`, `arrive_expect`, `wait`, their numbers and their places. It
# must come through, and every read must find its bytes, *however the bytes land*. `settle` and `complete` are no steps
# of a kernel.
#
# Expected length: 12 to 20 lines.
#
# <details><summary>Hint 1: which number</summary>Run each one, <code>run(lesson_02.broken("slice", 128),
# landing)</code> with the landings <code>"pieces"</code>, <code>"together"</code> and <code>"at once"</code>, and look
# at phase, arrivals and bytes where it stops.</details>
# <details><summary>Hint 2: which rule</summary>One each: announce the sum; init once; flip the parity; init with as
# many arrivals as come (two scripts break this one, from both sides); announce on the barrier that the copy
# names.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Two tiles through one barrier: <code>[("init", 1)]</code> and
# then, for parity 0 and for parity 1, <code>("arrive_expect", n), ("copy", n), ("wait", parity),
# ("read",)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "mend", "locked": false, "schema_version": 3, "solution": true, "task": false}
def mend(name, tile_bytes):
    ### BEGIN SOLUTION
    n = tile_bytes
    if name == "slice":
        return [("init", 1), ("arrive_expect", 2 * n), ("copy", n), ("copy", n), ("wait", 0), ("read",)]
    if name == "ring":
        script = [("init", 1, name) for name in ("full0", "full1")]
        for on in ("full0", "full1"):
            script += [("arrive_expect", n, on), ("copy", n, on)]
        for on in ("full0", "full1"):
            script += [("wait", 0, on), ("read", None, on)]
        return script
    tiles = [[("arrive_expect", n), ("copy", n), ("wait", parity), ("read",)] for parity in (0, 1)]
    return [("init", 1), *tiles[0], *tiles[1]]
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your first script, run.


# %%
def picture_4():
    return barrier_picture(run(mend("slice", 128)), "slice, mended")


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "mend-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_02.check_mend(mend)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_02.check_mend(mend, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: what is wrong with it?
#
# **Specification.** Somebody waits for the end of phase `meant` of a barrier, that is, for the parity `meant % 2`. All
# bytes have landed and all threads have arrived that ever will. The barrier holds `phase` (how many phases have ended),
# `pending` arrivals and `awaited_bytes`. Return one of these words:
#
# | word | when |
# | --- | --- |
# | `"passes"` | the phase that is meant has just ended |
# | `"early"` | the wait passes although the phase that is meant has not even begun |
# | `"lapped"` | the phase that is meant has ended, and the next one too: the wait does not pass |
# | `"bytes missing"` | all have arrived, fewer bytes came than were announced |
# | `"bytes too many"` | all have arrived, more bytes came than were announced, and zero was missed |
# | `"arrival missing"` | the bytes are there, somebody has not arrived |
# | `"not announced"` | bytes came that nobody announced, and the arrival with the announcement has not come |
#
# `phase − meant` is −1, 0, 1 or 2. Expected length: 6 to 12 lines.
#
# <details><summary>Hint 1: which field</summary>First <code>phase − meant</code>. Only where it is 0 do the two counts
# matter.</details>
# <details><summary>Hint 2: which rule</summary>A wait passes if the phase that goes on, <code>phase</code>, has the
# other parity than <code>meant</code>.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A fresh barrier, a wait for parity 1: meant is phase 1, phase is
# 0. The difference is −1, so it passes, and nothing is there: <code>"early"</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "diagnose", "locked": false, "schema_version": 3, "solution": true, "task": false}
def diagnose(phase, pending, awaited_bytes, meant):
    ### BEGIN SOLUTION
    by_phase = {-1: "early", 1: "passes", 2: "lapped"}
    if phase != meant:
        return by_phase[phase - meant]
    if pending:
        return "not announced" if awaited_bytes < 0 else "arrival missing"
    return "bytes missing" if awaited_bytes > 0 else "bytes too many"
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your diagnoses of four barriers, each meant to end phase 2.


# %%
def picture_5():
    for phase, pending, awaited_bytes in ((2, 1, 0), (2, 0, 4096), (3, 1, 0), (4, 1, 0)):
        word = diagnose(phase, pending, awaited_bytes, 2)
        print(f"phase {phase}, {pending} pending, {awaited_bytes:>4} bytes: {word}")


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "diagnose-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_02.check_diagnose(diagnose)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_02.check_diagnose(diagnose, seed=class_seed()).require()
### END HIDDEN TESTS
