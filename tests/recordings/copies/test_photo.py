"""The photograph and the channels made of it."""

from hashlib import sha256

import numpy as np

from course_lib.recordings import committed, read_rows
from course_lib.recordings.copies.photo import features, photo
from course_lib.recordings.replay.kinds import kind_of


def test_the_photograph_has_45_pixels_in_30_rows_and_dark_pupils_in_bright_eyes():
    pixels = photo()
    assert (pixels.shape, pixels.dtype) == ((30, 45, 3), np.uint8)
    grey = pixels.astype(int).sum(2) // 3
    eye = grey[8:15, 13:21]
    assert eye.max() - eye.min() > 80
    assert grey.std() > 20


def test_19_channels_are_whole_numbers_and_begin_with_the_colours():
    made = features()
    assert (made.shape, made.dtype) == ((1, 19, 30, 45), np.float16)
    assert np.array_equal(made[0, :3], np.moveaxis(photo(), 2, 0).astype(np.float16))
    assert np.array_equal(made, np.rint(made))


def test_the_channels_are_the_very_bytes_that_the_recorded_loads_were_made_with():
    digest = sha256(features().tobytes()).hexdigest()
    assert digest == "02b39729906f9773bd26d3e5c1baa9debdb23f7153aede4c4410ef49a1d1d892"
    assert not photo().flags.writeable
    assert not features().flags.writeable


def test_a_flat_patch_has_a_mean_and_no_edges():
    grey = photo().astype(int).sum(2) // 3
    made = features()[0, 3]
    assert abs(made[10, 20] - grey[9:13, 19:23].mean()) <= 1


def test_every_recorded_load_of_the_photograph_is_what_the_model_does_with_the_memory_in_its_row():
    rows = list(read_rows(committed("load_photo.jsonl.xz")))
    assert len(rows) >= 50
    assert [row["why"] for row in rows if kind_of(row).compare(row).differing] == []
