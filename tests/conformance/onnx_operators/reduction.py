"""Reductions."""

import aten

from .node import Untranslatable, translates


def _dims(node):
    """Dimensions reduced, or None where the operator is to do nothing."""
    axes, rank = node.ints(1, "axes"), node.input(0).dim()
    nothing = node.attribute("noop_with_empty_axes", 0)
    if axes:
        return [axis % rank if rank else axis for axis in axes]
    return None if nothing else list(range(rank))


def _keep(node):
    return {"keepdim": bool(node.attribute("keepdims", 1))}


def _native(node, result):
    x = node.input(0)
    return result if result.dtype == x.dtype else node.call("to", input=result, dtype=aten.DTYPES[x.dtype])


def _reduce(op, before=None, after=None, each=False, **more):
    def reduce(node):
        dims, x, keep = _dims(node), node.input(0), _keep(node)
        if dims is None and not before:
            return [node.call("clone", input=x)]
        if before == "square":
            x = node.call("mul", input=x, other=x)
        if dims is None:
            return [x]
        if each:
            for dim in sorted(dims, reverse=True):
                x = node.call(op, input=x, dim=dim, **keep)
        else:
            x = node.call(op, input=x, dim=dims, **keep, **more)
        return [_native(node, node.call(after, input=x) if after else x)]
    return reduce


for _name, _function in {
    "ReduceSum": _reduce("sum"), "ReduceMean": _reduce("mean"), "ReduceMax": _reduce("amax"), "ReduceMin": _reduce("amin"),
    "ReduceProd": _reduce("prod", each=True), "ReduceL1": _reduce("linalg_vector_norm", ord=1),
    "ReduceL2": _reduce("linalg_vector_norm"), "ReduceLogSum": _reduce("sum", after="log"),
    "ReduceLogSumExp": _reduce("logsumexp"), "ReduceSumSquare": _reduce("sum", before="square"),
}.items():
    translates(_name)(_function)


@translates("ArgMax", "ArgMin")
def arg(node):
    if node.attribute("select_last_index", 0):
        raise Untranslatable("PyTorch has no choice of the last of equal elements")
    op = {"ArgMax": "argmax", "ArgMin": "argmin"}[node.proto.op_type]
    return [node.call(op, input=node.input(0), dim=node.attribute("axis", 0), **_keep(node))]
