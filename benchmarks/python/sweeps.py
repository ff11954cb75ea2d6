"""A sweep on one worker and on two: seconds, rows per second and memory, for each kind of worker.

`sweeps.py MODEL [--rows N] [--on threads|processes|ray|dask]`. All give the same rows, or this ends with an error.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pyarrow.compute
import symloc

CACHES = [64 * lines for lines in range(1, 101)]


@contextlib.contextmanager
def threads(workers: int) -> Iterator[Executor]:
    with ThreadPoolExecutor(workers) as executor:
        yield executor


@contextlib.contextmanager
def processes(workers: int) -> Iterator[Executor]:
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as executor:
        yield executor


@contextlib.contextmanager
def ray(workers: int) -> Iterator[Executor]:
    import ray

    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    yield symloc.RayExecutor()
    ray.shutdown()


@contextlib.contextmanager
def dask(workers: int) -> Iterator[Executor]:
    import distributed

    with (
        distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client.get_executor()


def measure(kind: str, workers: int, model: Path, rows: int, folder: Path) -> tuple[float, tuple[int, ...]]:
    """Seconds, workers already started; and what the rows add up to."""
    sizes = range(64, 64 + rows // len(CACHES))
    with KINDS[kind](workers) as executor:
        symloc.sweep(model, range(64, 64 + 4 * workers), CACHES, folder / "before", executor=executor, rows=len(CACHES))
        begun = time.perf_counter()
        result = symloc.sweep(model, sizes, CACHES, folder / "answers", executor=executor)
        seconds = time.perf_counter() - begun
    sums = [0] * 4
    for batch in result.dataset().to_batches():
        columns = [batch.num_rows, *(pyarrow.compute.sum(batch[name]).as_py() for name in ["accesses", "first_touches", "misses"])]
        sums = [total + int(one or 0) for total, one in zip(sums, columns)]
    shutil.rmtree(folder)
    return seconds, tuple(sums)


KINDS = {"threads": threads, "processes": processes, "ray": ray, "dask": dask}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("model", type=Path)
    options.add_argument("--rows", type=int, default=10_000_000)
    options.add_argument("--on", choices=KINDS, action="append")
    chosen = options.parse_args()
    expected = None
    print("workers    1, s    2, s  ratio  rows/s on 2")
    for kind in chosen.on or KINDS:
        seconds = []
        for workers in [1, 2]:
            folder = Path(tempfile.mkdtemp())
            time_taken, sums = measure(kind, workers, chosen.model, chosen.rows, folder)
            seconds.append(time_taken)
            if sums != (expected := expected or sums):
                raise SystemExit(f"{kind} on {workers}: {sums}, not {expected}")
        one, two = seconds
        print(f"{kind:9} {one:7.1f} {two:7.1f} {one / two:6.2f} {chosen.rows / two:12.3g}", flush=True)
    print(f"most memory in this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MiB")


if __name__ == "__main__":
    main()
