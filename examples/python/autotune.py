"""Chooses the tile of a matrix product that misses least in a cache, from one model for all tiles.

    python examples/python/autotune.py 48KiB 1000

The product is read with the size of the tile as an argument: the model is a polynomial in n and in the number of tiles, so trying a
tile costs a millisecond and no run.
"""

import sys

import symloc

PRODUCT = """
void product(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n])
{
    for (int ii = 0; ii < n; ii += T)
        for (int kk = 0; kk < n; kk += T)
            for (int i = ii; i < (ii + T < n ? ii + T : n); i++)
                for (int k = kk; k < (kk + T < n ? kk + T : n); k++)
                    for (int j = 0; j < n; j++)
                        c[i][j] += a[i][k] * b[k][j];
}
"""


def misses(path, tile, n, cache):
    """Returns the misses of the product in tiles of so many rows."""
    model = symloc.derive(path, flags=[f"-DT={tile}"], options=["--assume", "n mod 8 = 0"])
    return model.query(n=n, cache=cache).misses


def best(path, tiles, n, cache):
    """Returns the tile with the fewest misses, and these."""
    return min((misses(path, tile, n, cache), tile) for tile in tiles)[::-1]


def main(cache="48KiB", n="1000"):
    import pathlib
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "product.c")
        path.write_text(PRODUCT)
        tile, least = best(path, [4, 8, 16, 32], int(n), cache)
    print(f"tiles of {tile}: {least} misses in {cache} at n = {n}")


if __name__ == "__main__":
    main(*sys.argv[1:])
