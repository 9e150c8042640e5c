# %% [markdown]
# # 10 · Interleave
#
# **The question:** what is NC/8HWC8, and how do I load it?
#
# Afterwards you can
#
# - lay an image out in channel packets, and write the tensor map that reads them,
# - say which coordinates bring which channels, and what pads the last slice,
# - tell which pairs of interleave and swizzle documents allow, which this driver takes, and what the engine does with each,
# - decide whether you need interleave at all, or NHWC will do.
#
# **Time:** about 65 minutes: part A, an image is loaded, 35; part B, the rules and the reasons, 30. **You need:**
# [lesson 03](03_the_descriptor.ipynb) for the call and [lesson 09](09_swizzle.ipynb) for the swizzle. You need no GPU.

# %% [markdown]
# ## What you need, again
#
# Arrays of a tensor map are innermost first; strides are in bytes, and dimension 0 has none, since its neighbours lie
# side by side. A matrix of 24 columns and 10 rows of float16, and the address of column 5 in row 2:

# %%
global_dim, global_strides, element_bytes = (24, 10), (48,), 2
5 * element_bytes + 2 * global_strides[0]

# %% [markdown]
# Three questions from earlier lessons. Answer each aloud before you open it.
#
# <details><summary>A row of the box is 16 bytes, the swizzle is B128. How far apart do two rows lie in shared
# memory?</summary>128 bytes: without interleave a narrower row takes a whole span (lesson 09).</details>
#
# <details><summary>A load of float16 begins at coordinate 3 of dimension 0. What happens?</summary>It faults with 715: byte 6 is
# no multiple of 16 (lesson 07).</details>
#
# <details><summary>32 lanes read 16 bytes each, from rows 16 bytes apart. How many turns?</summary>Four, the least for 512
# bytes: the rows lie side by side, so all banks are busy all the time (lesson 08).</details>
#
# ## An image with 19 channels
#
# A convolution sees images with many channels. Ours begins as a photograph, of 45 × 30 pixels (Chelsea the cat, by
# Stefan van der Walt, public domain).

# %%
from course_lib.draw import channel_picture, packet_picture, photo_picture
from course_lib.recordings.copies.photo import features, photo

photo_picture(photo(), "The photograph")

# %% [markdown]
# To red, green and blue we add what 16 small filters make of the brightness: a mean, and edges in all directions. That
# is what the first layer of a network does. The result is a batch of one image in the order **NCHW**: one plane after
# the other, of float16.

# %%
image = features()
image.shape, image.dtype.name, image.strides

# %% [markdown]
# # Part A · An image is loaded
#
# ## Packets, slices, and a name
#
# A tensor core multiplies many channels of one pixel at once, and in NCHW they lie far apart, 2,700 bytes here. So
# people cut the channels into **slices** of eight, and put the eight values of one pixel side by side: a **packet**, 16
# bytes of float16. The packets of a slice lie row by row like the pixels of a picture; then comes the next slice.
#
# That is what the name says, read from the outside in: **N**, then **C/8** slices, then **H**, **W**, and **C8** inside.
# 19 is no multiple of 8, so the last slice is filled up with channels of zeros:

# %%
from math import prod

import numpy as np

padded = np.zeros((1, 24, 30, 45), np.float16)
padded[:, :19] = image
packed = np.ascontiguousarray(padded.reshape(1, 3, 8, 30, 45).transpose(0, 1, 3, 4, 2))
packed.shape, packed.strides

# %%
channel_picture(image[0], 8, "NC/8HWC8: three slices")

# %% [markdown]
# The strides in bytes: 2 from channel to channel inside a packet, 16 from pixel to pixel, 720 from row to row, 21,600
# from slice to slice. Who fills in the zeros? You. The zeros are memory like any other, and they are read
# (**documented**: PTX ISA, interleave layout, asks for zeros there).
#
# ## What is dimension 0?
#
# The manual of the encode call gives the two names, NC/8HWC8 and NC/16HWC16, and asks for a rank of 3 at least. How the
# *dimensions* are to be given it does not say; neither does PTX. In a public forum the question has stood
# unanswered for two years. So ask the engine. First your guess; and one line that says below each answer who gave it:

# %%
from course_lib.machines import machine
from course_lib.model.copy.packets import packet_map
from course_lib.widgets import predict, reveal


def told(answer, value):
    return {"hardware" if answer.by.kind == "recorded" else "model": value, "source": answer.by}


asked = "The map of this image with interleave B16. What is global_dim[0]?"
first_dimension = predict(asked, choices=[8, 19, 24, 45], name="global_dim[0]")

# %% [markdown]
# Think of a step along dimension 0: what lies in shared memory for each? A barrier counts bytes, so it can tell. An
# H200 did 2,057 tiled loads with interleave, of random shapes, and each barrier completed with exactly the count that
# was recorded. Two theories of this count: each position of the box brings one *element*, as in all lessons before, or
# one *packet*. There are ceil(box / element stride) positions along each dimension.

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.copies.packets import packet_loads


def positions(m):
    return [-(-box // stride) for box, stride in zip(m.box_dim, m.element_strides, strict=True)]


loads = [(load.tensor_map, load.row, load.row["transaction_bytes"]) for load in packet_loads()]
elements = sum(prod(positions(m)) * m.data_type.size_bytes == counted for m, _, counted in loads)
packets = sum(prod(positions(m)) * 16 * m.interleave == counted for m, _, counted in loads)
print(f"of {len(loads)}, elements explain {elements}, packets of 16 or 32 bytes {packets}")

# %% [markdown]
# Elements explain 171, packets 423 (**measured**). Neither explains all: something more is going on. The next section
# finds it, and then packets explain every count. So **one step along dimension 0 is a whole packet**, whatever the
# type. (`16 * m.interleave` works since the driver's numbers are 1 for 16 bytes and 2 for 32.) If a packet is the
# element, the channels in it are no dimension, and the first dimension is the one along which packets lie side by side:
# the width.

# %% jupyter={"outputs_hidden": true}
reveal(first_dimension, model=packet_map(packed.shape, 6, 1, (16, 16)).global_dim[0])

# %% [markdown]
# A count proves no order. The bytes do: of 75 loads with the pairs that documents allow, all of shared memory was kept.
# For each 16-byte unit we ask whether the order **W, H, D, slice, N** brings what the H200 brought.

# %% jupyter={"outputs_hidden": true}
from course_lib import DataType, Interleave, Swizzle, TiledTensorMap
from course_lib.model.facts.swizzle import PATTERNS
from course_lib.recordings.copies.packets import count_explained, kept_windows

for pair in ((Interleave.B16, Swizzle.NONE), (Interleave.B32, Swizzle.B32)):
    windows = kept_windows()[pair]
    right, units = count_explained(windows, lambda window, mode=pair[1]: PATTERNS[mode](window.close))
    print(*(mode.name for mode in pair), "-", len(windows), "windows:", right, "of", units, "units")

# %% [markdown]
# All of them (**measured**). So this is the order, innermost first:
#
# | index (rank 4) | dimension | of our image | stride in bytes |
# | --- | --- | --- | --- |
# | 0 | W, in packets | 45 | none: a packet, 16 |
# | 1 | H | 30 | 45 × 16 = 720 |
# | 2 | channel slice | 3 | 30 × 720 = 21,600 |
# | 3 | N | 1 | 3 × 21,600 = 64,800 |
#
# A signal has rank 3: W, slice, N. A volume has rank 5: W, H, D, slice, N. That explains the lower limit of 3. And
# the call never hears of 19 channels, nor of 8: it knows the type, the packet and the slices.

# %%
image_map = TiledTensorMap(
    data_type=DataType.FLOAT16,
    global_address=0,
    global_dim=(45, 30, 3, 1),
    global_strides=(720, 21600, 64800),
    box_dim=(16, 16, 1, 1),
    interleave=Interleave.B16,
)
image_map.check().accepted

# %% [markdown]
# ## How many slices?
#
# The box above takes 16 × 16 pixels of one slice. Let us ask for all three at once, `box_dim` (16, 16, 3, 1).

# %%
slices = predict(
    "A box of 16 × 16 × 3 × 1 packets of 16 bytes. How many bytes does the barrier count?",
    number=(0, 20000),
    name="Bytes counted",
)

# %% jupyter={"outputs_hidden": true}
from dataclasses import replace

all_slices = replace(image_map, box_dim=(16, 16, 3, 1))
memory = packed.reshape(-1).view(np.uint8)
answer = machine("recorded").load(all_slices, (0, 0, 0, 0), global_memory=memory)
reveal(slices, **told(answer, answer.told_bytes))

# %% [markdown]
# 4,096: **a copy brings one slice, the one that the coordinate names, whatever the box says**. Now the counts of
# before, with one slice in the place of the box's:

# %%
one_slice = [prod(positions(m)) // positions(m)[m.rank - 2] * 16 * m.interleave == n for m, _, n in loads]
larger = [row["status"] for m, row, _ in loads if m.box_dim[m.rank - 2] > 1]
print(sum(one_slice), "of", len(loads), "explained")
print(len(larger), "boxes of more than one slice; completed:", sum(larger))

# %% [markdown]
# All 2,057 (**measured**). What does the call say to the larger box?

# %%
print(all_slices.check())

# %% [markdown]
# The driver accepts it and says nothing; the library warns. Whoever tells the barrier 12,288 bytes waits for ever.
# So 19 channels of a tile are **three** copies, to three places in shared memory, with one barrier that expects three
# times 4,096.
#
# ## The cat arrives
#
# A tile at x = 7, y = 5. Without interleave this start would be no multiple of 16 bytes and fault; here every start is,
# since the element is a packet. Here is how many recorded loads began between such units, and completed (**measured**):

# %%
sum(row["status"] for m, row, _ in loads if row["coordinates"][0] * m.data_type.size_bytes % 16)

# %%
answer = machine("recorded").load(image_map, (7, 5, 0, 0), global_memory=memory)
tile = answer.memory[:4096].view(np.float16).reshape(16, 16, 8)
print(answer)
channel_picture(np.moveaxis(tile, 2, 0), 8, "Slice 0 of the tile, as it lies in shared memory")

# %% [markdown]
# An eye, in eight channels; these bytes are an H200's (**measured**). Now all 19 channels, and the test that counts:

# %%
loaded = [machine("recorded").load(image_map, (7, 5, s, 0), global_memory=memory).memory[:4096] for s in range(3)]
channels = np.stack(loaded).view(np.float16).reshape(3, 16, 16, 8).transpose(0, 3, 1, 2).reshape(24, 16, 16)
np.array_equal(channels[:19], image[0, :, 5:21, 7:23]), int(np.count_nonzero(channels[19:]))

# %% [markdown]
# Look at what that cell had to do after the load: reshape and transpose. People say that interleave *rebuilds* NCHW, a
# plain layout, in shared memory. It does not. **Packets go in and packets come out**; between them, nothing is taken
# apart. That is useful, since eight channels of one pixel in 16 bytes are just what `ldmatrix` and the tensor cores
# read.
#
# ## At the edge of an image
#
# The image ends at x = 45 and y = 30. Packets of pixels beyond it are filled, each as a whole. And a slice that does
# not exist is outside as well: its packets are all fill. A small image in a picture, with the box across the corner:

# %%
small = packet_map((1, 3, 5, 12, 8), DataType.FLOAT16, Interleave.B16, (8, 2))
packet_picture(small, (7, 4, 2, 0), channels=19)

# %% [markdown]
# There are two kinds of zeros here, and only one of them is the engine's. Pixels outside are **filled**, with zero or
# with NaN as `oob_fill` says. Channels 19 to 23 are **inside**: they are the memory that you padded. We ask for NaN and
# let slice 2 hang over the edge. How many values of channel 20 (a padding one) are NaN?

# %%
nan_map = replace(image_map, oob_fill=1)
padding = predict(
    "16 × 16 pixels at (32, 16), of which 13 × 14 are inside, filled with NaN. How many NaN are in channel 20?",
    number=(0, 256),
    name="NaN in channel 20",
)

# %% jupyter={"outputs_hidden": true}
answer = machine("recorded").load(nan_map, (32, 16, 2, 0), global_memory=memory)
corner = answer.memory[:4096].view(np.float16).reshape(16, 16, 8)
reveal(padding, **told(answer, int(np.isnan(corner[:, :, 20 - 16]).sum())))

# %% [markdown]
# 74 = 256 − 13 × 14: the pixels outside, the same in all eight channels (**measured**). Inside the image channel 20 is
# 0, because we wrote it. So a NaN finds pixels that a kernel should not have used, and never finds padding channels
# that nobody has zeroed. The second trap below is about those.
#
# A **store** of packets can't spill, by the way: a store clips at 16 bytes (lesson 07), and a packet is one or two
# times 16. A negative start faults as ever.
#
# ## Every second pixel
#
# Without interleave, `element_strides[0]` does nothing. Here it works: dimension 0 is a real walk over packets, and
# with a 2 it takes every second (**measured**: the counts above hold for these loads too). How many there are, and a
# half-size cat, in one copy a slice (**model**):

# %%
print(sum(m.element_strides[0] > 1 for m, *_ in loads), "recorded loads with element_strides[0] above 1")
half = replace(image_map, box_dim=(48, 32, 1, 1), element_strides=(2, 2, 1, 1))
answer = machine("model").load(half, (0, 0, 0, 0), global_memory=memory)
every_second = answer.memory[: answer.told_bytes].view(np.float16).reshape(16, 24, 8)
photo_picture(every_second[:, :, :3].astype(np.uint8), f"24 × 16 packets, {answer.told_bytes} bytes", scale=10)

# %% [markdown]
# The picture is made of channels 0 to 2, the colours. The box of 48 × 32 is a box in the tensor; ceil(48 / 2) = 24
# packets a row come, and 16 rows. The last column and the last row lie outside, at x = 46 and y = 30: black is the
# fill.
#
# # Part B · The rules and the reasons
#
# ## Two modes
#
# | | `INTERLEAVE_16B` | `INTERLEAVE_32B` |
# | --- | --- | --- |
# | name, for 2-byte channels | NC/8HWC8 | NC/16HWC16 |
# | packet | 16 bytes | 32 bytes |
# | channels of UINT8 / FLOAT16 / FLOAT32 | 16 / 8 / 4 | 32 / 16 / 8 |
# | `global_address` | multiple of 16 | multiple of **32** |
# | `global_strides` | multiples of 16, below 2⁴⁰ | multiples of **32**, below 2⁴⁰ |
# | rank | 3 to 5 | 3 to 5 |
# | `swizzle`, by the documents | any | **32B only** |
# | last slice | padded with zeros, by you | the same |
#
# (**Documented**: CUDA Driver API; the limits are **measured** as well.) The names fit one size of channel. What counts
# is bytes: int8 channels in 32-byte packets are NC/32HW32. PTX calls the two modes *8-byte* and *16-byte* interleave
# and counts 32 bytes for 16 channels of 4 bytes; neither fits the driver's names, nor the engine.
#
# Our image for 32-byte packets: 19 channels are two slices of 16, the last with 3 channels and 13 of padding.

# %%
from course_lib.recordings.copies.photo_loads import packed_photo, photo_map

wide = photo_map(Interleave.B32)
print(packed_photo(Interleave.B32).shape, wide.global_dim, wide.global_strides, Swizzle(wide.swizzle).name)

# %% [markdown]
# ## Why 32 bytes go with swizzle 32B
#
# The documents tie the two together and give no reason. One chapter says: blocks of 32 bytes feed a swizzle of 32
# bytes, in step. The widths do match. What that is good for, the banks tell. `ldmatrix` takes 16 bytes from each of
# eight packets in a row. Packets of 16 bytes fill a line of 128 bytes without a gap. Of 32-byte packets it takes one
# *half* of each: lines 0 and 1, always the same four units of them.

# %%
from course_lib.recordings import committed, provenance, read_rows

cycles = {(r["pattern"], r["access_bytes"]): r["cycles_median"] for r in read_rows(committed("bank_cycles.jsonl.xz"))}
read = predict(
    "ldmatrix.x4 on 32-byte packets, no swizzle. How many cycles does it take? (On 16-byte packets: 4.)",
    choices=[4, 8, 16, 32],
    name="Cycles",
)

# %% jupyter={"outputs_hidden": true}
print("16-byte packets:           ", round(cycles["ldmatrix.x4, row pitch 16", 0]))
print("32-byte packets, swizzle 32B:", round(cycles["ldmatrix.x4, 8 rows of pitch 32, swizzle 32", 0]))
measured = round(cycles["ldmatrix.x4, 8 rows of pitch 32, swizzle 0", 0])
reveal(read, hardware=measured, source=provenance("bank_cycles.jsonl.xz"))

# %% [markdown]
# 8 without, 4 with (**measured**). The swizzle 32B exchanges the two halves of the packets in every other line, so eight
# first halves meet all 32 banks. 16-byte packets need no swizzle at all. That is the reason for the pair: **the smallest
# swizzle that frees this read is as wide as the packet**. Here is where the halves go:

# %%
halves = packet_map((1, 2, 5, 12, 16), DataType.FLOAT16, Interleave.B32, (8, 2), swizzle=Swizzle.B32)
packet_picture(halves, (3, 1, 0, 0), channels=19)

# %% [markdown]
# ## The pairs that documents forbid
#
# By the documents, interleave 32B with another swizzle is refused. Of the recorded calls with interleave, here are
# those that the driver accepted:

# %%
from collections import Counter

from course_lib.recordings.copies.packets import packet_calls
from course_lib.recordings.tables import table

taken = Counter((row["interleave"], row["swizzle"]) for row in packet_calls() if row["result"] == 0)
rows = [{"i": f"{16 * i}B"} | {Swizzle(s).name: taken[i, s] for s in range(4)} for i in (1, 2)]
table(rows, i="accepted calls: interleave", NONE="NONE", B32="32B", B64="64B", B128="128B")

# %% [markdown]
# Every pair is taken, each more than a hundred times (**measured**). So the rule is one of the documents, not of this
# driver. What does the engine then do? Take 16-byte packets under B128. From lesson 09 you know a row of 16 bytes in a
# span of 128.

# %%
close = predict(
    "256 packets of 16 bytes under swizzle 128B. How many bytes of shared memory must be set aside?",
    choices=[4096, 32768],
    name="Bytes set aside",
)

# %% jupyter={"outputs_hidden": true}
pair = Interleave.B16, Swizzle.B128
pattern, windows = PATTERNS[Swizzle.B128], kept_windows()[pair]
lie_close = count_explained(windows, lambda window: pattern(window.close))
spread = count_explained(windows, lambda window: pattern(window.base + 8 * (window.close - window.base)))
print("units where close packets would be:", *lie_close, "- where spread ones would be:", *spread)
reveal(
    close, hardware=4096 if lie_close[0] == lie_close[1] else 32768, source=provenance("load_pairs_windows.jsonl.xz")
)

# %% [markdown]
# 4,096. **Packets always lie close, and the swizzle is the usual XOR on their addresses** (**measured**). The span caps
# and spaces the *rows* of lesson 09; a packet is no row, so there are no gaps. Here are all eight pairs, by the windows
# that were kept, and by the digests of 65 loads each:

# %% jupyter={"outputs_hidden": true}
from course_lib.recordings.replay.kinds import kind_of

recorded = [row for row in read_rows(committed("load_pairs.jsonl.xz")) if row["api"] == "tiled" and row["interleave"]]
for (packet_mode, mode), windows in sorted(kept_windows().items()):
    right, units = count_explained(windows, lambda window, mode=mode: PATTERNS[mode](window.close))
    rows = [row for row in recorded if (row["interleave"], row["swizzle"]) == (packet_mode, mode)]
    same = sum(not kind_of(row).compare(row).differing for row in rows)
    print(f"{packet_mode.name} with {mode.name:<5} {right:>6} of {units:<6} units; {same} of {len(rows)} digests")

# %% [markdown]
# So the rule is no limit of this chip. May you use a forbidden pair? A document may be relied on, an accident may not:
# a later driver may refuse it. By the documents, other chips do. And you gain nothing: B64 and B128 make the read above
# free as well, no better than B32 (**model**). The verdict for two targets:

# %%
odd = replace(wide, swizzle=Swizzle.B64, global_address=0x7F0000000000)
print(odd.check(), "\n", odd.check("sm_100"))

# %% [markdown]
# ## What this driver asks beyond the documents
#
# The documents exempt interleave from one rule: that a row of the box be a multiple of 16 bytes. Naturally, since each
# packet *is* 16 bytes. So a box of 4 × 16 pixels of float16 packets is fine. Is it?

# %%
four = replace(image_map, box_dim=(4, 16, 1, 1), global_address=0x7F0000000000)
accepted = predict(
    "Interleave 16B, FLOAT16, box_dim (4, 16, 1, 1). What does the driver say?", choices=["accepted", "refused"]
)

# %% jupyter={"outputs_hidden": true}
from course_lib.rows.calls import tensor_map_of

known = [row for row in packet_calls() if row["rank"] and 0 <= row["data_type"] < 13]
narrow = [row for row in known if row["box_dim"][0] * DataType(row["data_type"]).size_bytes % 16]
alone = [row for row in narrow if [b.id for b in tensor_map_of(row).check().broken] == ["inner-row-is-whole-units"]]
print("calls in which only this rule is broken:", len(alone), "- accepted:", sum(row["result"] == 0 for row in alone))
hardware = "refused" if all(row["result"] for row in alone) else "accepted"
reveal(accepted, model="accepted" if four.check().accepted else "refused", hardware=hardware, source=provenance())

# %% [markdown]
# Refused, every time (**measured**). The driver multiplies `box_dim[0]` by the size of one *channel*, 4 × 2 = 8 bytes,
# as if there were no packets. So the width of a box must be a multiple of 16 pixels for UINT8, 8 for FLOAT16 and 4 for
# FLOAT32.
#
# The same confusion the other way: the cap of 228 KiB on a box is counted in channels too. A box that the driver takes
# for 16 KiB can be 512 KiB of packets, more than twice the shared memory of a block:

# %%
huge = replace(four, data_type=DataType.UINT8, interleave=Interleave.B32, swizzle=Swizzle.B32, box_dim=(256, 64, 1, 1))
huge = replace(huge, global_strides=(45 * 32, 30 * 45 * 32, 3 * 30 * 45 * 32))
print(huge.check())

# %% [markdown]
# So a recorded copy may move more than the driver had counted:

# %%
from course_lib.model.call.sizes import descriptor_box_bytes

more = [counted for m, _, counted in loads if counted > descriptor_box_bytes(m)]
print(len(more), "of", len(loads), "copies, the largest of", max(more), "bytes")

# %% [markdown]
# (**Measured.**) Little else depends on the type: a NaN fill needs a float, and TF32 rounds on the way (lesson 05).
#
# ## Do you need it?
#
# The same memory is also a tensor of one dimension more, *without* interleave: the channels of a packet, W, H, slice,
# N. And in **NHWC** all channels of a pixel lie side by side, so a slice is a box of 8 channels. Which of these bring,
# byte for byte, the tile that an interleaved copy brings?

# %%
from course_lib.recordings.copies.photo_loads import bytes_of, plain_loads

h200, tiles = machine("recorded"), {}
for size in (Interleave.B16, Interleave.B32):
    own = bytes_of(packed_photo(size))
    answer = h200.load(photo_map(size), (16, 8, 1, 0), global_memory=own)
    tiles[answer.memory.tobytes()] = f"the tile of {16 * size}-byte packets"
for load in plain_loads():
    answer = h200.load(load.tensor_map, load.coordinates, global_memory=load.memory)
    came = tiles.get(answer.memory.tobytes(), "something else")
    print(f"{answer.by.kind}: {load.why:<19} {answer.told_bytes:>6} bytes, {came}")

# %% [markdown]
# The first three (**measured**, where *recorded* stands before it). So for both pairs that one needs, 16 bytes without
# a swizzle and 32 with 32B, **interleave puts nothing into shared memory that a plain map could not**. The fourth
# brings all three slices at once, which interleave can't. The fifth spreads 16-byte rows to 128 bytes each, where
# interleaved packets would lie close.
#
# | | interleave | plain map of the same memory | NHWC |
# | --- | --- | --- | --- |
# | rank of an image; of a volume | 4; 5 | 5; 6 is too many: join slice and N | 4; 5 |
# | slices a copy | 1 | up to 256 | all channels that fit |
# | 16-byte packets under a swizzle | close | a span apart | – |
# | step along W | `element_strides[0]` | `element_strides[1]` | `element_strides[1]` |
#
# What interleave saves is a dimension. Volumes can do with that, and so can im2col, which needs every one (lesson 12).
#
# ## Who still uses it
#
# A maintainer of CUTLASS says that its interleaved layout was designed for int8 tensor cores (**documented**: its issue
# 969). TensorRT still names packets among its tensor formats: kCHW32 is NC/32HW32, kCHW16 is NC/16HW16; kCHW2 and kCHW4
# have packets of 4 bytes, too small for TMA. cuDNN has NC/32HW32 for int8 (**documented**: TensorRT, *Data Format
# Descriptions*; cuDNN, *Core Concepts*). In bytes: kCHW32 of int8 and kCHW16 of half are `INTERLEAVE_32B`. One of our
# source chapters says that cuDNN mainly works on NCHW; NVIDIA's guide advises NHWC for tensor cores, since NCHW costs a
# transpose first (**documented**: *Convolutional Layers User's Guide*).
#
# What Hopper's own tools are made for is **NHWC**. The im2col call is described for NWC, NHWC and NDHWC, and CUTLASS
# passes `INTERLEAVE_NONE` in every tiled map that it makes (**documented**: CUDA Driver API;
# `copy_traits_sm90_tma.hpp`). 64 channels of half are a row of 128 bytes, which fits swizzle 128B, and one copy brings
# them all. If you may choose the layout, choose NHWC. If somebody hands you packets, you can load them now.
#
# ## Turn it yourself
#
# An image of 12 × 5 pixels. Guess first, then turn. Make the channels 24, then 25: what changes in the call? Choose 32B
# and watch the turns of the read; which swizzles bring 4? Make `box_dim[0]` 4: who says no, and for which type is it a
# yes? Move to the last slice and across the corner: which zeros are whose? Choose the slice after the last.

# %%
from course_lib.widgets import packet_lab

packet_lab(interleave=2, swizzle=0)

# %% [markdown]
# ## The trap
#
# Two reports from public projects, retold; then what the driver does refuse, and a mistake of our own.
#
# ### The one with the channels in front
#
# Somebody had half channels in 32-byte packets, volumes in fact, and tried one set of strides after the other: of C and
# W × C upwards, as for NHWC, then of W × 32 upwards. *They did not work*, and nobody answered. The report does not show
# its dimensions. The natural ones have the channels in front, as in every other map. We do that with our image: 16
# channels, W, H, slices, and a box that fits.

# %%
from course_lib.recordings.copies.photo_loads import channels_first

wrong = channels_first()
m = wrong.tensor_map
print(m.global_dim, m.global_strides, m.box_dim, "accepted:", m.check().accepted)
answer = machine("recorded").load(m, wrong.coordinates, global_memory=wrong.memory)
print(answer)

# %% [markdown]
# The driver takes it, the barrier completes with the expected 16 × 16 × 16 × 2 = 8,192 bytes (**measured**), and the
# values are wrong. What came?

# %%
from course_lib.model.copy.packets import packets_in

came, sent = packets_in(m, answer.memory), wrong.memory.reshape(-1, 32)
for number in (0, 1, 15, 16, 17, 32):
    pixel = int(np.flatnonzero((sent == came[number]).all(1))[0])
    print(f"packet {number:>2} of the box is the packet of x {pixel % 45}, y {pixel // 45 % 30}")

# %% [markdown]
# Dimension 0 walked over 16 *packets*, dimension 1 over 16 more starts one packet apart, so that nearly every packet
# came many times. H was taken for the slice, so one row came. **Diagnosis:** load a tensor whose packets are numbered,
# and read the numbers. **Mend:** drop the channels from the dimensions: (W, H, D, slice, N), strides from the packet
# upwards. A volume of 20 × 16 × 12 with 64 channels:

# %%
volume = packet_map((2, 4, 12, 16, 20, 16), DataType.FLOAT16, Interleave.B32, (8, 8, 4), swizzle=Swizzle.B32)
print(volume.global_dim, volume.global_strides, volume.box_dim)

# %% [markdown]
# ### The one whose last slice was too short
#
# A library computed the stride from image to image as H × W × C. With 16 channels in packets of 32 that is half of what
# the packets take, and a reader asked whether the code or he was wrong. The answer: C must be a multiple, and a check
# should have said so. His numbers: two images of 3 × 3 pixels, int8. As a tensor map:


# %%
def two_images(side, image_bytes):
    ints = np.arange(1, 2 * side * side + 1, dtype=np.uint8)
    values = np.zeros((2, 32, side, side), np.uint8)
    values[:, :16] = ints.reshape(2, 1, side, side)
    good = packet_map((2, 1, side, side, 32), DataType.UINT8, Interleave.B32, (16, side), swizzle=Swizzle.B32)
    return values, replace(good, global_strides=(*good.global_strides[:2], image_bytes))


values, short = two_images(3, 3 * 3 * 16)
print(short.check().broken[0].message)

# %% [markdown]
# Luck: 144 is no multiple of 32, so the call is refused. With 4 × 4 pixels the stride is 256, and nobody objects. Image
# 1 is asked for; its pixels are numbered 17 to 32:

# %%
from course_lib.model.copy.packets import pack

values, short = two_images(4, 4 * 4 * 16)
own = pack(values, 32).reshape(-1)
for image_bytes in (256, 512):
    map_of_it = replace(short, global_strides=(128, 512, image_bytes))
    answer = machine("model").load(map_of_it, (0, 0, 0, 1), global_memory=own)
    print(image_bytes, packets_in(map_of_it, answer.memory).reshape(4, 16, 32)[:, :4, 0].tolist())

# %% [markdown]
# With 256 the second half of image 0 comes, then the first half of image 1 (**model**). **Diagnosis:** the stride of a
# slice is H × W packets, that of an image *slices* times as much, with the slices rounded **up**. **Mend:** ceil(C /
# 32) × H × W × 32 bytes, and zeros in the padding. And zeros they must be: a filter with 32 weights a pixel multiplies
# them all.

# %%
dirty = pack(values, 32)
dirty[..., 16:] = 77  # what the allocation happened to hold
pixel_sums = [int(memory[1, 0, 0, 0].astype(int).sum()) for memory in (pack(values, 32), dirty)]
pixel_sums

# %% [markdown]
# 272 is 16 × 17, right. The other sum has 16 × 77 more, and no fill, no fault and no NaN tells.
#
# ### The two that are refused
#
# Two rules of the table above break easily when an existing map gets packets: the address at a multiple of 16, as all
# other maps allow, and a rank of 2. Both calls, as the driver answered:

# %%
from course_lib.rows.calls import tensor_map_of_report

reports = {row["id"]: row for row in read_rows(committed("reports.jsonl.xz"))}
for name in ("T26c", "T26b"):
    print("recorded CUresult:", reports[name]["driver_result"], "-", tensor_map_of_report(reports[name]).check())

# %% [markdown]
# **Diagnosis:** address and strides modulo 32. A row of 45 pixels in 16-byte packets is 720 bytes, no multiple of 32;
# in 32-byte packets it always is. So it is the *address* that people miss, in a buffer that holds several tensors, and
# strides with gaps of their own. **Mend:** 32 with 32. And a signal has three dimensions here: W, slice, N, where the
# last two may be 1.
#
# ### The one that documents promised would fail
#
# Before a driver was asked, we went through public reports and noted what each call should give, by the documents. For
# this one, 32-byte packets with swizzle 128B, we noted *reject*:

# %%
report = reports["T26a"]
print("expected:", report["expect"], "- recorded CUresult:", report["driver_result"])
print(tensor_map_of_report(report).check())

# %% [markdown]
# Accepted. (And it has the channels in front, too: 64 of them, with 128 bytes to the next pixel.) **Diagnosis:** a
# checker that must *predict the driver* and one that must *keep to the documents* are two programs. **Mend:** say which
# one you write; the library's verdict has both, as *broken* and as *warning*.
#
# ## On the hardware
#
# First the recorded loads through all twelve pairs of interleave and swizzle, tiled and im2col, against the model:
# digests, and whole windows.

# %%
from course_lib.recordings.replay.replay import replay

for name in ("load_pairs", "load_pairs_windows"):
    agreement = replay(committed(f"{name}.jsonl.xz"))
    print(
        f"{name}: {agreement.agreeing['load']} agree, {len(agreement.differences)} differ; {provenance(f'{name}.jsonl.xz')}"
    )

# %% [markdown]
# Then the cat: loads of the photograph in both modes, every pair, every slice, all edges, and the maps without
# interleave. Who answered them?

# %%
from course_lib.recordings.copies.photo_loads import photo_loads


def ask(who, load):
    place = {"global_memory": load.memory, "shared_address": load.shared_address}
    return who.load(load.tensor_map, load.coordinates, **place)


answers = [ask(machine("recorded"), load) for load in photo_loads()]
for who, number in Counter(str(answer.by) for answer in answers).items():
    print(number, "loads:", who)

# %% [markdown]
# On a machine with a Hopper GPU, the same loads are made now and compared. (What this cell prints differs from machine
# to machine.)

# %% tags=["nbval-ignore-output"]
from course_lib.gpu.device import gpu_status
from course_lib.machines import agree

print(gpu_status().sentence)
if gpu_status().usable:
    live = machine("live")
    for load, answer in zip(photo_loads(), answers, strict=True):
        print(load.why, agree(answer, ask(live, load)))

# %% [markdown]
# ## What to keep
#
# - A packet is 16 or 32 bytes of channels of one pixel. It is the element of dimension 0; the channels are no dimension.
# - The dimensions are W, (H, (D)), slice, N. Strides start at a row of packets.
# - A copy brings **one** slice, whatever the box says. Count the bytes of one.
# - You pad the last slice with zeros, in memory. The engine fills pixels and slices that do not exist, never channels.
# - Packets lie close under every swizzle. 32 bytes go with 32B, because then a half of each packet is read without conflicts.
# - Documents forbid other swizzles with 32B; this driver takes them, and the engine does the usual XOR.
# - This driver wants `box_dim[0]` times the size of a *channel* to be a multiple of 16, though documents don't.
# - If the layout is yours, take NHWC.
#
# | field | unit |
# | --- | --- |
# | `global_dim[0]`, `box_dim[0]`, `coordinates[0]`, `element_strides[0]` | packets |
# | `global_dim[rank - 2]`, `coordinates[rank - 2]` | slices; `box_dim[rank - 2]` is ignored |
# | `global_strides` | bytes, multiples of 16 or 32 |
# | packet | 16 or 32 bytes, so 8 or 16 channels of 2 bytes |
# | transaction count | bytes: packets of one slice × packet |
#
# ## Ask yourself
#
# <details><summary>100 channels of int8 in 32-byte packets, 56 × 56 pixels. Which global_dim, which strides?</summary>Four
# slices: (56, 56, 4, N); strides 1,792, 100,352 and 401,408 bytes.</details>
#
# <details><summary>A tile of 32 × 8 pixels with 64 channels of half in 16-byte packets. How many copies, and which
# count?</summary>Eight copies of 32 × 8 × 16 = 4,096 bytes; 32,768 on one barrier.</details>
#
# <details><summary>Your sums are right for 64 channels and wrong for 60. What do you look at?</summary>The four padding
# channels of the last slice: memory that nobody has zeroed.</details>
#
# <details><summary>Why is swizzle 128B with 16-byte packets no waste of shared memory, and with 16-byte rows
# is?</summary>Packets lie close; rows take a span each.</details>
#
# <details><summary>Your map of NC/8HWC8 works with a box of 8 × 8 for FLOAT16 and is refused for UINT8. Why?</summary>The driver
# multiplies the width by the size of a channel: 8 × 1 bytes are no multiple of 16.</details>
#
# **Now you:** in [exercise 10](../exercises/10_interleave/10_interleave.ipynb) you pack, map, fetch and unpack images
# yourself. Then [lesson 11](11_l2_promotion.ipynb) asks how many bytes a row really costs.
#
# **Where to go:** [exercise 10](../exercises/10_interleave/10_interleave.ipynb) ·
# before: [09 · Swizzle](09_swizzle.ipynb) ·
# next: [11 · L2 promotion](11_l2_promotion.ipynb) ·
# [the words](GLOSSARY.md) ·
# [all claims](CLAIMS.md) ·
# in the library: [`course_lib/model/copy/packets.py`](../course_lib/model/copy/packets.py)
