"""Recorded loads of packets: how many there are, and that their units lie where the pattern puts them."""

from itertools import product

from course_lib import Interleave, Swizzle
from course_lib.model.call.sizes import transaction_bytes
from course_lib.model.facts.swizzle import PATTERNS
from course_lib.recordings.copies.packets import count_explained, kept_windows, packet_loads


def test_every_load_of_packets_completed_with_the_bytes_of_one_slice():
    loads = packet_loads()
    assert len(loads) > 2000
    assert all(load.row["status"] == 1 for load in loads)
    assert all(load.row["transaction_bytes"] == transaction_bytes(load.tensor_map) for load in loads)


def test_windows_of_all_eight_pairs_hold_close_packets_swizzled_by_the_usual_pattern():
    kept = kept_windows()
    assert set(kept) == set(product((Interleave.B16, Interleave.B32), range(4)))
    for (_, swizzle), windows in kept.items():
        right, units = count_explained(windows, lambda window, s=swizzle: PATTERNS[Swizzle(s)](window.close))
        assert right == units > 50


def test_neither_plain_packets_nor_packets_spread_to_the_span_explain_the_windows():
    windows = kept_windows()[Interleave.B16, Swizzle.B128]
    units = count_explained(windows, lambda window: window.close)[1]
    spread = lambda window: PATTERNS[Swizzle.B128](window.base + (window.close - window.base) * 8)  # noqa: E731
    assert count_explained(windows, lambda window: window.close)[0] < units
    assert count_explained(windows, spread)[0] < units / 2
