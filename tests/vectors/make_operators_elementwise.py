"""Expected results of the elementwise operators beyond those of make_operators.py: operators-elementwise.safetensors and .json.

    python3 make_operators_elementwise.py [FOLDER]
"""

import torch

from make_operators import EXACT, INF, OPERATORS, boolean, case, integers, normal, spread, target_folder, write

NAN = float("nan")
HALF, BFLOAT = torch.float16, torch.bfloat16
VALUES = torch.tensor([-1.0, -0.0, 0.0, 0.1, 1.0, INF, -INF, NAN])

OF_TWO = {name: getattr(torch, name) for name in [
    "ne", "ge", "gt", "lt", "maximum", "minimum", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or",
    "bitwise_xor", "bitwise_left_shift", "bitwise_right_shift"]} | {"__and__": torch.Tensor.__and__}
OF_ONE = {name: getattr(torch, name) for name in [
    "isnan", "isinf", "logical_not", "bitwise_not", "abs", "sign", "floor", "ceil", "trunc"]}
FUNCTIONS = {name: getattr(torch, name) for name in [
    "square", "reciprocal", "exp2", "expm1", "log", "log2", "log10", "log1p", "erf", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "asinh", "acosh", "atanh"]}
OPERATORS["round"] = lambda input, decimals=0: torch.round(input, decimals=decimals) if decimals else torch.round(input)
for name, function in OF_TWO.items():
    OPERATORS[name] = lambda input, other, function=function: function(input, other)
for name, function in (OF_ONE | FUNCTIONS).items():
    OPERATORS[name] = lambda input, function=function: function(input)
EXACT |= OF_TWO.keys() | OF_ONE.keys()


def comparison_cases():
    for op in ["ne", "ge", "gt", "lt"]:
        case(op, "broadcast", input=VALUES.reshape(8, 1), other=VALUES)
        case(op, "scalar_is_rounded", input=VALUES, other=0.1)
        case(op, "integer_scalar", input=VALUES, other=1)
        case(op, "i64", input=integers(-2, 3, 9), other=integers(-2, 3, 9))
        case(op, "i64_scalar", input=integers(-2, 3, 2, 3), other=0)
        case(op, "i64_and_f32", input=integers(-2, 3, 9), other=torch.tensor(0.5))
        case(op, "large_i64", input=torch.tensor([2**53, 2**53 + 1]), other=torch.tensor([2**53, 2**53]))
        case(op, "bool", input=boolean(4), other=boolean(4))
        case(op, "f16", input=normal(5, dtype=HALF), other=normal(2, 1, dtype=HALF))
        case(op, "bf16", input=normal(5, dtype=BFLOAT), other=0.5)
        case(op, "u8", input=integers(0, 256, 9, dtype=torch.uint8), other=200)
        case(op, "empty", input=normal(0), other=normal(1))
        case(op, "rank_0", input=normal(), other=normal())


def truth_cases():
    for op in ["isnan", "isinf", "logical_not"]:
        case(op, "values", input=VALUES)
        case(op, "f16", input=VALUES.half())
        case(op, "bf16", input=VALUES[:7].bfloat16())
        case(op, "i64", input=integers(-2, 2, 7))
        case(op, "bool", input=boolean(2, 3))
        case(op, "empty", input=normal(2, 0))
        case(op, "rank_0", input=torch.tensor(0.0))
    for op in ["logical_and", "logical_or", "logical_xor"]:
        case(op, "broadcast", input=VALUES.reshape(8, 1), other=VALUES)
        case(op, "bool", input=boolean(9), other=boolean(9))
        case(op, "bool_and_f32", input=boolean(3, 1), other=VALUES)
        case(op, "i64_and_f16", input=integers(-1, 2, 8), other=VALUES.half())
        case(op, "lowest", input=torch.tensor([-(2**31), 0, 1]), other=torch.tensor([1, -(2**31), 0]))
        case(op, "empty", input=boolean(0, 3), other=boolean(3))


def bit_cases():
    for op in ["bitwise_and", "bitwise_or", "bitwise_xor", "__and__"]:
        case(op, "bool", input=boolean(3, 4), other=boolean(4))
        case(op, "bool_scalar", input=boolean(5), other=True)
        case(op, "bool_and_integer", input=boolean(5), other=3)
        case(op, "bool_and_i64", input=boolean(5), other=integers(-9, 9, 5))
        case(op, "i64", input=integers(-100, 100, 2, 5), other=integers(-100, 100, 5))
        case(op, "i64_scalar", input=integers(-100, 100, 7), other=-6)
        case(op, "i32", input=integers(-(2**31), 2**31, 7, dtype=torch.int32), other=integers(-9, 9, 7, dtype=torch.int32))
        case(op, "u8", input=integers(0, 256, 7, dtype=torch.uint8), other=15)
        case(op, "u8_and_i32", input=integers(0, 256, 7, dtype=torch.uint8), other=integers(-9, 9, 7, dtype=torch.int32))
        case(op, "empty", input=boolean(0), other=boolean(1))
    case("bitwise_not", "bool", input=boolean(2, 3))
    case("bitwise_not", "i64", input=integers(-9, 9, 5))
    case("bitwise_not", "u8", input=integers(0, 256, 5, dtype=torch.uint8))
    case("bitwise_not", "rank_0", input=torch.tensor(7, dtype=torch.int32))
    case("bitwise_not", "empty", input=boolean(0))
    for op in ["bitwise_left_shift", "bitwise_right_shift"]:
        case(op, "i64", input=integers(-100, 100, 3, 5), other=integers(0, 9, 5))
        case(op, "scalar", input=integers(-100, 100, 6), other=3)
        case(op, "u8", input=integers(0, 256, 6, dtype=torch.uint8), other=integers(0, 8, 6, dtype=torch.uint8))
        case(op, "u8_and_i64", input=integers(0, 256, 6, dtype=torch.uint8), other=integers(0, 9, 6))
        case(op, "i32", input=integers(-(2**31), 2**31, 6, dtype=torch.int32), other=integers(0, 32, 6, dtype=torch.int32))
        case(op, "too_far", input=torch.tensor([5, -5, 5, -5]), other=torch.tensor([64, 64, -1, -1]))
        case(op, "empty", input=integers(0, 2, 0), other=1)


def rounding_cases():
    values = torch.cat([VALUES, torch.tensor([0.5, -0.5, 1.5, -1.5, 2.5, 2.7, -2.7, 8388607.5, -8388609.0, 1e30, 1e-40])])
    for op in ["abs", "sign", "floor", "ceil", "trunc", "round"]:
        case(op, "values", input=values)
        case(op, "f16", input=normal(3, 5, scale=4.0, dtype=HALF))
        case(op, "bf16", input=normal(7, scale=4.0, dtype=BFLOAT))
        case(op, "i64", input=integers(-9, 9, 7))
        case(op, "i32", input=integers(-(2**31), 2**31, 5, dtype=torch.int32))
        case(op, "u8", input=integers(0, 256, 5, dtype=torch.uint8))
        case(op, "rank_0", input=torch.tensor(-3.5))
        case(op, "empty", input=normal(0, 3))
    decimal = normal(24, scale=30.0)
    for decimals in [1, 3, -1, -2, 0]:
        case("round", f"decimals_{decimals}", input=decimal, decimals=decimals)
    case("round", "decimals_of_special", input=VALUES, decimals=2)
    case("round", "decimals_of_large", input=torch.tensor([1e30, -3e33, 12345678.0]), decimals=4)
    case("sign", "bool", input=boolean(5))
    for op in ["maximum", "minimum"]:
        case(op, "broadcast", input=VALUES.reshape(8, 1), other=VALUES)
        case(op, "f16", input=normal(2, 5, dtype=HALF), other=normal(5, dtype=HALF))
        case(op, "bf16_and_f32", input=normal(5, dtype=BFLOAT), other=normal(5))
        case(op, "i64", input=integers(-9, 9, 3, 4), other=integers(-9, 9, 4))
        case(op, "i64_and_f32", input=integers(-9, 9, 5), other=normal(5, scale=4.0))
        case(op, "u8", input=integers(0, 256, 5, dtype=torch.uint8), other=integers(0, 256, 5, dtype=torch.uint8))
        case(op, "bool", input=boolean(6), other=boolean(6))
        case(op, "rank_0", input=normal(), other=normal(3))
        case(op, "empty", input=normal(0, 3), other=normal(3))


def function_cases():
    ranges = {
        "square": (-9, 9), "reciprocal": (-3, 3), "exp2": (-120, 127), "expm1": (-30, 88), "log": (1e-6, 50), "log2": (1e-6, 50),
        "log10": (1e-6, 1100), "log1p": (-0.999, 50), "erf": (-5, 5), "tan": (-20, 20), "asin": (-1, 1), "acos": (-1, 1),
        "atan": (-9, 9), "sinh": (-88, 88), "cosh": (-88, 88), "asinh": (-5000, 5000), "acosh": (1, 5000), "atanh": (-0.999, 0.999),
    }
    special = torch.tensor([0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 2.0, -2.0, 0.5])
    for op, (low, high) in ranges.items():
        small = max(-0.9, low if low >= 0 else -0.9)
        case(op, "range", input=spread(low, high, 40))
        case(op, "near_0" if small < 0 else "near_1", input=spread(small, small + 1.8, 40))
        case(op, "tiny", input=torch.tensor([1e-3, 1e-5, 1e-8, 1e-20]) + (1.0 if op == "acosh" else 0.0))
        case(op, "special", input=special)
        case(op, "f16", input=(normal(3, 5).abs() * 0.2 + (1.1 if op == "acosh" else 0.05)).half())
        case(op, "bf16", input=(normal(7).abs() * 0.2 + (1.1 if op == "acosh" else 0.05)).bfloat16())
        case(op, "i64", input=integers(0 if op in ["asin", "acos", "atanh"] else 1, 2 if op in ["asin", "acos"] else 9, 6)
             if op != "atanh" else torch.tensor([0, 0]))
        case(op, "rank_0", input=torch.tensor(0.75 if op != "acosh" else 1.75))
        case(op, "empty", input=normal(2, 0))
    case("square", "i32_wraps", input=torch.tensor([65537, -3], dtype=torch.int32))
    case("square", "u8", input=torch.tensor([200, 3], dtype=torch.uint8))
    case("square", "bool", input=boolean(4))
    case("log", "large", input=torch.tensor([1e10, 1e20, 1e38, 3e38]))
    case("log10", "powers", input=torch.tensor([1e-3, 1e-1, 10.0, 100.0, 1e6, 1e30]))
    case("log2", "powers", input=torch.tensor([0.125, 0.5, 1.0, 2.0, 1024.0, 2.0**100]))
    case("tan", "large", input=torch.tensor([100.0, 1000.0, 8191.0, 1e5, 1.5707963, 4.712389]))
    case("sinh", "largest", input=torch.tensor([88.9, -89.3, 89.5, 1000.0]))
    case("cosh", "largest", input=torch.tensor([88.9, -89.3, 89.5, 1000.0]))
    case("asinh", "large", input=torch.tensor([1e10, -1e20, 3e38]))
    case("acosh", "large", input=torch.tensor([1e10, 1e20, 3e38, 0.5]))
    case("atan", "large", input=torch.tensor([1e3, -1e5, 1e10, 3e38, 2.414, 0.4142]))
    case("reciprocal", "large", input=torch.tensor([1e30, -1e37, 3.0]))


def main():
    for group in [comparison_cases, truth_cases, bit_cases, rounding_cases, function_cases]:
        group()
    write(target_folder(), "operators-elementwise")


if __name__ == "__main__":
    main()
