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

// The misses of all curves in all caches: of one or two curves a row for each cache, of more a row for each curve. Of threads
// also the fewest and the most of one, and the coherence misses.
function missTable(state, curves, answers) {
  const by = answers[0]?.model === "lru" ? "exact LRU" : "Denning’s working sets";
  const several = answers.some(ofThreads);
  const caption = `Misses of fully associative caches, ${by}${several ? `; ${state.threads} threads, each with caches of its own` : ""}`;
  const rows = curves.length > 2 ? rowsOfCurves : rowsOfCaches;
  return table(caption, ...rows(state.caches, curves, answers));
}

const ofThreads = answer => answer.threads !== undefined;

function missHeads(answer, words = "") {
  const heads = [columnHead(`misses${words}`), columnHead("miss ratio")];
  return ofThreads(answer) ? [...heads, ...["least", "most", "coherence"].map(head => columnHead(head))] : heads;
}

function missCells({ misses, miss_ratio, misses_by_thread, coherence_misses }) {
  const cells = [element("td", { "data-misses": misses }, grouped(misses)), element("td", {}, ratioText(miss_ratio))];
  if (misses_by_thread === undefined) return cells;
  const sorted = misses_by_thread.map(BigInt).sort((a, b) => a < b ? -1 : a > b ? 1 : 0);
  const coherence = coherence_misses === undefined ? element("td", {}, "–") : element("td", { "data-coherence": coherence_misses }, grouped(coherence_misses));
  return [...cells, element("td", { "data-least": sorted[0] }, grouped(sorted[0])),
    element("td", { "data-most": sorted.at(-1) }, grouped(sorted.at(-1))), coherence];
}

// Of two curves, also how many times the misses of the first the second has.
function rowsOfCaches(caches, curves, answers) {
  const two = curves.length === 2;
  const width = answer => ofThreads(answer) ? 5 : 2;
  const names = [element("td"), ...curves.map((curve, index) => columnHead(curve.name, { colSpan: width(answers[index]) })), element("td")];
  const heads = [columnHead("cache", { className: "left" }), ...answers.flatMap(answer => missHeads(answer)),
    ...(two ? [columnHead("second / first")] : [])];
  const quotient = level => {
    const [first, second] = answers.map(answer => Number(answer.levels[level].misses));
    return element("td", {}, first > 0 ? (second / first).toFixed(3) : "–");
  };
  const rows = caches.map((cache, level) => element("tr", {}, rowHead(cacheName(cache)),
    ...answers.flatMap(answer => missCells(answer.levels[level])), ...(two ? [quotient(level)] : [])));
  const blanks = count => Array.from({ length: count }, () => element("td"));
  const total = (words, count) => element("tr", {}, rowHead(words), ...answers.flatMap(answer =>
    [element("td", {}, count(answer)), ...blanks(width(answer) - 1)]), ...(two ? [element("td")] : []));
  const totals = [total("first touches", answer => grouped(answer.first_touches)), total("accesses", answer => grouped(answer.accesses))];
  if (answers.some(answer => answer.falsely_shared_lines !== undefined)) totals.push(total("lines that threads share falsely", falselyShared));
  return [two ? [names, heads] : [heads], [...rows, ...totals]];
}

// The lines that several threads use between two barriers and one of them writes, by array.
function falselyShared({ falsely_shared_lines }) {
  if (falsely_shared_lines === undefined) return "–";
  const lines = Object.entries(falsely_shared_lines).map(([array, count]) => `${grouped(count)} of ${array}`);
  return lines.length > 0 ? lines.join(", ") : "none";
}

function rowsOfCurves(caches, curves, answers) {
  const of = answers.find(ofThreads) ?? answers[0];
  const heads = [columnHead("curve", { className: "left" }), ...caches.flatMap(cache => missHeads(of, ` ${cacheName(cache)}`)),
    columnHead("first touches"), columnHead("accesses")];
  const filled = answer => answer.levels.flatMap(level => {
    const cells = missCells(level);
    return ofThreads(of) && !ofThreads(answer) ? [...cells, element("td"), element("td"), element("td")] : cells;
  });
  const row = (answer, index) => element("tr", {}, rowHead(curves[index].name), ...filled(answer),
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
