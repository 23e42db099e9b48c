"""Expected results of every operator, computed by PyTorch: operators.safetensors and operators.json.

    python3 make_operators.py [FOLDER]

Each case has its inputs, its arguments and two results: `expected`, computed in f64 from the same inputs, and `source`, computed in
the inputs' own dtypes on CUDA where there is one. Operators that move, select or compare values are exact, so their `expected` is
`source`. Views have layouts only.
"""

import json
import sys
from pathlib import Path

import numpy as np
import safetensors.torch
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from operator_views import view_cases
from quantized_blocks import Quantized

DTYPES = {
    torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.float64: "f64", torch.int64: "i64",
    torch.int32: "i32", torch.uint8: "u8", torch.bool: "bool",
}
BY_NAME = {name: dtype for dtype, name in DTYPES.items()}
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
RANDOM = torch.Generator().manual_seed(20261201)
INF = float("inf")


def attention(query, key, value, attn_mask=None, is_causal=False, scale=None, enable_gqa=False):
    return F.scaled_dot_product_attention(
        query, key, value, attn_mask=attn_mask, is_causal=is_causal, scale=scale, enable_gqa=enable_gqa)


def unary(function):
    return lambda input: function(input)


OPERATORS = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "div": torch.div, "pow": torch.pow, "le": torch.le, "eq": torch.eq,
    "where": torch.where, "clamp": torch.clamp, "neg": unary(torch.neg), "rsqrt": unary(torch.rsqrt),
    "sqrt": unary(torch.sqrt), "cos": unary(torch.cos), "sin": unary(torch.sin), "exp": unary(torch.exp),
    "tanh": unary(torch.tanh), "sigmoid": unary(torch.sigmoid), "silu": F.silu, "relu": F.relu, "gelu": F.gelu,
    "to": lambda input, dtype: input.to(BY_NAME[dtype]),
    "clone": lambda input: input.clone(memory_format=torch.contiguous_format),
    "cat": lambda tensors, dim=0: torch.cat(tensors, dim),
    "embedding": lambda weight, indices: F.embedding(indices, weight),
    "sum": lambda input, dim=None, keepdim=False: torch.sum(input, dim, keepdim),
    "mean": lambda input, dim=None, keepdim=False: torch.mean(input, dim, keepdim),
    "linalg_vector_norm": lambda input, ord=2, dim=None, keepdim=False: torch.linalg.vector_norm(input, ord, dim, keepdim),
    "argmax": lambda input, dim=None, keepdim=False: torch.argmax(input, dim, keepdim),
    "linear": F.linear, "matmul": torch.matmul, "softmax": lambda input, dim: torch.softmax(input, dim),
    "layer_norm": F.layer_norm, "rms_norm": F.rms_norm, "scaled_dot_product_attention": attention,
}
# Their results are some of their inputs' values, or truth values: nothing to compute in f64.
EXACT = {"le", "eq", "where", "clamp", "neg", "relu", "clone", "cat", "embedding", "argmax"}
# They take a Python scalar as f32 beside tensors of f32 and narrower.
ARITHMETIC = {"add", "sub", "mul", "div", "pow"}

cases, tensors, entries = [], {}, []


def store(key, value):
    """Adds a tensor to the file; gives its position."""
    assert key not in tensors, f"{key} stands for two tensors"
    if isinstance(value, Quantized):
        tensors[key], dtype, shape = torch.from_numpy(value.blocks.copy()), value.dtype, value.shape
    else:
        tensors[key], dtype, shape = value.detach().cpu().contiguous().clone(), DTYPES[value.dtype], list(value.shape)
    entries.append({"key": key, "dtype": dtype, "shape": list(shape)})
    return len(entries) - 1


def argument(key, value):
    """An argument in the form that a trace gives it."""
    if isinstance(value, (torch.Tensor, Quantized)):
        return {"tensor": store(key, value)}
    if is_tensors(value):
        return {"tensors": [None if tensor is None else store(f"{key}.{at}", tensor) for at, tensor in enumerate(value)]}
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": str(value)}
    return value


def is_tensors(value):
    """Whether an argument is a list of tensors, of which some may be None."""
    return isinstance(value, list) and any(isinstance(item, torch.Tensor) for item in value)


def convert(value, tensor, scalar=float):
    if isinstance(value, Quantized):
        return tensor(torch.from_numpy(value.values))
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if is_tensors(value):
        return [None if item is None else tensor(item) for item in value]
    return scalar(value) if isinstance(value, float) else value


def single(value):
    return float(np.float32(value))


def case(op, name, f64=None, device=DEVICE, **args):
    """Computes and stores a case; `f64` replaces arguments where it is computed in f64."""
    def native(value):
        return value.to(device)

    def double(value):
        return value if value.dtype == torch.bool else value.double()

    identifier = f"{op}.{name}"
    sources = results(OPERATORS[op](**{key: convert(value, native) for key, value in args.items()}))
    if op in EXACT or not any(source.is_floating_point() for source in sources):
        expected = [double(source) if source.is_floating_point() else source for source in sources]
    elif op == "to":
        expected = [double(args["input"]).double()]
    else:
        with sdpa_kernel(SDPBackend.MATH):
            scalar = single if op in ARITHMETIC else float
            given = {key: convert(value, double, scalar) for key, value in (args | (f64 or {})).items()}
            expected = results(OPERATORS[op](**given))
    for result, source in zip(expected, sources, strict=True):
        assert not source.is_floating_point() or result.dtype == torch.float64, identifier
        assert result.shape == source.shape, identifier
    cases.append({
        "id": identifier, "op": op,
        "args": {key: argument(f"{identifier}.{key}", value) for key, value in args.items()},
        "expected": [store(numbered(f"{identifier}.expected", at), result) for at, result in enumerate(expected)],
        "source": [store(numbered(f"{identifier}.source", at), source) for at, source in enumerate(sources)],
    })


def results(value):
    """The results of a call as a list on the CPU."""
    return [value.cpu()] if isinstance(value, torch.Tensor) else [tensor.cpu() for tensor in value]


def numbered(key, at):
    return key if at == 0 else f"{key}.{at}"


def normal(*shape, scale=1.0, dtype=torch.float32):
    return (torch.randn(shape, generator=RANDOM, dtype=torch.float64) * scale).to(dtype)


def integers(low, high, *shape, dtype=torch.int64):
    return torch.randint(low, high, shape, generator=RANDOM, dtype=torch.int64).to(dtype)


def boolean(*shape):
    return integers(0, 2, *shape).bool()


def spread(low, high, count, dtype=torch.float32):
    return torch.linspace(low, high, count, dtype=torch.float64).to(dtype)


def binary_cases():
    for op in ["add", "sub", "mul", "div"]:
        case(op, "same_shape", input=normal(3, 4), other=normal(3, 4))
        case(op, "broadcast", input=normal(2, 1, 4), other=normal(3, 1))
        case(op, "rank_0", input=normal(2, 3), other=normal())
        case(op, "rank_0_left", input=normal(), other=normal(2, 3))
        case(op, "scalar", input=normal(5), other=0.1)
        case(op, "integer_scalar", input=normal(5), other=3)
        case(op, "empty", input=normal(0, 3), other=normal(3))
        case(op, "f16", input=normal(4, dtype=torch.float16), other=normal(4, dtype=torch.float16))
        case(op, "bf16_and_f32", input=normal(4, dtype=torch.bfloat16), other=normal(4))
        case(op, "f16_and_rank_0_f32", input=normal(4, dtype=torch.float16), other=torch.tensor(0.3))
        case(op, "i64", input=integers(-50, 50, 6), other=integers(1, 9, 6))
        case(op, "i32_and_float", input=integers(-50, 50, 6, dtype=torch.int32), other=0.5)
        case(op, "i64_and_f32", input=integers(-50, 50, 6), other=normal(6))
    for op in ["add", "sub"]:
        case(op, "alpha", input=normal(4), other=normal(4), alpha=2.5)
        case(op, "integer_alpha", input=integers(-9, 9, 4), other=integers(-9, 9, 4), alpha=3)
    case("add", "i32_wraps", input=torch.tensor([2**31 - 1], dtype=torch.int32), other=torch.tensor([1], dtype=torch.int32))
    case("mul", "u8_wraps", input=torch.tensor([200], dtype=torch.uint8), other=torch.tensor([3], dtype=torch.uint8))
    case("add", "bool_and_int", input=boolean(5), other=2)
    case("mul", "bool_and_bool", input=boolean(8), other=boolean(8))
    case("div", "by_zero", input=torch.tensor([1.0, -1.0, 0.0]), other=torch.zeros(3))
    positive = normal(6).abs() + 0.1
    for name, exponent in [("square", 2), ("cube", 3), ("root", 0.5), ("inverse_root", -0.5), ("zeroth", 0), ("inverse", -1)]:
        case("pow", name, input=positive, exponent=exponent)
    case("pow", "negative_base", input=-positive, exponent=3.0)
    case("pow", "nan_of_negative_base", input=-positive, exponent=0.5)
    case("pow", "tensors", input=positive, exponent=normal(6))
    case("pow", "broadcast", input=positive.reshape(6, 1), exponent=torch.tensor([0.0, 1.0, 2.0]))
    case("pow", "integers", input=integers(-4, 5, 8), exponent=integers(0, 5, 8))
    case("pow", "integer_and_float", input=integers(1, 9, 8), exponent=0.5)
    case("pow", "zeros", input=torch.zeros(3), exponent=torch.tensor([0.0, 1.0, -1.0]))


def selection_cases():
    values = torch.tensor([-1.0, -0.0, 0.0, 0.1, 1.0, INF, -INF, float("nan")])
    for op in ["le", "eq"]:
        case(op, "broadcast", input=values.reshape(8, 1), other=values)
        case(op, "scalar_is_rounded", input=values, other=0.1)
        case(op, "integer_scalar", input=values, other=1)
        case(op, "i64", input=integers(-2, 3, 9), other=integers(-2, 3, 9))
        case(op, "i64_and_f32", input=integers(-2, 3, 9), other=torch.tensor(0.5))
        case(op, "large_i64", input=torch.tensor([2**53, 2**53 + 1]), other=torch.tensor([2**53, 2**53]))
        case(op, "bool", input=boolean(4), other=boolean(4))
        case(op, "empty", input=normal(0), other=normal(1))
    case("where", "same_shape", condition=boolean(3, 4), input=normal(3, 4), other=normal(3, 4))
    case("where", "broadcast", condition=boolean(3, 1), input=normal(4), other=normal(2, 1, 1))
    case("where", "minus_infinity", condition=boolean(3, 4), input=normal(3, 4), other=-INF)
    case("where", "scalar_is_rounded", condition=boolean(8), input=normal(8), other=0.1)
    case("where", "i64", condition=boolean(8), input=integers(0, 9, 8), other=7)
    case("clamp", "both", input=values, min=-0.5, max=0.1)
    case("clamp", "min", input=values, min=0.1)
    case("clamp", "max", input=values, max=0)
    case("clamp", "crossed", input=normal(6), min=1.0, max=-1.0)
    case("clamp", "i64", input=integers(-9, 9, 8), min=-3, max=3)
    for op in ["neg", "relu"]:
        case(op, "values", input=values)
        case(op, "i64", input=integers(-9, 9, 8))
        case(op, "f16", input=normal(2, 3, dtype=torch.float16))


def cast_cases():
    values = torch.tensor([0.0, -0.0, 1.5, -1.5, 0.1, 3.7, -3.7, 1e-8, 250.9])
    for name in ["f16", "bf16", "f64", "i64", "i32", "bool"]:
        case("to", f"f32_to_{name}", input=values, dtype=name)
    case("to", "f16_overflow", input=torch.tensor([65504.0, 65519.0, 65520.0, 1e6]), dtype="f16")
    case("to", "i64_to_f32", input=torch.tensor([0, 2**24 + 1, -7]), dtype="f32")
    case("to", "i64_to_i32_wraps", input=torch.tensor([2**31, -1]), dtype="i32")
    case("to", "bool_to_f32", input=boolean(6), dtype="f32")
    case("to", "f16_to_f32", input=normal(6, dtype=torch.float16), dtype="f32")


def unary_cases():
    inputs = {
        "rsqrt": spread(1e-6, 50, 24), "sqrt": spread(0, 50, 24), "cos": spread(-20, 20, 40), "sin": spread(-20, 20, 40),
        "exp": spread(-100, 88, 40), "tanh": spread(-12, 12, 40), "sigmoid": spread(-100, 100, 40),
        "silu": spread(-100, 100, 40), "gelu": spread(-14, 14, 57),
    }
    for op, values in inputs.items():
        case(op, "range", input=values)
        case(op, "rank_0", input=values[7].clone())
        case(op, "empty", input=normal(2, 0))
        case(op, "f16", input=(normal(3, 4).abs() + 0.1).half())
    for op in ["rsqrt", "sqrt", "cos", "exp", "sigmoid"]:
        case(op, "i64", input=integers(1, 9, 5))
    for op in ["cos", "sin"]:
        case(op, "large", input=torch.tensor([100.0, 1000.0, 8191.0, 1e5]))
    case("tanh", "saturated", input=torch.tensor([-1000.0, -50.0, 50.0, 1000.0, INF]))
    case("gelu", "tanh", input=inputs["gelu"], approximate="tanh")
    case("gelu", "none", input=inputs["gelu"], approximate="none")
    case("sqrt", "negative", input=torch.tensor([-1.0, -0.0]))
    case("rsqrt", "zero", input=torch.tensor([0.0, INF]))


def movement_cases():
    case("clone", "rank_3", input=normal(2, 3, 4))
    case("clone", "i64", input=integers(-5, 5, 4))
    case("cat", "dim_0", tensors=[normal(2, 3), normal(1, 3), normal(4, 3)])
    case("cat", "dim_1", tensors=[normal(2, 3, 2), normal(2, 1, 2)], dim=1)
    case("cat", "last", tensors=[normal(2, 2), normal(2, 3)], dim=-1)
    case("cat", "empty_part", tensors=[normal(2, 0), normal(2, 3)], dim=1)
    case("cat", "promotes", tensors=[normal(3, dtype=torch.float16), normal(2)])
    case("cat", "i64", tensors=[integers(0, 9, 2, 2), integers(0, 9, 1, 2)])
    case("cat", "bool", tensors=[boolean(3), boolean(2)])


def gather_cases():
    weight = normal(7, 5)
    case("embedding", "vector", weight=weight, indices=torch.tensor([6, 0, 3, 3]))
    case("embedding", "matrix", weight=weight, indices=integers(0, 7, 2, 3))
    case("embedding", "rank_0", weight=weight, indices=torch.tensor(2))
    case("embedding", "empty", weight=weight, indices=torch.zeros(0, dtype=torch.int64))
    case("embedding", "i32", weight=weight, indices=torch.tensor([1, 2], dtype=torch.int32))
    case("embedding", "f16", weight=weight.half(), indices=torch.tensor([4, 1]))
    for dtype in Quantized.DTYPES:
        case("embedding", dtype, weight=Quantized.random(dtype, 6, 64, RANDOM), indices=torch.tensor([5, 0, 2]))


def reduction_cases():
    values = normal(2, 3, 4)
    for op in ["sum", "mean", "linalg_vector_norm"]:
        case(op, "all", input=values)
        case(op, "dim_1", input=values, dim=[1])
        case(op, "dims", input=values, dim=[0, -1])
        case(op, "keepdim", input=values, dim=[-1], keepdim=True)
        case(op, "rank_0", input=normal())
        case(op, "f16", input=values.half(), dim=[2])
        case(op, "long", input=normal(3, 1000), dim=[1])
    for op in ["sum", "mean"]:
        case(op, "empty", input=normal(0, 3), dim=[0])
        case(op, "single_dim", input=values, dim=-2)
    case("sum", "i64", input=integers(-9, 9, 3, 4), dim=[0])
    case("sum", "i32", input=integers(-9, 9, 3, 4, dtype=torch.int32))
    case("sum", "bool", input=boolean(3, 4), dim=[1])
    for name, ord in [("1", 1), ("3", 3), ("half", 0.5), ("infinity", INF), ("minus_infinity", -INF), ("0", 0)]:
        case("linalg_vector_norm", f"ord_{name}", input=values, ord=ord, dim=[-1])
    case("argmax", "all", input=values)
    case("argmax", "all_keepdim", input=values, keepdim=True)
    case("argmax", "dim", input=values, dim=1)
    case("argmax", "keepdim", input=values, dim=-1, keepdim=True)
    case("argmax", "first_of_equal", input=torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]]), dim=1, device="cpu")
    case("argmax", "nan", input=torch.tensor([1.0, float("nan"), 5.0, float("nan")]), device="cpu")
    case("argmax", "i64", input=integers(-9, 9, 3, 5), dim=0, device="cpu")
    case("argmax", "rank_0", input=normal())


def matmul_cases():
    case("linear", "plain", input=normal(3, 32), weight=normal(8, 32))
    case("linear", "bias", input=normal(3, 32), weight=normal(8, 32), bias=normal(8))
    case("linear", "rank_1", input=normal(5), weight=normal(3, 5), bias=normal(3))
    case("linear", "rank_3", input=normal(2, 3, 5), weight=normal(4, 5))
    case("linear", "empty", input=normal(0, 5), weight=normal(4, 5), bias=normal(4))
    case("linear", "k_384", input=normal(4, 384), weight=normal(16, 384, scale=0.05), bias=normal(16))
    case("linear", "odd_sizes", input=normal(17, 67), weight=normal(19, 67), bias=normal(19))
    case("linear", "f16", input=normal(3, 32, dtype=torch.float16), weight=normal(8, 32, dtype=torch.float16))
    case("linear", "bf16", input=normal(3, 32, dtype=torch.bfloat16), weight=normal(8, 32, dtype=torch.bfloat16))
    for dtype in Quantized.DTYPES:
        case("linear", dtype, input=normal(5, 96), weight=Quantized.random(dtype, 7, 96, RANDOM), bias=normal(7))
    case("matmul", "matrices", input=normal(3, 4), other=normal(4, 5))
    case("matmul", "batch", input=normal(2, 3, 4), other=normal(2, 4, 5))
    case("matmul", "broadcast", input=normal(2, 1, 3, 4), other=normal(5, 4, 6))
    case("matmul", "vectors", input=normal(7), other=normal(7))
    case("matmul", "vector_matrix", input=normal(4), other=normal(4, 3))
    case("matmul", "matrix_vector", input=normal(3, 4), other=normal(4))
    case("matmul", "vector_batch", input=normal(4), other=normal(2, 4, 3))
    case("matmul", "batch_vector", input=normal(2, 3, 4), other=normal(4))
    case("matmul", "no_columns", input=normal(3, 0), other=normal(0, 2))
    case("matmul", "empty", input=normal(0, 4), other=normal(4, 2))
    case("matmul", "odd_sizes", input=normal(2, 18, 33), other=normal(2, 33, 21))
    case("matmul", "f16", input=normal(3, 16, dtype=torch.float16), other=normal(16, 5, dtype=torch.float16))
    case("matmul", "i64", input=integers(-5, 5, 3, 4), other=integers(-5, 5, 4, 2), device="cpu")


def norm_cases():
    case("softmax", "last", input=normal(3, 7), dim=-1)
    case("softmax", "first", input=normal(3, 7), dim=0)
    case("softmax", "middle", input=normal(2, 5, 3), dim=1)
    case("softmax", "large", input=torch.tensor([[1e4, 9999.0, -1e4], [88.0, 89.0, 90.0], [-1e4, -1e4, -9999.0]]), dim=1)
    case("softmax", "masked", input=torch.tensor([[1.0, -INF, 2.0], [-INF, -INF, 0.0]]), dim=1)
    case("softmax", "all_masked", input=torch.full((1, 3), -INF), dim=1)
    case("softmax", "rank_0", input=normal(), dim=0)
    case("softmax", "empty", input=normal(0, 3), dim=1)
    case("softmax", "long", input=normal(2, 1000, scale=4.0), dim=1)
    case("softmax", "f16", input=normal(3, 7, dtype=torch.float16), dim=1)
    weight, bias = normal(8), normal(8)
    case("layer_norm", "plain", input=normal(3, 8), normalized_shape=[8])
    case("layer_norm", "weight", input=normal(3, 8), normalized_shape=[8], weight=weight)
    case("layer_norm", "weight_and_bias", input=normal(2, 3, 8), normalized_shape=[8], weight=weight, bias=bias, eps=1e-12)
    case("layer_norm", "two_dims", input=normal(2, 3, 4), normalized_shape=[3, 4], weight=normal(3, 4), bias=normal(3, 4))
    case("layer_norm", "eps", input=normal(3, 8, scale=0.01), normalized_shape=[8], eps=0.1)
    case("layer_norm", "constant_row", input=torch.ones(2, 8), normalized_shape=[8], weight=weight, bias=bias)
    case("layer_norm", "off_centre", input=normal(3, 384) + 100.0, normalized_shape=[384])
    case("layer_norm", "f16", input=normal(3, 8, dtype=torch.float16), normalized_shape=[8], weight=weight.half())
    case("rms_norm", "weight", input=normal(3, 8), normalized_shape=[8], weight=weight, eps=1e-5)
    case("rms_norm", "plain", input=normal(2, 3, 4), normalized_shape=[3, 4], eps=1e-6)
    case("rms_norm", "small", input=normal(3, 8, scale=1e-3), normalized_shape=[8], weight=weight, eps=1e-5)
    case("rms_norm", "long", input=normal(2, 576), normalized_shape=[576], weight=normal(576), eps=1e-5)
    f32_eps = {"eps": torch.finfo(torch.float32).eps}
    small = normal(3, 8, scale=1e-3)
    case("rms_norm", "default_eps", f64=f32_eps, input=small, normalized_shape=[8])
    case("rms_norm", "default_eps_f16", f64=f32_eps, input=small.half(), normalized_shape=[8])
    case("rms_norm", "default_eps_bf16", f64=f32_eps, input=small.bfloat16(), normalized_shape=[8])


def attention_cases():
    op = "scaled_dot_product_attention"

    def heads(batch, count, length, width, dtype=torch.float32):
        return normal(batch, count, length, width, dtype=dtype)

    case(op, "plain", query=heads(1, 2, 5, 8), key=heads(1, 2, 5, 8), value=heads(1, 2, 5, 8))
    case(op, "causal", query=heads(1, 2, 5, 8), key=heads(1, 2, 5, 8), value=heads(1, 2, 5, 8), is_causal=True)
    case(op, "causal_short_query", query=heads(1, 2, 3, 8), key=heads(1, 2, 6, 8), value=heads(1, 2, 6, 8), is_causal=True)
    case(op, "causal_long_query", query=heads(1, 2, 6, 8), key=heads(1, 2, 3, 8), value=heads(1, 2, 3, 8), is_causal=True)
    case(op, "scale", query=heads(1, 2, 4, 8), key=heads(1, 2, 5, 8), value=heads(1, 2, 5, 8), scale=0.125)
    case(op, "value_width", query=heads(2, 2, 4, 8), key=heads(2, 2, 5, 8), value=heads(2, 2, 5, 4))
    case(op, "gqa", query=heads(2, 6, 4, 8), key=heads(2, 2, 4, 8), value=heads(2, 2, 4, 8), is_causal=True, enable_gqa=True)
    case(op, "decode", query=heads(1, 6, 1, 16), key=heads(1, 3, 9, 16), value=heads(1, 3, 9, 16), enable_gqa=True)
    mask = torch.ones(4, 5, dtype=torch.bool).tril()
    case(op, "bool_mask", query=heads(1, 2, 4, 8), key=heads(1, 2, 5, 8), value=heads(1, 2, 5, 8), attn_mask=mask)
    padding = torch.tensor([True, True, True, False, False]).reshape(1, 1, 1, 5)
    case(op, "padding", query=heads(1, 2, 4, 8), key=heads(1, 2, 5, 8), value=heads(1, 2, 5, 8), attn_mask=padding)
    hidden = mask.clone()
    hidden[1] = False
    case(op, "masked_row", query=heads(1, 2, 4, 8), key=heads(1, 2, 5, 8), value=heads(1, 2, 5, 8), attn_mask=hidden)
    added = torch.zeros(4, 5).masked_fill(~mask, -INF)
    case(op, "float_mask", query=heads(1, 2, 4, 8), key=heads(1, 2, 5, 8), value=heads(1, 2, 5, 8), attn_mask=added)
    bias = normal(2, 1, 4, 5)
    case(op, "float_bias", query=heads(2, 2, 4, 8), key=heads(2, 2, 5, 8), value=heads(2, 2, 5, 8), attn_mask=bias)
    large = heads(1, 1, 4, 8) * 30
    case(op, "large_scores", query=large, key=heads(1, 1, 5, 8) * 30, value=heads(1, 1, 5, 8))
    case(op, "rank_3", query=normal(2, 4, 8), key=normal(2, 5, 8), value=normal(2, 5, 8))
    half = torch.float16
    case(op, "f16", query=heads(1, 2, 5, 16, half), key=heads(1, 2, 5, 16, half), value=heads(1, 2, 5, 16, half))
    case(op, "longer", query=heads(1, 1, 33, 32), key=heads(1, 1, 70, 32), value=heads(1, 1, 70, 32))


def write(folder, name, views=()):
    """Writes every case made so far as name.safetensors and name.json."""
    device = torch.cuda.get_device_name() if DEVICE == "cuda" else "CPU"
    index = {
        "producer": {"torch": torch.__version__, "device": device}, "tensors": entries, "cases": cases, "views": list(views),
    }
    safetensors.torch.save_file(tensors, folder / f"{name}.safetensors")
    lines = json.dumps(index, separators=(",", ":")).replace('},{"id"', '},\n{"id"').replace('},{"key"', '},\n{"key"')
    (folder / f"{name}.json").write_text(lines + "\n")
    print(f"{name}: {len(cases)} cases of {len({case['op'] for case in cases})} operators, {len(index['views'])} views")


def target_folder():
    """The folder given on the command line, or that of the scripts."""
    return Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)


def main():
    for group in [binary_cases, selection_cases, cast_cases, unary_cases, movement_cases, gather_cases, reduction_cases,
                  matmul_cases, norm_cases, attention_cases]:
        group()
    write(target_folder(), "operators", view_cases())


if __name__ == "__main__":
    main()
