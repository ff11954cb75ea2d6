"""What doctests and tests share."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parent.parent
MODELS = Path(__file__).parent / "tests" / "models"


def query_program() -> str:
    """The program `symloc-query`: what SYMLOC_QUERY names, what was built last, or what PATH finds."""
    built = sorted(REPOSITORY.glob("target/*/symloc-query"), key=lambda path: path.stat().st_mtime)
    found = os.environ.get("SYMLOC_QUERY") or (str(built[-1]) if built else shutil.which("symloc-query"))
    return found or pytest.skip("symloc-query is not built")


def example(name: str) -> Path:
    """A model file of the tests."""
    return MODELS / f"{name}.loc.json"


@pytest.fixture(autouse=True)
def _doctest_names(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["example"] = example
