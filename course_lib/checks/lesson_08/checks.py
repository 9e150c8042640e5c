"""The checks of exercise 08: the banks modelled step by step, judged by what an H200 took; a pitch and a box chosen."""

from dataclasses import replace

from course_lib.checks.lesson_08.questions import bank_questions, calls_to_pad, columns_of, tile_reads, turns_picture
from course_lib.checks.lesson_08.slips import degree_slip, pitch_slip, tile_box_slip, turns_slip
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.checks.shared.learner_values import as_integer, as_map
from course_lib.draw import bank_picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.banks import access
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES


@check("every degree is what the H200 took.")
def check_degree_of(answer: Answer, seed: int) -> None:
    """Task 1: `degree_of(addresses)` gives the degree of a read of 4 bytes a lane."""
    for question in bank_questions(seed, sizes=(4,)):
        got = as_integer(ask(answer, question.addresses.copy()), "a degree")
        if got != question.found.degree:
            said = f"{question.name}: you say {got}; {question.by}. {degree_slip(got, question)}"
            raise Wrong(said, turns_picture(question))


@check("every number of turns is what the H200 took.")
def check_turns_of(answer: Answer, seed: int) -> None:
    """Task 2: `turns_of(addresses, access_bytes)`, where no two lanes read at one address."""
    examine_turns(answer, seed, shared=False)


@check("every number of turns is what the H200 took, where lanes share and where they don't.")
def check_turns_shared(answer: Answer, seed: int) -> None:
    """Task 3: `turns_shared(addresses, access_bytes)`, for any 32 lanes."""
    examine_turns(answer, seed, shared=True)


def examine_turns(answer: Answer, seed: int, shared: bool) -> None:
    """The turns of one read after the other."""
    for question in bank_questions(seed, shared=shared):
        got = as_integer(ask(answer, question.addresses.copy(), question.access_bytes), "a number of turns")
        if got != question.found.turns:
            case = f"{question.name}, {question.access_bytes} bytes a lane"
            raise Wrong(f"{case}: you say {got}; {question.by}. {turns_slip(got, question)}", turns_picture(question))


@check("no smaller pitch does better.")
def check_best_pitch(answer: Answer, seed: int) -> None:
    """Task 4: `best_pitch(row_bytes, step_bytes, access_bytes, read)` gives the bytes from row to row."""
    for tile in tile_reads(seed):
        got = as_integer(ask(answer, tile.row_bytes, tile.step_bytes, tile.access_bytes, tile.read), "a pitch")
        if got != tile.best:
            case = f"{tile.name}, {tile.access_bytes} bytes a lane, rows of {tile.row_bytes}, step {tile.step_bytes}"
            fits = got >= tile.row_bytes and got % tile.access_bytes == 0
            picture = (
                bank_picture(access(tile.read(got), tile.access_bytes), f"Rows {got} bytes apart") if fits else None
            )
            raise Wrong(f"{case}: you say {got}. {pitch_slip(got, tile)}", picture)


@check("each box is accepted, no wider than it need be, and free of conflicts.")
def check_padded_box(answer: Answer, seed: int) -> None:
    """Task 5: `padded_box(tensor_map)` gives the call with a box whose 16-byte columns are free of conflicts."""
    for call in calls_to_pad(seed):
        got = as_map(ask(answer, call))
        right = replace(call, box_dim=(right_width(call), call.box_dim[1]))
        if got != right:
            case = f"box_dim={call.box_dim} of {DataType(call.data_type).name}"
            legal = got.check().accepted and got.rank == 2
            picture = bank_picture(columns_of(got), "16 bytes of each of 8 rows") if legal else None
            raise Wrong(f"{case}: {tile_box_slip(got, right)}", picture)


def right_width(call: TiledTensorMap) -> int:
    """The narrowest box, in elements, that is an odd number of 16-byte units wide."""
    size = DataType(call.data_type).size_bytes
    return (call.box_dim[0] * size // INNER_UNIT_BYTES | 1) * INNER_UNIT_BYTES // size
