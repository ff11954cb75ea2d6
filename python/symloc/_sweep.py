"""Corpora and grids: many models, and more questions than fit into memory.

Work is cut into tasks for any `concurrent.futures.Executor`: threads, processes, Dask (`Client.get_executor()`) or Ray
(:class:`symloc.RayExecutor`). What a task has done is a file, put into place when it is complete; a sweep that is run again goes on
where it was stopped.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ._derive import derive
from ._model import Model
from ._symloc import SymlocError

T = TypeVar("T")

WAITING = 64
"""How many tasks an executor holds at a time, beyond those that are done."""


@dataclass(frozen=True)
class Derived:
    """A source and its model, or why there is none."""

    source: str
    path: Path | None
    error: str | None
    seconds: float


@dataclass(frozen=True)
class Part:
    """A part of a sweep: rows of one model in one file, or why there are none."""

    function: str
    path: Path
    rows: int
    error: str | None
    seconds: float


@dataclass(frozen=True)
class SweepResult:
    """A sweep in Parquet files."""

    folder: Path
    parts: tuple[Part, ...] = field(repr=False)

    @property
    def rows(self) -> int:
        """How many questions were answered."""
        return sum(part.rows for part in self.parts if part.error is None)

    @property
    def failures(self) -> tuple[Part, ...]:
        """The parts without an answer."""
        return tuple(part for part in self.parts if part.error is not None)

    def dataset(self) -> Any:
        """All rows as a dataset of PyArrow, which reads them as they are needed."""
        import pyarrow.dataset

        return pyarrow.dataset.dataset([str(part.path) for part in self.parts if part.error is None])


def derive_all(
    sources: Iterable[str | os.PathLike[str]],
    folder: str | os.PathLike[str],
    *,
    executor: Executor | None = None,
    exact: bool = False,
    options: Sequence[str] = (),
    timeout: float | None = None,
) -> list[Derived]:
    """Derives a corpus. Models go to a folder, by the names of their sources.

    What was derived before, with the same options, is found in the folder's store and not derived again. A source that is refused,
    or that takes longer than `timeout` seconds, is an entry with its error.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    chosen = {"exact": exact, "options": ["--cache-dir", str(folder / "store"), *options], "timeout": timeout}
    tasks = [(str(source), folder / f"{Path(source).name}.loc.json", chosen) for source in sources]
    return _run(_derive_one, tasks, executor)


def sweep(
    models: Model | str | os.PathLike[str] | Iterable[Model | str | os.PathLike[str]],
    sizes: Any,
    caches: Any,
    folder: str | os.PathLike[str],
    *,
    executor: Executor | None = None,
    model: str | None = None,
    line_bytes: int | None = None,
    rows: int = 1_000_000,
) -> SweepResult:
    """Asks each model about each size in each cache, and writes the answers as Parquet files into a folder.

    `sizes` are columns by the names of the parameters, as for :meth:`Model.query`; or numbers, each of which is the value of all
    parameters; or a function from a model to its columns. `caches` are in bytes, or text. A file has `rows` rows at most, and a worker
    holds one at a time. Files that are there already are not written again. What a model refuses is a part with its error.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    named = [models] if isinstance(models, (Model, str, os.PathLike)) else list(models)
    held = [one if isinstance(one, Model) else Model.load(one) for one in named]
    asked = [caches] if isinstance(caches, (str, int)) else list(caches)
    how = {"model": model, "line_bytes": line_bytes}
    tasks = [task for one in held for task in _tasks(one, sizes, asked, folder, rows, how)]
    return SweepResult(folder, tuple(_run(_answer, tasks, executor)))


def _run(work: Callable[[T], Any], tasks: Iterable[T], executor: Executor | None) -> list[Any]:
    """The results of all tasks, in their order; so many at a time that no executor drowns."""
    if executor is None:
        with ThreadPoolExecutor(os.cpu_count()) as own:
            return _run(work, tasks, own)
    results: dict[int, Any] = {}
    running: dict[Future[Any], int] = {}
    for index, task in enumerate(tasks):
        running[executor.submit(work, task)] = index
        while len(running) >= WAITING:
            _collect(running, results)
    while running:
        _collect(running, results)
    return [results[index] for index in sorted(results)]


def _collect(running: dict[Future[Any], int], results: dict[int, Any]) -> None:
    done, _ = wait(running, return_when=FIRST_COMPLETED)
    for future in done:
        results[running.pop(future)] = future.result()


def _derive_one(task: tuple[str, Path, dict[str, Any]]) -> Derived:
    source, path, chosen = task
    begun = time.monotonic()
    try:
        _put(path, lambda new: derive(Path(source), **chosen).save(new))
        return Derived(source, path, None, time.monotonic() - begun)
    except SymlocError as error:
        return Derived(source, None, str(error), time.monotonic() - begun)


def _tasks(
    model: Model, sizes: Any, caches: list[Any], folder: Path, rows: int, how: dict[str, Any]
) -> Iterator[tuple[str, dict[str, Any], list[Any], Path, dict[str, Any]]]:
    """Parts of at most so many rows; their files are named by what is in them."""
    text = model.to_json()
    columns = _columns(model, sizes)
    count, step = len(next(iter(columns.values()))), max(1, rows // max(1, len(caches)))
    for first in range(0, count, step):
        part = {name: column[first : first + step] for name, column in columns.items()}
        digest = hashlib.sha256(repr((text, caches, how, sorted(part))).encode())
        for name in sorted(part):
            digest.update(part[name].tobytes())
        path = folder / f"{model.function}-{first:012}-{digest.hexdigest()[:16]}.parquet"
        yield text, part, caches, path, how


def _columns(model: Model, sizes: Any) -> dict[str, np.ndarray[Any, Any]]:
    columns = sizes(model) if callable(sizes) else sizes
    if not isinstance(columns, Mapping):
        columns = dict.fromkeys(model.parameters, columns)
    arrays = np.broadcast_arrays(*(np.atleast_1d(column) for column in columns.values()))
    return {name: array.reshape(-1) for name, array in zip(columns, arrays)}


def _answer(task: tuple[str, dict[str, Any], list[Any], Path, dict[str, Any]]) -> Part:
    text, columns, caches, path, how = task
    begun = time.monotonic()
    rows = len(next(iter(columns.values()))) * len(caches)
    model = Model.parse(text)
    try:
        if not path.exists():
            answer = model.query({name: column[:, None] for name, column in columns.items()}, cache=caches, **how)
            _put(path, lambda new: _write(answer, model.function, new))
        return Part(model.function, path, rows, None, time.monotonic() - begun)
    except SymlocError as error:
        return Part(model.function, path, rows, str(error), time.monotonic() - begun)


def _write(answer: Any, function: str, path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table(answer)
    names = pyarrow.repeat(function, table.num_rows)
    pyarrow.parquet.write_table(table.add_column(0, "function", names), path)


def _put(path: Path, write: Callable[[Path], None]) -> None:
    """Writes a file elsewhere and moves it into place."""
    new = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        write(new)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
