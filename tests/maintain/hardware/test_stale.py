"""Maps that outlive their memory, and calls behind another kernel's fault, as an H200 answered them."""

import pytest

from course_lib.recordings import committed, read_rows

ROWS = list(read_rows(committed("stale.jsonl.xz")))
BEHIND = [row for row in ROWS if "calls" in row]
FREED = {(row["memory_bytes"] >> 10, row["then"]): row for row in ROWS if "then" in row}


@pytest.mark.parametrize("row", [row for row in BEHIND if "fault" in row], ids=lambda row: row["why"])
def test_once_a_fault_is_told_every_call_answers_with_it(row):
    told = [code == row["fault"] for code in row["answers"]]
    assert told == sorted(told)
    assert set(row["answers"]) <= {0, row["fault"]}


def test_an_encode_call_tells_another_kernels_fault_even_for_a_map_that_it_would_refuse():
    after = [
        row["answers"][row["calls"].index("encode a broken map")]
        for row in BEHIND
        if "fault" in row and "encode a broken map" in row["calls"]
    ]
    assert sorted(after) == [700, 700, 715, 715, 716, 716]
    assert [row["answers"] for row in BEHIND if "fault" not in row and "encode a broken map" in row["calls"]] == [
        [0, 0, 1, 0, 0]
    ] * 2


def test_at_once_no_call_but_a_wait_tells_the_fault():
    early = [row for row in BEHIND if row["wait_ms"] == 0 and "synchronize" not in row["calls"]]
    assert {code for row in early for code in row["answers"]} == {0}


def test_freed_memory_faults_only_where_its_pages_are_gone():
    assert FREED[64, "nothing"]["saw"] == "old"
    assert FREED[4096, "nothing"]["fault"] == FREED[65536, "nothing"]["fault"] == 700


def test_a_map_reads_whatever_lies_at_its_address_now():
    again = [row for (_, then), row in FREED.items() if then == "allocate again"]
    assert [row["saw"] for row in again if row["same_address"]] == ["new", "new"]
    assert [row["fault"] for row in again if not row["same_address"]] == [700]
