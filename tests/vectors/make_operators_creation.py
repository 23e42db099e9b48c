"""Cases of tensors made from numbers, of triangles and of masked_fill: operators-creation.safetensors and .json.

    python3 make_operators_creation.py [FOLDER]
"""

import torch

from make_operators import BY_NAME, EXACT, INF, OPERATORS, case, integers, normal, target_folder, write

NAN = float("nan")
F64 = {"dtype": "f64"}


def made(function):
    """A function whose dtype is given by name."""
    def call(*args, dtype=None, **named):
        return function(*args, dtype=None if dtype is None else BY_NAME[dtype], **named)
    return call


def new(method):
    return made(lambda input, *args, **named: getattr(torch.Tensor, method)(input, *args, **named))


def arange(end, start=0, step=1, dtype=None):
    return torch.arange(start, end, step, dtype=None if dtype is None else BY_NAME[dtype])


def eye(n, m=None, dtype=None):
    return torch.eye(n, n if m is None else m, dtype=None if dtype is None else BY_NAME[dtype])


OPERATORS |= {name: made(getattr(torch, name)) for name in ["full", "zeros", "ones", "full_like", "zeros_like", "ones_like", "scalar_tensor"]}
OPERATORS |= {name: new(name) for name in ["new_full", "new_zeros", "new_ones"]}
OPERATORS |= {"arange": arange, "eye": eye, "tril": torch.tril, "triu": torch.triu, "masked_fill": lambda input, mask, value: input.masked_fill(mask, value)}
EXACT |= {"tril", "triu"}


def filled_cases():
    for op in ["zeros", "ones"]:
        case(op, "plain", f64=F64, size=[2, 3])
        for dtype in ["f16", "bf16"]:
            case(op, dtype, f64=F64, size=[257], dtype=dtype)
        for dtype in ["i64", "i32", "u8", "bool"]:
            case(op, dtype, size=[3, 1, 2], dtype=dtype)
        case(op, "empty", f64=F64, size=[2, 0])
        case(op, "rank_0", f64=F64, size=[])
        case(f"{op}_like", "plain", input=normal(3, 4))
        case(f"{op}_like", "dtype", input=normal(3, 4), dtype="i64")
        case(f"{op}_like", "i64", input=integers(-9, 9, 5))
        case(f"{op}_like", "bool", input=integers(0, 2, 5).bool())
        case(f"new_{op}", "plain", input=normal(3, 4), size=[5])
        case(f"new_{op}", "f16", input=normal(2, dtype=torch.float16), size=[1, 3])
        case(f"new_{op}", "dtype", input=normal(2), size=[2, 3], dtype="bool")
    case("full", "float", f64=F64, size=[3, 5], fill_value=0.1)
    case("full", "integer", size=[7], fill_value=-3)
    case("full", "bool", size=[2], fill_value=True)
    case("full", "f16", f64=F64, size=[3], fill_value=-INF, dtype="f16")
    case("full", "nan", f64=F64, size=[3], fill_value=NAN)
    case("full", "lowest", f64=F64, size=[2, 2], fill_value=-3.4028234663852886e38)
    case("full", "bf16", f64=F64, size=[3], fill_value=1.7, dtype="bf16")
    case("full", "cut_off", size=[3], fill_value=-2.7, dtype="i64")
    case("full", "wrapped", size=[3], fill_value=-1, dtype="u8")
    case("full", "i64_beyond_32_bits", size=[3], fill_value=1 << 40)
    case("full", "integer_as_float", f64=F64, size=[3], fill_value=7, dtype="f32")
    case("full_like", "plain", input=normal(2, 3), fill_value=2.5)
    case("full_like", "dtype", input=normal(2, 3), fill_value=1, dtype="i32")
    case("new_full", "plain", input=normal(2, 3), size=[4], fill_value=-1.25)
    case("new_full", "bool", input=integers(0, 2, 2).bool(), size=[2], fill_value=0.5)
    case("scalar_tensor", "plain", f64=F64, s=3.5)
    case("scalar_tensor", "i64", s=3.5, dtype="i64")
    case("scalar_tensor", "f16", f64=F64, s=-1e-7, dtype="f16")


def range_cases():
    case("arange", "plain", end=7)
    case("arange", "start", start=3, end=1030)
    case("arange", "step", start=10, end=-5, step=-4)
    case("arange", "empty", start=3, end=3)
    case("arange", "i32", end=5, dtype="i32")
    case("arange", "u8", end=20, step=7, dtype="u8")
    case("arange", "as_float", f64=F64, end=300, dtype="f32")
    case("arange", "floats", f64=F64, start=0.0, end=1.0, step=0.1)
    case("arange", "down", f64=F64, start=2.5, end=-7.25, step=-0.37)
    case("arange", "large", f64=F64, start=1e6, end=1e6 + 300, step=0.5)
    case("arange", "f16", f64=F64, end=40, step=3, dtype="f16")
    case("arange", "bf16", f64=F64, start=0.5, end=9.0, dtype="bf16")
    case("arange", "mixed", f64=F64, start=1, end=4.5)
    case("arange", "cut_off", start=0.5, end=9.0, step=1.5, dtype="i64")
    case("arange", "i64_beyond_32_bits", start=(1 << 31) - 2, end=(1 << 31) + 2)
    case("eye", "plain", f64=F64, n=5)
    case("eye", "wide", f64=F64, n=3, m=17)
    case("eye", "tall", n=9, m=4, dtype="i64")
    case("eye", "bool", n=3, dtype="bool")
    case("eye", "f16", f64=F64, n=2, m=3, dtype="f16")
    case("eye", "empty", f64=F64, n=0)


def replaced_cases():
    special = normal(5, 6)
    special[0, 4], special[3, 1], special[2, 2] = NAN, INF, -0.0
    for op in ["tril", "triu"]:
        case(op, "plain", input=normal(4, 4))
        case(op, "special", input=special)
        for diagonal in [-7, -2, 1, 3, 9]:
            case(op, f"diagonal_{diagonal}", input=normal(2, 3, 5, 7), diagonal=diagonal)
        case(op, "view", input=normal(3, 6, 5).transpose(0, 2), diagonal=1)
        case(op, "bool", input=torch.ones(17, 16, dtype=torch.bool))
        case(op, "i64", input=integers(-9, 9, 3, 4), diagonal=-1)
        case(op, "f16", input=normal(3, 3, dtype=torch.float16))
        case(op, "bf16", input=normal(3, 5, dtype=torch.bfloat16), diagonal=1)
        case(op, "empty", input=normal(3, 0, 4))
    mask = integers(0, 2, 5, 6).bool()
    case("masked_fill", "plain", input=normal(5, 6), mask=mask, value=-INF)
    case("masked_fill", "special", input=special, mask=mask, value=0.1)
    case("masked_fill", "broadcast_mask", input=normal(2, 5, 6), mask=integers(0, 2, 5, 1).bool(), value=0)
    case("masked_fill", "broadcast_input", input=normal(6), mask=mask, value=2.5)
    case("masked_fill", "rank_0", input=normal(3, 4), mask=torch.tensor(True), value=NAN)
    case("masked_fill", "lowest", input=normal(3, 7), mask=integers(0, 2, 3, 7).bool(), value=-3.4028234663852886e38)
    case("masked_fill", "tensor", input=normal(5, 6), mask=mask, value=torch.tensor(-4.25))
    case("masked_fill", "tensor_f16", input=normal(5, 6), mask=mask, value=torch.tensor(1.1, dtype=torch.float16))
    case("masked_fill", "f16", input=normal(5, 6, dtype=torch.float16), mask=mask, value=-65504.0)
    case("masked_fill", "bf16", input=normal(5, 6, dtype=torch.bfloat16), mask=mask, value=-3.3895313892515355e38)
    case("masked_fill", "i64", input=integers(-9, 9, 5, 6), mask=mask, value=-1)
    case("masked_fill", "i64_cut", input=integers(-9, 9, 5, 6), mask=mask, value=2.75)
    case("masked_fill", "i64_cut_tensor", input=integers(-9, 9, 5, 6), mask=mask, value=torch.tensor(-2.75))
    case("masked_fill", "bool", input=integers(0, 2, 5, 6).bool(), mask=mask, value=True)
    case("masked_fill", "bool_tensor", input=integers(0, 2, 5, 6).bool(), mask=mask, value=torch.tensor(-0.5))
    case("masked_fill", "u8", input=integers(0, 255, 5, 6, dtype=torch.uint8), mask=mask, value=200)
    case("masked_fill", "empty", input=normal(0, 6), mask=mask[:1], value=1.0)


def main():
    filled_cases()
    range_cases()
    replaced_cases()
    write(target_folder(), "operators-creation")


if __name__ == "__main__":
    main()
