# %% [markdown]
# # Exercise 10 · Interleave
#
# Five tasks on [lesson 10](../../notebooks/10_interleave.ipynb): you pack images, write their tensor map, list the
# copies that fetch given channels, unpack a box, and judge calls twice, as the driver does and as the documents do.
# About 60 minutes, no GPU needed.
#
# Each task has a **specification**, a **stub** for you to fill in, a **picture** of what your code does, and a
# **check**. The check answers *not attempted*, *incorrect* with the first place of difference, or *correct*. Some of
# the boxes in task 4, and all answers of the driver in task 5, are those of an H200.
#
# **Where to go:** [lesson 10](../../notebooks/10_interleave.ipynb) ·
# next: [exercise 11](../11_l2_promotion/11_l2_promotion.ipynb) ·
# [the words](../../notebooks/GLOSSARY.md)

# %%
from dataclasses import replace

import numpy as np

from course_lib import DataType, Interleave, Swizzle, TiledTensorMap
from course_lib.checks import lesson_10, show
from course_lib.draw import channel_picture, packet_picture
from course_lib.recordings import provenance
from course_lib.recordings.copies.photo import features

print("The hardware's answers in the checks are from:", provenance("load_pairs_windows.jsonl.xz"))

# %% [markdown]
# ## Task 1: pack an image
#
# **Specification.** `values` is an array of the shape (N, C, H, W), of any type; `per_packet` is the number of channels
# of a packet. Return a new array of the shape (N, slices, H, W, per_packet) and the same type. Slices is C /
# per_packet, rounded up. Channel c of a pixel is value c mod per_packet of its packet in slice c div per_packet;
# channels that do not exist are 0.
#
# Expected length: 4 to 7 lines.
#
# <details><summary>Hint 1: which axes</summary>Pad axis 1, split it in two, and move the inner part to the end.</details>
# <details><summary>Hint 2: which rule</summary>Split <code>C</code> into <code>(slices, per_packet)</code>, in this order: neighbours in
# a packet are neighbours in C. <code>reshape</code> splits an axis and moves nothing; <code>transpose</code>
# moves.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A matrix (R, C) cut into blocks of four columns, block by block:
# <code>m.reshape(R, C // 4, 4).transpose(1, 0, 2)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "pack", "locked": false, "schema_version": 3, "solution": true, "task": false}
def pack(values, per_packet):
    ### BEGIN SOLUTION
    images, channels, height, width = values.shape
    slices = -(-channels // per_packet)
    padded = np.zeros((images, slices * per_packet, height, width), values.dtype)
    padded[:, :channels] = values
    return padded.reshape(images, slices, per_packet, height, width).transpose(0, 1, 3, 4, 2)
    ### END SOLUTION


# %% [markdown]
# **Picture.** The 19 channels of the cat, after your packing. Each line should be one slice, and the last five pictures
# grey without a pattern: zeros.


# %%
def picture_1():
    packed = np.asarray(pack(features(), 8))
    planes = np.moveaxis(packed[0], -1, 1).reshape(-1, *packed.shape[2:4])
    return channel_picture(planes, 8, "Your slices")


show(picture_1)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "pack-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_10.check_pack(pack)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_10.check_pack(pack, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 2: the map of the packets
#
# **Specification.** `shape` is (N, C, H, W), `data_type` a `DataType`, `interleave` one of `Interleave.B16` and
# `Interleave.B32`, `box` is (W, H) in packets, `address` where the packed array lies, without gaps. Return the
# `TiledTensorMap` of which each copy brings one slice of one image, with the swizzle that the documents ask for: B32
# for 32-byte packets, and none for 16-byte packets. What is not named here keeps its default. `data_type.size_bytes` is
# the size of a channel.
#
# Expected length: 8 to 14 lines.
#
# <details><summary>Hint 1: which fields</summary><code>global_dim</code> and <code>box_dim</code> have four entries,
# <code>global_strides</code> three.</details>
# <details><summary>Hint 2: which rule</summary>W, H, slice, N, innermost first. The channels of a packet are no dimension. Strides
# are in bytes, and the first is that of H: a row of W packets.</details>
# <details><summary>Hint 3: a worked neighbour</summary>A signal of 100 positions, 20 channels of half, 3 of them in a batch, in 16-byte
# packets: <code>global_dim=(100, 3, 3)</code>, <code>global_strides=(1600, 4800)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "packet-map", "locked": false, "schema_version": 3, "solution": true, "task": false}
def packet_map(shape, data_type, interleave, box, address):
    ### BEGIN SOLUTION
    images, channels, height, width = shape
    packet_bytes = 16 if interleave == Interleave.B16 else 32
    slices = -(-channels * data_type.size_bytes // packet_bytes)
    row = width * packet_bytes
    return TiledTensorMap(
        data_type=data_type,
        global_address=address,
        global_dim=(width, height, slices, images),
        global_strides=(row, row * height, row * height * slices),
        box_dim=(*box, 1, 1),
        interleave=interleave,
        swizzle=Swizzle.NONE if interleave == Interleave.B16 else Swizzle.B32,
    )
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your map of a small image of 12 × 5 pixels and 19 channels, and a copy of its last slice.


# %%
def picture_2():
    small = packet_map((1, 19, 5, 12), DataType.FLOAT16, Interleave.B32, (8, 2), 0x7F0000000000)
    print(small.check())
    return packet_picture(small, (3, 1, 1, 0), channels=19)


show(picture_2)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "packet-map-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_10.check_packet_map(packet_map)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_10.check_packet_map(packet_map, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 3: fetch these channels
#
# **Specification.** `tensor_map` is a map as in task 2, but may have element strides along W and H. `channels` is a
# `range` of channel numbers with step 1, never empty; `image` is the number of the image; (`x`, `y`) is where the box
# begins, in packets. Return a pair: the list of coordinates of the copies that bring these channels, in ascending order
# and no copy too many; and the number of bytes that one barrier must expect for all of them.
#
# Expected length: 4 to 8 lines.
#
# <details><summary>Hint 1: which fields</summary><code>interleave</code> and <code>data_type</code> say how many channels a packet has;
# <code>box_dim</code> and <code>element_strides</code> how many packets come.</details>
# <details><summary>Hint 2: which rule</summary>A copy brings one slice, and of it ceil(box / element stride) packets along each
# dimension. Channels of two slices need two copies, even if they are two channels.</details>
# <details><summary>Hint 3: a worked neighbour</summary>The pages of a book with 40 lines each that hold lines 35 to 90, counted from
# 0: <code>range(35 // 40, 90 // 40 + 1)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "copies-for", "locked": false, "schema_version": 3, "solution": true, "task": false}
def copies_for(tensor_map, channels, image, x, y):
    ### BEGIN SOLUTION
    packet_bytes = 16 if tensor_map.interleave == Interleave.B16 else 32
    per_packet = packet_bytes // tensor_map.data_type.size_bytes
    slices = range(channels[0] // per_packet, channels[-1] // per_packet + 1)
    (width, height, *_), (across, down, *_) = tensor_map.box_dim, tensor_map.element_strides
    packets = -(-width // across) * -(-height // down)
    return [(x, y, number, image) for number in slices], len(slices) * packets * packet_bytes
    ### END SOLUTION


# %% [markdown]
# **Picture.** The slice that your first copy brings for channels 9 and 10 of a small image.


# %%
def picture_3():
    small = packet_map((1, 19, 5, 12), DataType.FLOAT16, Interleave.B16, (8, 2), 0x7F0000000000)
    copies, count = copies_for(small, range(9, 11), 0, 3, 1)
    print(f"copies: {copies}, expected bytes: {count}")
    return packet_picture(small, copies[0], channels=19)


show(picture_3)

# %% [markdown]
# **Check.**

# %% nbgrader={"grade": true, "grade_id": "copies-for-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_10.check_copies_for(copies_for)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_10.check_copies_for(copies_for, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 4: unpack a box
#
# **Specification.** A load through `tensor_map` (of any rank, with interleave and any swizzle) has left its box in
# `shared`, a flat uint8 array whose index 0 lies on a 1024-byte boundary; the box begins at `shared_address`. Return an
# array of the shape (channels of a packet, packets): the elements as unsigned integers of their size, packets in the
# order of the box. How many packets there are, `packets_of` tells. The XOR of each swizzle is in `PATTERNS`, by the
# mode: a function of an address, or of an array of addresses.
#
# Expected length: 4 to 8 lines.

# %%
from course_lib.model.copy.layout import rows_and_units
from course_lib.model.facts.swizzle import PATTERNS


def packets_of(tensor_map):
    return rows_and_units(tensor_map)[0]


# %% [markdown]
# <details><summary>Hint 1: which fields</summary><code>interleave</code> gives the size of a packet, <code>swizzle</code> the pattern,
# <code>data_type.size_bytes</code> the size of a channel.</details>
# <details><summary>Hint 2: which rule</summary>Packet p begins p × packet bytes after the shared address, under every swizzle; then
# each byte's address goes through the XOR.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Rows of 8 bytes, turned by a pattern, as 2-byte integers:
# <code>memory[pattern(base + np.arange(8 * rows))].view("&lt;u2").reshape(rows, 4)</code>.</details>


# %% nbgrader={"grade": false, "grade_id": "channels-of", "locked": false, "schema_version": 3, "solution": true, "task": false}
def channels_of(shared, tensor_map, shared_address):
    ### BEGIN SOLUTION
    packet_bytes = 16 if tensor_map.interleave == Interleave.B16 else 32
    close = shared_address + np.arange(packets_of(tensor_map) * packet_bytes)
    taken = shared[PATTERNS[tensor_map.swizzle](close)]
    elements = taken.view(f"<u{tensor_map.data_type.size_bytes}")
    return elements.reshape(packets_of(tensor_map), -1).T
    ### END SOLUTION


# %% [markdown]
# **Picture.** An eye of the cat, loaded with 32-byte packets and swizzle B32, after your unpacking.


# %%
def picture_4():
    from course_lib import load
    from course_lib.recordings.copies.photo_loads import packed_photo, photo_map

    eye, shared = photo_map(Interleave.B32), np.zeros(8192 + 384, np.uint8)
    load(eye, (7, 5, 0, 0), packed_photo(Interleave.B32).reshape(-1).view(np.uint8), shared, shared_address=384)
    mine = np.ascontiguousarray(channels_of(shared, eye, 384), "<u2").view(np.float16)
    return channel_picture(mine.reshape(16, 16, 16), 16, "The eye")


show(picture_4)

# %% [markdown]
# **Check.** Boxes of the model first, then windows of the H200.

# %% nbgrader={"grade": true, "grade_id": "channels-of-check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}
lesson_10.check_channels_of(channels_of)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_10.check_channels_of(channels_of, seed=class_seed()).require()
### END HIDDEN TESTS

# %% [markdown]
# ## Task 5: the driver and the documents
#
# **Specification.** `call` is a `TiledTensorMap` with interleave. Return a pair of True or False: would the recorded
# driver accept it, and do the documents allow it? Only these may be wrong with it: the rank, the address, a stride that
# is no multiple of what it must be, the row of the box, and the pair of interleave and swizzle. `call.rank` is the
# number of dimensions.
#
# Expected length: 6 to 10 lines.
#
# <details><summary>Hint 1: which fields</summary><code>rank</code>, <code>global_address</code>, <code>global_strides</code> are judged
# alike by both; <code>box_dim[0]</code> and <code>swizzle</code> are not.</details>
# <details><summary>Hint 2: which rule</summary>The driver wants <code>box_dim[0]</code> times the size of a channel to be a multiple of 16;
# the documents ask that without interleave only. The documents tie 32-byte packets to swizzle B32; the driver does
# not.</details>
# <details><summary>Hint 3: a worked neighbour</summary>Is every number of a list a multiple of 8?
# <code>all(number % 8 == 0 for number in numbers)</code>; for an empty list that is True.</details>


# %% nbgrader={"grade": false, "grade_id": "standing", "locked": false, "schema_version": 3, "solution": true, "task": false}
def standing(call):
    ### BEGIN SOLUTION
    step = 16 if call.interleave == Interleave.B16 else 32
    both = 3 <= call.rank <= 5 and all(number % step == 0 for number in (call.global_address, *call.global_strides))
    driver = both and call.box_dim[0] * call.data_type.size_bytes % 16 == 0
    documents = both and (call.interleave == Interleave.B16 or call.swizzle == Swizzle.B32)
    return driver, documents
    ### END SOLUTION


# %% [markdown]
# **Picture.** Your verdicts on four calls.


# %%
def picture_5():
    right = packet_map((1, 19, 5, 12), DataType.FLOAT16, Interleave.B32, (8, 2), 0x7F0000000000)
    print("as in task 2:     ", standing(right))
    print("with swizzle B128:", standing(replace(right, swizzle=Swizzle.B128)))
    print("a box of 4 × 2:   ", standing(replace(right, box_dim=(4, 2, 1, 1))))
    print("16 bytes further: ", standing(replace(right, global_address=0x7F0000000010)))


show(picture_5)

# %% [markdown]
# **Check.** Against the recorded answers of the driver, 64 calls.

# %% nbgrader={"grade": true, "grade_id": "standing-check", "locked": true, "points": 2, "schema_version": 3, "solution": false, "task": false}
lesson_10.check_standing(standing)
### BEGIN HIDDEN TESTS
from course_lib.checks import class_seed

lesson_10.check_standing(standing, seed=class_seed()).require()
### END HIDDEN TESTS
