"""Channel packets: turn channels, packet size, box and swizzle, and see which pixels land where in shared memory."""

from typing import Any

import numpy as np

from course_lib.draw.copies.packets import channel_words, must_be_packets, packet_picture
from course_lib.draw.pen.svg import Picture
from course_lib.model.call.sizes import ceil_div, packet_bytes, transaction_bytes
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.copy.packets import packet_channels, packet_map
from course_lib.model.copy.traps import SHARED_ALIGNMENT_BYTES
from course_lib.model.cost.banks import access
from course_lib.model.facts.enums import DataType, Interleave, Swizzle
from course_lib.model.facts.swizzle import pattern_of
from course_lib.widgets.skeleton.base import TENSOR_ADDRESS, Settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, sliders_of, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec, call_panels

WIDTH, HEIGHT = 12, 5
FIRST: Settings = {
    "channels": 19,
    "data_type": int(DataType.FLOAT16),
    "interleave": int(Interleave.B16),
    "swizzle": int(Swizzle.NONE),
    "box_width": 8,
    "box_height": 2,
    "x": 3,
    "y": 1,
    "slice": 0,
    "shared_address": 0,
    AGAIN: 0,
}
TYPES = (DataType.UINT8, DataType.FLOAT16, DataType.FLOAT32)
MODES = [(int(mode), f"{mode.name} ({int(mode)})") for mode in Swizzle if mode <= Swizzle.B128]
CONTROLS = (
    Control("channels", "range", "channels of the image", "channels", 1, 40, group="The image"),
    Control("data_type", "select", "data_type", options=[(int(t), t.name) for t in TYPES], group="The image"),
    Control("interleave", "select", "interleave", options=[(1, "B16 (1)"), (2, "B32 (2)")], group="The image"),
    Control("swizzle", "select", "swizzle", options=MODES, group="The box"),
    Control("box_width", "range", "box_dim[0]", "packets", 1, 16, group="The box"),
    Control("box_height", "range", "box_dim[1]", "packets", 1, 3, group="The box"),
    Control("x", "range", "coordinate 0: x", "packets", -4, 12, group="The copy"),
    Control("y", "range", "coordinate 1: y", "packets", -2, 5, group="The copy"),
    Control("slice", "range", "coordinate 2: slice", "slices", -1, 10, group="The copy"),
    Control("shared_address", "range", "shared address", "bytes", 0, 896, SHARED_ALIGNMENT_BYTES, group="The copy"),
    start_again("The copy"),
)
SLIDERS = sliders_of(CONTROLS)


def per_packet(values: Settings) -> int:
    """The channels of a packet."""
    return packet_channels(values["interleave"], values["data_type"])


def call_of(values: Settings) -> TiledTensorMap:
    """The map of the packed image."""
    shape = (1, ceil_div(values["channels"], per_packet(values)), HEIGHT, WIDTH, per_packet(values))
    box = values["box_width"], values["box_height"]
    return packet_map(
        shape, values["data_type"], values["interleave"], box, swizzle=values["swizzle"], global_address=TENSOR_ADDRESS
    )


def copy_coordinates(values: Settings) -> tuple[int, int, int, int]:
    """Where the copy begins; there is one image."""
    return values["x"], values["y"], values["slice"], 0


def refusal(values: Settings) -> str:
    """Why there is no copy to draw; empty where there is one."""
    broken = call_of(values).check().broken
    if broken:
        return f"Refused: {broken[0].message}."
    if values["shared_address"] % SHARED_ALIGNMENT_BYTES:
        wrong = f"shared_address = {values['shared_address']} is no multiple of {SHARED_ALIGNMENT_BYTES}"
        return f"The copy traps (716): {wrong}."
    try:
        must_be_packets(call_of(values))
    except ValueError as reason:
        return f"Not drawn: {reason}."
    return ""


def result_words(values: Settings, call: TiledTensorMap, sentence: str) -> str:
    """What comes, which channels, what a read costs, and what documents say."""
    turns = access(pattern_of(call.swizzle)(np.arange(32) * packet_bytes(call)), 16).turns
    lines = [
        sentence,
        f"The image has {call.global_dim[2]} slices; slice {values['slice']} holds "
        f"{channel_words(call, values['slice'], values['channels'])}.",
        f"32 lanes that read the first 16 bytes of 32 packets in a row take {turns} turns; 4 is the least.",
        *(f"Warning: {caution.message}." for caution in call.check().warnings),
    ]
    return "\n".join(lines)


def copy_ptx(values: Settings) -> str:
    """The instruction, and the count of its barrier."""
    return (
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes\n"
        f"    [shared], [tensorMap, {{{', '.join(map(str, copy_coordinates(values)))}}}], [barrier];  // x, y, slice, image\n"
        f"// the barrier expects {transaction_bytes(call_of(values))} bytes"
    )


def numpy_of(values: Settings) -> str:
    """How an NCHW array becomes this memory."""
    number, dtype = per_packet(values), DataType(values["data_type"]).name.lower()
    slices = ceil_div(values["channels"], number)
    return (
        f"# values: (1, {values['channels']}, {HEIGHT}, {WIDTH}) of {dtype}\n"
        f"padded = np.zeros((1, {slices * number}, {HEIGHT}, {WIDTH}), values.dtype)\n"
        f"padded[:, :{values['channels']}] = values\n"
        f"packed = padded.reshape(1, {slices}, {number}, {HEIGHT}, {WIDTH}).transpose(0, 1, 3, 4, 2)\n"
        "memory = np.ascontiguousarray(packed)"
    )


def show(values: Settings) -> tuple[str, Picture]:
    """The slice and shared memory, and what comes."""
    call = call_of(values)
    picture = packet_picture(call, copy_coordinates(values), values["channels"], values["shared_address"])
    return result_words(values, call, picture.text.splitlines()[0]), picture


class PacketLab(Lab):
    """``tensor_map`` is the call that the controls stand for, legal or not; ``coordinates`` where the copy begins."""

    spec = Spec(
        FIRST,
        CONTROLS,
        show,
        (
            Panel("Verdict", lambda values: str(call_of(values).check()), open=True, always=True),
            Panel("The copy in PTX", copy_ptx, open=True, copy=True),
            *call_panels(call_of),
            Panel("The memory in NumPy", numpy_of, copy=True),
            IN_WORDS,
        ),
        refusal,
        SLIDERS,
    )

    @property
    def tensor_map(self) -> TiledTensorMap:
        """The call as the controls have it."""
        return call_of(self.state)

    @property
    def coordinates(self) -> tuple[int, int, int, int]:
        """x, y, slice, image."""
        return copy_coordinates(self.state)


def packet_lab(**settings: Any) -> PacketLab:
    """An image of 12 × 5 pixels in packets. ``settings`` are those of the controls; KeyError for another name."""
    lab = PacketLab(FIRST)
    lab.set(**settings)
    return lab
