"""The descriptor microscope: change an argument of an encode call, and see which of the 1,024 bits move."""

from collections.abc import Iterator
from typing import Any

from course_lib.draw.bits.descriptor import call_bits, descriptor_picture
from course_lib.draw.bits.fields import GROUPS
from course_lib.draw.bits.hexdump import changed_bytes, hex_lines
from course_lib.draw.replies.calls import c_call, python_call
from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.facts.enums import DataType, L2Promotion, Swizzle
from course_lib.widgets.skeleton.arguments import call_of, controls_of, resize_call, values_of
from course_lib.widgets.skeleton.base import PanelLook, Settings, Turnable, View
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again

OPENED = "opened"
FIRST = TiledTensorMap(
    data_type=DataType.BFLOAT16,
    global_address=0x7F0000000100,
    global_dim=(1024, 256),
    global_strides=(2048,),
    box_dim=(64, 8),
    swizzle=Swizzle.B128,
    l2_promotion=L2Promotion.L2_256B,
)


def microscope(tensor_map: Call | None = None) -> "Microscope":
    """A microscope on ``tensor_map``, or on the tile of lesson 00. It starts closed, with sixteen fields."""
    return Microscope(FIRST if tensor_map is None else tensor_map)


class Microscope(Turnable):
    """``call`` is the encode call that the controls stand for, ``shown`` the last one that the driver accepts."""

    panels = {  # noqa: RUF012
        "Verdict": PanelLook(open=True),
        "The call in Python": PanelLook(open=True, copy=True),
        "The call in C": PanelLook(copy=True),
        "The 128 bytes": PanelLook(copy=True),
        "The picture in words": PanelLook(),
    }

    def __init__(self, tensor_map: Call) -> None:
        self.first = tensor_map
        self.shown = self.before = self._legal = tensor_map if tensor_map.check().accepted else FIRST
        self._turning: set[str] = set()  # what is being turned; what moved is counted from before its first turn
        values = values_of(tensor_map) | {OPENED: "", AGAIN: 0}
        super().__init__(self._controls_for(tensor_map), values)

    @property
    def call(self) -> Any:
        """The call as the controls have it, legal or not."""
        return call_of(self.state)

    def settle(self, before: Settings, now: Settings) -> Settings:
        """Another rank or kind brings other controls; a broken address is put back; `again` starts over.

        Two turns may come as one while the kernel is busy.
        """
        turned = {name for name in now if now[name] != before.get(name)}
        own = {name: now[name] for name in (OPENED, AGAIN)}
        if AGAIN in turned:
            now, own[OPENED] = values_of(self.first), ""
        elif turned & {"kind", "rank"}:
            now = resize_call(now, now["kind"], now["rank"])
        call = _call_or_none(now)
        if call is None:
            return before | own
        if (call.api, call.rank) != (before["kind"], before["rank"]):
            self.redraw(self._controls_for(call))
        self._remember(turned - {OPENED}, call)
        return values_of(call) | own

    def see(self, values: Settings) -> View:
        """The last accepted call as a picture, the verdict on the present one, and both as a program has them."""
        call = call_of(values)
        verdict = call.check()
        picture = descriptor_picture(self.shown, self.before, values[OPENED])
        data, old = self.shown.encode(), self.before.encode()
        texts = {
            "Verdict": str(verdict),
            "The call in Python": python_call(call),
            "The call in C": c_call(call),
            "The 128 bytes": f"{hex_lines(data, old)}\n{changed_bytes(data, old)}",
            "The picture in words": picture.text,
        }
        return View(self._sentence(verdict), picture, texts)

    def _sentence(self, verdict: Any) -> str:
        if not verdict.accepted:
            count = len(verdict.broken)
            more = f" (the first of {count} broken rules)" if count > 1 else ""
            return (
                f"Refused: {verdict.broken[0].message}{more}.\n"
                "There are no bytes for it; the picture keeps the last call that was accepted."
            )
        return (
            call_bits(self.shown, self.before).sentence if self._turning else "Change an argument, and see what moves."
        )

    def _remember(self, turned: set[str], call: Call) -> None:
        if AGAIN in turned:
            self._turning, self.shown, self.before = set(), self._legal, self._legal
        elif turned:
            if turned != self._turning:
                self._turning, self.before = turned, self.shown
            if call.check().accepted:
                self.shown = call

    @staticmethod
    def _controls_for(call: Call) -> Iterator[Control]:
        yield from controls_of(call)
        names = [("", "none"), *((group.name, f"{group.letter} {group.name}") for group in GROUPS)]
        yield Control(OPENED, "select", "open a field", options=names, group="The microscope")
        yield start_again("The microscope")


def _call_or_none(values: Settings) -> Any:
    try:
        return call_of(values)
    except (ValueError, TypeError):
        return None
