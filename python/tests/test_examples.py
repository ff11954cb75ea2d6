"""The examples in Python, run as their users run them."""

import importlib.util
import os

import pytest
from conftest import REPOSITORY, built

EXAMPLES = REPOSITORY / "examples" / "python"


@pytest.fixture(autouse=True)
def program(monkeypatch):
    """The examples derive with the program that was built."""
    monkeypatch.setenv("SYMLOC", os.environ.get("SYMLOC") or built("symloc"))


def load(name):
    """The module of an example."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_best_tile_misses_least(tmp_path):
    autotune = load("autotune")
    path = tmp_path / "product.c"
    path.write_text(autotune.PRODUCT)
    tiles = [4, 8, 16]
    tile, least = autotune.best(path, tiles, 64, "4KiB")
    by_tile = {tile: autotune.misses(path, tile, 64, "4KiB") for tile in tiles}
    assert least == min(by_tile.values()) == by_tile[tile]
    assert least < max(by_tile.values())


def test_it_prints_its_choice(capsys):
    load("autotune").main("4KiB", "64")
    assert capsys.readouterr().out.startswith("tiles of ")
