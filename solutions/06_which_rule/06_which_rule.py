# %% [markdown]
# # Exercise 06 · Which rule did I break?
#
# Five tasks on [lesson 06](../../notebooks/06_which_rule.ipynb): you find a culprit with nothing but a driver, write two
# rules, foretell the code of any copy, and mend a view without moving a byte. About 60 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. Tasks 2 and 3
# are judged by calls that a real driver answered, task 4 by copies that a real device performed.
#
# **Where to go:** [lesson 06](../../notebooks/06_which_rule.ipynb) ·
# next: [exercise 07](../07_out_of_bounds/07_out_of_bounds.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from dataclasses import replace

from course_lib import DataType, Interleave, Swizzle, TiledTensorMap
from course_lib.checks import lesson_06, show
from course_lib.draw import compare_values, verdict_picture
from course_lib.recordings import provenance

print("The recorded answers are from:", provenance(), provenance("faults.jsonl.xz"), sep="\n")

# %% [markdown]
# The pictures use one call that works, and others made of it.

# %%
good = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=0x7F0000000000,
    global_dim=(1024, 128),
    global_strides=(4096,),
    box_dim=(32, 64),
    swizzle=Swizzle.B128,
)

# %% [markdown]
# ## Task 1: the culprit
#
# **Specification.** `good` is a call that the driver accepts, `bad` one that it refuses; both have the same rank.
# `accepts(call)` asks a driver: True or False. Walk from `good` to `bad`: take over the arguments of `bad` one after the other, in
# the order of `vars(bad)`, and keep each. Return the name of the argument at which the driver refuses for the first time. Ask
# `accepts` alone: in the check some drivers have rules that no verdict of ours knows.
#
# Expected length: 4 to 6 lines.
#
# <details><summary>Hint 1: which field</summary><code>for name in vars(bad)</code> gives the names of the arguments in the
# driver's order, <code>getattr(bad, name)</code> a value.</details>
# <details><summary>Hint 2: which rule</summary>The call that you ask about grows: good values behind, bad values up to
# here. Don't begin anew from <code>good</code> at each name.</details>
# <details><summary>Hint 3: a worked neighbour</summary>One argument taken over:
# <code>now = replace(now, **{"box_dim": bad.box_dim})</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "culprit", "locked": false, "schema_version": 3, "solution": true, "task": false}
def culprit(good, bad, accepts):
    ### BEGIN SOLUTION
    now = good
    for name in vars(bad):
        now = replace(now, **{name: getattr(bad, name)})
        if not accepts(now):
            return name
    ### END SOLUTION


# %% [markdown]
# **Picture.** A call with two mistakes, and where your walk stops. Below the verdict, which sees both at once.


# %%
def picture_1():
    bad = replace(good, global_strides=(4100,), box_dim=(32, 257))
    print("your walk stops at:", culprit(good, bad, lambda call: call.check().accepted))
    return verdict_picture(bad)


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "culprit-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_06.check_culprit(culprit)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_06.check_culprit(culprit, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: a rule about strides
#
# **Specification.** `call` is a tiled call of any rank, its type not packed. Return True if the *unit* of all its strides is
# right, else False. (The range below 2<sup>40</sup> is another rule, and not asked.) No `.check()`: you write the rule.
#
# Expected length: 2 or 3 lines.
#
# <details><summary>Hint 1: which field</summary><code>call.global_strides</code>, all entries, and
# <code>call.interleave</code>.</details>
# <details><summary>Hint 2: which rule</summary>Multiples of 16 bytes; of 32 bytes with <code>Interleave.B32</code>. With
# rank 1 there is nothing to be wrong.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Every dimension is at least 1:
# <code>all(dim >= 1 for dim in call.global_dim)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "strides-fit", "locked": false, "schema_version": 3, "solution": true, "task": false}
def strides_fit(call):
    ### BEGIN SOLUTION
    unit = 32 if call.interleave == Interleave.B32 else 16
    return all(stride % unit == 0 for stride in call.global_strides)
    ### END SOLUTION


# %% [markdown]
# **Picture.** Strides around a multiple of 16: yours beside the model's verdict.


# %%
def picture_2():
    strides = [4080, 4088, 4095, 4096, 4097, 4104, 4112]
    calls = [replace(good, global_strides=(stride,)) for stride in strides]
    model = [call.check().accepted for call in calls]
    return compare_values([strides_fit(call) for call in calls], model, ("yours", "model"), f"strides {strides}")


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "strides-fit-check", "locked": true, "points": 1, "schema_version": 3, "solution": false, "task": false}
lesson_06.check_strides_fit(strides_fit)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_06.check_strides_fit(strides_fit, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: a rule about the row of the box
#
# **Specification.** `call` is a tiled call, its type not packed. Return True if the **row of the box**, its innermost dimension
# in bytes, is what the driver takes: whole units of 16 bytes, and no longer than the swizzle allows. When does the swizzle not
# matter? No `.check()`.
#
# Expected length: 4 to 6 lines.
#
# <details><summary>Hint 1: which field</summary><code>call.box_dim[0]</code> times
# <code>call.data_type.size_bytes</code>, <code>call.swizzle</code>, <code>call.interleave</code>.</details>
# <details><summary>Hint 2: which rule</summary>A multiple of 16, always. Without interleave at most 32, 64, 128 bytes
# for B32, B64, B128; without swizzle no such limit.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A table with a default:
# <code>{Swizzle.B32: 256, Swizzle.B64: 512, Swizzle.B128: 1024}.get(call.swizzle, 16)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "row-fits", "locked": false, "schema_version": 3, "solution": true, "task": false}
def row_fits(call):
    ### BEGIN SOLUTION
    row_bytes = call.box_dim[0] * call.data_type.size_bytes
    spans = {Swizzle.B32: 32, Swizzle.B64: 64, Swizzle.B128: 128}
    free = call.interleave or call.swizzle not in spans
    return row_bytes % 16 == 0 and bool(free or row_bytes <= spans[call.swizzle])
    ### END SOLUTION


# %% [markdown]
# **Picture.** Rows of 2 to 40 float32 under each swizzle: yours beside the model's verdict.


# %%
def picture_3():
    cases = [(mode, width) for mode in (Swizzle.NONE, Swizzle.B32, Swizzle.B128) for width in (2, 4, 8, 12, 32, 40)]
    calls = [replace(good, swizzle=mode, box_dim=(width, 8)) for mode, width in cases]
    yours = [f"{mode.name} {width}: {row_fits(call)}" for (mode, width), call in zip(cases, calls, strict=True)]
    model = [f"{mode.name} {width}: {call.check().accepted}" for (mode, width), call in zip(cases, calls, strict=True)]
    return compare_values(yours, model, ("yours", "model"), "rows")


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "row-fits-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_06.check_row_fits(row_fits)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_06.check_row_fits(row_fits, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: the code of a copy
#
# **Specification.** `call` is a tiled call, `direction` is `"load"` or `"store"`, `coordinates` are the start, innermost first,
# `shared_address` is in bytes. The tensor's memory is there. Return what the program sees: **1** if the encode call refuses, **715** or
# **716** if the copy traps, **0** if it goes through. Here `call.check()` is allowed.
#
# Expected length: 6 to 9 lines.
#
# <details><summary>Hint 1: which field</summary>The verdict first. Then the coordinates, with the size of an element and the
# interleave, then the shared address.</details>
# <details><summary>Hint 2: which rule</summary>715: the innermost start in bytes is no multiple of 16 (only without
# interleave), or a store has a coordinate below 0. 716: the shared address is no multiple of 128. 715 comes first.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Is a coordinate beyond the tensor?
# <code>any(at >= dim for at, dim in zip(coordinates, call.global_dim))</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "code-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def code_of(call, direction, coordinates, shared_address):
    ### BEGIN SOLUTION
    if not call.check().accepted:
        return 1
    start_bytes = coordinates[0] * call.data_type.size_bytes
    if start_bytes % 16 and not call.interleave:
        return 715
    if direction == "store" and min(coordinates) < 0:
        return 715
    return 716 if shared_address % 128 else 0
    ### END SOLUTION


# %% [markdown]
# **Picture.** Loads and stores of `good` from columns −8 to 8, as you foretell them, below one another. Which columns should
# differ?


# %%
def picture_4():
    columns = list(range(-8, 9, 2))
    loads, stores = ([code_of(good, way, (column, 0), 0) for column in columns] for way in ("load", "store"))
    return compare_values(loads, stores, ("load", "store"), f"codes at columns {columns}")


show(picture_4)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "code-of-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_06.check_code_of(code_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_06.check_code_of(code_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: mend without moving a byte
#
# **Specification.** `call` comes from a view, and its strides may be wild. The stride of an axis of **size 1** is never used, so it can be
# replaced by any legal one, and the copy brings the same bytes. Every other change would bring others. Return the call with such
# strides replaced, if that makes it legal. If it doesn't, or if the call is legal already, return `call` as it is. `.check()` is
# allowed; `.mended` is not the point: it also changes strides that *are* used.
#
# Expected length: 4 to 7 lines.
#
# <details><summary>Hint 1: which field</summary><code>global_strides[i]</code> belongs to dimension <i>i</i> + 1.</details>
# <details><summary>Hint 2: which rule</summary>0 is legal, whatever the unit. Make the candidate, ask for its verdict, and
# return one or the other.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Dimensions with their strides:
# <code>zip(call.global_dim[1:], call.global_strides)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "same-bytes", "locked": false, "schema_version": 3, "solution": true, "task": false}
def same_bytes(call):
    ### BEGIN SOLUTION
    pairs = zip(call.global_dim[1:], call.global_strides, strict=True)
    candidate = replace(call, global_strides=[0 if dim == 1 else stride for dim, stride in pairs])
    return candidate if candidate.check().accepted and not call.check().accepted else call
    ### END SOLUTION


# %% [markdown]
# **Picture.** A view with one head, mended by you.


# %%
def picture_5():
    one_head = replace(
        good, global_dim=(128, 1, 16), global_strides=(4, 2048), box_dim=(32, 1, 16), element_strides=(1, 1, 1)
    )
    return verdict_picture(same_bytes(one_head))


show(picture_5)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "same-bytes-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_06.check_same_bytes(same_bytes)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_06.check_same_bytes(same_bytes, seed=class_seed()).require()
### END HIDDEN TESTS
