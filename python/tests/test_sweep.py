"""Sweeps on one machine and on local clusters give the same tables, and go on where they were stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import symloc
from conftest import REPOSITORY, built, example
from symloc import Model, SymlocError

pyarrow = pytest.importorskip("pyarrow")

SIZES = range(10, 410)
CACHES = ["1KiB", "4KiB", "32KiB", "1MiB", 640]


def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as executor:
        yield executor


def ray() -> Iterator[Executor]:
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield symloc.RayExecutor()
    ray.shutdown()


def dask() -> Iterator[Executor]:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


@pytest.fixture(params=[threads, processes, ray, dask])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    yield from request.param()


def rows(result: symloc.SweepResult) -> Any:
    names = [("function", "ascending"), ("ni", "ascending"), ("cache_bytes", "ascending")]
    return result.dataset().to_table().sort_by(names)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return rows(symloc.sweep(example("gemm"), SIZES, CACHES, tmp_path_factory.mktemp("alone")))


def test_executors_give_the_same_table(executor: Executor, expected: Any, tmp_path: Path) -> None:
    result = symloc.sweep([example("gemm")], SIZES, CACHES, tmp_path, executor=executor, rows=300)
    assert result.rows == len(SIZES) * len(CACHES) and len(result.parts) == 7 and not result.failures
    assert rows(result).equals(expected)


def test_the_table_is_that_of_queries(expected: Any) -> None:
    model = Model.load(example("gemm"))
    n = np.array(SIZES)[:, None]
    caches = sorted([1024, 4096, 32768, 2**20, 640])
    found = expected["misses"].to_numpy().reshape(len(SIZES), len(caches))
    assert (found == model.query(ni=n, nj=n, nk=n, cache=np.array(caches)).misses).all()


def test_what_is_there_is_not_asked_again(tmp_path: Path) -> None:
    first = symloc.sweep(example("gemm"), SIZES, CACHES, tmp_path, rows=300)
    times = {part.path: part.path.stat().st_mtime_ns for part in first.parts}
    first.parts[3].path.unlink()
    again = symloc.sweep(example("gemm"), SIZES, CACHES, tmp_path, rows=300)
    assert [part.path for part in again.parts] == [part.path for part in first.parts]
    changed = [part.path for part in again.parts if part.path.stat().st_mtime_ns != times[part.path]]
    assert changed == [first.parts[3].path]
    assert len(list(tmp_path.iterdir())) == len(again.parts)


def test_what_a_model_refuses_is_a_part_with_its_error(tmp_path: Path) -> None:
    models = [example("gemm"), REPOSITORY / "tests" / "models" / "matmul.loc.json"]
    result = symloc.sweep(models, [64, 65], ["4KiB"], tmp_path, rows=1)
    assert [part.error is None for part in result.parts] == [True, True, True, False]
    [failure] = result.failures
    assert failure.error is not None and "outside the model's context" in failure.error
    assert result.rows == 3
    with pytest.raises(SymlocError):
        symloc.sweep(["no/such/model.json"], [64], ["4KiB"], tmp_path)


def test_columns_and_functions_of_models(tmp_path: Path) -> None:
    columns = {"ni": [10, 20], "nj": 30, "nk": [5, 6]}
    given = symloc.sweep(example("gemm"), columns, 4096, tmp_path / "a")
    computed = symloc.sweep(
        example("gemm"), lambda model: {name: columns[name] for name in model.parameters}, "4KiB", tmp_path / "b"
    )
    assert rows(given).equals(rows(computed)) and given.rows == 2


def test_large_numbers(tmp_path: Path) -> None:
    result = symloc.sweep(example("gemm"), [10, 10**7], ["4KiB"], tmp_path)
    assert result.dataset().to_table()["accesses"].to_pylist() == [4200, 4 * 10**21 + 2 * 10**14]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_a_sweep_goes_on_after_it_was_killed(expected: Any, tmp_path: Path) -> None:
    script = f"""
import symloc
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(1) as one:
    symloc.sweep({str(example("gemm"))!r}, {SIZES!r}, {CACHES!r}, {str(tmp_path)!r}, executor=one, rows=5)
"""
    running = subprocess.Popen([sys.executable, "-c", script])
    while running.poll() is None and len(list(tmp_path.glob("*.parquet"))) < 3:
        time.sleep(0.01)
    running.kill()
    running.wait()
    before = len(list(tmp_path.glob("*.parquet")))
    result = symloc.sweep(example("gemm"), SIZES, CACHES, tmp_path, rows=5)
    assert 3 <= before <= len(result.parts) == 400
    assert rows(result).equals(expected)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
@pytest.mark.parametrize("cluster", [ray, dask])
def test_a_worker_that_is_killed_is_no_loss(cluster: Any, expected: Any, tmp_path: Path) -> None:
    mark = str(tmp_path / "killed")

    # Within the test, since the module is not to be had where workers are.
    def kill_once() -> str:
        """Kills the process that runs this, the first time."""
        if not os.path.exists(mark):
            with open(mark, "w", encoding="utf-8"):
                pass
            os.kill(os.getpid(), signal.SIGKILL)
        return "alive"

    for executor in cluster():
        killed = executor.submit(kill_once)
        result = symloc.sweep(example("gemm"), SIZES, CACHES, tmp_path / "answers", executor=executor, rows=100)
        assert killed.result() == "alive" and os.path.exists(mark)
        assert rows(result).equals(expected)


def test_a_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMLOC", os.environ.get("SYMLOC") or built("symloc"))
    broken = tmp_path / "broken.mlir"
    broken.write_text("func.func @broken(")
    kernels = [REPOSITORY / "polybench" / f"{name}.mlir" for name in ["atax", "mvt", "trisolv"]]
    sources = [*kernels, broken, tmp_path / "missing.mlir"]
    first = symloc.derive_all(sources, tmp_path / "models", exact=True)
    assert [derived.error is None for derived in first] == [True, True, True, False, False]
    assert first[3].error is not None and "broken.mlir:1:" in first[3].error
    store = tmp_path / "models" / "store"
    kept = {path: path.stat().st_mtime_ns for path in store.iterdir()}
    again = symloc.derive_all(sources, tmp_path / "models", exact=True)
    assert len(kept) == 3 and {path: path.stat().st_mtime_ns for path in store.iterdir()} == kept
    models = [derived.path for derived in again if derived.path]
    result = symloc.sweep(models, range(8, 40), ["1KiB", "4KiB"], tmp_path / "answers")
    assert result.rows == 3 * 32 * 2 and set(result.dataset().to_table()["function"].to_pylist()) == {
        "kernel_atax",
        "kernel_mvt",
        "kernel_trisolv",
    }
