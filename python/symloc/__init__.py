"""Cache locality of loop nests as formulas: derive once, ask about any size and cache.

>>> import symloc
>>> model = symloc.Model.load(example("gemm"))
>>> model.parameters
('ni', 'nj', 'nk')
>>> misses = model.query(ni=1000, nj=1100, nk=1200, cache="32KiB")
>>> misses.misses, misses.accesses
(165888000, 5282200000)
>>> misses.ratio
Fraction(20736, 660275)

Whole arrays of sizes and caches are asked at once, and broadcast as NumPy does:

>>> import numpy as np
>>> n = np.array([[256], [512], [1024]])
>>> sweep = model.query(ni=n, nj=n, nk=n, cache=["32KiB", "1MiB"])
>>> sweep.misses
array([[  2113536,     24576],
       [ 16842752,  16842752],
       [134479872, 134479872]])

Models are made by the program `symloc`, which :func:`derive` runs.
"""

from ._derive import SymlocNotFound, derive
from ._model import Assumption, Model
from ._ray import RayExecutor
from ._results import Attribution, Curve, Formulas, Histogram, Misses, Sweep
from ._sweep import Derived, Part, SweepResult, derive_all, sweep
from ._symloc import SymlocError, __version__

__all__ = [
    "Assumption",
    "Attribution",
    "Curve",
    "Derived",
    "Formulas",
    "Histogram",
    "Misses",
    "Model",
    "Part",
    "RayExecutor",
    "Sweep",
    "SweepResult",
    "SymlocError",
    "SymlocNotFound",
    "__version__",
    "derive",
    "derive_all",
    "sweep",
]
