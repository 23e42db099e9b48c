"""Shapes, copies, creation."""

import torch

import aten

from .node import Untranslatable, dtype_name, to_torch, translates


@translates("Constant")
def constant(node):
    for name, value in node.attributes.items():
        if name == "value":
            return [to_torch(value)]
        if name in ("value_int", "value_ints"):
            return [torch.tensor(value, dtype=torch.int64)]
        if name in ("value_float", "value_floats"):
            return [torch.tensor(value, dtype=torch.float32)]
    raise Untranslatable("a constant that is no tensor")


@translates("Shape")
def shape(node):
    sizes = list(node.input(0).shape)
    start, end = node.attribute("start", 0), node.attribute("end", len(sizes))
    return [torch.tensor(sizes[max(start, 0) if start >= 0 else max(start + len(sizes), 0):end], dtype=torch.int64)]


@translates("Size")
def size(node):
    return [torch.tensor(node.input(0).numel(), dtype=torch.int64)]


@translates("Concat")
def concat(node):
    return [node.call("cat", tensors=list(node.inputs), dim=node.attribute("axis"))]


@translates("Reshape")
def reshape(node):
    x, sizes = node.input(0), node.ints(1, "shape")
    if not node.attribute("allowzero", 0):
        sizes = [x.shape[at] if value == 0 else value for at, value in enumerate(sizes)]
    return [node.call("view", input=x, size=sizes)]


@translates("Flatten")
def flatten(node):
    x, axis = node.input(0), node.attribute("axis", 1)
    axis = axis % x.dim() if axis < 0 else axis
    rows = 1
    for value in x.shape[:axis]:
        rows *= value
    return [node.call("view", input=x, size=[rows, x.numel() // max(rows, 1)])]


@translates("Squeeze")
def squeeze(node):
    x = node.input(0)
    axes = node.ints(1, "axes")
    axes = [at for at, value in enumerate(x.shape) if value == 1] if axes is None else [axis % x.dim() for axis in axes]
    result = x
    for axis in sorted(axes, reverse=True):
        result = node.call("squeeze", input=result, dim=axis)
    return [result if axes else node.call("clone", input=x)]


@translates("Unsqueeze")
def unsqueeze(node):
    result = node.input(0)
    axes = node.ints(1, "axes")
    rank = result.dim() + len(axes)
    for axis in sorted(axis % rank for axis in axes):
        result = node.call("unsqueeze", input=result, dim=axis)
    return [result]


@translates("Transpose")
def transpose(node):
    rank = node.input(0).dim()
    return [node.call("permute", input=node.input(0), dims=list(node.attribute("perm", range(rank - 1, -1, -1))))]


@translates("Expand")
def expand(node):
    x = node.input(0)
    wanted = torch.broadcast_shapes(tuple(x.shape), tuple(node.ints(1, "shape")))
    return [node.call("expand", input=x, size=list(wanted))]


@translates("Tile")
def tile(node):
    return [node.call("repeat", input=node.input(0), repeats=node.ints(1, "repeats"))]


def reversed_along(node, x, dim, positions=None):
    """`x` with its elements along `dim` at `positions`, or all from last to first."""
    positions = range(x.shape[dim] - 1, -1, -1) if positions is None else positions
    return node.call("index_select", input=x, dim=dim, index=torch.tensor(list(positions), dtype=torch.int64))


@translates("Slice")
def slice_(node):
    result = node.input(0)
    starts, ends = node.ints(1, "starts"), node.ints(2, "ends")
    axes, steps = node.ints(3, "axes"), node.ints(4, "steps")
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        axis = axes[at] % result.dim() if axes else at
        step = steps[at] if steps else 1
        if step > 0:
            # PyTorch clamps as ONNX does.
            result = node.call("slice", input=result, dim=axis, start=start, end=end, step=step)
        else:
            positions = range(result.shape[axis])[start:end if end >= -result.shape[axis] else None:step]
            result = reversed_along(node, result, axis, positions)
    return [result if starts else node.call("clone", input=result)]


@translates("Split")
def split(node):
    x, axis = node.input(0), node.attribute("axis", 0)
    sizes = node.ints(1, "split")
    if sizes is None:
        parts = node.attribute("num_outputs", len(node.proto.output))
        each = -(-x.shape[axis] // parts)
        sizes = [min(each, max(x.shape[axis] - at * each, 0)) for at in range(parts)]
    return node.calls("split_with_sizes", input=x, split_sizes=sizes, dim=axis)


@translates("Pad")
def pad(node):
    x, mode = node.input(0), node.attribute("mode", "constant")
    pads, axes = node.ints(1, "pads"), node.ints(3, "axes")
    axes = [axis % x.dim() for axis in axes] if axes else list(range(x.dim()))
    before, after = dict(zip(axes, pads[:len(axes)])), dict(zip(axes, pads[len(axes):]))
    first = 0 if mode == "constant" else min((axis for axis in axes if before[axis] or after[axis]), default=0)
    amounts = [amount for axis in range(x.dim() - 1, first - 1, -1) for amount in (before.get(axis, 0), after.get(axis, 0))]
    if mode == "constant":
        return [node.call("constant_pad_nd", input=x, pad=amounts, value=node.scalar(2, "value", 0.0) or 0)]
    return [node.call("pad", input=x, pad=amounts, mode={"reflect": "reflect", "edge": "replicate", "wrap": "circular"}[mode])]


@translates("ConstantOfShape")
def constant_of_shape(node):
    value = node.attribute("value")
    value = torch.zeros(1) if value is None else to_torch(value)
    return [node.call("full", size=node.ints(0, "shape"), fill_value=value.reshape(-1)[0].item(), dtype=aten.DTYPES[value.dtype])]


@translates("Range")
def range_(node):
    start, end, step = (value.item() for value in node.inputs)
    return [node.call("arange", start=start, end=end, step=step, dtype=aten.DTYPES[node.input(0).dtype])]


@translates("EyeLike")
def eye_like(node):
    if node.attribute("k", 0):
        raise Untranslatable("PyTorch's eye has only the main diagonal")
    dtype = node.attribute("dtype")
    name = aten.DTYPES[node.input(0).dtype] if dtype is None else dtype_name(dtype)
    rows, columns = node.input(0).shape
    return [node.call("eye", n=rows, m=columns, dtype=name)]


@translates("Trilu")
def trilu(node):
    op = "triu" if node.attribute("upper", 1) else "tril"
    return [node.call(op, input=node.input(0), diagonal=node.scalar(1, None, 0))]


@translates("DepthToSpace")
def depth_to_space(node):
    x, block = node.input(0), node.attribute("blocksize")
    n, c, h, w = x.shape
    if node.attribute("mode", "DCR") == "DCR":
        parts, dims = [n, block, block, c // block**2, h, w], [0, 3, 4, 1, 5, 2]
    else:
        parts, dims = [n, c // block**2, block, block, h, w], [0, 1, 4, 2, 5, 3]
    moved = node.call("permute", input=node.call("view", input=x, size=parts), dims=dims)
    return [node.call("view", input=node.call("clone", input=moved), size=[n, c // block**2, h * block, w * block])]


@translates("SpaceToDepth")
def space_to_depth(node):
    x, block = node.input(0), node.attribute("blocksize")
    if node.attribute("mode", "DCR") != "DCR":
        raise Untranslatable("mode CRD")
    n, c, h, w = x.shape
    parts = node.call("view", input=x, size=[n, c, h // block, block, w // block, block])
    moved = node.call("clone", input=node.call("permute", input=parts, dims=[0, 3, 5, 1, 2, 4]))
    return [node.call("view", input=moved, size=[n, c * block**2, h // block, w // block])]
