"""Answers of the module are those of the command line, and what it refuses it refuses with a message."""

from __future__ import annotations

import json
import pickle
import random
import subprocess
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import symloc
from conftest import MODELS, REPOSITORY, built, example
from symloc import Model, SymlocError

ALL = sorted([*MODELS.glob("*.loc.json"), *(REPOSITORY / "tests" / "models").glob("*.loc.json")])
GEMM = {"ni": 30, "nj": 20, "nk": 10}


@pytest.fixture(scope="module")
def gemm() -> Model:
    return Model.load(example("gemm"))


def test_threads_have_caches_of_their_own() -> None:
    model = Model.load(REPOSITORY / "tests" / "models" / "jacobi-1d-threads.loc.json")
    assert model.parameters == ("tsteps", "n")
    answer = model.query(tsteps=10, n=400, cache="4KiB", threads=3)
    assert isinstance(answer, symloc.Misses)
    assert (answer.misses, answer.misses_by_thread, answer.coherence_misses) == (104, (34, 36, 34), 0)
    assert answer.falsely_shared_lines == {"A": 20, "B": 20}
    alone = model.query(tsteps=10, n=400, cache="4KiB")
    assert model.query(tsteps=10, n=400, cache="4KiB", threads=1).misses == alone.misses
    assert Model.parse(model.to_json()) == model
    with pytest.raises(SymlocError, match="at least one thread"):
        model.query(tsteps=10, n=400, cache="4KiB", threads=0)


def sizes_of(model: Model, rng: random.Random, count: int) -> list[dict[str, int]]:
    """Sizes that a model allows."""
    found: list[dict[str, int]] = []
    for _ in range(100 * count):
        sizes = {name: rng.choice([8, 16, 24, 48, 96, rng.randint(1, 200)]) for name in model.parameters}
        try:
            model.query(sizes, cache="8lines")
        except SymlocError:
            continue
        found.append(sizes)
        if len(found) == count:
            break
    return found


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name.removesuffix(".loc.json"))
def test_sweeps_are_those_of_the_command_line(path: Path) -> None:
    model, rng = Model.load(path), random.Random(7)
    sizes = sizes_of(model, rng, 8)
    assert sizes
    caches = np.array([1, 2, 3, 5, 8, 13, 64, 512, 4096, 10**9])
    columns = {name: np.array([[one[name]] for one in sizes]) for name in model.parameters}
    found = model.query(columns, cache=[f"{lines}lines" for lines in caches])
    assert found.shape == (len(sizes), len(caches))
    for row, one in enumerate(sizes):
        definitions = [text for name, value in one.items() for text in ("-D", f"{name}={value}")]
        levels = [text for lines in caches for text in ("--cache", f"{lines}lines")]
        command = [built("symloc-query"), "query", str(path), *definitions, *levels, "--format", "json"]
        answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        assert [level["misses"] for level in answer["levels"]] == found.misses[row].tolist()
        assert answer["accesses"] == found.accesses[row, 0]
        assert answer["first_touches"] == found.first_touches[row, 0]


def test_single_answers(gemm: Model) -> None:
    misses = gemm.query(GEMM, cache="4KiB")
    assert isinstance(misses, symloc.Misses)
    assert misses.ratio == Fraction(misses.misses, misses.accesses)
    assert misses.hits + misses.misses == misses.accesses
    assert (
        misses
        == gemm.query(cache=4096, **GEMM)
        == gemm.query(GEMM, cache="64lines")
        == gemm.query(GEMM, cache=np.int32(4096))
    )
    sampled = gemm.query(GEMM, cache="4KiB,8")
    assert sampled.model == "simulation" and sampled.misses >= misses.misses
    assert gemm.query(GEMM, cache="4KiB", model="denning").model == "denning"


def test_a_curve_is_its_misses(gemm: Model) -> None:
    curve = gemm.curve(GEMM)
    for lines in [0, 1, 2, 3, 9, 50, 10**30]:
        misses = curve(lines)
        assert lines == 0 or misses == gemm.query(GEMM, cache=f"{min(lines, 10**9)}lines").misses
    assert curve.to_svg().startswith("<svg") and curve._repr_svg_() == curve.to_svg()


def test_histograms_add_up(gemm: Model) -> None:
    histogram = gemm.histogram(GEMM)
    assert sum(histogram.reuses.values()) + histogram.first_touches == histogram.accesses
    distances = gemm.histogram(GEMM, distances=True)
    assert sum(distances.reuses.values()) + distances.first_touches == distances.accesses


@pytest.mark.parametrize("what", ["access", "array", "nest"])
def test_shares_add_up(gemm: Model, what: str) -> None:
    shares = gemm.by(what, GEMM, cache="1KiB")
    assert sum(row["misses"] for row in shares.rows) == shares.misses == gemm.query(GEMM, cache="1KiB").misses


def test_formulas(gemm: Model) -> None:
    sympy = pytest.importorskip("sympy")
    tables = gemm.formula().sympy()
    names = {name: sympy.Symbol(name, integer=True) for name in ["ni", "nj", "nk", "C"]}
    sizes = {names["ni"]: 64, names["nj"]: 64, names["nk"]: 64}
    pieces = [row for row in tables["misses_1"] if row["cache_from"].subs(sizes) <= 20]
    value = pieces[-1]["misses"].subs({**sizes, names["C"]: 20})
    assert value == gemm.query(ni=64, nj=64, nk=64, cache="20lines").misses
    for formulas in [gemm.scaling(), gemm.table(), gemm.formula(), gemm.table(by="array", model="denning")]:
        assert formulas.rows and str(formulas) and formulas.to_markdown() and formulas._repr_latex_()
        assert "<math" in formulas._repr_html_()
    assert "<math" in gemm._repr_html_()


def test_frames(gemm: Model) -> None:
    n = np.arange(1, 50)
    sweep = gemm.query(ni=n, nj=n, nk=n, cache="1KiB")
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(sweep)
    assert frame.columns == ["ni", "nj", "nk", "cache_bytes", "accesses", "first_touches", "misses"]
    assert frame["misses"].to_list() == sweep.misses.tolist()
    pandas = pytest.importorskip("pandas")
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert pandas.DataFrame.from_arrow(sweep)["misses"].tolist() == sweep.misses.tolist()


def test_large_numbers_are_exact(gemm: Model) -> None:
    n = 10**7
    one = gemm.query(ni=n, nj=n, nk=n, cache="1MiB")
    many = gemm.query(ni=[n, 2], nj=[n, 2], nk=[n, 2], cache="1MiB")
    assert one.accesses > 2**64
    assert many.misses.tolist()[0] == one.misses and many.accesses.tolist() == [one.accesses, 40]
    assert 0 < many.ratio[0] < 1
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(many)["accesses"].to_list() == [one.accesses, 40]


def test_models_are_values(gemm: Model, tmp_path: Path) -> None:
    assert pickle.loads(pickle.dumps(gemm)) == gemm
    gemm.save(tmp_path / "copy.json")
    assert (
        Model.load(tmp_path / "copy.json")
        == gemm
        == Model.parse(gemm.to_json())
        == Model.parse(gemm.to_json().encode())
    )
    assert hash(gemm) == hash(Model.load(example("gemm")))


def test_answers_are_values(gemm: Model) -> None:
    sweep = gemm.query(ni=[8, 10**7], nj=[8, 10**7], nk=[8, 10**7], cache="1KiB")
    copy = pickle.loads(pickle.dumps(sweep))
    assert copy.names == sweep.names and copy.shape == sweep.shape
    assert all(copy[name].tolist() == sweep[name].tolist() for name in sweep.names)
    curve = pickle.loads(pickle.dumps(gemm.curve(GEMM)))
    assert curve == gemm.curve(GEMM) and curve.to_svg() == gemm.curve(GEMM).to_svg()
    assert str(pickle.loads(pickle.dumps(gemm.scaling()))) == str(gemm.scaling())
    with pytest.raises(SymlocError) as refused:
        gemm.query({**GEMM, "ni": -3}, cache="1KiB")
    copied = pickle.loads(pickle.dumps(refused.value))
    assert type(copied) is SymlocError and str(copied) == str(refused.value)


def test_sizes_that_are_called_like_columns(gemm: Model) -> None:
    model = Model.parse(gemm.to_json().replace('"ni"', '"misses"'))
    assert model.query(misses=8, nj=8, nk=8, cache="1KiB") == gemm.query(ni=8, nj=8, nk=8, cache="1KiB")
    with pytest.raises(SymlocError, match="--name misses=OTHER"):
        model.query(misses=[8], nj=8, nk=8, cache="1KiB")


BAD_SIZES = [
    ({"ni": 1, "nj": 2}, "no value for the parameter nk"),
    ({**GEMM, "nn": 3}, "nn"),
    ({**GEMM, "ni": -3}, "outside the model's context"),
    ({**GEMM, "ni": 0}, "outside the model's context"),
    ({**GEMM, "ni": 2**70}, "64 bits|too large|number"),
    ({**GEMM, "ni": 1.5}, "not an integer"),
    ({**GEMM, "ni": float("nan")}, "not an integer"),
    ({**GEMM, "ni": "12"}, "not an integer"),
    ({**GEMM, "ni": None}, "not an integer"),
    ({**GEMM, "ni": True}, "not an integer"),
    ({**GEMM, "ni": [1.5, 2]}, "array of float64"),
    ({**GEMM, "ni": [float("nan")]}, "array of float64"),
    ({**GEMM, "ni": [2**70]}, "64-bit integers"),
    ({**GEMM, "ni": [1, -1]}, "outside the model's context"),
    ({"ni": [1], "nj": [2]}, "no value for the parameter nk"),
    ({**GEMM, "nn": [3]}, "nn"),
]


@pytest.mark.parametrize(("sizes", "message"), BAD_SIZES)
def test_bad_sizes(gemm: Model, sizes: dict[str, object], message: str) -> None:
    with pytest.raises(SymlocError, match=message):
        gemm.query(sizes, cache="1KiB")


@pytest.mark.parametrize(
    "cache",
    ["", "0", "12 apples", "-4KiB", "100B", "1KiB..2KiB", "1KiB..4KiB:*2", -64, 1.5, None, ["1KiB", "4lines"], [-64], [0], [100], ["4KiB,8"]],
)
def test_bad_caches(gemm: Model, cache: object) -> None:
    with pytest.raises(SymlocError):
        gemm.query(GEMM, cache=cache)


def test_bad_questions(gemm: Model) -> None:
    for ask in [
        lambda: gemm.query(GEMM, cache="1KiB", model="psychic"),
        lambda: gemm.query(GEMM, cache=["1KiB"], model="psychic"),
        lambda: gemm.query(GEMM, cache="1KiB", line_bytes=128),
        lambda: gemm.query(GEMM, cache=["1KiB"], line_bytes=128),
        lambda: gemm.query(GEMM, cache="1KiB", ni=3),
        lambda: gemm.by("moon", GEMM, cache="1KiB"),
        lambda: gemm.curve(GEMM)(-1),
        lambda: gemm.ask(),
        lambda: gemm.ask("query", "--help-me"),
        lambda: Model.load("no/such/file.json"),
        lambda: Model.parse("{}"),
        lambda: Model.parse(""),
    ]:
        with pytest.raises(SymlocError):
            ask()
    with pytest.raises(ValueError):
        gemm.query(ni=[1, 2], nj=[1, 2, 3], nk=1, cache="1KiB")


@pytest.mark.parametrize(
    ("sizes", "caches"),
    [((), (3,)), ((4,), ()), ((2, 1), (3,)), ((3,), (2, 1)), ((2, 1, 3), (4, 1)), ((5,), (5,)), ((1,), (1, 1)), ((2, 0), (1,))],
)
def test_arrays_are_broadcast_as_numpy_does(gemm: Model, sizes: tuple[int, ...], caches: tuple[int, ...]) -> None:
    rng = np.random.default_rng(5)
    n, lines = rng.integers(1, 9, sizes), rng.integers(1, 50, caches)
    answer = gemm.query(ni=n, nj=7, nk=[3], cache=64 * lines)
    expected_n, expected_nk, expected_lines = np.broadcast_arrays(n, [3], lines)
    assert answer.shape == expected_lines.shape
    assert (answer["ni"] == expected_n).all() and (answer["nk"] == expected_nk).all()
    assert (answer["cache_bytes"] == 64 * expected_lines).all()
    for at in np.ndindex(answer.shape):
        one = gemm.query(ni=int(expected_n[at]), nj=7, nk=3, cache=int(64 * expected_lines[at]))
        assert isinstance(one, symloc.Misses)
        assert (answer.accesses[at], answer.first_touches[at], answer.misses[at]) == (
            one.accesses,
            one.first_touches,
            one.misses,
        )


def test_answers_that_fit_into_no_memory(gemm: Model) -> None:
    many = np.broadcast_to(np.int64(1024), (10**13,))
    with pytest.raises(MemoryError):
        gemm.query(ni=np.arange(1, 10**6)[:, None], nj=1, nk=1, cache=64 * np.arange(1, 10**7))
    with pytest.raises(MemoryError):
        gemm.query(ni=1, nj=1, nk=1, cache=many)


def test_empty_arrays(gemm: Model) -> None:
    nothing = gemm.query(ni=[], nj=1, nk=1, cache="1KiB")
    assert nothing.shape == (0,) and nothing.misses.tolist() == [] and len(nothing) == 0


def test_damaged_models_are_refused_or_answer(gemm: Model) -> None:
    text, rng = gemm.to_json(), random.Random(3)
    for _ in range(300):
        at = rng.randrange(len(text))
        damaged = rng.choice(
            [text[:at], text[:at] + rng.choice('{}[]",:0189-x') + text[at + 1 :], text[:at] + text[at + 9 :]]
        )
        try:
            model = Model.parse(damaged)
            model.query(GEMM, cache="1KiB")
            model.query({name: [5, 6] for name in model.parameters}, cache="1KiB")
        except SymlocError:
            pass
