"""What went wrong with degrees, turns, pitches and boxes, where a wrong answer tells it: one sentence each."""

from dataclasses import replace

from course_lib.checks.lesson_08.questions import BankQuestion, TileRead, columns_of
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.banks import TURN_BYTES, access, bank_of, serve
from course_lib.model.facts.enums import DataType


def degree_slip(got: int, question: BankQuestion) -> str:
    """What a wrong degree looks like."""
    banks = bank_of(question.addresses).tolist()
    if got == max(banks.count(bank) for bank in banks):
        return "Yours counts lanes; lanes that ask for one word are served together."
    if got == len(set(banks)):
        return "Yours counts the banks that are asked; the busiest bank alone decides."
    return "Count the different words that each bank must give."


def turns_slip(got: int, question: BankQuestion) -> str:
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


def pitch_slip(got: int, tile: TileRead) -> str:
    """Why a pitch is not the one."""
    if got < tile.row_bytes:
        return f"A row has {tile.row_bytes} bytes: the rows would overlap."
    if got % tile.step_bytes:
        return f"That is no multiple of {tile.step_bytes}."
    if tile.turns(got) == tile.turns(tile.best):
        return f"The read takes {tile.turns(got)} turns, and as many at {tile.best}, which is smaller."
    return f"The read takes {tile.turns(got)} turns; at {tile.best} it takes {tile.turns(tile.best)}."


def tile_box_slip(got: TiledTensorMap, right: TiledTensorMap) -> str:
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
