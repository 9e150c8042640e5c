"""Verdicts and bytes against every recorded encode call and the public reports: the driver is always right."""

from dataclasses import replace

import pytest

from course_lib import DataType, decode
from course_lib.recordings import committed, read_rows
from course_lib.rows.calls import tensor_map_of_report

REPORTS = [row for row in read_rows(committed("reports.jsonl.xz")) if "driver_result" in row]


@pytest.fixture(scope="module")
def accepted_calls(recorded_calls):
    return [(m, bytes.fromhex(row["bytes"])) for row, m, _ in recorded_calls if row["result"] == 0]


def test_the_verdict_is_the_drivers_on_every_recorded_call(recorded_calls):
    assert [row for row, _, verdict in recorded_calls if verdict.accepted != (row["result"] == 0)] == []
    assert len(recorded_calls) == 40_000 + 18_617


@pytest.mark.parametrize("row", REPORTS, ids=lambda row: row["id"])
def test_the_verdict_is_the_drivers_on_every_report(row):
    assert tensor_map_of_report(row).check().accepted == (row["driver_result"] == 0)


def test_the_bytes_are_the_drivers_on_every_accepted_call_of_all_three_kinds(accepted_calls):
    assert [m for m, recorded in accepted_calls if m.encode() != recorded] == []
    assert {m.api for m, _ in accepted_calls} == {"tiled", "im2col", "im2col_wide"}
    assert len(accepted_calls) == 10_545 + 6_713


def test_decode_gives_back_every_argument_of_tiled_and_im2col_calls(accepted_calls):
    assert [m for m, recorded in accepted_calls if m.api != "im2col_wide" and decode(recorded) != m] == []


def test_decode_gives_a_wide_call_back_as_im2col_with_corners_0_in_height_and_depth(accepted_calls):
    wide = [(m, decode(recorded)) for m, recorded in accepted_calls if m.api == "im2col_wide"]
    assert {back.api for _, back in wide} == {"im2col"}
    assert [m for m, back in wide if back.pixel_box != m.pixel_box] == []
    kept = ("data_type", "global_address", "global_dim", "global_strides", "channels_per_pixel", "pixels_per_column")
    kept += ("element_strides", "interleave", "swizzle", "l2_promotion", "oob_fill")
    assert [m for m, back in wide if any(getattr(m, name) != getattr(back, name) for name in kept)] == []


def test_decoded_maps_encode_to_the_same_bytes(accepted_calls):
    assert [m for m, recorded in accepted_calls if decode(recorded).encode() != recorded] == []


def test_fixes_in_order_end_in_an_accepted_call_or_the_verdict_says_that_none_does(refused_calls):
    for m, verdict in refused_calls:
        fixes = [broken.fix for broken in verdict.broken]
        mended = replace(m, **dict(fix for fix in fixes if fix))
        assert mended.check().accepted == (verdict.mended is not None)
        assert verdict.mended in (None, mended)
        assert (verdict.mended is None) == (None in fixes)


def test_each_fix_alone_mends_its_rule_or_another_and_breaks_no_new_one(refused_calls):
    for m, verdict in refused_calls:
        before = {broken.id for broken in verdict.broken}
        for broken in verdict.broken:
            if broken.fix:
                after = {b.id for b in replace(m, **dict([broken.fix])).check().broken}
                assert after <= before


def alone(m, **changed):
    """The ids that are left when one argument is changed."""
    return {broken.id for broken in replace(m, **changed).check().broken}


def every_row(m, name):
    """The call with every length of an inner row that there is, one after the other."""
    counts = range(1, 257)
    return [{name: n} if name == "channels_per_pixel" else {name: (n, *m.box_dim[1:])} for n in counts]


def test_where_rank_and_type_are_fine_two_kinds_of_calls_have_no_fix_and_no_value_would_mend_them(refused_calls):
    lacking = [(m, v, b) for m, v in refused_calls for b in v.broken if b.fix is None]
    others = [case for case in lacking if case[2].field not in ("global_dim", "data_type")]
    packed = [case for case in others if case[0].data_type == DataType.U6X16_ALIGN16B]
    for m, verdict, broken in packed:  # 64 elements of 6 bits are the fewest whole units, and too long for the swizzle
        before = {b.id for b in verdict.broken}
        assert not any(alone(m, **change) <= before - {broken.id} for change in every_row(m, broken.field))
    (corner,) = [case for case in others if case not in packed]  # the box is empty until the other corner is mended
    assert all("pixel-box-is-not-empty" in alone(corner[0], pixel_box_lower_corner=(c, 0, 0)) for c in range(-16, 16))


def test_a_type_has_no_fix_only_where_every_other_type_breaks_a_new_rule(refused_calls):
    lacking = [(m, v) for m, v in refused_calls if any(b.fix is None and b.field == "data_type" for b in v.broken)]
    assert len(lacking) > 1000
    for m, verdict in lacking:
        before = {broken.id for broken in verdict.broken}
        others = [{b.id for b in replace(m, data_type=t).check().broken} for t in DataType if not t.is_packed]
        assert not any(after <= before for after in others)


def test_each_fix_in_its_turn_mends_its_rule_and_breaks_no_new_one(refused_calls):
    for m, verdict in refused_calls[::10]:
        now, left = m, {broken.id for broken in verdict.broken}
        for broken in verdict.broken:
            now = replace(now, **dict([broken.fix] if broken.fix else []))
            after = {b.id for b in now.check().broken}
            assert after <= left - ({broken.id} if broken.fix else set())
            left = after


def test_a_rank_has_no_fix_only_where_a_map_without_interleave_breaks_a_new_rule_there_or_alone(refused_calls):
    lacking = [(m, v) for m, v in refused_calls if any(b.fix is None and b.field == "global_dim" for b in v.broken)]
    assert len(lacking) > 1000
    for m, verdict in lacking:
        before = {broken.id for broken in verdict.broken}
        typed = next((dict([b.fix]) for b in verdict.broken if b.fix and b.field == "data_type"), {})
        alone_fine = alone(m, interleave=0) <= before - {"rank-is-in-range"}
        assert not (alone_fine and alone(m, **typed, interleave=0) <= before - {"rank-is-in-range"})
