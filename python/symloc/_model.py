"""Models, and questions to them.

A question is one to the command line, asked in this process: its answers, its numbers and its messages are the same. Only arrays of
questions take a way of their own, past text.
"""

from __future__ import annotations

import json
import operator
import os
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from . import _symloc
from ._results import Attribution, Curve, Formulas, Histogram, Misses, Sweep
from ._symloc import SymlocError


class Assumption(NamedTuple):
    """What a model takes for granted."""

    kind: str
    """What sort of thing, such as "no_overlap" or "padding"."""
    text: str
    """What exactly."""
    file: str
    """The file that it is about."""
    line: int | None
    """The line in it, from 1; None if it is about no place."""
    column: int | None
    """The column, likewise."""


class Model:
    """The locality of one function, for all sizes in its :attr:`context`.

    >>> model = Model.load(example("gemm"))
    >>> model
    <symloc.Model kernel_gemm(ni, nj, nk), exact LRU>
    >>> print(model.context)
    ni >= 1 and nj >= 1 and nk >= 1
    """

    def __init__(self, held: _symloc.Model) -> None:
        self._held = held

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file; "-" is standard input."""
        return cls(_symloc.Model.load(os.fspath(path)))

    @classmethod
    def parse(cls, text: str | bytes) -> Model:
        """Reads the text of a model file."""
        return cls(_symloc.Model.parse(text.decode() if isinstance(text, bytes) else text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_json())

    def to_json(self) -> str:
        """The text of the model file."""
        return self._held.to_json()

    @property
    def function(self) -> str:
        """The function that it is about."""
        return self._held.function

    @property
    def source(self) -> str:
        """The file that it was derived from."""
        return self._held.source

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the sizes."""
        return tuple(self._held.parameters)

    @property
    def context(self) -> str:
        """For which sizes it holds."""
        return self._held.context

    @property
    def line_bytes(self) -> tuple[int | None, ...]:
        """Bytes per line, one for each line size that it holds; None where lines are elements or symbolic."""
        return tuple(self._held.line_bytes)

    @property
    def exact(self) -> bool:
        """Does it hold reuse distances, so that its misses are those of LRU?"""
        return self._held.exact

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was left out or taken for granted when the source was read; belongs to every answer."""
        return tuple(self._held.remarks)

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """Everything that was taken for granted, with its place."""
        return tuple(Assumption(*assumption) for assumption in self._held.assumptions)

    def query(
        self,
        sizes: Mapping[str, Any] | None = None,
        /,
        *,
        cache: Any,
        model: str | None = None,
        line_bytes: int | None = None,
        threads: int | None = None,
        **more: Any,
    ) -> Misses | Sweep:
        """The misses in a cache.

        Sizes are given by name, or as a mapping; a cache as text ("32KiB", "512lines", "32KiB,8" with its ways) or in bytes.
        Where all are single ones the answer is a :class:`Misses`; where any is an array or a list they are broadcast
        against each other as NumPy does, and the answer is a :class:`Sweep`.

        >>> model = Model.load(example("gemm"))
        >>> model.query(ni=100, nj=100, nk=100, cache="4KiB").misses
        132600
        >>> model.query({"ni": 100, "nj": 100, "nk": 100}, cache="4KiB", model="denning").misses
        132600

        `model` is how misses are predicted: "lru", which is exact and the default where the model holds reuse distances, or "denning";
        "sampled" for caches as they are built, which is the default where a cache has ways.

        With `threads` the misses are those of so many threads, each with a cache of its own; the model is one that was derived with
        `--parallel`.
        """
        values = self._sizes(sizes, more)
        if threads is not None:
            options = ["--cache", _cache_text(cache), "--threads", str(threads), "--format", "json"]
            return Misses._of(self._answer("query", values, model, line_bytes, options))
        if all(_is_single(value) for value in values.values()) and _is_single(cache):
            answer = self._answer(
                "query", values, model, line_bytes, ["--cache", _cache_text(cache), "--format", "json"]
            )
            return Misses._of(answer)
        return self._sweep(values, cache, model, line_bytes)

    def by(
        self,
        what: str,
        sizes: Mapping[str, Any] | None = None,
        /,
        *,
        cache: Any,
        model: str | None = None,
        line_bytes: int | None = None,
        **more: Any,
    ) -> Attribution:
        """Whose misses they are: those of each "access", "array" or "nest".

        >>> rows = Model.load(example("gemm")).by("array", ni=100, nj=100, nk=100, cache="4KiB").rows
        >>> [(row["array"], row["misses"]) for row in rows]
        [('C', 1300), ('A', 1300), ('B', 130000)]
        """
        caches = ["--cache", _cache_text(cache), "--by", what, "--format", "json"]
        return Attribution._of(what, self._answer("query", self._sizes(sizes, more), model, line_bytes, caches))

    def histogram(
        self,
        sizes: Mapping[str, Any] | None = None,
        /,
        *,
        distances: bool = False,
        line_bytes: int | None = None,
        **more: Any,
    ) -> Histogram:
        """How often each reuse interval occurs, or each reuse distance.

        >>> Model.load(example("gemm")).histogram(ni=8, nj=8, nk=8).reuses
        {1: 632, 3: 512, 4: 952, 244: 56}
        """
        options = ["--json", *(["--distance"] if distances else [])]
        return Histogram._of(self._answer("histogram", self._sizes(sizes, more), None, line_bytes, options))

    def curve(
        self,
        sizes: Mapping[str, Any] | None = None,
        /,
        *,
        model: str | None = None,
        line_bytes: int | None = None,
        **more: Any,
    ) -> Curve:
        """The misses of all caches at a size, step by step.

        >>> curve = Model.load(example("gemm")).curve(ni=30, nj=30, nk=30)
        >>> curve.lines[:4], curve.misses[:4]
        ((0, 1, 3, 6), (109800, 81120, 7440, 7410))
        """
        arguments = self._arguments(self._sizes(sizes, more), model, line_bytes)
        svg = partial(self._text, "curve", [*arguments, "--svg", "-"])
        return Curve._of(self._ask("curve", [*arguments, "--json"]), svg)

    def table(self, *, by: str | None = None, model: str | None = None, line_bytes: int | None = None) -> Formulas:
        """The locality table: reuse intervals, miss ratios and cache sizes as formulas."""
        return self._formulas("table", [*_option("--by", by), *_option("--model", model)], line_bytes)

    def scaling(self, *, model: str | None = None, line_bytes: int | None = None) -> Formulas:
        """Which caches matter, and what the miss ratio is between them.

        >>> rows = Model.load(example("gemm")).scaling().rows
        >>> [(row["cache_from"], row["miss_ratio_after"]) for row in rows][:3]
        [('1', '3/4'), ('3', '1/16'), ('nj/4', '1/32')]
        """
        return self._formulas("scaling", _option("--model", model), line_bytes)

    def formula(self, *, model: str | None = None, line_bytes: int | None = None) -> Formulas:
        """The number of misses as a formula in the sizes and the cache size."""
        return self._formulas("formula", _option("--model", model), line_bytes)

    def explain(
        self,
        sizes: Mapping[str, Any] | None = None,
        /,
        *,
        cache: Any,
        line_bytes: int | None = None,
        **more: Any,
    ) -> str:
        """In sentences: which accesses miss in a cache, why, and which caches and sizes would change that."""
        arguments = self._arguments(self._sizes(sizes, more), None, line_bytes)
        return self._text("explain", [*arguments, "--cache", _cache_text(cache)])

    def ask(self, *arguments: str) -> str:
        """What the command line answers: `ask("query", "-D", "n=100", "--cache", "4KiB")`, without a model file."""
        command, *options = arguments or [""]
        return self._text(command, options)

    def __repr__(self) -> str:
        how = "exact LRU" if self.exact else "Denning's working sets"
        return f"<symloc.Model {self.function}({', '.join(self.parameters)}), {how}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Model) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.parse, (self.to_json(),)

    def _repr_html_(self) -> str:
        return self.scaling()._repr_html_()

    def _repr_latex_(self) -> str:
        return self.scaling()._repr_latex_()

    def _sizes(self, sizes: Mapping[str, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
        values = dict(sizes or {})
        twice = values.keys() & more.keys()
        if twice:
            raise SymlocError(f"{min(twice)} is given twice")
        values.update(more)
        return values

    def _arguments(self, values: Mapping[str, Any], model: str | None, line_bytes: int | None) -> list[str]:
        sizes = [text for name, value in values.items() for text in ("-D", f"{name}={_integer(name, value)}")]
        return [*sizes, *_option("--model", model), *_option("--line-bytes", line_bytes)]

    def _answer(
        self, command: str, values: Mapping[str, Any], model: str | None, line_bytes: int | None, options: list[str]
    ) -> dict[str, Any]:
        return self._ask(command, [*self._arguments(values, model, line_bytes), *options])

    def _ask(self, command: str, options: list[str]) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._text(command, options))
        return answer

    def _text(self, command: str, options: list[str]) -> str:
        return self._held.ask([command, "-", *options])

    def _formulas(self, command: str, options: list[str], line_bytes: int | None) -> Formulas:
        options = [*options, *_option("--line-bytes", line_bytes)]
        return Formulas(partial(self._form, command, options))

    def _form(self, command: str, options: list[str], form: str) -> str:
        return self._text(command, [*options, "--format", form])

    def _sweep(self, values: Mapping[str, Any], cache: Any, model: str | None, line_bytes: int | None) -> Sweep:
        caches, in_bytes = _caches(cache)
        names = list(values)
        columns = np.broadcast_arrays(*(_integers(name, value) for name, value in values.items()))
        shape = np.broadcast_shapes(*(column.shape for column in columns), caches.shape)
        flat = [np.ascontiguousarray(column) for column in columns]
        caches = np.ascontiguousarray(caches)
        return Sweep(self._held.sweep(names, flat, caches, shape, in_bytes, model, line_bytes), shape)


def _option(name: str, value: object) -> list[str]:
    return [] if value is None else [name, str(value)]


def _is_single(value: object) -> bool:
    return isinstance(value, str) or np.ndim(value) == 0  # type: ignore[arg-type]


def _integer(name: str, value: object) -> int:
    if isinstance(value, (bool, np.bool_)):
        raise SymlocError(f"{name} is {value}, not an integer")
    try:
        return operator.index(value.item() if isinstance(value, np.ndarray) else value)  # type: ignore[arg-type]
    except TypeError:
        raise SymlocError(f"{name} is {value!r}, not an integer") from None


def _integers(name: str, value: object) -> np.ndarray[Any, np.dtype[np.int64]]:
    array = np.asarray(value)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind == "i" or array.dtype.kind == "u" and array.max() <= np.iinfo(np.int64).max:
        return array.astype(np.int64)
    if array.dtype.kind == "O":
        try:
            return np.array([_integer(name, one) for one in array.reshape(-1)], dtype=np.int64).reshape(array.shape)
        except OverflowError:
            pass
    kinds = "64-bit integers"
    raise SymlocError(f"{name} is an array of {array.dtype}, not of {kinds}")


def _cache_text(cache: object) -> str:
    if isinstance(cache, str):
        if ".." in cache:
            raise SymlocError(f"`{cache}` is several caches; give a list of them, or ask for the curve")
        return cache
    size = _integer("cache", cache)
    if size < 0:
        raise SymlocError(f"a cache of {size} bytes")
    return f"{size}B"


def _caches(cache: object) -> tuple[np.ndarray[Any, np.dtype[np.int64]], bool]:
    """Caches as numbers, and whether these are bytes."""
    if isinstance(cache, str):
        number, in_bytes = _symloc.Model.cache_size(cache)
        return np.asarray(number, dtype=np.int64), in_bytes
    numbers = isinstance(cache, np.ndarray) and cache.dtype.kind in "iu"
    if not numbers and isinstance(cache, Iterable) and any(isinstance(one, str) for one in cache):
        sizes = [_symloc.Model.cache_size(_cache_text(one)) for one in cache]
        if len({in_bytes for _, in_bytes in sizes}) > 1:
            raise SymlocError("caches are in bytes or in lines, not in both")
        return _integers("cache", [number for number, _ in sizes]), sizes[0][1]
    return _integers("cache", cache), True
