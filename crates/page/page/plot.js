// The numbers under the pointer. A curve is a list of steps [size, cache in words, misses, miss ratio]: from that size on, up to
// the next one, so many misses. The picture may be exchanged for another one.
const plot = document.getElementById("plot");
const box = document.getElementById("values");
let picture = null, svg = null, cursor = null, dots = [], sizes = [], shown = null;

function draw(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return svg.appendChild(element);
}

// What lies below the pointer from now on; with `text` a new drawing, too.
function adopt(facts, text) {
  const focused = svg !== null && document.activeElement === svg;
  if (text) {
    const drawing = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    svg.replaceWith(document.importNode(drawing, true));
  }
  picture = facts;
  svg = plot.querySelector("svg");
  svg.setAttribute("tabindex", "0");
  cursor = draw("path", { class: "pointer", stroke: "#1a1a1a", "stroke-width": 1, visibility: "hidden" });
  dots = facts.curves.map(curve =>
    draw("circle", { class: "pointer", r: 4.5, fill: curve.colour, stroke: "#fff", "stroke-width": 1.5, visibility: "hidden" }));
  sizes = [...new Set(facts.curves.flatMap(curve => curve.steps.map(step => step[0])))].sort((a, b) => a - b);
  if (focused) svg.focus();
  if (shown !== null) show(shown);
}

const place = size => (Math.log2(size) - picture.octaves[0]) / (picture.octaves[1] - picture.octaves[0]);
const xOf = size => picture.layout.left + place(size) * (picture.layout.right - picture.layout.left);

function sizeOf(x) {
  const { left, right } = picture.layout, [low, high] = picture.octaves;
  return 2 ** (low + (x - left) / (right - left) * (high - low));
}

function yOf(ratio) {
  const { log, greatest, layout } = picture;
  const place = log ? (Math.log10(ratio) - log[0]) / (log[1] - log[0]) : ratio / greatest;
  return layout.bottom - place * (layout.bottom - layout.top);
}

// The last step that is not beyond a size.
function stepAt(steps, size) {
  let from = 0, to = steps.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (steps[middle][0] <= size) from = middle; else to = middle;
  }
  return steps[from];
}

function inWords(size) {
  const units = picture.bytes ? ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] : ["lines", "Ki lines", "Mi lines"];
  let unit = 0;
  while (size >= 1024 && unit + 1 < units.length) { size /= 1024; unit += 1; }
  return `${size < 10 ? size.toFixed(2) : size < 100 ? size.toFixed(1) : size.toFixed(0)} ${units[unit]}`;
}

function show(size) {
  const { layout: { left, right, top, bottom }, curves } = picture;
  shown = size;
  const x = Math.min(Math.max(xOf(size), left), right);
  cursor.setAttribute("d", `M${x} ${top}V${bottom}`);
  cursor.setAttribute("visibility", "visible");
  const rows = [];
  curves.forEach((curve, index) => {
    if (curve.steps.length === 0) return;
    const [, from, misses, ratio] = stepAt(curve.steps, size);
    rows.push(element("tr", {},
      element("td", { className: "name", style: `color: ${curve.colour}` }, `● ${curve.name}`),
      element("td", {}, ratio < 0.001 && ratio > 0 ? ratio.toExponential(3) : ratio.toFixed(5)),
      element("td", {}, misses), element("td", {}, from)));
    dots[index].setAttribute("cx", x);
    dots[index].setAttribute("cy", Math.min(Math.max(yOf(ratio), top), bottom));
    dots[index].setAttribute("visibility", "visible");
  });
  const head = ["", "miss ratio", "misses", "from"].map(text => element("th", {}, text));
  box.replaceChildren(element("table", {},
    element("caption", {}, `cache of ${inWords(size)}`), element("tr", {}, ...head), ...rows));
  box.style.visibility = "visible";
  const scale = svg.clientWidth / svg.viewBox.baseVal.width;
  const beside = x * scale + 14;
  const fits = beside + box.offsetWidth < svg.clientWidth;
  box.style.left = `${fits ? beside : Math.max(0, x * scale - 14 - box.offsetWidth)}px`;
  box.style.top = `${(top + 10) * scale}px`;
}

function hide() {
  shown = null;
  for (const element of [cursor, ...dots]) element.setAttribute("visibility", "hidden");
  box.style.visibility = "hidden";
}

plot.addEventListener("pointermove", event => {
  box.setAttribute("aria-live", "off");
  const { left, right, top, bottom } = picture.layout, area = svg.getBoundingClientRect();
  const x = (event.clientX - area.left) * svg.viewBox.baseVal.width / area.width;
  const y = (event.clientY - area.top) * svg.viewBox.baseVal.height / area.height;
  if (x < left || x > right || y < top || y > bottom) hide(); else show(sizeOf(x));
});
plot.addEventListener("pointerleave", hide);

// Arrow keys go from step to step, and what is there is read out.
plot.addEventListener("keydown", event => {
  if (sizes.length === 0) return;
  box.setAttribute("aria-live", "polite");
  const at = shown === null ? -1 : sizes.findLastIndex(size => size <= shown);
  if (event.key === "ArrowRight") show(sizes[Math.min(at + 1, sizes.length - 1)]);
  else if (event.key === "ArrowLeft") show(sizes[Math.max(at - 1, 0)]);
  else if (event.key === "Escape") hide();
  else return;
  event.preventDefault();
});
