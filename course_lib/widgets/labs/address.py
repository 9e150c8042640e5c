"""The address of an element: turn shape, strides and index, and see which bytes of memory the element takes."""

from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from course_lib.draw.copies.memory import memory_picture, sentence
from course_lib.draw.pen.svg import Picture
from course_lib.model.call.strided import Strided, dense_strides
from course_lib.widgets.skeleton.base import Settings, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec

ITEMS = {
    1: ("uint8", "unsigned char"),
    2: ("uint16", "unsigned short"),
    4: ("float32", "float"),
    8: ("float64", "double"),
}
ROW_MAJOR, COLUMN_MAJOR, TYPED = "row-major", "column-major", "as typed"
BYTES, ELEMENTS = "bytes", "elements"
MOST_RANK, MOST, MOST_ELEMENTS, MOST_STRIDE, FARTHEST = 3, 16, 512, 2**20, 2**40
NOTE = "note"
ORDERS = {
    "both": "It is row-major and column-major at once, without gaps.",
    "row-major": "It is row-major, without gaps.",
    "column-major": "It is column-major, without gaps.",
    "row-major with gaps": "It is row-major, with gaps.",
    "column-major with gaps": "It is column-major, with gaps.",
    "neither": "It is neither row-major nor column-major.",
}
FIRST: Settings = {
    "rank": 2,
    "item_bytes": 4,
    "layout": TYPED,
    "unit": BYTES,
    "base": 64,
    **{"shape_0": 4, "shape_1": 8, "shape_2": 2},
    **{"stride_0": 48, "stride_1": 4, "stride_2": 4},
    **{"index_0": 1, "index_1": 2, "index_2": 0},
    NOTE: "",
    AGAIN: 0,
}


def axes(name: str, values: Settings) -> tuple[int, ...]:
    """One number for each axis, outermost first."""
    return tuple(values[f"{name}_{axis}"] for axis in range(values["rank"]))


def array_of(values: Settings) -> Strided:
    """The array that the settings describe."""
    unit = values["item_bytes"] if values["unit"] == ELEMENTS else 1
    strides = tuple(unit * stride for stride in axes("stride", values))
    return Strided(axes("shape", values), strides, values["item_bytes"], values["base"])


def refusal(values: Settings) -> str:
    """Why there is no picture; empty where there is one."""
    shape = axes("shape", values)
    limits = [(f"shape[{axis}]", size, 1, MOST) for axis, size in enumerate(shape)]
    limits += [
        (f"strides[{axis}]", step, -MOST_STRIDE, MOST_STRIDE) for axis, step in enumerate(axes("stride", values))
    ]
    limits += [("base", values["base"], 0, FARTHEST)]
    for name, value, low, high in limits:
        if not low <= value <= high:
            return f"Refused: {name} = {value}: {low} to {high} can be drawn."
    count = prod(shape)
    return f"Refused: {count} elements: {MOST_ELEMENTS} can be drawn." if count > MOST_ELEMENTS else ""


def convert_strides(before: Settings, now: Settings) -> Settings:
    """The same strides in another unit; strides that are no whole elements stay in bytes."""
    if now["unit"] == before["unit"]:
        return now
    item, steps = now["item_bytes"], axes("stride", now)
    if now["unit"] == BYTES:
        return now | {f"stride_{axis}": step * item for axis, step in enumerate(steps)}
    if any(step % item for step in steps):
        return now | {"unit": BYTES, NOTE: f"The strides stay in bytes: they are no whole elements of {item} bytes."}
    return now | {f"stride_{axis}": step // item for axis, step in enumerate(steps)}


def lay_out(before: Settings, now: Settings) -> Settings:
    """The strides of the chosen layout; typed ones stay as they are."""
    typed = any(now[f"stride_{axis}"] != before[f"stride_{axis}"] for axis in range(MOST_RANK))
    if typed and now["unit"] == before["unit"]:
        return now | {"layout": TYPED}
    if now["rank"] != before["rank"] and now["layout"] == TYPED:
        now = now | {"layout": ROW_MAJOR}
    if now["layout"] == TYPED:
        return now
    shape, size = axes("shape", now), now["item_bytes"] if now["unit"] == BYTES else 1
    dense = dense_strides(shape, size) if now["layout"] == ROW_MAJOR else dense_strides(shape[::-1], size)[::-1]
    return now | {f"stride_{axis}": step for axis, step in enumerate(dense)}


def controls(values: Settings) -> Iterator[Control]:
    """One control for each setting; an axis that the array lacks has none."""
    ranks = [(rank, str(rank)) for rank in range(1, MOST_RANK + 1)]
    yield Control("rank", "select", "rank", options=ranks, group="The array")
    sizes = [(size, f"{size}, as {name}") for size, (name, _) in ITEMS.items()]
    yield Control("item_bytes", "select", "element size", "bytes", options=sizes, group="The array")
    yield Control("base", "number", "base address", "bytes", 0, FARTHEST, group="The array")
    for axis in range(values["rank"]):
        yield Control(f"shape_{axis}", "number", f"shape[{axis}]", "elements", 1, MOST, group="The array")
    layouts = [(name, name) for name in (ROW_MAJOR, COLUMN_MAJOR, TYPED)]
    yield Control("layout", "select", "layout", options=layouts, group="The strides")
    units = [(name, name) for name in (BYTES, ELEMENTS)]
    yield Control("unit", "select", "unit of the strides", options=units, group="The strides")
    for axis in range(values["rank"]):
        low, high = -MOST_STRIDE, MOST_STRIDE
        yield Control(f"stride_{axis}", "number", f"strides[{axis}]", values["unit"], low, high, group="The strides")
    for axis, size in enumerate(axes("shape", values)):
        yield Control(f"index_{axis}", "range", f"index[{axis}]", "", 0, max(size - 1, 1), group="The element")
    yield start_again("The element")


def work_out(values: Settings) -> str:
    """The sum that gives the address, in the unit of the strides, and how the address is aligned."""
    array, index, unit = array_of(values), axes("index", values), values["unit"]
    size, address = array.item_bytes, array.address(index)
    steps = [step // size if unit == ELEMENTS else step for step in array.strides]
    terms = " + ".join(f"{i} × {step}" for i, step in zip(index, steps, strict=True))
    total = f"({terms}) × {size}" if unit == ELEMENTS else terms
    aligned = address & -address if address else 0
    of_two = f"a multiple of {aligned} and of no higher power of two" if aligned else "a multiple of every power of two"
    return f"{array.base} + {total} = byte {address}\nin hex 0x{address & 2**64 - 1:x}; {of_two}"


def numpy_element(array: Strided, index: tuple[int, ...]) -> str:
    """The element in NumPy: strides in bytes."""
    made = f"np.ndarray({array.shape}, np.{ITEMS[array.item_bytes][0]}, memory, {array.base}, {array.strides})"
    return f"array = {made}  # offset and strides: bytes\narray[{', '.join(map(str, index))}]"


def torch_element(array: Strided, index: tuple[int, ...]) -> str:
    """The element in PyTorch: strides in elements, none below 0."""
    numbers = (array.base, *array.strides)
    if any(number % array.item_bytes for number in numbers) or min(array.strides) < 0:
        return "not possible: PyTorch counts whole elements, and has no negative strides"
    start, *steps = (number // array.item_bytes for number in numbers)
    typed = f"memory.view(torch.{ITEMS[array.item_bytes][0]})"
    made = f"torch.as_strided({typed}, {array.shape}, {tuple(steps)}, {start})"
    return f"array = {made}  # strides and offset: elements\narray[{', '.join(map(str, index))}]"


def c_element(array: Strided, index: tuple[int, ...]) -> str:
    """The element in C, by a byte pointer."""
    terms = "".join(f" + {i} * {step}" for i, step in zip(index, array.strides, strict=True))
    return f"*(const {ITEMS[array.item_bytes][1]} *)((const char *)memory + {array.base}{terms})"


def show(values: Settings) -> tuple[str, Picture]:
    """The bytes of the element in memory, and what the array is."""
    array, index = array_of(values), axes("index", values)
    said = " ".join(filter(None, [sentence(array, index), ORDERS[array.order], values[NOTE]]))
    return said, memory_picture(array, index)


def of_element(text: Callable[[Strided, tuple[int, ...]], str]) -> Callable[[Settings], str]:
    """A text on an array and an index, as one on the settings."""
    return lambda values: text(array_of(values), axes("index", values))


class AddressLab(Lab):
    """``array`` is what the controls stand for, ``index`` the element that is followed."""

    spec = Spec(
        FIRST,
        controls,
        show,
        (
            Panel("The address", work_out, open=True, copy=True),
            Panel("In NumPy", of_element(numpy_element), open=True, copy=True),
            Panel("In PyTorch", of_element(torch_element), copy=True),
            Panel("In C", of_element(c_element), copy=True),
            IN_WORDS,
        ),
        refusal,
    )

    @property
    def array(self) -> Strided:
        """The array as the controls have it; ValueError where they make none."""
        return array_of(self.state)

    @property
    def index(self) -> tuple[int, ...]:
        """The element that is followed."""
        return axes("index", self.state)

    def settle(self, before: Settings, now: Settings) -> Settings:
        """A layout sets the strides, a typed stride ends the layout, another unit converts; the index stays inside."""
        if now[AGAIN] != before[AGAIN]:
            now = FIRST | {AGAIN: now[AGAIN]}
        else:
            now = lay_out(before, convert_strides(before, now | {NOTE: ""}))
        for axis in range(MOST_RANK):
            now[f"index_{axis}"] = max(min(now[f"index_{axis}"], now[f"shape_{axis}"] - 1), 0)
        if any(now[name] != before[name] for name in ("rank", "unit", "shape_0", "shape_1", "shape_2")):
            self.redraw(controls(now))
        return now


def address_lab(**settings: Any) -> AddressLab:
    """A strided array in memory. ``settings`` are those of the controls; KeyError for another name."""
    turned = {name: value for name, value in FIRST.items() if name != NOTE}
    return AddressLab(FIRST | with_settings(turned, settings))
