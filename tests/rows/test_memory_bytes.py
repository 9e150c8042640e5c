"""The formula behind every recorded byte."""

import numpy as np
import pytest

from course_lib.rows.memory import digest, source_bytes, window_for


def word(seed, i):
    """splitmix64 in plain integers."""
    z = (seed * 2**32 + i + 1) * 0x9E3779B97F4A7C15 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return z ^ z >> 31


@pytest.mark.parametrize("seed", [0, 1, 22, 100_031])
def test_every_word_is_splitmix64_of_seed_and_place(seed):
    assert source_bytes(seed, 512).view("<u8").tolist() == [word(seed, i) for i in range(64)]


def test_memory_is_shared_and_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        source_bytes(1, 64)[0] = 1


def test_a_digest_is_of_all_bytes():
    zeros = np.zeros(1024, np.uint8)
    assert len(digest(zeros)) == 24
    assert digest(zeros) != digest(zeros[:-1])


@pytest.mark.parametrize(("end", "window"), [(1, 2048), (1024, 2048), (1025, 3072)])
def test_a_window_has_room_to_see_what_spills(end, window):
    assert window_for(end) == window
