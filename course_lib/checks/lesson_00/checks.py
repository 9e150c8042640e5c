"""The checks of exercise 00: a matrix becomes a tensor map, two are compared, calls are mended, test data can tell."""

from dataclasses import fields
from operator import index
from typing import Any

from course_lib.checks.lesson_00.mended_calls import calls_to_mend, must_be_mended
from course_lib.checks.lesson_00.questions import descriptor_pairs, matrices, tile_map
from course_lib.checks.lesson_00.telling_data import must_tell_tiles, tilings
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import must_be
from course_lib.draw import Picture, compare_words
from course_lib.draw.bits.words import words_of
from course_lib.model.call.tensor_map import TiledTensorMap

ARGUMENT_ADVICE = {
    "global_address": "the matrix begins at `address`.",
    "data_type": "the elements are float16.",
    "global_dim": "the innermost dimension comes first, and in a row-major matrix that is the columns.",
    "global_strides": "a stride is the distance from one row to the next in bytes, and a float16 has 2 of them.",
    "box_dim": "the box follows the order of global_dim: columns first, in elements.",
}


@check("the driver would write the same 128 bytes.")
def check_tile_map(answer: Answer, seed: int) -> None:
    """Task 1: `tile_map(address, rows, columns, box_rows, box_columns)` for a row-major float16 matrix."""
    for matrix in matrices(seed):
        got = ask(answer, **matrix)
        if type(got) is not TiledTensorMap:
            raise Wrong(f"the function returned a {type(got).__name__}, not a TiledTensorMap.")
        compare_maps(got, tile_map(**matrix), matrix)


@check("every differing word is named, and no other.")
def check_words_that_differ(answer: Answer, seed: int) -> None:
    """Task 2: `words_that_differ(ours, theirs)` gives the numbers (0 to 15) of the 64-bit words that differ."""
    for ours, theirs in descriptor_pairs(seed):
        right = [number for number, (a, b) in enumerate(zip(words_of(ours), words_of(theirs), strict=True)) if a != b]
        got = as_numbers(ask(answer, ours, theirs))
        if sorted(got) != right:
            picture = compare_words(ours, theirs, ("ours", "theirs"))
            raise Wrong(
                f"you found {got}, and the words that differ are {right}. {words_slip(got, right)}".strip(), picture
            )


@check("every call comes out as its verdict says.")
def check_mended(answer: Answer, seed: int) -> None:
    """Task 3: `mended(tensor_map)` applies every fix of the verdict, in order."""
    for call in calls_to_mend(seed):
        must_be_mended(call, ask(answer, call))


@check("no two tiles hold the same bytes, so a wrong tile would show.")
def check_telling_matrix(answer: Answer, seed: int) -> None:
    """Task 4: `telling_matrix(rows, columns, box_rows, box_columns)`, uint8, in which every two tiles differ."""
    for tiling in tilings(seed):
        must_tell_tiles(tiling, ask(answer, **tiling._asdict()))


def compare_maps(got: TiledTensorMap, right: TiledTensorMap, matrix: dict[str, int]) -> None:
    """Wrong at the first argument that differs."""
    for name in (field.name for field in fields(right)):
        ours, theirs = getattr(got, name), getattr(right, name)
        if ours != theirs:
            case = ", ".join(f"{key}={value}" for key, value in matrix.items() if key != "address")
            advice = ARGUMENT_ADVICE.get(name, "leave it as it is.")
            raise Wrong(f"for {case}: {name} is {ours} and should be {theirs}: {advice}", picture_of_both(got, right))


def picture_of_both(got: TiledTensorMap, right: TiledTensorMap) -> Picture | None:
    """Both tensor maps word by word; none where the driver refuses the learner's and there are no bytes."""
    return compare_words(got.encode(), right.encode(), ("yours", "right")) if got.check().accepted else None


def as_numbers(got: Any) -> list[int]:
    """A learner's word numbers; Wrong where they are none."""
    with must_be(got, "a list of word numbers", TypeError):
        return [index(number) for number in got]


def words_slip(got: list[int], right: list[int]) -> str:
    """What went wrong with the numbers, where that is plain."""
    if sorted({number // 8 for number in got}) == right:
        return "Yours are numbers of bytes: a word has 8 of them."
    return "Some are missing." if set(got) < set(right) else ""
