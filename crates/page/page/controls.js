// The form: sizes, caches, and how they are shown. It is made anew when rows or caches come or go.
const names = [...new Set(models.flatMap(model => model.parameters))];
const inBytes = models.every(model => model.line_bytes !== null);

// What the slider of a size goes through: every number up to 64, then multiples of 8, about a fiftieth apart.
const SIZES = [];
for (let size = 1; size <= 200000; size += size < 64 ? 1 : 8 * Math.max(1, Math.round(size / 400))) SIZES.push(size);

// That of a cache: powers of two and the middle between them, as words.
const CACHES = [];
for (let size = inBytes ? 64 : 1; size <= 2 ** (inBytes ? 31 : 25); size *= 2) CACHES.push(size, 3 * size / 2);
const LINES = CACHES.filter(size => inBytes ? models.every(model => size % model.line_bytes === 0) : Number.isInteger(size));

function cacheWords(size) {
  if (!inBytes) return `${size}lines`;
  const unit = [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]].find(([, bytes]) => size % (bytes / 2) === 0 && size >= bytes);
  return unit && Number.isInteger(size / unit[1]) ? `${size / unit[1]}${unit[0]}`
    : size % 1024 === 0 ? `${size / 1024}KiB` : `${size}B`;
}

function cacheSize(words) {
  const [, number, unit] = /^\s*(\d+)\s*([A-Za-z]*)/.exec(words) ?? [];
  const units = { KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, kB: 1e3, MB: 1e6, GB: 1e9 };
  return Number(number ?? 0) * (units[unit] ?? 1);
}

const nearest = (list, value) => list.reduce((best, candidate, index) =>
  Math.abs(Math.log(candidate / value)) < Math.abs(Math.log(list[best] / value)) ? index : best, 0);

function slider(list, index, label, words, moved) {
  const range = element("input", { type: "range", min: 0, max: list.length - 1, step: 1, value: index });
  range.setAttribute("aria-label", label);
  range.setAttribute("aria-valuetext", words(list[index]));
  range.addEventListener("input", () => {
    range.setAttribute("aria-valuetext", words(list[range.value]));
    moved(list[range.value]);
  });
  return range;
}

function sizeRow(name) {
  const value = state.rows[state.at][name] ?? 1;
  const field = element("input", { type: "number", id: `size-${name}`, step: 1, value });
  field.addEventListener("change", () => {
    if (!Number.isSafeInteger(field.valueAsNumber)) return;
    state.rows[state.at][name] = field.valueAsNumber;
    showSizes(name, true);
    changed();
  });
  const range = slider(SIZES, nearest(SIZES, Math.max(value, 1)), name, size => `${name} = ${size}`, size => {
    state.rows[state.at][name] = size;
    field.value = size;
    changed(name);
  });
  range.id = `slider-${name}`;
  return element("div", { className: "row" }, element("label", { htmlFor: field.id }, name), range, field);
}

// Shows the value of a parameter as the state has it; the slider stays where it was put.
function showSizes(name, slide = false) {
  const value = state.rows[state.at][name];
  document.getElementById(`size-${name}`).value = value;
  const range = document.getElementById(`slider-${name}`);
  range.setAttribute("aria-valuetext", `${name} = ${value}`);
  if (slide) range.value = nearest(SIZES, Math.max(value, 1));
  const label = document.querySelector(`#rows label:nth-of-type(${state.at + 1}) span`);
  if (label) label.textContent = sizesText(state.rows[state.at]);
}

function button(text, label, action, properties = {}) {
  const made = element("button", { type: "button", ...properties }, text);
  if (label) made.setAttribute("aria-label", label);
  made.addEventListener("click", action);
  return made;
}

function rebuild() {
  buildControls();
  changed();
}

function sizesField() {
  const rows = element("div", { className: "choices", id: "rows" });
  if (state.rows.length > 1) {
    rows.setAttribute("role", "radiogroup");
    rows.setAttribute("aria-label", "The sizes that the sliders change");
    state.rows.forEach((row, index) => {
      const radio = element("input", { type: "radio", name: "at", checked: index === state.at });
      radio.addEventListener("change", () => { state.at = index; rebuild(); });
      rows.append(element("label", {}, radio, element("span", {}, sizesText(row))));
    });
  }
  const add = button("Overlay another size", null, () => {
    state.rows.push({ ...state.rows[state.at] });
    state.at = state.rows.length - 1;
    rebuild();
  }, { disabled: state.rows.length * state.models.length >= MOST_CURVES });
  const remove = button("Remove this size", null, () => {
    state.rows.splice(state.at, 1);
    state.at = Math.max(0, state.at - 1);
    rebuild();
  }, { hidden: state.rows.length < 2 });
  const contexts = models.filter(model => model.context).map(model => (models.length > 1 ? `${model.label}: ` : "") + model.context);
  return element("fieldset", {}, element("legend", {}, "Sizes"), rows, ...names.map(sizeRow),
    ...contexts.map(text => element("p", { className: "note" }, text)), element("div", { className: "choices" }, add, remove));
}

// What the slider of threads goes through: every number up to 16, then multiples of 4.
const COUNTS = [];
for (let count = 1; count <= 64; count += count < 16 ? 1 : 4) COUNTS.push(count);

function threadsField() {
  if (!threaded) return [];
  const words = count => count === 1 ? "one thread" : `${count} threads`;
  const field = element("input", { type: "number", id: "count-of-threads", min: 1, max: MOST_THREADS, step: 1, value: state.threads });
  const range = slider(COUNTS, nearest(COUNTS, state.threads), "threads", words, count => {
    state.threads = field.value = count;
    changed();
  });
  range.id = "slider-of-threads";
  field.addEventListener("change", () => {
    if (!isCount(field.valueAsNumber)) return;
    state.threads = field.valueAsNumber;
    range.value = nearest(COUNTS, state.threads);
    range.setAttribute("aria-valuetext", words(state.threads));
    changed();
  });
  const note = "The misses of all of them, each with caches of its own. Coherence: further misses, on lines that another thread has written since.";
  return [element("fieldset", {}, element("legend", {}, "Threads"),
    element("div", { className: "row" }, element("label", { htmlFor: field.id }, "threads"), range, field), element("p", { className: "note" }, note))];
}

function cacheRow(cache, index) {
  const field = element("input", { type: "text", id: `cache-${index}`, value: cache.size });
  const label = cache.name ?? `cache ${index + 1}`;
  field.setAttribute("aria-label", `size of ${label}`);
  const range = slider(LINES, nearest(LINES, Math.max(cacheSize(cache.size), 1)), `size of ${label}`, cacheWords, size => {
    cache.size = field.value = cacheWords(size);
    changed();
  });
  range.id = `cache-slider-${index}`;
  field.addEventListener("change", () => {
    cache.size = field.value.trim();
    range.value = nearest(LINES, Math.max(cacheSize(cache.size), 1));
    changed();
  });
  const remove = button("×", `remove ${label}`, () => { state.caches.splice(index, 1); rebuild(); }, { className: "small" });
  return element("div", {}, element("label", { htmlFor: field.id, className: "note" }, label),
    element("div", { className: "row cache" }, range, field, remove));
}

function cachesField() {
  const add = button("Add a cache", null, () => {
    const last = state.caches.at(-1);
    state.caches.push({ name: null, size: cacheWords(last ? LINES[Math.min(nearest(LINES, cacheSize(last.size)) + 8, LINES.length - 1)] : LINES[18]) });
    rebuild();
  });
  return element("fieldset", {}, element("legend", {}, "Caches"), ...state.caches.map(cacheRow), add);
}

function select(id, label, choices, value, chosen) {
  const made = element("select", { id }, ...choices.map(([key, text]) => element("option", { value: key, selected: key === value }, text)));
  made.addEventListener("change", () => { chosen(made.value); changed(); });
  return element("div", {}, element("label", { htmlFor: id, className: "note" }, label), made);
}

function viewField() {
  const parts = [select("scale", "axis of miss ratios", [["linear", "linear"], ["log", "logarithmic"]], state.scale,
    scale => { state.scale = scale; })];
  if (models.every(model => model.exact)) {
    parts.push(select("misses-by", "misses", [["lru", "exact LRU"], ["denning", "working sets"]], state.misses, misses => { state.misses = misses; }));
  }
  const link = element("a", { id: "link", href: "#" }, "Link to this view");
  link.addEventListener("pointerenter", () => { link.href = `#${toFragment(state)}`; });
  link.addEventListener("focus", () => { link.href = `#${toFragment(state)}`; });
  return element("fieldset", {}, element("legend", {}, "View"), ...parts, element("p", {}, link));
}

function modelsField() {
  if (models.length < 2) return [];
  const box = (model, index) => {
    const check = element("input", { type: "checkbox", checked: state.models.includes(index) });
    check.addEventListener("change", () => {
      const shown = models.map((_, other) => other).filter(other => other === index ? check.checked : state.models.includes(other));
      if (shown.length > 0) state.models = shown;
      rebuild();
    });
    return element("label", {}, check, model.label);
  };
  return [element("fieldset", {}, element("legend", {}, "Programs"), element("div", { className: "choices" }, ...models.map(box)))];
}

function buildControls() {
  const focused = document.activeElement?.id;
  controls.replaceChildren(...modelsField(), sizesField(), ...threadsField(), cachesField(), viewField());
  if (focused) document.getElementById(focused)?.focus();
}
controls.addEventListener("submit", event => event.preventDefault());

// Starts: the first picture can be pointed at; the rest needs WebAssembly.
adopt(data.picture);

// Base64 of what gzip made.
function decoded(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), letter => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

async function explore() {
  const source = document.getElementById("worker").textContent;
  const evaluator = await decoded("evaluator");
  const texts = [...document.querySelectorAll("script.model")].map((script, index) =>
    JSON.stringify({ ask: "open", text: script.textContent, line_bytes: models[index].line_choice }));
  quick = new Channel(source, evaluator, texts);
  thorough = new Channel(source, evaluator, texts);
  await quick.ready;
  buildControls();
  controls.hidden = false;
  document.documentElement.classList.add("live");
  changed();
  addEventListener("hashchange", () => {
    if (location.hash.slice(1) === toFragment(state)) return;
    state = fromFragment(location.hash.slice(1));
    rebuild();
  });
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) { width = innerWidth; changed(); }
  });
}

if ([globalThis.WebAssembly, globalThis.Worker, globalThis.DecompressionStream].every(Boolean)) {
  explore().catch(error => { statusLine.textContent = `The page stays as it is: ${error.message}`; });
}
