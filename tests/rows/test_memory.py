"""The bytes that every recorded copy read come from one formula."""

import pytest

from course_lib.rows.memory import source_bytes

MASK = 2**64 - 1


def splitmix64(number):
    z = (number + 1) * 0x9E3779B97F4A7C15 & MASK
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
    return z ^ z >> 31


@pytest.mark.parametrize("seed", [0, 1, 22, 100_031, 2**31 - 1])
def test_word_i_is_splitmix64_of_the_seed_and_i(seed):
    memory = source_bytes(seed, 64).tobytes()
    words = [int.from_bytes(memory[i : i + 8], "little") for i in range(0, 64, 8)]
    assert words == [splitmix64(seed * 2**32 + i) for i in range(8)]


def test_the_first_word_of_seed_0_is_the_published_one():
    assert source_bytes(0, 8).tobytes() == (0xE220A8397B1DCDAF).to_bytes(8, "little")


def test_a_shorter_memory_is_the_start_of_a_longer_one():
    assert source_bytes(5, 13).tobytes() == source_bytes(5, 64).tobytes()[:13]


def test_nobody_writes_into_the_shared_copy():
    with pytest.raises(ValueError, match="read-only"):
        source_bytes(3, 8)[0] = 1
