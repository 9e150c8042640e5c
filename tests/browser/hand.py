"""A hand on a widget: every kind of control by keyboard, sliders by mouse too, and whether anything changed."""

SHOWN = """widget => [".course-picture", ".course-said", ".course-panel pre"].map(
    part => [...widget.querySelectorAll(part)].map(node => node.innerHTML).join()).join()"""
LOOKS, LOOK_MS = 500, 20  # ten seconds: a machine may be busy with other tests
KEYS = {"range": "ArrowRight", "number": "ArrowUp", "select": "ArrowDown", "radio": "Space", "button": "Enter"}


def controls(widget) -> list[tuple[str, str]]:
    """(name, kind) of each control, one entry for all radios of a group and for all buttons of an order."""
    found = widget.locator("[data-control]").evaluate_all(
        "nodes => nodes.map(node => [node.dataset.control, node.type === 'select-one' ? 'select' : node.type])"
    )
    return list(dict.fromkeys((name, "button" if kind == "submit" else kind) for name, kind in found))


def locate(widget, name: str, kind: str):
    tag = {"select": "select", "button": "button"}.get(kind, f'input[type="{kind}"]')
    return widget.locator(f'{tag}[data-control="{name}"]').last


def changed_by(widget, act) -> bool:
    """Does what the widget shows change when `act` is done?"""
    before = widget.evaluate(SHOWN)
    act()
    for _ in range(LOOKS):
        if widget.evaluate(SHOWN) != before:
            return True
        widget.page.wait_for_timeout(LOOK_MS)
    return False


def until_shown(widget, wanted: str) -> None:
    """Wait until a widget shows what it showed before; AssertionError after ten seconds."""
    for _ in range(LOOKS):
        if widget.evaluate(SHOWN) == wanted:
            return
        widget.page.wait_for_timeout(LOOK_MS)
    raise AssertionError("the first settings did not come back")


def until_equal(slider, number) -> None:
    """Wait until a slider and its number say the same; AssertionError after ten seconds.

    While turns are on their way the two may be read on both sides of an answer.
    """
    for _ in range(LOOKS):
        read = slider.input_value(), number.input_value()
        if read[0] == read[1] != "":
            return
        slider.page.wait_for_timeout(LOOK_MS)
    raise AssertionError(f"the slider says {read[0]!r}, its number {read[1]!r}")


def turn_at_once(slider, *values: int) -> None:
    """Turn a slider to several values before the kernel can answer the first."""
    slider.evaluate(
        """(node, values) => values.forEach(value => {
            node.value = value;
            node.dispatchEvent(new Event("input", { bubbles: true }));
        })""",
        list(values),
    )


def turn(widget, name: str, kind: str) -> None:
    """Turn a control by the keyboard alone."""
    control = locate(widget, name, kind)
    if kind == "text":
        control.press("End")
        control.press("Backspace")
        control.press("Enter")
    elif kind == "select" and control.evaluate("node => node.selectedIndex === node.options.length - 1"):
        control.press("ArrowUp")
    else:
        control.press(KEYS[kind])


def drag(control) -> None:
    """Drag the handle of a slider to three quarters of its length."""
    control.scroll_into_view_if_needed()
    box = control.bounding_box()
    middle = box["y"] + box["height"] / 2
    low, high, value = (float(control.evaluate(f"node => node.{part}")) for part in ("min", "max", "value"))
    mouse = control.page.mouse
    mouse.move(box["x"] + 8 + (box["width"] - 16) * (value - low) / (high - low), middle)
    mouse.down()
    mouse.move(box["x"] + box["width"] * 0.75, middle, steps=5)
    mouse.up()
