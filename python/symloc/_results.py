"""Answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from . import _symloc


@dataclass(frozen=True)
class Misses:
    """The misses in one cache at one size.

    >>> Misses(accesses=8, first_touches=1, misses=2).ratio
    Fraction(1, 4)
    """

    accesses: int
    """How many accesses there are."""
    first_touches: int
    """How many of them touch a block for the first time, and miss in every cache."""
    misses: int
    """How many of them miss."""
    model: str = "lru"
    """Where they come from: "lru", "denning", "sampled", or "simulation" where the run is short enough for all of it."""
    interval: tuple[int, int] | None = None
    """Of misses that were sampled, what holds them 95 times in 100."""
    misses_by_thread: tuple[int, ...] = field(default=(), repr=False)
    """With threads, those of each by itself; `misses` is their sum."""
    coherence_misses: int | None = field(default=None, repr=False)
    """With threads, the further misses on lines that another thread has written since, where they are known."""
    falsely_shared_lines: Mapping[str, int] | None = field(default=None, repr=False)
    """With threads, the lines that several use between two barriers and one of them writes, by array, where they are known."""

    @property
    def hits(self) -> int:
        """How many accesses hit."""
        return self.accesses - self.misses

    @property
    def ratio(self) -> Fraction:
        """The miss ratio."""
        return Fraction(self.misses, self.accesses) if self.accesses else Fraction(0)

    @classmethod
    def _of(cls, answer: dict[str, Any]) -> Misses:
        level = answer["levels"][0]
        interval = (level["low"], level["high"]) if "low" in level else None
        return cls(
            answer["accesses"],
            answer["first_touches"],
            level["misses"],
            answer["model"],
            interval,
            tuple(level.get("misses_by_thread", ())),
            level.get("coherence_misses"),
            answer.get("falsely_shared_lines"),
        )


class Sweep:
    """The misses at many sizes in many caches, as arrays of one shape and as a table with a row for each.

    The table is an Arrow stream, which pandas (`pandas.DataFrame.from_arrow`), Polars (`polars.DataFrame(sweep)`), PyArrow
    (`pyarrow.table(sweep)`) and DuckDB read without a copy of numbers into objects.
    """

    def __init__(self, columns: _symloc.Columns, shape: tuple[int, ...]) -> None:
        self._columns = columns
        self.shape = shape

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns: the sizes, the cache, accesses, first_touches, misses."""
        return tuple(self._columns.names)

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        return self._columns.column(name).reshape(self.shape)

    @property
    def accesses(self) -> np.ndarray[Any, Any]:
        """How many accesses there are."""
        return self["accesses"]

    @property
    def first_touches(self) -> np.ndarray[Any, Any]:
        """How many of them touch a block for the first time."""
        return self["first_touches"]

    @property
    def misses(self) -> np.ndarray[Any, Any]:
        """How many of them miss. Integers of Python where 64 bits do not hold all."""
        return self["misses"]

    @property
    def ratio(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """The miss ratios, rounded as floating-point numbers are."""
        return np.asarray(self.misses / np.maximum(self.accesses, 1), dtype=np.float64)

    def __len__(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    def __reduce__(self) -> tuple[Any, ...]:
        return _sweep, (self.names, [self._columns.column(name) for name in self.names], self.shape)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._columns.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<symloc.Sweep of {' x '.join(map(str, self.shape))}: {', '.join(self.names)}>"


def _sweep(names: tuple[str, ...], arrays: list[np.ndarray[Any, Any]], shape: tuple[int, ...]) -> Sweep:
    return Sweep(_symloc.Columns.of(list(names), arrays), shape)


@dataclass(frozen=True)
class Histogram:
    """How often each reuse interval or distance occurs at a size."""

    accesses: int
    """How many accesses there are."""
    first_touches: int
    """How many of them touch a block for the first time."""
    reuses: dict[int, int] = field(repr=False)
    """By interval or distance, ascending: how many reuses have it."""
    imaginary: dict[int, int] = field(repr=False)
    """The same for first touches, whose interval reaches into the run before; of distances there are none."""

    @classmethod
    def _of(cls, answer: dict[str, Any]) -> Histogram:
        reuses = dict(answer["real"] if "real" in answer else answer["distance"])
        return cls(answer["accesses"], answer["blocks"], reuses, dict(answer.get("imaginary", [])))


@dataclass(frozen=True)
class Curve:
    """The misses of all caches at a size: from so many lines on, so many misses."""

    accesses: int
    """How many accesses there are."""
    lines: tuple[int, ...] = field(repr=False)
    """Where the misses change, ascending from 0."""
    misses: tuple[int, ...] = field(repr=False)
    """The misses from there on."""
    line_bytes: int | None
    """Bytes per line, if lines have a size."""
    _svg: Callable[[], str] = field(repr=False, compare=False)

    @classmethod
    def _of(cls, answer: dict[str, Any], svg: Callable[[], str]) -> Curve:
        lines, misses = zip(*answer["steps"])
        return cls(answer["accesses"], lines, misses, answer["line_bytes"], svg)

    @property
    def ratios(self) -> tuple[Fraction, ...]:
        """The miss ratios."""
        return tuple(Fraction(misses, self.accesses) if self.accesses else Fraction(0) for misses in self.misses)

    def __call__(self, lines: int) -> int:
        """The misses of a cache of so many lines."""
        if lines < 0:
            raise _symloc.SymlocError(f"a cache of {lines} lines")
        return self.misses[int(np.searchsorted(np.asarray(self.lines, dtype=object), lines, side="right")) - 1]

    def to_svg(self) -> str:
        """The picture of `symloc curve --svg`."""
        return self._svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True)
class Attribution:
    """Whose misses they are."""

    what: str
    """What a row is: "access", "array" or "nest"."""
    accesses: int
    """How many accesses there are."""
    misses: int
    """How many of them miss."""
    rows: tuple[dict[str, Any], ...] = field(repr=False)
    """What each row is about, its accesses, first_touches, misses and bytes read."""

    @classmethod
    def _of(cls, what: str, answer: dict[str, Any]) -> Attribution:
        def row(values: dict[str, Any]) -> dict[str, Any]:
            level = values.pop("levels")[0]
            return {**values, "misses": level["misses"], "bytes": level.get("bytes")}

        rows = tuple(row(values) for values in answer["rows"])
        return cls(what, answer["accesses"], answer["levels"][0]["misses"], rows)


class Formulas:
    """Rows of formulas, in every form that the command line has."""

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask

    @property
    def data(self) -> dict[str, Any]:
        """All of it, formulas as text."""
        answer: dict[str, Any] = json.loads(self._ask("json"))
        return answer

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, formulas as text; of a formula in the cache size its cases."""
        data = self.data
        tables = data["formulas"] if "formulas" in data else data.get("tables", [data])
        return [row for table in tables for row in table["cases" if "cases" in table else "rows"]]

    def to_markdown(self) -> str:
        """As a table in Markdown."""
        return self._ask("markdown")

    def to_latex(self) -> str:
        """As LaTeX."""
        return self._ask("latex")

    def to_html(self) -> str:
        """As a page with typeset formulas."""
        return self._ask("html")

    def sympy(self) -> dict[str, list[dict[str, Any]]]:
        """The rows with formulas as SymPy expressions; needs SymPy.

        >>> import symloc
        >>> tables = symloc.Model.load(example("gemm")).scaling().sympy()
        >>> [str(row["cache_from"]) for row in next(iter(tables.values()))][:3]
        ['1', '3', 'nj/4']
        """
        names: dict[str, Any] = {}
        exec(self._ask("sympy"), names)  # noqa: S102  What is executed was written by this library.
        return {name: value for name, value in names.items() if isinstance(value, list)}

    def __str__(self) -> str:
        return self._ask("text")

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.to_html()

    def _repr_latex_(self) -> str:
        return self.to_latex()

    def _repr_markdown_(self) -> str:
        return self.to_markdown()
