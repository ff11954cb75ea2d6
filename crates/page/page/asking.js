// Asks the evaluator whenever the state changes, and shows what it says. Two workers: a quick one answers at once, with as many
// points as there is time for, and by working sets where exact distances take long; a thorough one follows when the sliders rest.
let state = fromFragment(location.hash.slice(1));
let version = 0, finished = -1;
const controls = document.getElementById("controls");
const statusLine = document.getElementById("status");

// For other scripts, such as tests.
globalThis.symloc = { get state() { return state; }, get fragment() { return toFragment(state); } };

// One question list at a time; while it is answered, only the newest of those that come waits.
class Channel {
  constructor(source, evaluator, texts) {
    this.worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    this.running = new Map();
    this.next = null;
    this.count = 0;
    this.worker.onmessage = ({ data }) => {
      const { resolve, reject } = this.running.get(data.id);
      this.running.delete(data.id);
      if (data.failed) reject(new Error(data.failed)); else resolve(data);
    };
    this.worker.onerror = event => this.running.forEach(({ reject }) => reject(new Error(event.message)));
    this.ready = this.send({ bytes: evaluator, models: texts });
  }

  send(message) {
    const id = this.count += 1;
    this.worker.postMessage({ id, ...message });
    return new Promise((resolve, reject) => this.running.set(id, { resolve, reject }));
  }

  async ask(questions) {
    const { answers, ms } = await this.send({ questions: questions.map(question => JSON.stringify(question)) });
    const parsed = answers.map((answer, index) => questions[index].ask === "picture" ? JSON.parse(answer) : parseExact(answer));
    const wrong = parsed.find(answer => answer.error !== undefined);
    if (wrong) throw new Error(wrong.error);
    return { answers: parsed, ms };
  }

  // Runs a job when the one before has ended, unless a newer one has come by then.
  run(job) {
    const idle = this.next === null && !this.busy;
    this.next = job;
    if (idle) this.drain();
  }

  async drain() {
    this.busy = true;
    while (this.next !== null) {
      const job = this.next;
      this.next = null;
      await job().catch(error => fail(error));
    }
    this.busy = false;
  }
}

let quick = null, thorough = null, resting = null, fragmentTimer = null;
// What the last answers took decides how much the next ones may ask; exact answers are slow until one was not.
let detail = 16, exactMs = Infinity;
const FINE = 128, BUDGET = 20, SLOW = 30, REST = 150;

function questions(curves, misses, parts) {
  const caseOf = ({ model, sizes, name }) => ({ model, sizes, name, misses, threads: state.threads });
  const marks = state.caches;
  const width = Math.round(plot.clientWidth) || 680;
  const unmoved = state.threads === 1 && JSON.stringify(state.rows) === JSON.stringify(initial.rows);
  return [
    ...curves.map(curve => ({ ask: "query", case: caseOf(curve), caches: marks })),
    { ask: "picture", title: data.title, cases: curves.map(caseOf), marks, scale: state.scale, detail: parts, width,
      height: width < 500 ? 220 : 330, spans: unmoved ? start.spans.map(([label, ends]) => ({ label, ends })) : [] },
  ];
}

async function answerQuickly(asked, began, moved) {
  const curves = curvesOf(state);
  if (moved) {
    const row = state.rows[state.at];
    const near = model => quick.ask([{ ask: "near", case: { model, sizes: sizesOf(model, row) }, parameter: moved }]);
    const first = state.models.find(model => models[model].parameters.includes(moved));
    const { answers: [{ value }] } = await near(first);
    row[moved] = value;
    showSizes(moved);
    return answerQuickly(asked, began, null);
  }
  const wanted = state.misses;
  const misses = wanted === "lru" && exactMs > SLOW ? "denning" : wanted;
  const { answers, ms } = await quick.ask(questions(curves, misses, detail));
  if (asked <= finished || asked !== version) return;
  detail = ms > BUDGET ? Math.max(8, detail / 2) : ms < BUDGET / 3 ? Math.min(FINE, detail * 2) : detail;
  render(curves, answers, misses !== wanted);
  performance.measure("symloc: quick answer", { start: began, end: performance.now() });
}

async function answerThoroughly(asked, began) {
  const curves = curvesOf(state);
  const { answers, ms } = await thorough.ask(questions(curves, state.misses, FINE));
  if (state.misses === "lru") exactMs = ms / curves.length;
  if (asked !== version) return;
  finished = asked;
  render(curves, answers, false);
  const row = state.rows[state.at];
  const shares = await Promise.all(state.models.map(async model => {
    const question = { ask: "accesses", case: { model, sizes: sizesOf(model, row), misses: state.misses, threads: state.threads }, caches: state.caches };
    return thorough.ask([question]).then(({ answers }) => answers[0], error => ({ reason: error.message }));
  }));
  if (asked !== version) return;
  renderShares(shares);
  performance.measure("symloc: thorough answer", { start: began, end: performance.now() });
  document.documentElement.dataset.answered = asked;
  if (asked === 1) warmUp(curves);
}

// Browsers compile what is used often once more, to be faster: other sizes are asked for before the first slider moves.
async function warmUp(curves) {
  const away = (sizes, by) => Object.fromEntries(Object.entries(sizes).map(([name, value]) => [name, value + by]));
  for (let by = 8; by <= 64 && version === 1; by += 8) {
    const moved = curves.slice(0, 1).map(curve => ({ ...curve, sizes: away(curve.sizes, by) }));
    await quick.ask(questions(moved, "denning", 8)).catch(() => null);
  }
  document.documentElement.dataset.warm = true;
}

const sizesOf = (model, row) => Object.fromEntries(models[model].parameters.map(name => [name, row[name]]));

// The state has changed: asks. `moved` is the parameter of a slider, whose value may be one that the model does not hold for.
function changed(moved = null) {
  const asked = version += 1, began = performance.now();
  document.documentElement.dataset.asked = asked;
  quick.run(() => answerQuickly(asked, began, moved));
  clearTimeout(resting);
  resting = setTimeout(() => thorough.run(() => answerThoroughly(asked, began)), asked === 1 ? 0 : REST);
  clearTimeout(fragmentTimer);
  fragmentTimer = setTimeout(keep, 300);
}

// Keeps the state in the address, unless the page is as it starts.
function keep() {
  const fragment = toFragment(state);
  if (location.hash.slice(1) === fragment || (location.hash === "" && fragment === toFragment(initial))) return;
  try { history.replaceState(null, "", `#${fragment}`); } catch { location.replace(`#${fragment}`); }
}

function fail(error) {
  statusLine.className = "error";
  statusLine.textContent = error.message.replace(/^Error: /, "");
}

function render(curves, answers, provisional) {
  const drawn = answers.at(-1);
  adopt(drawn.data, drawn.svg);
  legend(curves, drawn.data.curves);
  const misses = document.getElementById("misses");
  misses.classList.toggle("provisional", provisional);
  misses.replaceChildren(missTable(state, curves, answers.slice(0, -1)));
  const estimated = answers.slice(0, -1).find(answer => answer.estimated !== undefined);
  statusLine.className = "";
  statusLine.textContent = provisional ? "by working sets for now; exact numbers follow"
    : estimated ? `estimated: ${grouped(estimated.estimated)} reuses by their intervals` : summary(curves, answers);
}

// What a screen reader says of a change.
function summary(curves, answers) {
  const row = sizesText(state.rows[state.at]);
  const index = Math.max(0, curves.findIndex(curve => curve.row === state.at));
  const level = answers[index]?.levels?.[0];
  const threads = answers[index]?.threads > 1 ? ` on ${answers[index].threads} threads` : "";
  return level ? `${row}${threads}: ${grouped(level.misses)} misses in ${cacheName(state.caches[0])}, ${ratioText(level.miss_ratio)} of the accesses` : row;
}

function legend(curves, drawn) {
  const sample = ({ colour, dashes }) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    line.setAttribute("width", 30);
    line.setAttribute("height", 10);
    line.setAttribute("aria-hidden", "true");
    line.innerHTML = `<path d="M0 5H30" stroke="${colour}" stroke-width="2.6" stroke-dasharray="${dashes}"/>`;
    return line;
  };
  const entry = (curve, index) => element("li", {}, sample(drawn[index]), curve.name);
  document.getElementById("legend").replaceChildren(...(curves.length > 1 ? curves.map(entry) : []));
  const threads = state.threads > 1 && state.models.some(model => models[model].threads) ? [`${state.threads} threads together`] : [];
  const about = [...new Set(state.models.map(model => models[model].lines)), ...threads].join(", ");
  document.getElementById("about").textContent = curves.length > 1 ? about : `${sizesText(curves[0].sizes)}; ${about}`;
}

function renderShares(answers) {
  const heading = (model, text) => element("h2", {}, state.models.length > 1 ? `${models[model].label}: ${text}` : text);
  const shares = [], sources = [];
  answers.forEach((answer, index) => {
    const model = state.models[index], { files, no_source } = models[model];
    shares.push(heading(model, "Misses by array"));
    if (answer.reason) {
      shares.push(element("p", {}, answer.reason));
      return;
    }
    shares.push(element("div", { className: "wide" }, arrayTable(state.caches, answer)));
    sources.push(heading(model, "Misses by line"));
    if (no_source) sources.push(element("p", {}, no_source));
    sources.push(...files.map(file => element("div", { className: "wide" }, sourceTable(state.caches, answer, file))));
  });
  document.getElementById("shares").replaceChildren(...shares);
  document.getElementById("sources").replaceChildren(...sources);
}
