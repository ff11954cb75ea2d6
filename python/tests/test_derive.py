"""Derivation through the program symloc, where it is built."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import symloc
from conftest import REPOSITORY, built
from symloc import Model, SymlocError, SymlocNotFound

COPY = """
func.func @copy(%n: index, %x: memref<?xf64>, %y: memref<?xf64>) {
  affine.for %i = 0 to %n {
    %v = affine.load %x[%i] : memref<?xf64>
    affine.store %v, %y[%i] : memref<?xf64>
  }
  return
}
"""


@pytest.fixture(autouse=True)
def _program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMLOC", os.environ.get("SYMLOC") or built("symloc"))


def test_text_paths_modules_and_einsums(tmp_path: Path) -> None:
    class Module:
        """As MLIR's bindings have it."""

        def __str__(self) -> str:
            return COPY

    path = tmp_path / "copy.mlir"
    path.write_text(COPY)
    models = [symloc.derive(source) for source in [COPY, Module(), path, str(path)]]
    assert {model.query(n=64, cache="1KiB").misses for model in models} == {16}
    assert not models[0].exact and symloc.derive(COPY, exact=True).exact
    product = symloc.derive("ij,jk->ik", exact=True)
    assert isinstance(product, Model) and len(product.parameters) == 3


def test_c(tmp_path: Path) -> None:
    path = tmp_path / "sum.c"
    path.write_text(
        "double sum(int n, double x[n]) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }\n"
    )
    assert symloc.derive(path).query({"n": 64}, cache="1KiB").misses == 8


def test_assumptions(tmp_path: Path) -> None:
    path = tmp_path / "rows.c"
    path.write_text(
        "void twice(int n, int m, double a[n][m]) {\n"
        "  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] *= 2;\n}\n"
    )
    model = symloc.derive(path)
    (padding,) = (assumption for assumption in model.assumptions if assumption.kind == "padding")
    assert "exact where m mod 8 = 0" in padding.text and padding.text in model.remarks
    assert padding.file == str(path) and padding.line is None


def test_options(tmp_path: Path) -> None:
    assert symloc.derive(COPY, line_bytes=128).line_bytes == (128,)
    assert "n mod 8 = 0" in symloc.derive(COPY, options=["--assume", "n mod 8 = 0"]).context


def test_what_is_refused() -> None:
    with pytest.raises(SymlocError, match=r"<stdin>:3:"):
        symloc.derive(COPY.replace("affine.for", "affine.fro"))
    with pytest.raises(SymlocError, match="no/such"):
        symloc.derive(Path("no/such/file.mlir"))
    with pytest.raises(SymlocError, match="limit"):
        symloc.derive(REPOSITORY / "polybench" / "adi.mlir", exact=True, timeout=0.05)


def test_a_missing_program_is_an_error_that_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMLOC", "/no/such/symloc")
    with pytest.raises(SymlocNotFound, match="help: install it"):
        symloc.derive(COPY)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_ctrl_c_stops_a_derivation() -> None:
    script = f"import symloc; symloc.derive({str(REPOSITORY / 'tests' / 'tiled' / 'heat-3d.mlir')!r}, exact=True)"
    running = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=20)
    assert running.returncode != 0 and "KeyboardInterrupt" in stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX's")
def test_ctrl_c_stops_a_sweep() -> None:
    path = REPOSITORY / "python" / "tests" / "models" / "gemm.loc.json"
    script = f"import symloc; m = symloc.Model.load({str(path)!r}); r = range(1, 10**6); print(flush=True)\n"
    running = subprocess.Popen(
        [sys.executable, "-c", script + "m.query(ni=r, nj=r, nk=r, cache=64)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stdout is not None
    running.stdout.readline()
    time.sleep(4)
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=20)
    assert running.returncode != 0 and "KeyboardInterrupt" in stderr


@pytest.mark.parametrize("source", [None, 5, 1.5, b"func.func"])
def test_sources_are_text_or_paths(source: object) -> None:
    with pytest.raises(TypeError, match="a source is"):
        symloc.derive(source)
