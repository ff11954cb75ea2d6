"""What doctests and tests share."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).parent.parent
MODELS = Path(__file__).parent / "tests" / "models"


def built(program: str) -> str:
    """A program of the repository: what was built last, or what PATH finds."""
    found = [path for path in REPOSITORY.glob(f"target/*/{program}") if path.is_file()]
    found.sort(key=lambda path: path.stat().st_mtime)
    return (str(found[-1]) if found else shutil.which(program)) or pytest.skip(f"{program} is not built")


def example(name: str) -> Path:
    """A model file of the tests."""
    return MODELS / f"{name}.loc.json"


@pytest.fixture(autouse=True)
def _doctest_names(
    doctest_namespace: dict[str, Any], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    doctest_namespace["example"] = example
    if request.node.name == "README.md":
        monkeypatch.chdir(request.path.parent)
    if request.node.name in ("README.md", "symloc.strategies"):
        monkeypatch.setenv("SYMLOC", os.environ.get("SYMLOC") or built("symloc"))
