"""Orders and tiles through the program symloc, where it is built."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from conftest import REPOSITORY, built
from symloc import SymlocError, strategies

CACHES = ["1KiB,full", "4KiB,full"]
SIZES = {"ni": 30, "nj": 34, "nk": 26}


@pytest.fixture(autouse=True)
def _program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMLOC", os.environ.get("SYMLOC") or built("symloc"))


def simulated(path: Path) -> tuple[int, ...]:
    """The misses of a file, as `simulate` counts them."""
    arguments = [*(f"-D{name}={size}" for name, size in SIZES.items()), *(f"--cache={cache}" for cache in CACHES)]
    command = [os.environ["SYMLOC"], "simulate", str(path), "--json", *arguments]
    answer = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return tuple(level["misses"] for level in answer["levels"])


def test_orders_of_files_and_texts() -> None:
    path = REPOSITORY / "polybench" / "gemm.mlir"
    with strategies.Asker() as ask:
        asked = [ask.orders(source, sizes=SIZES, caches=CACHES) for source in [path, str(path), path.read_text()]]
        assert asked[0] == asked[1] == asked[2]
        (nest,) = asked[0]
        assert nest.complete and len(nest.orders) == 14 and not nest.refused
        weights = [strategies.weight(order.misses) for order in nest.orders]
        assert weights == sorted(weights) and nest.orders[0] == nest.written and weights[-1] > 4 * weights[0]
        assert nest.written.misses == simulated(path) and nest.written.exact


def test_errors_do_not_end_the_process() -> None:
    path = REPOSITORY / "polybench" / "gemm.mlir"
    with strategies.Asker() as ask:
        with pytest.raises(SymlocError, match="no value for the parameter nj"):
            ask.orders(path, sizes={"ni": 4}, caches=CACHES)
        with pytest.raises(SymlocError, match=r"text.mlir:2:"):
            ask.orders("func.func @f() {\n  affine.fro\n}", caches=CACHES)
        assert ask.orders(path, sizes=SIZES, caches=CACHES)
    with pytest.raises((SymlocError, ValueError)):
        ask.orders(path, sizes=SIZES, caches=CACHES)


def test_tilings_are_better_and_legal(tmp_path: Path) -> None:
    path = REPOSITORY / "polybench" / "gemm.mlir"
    with strategies.Asker() as ask:
        (nest,) = ask.orders(path, sizes=SIZES, caches=CACHES)
        (tiling,) = strategies.tilings(ask, path, sizes=SIZES, caches=CACHES)
    assert tiling.tiles and tiling.line == nest.line
    assert strategies.weight(tiling.misses) < strategies.weight(nest.orders[0].misses)
    new = tmp_path / "tiled.mlir"
    sizes = [f"-D{name}={size}" for name, size in SIZES.items()]
    command = [os.environ["SYMLOC"], "advise", str(path), "--order", tiling.order, "--cache", CACHES[0], "-o", str(new)]
    subprocess.run([*command, *sizes], capture_output=True, check=True)
    assert simulated(new) == tiling.misses


def test_each_nest_has_a_tiling() -> None:
    with strategies.Asker() as ask:
        path = REPOSITORY / "polybench" / "2mm.mlir"
        sizes = {"ni": 20, "nj": 18, "nk": 22, "nl": 24}
        tilings = strategies.tilings(ask, path, sizes=sizes, caches=["1KiB,full"], tiles=[4, 8], starts=1)
        nests = ask.orders(path, sizes=sizes, caches=["1KiB,full"])
    assert [tiling.line for tiling in tilings] == [nest.line for nest in nests]
    for tiling, nest in zip(tilings, nests, strict=True):
        assert strategies.weight(tiling.misses) <= strategies.weight(nest.orders[0].misses)
