"""The table of rules says which rows each rule rests on, shows an open threshold, and is fresh."""

from pathlib import Path

import pytest

import course_lib.recordings
from course_lib.model.rules.judge import RULES
from course_lib.model.rules.quantities import is_box, is_column, prime_factors
from maintain import thresholds
from maintain.thresholds import QUANTITIES, make_table, markdown, spell_number

TABLE = Path(course_lib.recordings.__file__).with_name("RULES.md")
PACKED = "packed-"
CALL = {
    **{"api": "tiled", "rank": 1, "data_type": 0, "global_address": 0, "global_dim": [64], "global_strides": []},
    **{"box_dim": [32], "element_strides": [1], "interleave": 0, "swizzle": 0, "l2_promotion": 0, "oob_fill": 0},
}


def told(*rows, rule):
    lines = [
        line for line in markdown(make_table(CALL | row for row in rows)).splitlines() if line.startswith(f"| {rule} |")
    ]
    return [cell.strip() for cell in lines[0].strip("|").split("|")][2:]


def test_the_committed_table_is_what_the_command_writes(capsys):
    assert thresholds.main([]) == 0
    assert capsys.readouterr().out == TABLE.read_text(encoding="utf-8")


def test_every_rule_of_hopper_has_its_place_in_the_table():
    ours = {rule.id for rules in RULES.values() for rule in rules if not rule.id.startswith(PACKED)}
    assert set(QUANTITIES) == ours - {"interleave-32b-takes-swizzle-32b"}


def test_no_rule_of_the_table_refuses_a_value_that_lies_among_those_taken():
    assert "refused among the taken" not in TABLE.read_text(encoding="utf-8")


def test_every_rule_of_the_table_is_the_only_cause_of_some_refusals():
    table = TABLE.read_text(encoding="utf-8").partition("| --- |")[2].splitlines()[1:]
    alone = {line.split("|")[1].strip(): line.split("|")[3].strip() for line in table}
    assert set(alone) == set(QUANTITIES)
    assert "0" not in alone.values()


def test_neighbours_on_both_sides_close_a_threshold():
    rows = [{"element_strides": [n], "result": int(not 1 <= n <= 8)} for n in (0, 1, 4, 8, 9, 20)]
    assert told(*rows, rule="element-strides-are-in-range") == ["3", "0", "1 to 8", "9", ""]


def test_a_gap_without_rows_is_open():
    rows = [{"element_strides": [n], "result": int(n > 8)} for n in (1, 6, 12)]
    assert told(*rows, rule="element-strides-are-in-range") == ["1", "", "1 to 6", "12", "6 to 12"]


def test_a_refused_value_among_the_taken_ones_is_told():
    rows = [{"element_strides": [n], "result": 0} for n in (1, 20)] + [{"element_strides": [9], "result": 1}]
    assert told(*rows, rule="element-strides-are-in-range")[-1] == "1 refused among the taken"


def test_a_row_that_two_rules_refuse_says_nothing():
    assert (
        told({"element_strides": [9], "global_address": 1, "result": 1}, rule="element-strides-are-in-range")[0] == "0"
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, ""),
        (0, "0"),
        (9000, "9000"),
        (2**57, "2**57"),
        (2**57 - 16, "2**57-16"),
        (-(2**15) - 1, "-(2**15+1)"),
        (-(2**15), "-2**15"),
    ],
)
def test_a_number_near_a_large_power_of_two_is_written_so(number, text):
    assert spell_number(number) == text


def test_no_box_or_column_lies_between_the_largest_taken_and_the_smallest_refused():
    assert is_box(233_472)
    assert is_box(233_520)
    assert not any(map(is_box, range(233_473, 233_520)))
    assert is_column(233_472)
    assert not any(map(is_column, range(233_473, 233_520)))
    assert prime_factors(233_520) == [2, 2, 2, 2, 3, 5, 7, 139]


def test_a_file_that_cannot_be_read_is_a_sentence(capsys, tmp_path):
    assert thresholds.main([str(tmp_path / "gone.jsonl")]) == 2
    assert "cannot be read" in capsys.readouterr().err
