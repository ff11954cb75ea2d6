"""Orders of loops and tile sizes for schedule generators, by the misses that the program `symloc` counts.

>>> from symloc import strategies
>>> product = '''
... void product(int n, double a[n][n], double b[n][n], double c[n][n]) {
...   for (int i = 0; i < n; i++)
...     for (int j = 0; j < n; j++)
...       for (int k = 0; k < n; k++)
...         c[i][j] += a[i][k] * b[k][j];
... }
... '''
>>> with strategies.Asker() as ask:
...     (nest,) = ask.orders(product, language="c", sizes={"n": 60}, caches=["4KiB,full"])
...     (tiling,) = strategies.tilings(ask, product, language="c", sizes={"n": 60}, caches=["4KiB,full"])
>>> nest.orders[0].text, nest.written.text
('i, k, j', 'i, j, k')
>>> tiling.misses < nest.orders[0].misses
True

An :class:`Asker` is one process that answers many questions, each about all nests of a function at one size. `tilings` is a
strategy on top: it asks for the orders, and then varies the tiles of the best ones, one loop at a time.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from types import TracebackType
from typing import Any, final

from ._derive import program
from ._symloc import SymlocError

__all__ = ["Asker", "Nest", "Order", "Refused", "Statements", "Tiling", "tilings", "weight"]

TILES = (4, 8, 16, 32, 64, 128)
"""The sizes of tiles that are tried."""

ROUNDS = 3
"""How often each loop's tiles are varied, at most."""


@dataclass(frozen=True)
class Statements:
    """Statements next to each other in the same loops of an order."""

    lines: tuple[int, ...]
    loops: tuple[str, ...]
    """Outermost first; `i:32` is the loop over tiles of 32 iterations of `i`."""
    shared: int
    """How many outermost loops they share with the statements before them."""


@dataclass(frozen=True)
class Order:
    """A legal order of a nest's loops, with its misses by level."""

    text: str
    statements: tuple[Statements, ...]
    misses: tuple[int, ...]
    exact: bool
    """Whether the misses are counted, and not estimated from samples."""
    written: bool
    given: str | None


@dataclass(frozen=True)
class Refused:
    """An order that is not legal, and why."""

    text: str
    why: str
    given: str | None


@dataclass(frozen=True)
class Nest:
    """The orders of one nest, that with the fewest misses first."""

    line: int
    column: int
    orders: tuple[Order, ...]
    refused: tuple[Refused, ...]
    complete: bool
    """Whether these are all permutations of the loops."""

    @property
    def written(self) -> Order:
        """The order of the source."""
        return next(order for order in self.orders if order.written)


@dataclass(frozen=True)
class Tiling:
    """The loops of a nest's innermost statements in the best order that was found, with the sizes of their tiles."""

    line: int
    """Where the nest begins."""
    loops: tuple[str, ...]
    """Outermost first."""
    tiles: Mapping[str, int]
    """By loop, the iterations of a tile; loops that are not here are not tiled."""
    misses: tuple[int, ...]
    exact: bool

    @property
    def order(self) -> str:
        """As `symloc advise --order` takes it, which writes the source."""
        return _given(self.loops, self.tiles)


def weight(misses: Sequence[int]) -> int:
    """By what `symloc order` sorts: one miss of the second level weighs as much as four of the first, and so on."""
    return sum(count * 4**level for level, count in enumerate(misses))


@final
class Asker:
    """A process of `symloc order --serve`."""

    def __init__(self) -> None:
        self._lock = Lock()
        command = [program(), "order", "--serve"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, text=True, bufsize=1, **pipes)  # type: ignore[call-overload]

    def __enter__(self) -> Asker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the process."""
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def orders(
        self,
        source: Any,
        *,
        sizes: Mapping[str, int] | None = None,
        caches: Sequence[str] = (),
        machine: str | None = None,
        language: str = "mlir",
        function: str | None = None,
        orders: Sequence[str] = (),
        options: Sequence[str] = (),
        flags: Sequence[str] = (),
    ) -> list[Nest]:
        """The legal orders of every nest of a function.

        `source` is a path to a C, C++, MLIR or einsum file; or a text in `language`; or a module of MLIR's Python bindings.
        With `orders`, such as ["k, i:32, j"], these are looked at instead of all, besides the one as written. `options` are
        further options of `symloc order`, `flags` those of the compiler. What symloc refuses is a :class:`SymlocError`.
        """
        question: dict[str, Any] = {"sizes": dict(sizes or {}), "caches": [*caches], "orders": [*orders]}
        question |= {"options": [*options], "flags": [*flags]}
        question |= {"machine": machine, "function": function}
        if isinstance(source, os.PathLike) or isinstance(source, str) and "\n" not in source and "{" not in source:
            question["file"] = os.fspath(source)
        else:
            question |= {"text": str(source), "language": language}
        return [_nest(nest) for nest in self._ask(question)["nests"]]

    def _ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        with self._lock:
            try:
                self._process.stdin.write(json.dumps(question) + "\n")
                self._process.stdin.flush()
                line = self._process.stdout.readline()
            except BrokenPipeError:
                line = ""
        if not line:
            raise SymlocError(f"symloc ended with {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise SymlocError(answer["error"].strip().removeprefix("error: "))
        return answer


def tilings(ask: Asker, source: Any, *, tiles: Sequence[int] = TILES, starts: int = 2, **question: Any) -> list[Tiling]:
    """For every nest the order and the tiles with the fewest misses that a search finds.

    The search begins with the `starts` best orders of the innermost statements' loops, without tiles and with tiles of one of
    the sizes `tiles` in all loops, and then varies one loop at a time while that helps. `question` are the arguments of
    :meth:`Asker.orders`.
    """
    options = [*question.pop("options", ())]
    found = []
    for nest in ask.orders(source, options=options, **question):
        here = {**question, "options": [*options, "--nest", str(nest.line)]}
        found.append(_Search(ask, source, here, nest).best(tiles, starts))
    return found


class _Search:
    """The search for tiles in one nest."""

    def __init__(self, ask: Asker, source: Any, question: Mapping[str, Any], nest: Nest) -> None:
        self._ask, self._source, self._question, self._nest = ask, source, question, nest
        self._known: dict[str, Order] = {}

    def best(self, tiles: Sequence[int], starts: int) -> Tiling:
        loops = list(dict.fromkeys(_innermost(order) for order in self._nest.orders))[:starts]
        found = Tiling(self._nest.line, loops[0], {}, self._nest.orders[0].misses, self._nest.orders[0].exact)
        for order in loops:
            begin = [{}, *({loop: size for loop in order} for size in tiles)]
            best = self._better(None, order, begin)
            for _ in range(ROUNDS):
                before = best
                for loop in order:
                    best = self._better(best, order, _varied(best.tiles if best else {}, loop, tiles))
                if best == before:
                    break
            if best and weight(best.misses) < weight(found.misses):
                found = best
        return found

    def _better(self, best: Tiling | None, loops: tuple[str, ...], tried: Iterable[Mapping[str, int]]) -> Tiling | None:
        """The best of what is tried and of what is known already."""
        given = {_given(loops, tiles): tiles for tiles in tried}
        self._count([text for text in given if text not in self._known])
        for text, tiles in given.items():
            order = self._known.get(text)
            if order and (best is None or weight(order.misses) < weight(best.misses)):
                best = Tiling(self._nest.line, loops, dict(tiles), order.misses, order.exact)
        return best

    def _count(self, orders: Sequence[str]) -> None:
        if not orders:
            return
        for nest in self._ask.orders(self._source, orders=orders, **self._question):
            self._known |= {order.given: order for order in nest.orders if order.given is not None}


def _varied(tiles: Mapping[str, int], loop: str, sizes: Sequence[int]) -> list[Mapping[str, int]]:
    others = {name: size for name, size in tiles.items() if name != loop}
    return [others, *({**others, loop: size} for size in sizes)]


def _innermost(order: Order) -> tuple[str, ...]:
    """The loops of the statements that are in the most loops."""
    return max((statements.loops for statements in order.statements), key=len)


def _given(loops: Sequence[str], tiles: Mapping[str, int]) -> str:
    return ", ".join(f"{loop}:{tiles[loop]}" if loop in tiles else loop for loop in loops)


def _statements(found: Sequence[Mapping[str, Any]]) -> tuple[Statements, ...]:
    return tuple(Statements(tuple(one["lines"]), tuple(one["loops"]), one["shared"]) for one in found)


def _nest(found: Mapping[str, Any]) -> Nest:
    def order(one: Mapping[str, Any]) -> Order:
        statements, misses = _statements(one["statements"]), tuple(one["misses"])
        return Order(one["order"], statements, misses, one["exact"], one["written"], one.get("given"))

    refused = tuple(Refused(one["order"], one["why"], one.get("given")) for one in found["refused"])
    orders = tuple(order(one) for one in found["orders"])
    return Nest(found["line"], found["column"], orders, refused, found["complete"])
