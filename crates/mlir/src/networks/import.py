"""From an ONNX file to MLIR in the torch dialect, with the names of the network.

Usage: python -c SCRIPT NAME OPERATOR..., with the file on standard input. Standard output is the module, after the lines of the listing:
one for each input and one for each node. Messages about the network point into it, so it is what locations count. What
is wrong is a line on standard error that starts with `symloc:` and a word for the sort of error.

The importer is torch-mlir's. These things are done beside it:

- every node gets a name of its own, because the importer makes locations of names;
- weights become inputs: what matters is where they lie, not what they are. Numbers that say a shape, such as those
  of Reshape and Resize, stay constants, and so do scalars;
- a dimension is told by its name (`dim_param`), in the attribute `symloc.dims` of each input;
- a Gather of rows of a table is written as PyTorch's embedding, whose loops are those of its indices. Otherwise the indices
  are flattened first, and with them their sizes;
- a Gemm between two Reshapes that flatten batch and sequence, and take them apart again, is a MatMul of what is not
  flattened: a product of sizes is nothing that loops over batch and sequence could be told from;
- operators that ONNX defines by others, and that the command line names, are written as those;
- LRN is written as the average over channels that it is: torch-mlir reshapes it wrongly where a size is not known.
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
# From this version of the format on, constants are no inputs.
SEPARATE_CONSTANTS = 4
# What MLIR keeps in a location or symbol as it is.
PLAIN = re.compile(r"[^A-Za-z0-9_./-]")
# Operators with floating-point inputs that say a shape.
SHAPED_BY_FLOATS = {"Resize", "Upsample"}
# What computes another value each time.
RANDOM = {"RandomNormal", "RandomUniform"}
FLOATS = {TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.BFLOAT16}


def load(data):
    try:
        model = onnx.ModelProto.FromString(data)
    except Exception:
        fail("format", "this is no ONNX file")
    if not model.HasField("graph") or not model.graph.node:
        fail("format", "this is no ONNX file: there is no graph in it")
    return renewed(model)


def renewed(model):
    """Old files list their constants among the inputs, and nothing that is added later would count as a constant."""
    if model.ir_version < SEPARATE_CONSTANTS:
        constants = {tensor.name for tensor in model.graph.initializer}
        inputs = [argument for argument in model.graph.input if argument.name not in constants]
        del model.graph.input[:]
        model.graph.input.extend(inputs)
        model.ir_version = SEPARATE_CONSTANTS
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


def expanded(model, operators):
    """The model with operators as the others by which ONNX defines them. Their nodes begin with the name of what they stand for."""
    version = max([entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx")], default=OLDEST_OPSET)
    operators = [operator for operator in operators if is_defined_by_others(operator, version)]
    if not operators:
        return model
    from onnx import inliner

    made_by, calls = {}, []
    for node in model.graph.node:
        if node.domain in ("", "ai.onnx") and node.op_type in operators:
            node.name = node.name or f"{node.op_type}_{len(calls)}"
            calls.append(node.name)
            made_by.update((name, node.name) for name in node.output)
            state_defaults(node, version)
        else:
            made_by.update((name, None) for name in node.output)
    wanted = [("", operator) for operator in operators]
    model = inliner.inline_selected_functions(model, wanted, inline_schema_functions=True)
    for node in model.graph.node:
        call = next((made_by[name] for name in node.output if name in made_by), "")
        if call == "":
            # The inliner numbers the values of each call.
            number = re.search(r"__(\d+)$", node.output[0])
            call = calls[int(number[1]) - 1] if number and 0 < int(number[1]) <= len(calls) else None
        if call:
            node.name = f"{call}/{node.op_type}"
    return folded(shape_inference.infer_shapes(model, data_prop=True))


def is_defined_by_others(operator, version):
    try:
        schema = onnx.defs.get_schema(operator, version)
    except onnx.defs.SchemaError:
        return False
    return schema.has_function or schema.has_context_dependent_function


def state_defaults(node, version):
    """Gives a node the attributes that it leaves to their defaults: the inliner does not know those."""
    given = {attribute.name for attribute in node.attribute}
    for name, attribute in onnx.defs.get_schema(node.op_type, version).attributes.items():
        if name not in given and attribute.default_value.name:
            node.attribute.append(attribute.default_value)


def folded(model):
    """The model without nodes that compute constants, such as ranks and parts of shapes."""
    from onnx import numpy_helper, reference

    graph = model.graph
    known = {tensor.name: tensor for tensor in graph.initializer}
    values = [*graph.input, *graph.value_info, *graph.output]
    shapes = {value.name: value.type.tensor_type.shape.dim for value in values if value.type.tensor_type.HasField("shape")}
    kept, made, shaped = [], [], {}
    for node in graph.node:
        if node.op_type == "Shape" and node.input[0] in shapes:
            attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
            shaped[node.output[0]] = shapes[node.input[0]][attributes.get("start", 0) : attributes.get("end")]
        result = None
        extents = shaped.get(node.output[0])
        if extents is not None and all(dim.HasField("dim_value") for dim in extents):
            result = [dim.dim_value for dim in extents]
        elif node.op_type == "Size" and node.input[0] in shaped:
            result = len(shaped[node.input[0]])
        if result is not None:
            dims = [] if isinstance(result, int) else [len(result)]
            numbers = [result] if isinstance(result, int) else result
            tensors = [helper.make_tensor(node.output[0], TensorProto.INT64, dims, numbers)]
        elif node.domain in ("", "ai.onnx") and node.op_type not in RANDOM and all(name in known for name in node.input if name):
            inputs = {name: numpy_helper.to_array(known[name]) for name in node.input if name}
            inner = helper.make_graph([node], "constant", [], [helper.make_empty_tensor_value_info(n) for n in node.output])
            inner.initializer.extend(known[name] for name in inputs)
            single = helper.make_model(inner, opset_imports=model.opset_import, ir_version=model.ir_version)
            outputs = reference.ReferenceEvaluator(single).run(None, {})
            tensors = [numpy_helper.from_array(value, name) for value, name in zip(outputs, node.output)]
        else:
            kept.append(node)
            continue
        known.update((tensor.name, tensor) for tensor in tensors)
        made.extend(tensors)
    del graph.node[:]
    graph.node.extend(kept)
    used = {name for node in kept for name in node.input} | {value.name for value in graph.output}
    graph.initializer.extend(tensor for tensor in made if tensor.name in used)
    del graph.value_info[:]
    return model


class Rewriting:
    """Nodes in the place of others."""

    def __init__(self, graph):
        self.graph, self.inner, self.new = graph, {}, []
        self.made_by = {name: node for node in graph.node for name in node.output}
        known = [*graph.input, *graph.value_info, *graph.output]
        self.shapes = {value.name: value.type.tensor_type.shape for value in known if value.type.HasField("tensor_type")}
        for tensor in graph.initializer:
            self.shapes[tensor.name] = helper.make_tensor_value_info(tensor.name, 1, tensor.dims).type.tensor_type.shape

    def rank(self, name):
        shape = self.shapes.get(name)
        return None if shape is None else len(shape.dim)

    def last(self, name):
        """The last extent, if it is a number."""
        shape = self.shapes.get(name)
        return shape.dim[-1].dim_value if shape is not None and shape.dim else 0

    def constant(self, name, values, kind=TensorProto.INT64, dims=None):
        dims = [len(values)] if dims is None else dims
        self.graph.initializer.append(helper.make_tensor(name, kind, dims, values))
        return name

    def add(self, operator, node, part, inputs, outputs=None, **attributes):
        outputs = outputs or [f"{node.name or node.output[0]}/{part}_out"]
        name = f"{node.name}/{part}" if node.name and part else node.name
        self.new.append(helper.make_node(operator, inputs, outputs, name=name, **attributes))
        return outputs[0]

    def run(self):
        uses = {}
        for node in self.graph.node:
            for name in node.input:
                uses.setdefault(name, []).append(node)
        for node in self.graph.node:
            rewrite = {"Gemm": self.flattened, "LRN": self.lrn}.get(node.op_type)
            if rewrite is None or not rewrite(node, uses):
                self.new.append(node)
        del self.graph.node[:]
        self.graph.node.extend(self.new)
        # Shapes of what has been rewritten are no longer those.
        del self.graph.value_info[:]

    def flattened(self, node, uses):
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        if attributes.get("transA") or attributes.get("alpha", 1.0) != 1.0 or attributes.get("beta", 1.0) != 1.0:
            return False
        source, result = self.made_by.get(node.input[0]), uses.get(node.output[0], [])
        if source is None or source.op_type != "Reshape" or not result or {user.op_type for user in result} != {"Reshape"}:
            return False
        whole, inner = source.input[0], self.last(node.input[0])
        if (self.rank(whole) or 0) < 3 or self.rank(node.input[0]) != 2 or not inner or self.last(whole) != inner:
            return False
        weight = node.input[1]
        if attributes.get("transB"):
            weight = self.add("Transpose", node, "weight", [weight], perm=[1, 0])
        biased = len(node.input) > 2 and node.input[2]
        product = self.add("MatMul", node, "", [whole, weight], None if biased else [node.output[0]])
        if biased:
            self.add("Add", node, "bias", [product, node.input[2]], [node.output[0]])
        return True

    def lrn(self, node, uses):
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        size, x = attributes["size"], node.input[0]
        if self.rank(x) != 4:
            return False
        scalar = lambda part, value: self.constant(f"{node.output[0]}/{part}", [value], TensorProto.FLOAT, [])
        axis = self.constant(f"{node.output[0]}/axis", [1])
        squares = self.add("Unsqueeze", node, "unsqueeze", [self.add("Mul", node, "square", [x, x]), axis])
        pads = [(size - 1) // 2, 0, 0, size // 2, 0, 0]
        mean = self.add("AveragePool", node, "mean", [squares], kernel_shape=[size, 1, 1], pads=pads, count_include_pad=1)
        mean = self.add("Squeeze", node, "squeeze", [mean, axis])
        scaled = self.add("Mul", node, "alpha", [mean, scalar("alpha", attributes.get("alpha", 1e-4))])
        biased = self.add("Add", node, "shift", [scaled, scalar("bias", attributes.get("bias", 1.0))])
        power = self.add("Pow", node, "power", [biased, scalar("beta", attributes.get("beta", 0.75))])
        self.add("Div", node, "", [x, power], list(node.output))
        return True


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


def main(name, operators):
    model = load(sys.stdin.buffer.read())
    pass_weights(model.graph)
    model = converted(model)
    try:
        model = shape_inference.infer_shapes(model, data_prop=True)
    except Exception as error:
        fail("unsupported", error)
    model = expanded(model, operators)
    Rewriting(model.graph).run()
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


main(sys.argv[1], sys.argv[2:])
