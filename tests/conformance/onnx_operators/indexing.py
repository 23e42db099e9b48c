"""Gather, scatter, sort, scan."""

import torch

import aten

from .movement import reversed_along
from .node import Untranslatable, translates


def wrapped(node, indices, size):
    """Indices counted from the front."""
    return node.call("remainder", input=indices, other=size) if (indices < 0).any() else indices


@translates("Gather")
def gather(node):
    x, indices = node.input(0), node.input(1)
    axis = node.attribute("axis", 0) % x.dim()
    indices = wrapped(node, indices, x.shape[axis])
    if axis == 0 and x.dim() == 2:
        return [node.call("embedding", weight=x, indices=indices)]
    flat = indices if indices.dim() == 1 else node.call("view", input=indices, size=[-1])
    chosen = node.call("index_select", input=x, dim=axis, index=flat)
    if indices.dim() == 1:
        return [chosen]
    return [node.call("view", input=chosen, size=[*x.shape[:axis], *indices.shape, *x.shape[axis + 1:]])]


@translates("GatherElements")
def gather_elements(node):
    axis = node.attribute("axis", 0)
    index = node.call("to", input=node.input(1), dtype="i64") if node.input(1).dtype != torch.int64 else node.input(1)
    return [node.call("gather", input=node.input(0), dim=axis, index=wrapped(node, index, node.input(0).shape[axis]))]


def _coordinates(node, indices):
    """A list of index tensors of a tensor whose last dimension holds coordinates."""
    parts = [node.call("select", input=indices, dim=-1, index=at) for at in range(indices.shape[-1])]
    return [node.call("clone", input=part) for part in parts]


@translates("GatherND")
def gather_nd(node):
    x, indices, batch = node.input(0), node.input(1), node.attribute("batch_dims", 0)
    coordinates = _coordinates(node, indices)
    outer = []
    for dim in range(batch):
        counted = torch.arange(x.shape[dim]).reshape([-1 if at == dim else 1 for at in range(indices.dim() - 1)])
        outer.append(counted.expand(indices.shape[:-1]).contiguous())
    return [node.call("index", input=x, indices=outer + coordinates)]


@translates("ScatterElements", "Scatter")
def scatter_elements(node):
    x, axis, reduction = node.input(0), node.attribute("axis", 0), node.attribute("reduction", "none")
    index = wrapped(node, node.input(1), x.shape[axis])
    common = {"input": x, "dim": axis, "index": index, "src": node.input(2)}
    if reduction == "none":
        return [node.call("scatter", **common)]
    if reduction == "add":
        return [node.call("scatter_add", **common)]
    return [node.call("scatter_reduce", reduce={"mul": "prod", "max": "amax", "min": "amin"}[reduction], **common)]


@translates("ScatterND")
def scatter_nd(node):
    reduction = node.attribute("reduction", "none")
    if reduction not in ("none", "add"):
        raise Untranslatable(f"index_put does not reduce by {reduction}")
    indices = _coordinates(node, node.input(1))
    accumulate = {"accumulate": True} if reduction == "add" else {}
    return [node.call("index_put", input=node.input(0), indices=indices, values=node.input(2), **accumulate)]


@translates("TopK")
def top_k(node):
    x = node.input(0)
    return node.calls(
        "topk", input=x, k=node.ints(1, "k")[0], dim=node.attribute("axis", -1), largest=bool(node.attribute("largest", 1)),
        sorted=bool(node.attribute("sorted", 1)))


@translates("OneHot")
def one_hot(node):
    indices, depth, values = node.input(0), int(node.input(1).reshape(-1)[0]), node.input(2)
    axis = node.attribute("axis", -1) % (indices.dim() + 1)
    positions = node.call("remainder", input=indices, other=depth)
    counted = node.call("arange", end=depth, dtype=aten.DTYPES[indices.dtype])
    counted = node.call("view", input=counted, size=[-1 if at == axis else 1 for at in range(indices.dim() + 1)])
    equal = node.call("eq", input=node.call("unsqueeze", input=positions, dim=axis), other=counted)
    off, on = (node.call("select", input=values, dim=0, index=at) for at in (0, 1))
    return [node.call("where", condition=equal, input=on, other=off)]


@translates("Hardmax")
def hardmax(node):
    x = node.input(0)
    axis = node.attribute("axis", -1) % x.dim()
    largest = node.call("argmax", input=x, dim=axis, keepdim=True)
    counted = node.call("arange", end=x.shape[axis], dtype="i64")
    counted = node.call("view", input=counted, size=[-1 if at == axis else 1 for at in range(x.dim())])
    return [node.call("to", input=node.call("eq", input=largest, other=counted), dtype=aten.DTYPES[x.dtype])]


def _scan(op):
    def scan(node):
        x, axis = node.input(0), int(node.input(1).reshape(-1)[0])
        name = {"dtype": aten.DTYPES[x.dtype]} if not x.is_floating_point() else {}
        exclusive, backward = node.attribute("exclusive", 0), node.attribute("reverse", 0)
        dim = axis % x.dim()
        values = reversed_along(node, x, dim) if backward else x
        if exclusive:
            pad = [0, 0] * (x.dim() - 1 - dim) + [1, -1]
            values = node.call("constant_pad_nd", input=values, pad=pad, value=0 if op == "cumsum" else 1)
        result = node.call(op, input=values, dim=axis, **name)
        return [reversed_along(node, result, dim) if backward else result]
    return scan


translates("CumSum")(_scan("cumsum"))
translates("CumProd")(_scan("cumprod"))
