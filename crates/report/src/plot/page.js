"use strict";
// Shows, for the cache size under the pointer, what each curve misses there. A curve is a list of steps
// [size, cache in words, misses, miss ratio]: from that size on, up to the next one, so many misses.
const data = JSON.parse(document.getElementById("data").textContent);
const svg = document.querySelector("#plot svg");
const box = document.getElementById("values");
const { left, right, top, bottom } = data.layout;
const [low, high] = data.octaves;

function draw(name, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return svg.appendChild(element);
}

const cursor = draw("path", { stroke: "#1a1a1a", "stroke-width": 1, visibility: "hidden" });
const dots = data.curves.map(curve =>
  draw("circle", { r: 4.5, fill: curve.colour, stroke: "#fff", "stroke-width": 1.5, visibility: "hidden" }));

const xOf = size => left + (Math.log2(size) - low) / (high - low) * (right - left);
const sizeOf = x => 2 ** (low + (x - left) / (right - left) * (high - low));
const yOf = ratio => {
  const place = data.log
    ? (Math.log10(ratio) - data.log[0]) / (data.log[1] - data.log[0])
    : ratio / data.greatest;
  return bottom - place * (bottom - top);
};

// The last step that is not beyond a size.
function stepAt(steps, size) {
  let from = 0, to = steps.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (steps[middle][0] <= size) from = middle; else to = middle;
  }
  return steps[from];
}

function cell(row, text, name) {
  const element = row.insertCell();
  element.textContent = text;
  if (name) element.className = name;
  return element;
}

function inWords(size) {
  const units = data.bytes ? ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] : ["lines", "Ki lines", "Mi lines"];
  let unit = 0;
  while (size >= 1024 && unit + 1 < units.length) { size /= 1024; unit += 1; }
  return `${size < 10 ? size.toFixed(2) : size < 100 ? size.toFixed(1) : size.toFixed(0)} ${units[unit]}`;
}

let shown = null;

function show(size) {
  shown = size;
  const x = xOf(size);
  cursor.setAttribute("d", `M${x} ${top}V${bottom}`);
  cursor.setAttribute("visibility", "visible");
  const table = document.createElement("table");
  table.createCaption().textContent = `cache of ${inWords(size)}`;
  const head = table.insertRow();
  for (const text of ["", "miss ratio", "misses", "from"]) {
    head.appendChild(document.createElement("th")).textContent = text;
  }
  data.curves.forEach((curve, index) => {
    if (curve.steps.length === 0) return;
    const [, from, misses, ratio] = stepAt(curve.steps, size);
    const row = table.insertRow();
    cell(row, `● ${curve.name}`, "name").style.color = curve.colour;
    cell(row, ratio < 0.001 && ratio > 0 ? ratio.toExponential(3) : ratio.toFixed(5));
    cell(row, misses);
    cell(row, from);
    dots[index].setAttribute("cx", x);
    dots[index].setAttribute("cy", yOf(ratio));
    dots[index].setAttribute("visibility", "visible");
  });
  box.replaceChildren(table);
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

svg.addEventListener("pointermove", event => {
  const x = event.offsetX * svg.viewBox.baseVal.width / svg.clientWidth;
  const y = event.offsetY * svg.viewBox.baseVal.height / svg.clientHeight;
  if (x < left || x > right || y < top || y > bottom) hide(); else show(sizeOf(x));
});
svg.addEventListener("pointerleave", hide);

// Arrow keys go from step to step.
const sizes = [...new Set(data.curves.flatMap(curve => curve.steps.map(step => step[0])))].sort((a, b) => a - b);
svg.setAttribute("tabindex", "0");
svg.addEventListener("keydown", event => {
  if (sizes.length === 0) return;
  const at = shown === null ? -1 : sizes.findLastIndex(size => size <= shown);
  if (event.key === "ArrowRight") show(sizes[Math.min(at + 1, sizes.length - 1)]);
  else if (event.key === "ArrowLeft") show(sizes[Math.max(at - 1, 0)]);
  else if (event.key === "Escape") hide();
  else return;
  event.preventDefault();
});
