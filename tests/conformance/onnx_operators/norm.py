"""Softmax and norms."""

import aten

from .node import Untranslatable, translates


def _softmax(op):
    def softmax(node):
        x, axis = node.input(0), node.attribute("axis", -1 if node.opset >= 13 else 1)
        if node.opset < 13 and axis % x.dim() != x.dim() - 1:
            raise Untranslatable("softmax over several dimensions (before opset 13)")
        return [node.call(op, input=x, dim=axis)]
    return softmax


translates("Softmax")(_softmax("softmax"))
translates("LogSoftmax")(_softmax("log_softmax"))


def _normalized(node):
    x = node.input(0)
    axis = node.attribute("axis", -1) % x.dim()
    return x, list(range(axis, x.dim())), list(x.shape[axis:])


@translates("LayerNormalization")
def layer_norm(node):
    x, dims, shape = _normalized(node)
    eps = node.attribute("epsilon", 1e-5)
    given = {"weight": node.input(1), "bias": node.input(2)}
    given = {name: value for name, value in given.items() if value is not None}
    results = [node.call("layer_norm", input=x, normalized_shape=shape, eps=eps, **given)]
    if node.wants(1):
        mean = node.call("mean", input=x, dim=dims, keepdim=True)
        results.append(mean)
    if node.wants(2):
        centred = node.call("sub", input=x, other=mean)
        variance = node.call("mean", input=node.call("mul", input=centred, other=centred), dim=dims, keepdim=True)
        results.append(node.call("rsqrt", input=node.call("add", input=variance, other=eps)))
    return results


@translates("RMSNormalization")
def rms_norm(node):
    x, _, shape = _normalized(node)
    return [node.call("rms_norm", input=x, normalized_shape=shape, weight=node.input(1), eps=node.attribute("epsilon", 1e-5))]


@translates("GroupNormalization")
def group_norm(node):
    if node.opset < 21:
        raise Untranslatable("a scale per group (before opset 21)")
    return [node.call("group_norm", input=node.input(0), num_groups=node.attribute("num_groups"), weight=node.input(1),
                      bias=node.input(2), eps=node.attribute("epsilon", 1e-5))]


@translates("InstanceNormalization")
def instance_norm(node):
    x = node.input(0)
    return [node.call("group_norm", input=x, num_groups=x.shape[1], weight=node.input(1), bias=node.input(2),
                      eps=node.attribute("epsilon", 1e-5))]


@translates("BatchNormalization")
def batch_norm(node):
    if node.attribute("training_mode", 0):
        raise Untranslatable("training")
    x, weight, bias, mean, variance = node.inputs
    return [node.call("batch_norm", input=x, running_mean=mean, running_var=variance, weight=weight, bias=bias, training=False,
                      eps=node.attribute("epsilon", 1e-5))]


@translates("LpNormalization")
def lp_normalization(node):
    x = node.input(0)
    norm = node.call("linalg_vector_norm", input=x, ord=node.attribute("p", 2), dim=[node.attribute("axis", -1)], keepdim=True)
    if (norm == 0).any():
        ones = node.call("full", size=[], fill_value=1.0, dtype=aten.DTYPES[norm.dtype])
        norm = node.call("where", condition=node.call("eq", input=norm, other=0), input=ones, other=norm)
    return [node.call("div", input=x, other=norm)]


@translates("MeanVarianceNormalization")
def mean_variance_normalization(node):
    x, dims = node.input(0), list(node.attribute("axes", [0, 2, 3]))
    mean = node.call("mean", input=x, dim=dims, keepdim=True)
    square = node.call("mean", input=node.call("mul", input=x, other=x), dim=dims, keepdim=True)
    variance = node.call("sub", input=square, other=node.call("mul", input=mean, other=mean))
    deviation = node.call("add", input=node.call("sqrt", input=variance), other=1e-9)
    return [node.call("div", input=node.call("sub", input=x, other=mean), other=deviation)]
