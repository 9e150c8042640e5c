"""The verdict desk: turn any argument of a call, see every rule that it breaks, and apply the fixes one by one."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from course_lib.draw.replies.calls import c_call, python_call
from course_lib.draw.replies.verdict import fix_words, headline, verdict_picture
from course_lib.model.call.tensor_map import Call, TiledTensorMap
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.widgets.skeleton.arguments import call_of, controls_of, resize_call, values_of
from course_lib.widgets.skeleton.base import PanelLook, Settings, Turnable, View
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again

FIRST = TiledTensorMap(
    data_type=DataType.FLOAT32,
    global_address=0x7F0000000008,
    global_dim=(1733, 128),
    global_strides=(6932,),
    box_dim=(252, 240),
    swizzle=Swizzle.B128,
)
CASE, FIXES, ALL = "case", ("fix_1", "fix_2", "fix_3"), "fix_all"
OWN = "the call below"


def verdict_desk(tensor_map: Call | None = None, cases: Mapping[str, Any] | None = None) -> "VerdictDesk":
    """A desk with ``tensor_map`` on it, at first a call with several mistakes; ``cases`` are more calls, by name."""
    first = FIRST if tensor_map is None else tensor_map
    return VerdictDesk(first, cases if cases is not None else {"a legal call": replace(first, **all_fixes(first))})


class VerdictDesk(Turnable):
    """``call`` is the call as the controls have it, ``verdict`` what the rules say of it."""

    panels = {  # noqa: RUF012
        "Verdict": PanelLook(),
        "The call in Python": PanelLook(open=True, copy=True),
        "The call in C": PanelLook(copy=True),
        "The picture in words": PanelLook(),
    }

    def __init__(self, first: Any, cases: Mapping[str, Any]) -> None:
        self.cases = {OWN: first, **cases}
        own = {CASE: OWN, ALL: 0, AGAIN: 0} | dict.fromkeys(FIXES, 0)
        self.applied = ""
        super().__init__(self._controls_for(first), values_of(first) | own)

    @property
    def call(self) -> Any:
        """The call as the controls have it, legal or not."""
        return call_of(self.state)

    @property
    def verdict(self) -> Any:
        """What the rules say of it."""
        return self.call.check()

    def settle(self, before: Settings, now: Settings) -> Settings:
        """Another case, rank or kind brings other controls; a fix button changes the argument that it names."""
        own = {name: now[name] for name in (CASE, ALL, AGAIN, *FIXES)}
        turned = {name for name in now if now[name] != before.get(name)}
        call, self.applied = self._turned_to(before, now, turned)
        if call is None:
            return before | own
        if AGAIN in turned:
            own[CASE] = OWN
        if (call.api, call.rank) != (before["kind"], before["rank"]):
            self.redraw(self._controls_for(call))
        return values_of(call) | own

    def see(self, values: Settings) -> View:
        """The call with its broken rules, the verdict as text, and the call as a program has it."""
        call = call_of(values)
        verdict = call.check()
        picture = verdict_picture(verdict)
        texts = (str(verdict), python_call(call), c_call(call), picture.text)
        said = f"{self.applied}{headline(verdict)}{first_words(verdict)}"
        return View(said, picture, dict(zip(self.panels, texts, strict=True)))

    def _turned_to(self, before: Settings, now: Settings, turned: set[str]) -> tuple[Any, str]:
        """The call after a turn and what was applied; no call where the settings make none."""
        if AGAIN in turned:
            return self.cases[OWN], ""
        if CASE in turned:
            return self.cases[now[CASE]], ""
        pressed = next((name for name in (*FIXES, ALL) if name in turned), None)
        try:
            if turned & {"kind", "rank"}:
                now = resize_call(now, now["kind"], now["rank"])
            call = call_of(now)
        except (ValueError, TypeError):
            return None, ""
        return apply_fix(call, pressed) if pressed else (call, "")

    def _controls_for(self, call: Call) -> Iterator[Control]:
        yield Control(CASE, "select", "start from", options=[(name, name) for name in self.cases], group="The case")
        yield start_again("The case")
        yield from controls_of(call)
        for number, name in enumerate(FIXES, 1):
            yield Control(name, "button", f"Apply fix {number}", group="Mend it")
        yield Control(ALL, "button", "Apply all fixes", group="Mend it")


def apply_fix(call: Call, button: str) -> tuple[Any, str]:
    """The call after a fix button, and one sentence on what it did."""
    broken = call.check().broken
    if button == ALL:
        fixes = all_fixes(call)
        words = f"Applied {len(fixes)} of them. " if fixes else "There is nothing to apply. "
        return replace(call, **fixes), words
    place = FIXES.index(button)
    if place >= len(broken):
        return call, f"There is no fix {place + 1}. "
    fix = broken[place].fix
    words = f"Fix {place + 1}{' applied' if fix else ''}: {fix_words(broken[place])}. "
    return (replace(call, **dict([fix])) if fix else call), words


def all_fixes(call: Call) -> dict[str, Any]:
    """The arguments that the fixes of a call set, all of them."""
    return dict(broken.fix for broken in call.check().broken if broken.fix)


def first_words(verdict: Any) -> str:
    """The first finding, for the sentence below the controls."""
    found = verdict.broken or verdict.warnings
    return f" {found[0].message}." if found else ""
