"""Convolutions and pooling."""

import math

from .node import Untranslatable, translates


def _padding(node, x, kernel, stride, dilation):
    """Padding before and after each spatial dimension."""
    spatial = len(kernel)
    mode = node.attribute("auto_pad", "NOTSET")
    if mode == "NOTSET":
        pads = list(node.attribute("pads", [0] * 2 * spatial))
        return pads[:spatial], pads[spatial:]
    if mode == "VALID":
        return [0] * spatial, [0] * spatial
    before, after = [], []
    for size, k, s, d in zip(x.shape[2:], kernel, stride, dilation, strict=True):
        total = max((math.ceil(size / s) - 1) * s + (k - 1) * d + 1 - size, 0)
        small, large = total // 2, total - total // 2
        before.append(small if mode == "SAME_UPPER" else large)
        after.append(large if mode == "SAME_UPPER" else small)
    return before, after


def _window(node, kernel):
    spatial = len(kernel)
    stride = list(node.attribute("strides", [1] * spatial))
    dilation = list(node.attribute("dilations", [1] * spatial))
    return spatial, stride, dilation, *_padding(node, node.input(0), kernel, stride, dilation)


def _padded(node, x, before, after, value):
    amounts = [amount for pair in reversed(list(zip(before, after, strict=True))) for amount in pair]
    return node.call("constant_pad_nd", input=x, pad=amounts, value=value)


@translates("Conv")
def conv(node):
    x, weight, bias = node.input(0), node.input(1), node.input(2)
    spatial, stride, dilation, before, after = _window(node, list(weight.shape[2:]))
    if before != after:
        x, before = _padded(node, x, before, after, 0.0), [0] * spatial
    given = {} if bias is None else {"bias": bias}
    return [node.call(f"conv{spatial}d", input=x, weight=weight, stride=stride, padding=before, dilation=dilation,
                      groups=node.attribute("group", 1), **given)]


@translates("ConvTranspose")
def conv_transpose(node):
    x, weight, bias = node.input(0), node.input(1), node.input(2)
    kernel = list(weight.shape[2:])
    spatial = len(kernel)
    stride = list(node.attribute("strides", [1] * spatial))
    dilation = list(node.attribute("dilations", [1] * spatial))
    extra = list(node.attribute("output_padding", [0] * spatial))
    mode, wanted = node.attribute("auto_pad", "NOTSET"), node.attribute("output_shape")
    if mode == "NOTSET" and wanted is None:
        pads = list(node.attribute("pads", [0] * 2 * spatial))
        before, after = pads[:spatial], pads[spatial:]
    else:
        before, after = [], []
        for at in range(spatial):
            size = x.shape[2 + at]
            full = stride[at] * (size - 1) + extra[at] + (kernel[at] - 1) * dilation[at] + 1
            total = full - (wanted[at] if wanted is not None else size * stride[at])
            small, large = total // 2, total - total // 2
            before.append(small if mode == "SAME_UPPER" else large)
            after.append(large if mode == "SAME_UPPER" else small)
    given = {} if bias is None else {"bias": bias}
    common = {"weight": weight, "stride": stride, "groups": node.attribute("group", 1), "dilation": dilation, **given}
    op = f"conv_transpose{spatial}d"
    if before == after and min(before) >= 0:
        return [node.call(op, input=x, padding=before, output_padding=extra, **common)]
    if any(extra):
        raise Untranslatable("padding that is not the same on both sides, with output padding")
    result = node.call(op, input=x, **common)
    # Padding of a transposed convolution cuts the result; negative padding adds zeros.
    return [_padded(node, result, [-amount for amount in before], [-amount for amount in after], 0.0)]


@translates("MaxPool")
def max_pool(node):
    if node.wants(1):
        raise Untranslatable("ONNX's indices count over the whole tensor, PyTorch's over a channel")
    x, kernel = node.input(0), list(node.attribute("kernel_shape"))
    spatial, stride, dilation, before, after = _window(node, kernel)
    if not x.is_floating_point():
        raise Untranslatable("PyTorch's max_pool takes floats")
    if before != after or any(2 * pad > size for pad, size in zip(before, kernel)):
        x, before = _padded(node, x, before, after, -math.inf), [0] * spatial
    return [node.call(f"max_pool{spatial}d", input=x, kernel_size=kernel, stride=stride, padding=before, dilation=dilation,
                      ceil_mode=bool(node.attribute("ceil_mode", 0)))]


@translates("AveragePool")
def average_pool(node):
    x, kernel = node.input(0), list(node.attribute("kernel_shape"))
    spatial, stride, dilation, before, after = _window(node, kernel)
    counted = bool(node.attribute("count_include_pad", 0))
    if any(each != 1 for each in dilation):
        raise Untranslatable("PyTorch's avg_pool has no dilation")
    if before != after:
        if not counted:
            raise Untranslatable("PyTorch's avg_pool pads the same on both sides")
        x, before = _padded(node, x, before, after, 0.0), [0] * spatial
    return [node.call(f"avg_pool{spatial}d", input=x, kernel_size=kernel, stride=stride, padding=before,
                      ceil_mode=bool(node.attribute("ceil_mode", 0)), count_include_pad=counted)]


@translates("GlobalAveragePool")
def global_average_pool(node):
    x = node.input(0)
    spatial = x.dim() - 2
    return [node.call(f"adaptive_avg_pool{spatial}d", input=x, output_size=[1] * spatial)]


@translates("GlobalMaxPool")
def global_max_pool(node):
    x = node.input(0)
    return [node.call("amax", input=x, dim=list(range(2, x.dim())), keepdim=True)]
