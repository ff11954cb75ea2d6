"""From an ONNX file to MLIR in the torch dialect, with the names of the network.

Usage: python -c SCRIPT NAME, with the file on standard input. Standard output is the module, after the lines of the listing:
one for each input and one for each node. Messages about the network point into it, so it is what locations count. What
is wrong is a line on standard error that starts with `symloc:` and a word for the sort of error.

The importer is torch-mlir's. These things are done beside it:

- every node gets a name of its own, because the importer makes locations of names;
- weights become inputs: what matters is where they lie, not what they are. Numbers that say a shape, such as those
  of Reshape and Resize, stay constants, and so do scalars;
- a dimension is told by its name (`dim_param`), in the attribute `symloc.dims` of each input;
- a Gather of rows of a table is written as PyTorch's embedding, whose loops are those of its indices. Otherwise the indices
  are flattened first, and with them their sizes.
"""

import json
import re
import sys


def fail(sort, text):
    sys.stderr.write(f"\nsymloc: {sort}: {' '.join(str(text).split())}\n")
    sys.exit(1)


try:
    import onnx
    from onnx import TensorProto, helper, shape_inference, version_converter
    from torch_mlir.dialects import torch as torch_dialect
    from torch_mlir.extras import onnx_importer
    from torch_mlir.ir import ArrayAttr, BoolAttr, Context, DictAttr, InsertionPoint, IntegerAttr, IntegerType, Location
    from torch_mlir.ir import Operation, StringAttr, Type, UnitAttr
except ImportError as error:
    fail("missing", error)

# Operator sets before this one are converted to it.
OLDEST_OPSET = 17
# What MLIR keeps in a location or symbol as it is.
PLAIN = re.compile(r"[^A-Za-z0-9_./-]")
# Operators with floating-point inputs that say a shape.
SHAPED_BY_FLOATS = {"Resize", "Upsample"}
FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16}


def load(data):
    try:
        model = onnx.ModelProto.FromString(data)
    except Exception:
        fail("format", "this is no ONNX file")
    if not model.HasField("graph") or not model.graph.node:
        fail("format", "this is no ONNX file: there is no graph in it")
    return model


def name_nodes(graph):
    taken = set()
    for number, node in enumerate(graph.node):
        wanted = PLAIN.sub("_", node.name) or f"{node.op_type}_{number}"
        name, copies = wanted, 1
        while name in taken:
            copies += 1
            name = f"{wanted}.{copies}"
        taken.add(name)
        node.name = name


def pass_weights(graph):
    """Makes arguments of the weights."""
    says_shape = {name for node in graph.node if node.op_type in SHAPED_BY_FLOATS for name in node.input}
    arguments = {argument.name for argument in graph.input}
    constants = []
    for tensor in graph.initializer:
        if tensor.data_type in FLOATS and tensor.dims and tensor.name not in says_shape:
            if tensor.name not in arguments:
                info = helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims))
                graph.input.append(info)
        else:
            constants.append(tensor)
    kept = [onnx.TensorProto.FromString(tensor.SerializeToString()) for tensor in constants]
    del graph.initializer[:]
    graph.initializer.extend(kept)


def dims(argument):
    shape = argument.type.tensor_type.shape
    return [dim.dim_param if dim.HasField("dim_param") else "" for dim in shape.dim]


def listing(graph):
    """A name and a text for each line."""
    for argument in graph.input:
        shape = argument.type.tensor_type.shape
        extents = [dim.dim_param or str(dim.dim_value or "?") for dim in shape.dim]
        yield argument.name, f"{argument.name}: [{', '.join(extents)}]"
    for node in graph.node:
        yield node.name, f"{node.name} = {node.op_type}({', '.join(node.input)}) -> {', '.join(node.output)}"


def placed(text, name, lines):
    """The module with the lines of the listing in its locations. The first line with a name is the one."""
    numbers = {}
    for number, (line, _) in enumerate(lines, 1):
        numbers.setdefault(line, number)

    def place(match):
        number = numbers.get(match[1])
        return match[0] if number is None else f'loc("{match[1]}"({json.dumps(name)}:{number}:1))'

    return re.sub(r'loc\("([^"]*)"\)', place, text)


def converted(model):
    """The model in an operator set that torch-mlir lowers; as it is where it cannot be converted."""
    version = max([entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")], default=OLDEST_OPSET)
    if version >= OLDEST_OPSET:
        return model
    try:
        return version_converter.convert_version(model, OLDEST_OPSET)
    except Exception:
        return model


def as_embedding(operation):
    """Writes a Gather of rows as an embedding."""
    attributes = operation.attributes
    if operation.name != "torch.operator" or attributes["name"].value != "onnx.Gather":
        return
    table, indices = operation.operands
    axis = attributes["torch.onnx.axis"].value if "torch.onnx.axis" in attributes else 0
    ranks = [re.match(r"!torch\.vtensor<\[([^\]]*)\]", str(value.type)) for value in (table, indices)]
    if axis != 0 or None in ranks or ranks[0][1].count(",") != 1 or not ranks[1][1].count(","):
        return
    with InsertionPoint(operation), operation.location:
        value = {"value": IntegerAttr.get(IntegerType.get_signless(64), -1)}
        padding = Operation.create("torch.constant.int", [Type.parse("!torch.int")], attributes=value)
        no = Operation.create("torch.constant.bool", [Type.parse("!torch.bool")], attributes={"value": BoolAttr.get(False)})
        operands = [table, indices, padding.result, no.result, no.result]
        embedding = Operation.create("torch.aten.embedding", [operation.result.type], operands)
    operation.result.replace_all_uses_with(embedding.result)
    operation.erase()


def import_graph(model):
    context = Context()
    torch_dialect.register_dialect(context)
    info = onnx_importer.ModelInfo(model)
    module = info.create_module(context=context).operation
    importer = onnx_importer.NodeImporter.define_function(info.main_graph, module)
    importer.import_all()
    function = module.regions[0].blocks[0].operations[-1]
    with context, Location.unknown():
        declared = info.main_graph.input_map.values()
        names = [ArrayAttr.get([StringAttr.get(dim) for dim in dims(argument)]) for argument in declared]
        function.attributes["arg_attrs"] = ArrayAttr.get([DictAttr.get({"symloc.dims": name}) for name in names])
        for operation in list(function.regions[0].blocks[0].operations):
            as_embedding(operation.operation)
        function.attributes["torch.assume_strict_symbolic_shapes"] = UnitAttr.get()
    module.verify()
    return module.get_asm(enable_debug_info=True)


def main(name):
    model = load(sys.stdin.buffer.read())
    pass_weights(model.graph)
    model = converted(model)
    name_nodes(model.graph)
    model.graph.name = re.sub(r"\W", "_", model.graph.name) or "main"
    for argument in model.graph.input:
        if not argument.type.HasField("tensor_type"):
            fail("unsupported", f"the input `{argument.name}` is no tensor")
    try:
        model = shape_inference.infer_shapes(model, data_prop=True)
        text = import_graph(model)
    except Exception as error:
        fail("unsupported", error)
    lines = list(listing(model.graph))
    for _, line in lines:
        print("// listing:", " ".join(line.split()))
    print(placed(text, name, lines))


main(sys.argv[1])
