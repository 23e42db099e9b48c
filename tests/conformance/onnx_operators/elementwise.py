"""Unary, binary, comparison, logic, casts."""

import math

import torch

import aten

from .node import OPERATORS, Untranslatable, dtype_name, translates

UNARY = {
    "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Asin": "asin", "Asinh": "asinh", "Atan": "atan", "Atanh": "atanh",
    "BitwiseNot": "bitwise_not", "Ceil": "ceil", "Cos": "cos", "Cosh": "cosh", "Erf": "erf", "Exp": "exp", "Floor": "floor",
    "HardSwish": "hardswish", "Identity": "clone", "IsNaN": "isnan", "Log": "log", "Mish": "mish", "Neg": "neg",
    "Not": "logical_not", "Reciprocal": "reciprocal", "Relu": "relu", "Round": "round", "Sigmoid": "sigmoid", "Sign": "sign",
    "Sin": "sin", "Sinh": "sinh", "Softplus": "softplus", "Sqrt": "sqrt", "Tan": "tan", "Tanh": "tanh",
}
BINARY = {
    "Add": "add", "And": "logical_and", "BitwiseAnd": "bitwise_and", "BitwiseOr": "bitwise_or", "BitwiseXor": "bitwise_xor",
    "Equal": "eq", "Greater": "gt", "GreaterOrEqual": "ge", "Less": "lt", "LessOrEqual": "le", "Mul": "mul", "Or": "logical_or",
    "Sub": "sub", "Xor": "logical_xor",
}
FOLDED = {"Max": "maximum", "Min": "minimum", "Sum": "add"}


def _unary(op):
    return lambda node: [node.call(op, input=node.input(0))]


def _binary(op):
    return lambda node: [node.call(op, input=node.input(0), other=node.input(1))]


def _folded(op):
    def fold(node):
        result = node.input(0)
        if len(node.inputs) == 1:
            return [node.call("clone", input=result)]
        for other in node.inputs[1:]:
            result = node.call(op, input=result, other=other)
        return [result]
    return fold


OPERATORS.update({name: _unary(op) for name, op in UNARY.items()})
OPERATORS.update({name: _binary(op) for name, op in BINARY.items()})
OPERATORS.update({name: _folded(op) for name, op in FOLDED.items()})


@translates("Mean")
def mean(node):
    total = OPERATORS["Sum"](node)[0]
    return [node.call("div", input=total, other=len(node.inputs))]


@translates("Div")
def div(node):
    if node.input(0).is_floating_point():
        return [node.call("div", input=node.input(0), other=node.input(1))]
    return [node.call("div", input=node.input(0), other=node.input(1), rounding_mode="trunc")]


@translates("Pow")
def power(node):
    base = node.input(0)
    result = node.call("pow", input=base, exponent=node.input(1))
    return [result if result.dtype == base.dtype else node.call("to", input=result, dtype=aten.DTYPES[base.dtype])]


@translates("Mod")
def mod(node):
    return [node.call("fmod" if node.attribute("fmod", 0) else "remainder", input=node.input(0), other=node.input(1))]


@translates("BitShift")
def bit_shift(node):
    op = "bitwise_left_shift" if node.attribute("direction") == "LEFT" else "bitwise_right_shift"
    return [node.call(op, input=node.input(0), other=node.input(1))]


@translates("Where")
def where(node):
    return [node.call("where", condition=node.input(0), input=node.input(1), other=node.input(2))]


@translates("Clip")
def clip(node):
    bounds = {name: node.scalar(at, name) for at, name in ((1, "min"), (2, "max"))}
    bounds = {name: value for name, value in bounds.items() if value is not None}
    if not bounds:
        return [node.call("clone", input=node.input(0))]
    return [node.call("clamp", input=node.input(0), **bounds)]


@translates("Cast")
def cast(node):
    return [node.call("to", input=node.input(0), dtype=dtype_name(node.attribute("to")))]


@translates("CastLike")
def cast_like(node):
    return [node.call("to", input=node.input(0), dtype=aten.DTYPES[node.input(1).dtype])]


@translates("IsInf")
def is_inf(node):
    signs = node.attribute("detect_negative", 1), node.attribute("detect_positive", 1)
    if signs == (1, 1):
        return [node.call("isinf", input=node.input(0))]
    return [node.call("eq", input=node.input(0), other=-math.inf if signs[0] else math.inf)]


@translates("Elu")
def elu(node):
    return [node.call("elu", input=node.input(0), alpha=node.attribute("alpha", 1.0))]


@translates("Celu")
def celu(node):
    return [node.call("celu", input=node.input(0), alpha=node.attribute("alpha", 1.0))]


@translates("Selu")
def selu(node):
    if "alpha" not in node.attributes and "gamma" not in node.attributes:
        return [node.call("selu", input=node.input(0))]
    scaled = node.call("elu", input=node.input(0), alpha=node.attribute("alpha", 1.67326319217681884765625))
    return [node.call("mul", input=scaled, other=node.attribute("gamma", 1.05070102214813232421875))]


@translates("LeakyRelu")
def leaky_relu(node):
    return [node.call("leaky_relu", input=node.input(0), negative_slope=node.attribute("alpha", 0.01))]


@translates("PRelu")
def prelu(node):
    x, slope = node.input(0), node.input(1)
    scaled = node.call("mul", input=x, other=slope)
    return [node.call("where", condition=node.call("lt", input=x, other=0), input=scaled, other=x)]


@translates("ThresholdedRelu")
def thresholded_relu(node):
    x = node.input(0)
    above = node.call("gt", input=x, other=node.attribute("alpha", 1.0))
    return [node.call("where", condition=above, input=x, other=0.0)]


@translates("Shrink")
def shrink(node):
    bias, threshold = node.attribute("bias", 0.0), node.attribute("lambd", 0.5)
    if bias == 0.0:
        return [node.call("hardshrink", input=node.input(0), lambd=threshold)]
    if bias == threshold:
        return [node.call("softshrink", input=node.input(0), lambd=threshold)]
    raise Untranslatable("PyTorch has no shrink with both a threshold and another bias")


@translates("HardSigmoid")
def hard_sigmoid(node):
    scaled = node.call("mul", input=node.input(0), other=node.attribute("alpha", 0.2))
    return [node.call("clamp", input=node.call("add", input=scaled, other=node.attribute("beta", 0.5)), min=0.0, max=1.0)]


@translates("Softsign")
def softsign(node):
    x = node.input(0)
    return [node.call("div", input=x, other=node.call("add", input=node.call("abs", input=x), other=1.0))]


@translates("Swish")
def swish(node):
    x, alpha = node.input(0), node.attribute("alpha", 1.0)
    if alpha == 1.0:
        return [node.call("silu", input=x)]
    return [node.call("mul", input=x, other=node.call("sigmoid", input=node.call("mul", input=x, other=alpha)))]


@translates("Gelu")
def gelu(node):
    return [node.call("gelu", input=node.input(0), approximate=node.attribute("approximate", "none"))]


@translates("Dropout")
def dropout(node):
    training = node.input(2)
    ratio = node.scalar(1, "ratio", 0.5)
    if training is not None and bool(training) and ratio != 0:
        raise Untranslatable("random")
    results = [node.call("clone", input=node.input(0))]
    if node.wants(1):
        results.append(node.call("full", size=list(node.input(0).shape), fill_value=True, dtype="bool"))
    return results


def _along(node, value, rank, axis):
    """A scale or zero point per tensor or per slice of `axis`, broadcastable."""
    if value.numel() == 1:
        return node.call("view", input=value, size=[]) if value.dim() else value
    if value.dim() != 1:
        raise Untranslatable("quantised in blocks")
    return node.call("view", input=value, size=[-1 if at == axis % rank else 1 for at in range(rank)])


@translates("DequantizeLinear")
def dequantize_linear(node):
    x, scale, zero = node.input(0), node.input(1), node.input(2)
    axis = node.attribute("axis", 1)
    values = node.call("to", input=x, dtype=aten.DTYPES[scale.dtype])
    if zero is not None:
        shift = node.call("to", input=zero, dtype=aten.DTYPES[scale.dtype])
        values = node.call("sub", input=values, other=_along(node, shift, x.dim(), axis))
    return [node.call("mul", input=values, other=_along(node, scale, x.dim(), axis))]


@translates("QuantizeLinear")
def quantize_linear(node):
    x, scale, zero = node.input(0), node.input(1), node.input(2)
    axis = node.attribute("axis", 1)
    target = zero.dtype if zero is not None else torch.uint8
    if target not in (torch.uint8, torch.int8, torch.int16):
        raise Untranslatable("quantised to a float format")
    values = node.call("round", input=node.call("div", input=x, other=_along(node, scale, x.dim(), axis)))
    if zero is not None:
        shift = node.call("to", input=zero, dtype=aten.DTYPES[x.dtype])
        values = node.call("add", input=values, other=_along(node, shift, x.dim(), axis))
    limits = torch.iinfo(target)
    values = node.call("clamp", input=values, min=limits.min, max=limits.max)
    return [node.call("to", input=values, dtype=aten.DTYPES[target])]
