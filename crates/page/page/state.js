"use strict";
// What is shown, and the address that keeps it. A state:
//   rows: sizes, each {parameter: value}; every model has a curve at each of them
//   at: the row that the sliders change; models: the numbers of those that are shown
//   caches: [{name, size}], size in words; scale: "linear" or "log"; misses: "denning" or "lru"
//   threads: how many share the loops of those models that are of threads, each with caches of its own
const data = JSON.parse(document.getElementById("data").textContent);
const { models, start } = data;

const initial = {
  rows: start.sizes.map(sizes => Object.fromEntries(sizes)),
  at: 0,
  models: models.map((_, index) => index),
  caches: start.caches.map(([name, size]) => ({ name, size })),
  scale: start.scale,
  misses: start.misses,
  threads: 1,
};

const MOST_THREADS = 1024;
const isCount = threads => Number.isInteger(threads) && threads >= 1 && threads <= MOST_THREADS;
const threaded = models.some(model => model.threads);

const coded = text => encodeURIComponent(text);

function toFragment(state) {
  const row = sizes => Object.entries(sizes).map(([name, value]) => `${coded(name)}:${value}`).join(",");
  const cache = ({ name, size }) => (name ? `${coded(name)}:` : "") + coded(size);
  return [
    `sizes=${state.rows.map(row).join(";")}`,
    `at=${state.at}`,
    `caches=${state.caches.map(cache).join(";")}`,
    `models=${state.models.join(",")}`,
    `scale=${state.scale}`,
    `misses=${state.misses}`,
    ...(threaded ? [`threads=${state.threads}`] : []),
  ].join("&");
}

// What an address says; the rest is as the page starts.
function fromFragment(fragment) {
  const state = structuredClone(initial);
  try {
    const parts = new Map(fragment.split("&").map(part => part.split("=", 2)));
    const list = (key, separator) => (parts.get(key) ?? "").split(separator).filter(text => text !== "");
    const pair = text => text.split(":").map(decodeURIComponent);
    const rows = list("sizes", ";").map(row => {
      const sizes = row.split(",").map(pair).map(([name, value]) => [name, Number(value)]);
      return { ...initial.rows[0], ...Object.fromEntries(sizes.filter(([, value]) => Number.isSafeInteger(value))) };
    });
    if (rows.length > 0) state.rows = rows;
    if (parts.has("caches")) {
      state.caches = list("caches", ";").map(pair).map(parts => ({ name: parts.length > 1 ? parts[0] : null, size: parts.at(-1) }));
    }
    const shown = list("models", ",").map(Number).filter(index => index in models);
    if (shown.length > 0) state.models = shown;
    if (["linear", "log"].includes(parts.get("scale"))) state.scale = parts.get("scale");
    if (["denning", "lru"].includes(parts.get("misses"))) state.misses = parts.get("misses");
    if (isCount(Number(parts.get("threads")))) state.threads = Number(parts.get("threads"));
    state.at = Math.min(Math.max(0, Number(parts.get("at")) || 0), state.rows.length - 1);
  } catch {
    return structuredClone(initial);
  }
  return state;
}

// Numbers of accesses can have more digits than a float holds: those become text, all others stay numbers.
function parseExact(json) {
  const quote = token => /^-?\d{16,}$/.test(token) ? `"${token}"` : token;
  return JSON.parse(json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, quote));
}

const grouped = count => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
const ratioText = ratio => ratio === 0 || ratio >= 1e-3 ? ratio.toFixed(5) : ratio.toExponential(2);
const percent = share => `${(100 * share).toFixed(share > 0 && share < 0.001 ? 3 : 1)} %`;

// A curve for each model at each row, once each: rows may differ in sizes that a model does not have.
const MOST_CURVES = 8;
function curvesOf(state) {
  const curves = [];
  state.models.forEach(model => {
    const seen = new Set();
    state.rows.forEach((row, index) => {
      const sizes = Object.fromEntries(models[model].parameters.map(name => [name, row[name]]));
      const key = JSON.stringify(sizes);
      if (seen.has(key)) return;
      seen.add(key);
      curves.push({ model, row: index, sizes, name: curveName(state, model, sizes) });
    });
  });
  return curves.slice(0, MOST_CURVES);
}

function curveName(state, model, sizes) {
  const varying = Object.keys(sizes).filter(name => state.rows.some(row => row[name] !== state.rows[0][name]));
  const parts = state.models.length > 1 ? [models[model].label] : [];
  if (varying.length > 0) parts.push(sizesText(sizes, varying));
  return parts.join(", ");
}

const sizesText = (sizes, names = Object.keys(sizes)) => names.map(name => `${name} = ${sizes[name]}`).join(", ");
