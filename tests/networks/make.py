#!/usr/bin/env python3
"""Makes the networks of the tests, with the package `onnx`: `python3 make.py DIRECTORY`.

Sizes are small and weights are inputs without values, so that the files are, too. Beside each network that can be lowered is
what torch-mlir makes of it, which tests can read without torch-mlir: `symloc derive NET.onnx --emit mlir > NET.mlir`.
"""

import sys
from pathlib import Path

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


class Network:
    """A graph that grows node by node."""

    def __init__(self, name, opset=17, version=8):
        self.opset, self.version = opset, version
        self.name, self.nodes, self.inputs, self.constants, self.outputs = name, [], [], [], []

    def input(self, name, *shape, kind=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def constant(self, name, values, kind=numpy.int64):
        self.constants.append(numpy_helper.from_array(numpy.array(values, dtype=kind), name))
        return name

    def node(self, operator, name, *inputs, **attributes):
        self.nodes.append(helper.make_node(operator, list(inputs), [f"{name}_out"], name=name, **attributes))
        return f"{name}_out"

    def output(self, name, *shape, kind=TensorProto.FLOAT):
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def model(self):
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, self.constants)
        opsets = [helper.make_opsetid("", self.opset)]
        opsets += [helper.make_opsetid(domain, 1) for domain in sorted({node.domain for node in self.nodes} - {""})]
        return helper.make_model(graph, opset_imports=opsets, ir_version=self.version)


def linear(net, name, x, inner, outer):
    weight = net.input(f"{name}.weight", inner, outer)
    product = net.node("MatMul", name, x, weight)
    return net.node("Add", f"{name}.add", product, net.input(f"{name}.bias", outer))


def mlp():
    net = Network("mlp")
    x = net.input("x", "batch", 6)
    hidden = net.node("Gemm", "fc1", x, net.input("fc1.weight", 8, 6), net.input("fc1.bias", 8), transB=1)
    hidden = net.node("Relu", "relu", hidden)
    logits = net.node("Gemm", "fc2", hidden, net.input("fc2.weight", 5, 8), net.input("fc2.bias", 5), transB=1)
    net.output(net.node("Softmax", "softmax", logits, axis=-1), "batch", 5)
    return net


def conv(net, name, x, channels, features, kernel, **attributes):
    weight = net.input(f"{name}.weight", features, channels, kernel, kernel)
    return net.node("Conv", name, x, weight, net.input(f"{name}.bias", features), **attributes)


def lenet():
    net = Network("lenet")
    x = net.input("image", "batch", 1, 12, 12)
    x = net.node("Relu", "relu1", conv(net, "conv1", x, 1, 2, 5, pads=[2, 2, 2, 2]))
    x = net.node("MaxPool", "pool1", x, kernel_shape=[2, 2], strides=[2, 2])
    x = net.node("Relu", "relu2", conv(net, "conv2", x, 2, 3, 3))
    x = net.node("AveragePool", "pool2", x, kernel_shape=[2, 2], strides=[2, 2])
    x = net.node("Flatten", "flatten", x, axis=1)
    x = net.node("Gemm", "fc1", x, net.input("fc1.weight", 12, 7), net.input("fc1.bias", 7))
    x = net.node("Gemm", "fc2", net.node("Relu", "relu3", x), net.input("fc2.weight", 7, 4), net.input("fc2.bias", 4))
    net.output(net.node("Softmax", "softmax", x, axis=-1), "batch", 4)
    return net


def normalised(net, name, x, channels):
    values = [net.input(f"{name}.{what}", channels) for what in ("scale", "shift", "mean", "variance")]
    return net.node("BatchNormalization", name, x, *values)


def resnet_block():
    """Two convolutions with padding, batch normalisation and a shortcut, over images of any size, then global pooling."""
    net = Network("resnet_block")
    x = net.input("image", "batch", 3, "height", "width")
    around = dict(pads=[1, 1, 1, 1])
    y = net.node("Relu", "relu1", normalised(net, "bn1", conv(net, "conv1", x, 3, 4, 3, **around), 4))
    y = normalised(net, "bn2", conv(net, "conv2", y, 4, 3, 3, **around), 3)
    y = net.node("Relu", "relu2", net.node("Add", "shortcut", x, y))
    y = net.node("GlobalAveragePool", "pool", y)
    net.output(y, "batch", 3, 1, 1)
    return net


def transformer_block():
    """Self-attention with two heads and a mask, then a feed-forward part, each with layer normalisation."""
    net = Network("transformer_block")
    width, heads, head, inner = 6, 2, 3, 10
    x = net.input("x", "batch", "sequence", width)
    mask = net.input("mask", "batch", 1, 1, "sequence")
    split = net.constant("split", [0, 0, heads, head])
    parts = {}
    for part in ("query", "key", "value"):
        projected = linear(net, part, x, width, width)
        projected = net.node("Reshape", f"{part}.heads", projected, split)
        order = [0, 2, 3, 1] if part == "key" else [0, 2, 1, 3]
        parts[part] = net.node("Transpose", f"{part}.transpose", projected, perm=order)
    scores = net.node("MatMul", "scores", parts["query"], parts["key"])
    scores = net.node("Div", "scale", scores, net.constant("root", 3**0.5, numpy.float32))
    scores = net.node("Softmax", "attention", net.node("Add", "masked", scores, mask), axis=-1)
    mixed = net.node("Transpose", "mixed", net.node("MatMul", "mix", scores, parts["value"]), perm=[0, 2, 1, 3])
    mixed = net.node("Reshape", "joined", mixed, net.constant("join", [0, 0, width]))
    x = net.node("Add", "residual1", x, linear(net, "project", mixed, width, width))
    x = layer_norm(net, "norm1", x, width)
    y = linear(net, "expand", x, width, inner)
    y = linear(net, "contract", net.node("Relu", "relu", y), inner, width)
    x = layer_norm(net, "norm2", net.node("Add", "residual2", x, y), width)
    net.output(x, "batch", "sequence", width)
    return net


def layer_norm(net, name, x, width):
    scale, shift = net.input(f"{name}.scale", width), net.input(f"{name}.shift", width)
    return net.node("LayerNormalization", name, x, scale, shift, axis=-1)


def embedding():
    """Rows of a table that the input chooses."""
    net = Network("embedding")
    table = net.input("table", 50, 8)
    tokens = net.input("tokens", "batch", "sequence", kind=TensorProto.INT64)
    rows = net.node("Gather", "embed", table, tokens, axis=0)
    net.output(linear(net, "fc", rows, 8, 4), "batch", "sequence", 4)
    return net


def recurrent(net, operator, gates, x, steps, batch, inner, hidden):
    weights = [net.input("weight", 1, gates * hidden, inner), net.input("recurrence", 1, gates * hidden, hidden)]
    net.nodes.append(helper.make_node(operator, [x, *weights], ["states", "last"], name="recurrent", hidden_size=hidden))
    states = net.node("Squeeze", "squeeze", "states", net.constant("axis", [1]))
    net.output(linear(net, "fc", states, hidden, 4), steps, batch, 4)


def lstm():
    """A recurrent layer over sequences of any length."""
    net = Network("lstm")
    recurrent(net, "LSTM", 4, net.input("x", "sequence", "batch", 3), "sequence", "batch", 3, 5)
    return net


def gru():
    """One that torch-mlir lowers for constant sizes only."""
    net = Network("gru")
    recurrent(net, "GRU", 3, net.input("x", "sequence", "batch", 3), "sequence", "batch", 3, 5)
    return net


def extent(net, name, x, axis):
    return net.node("Gather", name, net.node("Shape", f"{name}.shape", x), net.constant(f"{name}.axis", axis), axis=0)


def viewed(net, name, x, *sizes):
    """A Reshape to sizes that are computed, as exporters write it."""
    axis = net.constant(f"{name}.axis", [0])
    known = lambda k, size: net.constant(f"{name}.{k}", [size])
    parts = [
        known(k, size) if isinstance(size, int) else net.node("Unsqueeze", f"{name}.unsqueeze{k}", size, axis)
        for k, size in enumerate(sizes)
    ]
    return net.node("Reshape", name, x, net.node("Concat", f"{name}.shape", *parts, axis=0))


def decoder():
    """Attention that looks back only, with shapes that are computed and one product over flattened rows for all of its inputs."""
    net = Network("decoder")
    width, heads, head, most = 6, 2, 3, 32
    x = net.input("x", "batch", "sequence", width)
    batch, sequence = extent(net, "batch", x, 0), extent(net, "sequence", x, 1)
    rows = viewed(net, "rows", layer_norm(net, "norm", x, width), -1, width)
    rows = net.node("Gemm", "attend", rows, net.input("attend.weight", width, 3 * width), net.input("attend.bias", 3 * width))
    rows = viewed(net, "whole", rows, batch, sequence, 3 * width)
    parts = ["query", "key", "value"]
    net.nodes.append(helper.make_node("Split", [rows, net.constant("thirds", [width] * 3)], parts, name="split", axis=2))
    turned = {}
    for part in parts:
        order = [0, 2, 3, 1] if part == "key" else [0, 2, 1, 3]
        split = viewed(net, f"{part}.heads", part, batch, sequence, heads, head)
        turned[part] = net.node("Transpose", f"{part}.transpose", split, perm=order)
    scores = net.node("MatMul", "scores", turned["query"], turned["key"])
    mask = net.constant("mask", numpy.tril(numpy.ones((1, 1, most, most))), bool)
    end = net.node("Unsqueeze", "end", sequence, net.constant("end.axis", [0]))
    for axis in (2, 3):
        limits = [net.constant(f"cut{axis}.{what}", [value]) for what, value in (("start", 0), ("axis", axis), ("step", 1))]
        mask = net.node("Slice", f"cut{axis}", mask, limits[0], end, limits[1], limits[2])
    scores = net.node("Where", "masked", mask, scores, net.constant("low", -1e9, numpy.float32))
    mixed = net.node("MatMul", "mix", net.node("Softmax", "attention", scores, axis=-1), turned["value"])
    mixed = viewed(net, "joined", net.node("Transpose", "mixed", mixed, perm=[0, 2, 1, 3]), batch, sequence, width)
    net.output(net.node("Add", "residual", x, linear(net, "project", mixed, width, width)), "batch", "sequence", width)
    return net


def scaled():
    """Down and up again: normalisation over channels, pooling, a transposed convolution, and two ways to enlarge an image."""
    net = Network("scaled")
    x = net.input("image", "batch", 3, 8, 8)
    y = net.node("LRN", "lrn", conv(net, "conv", x, 3, 4, 3, pads=[1, 1, 1, 1]), size=3)
    y = net.node("AveragePool", "pool", y, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    up = net.node("ConvTranspose", "up", y, net.input("up.weight", 4, 2, 2, 2), strides=[2, 2])
    factors = net.constant("factors", [1, 1, 2, 2], numpy.float32)
    near = net.node(
        "Resize", "near", y, "", factors, mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"
    )
    between = net.node("Resize", "between", y, "", factors, mode="linear", coordinate_transformation_mode="half_pixel")
    net.output(net.node("Concat", "join", up, near, between, axis=1), "batch", 10, 8, 8)
    return net


def old():
    """A file of the first version of the format: its constants are inputs, and what is added to it must not have to be."""
    net = Network("old", opset=9, version=3)
    x = net.node("LRN", "lrn", net.input("image", 2, 3, 8, 8), size=3)
    pooled = net.node("MaxPool", "pool", x, kernel_shape=[3, 3], strides=[2, 2])
    shape = net.constant(net.input("shape", 2, kind=TensorProto.INT64), [2, 27])
    net.output(net.node("Reshape", "flat", pooled, shape), 2, 27)
    return net


def defined():
    """Operators that ONNX defines by others, and torch-mlir does not lower."""
    net = Network("defined", opset=24, version=11)
    x = net.node("RMSNormalization", "norm", net.input("x", "batch", 2, "sequence", 4), net.input("norm.scale", 4))
    mixed = net.node("Attention", "attention", x, x, net.input("values", "batch", 2, "sequence", 4))
    net.output(net.node("Swish", "swish", mixed), "batch", 2, "sequence", 4)
    return net


def unsupported():
    """An operator that nobody knows."""
    net = Network("unsupported")
    net.output(net.node("Sharpen", "sharpen", net.input("x", "n"), domain="com.example"), "n")
    return net


def branches():
    """A branch on a value of the input."""
    net = Network("branches")
    x = net.input("x", "n")
    condition = net.node("Greater", "test", net.node("ReduceSum", "total", x, keepdims=0), net.constant("zero", 0, numpy.float32))
    sides = []
    for side, operator in (("then_branch", "Relu"), ("else_branch", "Neg")):
        inner = Network(side)
        inner.output(inner.node(operator, side, x), "n")
        sides.append((side, helper.make_graph(inner.nodes, side, [], inner.outputs)))
    net.output(net.node("If", "choice", condition, **dict(sides)), "n")
    return net


def repeated():
    """A loop whose number of iterations is an input."""
    net = Network("repeated")
    x, trips = net.input("x", "n"), net.input("trips", kind=TensorProto.INT64)
    tensor = lambda name, kind, *shape: helper.make_tensor_value_info(name, kind, shape)
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Relu", ["y"], ["next"])],
        "body",
        [tensor("i", TensorProto.INT64), tensor("go", TensorProto.BOOL), tensor("y", TensorProto.FLOAT, "n")],
        [tensor("on", TensorProto.BOOL), tensor("next", TensorProto.FLOAT, "n")],
    )
    net.output(net.node("Loop", "iterate", trips, "", x, body=body), "n")
    return net


NETWORKS = [mlp, lenet, resnet_block, transformer_block, embedding, lstm, gru, decoder, scaled, old, defined, unsupported, branches, repeated]

if __name__ == "__main__":
    directory = Path(sys.argv[1])
    for network in NETWORKS:
        model = network().model()
        onnx.checker.check_model(model, full_check=network is not unsupported)
        onnx.save(model, directory / f"{network.__name__}.onnx")
