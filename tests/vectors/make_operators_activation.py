"""Expected results of activations, functions of two and three numbers, division with its remainder, bounds, and of channels that become
pixels: operators-activation.safetensors and .json.

    python3 make_operators_activation.py [FOLDER]
"""

import torch
import torch.nn.functional as F

from make_operators import ARITHMETIC, EXACT, INF, OPERATORS, boolean, case, integers, normal, spread, target_folder, write

NAN = float("nan")
HALF, BFLOAT, BYTE, INT = torch.float16, torch.bfloat16, torch.uint8, torch.int32
SPECIAL = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 100.0, -100.0, 1e-30, -1e-30, 0.5, -0.5, 3.0, -3.0, 6.0])

ACTIVATIONS = [
    "softplus", "leaky_relu", "celu", "selu", "relu6", "hardtanh", "hardsigmoid", "hardswish", "hardshrink", "softshrink", "mish",
    "softsign", "logsigmoid"]
OPERATORS |= {name: getattr(F, name) for name in ACTIVATIONS + ["threshold", "glu", "prelu", "pixel_shuffle", "pixel_unshuffle"]}
OPERATORS |= {name: getattr(torch, name) for name in [
    "erfc", "sinc", "logaddexp", "logaddexp2", "xlogy", "atan2", "hypot", "lerp", "addcmul", "addcdiv", "rsub", "floor_divide",
    "remainder", "fmod", "clamp_min", "clamp_max", "channel_shuffle"]}
OPERATORS["elu"] = lambda input, **numbers: torch.ops.aten.elu(input, **numbers)
OPERATORS["log_sigmoid"] = lambda input: torch.ops.aten.log_sigmoid(input)
EXACT |= {"relu6", "hardtanh", "hardshrink", "threshold", "clamp_min", "clamp_max", "pixel_shuffle", "pixel_unshuffle",
          "channel_shuffle"}
ARITHMETIC |= {"rsub", "remainder", "fmod", "floor_divide", "xlogy"}


def activation_cases():
    for op in [*ACTIVATIONS, "elu", "log_sigmoid", "erfc", "sinc"]:
        case(op, "range", input=spread(-9, 9.5, 258))
        case(op, "near_0", input=spread(-0.7, 0.8, 41))
        case(op, "tiny", input=torch.tensor([1e-3, -1e-3, 1e-8, -1e-8, 1e-20, -1e-20]))
        case(op, "special", input=SPECIAL)
        case(op, "view", input=normal(5, 3, scale=3.0).t())
        case(op, "f16", input=normal(3, 5, scale=2.0, dtype=HALF))
        case(op, "bf16", input=normal(7, scale=2.0, dtype=BFLOAT))
        case(op, "rank_0", input=torch.tensor(-0.75))
        case(op, "empty", input=normal(2, 0))
    for op in ["softplus", "mish", "logsigmoid", "selu", "celu", "elu", "hardswish"]:
        case(op, "wide", input=spread(-86, 86, 65))
    case("erfc", "tail", input=spread(-4, 9, 131))
    case("erfc", "seams", input=torch.tensor([0.25, 0.84375, 0.8437499, 1.25, 1.2499999, 2.857142, 2.8571427, 4.0, 6.0, 9.1]))
    case("erfc", "i64", input=integers(-3, 4, 6))
    case("sinc", "large", input=torch.tensor([1.0, 2.0, 7.5, 100.25, 1e4, 8388607.5, 1e10]))
    case("sinc", "i64", input=torch.tensor([0, 1, -2]))
    case("softsign", "i64", input=integers(-9, 9, 5))
    values = spread(-5, 5.2, 52)
    case("softplus", "beta", input=values, beta=3)
    case("softplus", "odd_beta", input=values, beta=0.3, threshold=1.4)
    case("softplus", "threshold", input=values, beta=2.0, threshold=0.25)
    case("softplus", "negative_beta", input=values, beta=-1.5)
    case("leaky_relu", "slope", input=values, negative_slope=0.3)
    case("leaky_relu", "negative_slope", input=values, negative_slope=-0.25)
    case("elu", "alpha", input=values, alpha=0.7)
    case("elu", "scales", input=values, alpha=1.5, scale=0.3, input_scale=1.7)
    case("celu", "alpha", input=values, alpha=0.3)
    case("celu", "negative_alpha", input=values, alpha=-2.0)
    case("hardtanh", "bounds", input=values, min_val=-0.3, max_val=2.1)
    case("hardtanh", "f16_bounds", input=normal(9, dtype=HALF), min_val=-0.3, max_val=0.1)
    case("hardtanh", "i64", input=integers(-9, 9, 7), min_val=-3, max_val=2)
    case("hardtanh", "i64_cut_bounds", input=integers(-9, 9, 7), min_val=-2.7, max_val=1.5)
    case("relu6", "i32", input=integers(-9, 19, 7, dtype=INT))
    case("relu6", "u8", input=integers(0, 256, 7, dtype=BYTE))
    for op in ["hardshrink", "softshrink"]:
        case(op, "lambd", input=values, lambd=1.3)
        case(op, "zero", input=SPECIAL, lambd=0.0)
    case("hardshrink", "lambd_is_rounded", input=torch.tensor([0.1, -0.1, 0.10000001, 0.2]), lambd=0.1)
    case("hardshrink", "f16_lambd_is_rounded", input=torch.tensor([0.1, -0.1, 0.2], dtype=HALF), lambd=0.1)
    case("hardshrink", "negative_lambd", input=values, lambd=-1.0)
    case("threshold", "values", input=SPECIAL, threshold=0.5, value=2.25)
    case("threshold", "is_rounded", input=torch.tensor([0.1, 0.10000001, 0.2]), threshold=0.1, value=-0.3)
    case("threshold", "f16", input=torch.tensor([0.1, 0.2, -3.0], dtype=HALF), threshold=0.1, value=0.3)
    case("threshold", "bf16", input=normal(7, dtype=BFLOAT), threshold=0, value=-1)
    case("threshold", "i64", input=integers(-9, 9, 9), threshold=2, value=-20)
    case("threshold", "i64_cut", input=integers(-9, 9, 9), threshold=-0.5, value=2.5)
    case("threshold", "u8", input=integers(0, 256, 9, dtype=BYTE), threshold=100, value=7)
    case("threshold", "empty", input=normal(0, 3), threshold=0.0, value=1.0)
    case("threshold", "rank_0", input=torch.tensor(0.25), threshold=0.5, value=1.5)


def gate_cases():
    case("glu", "last", input=normal(3, 8, scale=3.0))
    case("glu", "first", input=normal(4, 5), dim=0)
    case("glu", "middle", input=normal(2, 6, 3), dim=1)
    case("glu", "wide", input=torch.cat([normal(64), spread(-80, 80, 64)]))
    case("glu", "f16", input=normal(3, 4, dtype=HALF))
    case("glu", "bf16", input=normal(2, 6, dtype=BFLOAT), dim=-1)
    case("glu", "no_rows", input=normal(0, 4))
    case("glu", "no_columns", input=normal(3, 0))
    case("glu", "long", input=normal(2, 514))
    case("prelu", "one_weight", input=SPECIAL, weight=torch.tensor([0.3]))
    case("prelu", "rank_0_weight", input=normal(2, 3), weight=torch.tensor(-0.7))
    case("prelu", "channels", input=normal(2, 5, 3, 2), weight=normal(5))
    case("prelu", "two_dims", input=normal(4, 3), weight=normal(3))
    case("prelu", "view", input=normal(3, 4).t(), weight=normal(3))
    case("prelu", "f16", input=normal(3, 4, dtype=HALF), weight=normal(4, dtype=HALF))
    case("prelu", "bf16", input=normal(3, 4, dtype=BFLOAT), weight=normal(1, dtype=BFLOAT))
    case("prelu", "rank_0", input=torch.tensor(-2.0), weight=torch.tensor([0.25]))
    case("prelu", "empty", input=normal(0, 3), weight=normal(3))


def two_cases():
    some = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 1.0, -1.0, 2.5, -0.5])
    for op in ["logaddexp", "logaddexp2", "xlogy", "atan2", "hypot"]:
        case(op, "special", input=some.reshape(9, 1), other=some)
        case(op, "broadcast", input=normal(2, 1, 5), other=normal(3, 1).abs())
        case(op, "wide", input=normal(257, scale=40.0), other=normal(257, scale=40.0).abs())
        case(op, "view", input=normal(5, 3).t(), other=normal(3, 1).abs())
        case(op, "f16", input=normal(9, dtype=HALF), other=normal(9, dtype=HALF).abs())
        case(op, "bf16_and_f32", input=normal(9, dtype=BFLOAT), other=normal(9).abs())
        case(op, "i64_and_f32", input=integers(-9, 9, 6), other=normal(6).abs())
        case(op, "rank_0", input=normal(), other=normal().abs())
        case(op, "empty", input=normal(0, 3), other=normal(3))
    for op in ["xlogy", "atan2"]:
        case(op, "i64", input=integers(-9, 9, 7), other=integers(1, 9, 7))
    case("xlogy", "scalar", input=normal(7), other=0.3)
    case("xlogy", "integer_scalar", input=integers(-3, 3, 7), other=3)
    for op in ["logaddexp", "logaddexp2"]:
        case(op, "cancels", input=torch.tensor([-0.6931472, -0.7, -1.0]), other=torch.tensor([-0.6931472, -0.69, -1.0]))
        case(op, "far_apart", input=torch.tensor([1e30, -1e30, 500.0, -500.0, 88.0]), other=torch.tensor([-1e30, 1.0, -500.0, -501.0, 0.0]))
    case("atan2", "quadrants", input=torch.tensor([1.0, 1.0, -1.0, -1.0, 1e-20, 1e30]), other=torch.tensor([2.0, -2.0, 2.0, -2.0, -1.0, 1e38]))
    case("hypot", "extreme", input=torch.tensor([3e37, 1e-30, 3e38, 1e20, -3.0]), other=torch.tensor([4e37, 2e-30, 1.0, 1e-20, 4.0]))


def three_cases():
    for name, weight in [("small", 0.3), ("large", 0.8), ("outside", -1.7), ("one", 1.0), ("integer", 2)]:
        case("lerp", f"{name}_weight", input=normal(9), end=normal(9), weight=weight)
    case("lerp", "tensor", input=normal(2, 1, 5), end=normal(3, 1), weight=normal(3, 5))
    case("lerp", "view", input=normal(5, 3).t(), end=normal(3, 5), weight=spread(0, 1, 5))
    case("lerp", "special", input=SPECIAL, end=normal(16), weight=0.25)
    case("lerp", "f16", input=normal(9, dtype=HALF), end=normal(9, dtype=HALF), weight=0.25)
    case("lerp", "bf16_tensor", input=normal(9, dtype=BFLOAT), end=normal(9, dtype=BFLOAT), weight=normal(9, dtype=BFLOAT))
    case("lerp", "rank_0", input=normal(), end=normal(), weight=normal())
    case("lerp", "empty", input=normal(0), end=normal(1), weight=0.5)
    for op in ["addcmul", "addcdiv"]:
        case(op, "plain", input=normal(257), tensor1=normal(257), tensor2=normal(257).abs() + 0.1)
        case(op, "value", input=normal(9), tensor1=normal(9), tensor2=normal(9).abs() + 0.1, value=-0.3)
        case(op, "broadcast", input=normal(2, 1, 5), tensor1=normal(3, 1), tensor2=normal(5).abs() + 0.1, value=2)
        case(op, "view", input=normal(5, 3).t(), tensor1=normal(3, 5), tensor2=normal(5, 3).t().abs() + 0.1)
        case(op, "special", input=torch.ones(16), tensor1=SPECIAL, tensor2=torch.tensor(2.0))
        case(op, "f16", input=normal(9, dtype=HALF), tensor1=normal(9, dtype=HALF), tensor2=normal(9, dtype=HALF).abs() + 0.5)
        case(op, "bf16_and_f32", input=normal(9, dtype=BFLOAT), tensor1=normal(9), tensor2=normal(9).abs() + 0.5)
        case(op, "i64_and_f32", input=integers(-9, 9, 5), tensor1=normal(5), tensor2=normal(5).abs() + 0.5)
        case(op, "rank_0", input=normal(), tensor1=normal(), tensor2=normal().abs() + 0.5)
        case(op, "empty", input=normal(0, 2), tensor1=normal(2), tensor2=normal(1))
    case("addcmul", "i64", input=integers(-9, 9, 3, 4), tensor1=integers(-9, 9, 4), tensor2=integers(-9, 9, 3, 1), value=-2)
    case("addcmul", "i64_cut_value", input=integers(-9, 9, 4), tensor1=integers(-9, 9, 4), tensor2=integers(-9, 9, 4), value=1.9)
    case("addcmul", "i32_wraps", input=torch.tensor([1], dtype=INT), tensor1=torch.tensor([65537], dtype=INT), tensor2=torch.tensor([65537], dtype=INT))
    case("addcmul", "u8", input=integers(0, 256, 5, dtype=BYTE), tensor1=integers(0, 256, 5, dtype=BYTE), tensor2=integers(0, 256, 5, dtype=BYTE))


def division_cases():
    special = torch.tensor([NAN, INF, -INF, 0.0, -0.0, 5.5, -5.5, 2.0, -2.0, 3e38, -0.25, 1e-30])
    ways = [("floor_divide", {}), ("remainder", {}), ("fmod", {}), ("div", {"rounding_mode": "trunc"}), ("div", {"rounding_mode": "floor"})]
    for op, mode in ways:
        def of(name, **args):
            case(op, "_".join([*mode.values(), name]), **args, **mode)

        of("special", input=special.reshape(12, 1), other=special)
        of("broadcast", input=normal(2, 1, 5, scale=9.0), other=normal(3, 1))
        of("far_apart", input=torch.tensor([1e38, -1e38, 1e30, 12345.678, 1.0]), other=torch.tensor([3.1, 7e-3, 1e-30, 1e-4, 3e-39]))
        of("many", input=normal(257, scale=50.0), other=normal(257))
        of("view", input=normal(5, 3, scale=9.0).t(), other=normal(3, 1))
        of("scalar", input=normal(9, scale=9.0), other=0.3)
        of("integer_scalar", input=normal(9, scale=9.0), other=-3)
        of("f16", input=normal(9, scale=9.0, dtype=HALF), other=torch.tensor(0.75, dtype=HALF))
        of("bf16_and_f32", input=normal(9, scale=9.0, dtype=BFLOAT), other=normal(9))
        of("i64", input=torch.tensor([-7, 7, -7, 7, 0, 6, -6]), other=torch.tensor([2, 2, -2, -2, -3, 3, 3]))
        of("i64_broadcast", input=integers(-100, 100, 3, 5), other=torch.tensor([1, -1, 3, -7, 50]))
        of("i64_edges", input=torch.tensor([2**31 - 1, -(2**31), -(2**31), 2**31 - 1]), other=torch.tensor([-1, 1, 2**31 - 1, -(2**31)]))
        of("i64_scalar", input=integers(-100, 100, 9), other=-7)
        of("i32", input=integers(-(2**31), 2**31, 9, dtype=INT), other=integers(1, 99, 9, dtype=INT))
        of("u8", input=integers(0, 256, 9, dtype=BYTE), other=integers(1, 20, 9, dtype=BYTE))
        of("i64_and_float", input=integers(-9, 9, 9), other=0.75)
        of("i64_and_f32", input=integers(-9, 9, 5), other=normal(5))
        of("bool_and_integer", input=boolean(5), other=2)
        of("rank_0", input=torch.tensor(-7.5), other=torch.tensor(2.0))
        of("empty", input=normal(0, 3), other=normal(3))
        # The smallest i32 over -1 is left out: PyTorch itself crashes.


def sum_cases():
    case("rsub", "plain", input=normal(3, 4), other=normal(4))
    case("rsub", "alpha", input=normal(9), other=normal(9), alpha=-0.3)
    case("rsub", "scalar", input=normal(9), other=0.1)
    case("rsub", "integer_scalar", input=normal(9), other=1, alpha=2)
    case("rsub", "f16", input=normal(4, dtype=HALF), other=normal(4, dtype=HALF))
    case("rsub", "bf16_and_f32", input=normal(4, dtype=BFLOAT), other=normal(4))
    case("rsub", "i64", input=integers(-9, 9, 5), other=integers(-9, 9, 5), alpha=3)
    case("rsub", "i64_and_float", input=integers(-9, 9, 5), other=0.5)
    case("rsub", "u8_wraps", input=torch.tensor([3], dtype=BYTE), other=torch.tensor([1], dtype=BYTE))
    case("rsub", "rank_0", input=normal(), other=normal())
    case("rsub", "empty", input=normal(0), other=normal(1))
    truths = {"input": torch.tensor([True, True, False, False]), "other": torch.tensor([True, False, True, False])}
    for name, alpha in [("true", True), ("false", False), ("negative", -1), ("zero", 0), ("even", 2)]:
        case("add", f"bool_{name}_alpha", **truths, alpha=alpha)


def clamp_cases():
    values = torch.tensor([-1.0, -0.0, 0.0, 0.1, 1.0, INF, -INF, NAN])
    bounds = torch.tensor([-0.5, NAN, 0.25, INF])
    case("clamp", "tensors", input=normal(3, 4), min=torch.full((4,), -0.5), max=normal(3, 1))
    case("clamp", "tensor_min", input=values.reshape(8, 1), min=bounds)
    case("clamp", "tensor_max", input=values.reshape(8, 1), max=bounds)
    case("clamp", "grows", input=normal(3), min=normal(2, 1), max=normal(4, 1, 1))
    case("clamp", "crossed_tensors", input=normal(5), min=torch.full((5,), 0.5), max=torch.full((5,), -0.5))
    case("clamp", "i64_tensors", input=integers(-9, 9, 3, 4), min=integers(-5, 0, 4), max=integers(0, 5, 3, 1))
    case("clamp", "i64_and_f32", input=integers(-9, 9, 4), min=normal(4))
    case("clamp", "i64_and_float", input=integers(-9, 9, 8), min=-1.5, max=2.5)
    case("clamp", "f16_and_f32", input=normal(5, dtype=HALF), min=normal(5))
    case("clamp", "f16_and_rank_0_f32", input=normal(5, dtype=HALF), max=torch.tensor(0.1))
    case("clamp", "bool_tensor", input=boolean(6), min=boolean(6))
    case("clamp", "bool_and_integers", input=boolean(6), min=0, max=5)
    case("clamp", "u8", input=integers(0, 256, 6, dtype=BYTE), min=-5, max=300)
    case("clamp", "nan", input=values, min=NAN)
    case("clamp", "tensor_view", input=normal(4, 3).t(), min=normal(4, 3).t())
    case("clamp", "tensor_empty", input=normal(0, 3), min=normal(3))
    for op, name in [("clamp_min", "min"), ("clamp_max", "max")]:
        case(op, "scalar", input=values, **{name: 0.1})
        case(op, "tensor", input=values.reshape(8, 1), **{name: bounds})
        case(op, "f16", input=normal(9, dtype=HALF), **{name: 0.1})
        case(op, "bf16", input=normal(9, dtype=BFLOAT), **{name: normal(9, dtype=BFLOAT)})
        case(op, "i64", input=integers(-9, 9, 9), **{name: 2})
        case(op, "i64_tensor", input=integers(-9, 9, 9), **{name: integers(-9, 9, 9)})
        case(op, "rank_0", input=normal(), **{name: normal()})
        case(op, "empty", input=normal(0, 3), **{name: 0.5})


def channel_cases():
    for op, name, shape in [("pixel_shuffle", "upscale_factor", (8, 3, 5)), ("pixel_unshuffle", "downscale_factor", (2, 6, 10)),
                            ("channel_shuffle", "groups", (2, 6, 5))]:
        case(op, "plain", input=normal(*shape), **{name: 2})
        case(op, "batch", input=normal(3, *shape) if op != "channel_shuffle" else normal(3, 4, 2, 3), **{name: 2})
        case(op, "one", input=normal(1, *shape), **{name: 1})
        case(op, "f16", input=normal(*shape, dtype=HALF), **{name: 2})
        case(op, "bf16", input=normal(*shape, dtype=BFLOAT), **{name: 2})
        case(op, "i64", input=integers(-99, 99, *shape), **{name: 2})
        case(op, "bool", input=boolean(*shape), **{name: 2})
        case(op, "view", input=normal(*reversed(shape)).permute(2, 1, 0), **{name: 2})
        # On the CPU an empty pixel_unshuffle keeps its input's shape, against the documentation and CUDA.
        if op != "pixel_unshuffle":
            case(op, "empty", input=normal(0, *shape) if op != "channel_shuffle" else normal(0, 4, 3), **{name: 2})
    case("pixel_shuffle", "three", input=normal(2, 2, 18, 2, 1), upscale_factor=3)
    case("pixel_unshuffle", "three", input=normal(2, 2, 2, 6, 3), downscale_factor=3)
    case("channel_shuffle", "three", input=normal(2, 6, 1, 2, 2), groups=3)
    case("channel_shuffle", "all", input=normal(1, 6, 2), groups=6)


def main():
    for group in [activation_cases, gate_cases, two_cases, three_cases, division_cases, sum_cases, clamp_cases, channel_cases]:
        group()
    write(target_folder(), "operators-activation")


if __name__ == "__main__":
    main()
