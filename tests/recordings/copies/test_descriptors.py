"""What was tried with descriptors alone, against the model and against what lesson 03 says of it."""

from collections import Counter
from dataclasses import replace

import pytest

from course_lib.model.call.encoding import TF32, TILED_FIELDS
from course_lib.model.facts.bits import Field
from course_lib.model.facts.enums import DataType
from course_lib.recordings import committed
from course_lib.recordings.copies.descriptors import recorded_fields, rows_tried, tried_provenance
from course_lib.recordings.replay.replay import replay

PLAIN = next(iter(recorded_fields()))
UPDATED_BY_ENCODE = {"box_bytes", "swizzle_repeat"}


def number(data):
    return int.from_bytes(data, "little")


def changed_fields(before, after):
    return {f.name: f.read(number(after)) for f in TILED_FIELDS if f.read(number(before)) != f.read(number(after))}


def edited(edit, start_swizzle):
    return next(
        bytes.fromhex(r["bytes"])
        for r in rows_tried("device_edit")
        if (r["edit"], r["start_swizzle"]) == (edit, start_swizzle)
    )


def test_the_rows_name_their_own_device_driver_and_date():
    assert str(tried_provenance()) == "NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0, 2026-11-30"


def test_the_model_gives_every_answer_to_a_plain_call_with_one_argument_changed():
    agreement = replay(committed("descriptor_fields.jsonl.xz"))
    assert agreement.agreeing == {"encode": 126}
    assert agreement.differences == []
    for call, answer in recorded_fields().items():
        assert call.check().accepted == (answer.result == 0)
        assert answer.bytes is None or call.encode() == answer.bytes


def test_the_driver_writes_a_descriptor_to_any_address_and_the_engine_reads_it_from_a_multiple_of_64():
    assert {row["address_mod_128"] for row in rows_tried("encode_to")} >= {0, 1, 2, 4, 8, 16, 32, 64}
    assert all((row["result"], row["same_bytes"]) == (0, True) for row in rows_tried("encode_to"))
    faults = {
        row["address_mod_128"]: row["fault"] for row in rows_tried("descriptor_at") if row["home"].startswith("global")
    }
    assert faults == {at: None if at % 64 == 0 else 716 for at in (0, 8, 16, 32, 48, 64, 96)}


def test_the_engine_reads_descriptors_from_parameters_constants_and_global_memory_only():
    at_home = [row for row in rows_tried("descriptor_at") if row["memory"] == "device" and row["address_mod_128"] == 0]
    assert {row["home"] for row in at_home if row["fault"] == 700} == {"by_value", "local", "shared"}
    assert {row["home"] for row in at_home if row["right_elements"] == 512} == {
        "grid_constant",
        "constant",
        "global_fenced",
        "global_unfenced",
    }


def test_the_bytes_hold_an_address_and_no_kind_of_memory():
    rows = rows_tried("descriptor_at")
    assert {row["memory"] for row in rows} == {"device", "managed", "pinned", "registered", "pageable", "null"}
    assert all(row["result"] == 0 and row["only_the_address_differs"] for row in rows)
    read = {row["memory"]: row["fault"] for row in rows if row["home"] == "grid_constant"}
    assert {memory for memory, fault in read.items() if fault == 700} == {"pageable", "null"}


def test_without_a_context_the_driver_encodes_nothing():
    assert rows_tried("encode_without_context") == [{"result": 201}]


@pytest.mark.parametrize("row", rows_tried("device_edit"), ids=lambda row: f"{row['edit']} from {row['start_swizzle']}")
def test_an_edit_on_the_device_changes_its_own_field_and_no_derived_word(row):
    before = replace(PLAIN, swizzle=row["start_swizzle"]).encode()
    names = set(changed_fields(before, bytes.fromhex(row["bytes"])))
    assert not names & UPDATED_BY_ENCODE
    assert len({name.split("_")[0] for name in names} - {"is"}) <= 1
    covered = number(before) ^ number(bytes.fromhex(row["bytes"]))
    assert covered & ~sum(field.mask for field in TILED_FIELDS) == 0


def test_an_edit_to_another_type_writes_the_codes_that_the_driver_writes():
    for data_type in (t for t in DataType if not t.is_packed):
        driver = recorded_fields()[replace(PLAIN, data_type=data_type)].bytes
        device = edited(f"elemtype {data_type.facts.replace_code}", 0)
        for name in ("element_type", "is_tf32"):
            field = next(f for f in TILED_FIELDS if f.name == name)
            assert field.read(number(device)) == field.read(number(driver))
    assert {t.facts.replace_code for t in TF32} == {11, 12}


def test_an_edit_rounds_a_stride_down_to_16_bytes_and_takes_a_dimension_of_0_as_the_largest():
    assert edited("global_stride[0] 4104", 0) == edited("global_stride[0] 4096", 0)
    assert changed_fields(PLAIN.encode(), edited("global_dim[1] 0", 0)) == {"dim_1_minus_1": 2**32 - 1}


def test_a_load_reads_neither_the_derived_words_nor_the_bits_between_the_fields():
    poked = Counter()
    fields = {"box_bytes": Field("", 512, 18), "swizzle_repeat": Field("", 576, 11)}
    for row in rows_tried("poke"):
        first = row["poked"][0]["lsb"]
        name = next((n for n, f in fields.items() if f.lsb == first), "other")
        poked[name] += 1
        misaligned = first in (0, 3)
        assert (row["fault"], row["completed"], row["bytes_that_differ"]) == (
            (716, None, None) if misaligned else (None, True, 0)
        )
    assert poked["box_bytes"] >= 20
    assert poked["swizzle_repeat"] >= 12


def test_no_tiled_copy_reads_the_upper_64_bytes():
    rows = rows_tried("upper_half")
    assert Counter(row["copy"] for row in rows) == {"load": 30, "store": 12, "reduce": 12}
    assert {row["filled_with"] for row in rows} == {"ones", "zeros", "other"}
    assert {row["l2_promotion"] for row in rows} == {0, 1, 2, 3} == {row["swizzle"] for row in rows}
    assert all((row["fault"], row["bytes_that_differ"]) == (None, 0) for row in rows)
