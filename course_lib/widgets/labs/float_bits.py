"""A float's bits through each type: load an element, or add, min or max it into memory, and see which bits change."""

from collections.abc import Iterator
from typing import Any

from course_lib.draw.bits.float_bits import BitsRow, bits_picture, hex_digits
from course_lib.draw.pen.plural import plural
from course_lib.draw.pen.svg import Picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.element_bits import ROUNDED_ON_LOADS
from course_lib.model.copy.one_element import load_bits, parts_of, reduce_bits
from course_lib.model.facts.enums import DataType, ReduceOp
from course_lib.widgets.skeleton.base import TENSOR_ADDRESS, Settings, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec, call_panels

LIVE = [t for t in DataType if not t.is_packed]
WHAT = {"load": "a load", "ADD": "an add into memory", "MIN": "a min into memory", "MAX": "a max into memory"}
OWN = "as typed"
FIRST: Settings = {
    "data_type": int(DataType.TFLOAT32),
    "what": "load",
    "example": OWN,
    "value": "0x3f803000",
    "memory": "0x3f800000",
    AGAIN: 0,
}
LOAD_PTX = (
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes\n"
    "    [shared], [map, {column, row}], [barrier];   // no type here: the map has it"
)
REDUCE_PTX = (
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.{op}.tile.bulk_group\n"
    "    [map, {{column, row}}], [shared];   // no type here: the map has it"
)


def controls(values: Settings) -> Iterator[Control]:
    """One control for each setting; the examples are those of the type, and a load asks for no memory before."""
    yield Control("data_type", "select", "element type", options=[(int(t), t.name) for t in LIVE], group="The call")
    yield Control("what", "select", "the copy is", options=list(WHAT.items()), group="The copy")
    names = [(name, name) for name in (OWN, *examples(element_type(values)))]
    yield Control("example", "select", "the element that travels", options=names, group="The element")
    yield Control("value", "text", "its bits, in hex", group="The element")
    if values["what"] != "load":
        yield Control("memory", "text", "bits in memory before, in hex", group="The element")
    yield start_again("The element")


def examples(data_type: DataType) -> dict[str, int]:
    """Elements worth a look, by name."""
    _, exponent, mantissa = parts_of(data_type)
    if not exponent:
        return {"zero": 0, "one": 1, "all ones": (1 << mantissa) - 1, "the highest bit alone": 1 << mantissa - 1}
    infinity, one = ((1 << exponent) - 1) << mantissa, ((1 << exponent - 1) - 1) << mantissa
    tie = {"a tie for TF32, up": one | 3 << 12, "a tie for TF32, down": one | 1 << 12} if mantissa == 23 else {}
    return {
        "zero": 0,
        "one": one,
        "one and a last bit": one | 1,
        **tie,
        "the least subnormal": 1,
        "the largest subnormal": (1 << mantissa) - 1,
        "half the least normal": 1 << mantissa - 1,
        "the largest number": infinity - 1,
        "infinity": infinity,
        "a quiet NaN": infinity | 1 << mantissa - 1 | 5,
        "a signalling NaN": infinity | 1,
        "minus zero": 1 << exponent + mantissa,
    }


def element_type(values: Settings) -> DataType:
    """The chosen type."""
    return DataType(values["data_type"])


def change_type(values: Settings, old: DataType) -> Settings:
    """The settings for another type: the same bits where the size is the same, else ones."""
    new = element_type(values)
    if new.facts.bits == old.facts.bits:
        return values | {"example": OWN}
    one = hex_digits(new, examples(new)["one"])
    return values | {"example": OWN, "value": one, "memory": one}


def bits_of(values: Settings, name: str) -> int:
    """The typed bits; ValueError where they are no hex number of the type's size."""
    bits = int(str(values[name]), 16)
    if not 0 <= bits < 1 << element_type(values).facts.bits:
        raise ValueError("too wide")
    return bits


def refusal(values: Settings) -> str:
    """Why there is no picture; empty where there is one."""
    digits = element_type(values).facts.bits // 4
    for name, words in (("value", "its bits"), ("memory", "bits in memory before")):
        try:
            bits_of(values, name)
        except ValueError:
            return f"Refused: {words}, {values[name]!r}: up to {digits} hex digits, as in {hex_digits(element_type(values), 1)}."
    return ""


def outcome(values: Settings) -> int | None:
    """What the element becomes; None where the pair of operation and type traps."""
    value, memory = bits_of(values, "value"), bits_of(values, "memory")
    if values["what"] == "load":
        return load_bits(element_type(values), value)
    return reduce_bits(ReduceOp[values["what"]], element_type(values), memory, value)


def bit_rows(values: Settings) -> Iterator[BitsRow]:
    """The elements before, and what becomes of them."""
    value, memory, after = bits_of(values, "value"), bits_of(values, "memory"), outcome(values)
    if values["what"] == "load":
        yield BitsRow("global memory", value)
        yield BitsRow("arrives", value if after is None else after, value)
        return
    yield BitsRow("memory before", memory)
    yield BitsRow("what comes", value)
    if after is not None:
        yield BitsRow("memory after", after, memory)


def title_of(values: Settings) -> str:
    """What the picture is."""
    return f"One element through {WHAT[values['what']]} of type {element_type(values).name}"


def engine_says(values: Settings) -> str:
    """Does the engine perform this copy on this type?"""
    name, what = element_type(values).name, values["what"].lower()
    if outcome(values) is None:
        return f"{what} on {name} traps with 715, although it assembles; memory stays as it was"
    if what != "load":
        return f"{what} on {name} is performed, in the arithmetic of {name}"
    rounded = element_type(values) in ROUNDED_ON_LOADS
    return f"a load of {name} {'rounds to TF32' if rounded else 'brings every bit as it is'}"


def result_words(values: Settings) -> str:
    """What the engine makes of the pair, in one sentence."""
    name, after = element_type(values).name, outcome(values)
    if after is None:
        return f"{engine_says(values)}."
    before = bits_of(values, "value" if values["what"] == "load" else "memory")
    count = (after ^ before).bit_count()
    if not count:
        return f"{name}: {WHAT[values['what']]} changes no bit."
    return (
        f"{name}: {WHAT[values['what']]} changes {plural(count, 'bit')}, to {hex_digits(element_type(values), after)}."
    )


def copy_ptx(values: Settings) -> str:
    """The instruction: it names no type."""
    return LOAD_PTX if values["what"] == "load" else REDUCE_PTX.format(op=values["what"].lower())


def call_of(values: Settings) -> TiledTensorMap:
    """A small dense matrix of the type, with a box of 16 × 8."""
    size = element_type(values).size_bytes
    return TiledTensorMap(
        data_type=element_type(values),
        global_address=TENSOR_ADDRESS,
        global_dim=(64, 64),
        global_strides=(64 * size,),
        box_dim=(16, 8),
    )


def verdict_of(values: Settings) -> str:
    """What the rules say of the call, and the engine of the copy; or why there is none."""
    return refusal(values) or f"{call_of(values).check()}\nthe copy: {engine_says(values)}"


def show(values: Settings) -> tuple[str, Picture]:
    """The bits before and after, and what the engine says to the pair."""
    return result_words(values), bits_picture(title_of(values), element_type(values), list(bit_rows(values)))


class FloatBits(Lab):
    """``result`` is what the element becomes: bits as an int, None where the pair traps or a number is none."""

    spec = Spec(
        FIRST,
        controls,
        show,
        (
            Panel("Verdict", verdict_of, open=True, always=True),
            Panel("The copy in PTX", copy_ptx, open=True, copy=True),
            *call_panels(call_of),
            IN_WORDS,
        ),
        refusal,
    )

    @property
    def result(self) -> int | None:
        """What the element becomes."""
        return None if refusal(self.state) else outcome(self.state)

    def settle(self, before: Settings, now: Settings) -> Settings:
        """Another type brings its own examples, and other bits where its size differs; an example sets the element."""
        if now[AGAIN] != before[AGAIN]:
            now = FIRST | {AGAIN: now[AGAIN]}
        elif now["data_type"] != before["data_type"]:
            now = change_type(now, DataType(before["data_type"]))
        elif now["example"] != before["example"] and now["example"] != OWN:
            bits = examples(element_type(now))[now["example"]]
            now = now | {"value": hex_digits(element_type(now), bits)}
        elif now["value"] != before["value"]:
            now = now | {"example": OWN}
        if (now["data_type"], now["what"]) != (before["data_type"], before["what"]):
            self.redraw(controls(now))
        return now


def float_bits(**settings: Any) -> FloatBits:
    """One element and what the engine makes of it. ``settings`` are those of the controls; KeyError for another name."""
    return FloatBits(with_settings(FIRST, settings))
