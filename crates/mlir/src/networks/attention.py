"""`torch.aten.scaled_dot_product_attention` as the matrix products and the softmax that it is.

Usage: python -c SCRIPT, with a module in the torch dialect on standard input; standard output is the module. torch-mlir lowers
the operation to one of its own, for which it has no loops on tensors. What is wrong is a line on standard error that starts
with `symloc:` and a word for the sort of error.
"""

import re
import sys


def fail(sort, text):
    sys.stderr.write(f"\nsymloc: {sort}: {' '.join(str(text).split())}\n")
    sys.exit(1)


try:
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.ir import BoolAttr, Context, FloatAttr, F64Type, InsertionPoint, IntegerAttr, IntegerType, Location, Module
    from torch_mlir.ir import Operation, Type
except ImportError as error:
    fail("missing", error)

ATTENTION = "torch.aten.scaled_dot_product_attention"
TENSOR = re.compile(r"!torch\.vtensor<\[([^\]]*)\],(.*)>")


def create(name, kind, *operands, **attributes):
    kind = kind if isinstance(kind, Type) else Type.parse(kind)
    return Operation.create(name, [kind], list(operands), attributes=attributes).result


def integer(value):
    return create("torch.constant.int", "!torch.int", value=IntegerAttr.get(IntegerType.get_signless(64), value))


def number(value):
    return create("torch.constant.float", "!torch.float", value=FloatAttr.get(F64Type.get(), value))


def none():
    return create("torch.constant.none", "!torch.none")


def shape(value):
    """Extents and element type, as they are written."""
    found = TENSOR.fullmatch(str(value.type))
    if not found:
        fail("unsupported", f"attention over {value.type}, of which the rank is not known")
    return found[1].split(","), found[2]


def tensor(extents, element):
    return f"!torch.vtensor<[{','.join(extents)}],{element}>"


def is_none(value):
    return str(value.type) == "!torch.none"


def is_true(value):
    return value.owner.name == "torch.constant.bool" and BoolAttr(value.owner.attributes["value"]).value


def scores(op, query, key):
    """What the softmax is taken of, before a mask."""
    (rows, element), (columns, _) = shape(query), shape(key)
    turned = create("torch.aten.transpose.int", tensor([*columns[:-2], columns[-1], columns[-2]], element), key, integer(-2), integer(-1))
    kind = tensor([*rows[:-1], columns[-2]], element)
    product = create("torch.aten.matmul", kind, query, turned)
    scale = op.operands[6] if len(op.operands) > 6 else None
    if scale is None or is_none(scale):
        if not rows[-1].isdigit():
            fail("unsupported", "attention with heads of a size that is not known")
        scale = number(float(rows[-1]) ** -0.5)
    return create("torch.aten.mul.Scalar", kind, product, scale), kind


def masked(op, score, kind):
    mask = op.operands[3]
    if is_true(op.operands[5]):
        extents, _ = shape(score)
        sizes = [create("torch.aten.size.int", "!torch.int", score, integer(axis)) for axis in (-2, -1)]
        sizes = create("torch.prim.ListConstruct", "!torch.list<int>", *sizes)
        whole = tensor(extents[-2:], "i1")
        ones = create("torch.aten.ones", whole, sizes, integer(11), none(), none(), none())
        mask = create("torch.aten.tril", whole, ones, integer(0))
    if is_none(mask):
        return score
    if shape(mask)[1] == "i1":
        return create("torch.aten.where.ScalarOther", kind, mask, score, number(float("-inf")))
    return create("torch.aten.add.Tensor", kind, score, mask, integer(1))


def rewrite(op):
    query, key, value = list(op.operands)[:3]
    if shape(query)[0][:-2] != shape(key)[0][:-2]:
        fail("unsupported", "attention in which several heads share keys and values")
    with InsertionPoint(op), op.location:
        score, kind = scores(op, query, key)
        share = create("torch.aten.softmax.int", kind, masked(op, score, kind), integer(-1), none())
        result = create("torch.aten.matmul", op.result.type, share, value)
    op.result.replace_all_uses_with(result)
    op.erase()


def main():
    context = Context()
    torch_dialect.register_dialect(context)
    with context, Location.unknown():
        module = Module.parse(sys.stdin.read())
        for function in module.body.operations:
            for block in function.operation.regions[0].blocks:
                for view in list(block.operations):
                    if view.operation.name == ATTENTION:
                        rewrite(view.operation)
        # What is read from standard input has this name in torch-mlir's programs.
        print(module.operation.get_asm(enable_debug_info=True).replace('loc("-":', 'loc("<stdin>":'))


main()
