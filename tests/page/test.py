"""The page of `symloc curve --html` in a browser, beside the command line.

    python3 tests/page/test.py SYMLOC_QUERY MODEL … [--pictures FOLDER]

Prints a line for each model, and exits with 1 when something is wrong. Sizes are taken from the model's own parameters.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import chromium

MEASURES = "performance.getEntriesByName('symloc: {} answer').map(entry => entry.duration)"
# Bytes of a page.
LIMIT = 1_500_000


def content(model):
    with open(model, encoding="utf-8") as file:
        return json.load(file)


def sizes_of(names, size):
    """One value for all but iterations in time, which are fewer, and elements in a line."""
    special = {"tsteps": size // 10, "T": size // 10, "tmax": size // 10, "b": 8}
    return {name: special.get(name, size) for name in names}


def sizes_without_threads(model):
    """The parameters but those of one thread."""
    threads = model.get("threads", {})
    own = [threads.get("thread")] + [share[end] for share in threads.get("shares", []) for end in ("first", "end")]
    return [name for index, name in enumerate(model["parameters"]) if index not in own]


def definitions(sizes):
    return [word for name, value in sizes.items() for word in ("-D", f"{name}={value}")]


class Case:
    def __init__(self, program, model, browser, folder):
        self.program, self.model, self.browser = program, model, browser
        self.name = os.path.basename(model).removesuffix(".loc.json")
        self.page = os.path.join(folder, self.name + ".html")
        model = content(model)
        self.threaded = "threads" in model
        self.names, self.attributed = sizes_without_threads(model), model.get("program") is not None

    def command(self, *words):
        return subprocess.run([self.program, *words], check=True, capture_output=True, text=True).stdout

    def write(self, size):
        self.command("curve", self.model, *definitions(sizes_of(self.names, size)), "--mark", "L1=32KiB", "--mark", "1MiB",
                     "--html", self.page)

    def query(self, sizes, caches, *words):
        caches = [word for cache in caches for word in ("--cache", cache)]
        return json.loads(self.command("query", self.model, *definitions(sizes), *caches, "--json", *words))

    def settled(self):
        """Until the thorough answer to the last change is there."""
        self.browser.wait("document.documentElement.dataset.answered && document.documentElement.dataset.answered === document.documentElement.dataset.asked || document.querySelector('#status.error')", 60)
        assert not self.browser.run("document.querySelector('#status.error')?.textContent"), self.browser.run("document.getElementById('status').textContent")

    def misses(self):
        return self.browser.run("[...document.querySelectorAll('[data-misses]')].map(cell => cell.dataset.misses)")

    def check_numbers(self, sizes, caches):
        """Misses in total, by array and by line: each as the command line has it."""
        levels = self.query(sizes, caches)["levels"]
        assert self.misses() == [str(level["misses"]) for level in levels], (self.name, sizes, self.misses(), levels)
        if not self.attributed:
            return 0, 0
        rows = self.query(sizes, caches, "--by", "array")["rows"]
        shown = self.browser.run("[...document.querySelectorAll('[data-array]')].map(row => [row.dataset.array, ...[...row.cells].map(cell => cell.textContent)])")
        expected = [[row["array"], row["array"], f"{row['accesses']:,}", f"{row['first_touches']:,}"]
                    + [word for level in row["levels"] for word in [f"{level['misses']:,}"]] for row in rows]
        assert [row[:4] + row[4::2] for row in shown] == expected, (self.name, shown, expected)
        lines = {}
        for row in self.query(sizes, caches, "--by", "access")["rows"]:
            counts = [row["accesses"]] + [level["misses"] for level in row["levels"]]
            lines[row["line"]] = [a + b for a, b in zip(lines.get(row["line"], [0] * len(counts)), counts)]
        shown = self.browser.run("[...document.querySelectorAll('[data-line]')].map(row => [row.dataset.line, ...[...row.querySelectorAll('.exact')].map(cell => cell.textContent)])")
        if shown:
            assert shown == [[str(line)] + [f"{count:,}" for count in counts] for line, counts in sorted(lines.items())], (self.name, shown)
        return len(rows), len(shown)

    def check_threads(self, count):
        """Misses of threads: each as the command line has it."""
        self.browser.run(f"""{{ const field = document.getElementById('count-of-threads'); field.value = {count};
            field.dispatchEvent(new Event('change')); }}""")
        self.settled()
        caches = self.browser.run("symloc.state.caches.map(cache => cache.size)")
        words = [] if count == 1 else ["--threads", str(count)]
        levels = self.query(self.sizes(), caches, *words)["levels"]
        assert self.misses() == [str(level["misses"]) for level in levels], (self.name, count, self.misses(), levels)
        for key, of in [("least", min), ("most", max)] if count > 1 else []:
            shown = self.browser.run(f"[...document.querySelectorAll('[data-{key}]')].map(cell => cell.dataset.{key})")
            assert shown == [str(of(level["misses_by_thread"])) for level in levels], (self.name, count, key, shown, levels)
        shown = self.browser.run("[...document.querySelectorAll('[data-coherence]')].map(cell => cell.dataset.coherence)")
        assert shown == [str(level["coherence_misses"]) for level in levels if count > 1], (self.name, count, shown, levels)

    def slide(self, name, index):
        self.browser.run(f"""{{ const range = document.getElementById('slider-{name}'); range.value = {index};
            range.dispatchEvent(new Event('input')); }}""")

    def sizes(self):
        return self.browser.run("symloc.state.rows[symloc.state.at]")


def check(case, pictures):
    browser = case.browser
    case.write(400)
    bytes_ = os.path.getsize(case.page)
    text = open(case.page, encoding="utf-8").read()
    assert not any(word in text for word in ["src=", "<link", "@import"]), "the page needs something else"
    browser.open(case.page)
    case.settled()
    browser.wait("performance.getEntriesByName('first-contentful-paint').length > 0")
    paint = browser.run("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    counts = case.check_numbers(sizes_of(case.names, 400), ["32KiB", "1MiB"])
    # A slider, and the answer to each step.
    browser.wait("document.documentElement.dataset.warm")
    browser.run("performance.clearMeasures()")
    name = case.names[0]
    for index in range(100, 130):
        before = browser.run(f"{MEASURES.format('quick')}.length")
        case.slide(name, index)
        browser.wait(f"{MEASURES.format('quick')}.length > {before} || document.querySelector('#status.error')", 20)
    quick = sorted(browser.run(MEASURES.format("quick")))
    case.settled()
    thorough = browser.run(MEASURES.format("thorough"))[-1]
    case.check_numbers(case.sizes(), ["32KiB", "1MiB"])
    # A cache by its slider, and one by its field.
    browser.run("""{ const range = document.getElementById('cache-slider-0'); range.value = 20; range.dispatchEvent(new Event('input'));
        const field = document.getElementById('cache-1'); field.value = '96KiB'; field.dispatchEvent(new Event('change')); }""")
    case.settled()
    caches = browser.run("symloc.state.caches.map(cache => cache.size)")
    case.check_numbers(case.sizes(), caches)
    for count in (7, 64, 1, 4) if case.threaded else []:
        case.check_threads(count)
    # The address keeps all of it.
    fragment = browser.run("'#' + symloc.fragment")
    kept, shown = browser.run("JSON.stringify(symloc.state)"), case.misses()
    browser.open(case.page, fragment)
    case.settled()
    assert (browser.run("JSON.stringify(symloc.state)"), case.misses()) == (kept, shown), "the address does not keep the state"
    if pictures:
        take_pictures(case, pictures)
    check_without_webassembly(case)
    complaints = browser.complaints()
    assert not complaints, complaints
    assert bytes_ < LIMIT, f"{bytes_} bytes"
    # The worst of them says how busy this machine is.
    print(f"ok    {case.name}: {bytes_} bytes, first paint {paint:.0f} ms, slider {quick[len(quick) // 2]:.1f} ms "
          f"(worst of {len(quick)} {quick[-1]:.1f} ms), all numbers {thorough:.0f} ms after a change, "
          f"{counts[0]} arrays and {counts[1]} lines agree", flush=True)
    return paint, quick


def check_without_webassembly(case):
    """The first picture stays, and can be pointed at."""
    browser = case.browser
    script = browser.call("Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.WebAssembly")["identifier"]
    browser.open(case.page)
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    browser.run("""document.querySelector('#plot svg').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))""")
    shown = browser.run("[document.getElementById('controls').hidden, document.getElementById('values').textContent.includes('cache of'), "
                        "document.querySelectorAll('#samples td').length > 0]")
    assert shown == [True, True, True], f"without WebAssembly: {shown}"


def take_pictures(case, folder):
    for width, height, dark in [(1280, 900, False), (1280, 900, True), (390, 844, False), (390, 844, True)]:
        case.browser.open(case.page, width=width, height=height, dark=dark)
        case.settled()
        case.browser.screenshot(os.path.join(folder, f"{case.name}-{width}{'-dark' if dark else ''}.png"), whole=True)
        wide = case.browser.run("document.documentElement.scrollWidth")
        assert wide <= width, f"the page is {wide} pixels wide in a window of {width}"


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("models", nargs="+")
    arguments.add_argument("--pictures")
    arguments = arguments.parse_args()
    program = chromium.find()
    if program is None:
        print("note: no Chromium, so the page is not tested in a browser")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder, chromium.Browser(program) as browser:
        for model in arguments.models:
            case = Case(arguments.program, model, browser, folder)
            try:
                check(case, arguments.pictures)
            except AssertionError as error:
                failed += 1
                print(f"wrong {case.name}: {error}", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
