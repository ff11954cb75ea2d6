"""Deriving models, with the program `symloc`."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._model import Model
from ._symloc import SymlocError


class SymlocNotFound(SymlocError):
    """The program `symloc` is not installed where it is looked for."""


_HOW = "install it with `pip install symloc-compiler`, or build it and put it on PATH, or name it in SYMLOC"


def program() -> str:
    """Where the program `symloc` is: what the environment's SYMLOC names, or what PATH finds."""
    found = shutil.which(os.environ.get("SYMLOC", "symloc"))
    if found is None:
        raise SymlocNotFound(f"models are derived by the program `symloc`, which was not found\nhelp: {_HOW}")
    return found


def derive(
    source: Any,
    *,
    exact: bool = False,
    function: str | None = None,
    line_bytes: int | None = None,
    options: Sequence[str] = (),
    flags: Sequence[str] = (),
    timeout: float | None = None,
) -> Model:
    """Derives the model of a program.

    `source` is a path to a C, C++, Fortran, LLVM IR, MLIR or einsum file; the text of an MLIR module; a module of MLIR's Python
    bindings; or an einsum such as "ij,jk->ik". With `exact` the model holds reuse distances, so that its misses are those
    of LRU. `options` are further options of `symloc derive`, such as ["--assume", "n mod 8 = 0"]; `flags` are those of the
    compiler, such as ["-DTILE=32"].

    Ctrl-C stops it, and so does `timeout`, in seconds. What symloc refuses is a :class:`SymlocError` with its message.
    """
    if source is None or isinstance(source, (int, float, bytes)):
        raise TypeError(f"a source is a path, a text or a module of MLIR, not {type(source).__name__}")
    arguments = [*(["--exact"] if exact else []), *(["--function", function] if function else [])]
    arguments += ["--line-bytes", str(line_bytes)] if line_bytes is not None else []
    arguments += options
    if isinstance(source, str) and _is_einsum(source):
        return _run(["einsum", source, *arguments], (), None, timeout)
    if isinstance(source, os.PathLike) or isinstance(source, str) and "\n" not in source and "{" not in source:
        return _run(["derive", os.fspath(source), *arguments], flags, None, timeout)
    # A module of MLIR's bindings prints itself.
    return _run(["derive", "-", *arguments], flags, str(source), timeout)


_EINSUM = re.compile(r"\s*[A-Za-z. ]+(,[A-Za-z. ]*)*\s*->\s*[A-Za-z. ]*")


def _is_einsum(text: str) -> bool:
    return _EINSUM.fullmatch(text) is not None


def _run(arguments: list[str], flags: Sequence[str], text: str | None, timeout: float | None) -> Model:
    with tempfile.TemporaryDirectory(prefix="symloc-") as folder:
        path = Path(folder) / "model.loc.json"
        command = [program(), *arguments, "-o", str(path), *(["--", *flags] if flags else [])]
        try:
            done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=timeout, check=False)
        except subprocess.TimeoutExpired:
            raise SymlocError(f"limit: the derivation took more than {timeout} seconds") from None
        if done.returncode != 0:
            raise SymlocError(_message(done.stderr) or f"symloc ended with {done.returncode}")
        return Model.load(path)


def _message(stderr: str) -> str:
    return stderr.strip().removeprefix("error: ")
