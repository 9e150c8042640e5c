"""A barrier stepped through: turn counts, order, parity and landing, and see after each step what the barrier holds."""

from collections.abc import Iterator
from typing import Any

from course_lib.draw.pen.svg import Picture
from course_lib.draw.steps.barrier_steps import barrier_picture
from course_lib.model.barrier.script import LANDINGS, THROUGH, Run, run
from course_lib.widgets.skeleton.base import Settings, put_back, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, sliders_of, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec

SCRIPT, OWN = "script", "own"
BARRIER, THREADS, WAIT = "The barrier and the copy", "The threads", "The wait, and what you look at"
MOST_STEPS = 40
RIGHT: Settings = {
    "copy_bytes": 128,
    "expected": 128,
    "count": 1,
    "arrivals": 1,
    "order": "usual",
    "where": "same",
    "set_up": "once",
    "parity": "flips 0",
    "landing": "pieces",
    "phases": 1,
}
SCRIPTS: dict[str, tuple[str, Settings]] = {
    "right": ("right", {}),
    "copy first": ("right, copy first", {"order": "copy first", "landing": "at once"}),
    "too high": ("too many bytes", {"expected": 144}),
    "hit": ("too few, hit", {"expected": 64}),
    "missed": ("too few, missed", {"expected": 48}),
    "missing": ("arrival missing", {"count": 2}),
    "many": ("arrival too many", {"arrivals": 2}),
    "slips": ("too many, slips", {"arrivals": 2, "landing": "at once", "phases": 2}),
    "same parity": ("parity not flipped", {"parity": "always 0", "phases": 2}),
    "other parity": ("parity from 1", {"parity": "flips 1"}),
    "arrive first": ("arrive first", {"order": "arrive first"}),
    "elsewhere": ("other barrier", {"where": "other"}),
    "set up again": ("init each time", {"set_up": "every phase", "phases": 2}),
}
FIRST: Settings = {SCRIPT: "right", **RIGHT, "step": 3, AGAIN: 0}
ORDERS = {  # what the thread does that issues the copy; to announce is arrive.expect_tx
    "usual": ("announce, copy", ("arrive_expect", "copy")),
    "copy first": ("copy, announce", ("copy", "arrive_expect")),
    "split": ("expect, copy, arrive", ("expect", "copy", "arrive")),
    "copy, split": ("copy, expect, arrive", ("copy", "expect", "arrive")),
    "arrive first": ("arrive, expect, copy", ("arrive", "expect", "copy")),
}
LANDING_WORDS = [("pieces", "in pieces"), ("together", "together"), ("at once", "at once")]
PARITIES = {"flips 0": "0, 1, 0 …", "flips 1": "1, 0, 1 …", "always 0": "always 0", "always 1": "always 1"}
SCRIPT_WORDS = [*((name, words) for name, (words, _) in SCRIPTS.items()), (OWN, "your own")]
ORDER_WORDS = [(name, words) for name, (words, _) in ORDERS.items()]
SET_UP = [("once", "once"), ("every phase", "each time")]
WHERE = [("same", "same barrier"), ("other", "other barrier")]
CONTROLS = (
    Control(SCRIPT, "select", "script", options=SCRIPT_WORDS, group=BARRIER),
    Control("copy_bytes", "range", "cp.async.bulk, size", "bytes", 16, 192, 16, group=BARRIER),
    Control("expected", "range", "expect_tx", "bytes", 0, 208, 16, group=BARRIER),
    Control("count", "range", "mbarrier.init, count", "arrivals", 1, 4, group=BARRIER),
    Control("set_up", "select", "mbarrier.init is done", options=SET_UP, group=BARRIER),
    Control("order", "select", "the issuing thread's order", options=ORDER_WORDS, group=THREADS),
    Control("where", "select", "it announces on", options=WHERE, group=THREADS),
    Control("arrivals", "range", "arrivals made in each phase", "arrivals", 0, 4, group=THREADS),
    Control("phases", "range", "uses of the barrier", "phases", 1, 2, group=THREADS),
    Control("parity", "select", "parity of the waits", options=list(PARITIES.items()), group=WAIT),
    Control("landing", "select", "the bytes land", options=LANDING_WORDS, group=WAIT),
    Control("step", "range", "show up to line", "line", 1, MOST_STEPS, group=WAIT),
    start_again(WAIT),
)
SLIDERS = sliders_of(CONTROLS)
PTX = {
    "init": "mbarrier.init.shared::cta.b64 [{b}], {n};\nbar.sync 0;   // __syncthreads()",
    "arrive": "mbarrier.arrive.shared::cta.b64 _, [{b}];",
    "expect": "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [{b}], {n};",
    "arrive_expect": "mbarrier.arrive.expect_tx.shared::cta.b64 _, [{b}], {n};",
    "copy": "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [source], {n}, [{b}];",
    "wait": "again_{i}: mbarrier.try_wait.parity.shared::cta.b64 p, [{b}], {n};   @!p bra again_{i};",
    "read": "ld.shared.u32 x, [tile];\nfence.proxy.async.shared::cta;   // before a next copy into the tile",
}


def steps_of(values: Settings) -> list[tuple[Any, ...]]:
    """The script that the settings stand for."""
    set_up = [("init", values["count"], "full")]
    set_up += [("init", 1, "other")] if values["where"] == "other" else []
    steps: list[tuple[Any, ...]] = [] if values["set_up"] == "every phase" else list(set_up)
    for phase in range(values["phases"]):
        steps += set_up if values["set_up"] == "every phase" else []
        steps += phase_of(values)
        steps += [("wait", parity_of(values["parity"], phase), "full"), ("read", None, "full")]
    return steps


def phase_of(values: Settings) -> Iterator[tuple[Any, ...]]:
    """What the threads do in one phase before they wait."""
    numbers = {"copy": values["copy_bytes"], "expect": values["expected"], "arrive_expect": values["expected"]}
    announced = "full" if values["where"] == "same" else "other"
    for what in ORDERS[values["order"]][1]:
        if what == "arrive":
            yield from [("arrive", 1, "full")] * min(values["arrivals"], 1)
        elif what == "arrive_expect" and not values["arrivals"]:
            yield ("expect", values["expected"], announced)
        else:
            yield (what, numbers[what], "full" if what == "copy" else announced)
    yield from [("arrive", 1, "full")] * (values["arrivals"] - 1)


def parity_of(rule: str, phase: int) -> int:
    """The parity that the wait of a phase asks for."""
    kind, first = rule.split()
    return (int(first) + phase) % 2 if kind == "flips" else int(first)


def count_lines(values: Settings) -> int:
    """How many lines the whole script has."""
    return len(run(steps_of(values), values["landing"]).moments)


def show_whole(values: Settings) -> Settings:
    """The settings with the last line shown."""
    return values | {"step": count_lines(values)}


def up_to(done: Run, line: int) -> tuple[Run, str]:
    """The run as far as a line, and what to say of it."""
    if line >= len(done.moments):
        return done, done.sentence
    shown = Run(done.moments[:line], THROUGH, "", ())
    last = shown.moments[-1]
    return shown, f"Line {line} of {len(done.moments)}, {last.words}: {last.state or 'no barrier yet'}."


def verdict_words(steps: list[tuple[Any, ...]]) -> str:
    """How the script ends with each order of landing: a right one with all."""
    ends = {words: run(steps, landing) for landing, words in LANDINGS.items()}
    told = [f"{words}: {end.sentence}" for words, end in ends.items()]
    right = all(end.is_right for end in ends.values())
    return "\n".join(["Right, however the bytes land." if right else "Not right.", *told])


def steps_in_ptx(steps: list[tuple[Any, ...]]) -> str:
    """The steps as instructions, b64 tokens dropped."""
    return "\n".join(PTX[what].format(b=barrier, n=number, i=i) for i, (what, number, barrier) in enumerate(steps))


def steps_in_python(steps: list[tuple[Any, ...]], landing: str) -> str:
    """The call that runs the script on the model."""
    rows = "".join(f"    {step if step[1] is not None else step[:1]},\n" for step in steps)
    return f"from course_lib.model.barrier.script import run\n\nrun([\n{rows}], landing={landing!r})"


def show(values: Settings) -> tuple[str, Picture]:
    """The script up to the chosen line, and how it ends."""
    shown, said = up_to(run(steps_of(values), values["landing"]), values["step"])
    return said, barrier_picture(shown, "One thread, one copy engine, one barrier", said)


class BarrierLab(Lab):
    """``run`` is what the model makes of the script that the controls stand for."""

    spec = Spec(
        FIRST,
        CONTROLS,
        show,
        (
            Panel("Verdict", lambda values: verdict_words(steps_of(values)), open=True),
            Panel("The steps in PTX", lambda values: steps_in_ptx(steps_of(values)), open=True, copy=True),
            Panel("The call in Python", lambda values: steps_in_python(steps_of(values), values["landing"]), copy=True),
            IN_WORDS,
        ),
    )

    def __init__(self, values: Settings) -> None:
        self.first = dict(values)
        super().__init__(values)

    @property
    def run(self) -> Run:
        """The whole script, not only up to the line that is shown."""
        return run(steps_of(self.state), self.state["landing"])

    def settle(self, before: Settings, now: Settings) -> Settings:
        """``again`` starts over, a script brings its settings, a setting turned by hand makes the script one's own."""
        if now[AGAIN] != before[AGAIN]:
            return self.first | {AGAIN: now[AGAIN]}
        if now[SCRIPT] != before[SCRIPT] and now[SCRIPT] in SCRIPTS:
            return show_whole(now | RIGHT | SCRIPTS[now[SCRIPT]][1])
        now = put_back(before, now, SLIDERS)
        moved = any(now[name] != before[name] for name in RIGHT)
        return show_whole(now | {SCRIPT: OWN}) if moved else now | {"step": min(now["step"], count_lines(now))}


def barrier_lab(**settings: Any) -> BarrierLab:
    """A right script at first; ``settings`` turn controls at the start. KeyError for a name that no control has."""
    chosen = SCRIPTS[settings[SCRIPT]][1] if SCRIPT in settings else {}
    own = {SCRIPT: OWN} if set(settings) & set(RIGHT) else {}
    return BarrierLab(with_settings(FIRST | chosen, settings) | own)
