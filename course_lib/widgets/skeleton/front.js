// The one front end of all widgets: it shows what Python describes and tells Python what a hand turned.
// Native controls with native labels, so that a keyboard and a screen reader work; all drawing is Python's.
let made = 0;

function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in node) node[name] = value;
    else node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// Without the attribute on the control itself, JupyterLab takes arrow keys and letters for its own commands.
function control(tag, properties, description) {
  return make(tag, { ...properties, "data-lm-suppress-shortcuts": "true", "data-control": description.name });
}

function label(description, id) {
  const unit = description.unit ? [make("span", { className: "course-unit", textContent: description.unit })] : [];
  return make("label", { htmlFor: id }, description.label, ...unit);
}

function numberField(description, id) {
  const { low, high, step } = description;
  const limits = { ...(low === null ? {} : { min: low }), ...(high === null ? {} : { max: high }), step };
  return control("input", { type: "number", id, ...limits }, description);
}

function listen(field, turn) {
  field.addEventListener("input", () => {
    if (Number.isSafeInteger(field.valueAsNumber)) turn(field.valueAsNumber);
  });
}

const BUILDERS = {
  number(description, turn) {
    const id = `course-${made++}`;
    const field = numberField(description, id);
    listen(field, turn);
    const show = (value) => { if (field.valueAsNumber !== value) field.value = value ?? ""; };
    return { node: make("div", { className: "course-field" }, label(description, id), field), show };
  },

  range(description, turn) {
    const id = `course-${made++}`;
    const field = numberField(description, id);
    const { low: min, high: max, step } = description;
    const slider = control("input", { type: "range", min, max, step }, description);
    slider.setAttribute("aria-label", `${description.label}, slider`);
    const show = (value) => {
      if (field.valueAsNumber !== value) field.value = value ?? "";
      if (slider.valueAsNumber !== value) slider.value = value ?? min;
    };
    for (const each of [field, slider]) listen(each, (value) => { show(value); turn(value); });
    const pair = make("div", { className: "course-pair" }, slider, field);
    return { node: make("div", { className: "course-field" }, label(description, id), pair), show };
  },

  text(description, turn) {
    const id = `course-${made++}`;
    const field = control("input", { type: "text", id, spellcheck: false }, description);
    field.addEventListener("change", () => turn(field.value));
    field.addEventListener("keydown", (event) => { if (event.key === "Enter") turn(field.value); });
    const show = (value) => { if (field.value !== value) field.value = value; };
    return { node: make("div", { className: "course-field" }, label(description, id), field), show };
  },

  select(description, turn) {
    const id = `course-${made++}`;
    const field = control("select", { id }, description);
    const options = description.options.map(([value, words]) => make("option", { value, textContent: words }));
    field.append(...options);
    field.addEventListener("change", () => turn(description.options[field.selectedIndex][0]));
    const show = (value) => { field.selectedIndex = description.options.findIndex(([option]) => option === value); };
    return { node: make("div", { className: "course-field" }, label(description, id), field), show };
  },

  choices(description, turn) {
    const group = `course-${made++}`;
    const radios = description.options.map(([value], number) => {
      const radio = control("input", { type: "radio", name: group, id: `${group}-${number}` }, description);
      radio.addEventListener("change", () => turn(value));
      return radio;
    });
    const rows = description.options.map(([, words], number) =>
      make("div", {}, radios[number], make("label", { htmlFor: radios[number].id, textContent: words })));
    const show = (value) => radios.forEach((radio, number) => {
      radio.checked = description.options[number][0] === value;
    });
    return { node: make("fieldset", {}, make("legend", { textContent: description.label }), ...rows), show };
  },

  cells(description, turn) {
    const [rows, columns] = description.options;
    const group = `course-${made++}`;
    const radios = Array.from({ length: rows * columns }, (_, number) => {
      const cell = [Math.floor(number / columns), number % columns];
      const radio = control("input", { type: "radio", name: group }, description);
      radio.setAttribute("aria-label", `row ${cell[0]}, column ${cell[1]}`);
      radio.addEventListener("change", () => turn(cell));
      return radio;
    });
    const step = { ArrowUp: -columns, ArrowDown: columns, ArrowLeft: -1, ArrowRight: 1 };
    radios.forEach((radio, number) => radio.addEventListener("keydown", (event) => {
      if (!(event.key in step)) return;
      event.preventDefault();
      const next = radios[number + step[event.key]];
      if (next) { next.focus(); next.click(); }
    }));
    const head = make("tr", {}, make("td"), ...Array.from({ length: columns }, (_, at) => make("th", { scope: "col", textContent: at })));
    const lines = Array.from({ length: rows }, (_, row) => make("tr", {}, make("th", { scope: "row", textContent: row }),
      ...radios.slice(row * columns, (row + 1) * columns).map((radio) => make("td", {}, radio))));
    const show = (value) => radios.forEach((radio, number) => {
      radio.checked = value !== null && number === value[0] * columns + value[1];
    });
    const table = make("table", { className: "course-cells" }, head, ...lines);
    return { node: make("fieldset", {}, make("legend", { textContent: description.label }), table), show };
  },

  order(description, turn) {
    const list = make("ol", { className: "course-order" });
    let items = [];
    const move = (at, by) => {
      if (at + by < 0 || at + by >= items.length) return;
      items = items.slice();
      items.splice(at + by, 0, ...items.splice(at, 1));
      drawList();
      list.children[at + by].querySelector(by < 0 ? "button" : "button + button").focus();
      turn(items);
    };
    const button = (at, by, words) => {
      const node = control("button", { textContent: by < 0 ? "▲" : "▼" }, description);
      node.setAttribute("aria-label", `move ${words} ${by < 0 ? "earlier" : "later"}`);
      node.addEventListener("click", () => move(at, by));
      return node;
    };
    const drawList = () => {
      list.replaceChildren(...items.map((words, at) => make("li", {}, button(at, -1, words), button(at, 1, words), ` ${words}`)));
    };
    // A list that is as it should be is left alone: new buttons would lose the keyboard's place.
    const show = (value) => { if (String(value) !== String(items)) { items = value; drawList(); } };
    return { node: make("fieldset", {}, make("legend", { textContent: description.label }), list), show };
  },

  button(description, turn) {
    const node = control("button", { className: "course-button", textContent: description.label }, description);
    let pressed = 0;
    node.addEventListener("click", () => turn(pressed + 1));
    return { node, show: (value) => { pressed = value; } };
  },
};

function copyButton(text) {
  const button = make("button", { className: "course-copy", textContent: "Copy", "data-lm-suppress-shortcuts": "true" });
  button.addEventListener("click", async () => {
    // A page that came over plain http from another machine has no clipboard: select the text instead.
    if (navigator.clipboard) await navigator.clipboard.writeText(text.textContent);
    else getSelection().selectAllChildren(text);
    button.textContent = navigator.clipboard ? "Copied" : "Press Ctrl+C";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return button;
}

function panel(title, { open, copy }) {
  const text = make("pre");
  const summary = make("summary", { textContent: title, "data-lm-suppress-shortcuts": "true" });
  const node = make("details", { open, className: "course-panel" }, summary);
  if (copy) node.append(copyButton(text));
  node.append(text);
  return { node, text };
}

function render({ model, el }) {
  const form = make("div", { className: "course-controls" });
  const said = make("div", { className: "course-said", role: "status", "aria-live": "polite" });
  const picture = make("div", { className: "course-picture" });
  const shown = new Map();
  const panels = new Map();

  // Turns are counted. Until the last one is answered, what the hand turned stays as the hand left it: the answer to an
  // earlier turn brings its picture, and moves none of these controls.
  const unanswered = () => {
    const { turn, settings } = model.get("_hand");
    return turn === model.get("_values").turn ? {} : settings;
  };
  const turn = (name) => (value) => {
    model.set("_hand", { turn: model.get("_hand").turn + 1, settings: { ...unanswered(), [name]: value } });
    model.save_changes();
  };
  const showValues = () => {
    const values = { ...model.get("_values").settings, ...unanswered() };
    for (const [name, { show }] of shown) show(values[name]);
  };
  const showControls = () => {
    const focused = form.contains(document.activeElement) ? document.activeElement.dataset.control : undefined;
    const sets = new Map();
    shown.clear();
    for (const description of model.get("_controls")) {
      const built = BUILDERS[description.kind](description, turn(description.name));
      shown.set(description.name, built);
      const { group } = description;
      if (!sets.has(group)) sets.set(group, group ? make("fieldset", {}, make("legend", { textContent: group })) : make("div"));
      sets.get(group).append(built.node);
    }
    form.replaceChildren(...sets.values());
    showValues();
    if (focused) form.querySelector(`[data-control="${focused}"]`)?.focus();
  };
  const showPicture = () => { picture.innerHTML = model.get("_picture"); };
  const showSaid = () => { if (said.textContent !== model.get("_said")) said.textContent = model.get("_said"); };
  const showPanels = () => {
    for (const [title, text] of Object.entries(model.get("_panels"))) {
      if (panels.get(title).text.textContent !== text) panels.get(title).text.textContent = text;
    }
  };

  for (const [title, look] of Object.entries(model.get("_panel_looks"))) panels.set(title, panel(title, look));
  el.classList.add("course-widget");
  el.dataset.widget = model.get("_anywidget_id").split(".").pop();
  const question = model.get("_question");
  el.append(...(question ? [make("p", { className: "course-question", textContent: question })] : []), form, said, picture,
    ...[...panels.values()].map(({ node }) => node));
  showControls();
  showPicture();
  showSaid();
  showPanels();
  model.on("change:_controls", showControls);
  model.on("change:_values change:_hand", showValues);
  model.on("change:_picture", showPicture);
  model.on("change:_said", showSaid);
  model.on("change:_panels", showPanels);
}

export default { render };
