# %% [markdown]
# # 02 · Arrival
#
# **The question:** how does anyone know that the bytes are there?
#
# Afterwards you can
#
# - write the smallest copy that the engine makes, and read each line of its kernel,
# - say after every instruction what the barrier holds: phase, arrivals, bytes,
# - compute the byte count, the arrival count and the parity of any wait,
# - look at a kernel that hangs, wakes up early or dies with 719, and say which count was wrong.
#
# **Time:** about 95 minutes: part A, the smallest copy, 20; part B, the barrier, 45; part C, hangs, 30. **You need:**
# [lesson 00](00_start_here.ipynb) for the labels, [lesson 01](01_why_tma.ipynb) for what the engine does, and threads,
# blocks and shared memory, which the [refresher](00b_refresher.ipynb) has. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# A block's shared memory is a row of bytes that all its threads see. `__syncthreads()` holds each thread of the block
# until all have come. An *asynchronous* instruction is issued and is not yet done: the thread goes on, and something else
# does the work. And the **parity** of a number is 0 if it is even, 1 if it is odd:

# %%
[phase % 2 for phase in range(6)]

# %% [markdown]
# Three questions from lessons 00 and 01. Answer each aloud before you open it.
#
# <details><summary>A box of 64 × 8 bfloat16. How many bytes?</summary>1,024: 512 elements of 2 bytes. That number comes
# back today.</details>
#
# <details><summary>One thread issues a tensor copy of a whole tile. Who works out the addresses, and what does the
# thread do next?</summary>The engine works them out, from the descriptor and the coordinates. The thread goes on at
# once: nothing has arrived yet.</details>
#
# <details><summary>A cell says <b>seen</b>. What does it promise?</summary>Nothing: it happened in k of n recorded
# runs.</details>
#
# # Part A · The smallest copy
#
# ## One line, no tensor map
#
# The engine has a copy that needs no descriptor: so many bytes in a row, from global memory to shared memory. In PTX:
#
# ```
# cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes  [to], [from], size, [barrier];
# ```
#
# `bulk` is the engine. Then come the target's memory and the source's, and how completion is told: an object in shared
# memory, the **mbarrier**, is told of each byte. One thread issues it. We ask the recordings for one such copy, 64 bytes
# from byte 7,792 of global memory to byte 1,888 of shared memory:

# %%
from course_lib.machines import machine
from course_lib.recordings import source_bytes

copied = machine("recorded").bulk("global_to_shared", 7792, 1888, 64, seed=95)
print(copied)
bool((copied.memory[1888:1952] == source_bytes(95, 8192)[7792:7856]).all())

# %% [markdown]
# The bytes are the right ones, and the barrier counted 64 (**measured**). A row of a matrix, a vector, a block of
# weights that lies in one piece: this copy is enough for them, and all that this lesson says of barriers holds for
# tensor copies too.
#
# ## Sixteen bytes
#
# Both addresses and the size must be multiples of 16 (**documented**: PTX ISA, `cp.async.bulk`, which calls anything else
# undefined). Undefined is a large word. What does this chip do?

# %%
from course_lib.widgets import predict, reveal

ways = [
    "24 bytes come, the wait ends",
    "16 bytes come, the wait ends",
    "16 bytes come, the wait never ends",
    "it faults",
]
odd_size = predict("A copy of 24 bytes; the barrier is told 24. What happens?", choices=ways, name="A size of 24")

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings import committed, provenance, read_rows

bulk_rows = [row for row in read_rows(committed("bulk.jsonl.xz")) if row["direction"] == "global_to_shared"]
odd = next(row for row in bulk_rows if (row["size"], row.get("transaction_bytes"), row["source"]) == (24, 24, 0))
asked = machine("model").bulk("global_to_shared", 0, 0, 24, seed=95)
model = ways[2 - int(asked.completed)]
reveal(odd_size, model=model, hardware=ways[2 - odd["status"]], source=provenance("bulk.jsonl.xz"))

# %% [markdown]
# The size is rounded **down** to 16, in bytes moved and in bytes counted. So nobody reports anything: the last 8
# bytes are missing, and a barrier that was told 24 waits for 8 that never come. All the odd copies that were tried:

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.tables import table

nothing = {"status": None, "last_touched": None, "fault": None}
tried = [
    nothing | row | {"ended": row["status"] == 1 if "status" in row else None} for row in bulk_rows if "why" in row
]
words = {"source": "from", "destination": "to", "transaction_bytes": "told", "last_touched": "bytes came"}
table(tried, size="size", **words, ended="wait ended", fault="fault")

# %% [markdown]
# An **address** off 16 traps with 716, misaligned address; a **size** off 16 is cut in silence (**measured**). The last
# four rows show that the barrier may be told the cut size; then the wait ends. And a copy of fewer than 16 bytes, with
# an address off 16?

# %%
for row in read_rows(committed("bulk_empty.jsonl.xz")):
    off = row["source"] % 16, row["destination"] % 16
    print(f"{row['direction']:<17} {row['size']:>2} bytes, addresses off by {off}: fault", row.get("fault", "none"))

# %% [markdown]
# It moves nothing, and does not even look at its addresses (**measured**). Side by side:
#
# | | linear bulk copy | tensor copy |
# | --- | --- | --- |
# | address in shared memory | a multiple of 16 | a multiple of 128 |
# | address in global memory | a multiple of 16 | by the descriptor's rules |
# | size | bytes, a multiple of 16, in a register | the box, in the descriptor |
# | who knows the edge of the tensor? | you | the engine |
#
# So a row of 63 floats goes as 60 floats by bulk copy and 3 by ordinary code. One project lost the last 3; another hung
# with 508 bytes; a third had 2,048 bytes at offset 20 and got *misaligned*, at offset 16 not. You can now say why, for
# all three. (PTX 9.2 adds `.ignore_oob` to this load: up to 15 bytes at each end may then lie outside the allocation, and
# arrive undefined. **Documented**: PTX ISA, `cp.async.bulk`.)
#
# ## A kernel, line by line
#
# This kernel made the recordings above. It stands in `course_lib/gpu/kernels/bulk_load.cu`:

# %%
from importlib.resources import files

kernel = (files("course_lib.gpu") / "kernels" / "bulk_load.cu").read_text().splitlines()
print(*(f"{number:>2} {line}" for number, line in enumerate(kernel, 1) if number >= 8), sep="\n")

# %% [markdown]
# | line | what it does |
# | --- | --- |
# | 22 | the barrier: 8 bytes of shared memory, on a multiple of 8 |
# | 23 | PTX takes *shared* addresses, 32 bits; a C pointer is generic, 64 bits |
# | 24 | fills the window with `0xCD`, so that you see what the copy did not write |
# | 25 | one thread sets the barrier up: each phase will need **1** arrival |
# | 26 | a fence: what threads wrote so far, the `0xCD`, comes before what the engine writes to the same place |
# | 27 | no thread goes on before the barrier is set up and the window is filled |
# | 29 | one arrival, and the number of bytes that will come. `_` drops the token, of which more below |
# | 30 | the copy. The thread does not stop here. (`shared::cluster` is the wider window; the own block lies in it. From PTX 8.6 on one may write `shared::cta`) |
# | 32 | waits for the end of phase **0**, lines 9 to 16 |
# | 35 | after it, everyone may read |
#
# Two things a real kernel does otherwise (**documented**: PTX ISA, mbarrier.try_wait). It waits with `try_wait`, which
# may put the thread to sleep for a while, in a loop *without* an end; ours asks `test_wait` for 20 ms and gives up, so
# that a hang comes back as an answer. And there all the threads that read the tile wait for themselves; here one waits,
# and line 35 holds the others.
#
# # Part B · What a barrier counts
#
# ## Why not __syncthreads?
#
# It is the usual way to say *now the tile is complete*. A kernel fills a tile with `0xCDCDCDCD`, and one thread issues
# the copy over it. All 256 threads call `__syncthreads()`. Then each looks for words that are still the old ones. The
# tile has 16 KiB and is not in L2. 1,056 blocks, each a run of its own:

# %%
runs = ["in none", "in about half of them", "in all 1,056"]
passing = predict("In how many runs does a thread see old words after __syncthreads()?", choices=runs, name="Old words")

# %% jupyter={"outputs_hidden": true}
order = [row for row in read_rows(committed("measure_order.jsonl.xz")) if "way" in row]
alone = [row for row in order if row["way"] == "syncthreads"]
first = next(r for r in alone if (r["tile_bytes"], r["from"], r["delay_cycles"]) == (16384, "dram", 0))
print(f"old words: seen in {first['runs_with_old_bytes']} of {first['runs']} runs")
hardware = runs[round(2 * first["runs_with_old_bytes"] / first["runs"])]
reveal(passing, hardware=hardware, source=provenance("measure_order.jsonl.xz"))

# %% [markdown]
# In all of them (**seen**). The threads pass, the bytes are not there. Perhaps one only has to wait a little? Here
# is the same with a pause between the copy and `__syncthreads()`, for a tile of 128 bytes:

# %% jupyter={"outputs_hidden": true}
from course_lib.draw import Share, barrier_picture, share_bars

small = [row for row in alone if (row["tile_bytes"], row["from"]) == (128, "dram")]
shares = [Share(f"{r['delay_cycles']} cycles", r["runs_with_old_bytes"], r["runs"]) for r in small]
share_bars(shares, "128 bytes from DRAM: runs in which a thread saw old words")

# %% [markdown]
# Fewer and fewer, none at 1,000 cycles, and then, at 1,500, in almost every second run (**seen**: 499 of 1,056). Nobody
# knows why that launch was slow. And the same program once more, some hours later:

# %%
later = [row for row in read_rows(committed("measure_order_again.jsonl.xz")) if row.get("way") == "syncthreads"]
later = [row for row in later if (row["tile_bytes"], row["from"]) == (128, "dram")]
{f"{row['delay_cycles']} cycles": row["runs_with_old_bytes"] for row in later}

# %% [markdown]
# Now 1,500 cycles are enough, and 1,000 are not: 7 of 1,056 (**seen**). That is the point: **no pause proves anything**,
# and a test that passes with one proves nothing either.
#
# Why does it fail? One course answers: because only one thread takes part in issuing. That is true and not the reason. If
# all 256 threads had issued a piece each, it would be the same. `__syncthreads()` waits for *threads* and orders
# what *threads* wrote; the copy belongs to no thread any more. What is needed is something that waits for **bytes**.
#
# ## What the thread does meanwhile
#
# The good side of the same fact. The cycles from just before the copy to just behind `__syncthreads()`, and to
# the end of a wait on the barrier, for 16 KiB that are not in L2:

# %%
large = [row for row in order if (row["tile_bytes"], row["from"], row["delay_cycles"]) == (16384, "dram", 0)]
{row["way"]: row["cycles_median"] for row in large}

# %% [markdown]
# About 490 cycles against 5,500 (**measured**, medians of 1,056 blocks, several on each SM at a time). So 5,000 cycles
# are free for other work. One course calls this *perfect asynchrony* and says that it takes little engineering. The
# engine does its part: one instruction, and nothing more to do until the wait. What to do in the 5,000 cycles, and
# where to put the next tile meanwhile, is the engineering: lesson 15.
#
# ## Two counts and a phase
#
# An mbarrier holds three things (**documented**: PTX ISA, mbarrier; the recordings below agree).
#
# - **Pending arrivals.** `mbarrier.init` says how many each phase needs; each *arrive* takes one away.
# - **Awaited bytes**, the *transaction count*. `expect_tx` adds to it, and each landing byte subtracts.
# - **The phase**: how many have ended. A phase ends at the moment at which **both counts are zero**. Then the next
#   begins, with all arrivals pending again.
#
# A wait asks one question: has the phase of *this parity* ended? The model does what the barrier does, step by step.
# `run` takes a script, and `play` draws what it did. A tile of 128 bytes:

# %%
from course_lib.model.barrier.script import run


def play(steps, landing="pieces"):
    return barrier_picture(run(steps, landing))


play([("init", 1), ("arrive_expect", 128), ("copy", 128), ("wait", 0), ("read",)])

# %% [markdown]
# Each line shows the barrier *after* a step: phase and its parity, arrivals still pending, bytes awaited, and which
# wait would pass now, one for parity 0 or one for parity 1. `arrive.expect_tx` is two things in one: first it adds 128
# bytes, then it arrives. Now no arrival is pending, but 128 bytes are awaited, so the phase goes on. The bytes land in
# pieces while the thread waits. With the last one the phase ends, the next begins, and the wait for parity 0 passes.
# The same with `__syncthreads()` in place of the wait:

# %%
play([("init", 1), ("arrive_expect", 128), ("copy", 128), ("sync",), ("read",)])

# %% [markdown]
# It passes through at once. The barrier knows that 128 bytes are missing; nobody asked it.
#
# ## Down, below zero, and up again
#
# Many texts say that the hardware *increments* the byte count until the expected number is reached. In the
# picture it counts **down**. Can one look? Each arrival returns a token: the 64-bit word of the barrier *before* it. The
# documents call it opaque. We took it for three counts, negated, and a parity, and asked the model for each
# recorded token. (Of a token, 64 bits, the upper 32 were kept.)

# %%
from course_lib.recordings.times.barriers import recorded_tokens

pairs = list(recorded_tokens())
sum(ours == recorded for ours, recorded in pairs), len(pairs)

# %% [markdown]
# All of them. So a token can be read. Here are two of 16 KiB copies, one between two `expect_tx`, one behind a copy
# that nobody had announced yet:

# %%
from course_lib.recordings.times.barriers import read_token, script_named

for name in ("two copies, two expects", "copy before expect"):
    script = script_named(name, (256, 64))
    at = next(number for number, token in enumerate(script["tokens"]) if token)
    print([step for step in script["steps"][:at] if step[0] != "settle"], "->", read_token(script["tokens"][at]))

# %% [markdown]
# Expecting 16 KiB made it +16; a copy that landed unannounced made it −16 (**measured**; how a token is read is our
# finding, no contract). So *expect adds, landing subtracts, and zero is the end*. The count may be below zero in
# between, which the next question needs.
#
# ## Announce before or after?
#
# A sample of NVIDIA issues the copy and calls `expect_tx` **afterwards**. Tools that review code keep calling that a bug:
# the bytes might land before they are announced. One course does it too, and calls it the crucial line. So:

# %%
sides = ["the wait ends too early", "nothing: the wait ends when all is there", "the wait never ends", "it traps"]
late = predict("Copy; all bytes land; then arrive.expect_tx; wait. What goes wrong?", choices=sides, name="Late")

# %% jupyter={"outputs_hidden": true}
afterwards = run([("init", 1), ("copy", 128), ("arrive_expect", 128), ("wait", 0), ("read",)], "at once")
rows = [row for row in order if row["way"] == "copy, expect"]
never_wrong = all(r["ended"] == r["runs"] and not r["runs_with_old_bytes"] for r in rows)
print(sum(r["ended"] for r in rows), "waits of", sum(r["runs"] for r in rows), "ended; old words seen:", end=" ")
print(sum(r["runs_with_old_bytes"] for r in rows))
model, hardware = (sides[int(right)] for right in (afterwards.is_right, never_wrong))
reveal(late, model=model, hardware=hardware, source=provenance("measure_order.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
barrier_picture(afterwards)

# %% [markdown]
# Nothing (**measured**: 57,024 runs, also with 4,000 cycles between copy and announcement). The count goes to −128 and
# comes back. The phase can't end in between, since **an arrival is still pending**: the one that comes *with* the
# announcement. That is the condition: *announce before the last arrival*. Of five orders one breaks it. (The recorded
# scripts use a tensor copy. A barrier can't tell it from a linear one.)

# %%
from course_lib.recordings.times.barriers import phases_ended

for order_of in ("right", "copy before expect", "expect, copy, arrive", "copy, expect, arrive"):
    print(f"{order_of:<32} phases ended: {phases_ended(script_named(order_of, (256, 1)))} of 3")
early = script_named("arrive without expect, then copy", (256, 1))
print(f"{early['name']:<32} ended at its first arrival: {early['ended'][1] == [1, 0]}, then fault {early['fault']}")

# %% [markdown]
# All four right orders went through three phases on the H200, and the fifth ended its phase at the arrival, with no byte
# there (**measured**). Which order to take? `arrive.expect_tx` first costs nothing and leaves nothing to think about.
#
# In that course *all* threads of the block arrive, through C++: `init(&bar, blockDim.x)`, the copy,
# `barrier_expect_tx`, then `bar.arrive_and_wait()` by everyone. Here with 4 threads, the bytes landing as early as they
# can:

# %%
everyone = [("init", 4), ("copy", 128), ("expect", 128), *[("arrive",)] * 4, ("wait", 0), ("read",)]
run(everyone, "at once").is_right

# %% [markdown]
# Right (**model**; the recorded *copy, expect, arrive* is its hardware twin with one thread). So `init` may say 1, and
# the thread that issues arrives alone, or it may say *n*, and all arrive. Both are in use. The first needs fewer
# instructions; with the second the phase also tells that all threads have come. What it must never be is something else
# than what really arrives.
#
# ## Parity
#
# A wait names no phase, only a parity: 0 for phases 0, 2, 4 …, 1 for phases 1, 3, 5 …, and it passes if the *latest*
# phase of that parity has ended. Each user of a barrier keeps its own bit and flips it after each wait. Who starts at
# 1?

# %%
fresh = predict(
    "A barrier fresh from init, nobody has arrived. Which wait passes at once?",
    choices=["none", "parity 0", "parity 1", "both"],
    name="The wait that passes",
)

# %% jupyter={"outputs_hidden": true}
answers = {(0, 0): "none", (1, 0): "parity 0", (0, 1): "parity 1", (1, 1): "both"}
passes = [run([("init", 1), ("wait", parity)]).ending == "through" for parity in (0, 1)]
recorded = script_named("right", (16, 1))["ended"][0]
source = provenance("barriers.jsonl.xz")
reveal(fresh, model=answers[tuple(map(int, passes))], hardware=answers[tuple(recorded)], source=source)

# %% [markdown]
# **A fresh barrier lets parity 1 pass**, as if a phase −1 had ended (**measured**; by the documents, a wait is valid
# for the phase that goes on and the one before). That is used on purpose. A ring of buffers has a *full* and an *empty*
# barrier a slot. The consumer waits on *full* and starts with parity 0: nothing is there yet. The producer waits on
# *empty* and starts with 1: all slots are free at first. (`make_producer_start_state` of CUTLASS is that 1.
# **Documented**: CUTLASS, `sm90_pipeline.hpp`.) For tile *k* in a ring of *s* slots:

# %%
slots = 4
tiles = [{"k": k, "slot": k % slots, "full": k // slots % 2, "empty": 1 - k // slots % 2} for k in range(10)]
table(tiles, k="tile", slot="slot", full="consumer waits on full for", empty="producer waits on empty for")

# %% [markdown]
# The parity is **the number of times that this barrier was used before, modulo 2**; not the number of the tile. One bit
# also means that a wait must not fall two phases behind: the phase it means and the one that goes on would look alike.
# A ring takes care of that: a slot is filled again only after its consumer has arrived on *empty* (**documented**: each
# phase must be seen to end before anyone arrives in the next).
#
# ## Pieces
#
# In the pictures the bytes land 32 at a time. That is not decoration. Told too small a number, a phase ends if the
# count happens to be zero **on the way**. So a wrong count is a probe: which numbers can be hit? One row of 256 bytes;
# each number was told 16 times.

# %%
candidates = {"16": 16, "64": 64, "112": 112, "240": 240}
early_count = predict(
    "256 bytes come. With which number was the phase seen to end early?", choices=list(candidates), name="The number"
)

# %% jupyter={"outputs_hidden": true}
counts = list(read_rows(committed("barrier_steps.jsonl.xz")))
hits = {row["expected"]: row for row in counts if row["name"].startswith("1 rows of 256 bytes")}
ended = [name for name, count in candidates.items() if hits[count]["completed"]]
reveal(early_count, hardware=", ".join(ended), source=provenance("barrier_steps.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
shares = [Share(f"told {count:>3}", row["completed"], row["runs"]) for count, row in sorted(hits.items())]
share_bars(
    shares, "256 bytes come: runs in which the phase ended", "0 ends at the arrival; 256 is right; 272 never ends"
)

# %% [markdown]
# 64, 96, 128, 192 and 224 were hit, one in every run, the others in about half of them, none that is off 32 (**seen**,
# 16 runs each). An earlier recording of ours had hits at 64, 128 and 192 only, and 64 looked like the step. It is
# finer: **32, the sector of *global* memory**, for tensor copies and linear ones. Start 16 bytes into a sector and the
# first and the last piece have 16:

# %%
cuts = [row for row in read_rows(committed("barrier_pieces.jsonl.xz")) if (row["row_bytes"], row["rows"]) == (64, 1)]
for row in (row for row in cuts if row["coordinates"][0] in (0, 16)):
    print(f"{row['copy']:<5} 64 bytes from byte {row['coordinates'][0]:>2}: hit in 16 runs:", row["hits"])

# %% [markdown]
# Pieces of 16, 32, 16 give 16, 32 and 48, in an order that changes from run to run. Are the sums of pieces all that is
# ever hit? 5,482 numbers were told, 16 times each, over rows of 16 to 2,048 bytes and all swizzles:

# %%
from collections import Counter

from course_lib.model.barrier.countdown import sums
from course_lib.recordings.times.barriers import pieces_of
from course_lib.rows.calls import tensor_map_of


def kind_of(row):
    of = pieces_of(tensor_map_of(row["map"]), 0)
    if row["expected"] in (0, sum(of)):
        return "nothing or all"
    return "too many" if row["expected"] > sum(of) else "a sum" if row["expected"] in sums(of) else "no sum"


# %%
often = {0: "never", 16: "always"}
kinds = [kind_of(row) for row in counts]
Counter((kind, often.get(row["completed"], "sometimes")) for kind, row in zip(kinds, counts, strict=True))

# %% [markdown]
# No number that is not a sum of pieces ever ended a phase, in 2,188 × 16 launches, and no number that was too large
# (**measured**). Of the sums 331 ended it always, 2,094 now and then, 452 never in 16 runs (**seen**). So a count that
# is too small is **either silently early or a hang**, and which of the two is chance. No document says in which pieces
# a copy counts down; never rely on them.
#
# ## Several copies, one barrier
#
# A stage of a GEMM needs a tile of A and a tile of B. Both copies name the same barrier; announce the **sum**, once, or
# each part where its copy is issued, in any case before the last arrival. And what counts of a tensor copy is the whole
# box, filled parts too ([lesson 07](07_out_of_bounds.ipynb)), but only the rows that element strides leave ([lesson
# 04](04_shapes_strides_boxes.ipynb)). Twice 128 bytes with two announcements:

# %%
play([("init", 1), ("expect", 128), ("arrive_expect", 128), ("copy", 128), ("copy", 128), ("wait", 0), ("read",)])

# %%
for name in ("two copies, one expect of both", "two copies, two expects"):
    print(f"{name:<32} phases ended: {phases_ended(script_named(name, (64, 4)))} of 3")

# %% [markdown]
# Both went through three phases on the H200 (**measured**).
#
# ## How far it counts
#
# Arrivals: 1 to 1,048,575. Bytes: −1,048,575 to 1,048,575 (**documented**: PTX ISA, mbarrier). What does the H200 do at
# the ends?

# %%
misuse = list(read_rows(committed("barrier_misuse.jsonl.xz")))
for row in misuse:
    if max([0, *(number for _, *numbers in row["steps"] for number in numbers)]) >= 2**20 - 2:
        said = ", ".join(f"{what} {number[0] if number else 1:,}" for what, *number in row["steps"])
        print(f"{said:<44} fault {row.get('fault', 'none')}")

# %% [markdown]
# Out of range is no wrap-around but a trap: 719, launch failed (**measured**; no document names a code). In small steps
# the count reaches 1,048,576, one more than promised. Since a block has at most 227 KiB of shared memory, 232,448
# bytes, an honest count never comes near. Who sees 719 has counts that pile up phase after phase, or an arrival too
# many.
#
# ## Two proxies and three fences
#
# Threads reach shared memory through the *generic proxy*; the engine moves bytes through the *async proxy*. Think of two
# doors: that one thing has gone through its door before another does not order it for those at the other door.
# `__syncthreads()` orders one door only. Three places matter (**documented**: PTX ISA, async proxy, mbarrier,
# `cp.async.bulk`):
#
# | who wrote, or read | who comes next | what is needed between |
# | --- | --- | --- |
# | a thread: `mbarrier.init` | engine and threads use the barrier | no proxy fence: the engine uses the *barrier* by the generic proxy too. `__syncthreads()`; in a cluster `fence.mbarrier_init.release.cluster`, then the cluster's barrier |
# | threads wrote or read a tile by ordinary loads and stores | a bulk copy reads or overwrites it | `fence.proxy.async.shared::cta` by every such thread, then a barrier |
# | the engine: bytes of a copy | threads read them | nothing but the wait, which acquires by default: one that passed makes them visible |
#
# The first row is often told otherwise. For years NVIDIA's guide had a `fence.proxy.async` behind `init`, to *make the
# barrier visible in the async proxy*, and the C++ example of the course above has it too. PTX ISA 9.4 says of the copy
# that it *accesses its mbarrier operand using generic-proxy*. By that the fence may go; it does no harm. CUTLASS has a
# function for each of the two: `fence_barrier_init` for the first row, `fence_view_async_shared` for the second.
#
# The second row is the one that is forgotten, since its mistake can hide: somebody counted 86 of 100 runs that differed
# without the fence and 0 with it, and another kernel had wrong sums only at large batches. The third is why a *flag* in
# shared memory can't stand in for the wait: only the barrier's wait carries the bytes across.
#
# ## A fence left out
#
# What happens here without it? A first program (`course_lib/gpu/kernels/measure_fences.cu`) leaves it out in three
# ways: *init*, then a copy through that barrier; ordinary *stores* into a tile, then a bulk copy of it to global memory;
# ordinary *loads* of a tile, then a bulk copy over it. `__syncthreads()` is there each time. 67,584 runs of each:

# %%
print(provenance("measure_fences.jsonl.xz"))
tries = [row for row in read_rows(committed("measure_fences.jsonl.xz")) if "case" in row]
fence_columns = {"fence": "fence", "runs": "runs", "runs_with_wrong_words": "with wrong words"}
table(tries, case="case", **fence_columns, never_ended="phase never ended")

# %% [markdown]
# Not one wrong word, with a fence or without (**seen**: 0 of 67,584 in each case). *Loads* could hardly fail: the engine
# touches the tile when bytes arrive, and by then they are long done (**model**, our reading). But *stores*? A second
# program, `measure_fences_close.cu`, comes closer. **One** warp writes a tile of 4 KiB, 32 stores a lane. Behind
# `__syncwarp()` its first lane has the engine copy the tile. Meanwhile seven more warps do nothing but store elsewhere,
# with lanes 128 bytes apart, so that each of their stores takes 32 turns.

# %%
how_often = ["in none", "in about one of 1,000", "in about one of 10", "in all"]
no_fence = predict(
    "One warp stores and copies at once, no fence, seven busy warps. In how many of 67,584 runs do wrong words arrive?",
    choices=how_often,
    name="Runs with wrong words",
)

# %% jupyter={"outputs_hidden": true}
close = [row for row in read_rows(committed("measure_fences_close.jsonl.xz")) if "case" in row]
stored = next(row for row in close if (row["case"], row["fence"], row["how"]) == ("shared", "none", "busy"))
share = stored["runs_with_wrong_words"] / stored["runs"]
hardware = next(w for w, most in zip(how_often, (0, 0.03, 0.5, 1), strict=True) if share <= most)
reveal(no_fence, hardware=hardware, source=provenance("measure_fences_close.jsonl.xz"))

# %% jupyter={"outputs_hidden": true}
near = [row for row in close if row["case"] in ("shared", "global")]
names = [f"{row['case']} memory, {row['how']}, fence: {row['fence']}" for row in near]
shares = [Share(name, row["runs_with_wrong_words"], row["runs"]) for name, row in zip(names, near, strict=True)]
share_bars(shares, "A tile copied right behind the stores: runs with wrong words")

# %% [markdown]
# In all of them, and with the fence in none (**measured**: 67,584 of 67,584 and 0). A tile in *global* memory, which the
# warp writes and the engine loads, gives the same. The median run has 64 wrong words of 1,024: two of the warp's 32
# stores. Our reading (**model**): a store that was issued waits in line until its pipe has done it. The engine does not
# stand in that line. If the pipe is quiet, the line is empty when the engine comes, and nothing shows (**seen**: 0 of
# 67,584). `__syncwarp()` holds threads, not stores, and so does `__syncthreads()`.
#
# `__threadfence()` in place of the proxy fence: 0 of 67,584 (**seen**); PTX does not promise it. What does a fence do,
# then? This is what the compiler makes of each, behind two stores:

# %%
print(provenance("measure_fence_code.jsonl.xz"))
code = [row for row in read_rows(committed("measure_fence_code.jsonl.xz")) if "opcodes" in row]
table([row | {"code": ", ".join(row["opcodes"])} for row in code], instruction="source", code="machine code")

# %% [markdown]
# By their names, the proxy fence for shared memory waits for the stores first and then turns to the engine's view.
# `__syncthreads()` has neither. And `fence.mbarrier_init` is **nothing**, a NOP, while `init` has half a proxy fence
# before it, unasked (**measured**, of this compiler). So "no fence" in the source is not "no fence" in the machine, and
# an *init* with that fence or without is one program, but for the NOP.
#
# ## Who needs the fence
#
# A third program, `measure_fences_cluster.cu`, has clusters of two blocks. *Remote*: block 1 writes a tile in block 0's
# shared memory, they meet at the cluster's barrier, and block 0 has the engine copy the tile. *Init*: block 1 sets up a
# barrier, they meet, and block 0 sends a tile to it. The meeting is the usual one, with `.release`, or a `.relaxed`
# one, which orders nothing:

# %%
table([row for row in close if row["case"] in ("remote", "init")], case="case", how="meeting", **fence_columns)

# %% [markdown]
# With `.release` the words are right even without a proxy fence (**seen**: 0 of 33,792). Such a meeting has a MEMBAR of
# its own, as the table above shows. With `.relaxed` 27,967 of 33,792 runs are wrong. A fence by the **reader** alone
# leaves 224, and by the **writers** 0 (**seen**). So it stands with those who wrote, *before* the meeting. The barriers
# were right in all runs, also without `fence.mbarrier_init` (**seen**), which is that NOP. Write it all the same: PTX
# promises something for the source, and nobody for the next compiler.
#
# One mistake, and it shows in no run or in all, by what else the SM does. So **a test that passes does not find a
# missing fence**. Only reading the code does.
#
# # Part C · When it goes wrong
#
# ## Six classic mistakes
#
# On a GPU a hang shows nothing: 100 % load, no message. In the model it is an exception that says who waits for
# what. Keep its form in mind: it is what you want to know of a hanging kernel.

# %%
from course_lib import Deadlock
from course_lib.model.barrier.mbarrier import MBarrier

full = MBarrier(2, "full[0]")
full.arrive_expect_tx(128)
try:
    full.wait(0, who="warp 3")
except Deadlock as hang:
    print(hang)

# %% [markdown]
# ### Too many bytes announced
#
# The box was counted in elements of the wrong size, or a partner's bytes were added. What is left over stays:

# %%
play([("init", 1), ("arrive_expect", 144), ("copy", 128), ("wait", 0), ("read",)])

# %% [markdown]
# **Sign:** no arrival pending, bytes *above* zero. On the H200 none of 139 boxes ended with 16 bytes too many
# (**measured**, above: *too many, never*).
#
# ### Too few bytes announced
#
# With a sum of pieces it may wake up early; here 64 of 128, one script with two orders of landing (**model**):

# %%
short = [("init", 1), ("arrive_expect", 64), ("copy", 128), ("wait", 0), ("read",)]
play(short)

# %%
play(short, "together")

# %% [markdown]
# **Sign:** either wrong numbers or a hang with bytes *below* zero. The worst kind, since chance decides, and a test may
# see either. Over several phases the surplus is carried into the next one. Recorded, a box of 64 bytes, of which 64, 32
# or 48 were announced in each of three phases of three steps (announce, copy, some time):

# %%
for name in ("right", "every phase expects 32", "every phase expects 48"):
    script = script_named(name, (64, 1))
    print(f"{name:<24} after each step, parity 0 ended: {[a for a, _ in script['ended']]}, fault {script.get('fault')}")

# %% [markdown]
# *Right* changes at each third step. Told 32, a phase ended early and a later one never did. Told 48, which is no sum
# of pieces, none ended, and the next `arrive.expect_tx` trapped: no arrival was pending any more (**measured**).
#
# ### The wrong parity
#
# The bit is not flipped, or starts at 1 where it should start at 0. The wait looks at the phase before and passes:

# %%
twice = [("arrive_expect", 128), ("copy", 128), ("wait", 0), ("read",)] * 2
play([("init", 1), *twice])

# %% [markdown]
# **Sign:** no hang at first, but the numbers of the tile before (**model**). If later on a phase is missed, the same
# mistake hangs. Whoever waits for one phase while two have ended hangs, too: that is the next case.
#
# ### An arrival missing, or one too many
#
# `init` said 2, one warp took a branch around its arrival:

# %%
play([("init", 2), ("arrive_expect", 128), ("copy", 128), ("wait", 0), ("read",)])

# %% [markdown]
# **Sign:** zero bytes, arrivals pending. And one too many? Let `init` say 1, and let two threads arrive in each phase,
# after the bytes have landed:

# %%
two = [
    "it traps with 719",
    "two phases end, and the wait for the first never passes",
    "nothing: the extra arrival is lost",
]
extra = predict(
    "All bytes are there. Then a second arrival, and a wait for parity 0.", choices=two, name="One too many"
)

# %% jupyter={"outputs_hidden": true}
slipped = run([("init", 1), ("arrive_expect", 64), ("copy", 64), ("arrive",), ("wait", 0), ("read",)], "at once")
recorded = script_named("an arrival too many", (64, 1))["ended"]
hardware = two[1] if recorded[3:5] == [[1, 0], [0, 1]] else two[2]
reveal(extra, model=two[1] if slipped.ending == "hangs" else two[0], hardware=hardware, source=source)

# %% jupyter={"outputs_hidden": true}
barrier_picture(slipped)

# %% [markdown]
# The extra arrival is enough to end phase 1, which awaits no bytes. Parity 0 was *ended* for a moment and is *going on*
# again (**measured**: the script *an arrival too many*, in which it happens three times). Had the bytes been on their
# way, it would have been a trap:

# %%
print(run([("init", 1), ("arrive_expect", 64), ("copy", 64), ("arrive",), ("wait", 0)]).sentence)
[row["fault"] for row in misuse if row["steps"] == [["arrive_expect", 128], ["arrive"]]]

# %% [markdown]
# **Sign:** 719, or a hang with a fresh-looking barrier whose phase number is two ahead. One mistake, two looks.
#
# ### No barrier, or set up again
#
# A barrier that nobody set up is whatever lay in those 8 bytes. And one that was set up for 0 arrivals? PTX asks for 1
# to 1,048,575 (**documented**: PTX ISA, mbarrier.init). Two programs tried it; `ended` is what `test_wait` said to
# parity 0 and 1, after `init` and after the step:

# %%
misuse_again = list(read_rows(committed("barrier_misuse_again.jsonl.xz")))
for program, rows in enumerate((misuse, misuse_again), 1):
    for row in (row for row in rows if row["count"] == 0):
        print(f"program {program}: init 0, then {row['steps'][0]}: ended {row.get('ended')}, fault {row.get('fault')}")
print(sum(a == b for a, b in zip(misuse, misuse_again, strict=True)), "of", len(misuse), "scripts: the same in both")

# %% [markdown]
# The arrival traps with 719, both times (**measured**). The rest is undefined, and looks it: in one program no phase
# had ended, in the other one parity 0 passes at once, though nobody arrived (**seen**: two programs, two answers, where
# all other scripts agree). So neither a hang nor a wait that passes tells you that the count was 0.
#
# And `init` on a barrier in use takes the phase back to 0, while everybody's bit has moved on (**documented** as
# undefined: `mbarrier.inval` must come between; the recordings show the same as the model):

# %%
first_tile = [("init", 1), ("arrive_expect", 128), ("copy", 128), ("wait", 0), ("read",)]
play([*first_tile, ("init", 1), ("arrive_expect", 128), ("copy", 128), ("wait", 1), ("read",)])

# %% [markdown]
# The second wait passed at once: to it, the barrier is fresh. **Sign:** the first tile is right, the second is the
# first one again. Its sister is a missing `__syncthreads()` after `init`: another thread may then use a barrier that is
# not set up yet.
#
# ### Announced on the wrong barrier
#
# A ring has several barriers, and the announcement went to another one than the copy. Both are wrong now:

# %%
play(
    [
        ("init", 1, "full0"),
        ("init", 1, "full1"),
        ("arrive_expect", 64, "full1"),
        ("copy", 64, "full0"),
        ("wait", 0, "full0"),
    ]
)

# %% [markdown]
# **Sign:** one barrier below zero with all its arrivals pending, another above zero by the same number (**model**). All
# together, a
# table to print and hang up:
#
# | what the barrier shows | what to look for |
# | --- | --- |
# | arrivals 0, bytes above 0 | announced too many, or a copy that was not issued, cut to 16, or went to another barrier |
# | arrivals 0, bytes below 0 | announced too few, and the count was missed |
# | arrivals pending, bytes 0 | a thread did not arrive, or `init` asks for too many |
# | arrivals pending, bytes below 0 | nobody announced, or on another barrier |
# | the phase that is meant has ended, all fresh | nothing is wrong here: the wait asks for the other parity |
# | phase ahead by 2 | an arrival too many, or a user that skipped a wait |
# | 719 | an arrival too many, bytes out of range, or `init` with 0 |
# | wrong numbers, no hang | count too small, parity, `init` in the loop, a fence |
#
# **How to look.** Give every wait a bound while you debug, as lines 9 to 16 of the kernel do. When it runs out, print
# what `test_wait` says to parity 0 and to 1: they tell whether the phase is the one that you mean. Then, as the last
# thing that this kernel does, let one thread arrive once more. If it traps with 719, no arrival was pending, so bytes
# are what is missing or too many. If it comes back, its token is the word of the barrier. (An ordinary load of the 8
# bytes showed what had lain there *before* `init`, in all 184 recorded scripts.) A token, taken apart:

# %%
from course_lib.model.barrier.mbarrier import WORD, State

word = State(phase=1, pending=2, expected=4, awaited_bytes=-8192).word
print(f"{word:016x}", read_token(f"{word:016x}"[:8]), [(field.name, field.lsb, field.width) for field in WORD])

# %% [markdown]
# Three counts, each negated, and the parity on top. The upper 32 bits are as recorded (**measured**); the lower ones
# follow from two words that barriers had left behind (**model**).
#
# ## Turn it yourself
#
# Step forward line by line, and say what the next line holds before you see it. Then choose other scripts. Some things
# to find: a count that is right with one landing and hangs with another; an order of five that is never right; a script
# that needs two uses of the barrier to fail; settings under which an arrival too many does *not* trap. The verdict runs
# all three landings.

# %%
from course_lib.widgets import barrier_lab

barrier_lab()

# %% [markdown]
# ## The trap
#
# Four reports from public projects, retold.
#
# ### The one that worked with 32 threads
#
# A tile of 128 × 16 bfloat16, 4,096 bytes. `init` said 1. There was no `expect_tx` anywhere, and `init` stood *in* the
# loop. The wait never returned; with 32 threads it seemed to work. Without an announcement everything hangs on who is
# first, the bytes or the arrival:

# %%
silent = [("init", 1), ("copy", 4096), ("arrive",), ("wait", 0), ("read",)]
for landing in ("at once", "pieces"):
    print(f"{landing:<8}", run(silent, landing).sentence)
[row["ended"] for row in misuse if row["steps"] == [["complete", 16], ["arrive"]]]

# %% [markdown]
# Bytes first: the count is −4,096 when the arrival comes, and nothing brings it back; the recorded neighbour, 16 bytes
# and then an arrival, did not end either (**measured**). Arrival first: the phase ends at once, and the read is early.
# A small change, such as the number of threads, moves the race. **Diagnosis:** arrivals 0, bytes below 0, by exactly a
# tile. **Mend:** `init` once, before the loop; announce in each phase; flip the bit.

# %%
mended = [("arrive_expect", 4096), ("copy", 4096), ("wait", 0), ("read",)]
mended += [("arrive_expect", 4096), ("copy", 4096), ("wait", 1), ("read",)]
[run([("init", 1), *mended], landing).is_right for landing in ("pieces", "together", "at once")]

# %% [markdown]
# ### The one with a barrier a stage
#
# A compiler gave each of 4 stages its own barrier, and kept the parity from the time when there was only one: stage
# number `s & 1`. Nothing hung. The results were wrong, without a word.

# %%
setup = [("init", 1, f"full{s}") for s in range(4)]
issue = [step for s in range(4) for step in (("arrive_expect", 64, f"full{s}"), ("copy", 64, f"full{s}"))]
waits = [step for s in range(4) for step in (("wait", s & 1, f"full{s}"), ("read", None, f"full{s}"))]
wrong = run(setup + issue + waits)
print(wrong.sentence)
[m.note for m in wrong.moments if m.words.startswith("wait")], wrong.missing

# %% [markdown]
# Barriers 1 and 3 are fresh, so parity 1 passes at once, and their tiles are not there (**model**; a recorded fresh
# barrier said the same above). Waits 0 and 2 are honest; if the copies land in another order, an honest wait may hide
# the mistake of the next. **Diagnosis:** write down for each barrier how often it was used. **Mend:** all four are used
# for the first time, so the parity is 0 for all; later it is `(k / 4) & 1`.
#
# ### The one with the second slice
#
# A tile was too wide for one copy, so the compiler made two, and announced the bytes of one. The barrier *completes
# after the first slice*, says the report. That is one of two endings:

# %%
slices = [("init", 1), ("arrive_expect", 128), ("copy", 128), ("copy", 128), ("wait", 0), ("read",)]
print(run(slices).sentence)
print(run(slices, "together").sentence)

# %% [markdown]
# If pieces of both slices mix so that 128 is jumped over, it hangs. Half a box is the number that is hit most easily:
# of the recorded boxes that were told half of their bytes, in how many runs did the phase end?

# %%
sizes = [
    row["map"]["box_dim"][0] * row["map"]["box_dim"][1] * (8 if row["map"]["data_type"] == 8 else 1) for row in counts
]
halves = [row for row, size in zip(counts, sizes, strict=True) if 2 * row["expected"] == size]
sum(r["completed"] for r in halves), sum(r["runs"] for r in halves)

# %% [markdown]
# (**Seen.**) **Diagnosis:** the number of copies against the number of announced boxes. **Mend:** the sum, computed
# from the copies, not written beside them.
#
# ### The one whose warp arrived
#
# `init` said 1, meaning *one warp*. But all its 32 lanes arrived. On the barrier that frees a slot, which awaits no
# bytes:

# %%
play([("init", 1), *[("arrive",)] * 4, ("wait", 0)])

# %% [markdown]
# Drawn with 4 lanes instead of 32. Each arrival ends a phase, an even number of them brings the parity back, and the
# waiter sees a barrier on which nothing ever happened (**model**; the recorded script *arrivals only, count 1* does the
# same six times). With 31 lanes it would pass. **Diagnosis:** the phase number jumps. **Mend:** elect one lane, or
# `init` with the number of threads.
#
# ## On the hardware
#
# Everything above rests on scripts that ran on an H200, over three phases, with right and wrong counts. How many of
# them go, step by step, as the model permits?

# %%
from course_lib.recordings.times.barriers import barrier_scripts, is_permitted

scripts = barrier_scripts()
print(
    sum(map(is_permitted, scripts)), "of", len(scripts), "scripts;", sum("fault" in s for s in scripts), "of them trap"
)
print(provenance("barriers.jsonl.xz"))

# %% [markdown]
# Right and wrong counts side by side, for a box of 4 rows of 64 bytes: what `test_wait` says 10 microseconds after each
# of three copies.

# %%
for name in ("right", *(f"every phase expects {n}" for n in (0, 128, 240, 272, 512))):
    script = script_named(name, (64, 4))
    found = [script["ended"][at] if at < len(script["ended"]) else "–" for at in (3, 6, 9)]
    print(f"{name:<24}", *found, f"fault {script.get('fault', 'none')}")

# %% [markdown]
# `[1, 0]` says: parity 0 has ended, parity 1 goes on (**measured**). *Right* alternates. Told 0, the phase ends at the
# arrival, the bytes pile up below zero, and the third arrival traps. Told 128, chance decides.
#
# On a machine with a Hopper GPU some scripts are asked again now, each with a bounded wait, in a process of its own,
# since one of them traps. (What this cell prints differs from machine to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.child import Child
from course_lib.gpu.device import gpu_status
from course_lib.recordings.times.barriers import script_alone

print(gpu_status().sentence)
again = [script_named(name, (64, 4)) for name in ("right", "copy before expect", "every phase expects 272")]
if gpu_status().usable:
    with Child() as child:
        live = [child.ask("barrier", script_alone(script)) for script in again]
    print([is_permitted(script | {"fault": None} | seen) for script, seen in zip(again, live, strict=True)])
else:
    print("no live answer here: the recordings above stand in")

# %% [markdown]
# ## What to keep
#
# - A copy is done when its **barrier** says so. `__syncthreads()` waits for threads, and a pause for nothing.
# - A phase ends when pending arrivals **and** awaited bytes are zero. Expect adds, landing subtracts, below zero is
#   allowed.
# - Announce before the *last arrival*; before or after the copy does not matter.
# - Announce all bytes of all copies, whole boxes, sizes cut to 16. Too many hangs; too few hangs or is early, by chance.
# - The parity is the number of earlier uses of *this* barrier, modulo 2. A fresh one lets parity 1 pass.
# - `init` once, with the number of arrivals that really come; then `__syncthreads()`, in a cluster its fence and barrier.
# - The proxy fence stands behind the threads' last touch of a tile, before they meet and the engine comes. A test that
#   passes does not prove that it is there.
# - In a hang, look at three numbers: phase, pending arrivals, bytes.
#
# | number | unit |
# | --- | --- |
# | size and addresses of a linear copy | bytes, multiples of 16 |
# | `mbarrier.init`, arrivals | arrivals, 1 to 1,048,575 |
# | `expect_tx`, the transaction count | bytes, −1,048,575 to 1,048,575 |
# | parity | 0 or 1 |
# | a piece of the countdown | 32 bytes at most: a sector of global memory |
# | the barrier | 8 bytes, on a multiple of 8 |
#
# ## Ask yourself
#
# <details><summary>Why does a copy need an mbarrier, and not simply __syncthreads()?</summary>Since the copy is made by
# the engine and not by a thread: when all threads have come, the bytes may still be on their way. The barrier counts
# the bytes themselves, and a wait that passed also makes them visible to the threads.</details>
#
# <details><summary>init 3; arrive.expect_tx 512; arrive; 512 bytes land; arrive. When does the phase end?</summary>At
# the last arrival. Until then the bytes are zero but an arrival is pending.</details>
#
# <details><summary>Two boxes of 64 × 64 bfloat16, one of them half outside the tensor. What do you
# announce?</summary>16,384 bytes: each box counts 8,192, the filled half too.</details>
#
# <details><summary>Your kernel hangs, and a token says: no arrival pending, 8,192 bytes awaited. Name three
# causes.</summary>A copy too few was issued, or one with its predicate off; one copy names another barrier; the
# announcement counts a box twice.</details>
#
# <details><summary>A ring has 3 slots. For which parity does the consumer wait for tile 10?</summary>Tile 10 is the
# fourth use of slot 1 (tiles 1, 4, 7, 10), so three uses came before: parity 1.</details>
#
# <details><summary>Somebody "repairs" a hang by a smaller expect_tx. Why does it help, and why is it no
# repair?</summary>If the smaller number is a sum of pieces, the phase can end, now and then before the bytes are there.
# The hang has become wrong numbers.</details>
#
# **Now you:** in [exercise 02](../exercises/02_arrival/02_arrival.ipynb) you count bytes, keep a barrier's books,
# choose parities, mend scripts that hang, and diagnose states. [Lesson 03](03_the_descriptor.ipynb) opens the
# descriptor that tensor copies need.
#
# **Where to go:** [exercise 02](../exercises/02_arrival/02_arrival.ipynb) ·
# before: [01 · Why TMA](01_why_tma.ipynb) ·
# next: [03 · The descriptor](03_the_descriptor.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/barrier/mbarrier.py`](../course_lib/model/barrier/mbarrier.py)
