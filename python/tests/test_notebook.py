"""The example notebook runs, and says what it says in the repository."""

from __future__ import annotations

import os
from typing import Any

import pytest
from conftest import REPOSITORY, built


def texts(notebook: Any) -> list[str]:
    """What is printed and shown, without pictures, whose text names no numbers."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    found = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in outputs]
    return [text for text in found if text]


def test_the_example_is_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("SYMLOC", os.environ.get("SYMLOC") or built("symloc"))
    path = REPOSITORY / "python" / "examples" / "locality.ipynb"
    stored, executed = nbformat.read(path, 4), nbformat.read(path, 4)
    nbclient.NotebookClient(executed, timeout=300).execute()
    assert texts(executed) == texts(stored)
