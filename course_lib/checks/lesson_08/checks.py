"""The checks of exercise 08: the banks modelled step by step, judged by what an H200 took; a pitch and a box chosen."""

from dataclasses import replace

from course_lib.checks.lesson_08.questions import Question, Tile, boxes, columns_of, questions, shown, tiles
from course_lib.checks.shared.answers import as_integer, as_map
from course_lib.checks.shared.base import Answer, Wrong, ask, check
from course_lib.draw import bank_picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.banks import TURN_BYTES, access, bank_of, serve
from course_lib.model.facts.enums import DataType
from course_lib.model.facts.limits import INNER_UNIT_BYTES


@check("every degree is what the H200 took.")
def check_degree_of(answer: Answer, seed: int) -> None:
    """Task 1: `degree_of(addresses)` gives the degree of a read of 4 bytes a lane."""
    for question in questions(seed, sizes=(4,)):
        got = as_integer(ask(answer, question.addresses.copy()), "a degree")
        if got != question.found.degree:
            said = f"{question.name}: you say {got}; {question.by}. {degree_slip(got, question)}"
            raise Wrong(said, shown(question))


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
    for question in questions(seed, shared=shared):
        got = as_integer(ask(answer, question.addresses.copy(), question.access_bytes), "a number of turns")
        if got != question.found.turns:
            case = f"{question.name}, {question.access_bytes} bytes a lane"
            raise Wrong(f"{case}: you say {got}; {question.by}. {turns_slip(got, question)}", shown(question))


@check("no smaller pitch does better.")
def check_best_pitch(answer: Answer, seed: int) -> None:
    """Task 4: `best_pitch(row_bytes, step_bytes, access_bytes, read)` gives the bytes from row to row."""
    for tile in tiles(seed):
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
    for call in boxes(seed):
        got = as_map(ask(answer, call))
        right = replace(call, box_dim=(right_width(call), call.box_dim[1]))
        if got != right:
            case = f"box_dim={call.box_dim} of {DataType(call.data_type).name}"
            legal = got.check().accepted and got.rank == 2
            picture = bank_picture(columns_of(got), "16 bytes of each of 8 rows") if legal else None
            raise Wrong(f"{case}: {box_slip(got, right)}", picture)


def right_width(call: TiledTensorMap) -> int:
    """The narrowest box, in elements, that is an odd number of 16-byte units wide."""
    size = DataType(call.data_type).size_bytes
    return (call.box_dim[0] * size // INNER_UNIT_BYTES | 1) * INNER_UNIT_BYTES // size


def degree_slip(got: int, question: Question) -> str:
    """What a wrong degree looks like."""
    banks = bank_of(question.addresses).tolist()
    if got == max(banks.count(bank) for bank in banks):
        return "Yours counts lanes; lanes that ask for one word are served together."
    if got == len(set(banks)):
        return "Yours counts the banks that are asked; the busiest bank alone decides."
    return "Count the different words that each bank must give."


def turns_slip(got: int, question: Question) -> str:
    """What a wrong number of turns looks like."""
    lanes = TURN_BYTES // question.access_bytes
    apart = serve(question.addresses, question.access_bytes, lanes)
    together = serve(question.addresses, question.access_bytes, question.addresses.size)
    if got == apart.turns:
        return "Lanes that share in pairs are served with twice as many in a phase."
    if question.is_shared and got == serve(question.addresses, question.access_bytes, 2 * lanes).turns:
        return "Twice as many lanes only if every lane shares by the same of the two, lane ^ 1 or lane ^ 2."
    if got == question.found.degree and len(question.found.phases) > 1:
        return "That is the degree of the worst phase; the turns are the sum over the phases."
    if got in (together.turns, access(question.addresses, 4).turns):
        return "A lane asks for every word of its bytes, and only lanes of one phase are in each other's way."
    return "The picture has the turns, phase by phase."


def pitch_slip(got: int, tile: Tile) -> str:
    """Why a pitch is not the one."""
    if got < tile.row_bytes:
        return f"A row has {tile.row_bytes} bytes: the rows would overlap."
    if got % tile.step_bytes:
        return f"That is no multiple of {tile.step_bytes}."
    if tile.turns(got) == tile.turns(tile.best):
        return f"The read takes {tile.turns(got)} turns, and as many at {tile.best}, which is smaller."
    return f"The read takes {tile.turns(got)} turns; at {tile.best} it takes {tile.turns(tile.best)}."


def box_slip(got: TiledTensorMap, right: TiledTensorMap) -> str:
    """Why a call is not the one."""
    changed = got.rank != right.rank or replace(got, box_dim=right.box_dim) != right
    if changed or got.box_dim[1:] != right.box_dim[1:]:
        return "something other than box_dim[0] has changed."
    said, size = f"you say box_dim[0] = {got.box_dim[0]}", DataType(right.data_type).size_bytes
    if not got.check().accepted:
        return f"{said}: the driver refuses it. {got.check().broken[0].message}."
    if got.box_dim[0] == right.box_dim[0] * size:
        return f"{said}: that is its bytes; a box is counted in elements."
    if columns_of(got).degree > 1:
        return f"{said}: rows lie {got.box_dim[0] * size} bytes apart, and 8 of them conflict."
    return f"{said}: free of conflicts, but {right.box_dim[0]} elements are enough."
