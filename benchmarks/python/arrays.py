"""Seconds for questions in arrays: `arrays.py MODEL FIRST SIZES CACHES`; and the sum of all misses."""

import sys
import time

import numpy as np
from symloc import Model

model = Model.load(sys.argv[1])
first, sizes, caches = (int(number) for number in sys.argv[2:])
n = np.arange(first, first + sizes)[:, None]
lines = np.arange(1, caches + 1)
for _ in range(2):
    begun = time.perf_counter()
    answer = model.query({name: n for name in model.parameters}, cache=64 * lines)
    seconds = time.perf_counter() - begun
print(seconds, sum(int(misses) for misses in answer.misses.flat))
