"""StableHLO that computes its sizes, such as what JAX exports with symbolic dimensions, to StableHLO that does not.

Usage: python -c SCRIPT, with a module in the generic form on standard input, calls inlined. Standard output is the module in
the generic form, in which sizes are integers and not tensors of integers:

- what computes them (`get_dimension_size`, `concatenate`, arithmetic) is written with `tensor.dim` and `arith`;
- `dynamic_reshape` is `tensor.reshape`, and `dynamic_broadcast_in_dim` and `dynamic_iota` are the loops that they are;
- assertions about shapes are left out; the names of dimensions that they tell become the attribute `symloc.dims`.

What is not understood stays, and is refused by name later. What is wrong is a line on standard error that starts with
`symloc:` and a word for the sort of error.
"""

import re
import sys


def fail(sort, text):
    sys.stderr.write(f"\nsymloc: {sort}: {' '.join(str(text).split())}\n")
    sys.exit(1)


try:
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.ir import AffineConstantExpr, AffineDimExpr, AffineMap, AffineMapAttr, ArrayAttr, Attribute, Block
    from torch_mlir.ir import BlockArgument, Context, DenseI32ArrayAttr, DenseIntElementsAttr, DictAttr, IndexType, InsertionPoint
    from torch_mlir.ir import IntegerAttr, IntegerType, Location, Module, Operation, RankedTensorType, ShapedType, StringAttr
except ImportError as error:
    fail("missing", error)

# What is computed element by element: by MLIR, and by us where both sides are constants.
ARITHMETIC = {
    "stablehlo.add": ("arith.addi", lambda a, b: a + b),
    "stablehlo.subtract": ("arith.subi", lambda a, b: a - b),
    "stablehlo.multiply": ("arith.muli", lambda a, b: a * b),
    "stablehlo.divide": ("arith.divsi", lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else None),
    "stablehlo.maximum": ("arith.maxsi", max),
    "stablehlo.minimum": ("arith.minsi", min),
}
# How an assertion about a shape says which dimension its second operand is.
NAMED = re.compile(r"(?:dimension variable|specification) '([A-Za-z_]\w*)'")


def create(name, kind, operands=(), attributes=None):
    return Operation.create(name, [kind], list(operands), attributes=attributes or {}).result


def index(size):
    """A size as a value."""
    if isinstance(size, int):
        return create("arith.constant", IndexType.get(), attributes={"value": IntegerAttr.get(IndexType.get(), size)})
    return size


def operation(value):
    return None if isinstance(value.owner, Block) else value.owner


def integers(attribute):
    """The integers of `array<i64: …>`, or of the older `dense<…> : tensor<…xi64>`."""
    return list(attribute)


def elements(value):
    """The sizes that a tensor of integers holds; none if they are not known."""
    op = operation(value)
    kind = RankedTensorType(value.type)
    if op is None or kind.rank > 1 or not isinstance(kind.element_type, IntegerType):
        return None
    operands = list(op.operands)
    if op.name == "stablehlo.constant":
        held = op.attributes["value"]
        return [int(element) for element in DenseIntElementsAttr(held)] if isinstance(held, DenseIntElementsAttr) else None
    if op.name == "stablehlo.get_dimension_size":
        return [extent(operands[0], IntegerAttr(op.attributes["dimension"]).value)]
    if op.name in ("stablehlo.reshape", "stablehlo.convert"):
        return elements(operands[0])
    if op.name == "stablehlo.broadcast_in_dim" and RankedTensorType(operands[0].type).rank == 0:
        held = elements(operands[0])
        return held and held * (kind.shape[0] if kind.rank else 1)
    if op.name == "stablehlo.slice":
        held = elements(operands[0])
        start, limit, step = (integers(op.attributes[name])[0] for name in ("start_indices", "limit_indices", "strides"))
        return held and held[start:limit:step]
    if op.name == "stablehlo.concatenate":
        parts = [elements(operand) for operand in operands]
        return None if None in parts else sum(parts, [])
    if op.name in ARITHMETIC:
        sides = [elements(operand) for operand in operands]
        return None if None in sides else [computed(op.name, a, b) for a, b in zip(*sides)]
    return None


def computed(name, a, b):
    arithmetic, ours = ARITHMETIC[name]
    if isinstance(a, int) and isinstance(b, int):
        known = ours(a, b)
        if known is not None:
            return known
    return create(arithmetic, IndexType.get(), [index(a), index(b)])


def extent(tensor, dimension):
    kind = RankedTensorType(tensor.type)
    if not kind.is_dynamic_dim(dimension):
        return kind.get_dim_size(dimension)
    return create("tensor.dim", IndexType.get(), [tensor, index(dimension)])


def empty(kind, sizes):
    return create("tensor.empty", kind, [index(size) for d, size in enumerate(sizes) if kind.is_dynamic_dim(d)])


def loops(kind, inputs, maps, sizes, body):
    """A nest of loops over a tensor of a type; `body` gives its element."""
    identity = AffineMap.get_identity(kind.rank)
    parallel = Attribute.parse("#linalg.iterator_type<parallel>")
    attributes = {
        "indexing_maps": ArrayAttr.get([AffineMapAttr.get(map) for map in [*maps, identity]]),
        "iterator_types": ArrayAttr.get([parallel] * kind.rank),
        "operandSegmentSizes": DenseI32ArrayAttr.get([len(inputs), 1]),
    }
    operands = [*inputs, empty(kind, sizes)]
    generic = Operation.create("linalg.generic", [kind], operands, attributes=attributes, regions=1)
    element_types = [RankedTensorType(operand.type).element_type for operand in operands]
    block = Block.create_at_start(generic.regions[0], element_types, [generic.location] * len(operands))
    with InsertionPoint(block):
        Operation.create("linalg.yield", [], [body(block.arguments)])
    return generic.result


def broadcast(op, kind, sizes):
    source = op.operands[0]
    shape = RankedTensorType(source.type)
    places = integers(op.attributes["broadcast_dimensions"])
    grows = [not shape.is_dynamic_dim(k) and shape.get_dim_size(k) == 1 and sizes[d] != 1 for k, d in enumerate(places)]
    subscripts = [AffineConstantExpr.get(0) if grown else AffineDimExpr.get(d) for grown, d in zip(grows, places)]
    return loops(kind, [source], [AffineMap.get(kind.rank, 0, subscripts)], sizes, lambda arguments: arguments[0])


def iota(op, kind, sizes):
    dimension = {"dim": Attribute.parse(f"{IntegerAttr(op.attributes['iota_dimension']).value} : i64")}
    integer = IntegerType.get_signless(64)

    def body(_):
        place = create("arith.index_cast", integer, [create("linalg.index", IndexType.get(), attributes=dimension)])
        if not isinstance(kind.element_type, IntegerType):
            return create("arith.sitofp", kind.element_type, [place])
        width = IntegerType(kind.element_type).width
        name = {64: None}.get(width, "arith.trunci" if width < 64 else "arith.extsi")
        return create(name, kind.element_type, [place]) if name else place

    return loops(kind, [], [], sizes, body)


def reshape(op, kind, sizes):
    shape = create("tensor.from_elements", RankedTensorType.get([kind.rank], IndexType.get()), [index(size) for size in sizes])
    return create("tensor.reshape", kind, [op.operands[0], shape])


# What has a shape as its last operand.
SHAPED = {
    "stablehlo.dynamic_broadcast_in_dim": broadcast,
    "stablehlo.dynamic_iota": iota,
    "stablehlo.dynamic_reshape": reshape,
}


def rewritten(op):
    """The value to put in the place of an operation; none to leave it."""
    kind = RankedTensorType(op.result.type)
    if op.name == "stablehlo.get_dimension_size":
        size = create("arith.index_cast", kind.element_type, [index(elements(op.result)[0])])
        return create("tensor.from_elements", kind, [size])
    sizes = elements(op.operands[len(op.operands) - 1])
    return None if sizes is None else SHAPED[op.name](op, kind, sizes)


def names(function, op, found):
    """Keeps the name of a dimension that an assertion tells."""
    message = NAMED.search(str(op.attributes["error_message"]) if "error_message" in op.attributes else "")
    size = operation(op.operands[1]) if len(op.operands) > 1 else None
    if message and size is not None and size.name == "stablehlo.get_dimension_size":
        argument = size.operands[0]
        if isinstance(argument.owner, Block):
            place = BlockArgument(argument).arg_number, IntegerAttr(size.attributes["dimension"]).value
            found.setdefault(place, message[1])


def rewrite(function):
    blocks = function.regions[0].blocks
    if not len(blocks):
        return
    found, left = {}, []
    for op in [view.operation for view in blocks[0].operations]:
        with InsertionPoint(op), op.location:
            if op.name == "stablehlo.custom_call" and "shape_assertion" in str(op.attributes["call_target_name"]):
                names(function, op, found)
                left.append(op)
            elif op.name in SHAPED or op.name == "stablehlo.get_dimension_size":
                value = rewritten(op)
                if value is not None:
                    left.append((op, value))
    for entry in left:
        op, value = entry if isinstance(entry, tuple) else (entry, None)
        if value is not None:
            op.result.replace_all_uses_with(value)
    for entry in reversed(left):
        (entry[0] if isinstance(entry, tuple) else entry).erase()
    arguments = list(blocks[0].arguments)
    ranks = [RankedTensorType(a.type).rank if isinstance(a.type, RankedTensorType) else 0 for a in arguments]
    dims = [ArrayAttr.get([StringAttr.get(found.get((k, d), "")) for d in range(rank)]) for k, rank in enumerate(ranks)]
    function.attributes["arg_attrs"] = ArrayAttr.get([DictAttr.get({"symloc.dims": names}) for names in dims])


def main():
    context = Context()
    context.allow_unregistered_dialects = True
    torch_dialect.register_dialect(context)
    with context, Location.unknown():
        module = Module.parse(sys.stdin.read())
        for view in module.body.operations:
            if view.operation.name == "func.func":
                rewrite(view.operation)
        print(module.operation.get_asm(enable_debug_info=True, print_generic_op_form=True))


main()
