"""Every widget under a hand: each control by key and by mouse, both themes, a wide and a narrow window, and axe-core."""

from functools import partial

import pytest

from tests.browser.axe import grave_findings
from tests.browser.hand import SHOWN, changed_by, controls, drag, locate, turn, turn_at_once, until_equal, until_shown
from tests.browser.lab import THEMES, open_notebook, run_all, seen, shoot, use_theme
from tests.browser.sample import PREDICTIONS, SUBJECTS

pytestmark = pytest.mark.browser
LIGHT, DARK = THEMES
LOOKS = [(LIGHT, 1280), (DARK, 800), (LIGHT, 800), (DARK, 1280)]
TALL = 4500  # so tall that a slider is dragged without scrolling


@pytest.fixture(scope="module")
def opened(browser, lab):
    """The notebook of all widgets, run once: the page and its errors."""
    context = browser.new_context(viewport={"width": 1280, "height": TALL})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(20_000)
    page = context.new_page()
    errors = open_notebook(page, lab, "widgets.ipynb")
    run_all(page)
    page.wait_for_function("count => document.querySelectorAll('.course-said').length === count", arg=len(ALL))
    for subject in SUBJECTS:
        first[subject] = widget(page, subject).evaluate(SHOWN)
    yield page, errors
    context.close()


@pytest.fixture
def page(opened):
    return opened[0]


first: dict[str, str] = {}  # what each subject's widget shows at the start
ALL = [*SUBJECTS, *PREDICTIONS]


def named(look: tuple[str, int]) -> str:
    return f"{look[0].split()[1]}-{look[1]}"


@pytest.fixture(params=LOOKS, ids=named)
def look(request, page):
    """The page in one theme and width."""
    theme, width = request.param
    use_theme(page, theme)
    page.set_viewport_size({"width": width, "height": TALL})
    page.wait_for_timeout(200)
    return page


def widget(page, name: str):
    """The widget of a subject or of a kind of prediction."""
    if name in SUBJECTS:
        return page.locator(f'.course-widget[data-widget="{name}"]')
    return page.locator('.course-widget[data-widget="Prediction"]').nth(list(PREDICTIONS).index(name))


def start_again(page, subject: str) -> None:
    """Press the button that brings the first settings back, and wait for what they show."""
    if widget(page, subject).evaluate(SHOWN) != first[subject]:
        turn(widget(page, subject), "again", "button")
        until_shown(widget(page, subject), first[subject])


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("look", LOOKS[:2], ids=named, indirect=True)
def test_every_control_answers_to_the_keyboard(look, subject):
    turned = widget(look, subject)
    names = [(name, kind) for name, kind in controls(turned) if name != "again"]
    assert len(names) >= 2
    silent = []
    for name, kind in names:
        start_again(look, subject)
        if not changed_by(turned, partial(turn, turned, name, kind)):
            silent.append((name, kind))
    start_again(look, subject)
    assert silent == []


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("look", LOOKS[:2], ids=named, indirect=True)
def test_every_slider_answers_to_the_mouse_and_takes_its_number_along(look, subject):
    turned = widget(look, subject)
    sliders = [name for name, kind in controls(turned) if kind == "range"]
    for name in sliders:
        start_again(look, subject)
        slider = locate(turned, name, "range")
        assert changed_by(turned, partial(drag, slider)), name
        until_equal(slider, locate(turned, name, "number"))
    start_again(look, subject)


def test_the_answer_to_an_earlier_turn_moves_no_control_that_was_turned_since(page):
    start_again(page, "SwizzleLab")
    turned = widget(page, "SwizzleLab")
    turn_at_once(locate(turned, "row", "range"), 23, 7)  # the kernel settles 23 to the last row, 15
    turned.locator(".course-said", has_text="Row 7, byte 84").wait_for()
    assert locate(turned, "row", "range").input_value() == locate(turned, "row", "number").input_value() == "7"
    turn(turned, "read", "select")
    turned.locator(".course-said", has_text="16-byte column").wait_for()
    assert "Row 7, byte 84" in turned.locator(".course-said").inner_text()
    start_again(page, "SwizzleLab")


def test_moving_an_item_keeps_the_keyboard_on_it(page):
    ordered = widget(page, "order")
    first, *rest = ordered.locator(".course-order li").all_inner_texts()
    ordered.locator(".course-order li").nth(0).locator("button").nth(1).press("Enter")
    page.wait_for_timeout(200)
    assert ordered.locator(".course-order li").all_inner_texts() == [rest[0], first, *rest[1:]]
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("move ")
    assert focused.endswith(" later")
    assert focused.split()[1] in first


@pytest.mark.parametrize("kind_of_answer", PREDICTIONS)
def test_an_answer_is_committed_by_the_keyboard_alone(look, kind_of_answer):
    asked = widget(look, kind_of_answer)
    for name, kind in controls(asked):
        turn(asked, name, kind)
    asked.locator(".course-said", has_text="Committed:").wait_for()
    assert all(label.strip() for label in asked.locator("label, legend").all_inner_texts())


def test_axe_finds_nothing_serious_in_any_widget(look):
    look.evaluate("document.querySelectorAll('.course-panel').forEach(panel => { panel.open = true; })")
    assert look.locator(".course-widget").count() == len(ALL)
    assert grave_findings(look, ".course-widget") == []


def test_axe_would_find_a_slider_without_a_name(page):
    page.evaluate("""() => {
        const slider = document.querySelector(".course-widget input[type=range]");
        slider.dataset.kept = slider.getAttribute("aria-label");
        slider.removeAttribute("aria-label");
    }""")
    found = grave_findings(page, ".course-widget")
    page.evaluate("""() => {
        const slider = document.querySelector("[data-kept]");
        slider.setAttribute("aria-label", slider.dataset.kept);
    }""")
    assert [finding for finding in found if finding.startswith("label:")]


def test_nothing_sticks_out_of_a_widget(look):
    wide = look.locator(".course-widget").evaluate_all(
        "all => all.filter(w => w.scrollWidth > w.clientWidth + 1).length"
    )
    assert wide == 0
    shoot(
        look, f"widgets_{look.evaluate('document.body.dataset.jpThemeName').split()[1]}_{look.viewport_size['width']}"
    )


def test_the_live_region_stays_the_same_node_while_its_words_change(page):
    start_again(page, "Microscope")
    microscope = widget(page, "Microscope")
    said = microscope.locator(".course-said")
    assert (said.get_attribute("role"), said.get_attribute("aria-live")) == ("status", "polite")
    said.evaluate("node => { window.saidBefore = node; }")
    assert changed_by(microscope, partial(turn, microscope, "box_dim_1", "range"))
    assert said.inner_text().endswith("fields: box, box bytes.")
    assert said.evaluate("node => node === window.saidBefore")


def test_an_illegal_setting_shows_the_verdict_and_no_error(page):
    start_again(page, "Microscope")
    microscope = widget(page, "Microscope")
    locate(microscope, "box_dim_1", "number").fill("300")
    microscope.locator(".course-said", has_text="Refused: box_dim[1] = 300").wait_for()
    assert "rules broken: 1" in microscope.locator(".course-panel pre").first.inner_text()
    start_again(page, "Microscope")


def test_the_call_can_be_copied(page):
    copy = widget(page, "Microscope").locator(".course-copy").first
    copy.click()
    widget(page, "Microscope").locator(".course-copy", has_text="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").startswith("TiledTensorMap(\n    data_type=")


def test_typing_is_not_disturbed_by_answers_that_arrive_meanwhile(page):
    start_again(page, "Microscope")
    field = locate(widget(page, "Microscope"), "global_dim_0", "number")
    field.fill("")
    field.press_sequentially("123456", delay=15)
    page.wait_for_timeout(300)
    assert field.input_value() == "123456"
    start_again(page, "Microscope")


def test_the_next_cell_shows_the_committed_answer_beside_model_and_hardware(page):
    field = locate(widget(page, "number"), "answer", "number")
    field.fill("3")
    locate(widget(page, "number"), "commit", "button").click()
    widget(page, "number").locator(".course-said", has_text="Committed: 3").wait_for()
    page.evaluate("""async () => {
        const panel = window.jupyterapp.shell.currentWidget;
        panel.content.activeCellIndex = panel.content.widgets.length - 1;
        panel.content.deselectAll();
        await window.jupyterapp.commands.execute("notebook:run-cell");
    }""")
    page.locator('.jp-OutputArea-output svg:has-text("You predicted 3; model and hardware say 2.")').wait_for()


def test_no_widget_left_an_error_in_the_console(opened):
    assert seen(opened[1]) == []
