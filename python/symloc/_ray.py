"""Ray as an executor."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class RayExecutor(Executor):
    """Runs tasks on a cluster of Ray, which has to be installed.

    Ray starts a task again whose worker has died, up to `retries` times.

    >>> import ray  # doctest: +SKIP
    >>> ray.init()  # doctest: +SKIP
    >>> symloc.sweep(models, range(8, 1000), ["32KiB"], "answers", executor=RayExecutor())  # doctest: +SKIP
    """

    def __init__(self, *, retries: int = 3, **options: Any) -> None:
        import ray

        def call(work: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
            return work(*arguments, **named)

        self._call = ray.remote(max_retries=retries, **options)(call)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Starts a task."""
        future: Future[Any] = self._call.remote(fn, args, kwargs).future()
        return future
