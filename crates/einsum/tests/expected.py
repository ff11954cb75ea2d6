#!/usr/bin/env python3
"""Writes expected.tsv: what NumPy's einsum gives for the kernels of einsum/, and for some further expressions.

Run it in this directory after adding a kernel. The index that occurs first has size 2, the next 3, then 2 and so on;
element p of operand q, in row-major order and counted from 0, is 1 + (p*p + q) % 5. Every result is a whole number.
"""

import pathlib
import re

import numpy

FURTHER = {
    "implicit": "bA,Ac",
    "implicit_diagonal": "iij,jk",
    "scalar_operand": ",ij,->ji",
    "transpose": "abc->cab",
    "disconnected": "ab,cd,e->c",
    "repeated": "iji,jkk,k->j",
}


def kernels():
    for path in sorted(pathlib.Path("../../../einsum").glob("*.einsum")):
        yield path.stem, re.search(r"einsum\('([^']*)'", path.read_text()).group(1)


def result(expression):
    indices = dict.fromkeys(c for c in expression.split("->")[0] if c.isalpha())
    size = {index: 2 + position % 2 for position, index in enumerate(indices)}
    operands = []
    for q, subscripts in enumerate(expression.split("->")[0].split(",")):
        shape = [size[index] for index in subscripts]
        p = numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape)
        operands.append(1 + (p * p + q) % 5)
    return numpy.einsum(expression, *operands)


def main():
    lines = ["# name\texpression\tresult, row by row (see expected.py)\n"]
    for name, expression in [*kernels(), *FURTHER.items()]:
        values = " ".join(map(str, numpy.ravel(result(expression))))
        lines.append(f"{name}\t{expression}\t{values}\n")
    pathlib.Path("expected.tsv").write_text("".join(lines))


if __name__ == "__main__":
    main()
