// Answers as tables.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made && key !== "style") made[key] = value; else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

const rowHead = (text, properties = {}) => element("th", { scope: "row", ...properties }, text);
const columnHead = (text, properties = {}) => element("th", { scope: "col", ...properties }, text);
const cacheName = ({ name, size }) => name ? `${name} ${size}` : size;

// A cell with a bar below that is as long as the share.
function shareCell(share) {
  const cell = element("td", { className: "bar" }, percent(share));
  cell.style.setProperty("--part", `${100 * share}%`);
  return cell;
}

function table(caption, heads, rows) {
  return element("table", {}, element("caption", {}, caption),
    element("thead", {}, ...heads.map(cells => element("tr", {}, ...cells))), element("tbody", {}, ...rows));
}

// The misses of all curves in all caches: of one or two curves a row for each cache, of more a row for each curve.
function missTable(state, curves, answers) {
  const caption = `Misses of fully associative caches, ${answers[0]?.model === "lru" ? "exact LRU" : "Denning’s working sets"}`;
  return curves.length > 2 ? table(caption, ...rowsOfCurves(state.caches, curves, answers)) : table(caption, ...rowsOfCaches(state.caches, curves, answers));
}

const missCells = ({ misses, miss_ratio }) => [element("td", { "data-misses": misses }, grouped(misses)), element("td", {}, ratioText(miss_ratio))];

// Of two curves, also how many times the misses of the first the second has.
function rowsOfCaches(caches, curves, answers) {
  const two = curves.length === 2;
  const names = [element("td"), ...curves.map(curve => columnHead(curve.name, { colSpan: 2 })), element("td")];
  const heads = [columnHead("cache", { className: "left" }), ...curves.flatMap(() => [columnHead("misses"), columnHead("miss ratio")]),
    ...(two ? [columnHead("second / first")] : [])];
  const quotient = level => {
    const [first, second] = answers.map(answer => Number(answer.levels[level].misses));
    return element("td", {}, first > 0 ? (second / first).toFixed(3) : "–");
  };
  const rows = caches.map((cache, level) => element("tr", {}, rowHead(cacheName(cache)),
    ...answers.flatMap(answer => missCells(answer.levels[level])), ...(two ? [quotient(level)] : [])));
  const total = (words, key) => element("tr", {}, rowHead(words), ...answers.flatMap(answer =>
    [element("td", {}, grouped(answer[key])), element("td")]), ...(two ? [element("td")] : []));
  return [two ? [names, heads] : [heads], [...rows, total("first touches", "first_touches"), total("accesses", "accesses")]];
}

function rowsOfCurves(caches, curves, answers) {
  const heads = [columnHead("curve", { className: "left" }), ...caches.flatMap(cache => [columnHead(`misses ${cacheName(cache)}`), columnHead("miss ratio")]),
    columnHead("first touches"), columnHead("accesses")];
  const row = (answer, index) => element("tr", {}, rowHead(curves[index].name), ...answer.levels.flatMap(missCells),
    element("td", {}, grouped(answer.first_touches)), element("td", {}, grouped(answer.accesses)));
  return [[heads], answers.map(row)];
}

// Adds up rows with the same key, exactly.
function sums(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const name = key(row);
    const sum = groups.get(name) ?? { accesses: 0n, first_touches: 0n, misses: row.levels.map(() => 0n), of: [] };
    sum.accesses += BigInt(row.accesses);
    sum.first_touches += BigInt(row.first_touches);
    row.levels.forEach((level, index) => { sum.misses[index] += BigInt(level.misses); });
    sum.of.push(`${row.array}${row.subscripts} (${row.kind})`);
    groups.set(name, sum);
  }
  return groups;
}

const part = (some, all) => all > 0n ? Number(some * 1000000n / all) / 1e6 : 0;
const missesOf = level => BigInt(level.misses);

function arrayTable(caches, answer) {
  const heads = [[columnHead("array", { className: "left" }), columnHead("accesses"), columnHead("first touches"),
    ...caches.flatMap(cache => [columnHead(`misses ${cacheName(cache)}`), columnHead("share")])]];
  const rows = [...sums(answer.rows, row => row.array)].map(([name, sum]) => element("tr", { "data-array": name }, rowHead(name),
    element("td", {}, grouped(sum.accesses)), element("td", {}, grouped(sum.first_touches)),
    ...sum.misses.flatMap((misses, level) => [element("td", {}, grouped(misses)), shareCell(part(misses, missesOf(answer.levels[level])))])));
  return table(`Misses by array at ${sizesText(answer.parameters)}`, heads, rows);
}

// A line's heat is its largest share of the misses of any cache. Where there is little room, shares are shown and no counts.
function sourceTable(caches, answer, { file, lines }) {
  const byLine = sums(answer.rows.filter(row => row.file === file), row => row.line);
  const exact = { className: "exact" };
  const heads = [[columnHead("accesses", exact),
    ...caches.flatMap(cache => [columnHead(`misses ${cacheName(cache)}`, exact), columnHead(cache.name ? `${cache.name} share` : "share")]),
    columnHead("line", { className: "number" }), columnHead("code", { className: "left" })]];
  const blank = () => [element("td", exact), ...caches.flatMap(() => [element("td", exact), element("td")])];
  const row = (text, index) => {
    const sum = byLine.get(index + 1);
    const code = [element("td", { className: "number" }, String(index + 1)), element("td", { className: "left" }, element("code", {}, text))];
    if (!sum) return element("tr", {}, ...blank(), ...code);
    const shares = sum.misses.map((misses, level) => part(misses, missesOf(answer.levels[level])));
    const heat = Math.max(0, ...shares);
    code[1].title = sum.of.join(", ");
    const made = element("tr", { "data-line": index + 1, ...(heat >= 0.01 ? { "data-heat": heat } : {}) },
      element("td", exact, grouped(sum.accesses)),
      ...sum.misses.flatMap((misses, level) => [element("td", exact, grouped(misses)), element("td", {}, percent(shares[level]))]), ...code);
    made.style.setProperty("--heat", (0.06 + 0.3 * heat).toFixed(3));
    return made;
  };
  return table(`${file} at ${sizesText(answer.parameters)}`, heads, lines.map(row));
}
