# %% [markdown]
# # Exercise 11 · L2 promotion
#
# Five tasks on [lesson 11](../../notebooks/11_l2_promotion.ipynb). In the first three you write the rule of what a
# row costs, and the counters of an H200 judge it. Then you find where a rule of thumb fails, and read from counters
# what L2 has kept. About 50 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*.
#
# **Where to go:** [lesson 11](../../notebooks/11_l2_promotion.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
import numpy as np

from course_lib import L2Promotion
from course_lib.checks import lesson_11, show
from course_lib.checks.lesson_11.questions import recorded_times
from course_lib.draw import Bar, cost_bars, row_cost_picture
from course_lib.recordings import provenance
from course_lib.recordings.times.l2 import second_reads

for name in ("l2_promotion.csv", "l2_offsets.csv", "measure_hints_counters.jsonl.xz"):
    print(f"{name}: {provenance(name)}")

# %% [markdown]
# ## What the lesson found
#
# | | bytes | |
# | --- | --- | --- |
# | sector | 32 | in these L2 is asked |
# | atom | 64 | NONE and 64B: DRAM reads those around the sectors |
# | line | 128 | 128B and 256B: DRAM reads those |
# | block | 256 | 256B: line 1 comes as a hint |
#
# All of them are aligned: sector *n* begins at byte 32 *n* of memory.

# %% [markdown]
# ## Task 1: the sectors of a row
#
# **Specification.** A row of `row_bytes` bytes begins at byte `start` of memory; both are whole numbers, `row_bytes`
# is at least 1. Return how many sectors of 32 bytes it touches.
#
# Expected length: 1 to 3 lines.
#
# <details><summary>Hint 1: which number</summary>The sector of a byte is its address // 32. Which two bytes of the
# row decide?</details>
# <details><summary>Hint 2: which rule</summary>The first byte lies at <code>start</code>, the last at <code>start +
# row_bytes - 1</code>. All sectors from the one to the other are touched, both included.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The <i>lines</i> that bytes 100 to 299 touch: 100 // 128 = 0
# to 299 // 128 = 2, so 3 lines, though 200 bytes would fit into 2.</details>


# %% nbgrader={"grade": false, "grade_id": "sectors-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def sectors_of(start, row_bytes):
    ### BEGIN SOLUTION
    first, last = start // 32, (start + row_bytes - 1) // 32
    return last - first + 1
    ### END SOLUTION


# %% [markdown]
# **Picture.** A row of 64 bytes at byte 16, drawn by the model, and your number above it.


# %%
def picture_1():
    print("sectors:", sectors_of(16, 64))
    return row_cost_picture([16], 64, title="A row of 64 bytes at byte 16")


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "sectors-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_11.check_sectors_of(sectors_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_11.check_sectors_of(sectors_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: what DRAM reads
#
# **Specification.** Rows of `row_bytes` bytes begin at the addresses in the NumPy array `starts`, in any order; they
# may overlap, and an address may come twice. `promotion` is NONE, 64B or 128B. Nothing was in L2 before. Return how
# many bytes DRAM reads for all rows together.
#
# Expected length: 4 to 8 lines.
#
# <details><summary>Hint 1: which number</summary>A unit is an atom of 64 bytes or a line of 128, by
# <code>promotion</code>: <code>promotion == L2Promotion.L2_128B</code>.</details>
# <details><summary>Hint 2: which rule</summary>Every unit that some row touches is read <b>once</b>, however many
# rows want it. Collect the numbers of the units in a set.</details>
# <details><summary>Hint 3: a worked neighbour</summary>All <i>sectors</i> that one row touches, as a set:
# <code>set(range(start // 32, (start + row_bytes - 1) // 32 + 1))</code>. Sets are joined by
# <code>|</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "dram-bytes-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def dram_bytes_of(starts, row_bytes, promotion):
    ### BEGIN SOLUTION
    unit = 128 if promotion == L2Promotion.L2_128B else 64
    touched = set()
    for start in starts.tolist():
        touched |= set(range(start // unit, (start + row_bytes - 1) // unit + 1))
    return unit * len(touched)
    ### END SOLUTION


# %% [markdown]
# **Picture.** Four rows of 32 bytes, two of them in one atom, through 128B: your number, and the model's picture.


# %%
def picture_2():
    starts = np.array([0, 32, 112, 512])
    print("bytes:", dram_bytes_of(starts, 32, L2Promotion.L2_128B))
    return row_cost_picture(starts.tolist(), 32, L2Promotion.L2_128B, "Four rows, 128B")


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "dram-bytes-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_11.check_dram_bytes_of(dram_bytes_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_11.check_dram_bytes_of(dram_bytes_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: the hints of 256B
#
# **Specification.** As task 2, with promotion 256B: DRAM reads the lines that rows touch, as with 128B. And for every
# block of 256 bytes whose sector 0 some row touches, line 1 of that block comes as a hint. A hint is followed 15
# times of 16, so count 120 bytes for it, but nothing if that line is read anyway. Each line counts once. Return the
# bytes, a whole number.
#
# Expected length: 5 to 9 lines.
#
# <details><summary>Hint 1: which number</summary>Sector 0 of block <i>b</i> is sector 8 <i>b</i> of memory; line 1 of
# that block is line 2 <i>b</i> + 1.</details>
# <details><summary>Hint 2: which rule</summary>Ask each <b>sector</b> that a row touches, not the row's first byte: a
# row may begin in one block and go on into sector 0 of the next. Make two sets of lines, those that are touched and
# those that are hinted at; the second without the first costs 120 each.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A row of 32 bytes at 240 touches sectors 7 and 8, so lines 1
# and 2. Sector 8 is sector 0 of block 1, whose line 1 is line 3: 2 × 128 + 120 = 376.</details>


# %% nbgrader={"grade": false, "grade_id": "dram-bytes-256b", "locked": false, "schema_version": 3, "solution": true, "task": false}
def dram_bytes_256b(starts, row_bytes):
    ### BEGIN SOLUTION
    sectors = set()
    for start in starts.tolist():
        sectors |= set(range(start // 32, (start + row_bytes - 1) // 32 + 1))
    lines = {sector // 4 for sector in sectors}
    hinted = {sector // 4 + 1 for sector in sectors if sector % 8 == 0}
    return 128 * len(lines) + 120 * len(hinted - lines)
    ### END SOLUTION


# %% [markdown]
# **Picture.** Three rows: one in sector 0, one in sector 1, one that goes on into the next block. Your number, and the
# model's picture.


# %%
def picture_3():
    starts = np.array([0, 544, 1264])
    print("bytes:", dram_bytes_256b(starts, 32))
    return row_cost_picture(starts.tolist(), 32, L2Promotion.L2_256B, "Three rows, 256B")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "dram-bytes-256b-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_11.check_dram_bytes_256b(dram_bytes_256b)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_11.check_dram_bytes_256b(dram_bytes_256b, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: where a rule of thumb fails
#
# **Specification.** `rule(row_bytes, pitch_bytes)` answers with a promotion, 0 to 3. `times` holds measured times:
# for each pattern `(row_bytes, pitch_bytes)` a dictionary from promotion to nanoseconds. Return the patterns for
# which the rule's choice takes more than `tolerance` longer than the **best** promotion for that pattern; 0.02 is two
# per cent. The order doesn't matter.
#
# Expected length: 4 to 8 lines.
#
# <details><summary>Hint 1: which number</summary>For a pattern, <code>by = times[pattern]</code>: the rule's time is
# <code>by[rule(*pattern)]</code>, the best is <code>min(by.values())</code>.</details>
# <details><summary>Hint 2: which rule</summary>It fails where its time divided by the best is above 1 + tolerance.
# The best need not be NONE.</details>
# <details><summary>Hint 3: a worked neighbour</summary>All patterns for which the rule answers NONE: <code>[pattern
# for pattern in times if rule(*pattern) == 0]</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "where-it-fails", "locked": false, "schema_version": 3, "solution": true, "task": false}
def where_it_fails(rule, times, tolerance):
    ### BEGIN SOLUTION
    failed = []
    for pattern, by in times.items():
        if by[rule(*pattern)] / min(by.values()) > 1 + tolerance:
            failed.append(pattern)
    return failed
    ### END SOLUTION


# %% [markdown]
# **Picture.** The rule *match the promotion to the width* on the recorded times. Write a rule of your own, and try to
# beat it.


# %%
def picture_4():
    times = recorded_times()
    match = {16: 0, 32: 0, 64: 1, 128: 2, 256: 3}
    failed = set(where_it_fails(lambda row, pitch: match[row], times, 0.02))
    bars = []
    for (row, pitch), by in times.items():
        note = "(fails)" if (row, pitch) in failed else ""
        bars.append(Bar(f"rows of {row}, pitch {pitch}", by[match[row]] / 1000, note))
    return cost_bars(bars, "microseconds", "Match the promotion to the width", digits=0)


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "where-it-fails-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_11.check_where_it_fails(where_it_fails)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_11.check_where_it_fails(where_it_fails, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: what L2 has kept
#
# **Specification.** A kernel read a memory X of `x_bytes`, then another one Y of `y_bytes`, then X again.
# `dram_bytes` is what DRAM read in all three phases, and `second_ns` the time of the third. X and Y were not in L2
# before. Return two numbers: the part of X that was still in L2 for the second read, 0 to 1, and the rate of that
# read in GB/s (1 GB is 10⁹ bytes).
#
# The counter may be a little above what was needed; a part below 0 counts as 0.
#
# Expected length: 2 to 5 lines.
#
# <details><summary>Hint 1: which number</summary>DRAM must read X once and Y once. What it read beyond that, it read
# for X a second time.</details>
# <details><summary>Hint 2: which rule</summary>Kept is 1 minus the part that was read again, and not below 0. The
# second read brings all of X, wherever it lay.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The rate of a first read of 16 MiB in 5,248 nanoseconds: 16 ×
# 2²⁰ / 5248 = 3,197 bytes a nanosecond, and a byte a nanosecond is 1 GB/s.</details>


# %% nbgrader={"grade": false, "grade_id": "second-read-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def second_read_of(x_bytes, y_bytes, dram_bytes, second_ns):
    ### BEGIN SOLUTION
    again = dram_bytes - x_bytes - y_bytes
    return max(0.0, 1 - again / x_bytes), x_bytes / second_ns
    ### END SOLUTION


# %% [markdown]
# **Picture.** What you say of X with 24 MiB, by the size of Y and the policies of X and Y.


# %%
def picture_5():
    bars = []
    for read in second_reads():
        if read.x_bytes == 24 * 2**20 and read.y_bytes and read.x_policy in (None, "evict_last"):
            kept, rate = second_read_of(read.x_bytes, read.y_bytes, read.dram_bytes, read.second_ns)
            words = f"Y {read.y_bytes >> 20} MiB, X {read.x_policy or 'plain'}, Y {read.y_policy or 'plain'}"
            bars.append(Bar(words, 100 * kept, f"kept, {rate:,.0f} GB/s"))
    return cost_bars(bars, "%", "X has 24 MiB")


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "second-read-of-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_11.check_second_read_of(second_read_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_11.check_second_read_of(second_read_of, seed=class_seed()).require()
### END HIDDEN TESTS
