"""PyTorch's functions under the names and argument names of the vocabulary (`input` for `self`, dtypes by their trace names)."""

import inspect

import torch
import torch.nn.functional as F

DTYPES = {
    torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.float64: "f64", torch.int64: "i64",
    torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool",
    torch.float8_e4m3fn: "f8_e4m3", torch.float8_e5m2: "f8_e5m2",
}
BY_NAME = {name: dtype for dtype, name in DTYPES.items()}

# Their results are values of their inputs (or of their arguments), truth values, or positions: nothing to compute in f64.
EXACT = {
    "abs", "adaptive_max_pool2d", "alias", "all", "amax", "amin", "any", "arange", "argmax", "argmin", "argsort", "bitwise_and",
    "bitwise_not", "bitwise_or", "bitwise_xor", "broadcast_to", "cat", "ceil", "chunk", "clamp", "clone", "constant_pad_nd",
    "diagonal", "embedding", "eq", "expand", "eye", "flatten", "flip", "floor", "full", "full_like", "gather", "ge", "gt", "hardshrink",
    "index", "index_select", "isinf", "isnan", "le", "logical_and", "logical_not", "logical_or", "logical_xor", "lt",
    "masked_fill", "max", "max_pool1d", "max_pool2d", "max_pool2d_with_indices", "max_pool3d", "maximum", "min", "minimum",
    "narrow", "ne", "neg", "new_ones", "ones", "ones_like", "pad", "permute", "relu", "repeat", "repeat_interleave", "reshape",
    "roll", "round", "scatter", "select", "sign", "slice", "slice_scatter", "sort", "split", "split_with_sizes", "squeeze",
    "stack", "threshold", "topk", "transpose", "tril", "triu", "trunc", "unbind", "unflatten", "unsqueeze", "view", "where",
    "zeros", "zeros_like",
}
# They take a Python scalar as f32 beside tensors of f32 and narrower.
ARITHMETIC = {"add", "sub", "rsub", "mul", "div", "pow", "remainder", "fmod"}


def _to(input, dtype):
    return input.to(BY_NAME[dtype])


def _max_pool(spatial):
    function = getattr(F, f"max_pool{spatial}d")
    return lambda input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False: function(
        input, kernel_size, stride, padding, dilation, ceil_mode)


def _index(input, indices):
    return input[tuple(indices)]


def _index_put(input, indices, values, accumulate=False):
    return input.index_put(tuple(indices), values, accumulate)


def _scaled_dot_product_attention(query, key, value, attn_mask=None, is_causal=False, scale=None, enable_gqa=False):
    return F.scaled_dot_product_attention(
        query, key, value, attn_mask=attn_mask, is_causal=is_causal, scale=scale, enable_gqa=enable_gqa)


def _clone(input):
    return input.clone(memory_format=torch.contiguous_format)


IRREGULAR = {
    "to": _to, "clone": _clone, "alias": _clone, "index": _index, "index_put": _index_put,
    "view": lambda input, size: input.reshape(size), "reshape": lambda input, shape: input.reshape(shape),
    "expand": lambda input, size: input.expand(size), "repeat": lambda input, repeats: input.repeat(repeats),
    "slice": lambda input, dim=0, start=None, end=None, step=1: torch.ops.aten.slice(input, dim, start, end, step),
    "arange": lambda end, start=0, step=1, dtype=None: torch.arange(start, end, step, dtype=BY_NAME.get(dtype)),
    "full": lambda size, fill_value, dtype: torch.full(size, fill_value, dtype=BY_NAME[dtype]),
    "eye": lambda n, m=None, dtype="f32": torch.eye(n, n if m is None else m, dtype=BY_NAME[dtype]),
    "cat": lambda tensors, dim=0: torch.cat(tensors, dim), "stack": lambda tensors, dim=0: torch.stack(tensors, dim),
    "sum": lambda input, dim=None, keepdim=False, dtype=None: torch.sum(input, dim, keepdim, dtype=BY_NAME.get(dtype)),
    "mean": lambda input, dim=None, keepdim=False, dtype=None: torch.mean(input, dim, keepdim, dtype=BY_NAME.get(dtype)),
    "embedding": lambda weight, indices: F.embedding(indices, weight),
    "linalg_vector_norm": lambda input, ord=2, dim=None, keepdim=False: torch.linalg.vector_norm(input, ord, dim, keepdim),
    "split_with_sizes": lambda input, split_sizes, dim=0: torch.split_with_sizes(input, split_sizes, dim),
    "softmax": lambda input, dim, dtype=None: torch.softmax(input, dim, dtype=BY_NAME.get(dtype)),
    "log_softmax": lambda input, dim, dtype=None: torch.log_softmax(input, dim, dtype=BY_NAME.get(dtype)),
    "cumsum": lambda input, dim, dtype=None: torch.cumsum(input, dim, dtype=BY_NAME.get(dtype)),
    "cumprod": lambda input, dim, dtype=None: torch.cumprod(input, dim, dtype=BY_NAME.get(dtype)),
    "scaled_dot_product_attention": _scaled_dot_product_attention,
    "constant_pad_nd": lambda input, pad, value=0: F.pad(input, pad, value=value),
    "pad": F.pad, "max_pool1d": _max_pool(1), "max_pool2d": _max_pool(2), "max_pool3d": _max_pool(3),
    "ones": lambda size, dtype="f32": torch.ones(size, dtype=BY_NAME[dtype]),
    "zeros": lambda size, dtype="f32": torch.zeros(size, dtype=BY_NAME[dtype]),
    "batch_norm": F.batch_norm, "layer_norm": F.layer_norm, "group_norm": F.group_norm, "softplus": F.softplus,
    "split": lambda input, split_size, dim=0: torch.split(input, split_size, dim),
    "scatter": lambda input, dim, index, src=None, value=None: torch.scatter(input, dim, index, value if src is None else src),
}


def function(op):
    """The PyTorch function of an operator."""
    if op in IRREGULAR:
        return IRREGULAR[op]
    for module in (torch, F, torch.ops.aten):
        found = getattr(module, op, None)
        if found is not None:
            return found
    raise KeyError(op)


def results(value):
    """The results of a call as a list."""
    return [value] if isinstance(value, torch.Tensor) else list(value)


def call(op, **args):
    """Runs an operator in the dtypes of its inputs."""
    return results(function(op)(**args))


def widened(value):
    """A tensor in f64, where it is of floats."""
    return value.double() if value.is_floating_point() else value


def _convert(value, scalar):
    if isinstance(value, torch.Tensor):
        return widened(value)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], torch.Tensor):
        return [widened(item) for item in value]
    return scalar(value) if isinstance(value, float) else value


def _single(value):
    return float(torch.tensor(value, dtype=torch.float32))


def in_f64(op, native, **args):
    """What the oracle has to give: the operator in f64 on the same inputs; `native` is its result in their own dtypes."""
    if op == "to":
        if not native[0].is_floating_point():
            return [native[0]]
        wide = args["input"].double()
        # Of f8_e4m3, which has no infinity, the largest number stands for what is beyond it.
        return [torch.where(wide.abs() > torch.finfo(native[0].dtype).max, native[0].double(), wide)]
    if (op in EXACT and not args.get("decimals")) or not any(result.is_floating_point() for result in native):
        return [widened(result) for result in native]
    scalar = _single if op in ARITHMETIC else float
    arguments = {name: _convert(value, scalar) for name, value in args.items()}
    if args.get("dtype") in ("f32", "f16", "bf16"):
        arguments["dtype"] = "f64"
    if op == "rms_norm" and args.get("eps") is None:
        arguments["eps"] = torch.finfo(torch.float32).eps
    # Integers beside floats are f32 in PyTorch, and f64 here.
    default = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        wide = call(op, **arguments)
    finally:
        torch.set_default_dtype(default)
    if [result.shape for result in wide] != [result.shape for result in native]:
        raise ValueError(f"{op} has other shapes in f64")
    return [widened(result) for result in wide]


def parameters(op):
    """Argument names of a Python function, or None where it is built in."""
    try:
        return [name for name in inspect.signature(function(op)).parameters if not name.startswith("_")]
    except (TypeError, ValueError):
        return None
