"""Expected results of reductions beyond those of make_operators.py: operators-reduction.safetensors and operators-reduction.json.

    python3 make_operators_reduction.py [FOLDER]
"""

import torch

from make_operators import (
    BY_NAME, EXACT, INF, OPERATORS, boolean, case, integers, normal, target_folder, write,
)

NAN = float("nan")


def given(function):
    """Leaves out arguments that are None, which some overloads do not take, and makes dtypes of their names."""
    def call(input, **args):
        args = {name: value for name, value in args.items() if value is not None}
        if "dtype" in args:
            args["dtype"] = BY_NAME[args["dtype"]]
        return function(input, **args)
    return call


OPERATORS |= {name: given(getattr(torch, name)) for name in [
    "sum", "mean", "prod", "any", "all", "count_nonzero", "amax", "amin", "argmin", "max", "min",
]}
OPERATORS["linalg_vector_norm"] = given(torch.linalg.vector_norm)
EXACT |= {"any", "all", "count_nonzero", "amax", "amin", "argmin", "max", "min"}

# Signed zeros, infinities and NaN in each row.
SPECIAL = torch.tensor([[1.0, NAN, INF, NAN], [-0.0, 0.0, -0.0, 0.0], [-INF, INF, 0.5, 1.0], [-INF, -INF, -INF, -INF]])
# Equal elements; which is first is PyTorch's promise on the CPU.
TIES = torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0], [-1.0, -2.0, -2.0]])
# Around the sizes at which kernels change: lanes, workgroups.
LENGTHS = [7, 33, 129, 300]


def total_cases():
    values = normal(2, 3, 4)
    f64 = {"dtype": "f64"}
    for op in ["sum", "mean", "prod"]:
        case(op, "dtype_of_i64", f64=f64, input=integers(-4, 5, 3, 4), dim=1, dtype="f32")
        case(op, "dtype_of_f16", f64=f64, input=values.half(), dim=-1, dtype="f32")
        # A narrower dtype would round the input first, and that is the source's own noise.
        case(op, "dtype_bf16", f64=f64, input=integers(1, 5, 6), dtype="bf16")
    for op in ["sum", "prod"]:
        case(op, "dtype_i64_of_f32", input=values * 3, dim=0, dtype="i64", device="cpu")
        case(op, "dtype_i32", input=integers(-9, 9, 5), dtype="i32")
        case(op, "dtype_u8_wraps", input=integers(0, 99, 5), dtype="u8")
        case(op, "dtype_of_bool", f64=f64, input=boolean(9), dtype="f16")
    for ord in [1, 2, 3, INF, 0]:
        case("linalg_vector_norm", f"dtype_ord_{ord}", f64=f64, input=values.half(), ord=ord, dim=[0, 2], dtype="f32")
    case("prod", "all", input=values)
    case("prod", "dim_1", input=values, dim=1)
    case("prod", "keepdim", input=values, dim=-1, keepdim=True)
    case("prod", "rank_0", input=normal(), dim=0)
    case("prod", "f16", input=values.half(), dim=2)
    case("prod", "bf16", input=values.bfloat16(), dim=0)
    case("prod", "empty", input=normal(0, 3), dim=0)
    case("prod", "no_results", input=normal(0, 3), dim=1)
    case("prod", "i64", input=integers(-9, 9, 3, 4), dim=0)
    case("prod", "i32", input=integers(-5, 5, 3, 4, dtype=torch.int32))
    case("prod", "u8", input=integers(0, 5, 3, 4, dtype=torch.uint8), dim=1)
    case("prod", "bool", input=boolean(3, 4), dim=1)
    case("prod", "special", input=SPECIAL, dim=1)
    for length in LENGTHS:
        case("prod", f"length_{length}", input=normal(3, length).sign() * normal(3, length, scale=0.1).exp(), dim=1)
    for ord in [0, 1, 2, 3, 0.5, -1, INF, -INF]:
        case("linalg_vector_norm", f"special_ord_{ord}", input=SPECIAL, ord=ord, dim=[1])
        case("linalg_vector_norm", f"f16_ord_{ord}", input=values.half(), ord=ord, dim=[1], keepdim=True)
        case("linalg_vector_norm", f"long_ord_{ord}", input=normal(3, 300) + 3, ord=ord, dim=-1)
        case("linalg_vector_norm", f"all_ord_{ord}", input=values, ord=ord)
        if 0 <= ord < INF:
            case("linalg_vector_norm", f"empty_ord_{ord}", input=normal(2, 0), ord=ord, dim=[1])


def truth_cases():
    sparse = integers(0, 2, 2, 3, 4) * integers(0, 2, 2, 3, 4) * integers(-5, 5, 2, 3, 4)
    for op in ["any", "all", "count_nonzero"]:
        case(op, "all", input=sparse)
        case(op, "dim", input=sparse, dim=1)
        case(op, "negative_dim", input=sparse.float(), dim=-1)
        case(op, "dims", input=sparse, dim=[0, -1])
        case(op, "rank_0", input=torch.tensor(3.0))
        case(op, "rank_0_dim", input=torch.tensor(0), dim=-1)
        case(op, "empty", input=normal(0, 3), dim=0)
        case(op, "no_results", input=normal(0, 3), dim=1)
        case(op, "nothing", input=normal(0))
        case(op, "special", input=SPECIAL, dim=1)
        case(op, "bool", input=boolean(4, 9), dim=1)
        case(op, "u8", input=sparse.abs().to(torch.uint8), dim=2)
        case(op, "i32", input=sparse.to(torch.int32), dim=0)
        case(op, "f16", input=torch.tensor([[0.0, 6e-8], [0.0, 0.0]], dtype=torch.float16), dim=1)
        case(op, "bf16", input=sparse.bfloat16(), dim=1)
        for length in LENGTHS:
            ones = torch.ones(3, length)
            ones[1, length - 1] = 0
            ones[2] = 1 - ones[1]
            case(op, f"length_{length}", input=ones, dim=1)
    for op in ["any", "all"]:
        case(op, "keepdim", input=sparse, dim=1, keepdim=True)
        case(op, "no_dims", input=sparse, dim=[])
        case(op, "subnormal", input=torch.tensor([1e-45, 1e-42]))


def extremum_cases():
    values = normal(2, 3, 4)
    for op in ["amax", "amin"]:
        case(op, "all", input=values)
        case(op, "dim", input=values, dim=1)
        case(op, "dims", input=values, dim=[0, -1])
        case(op, "keepdim", input=values, dim=[-1], keepdim=True)
    for op in ["max", "min", "argmin"]:
        case(op, "all", input=values)
        case(op, "dim", input=values, dim=1)
        case(op, "keepdim", input=values, dim=-1, keepdim=True)
        case(op, "first_of_equal", input=TIES, dim=1, device="cpu")
        case(op, "rank_0_dim", input=normal(), dim=-1)
    for op in ["amax", "amin", "max", "min", "argmin"]:
        case(op, "special", input=SPECIAL, dim=1, device="cpu")
        case(op, "rank_0", input=normal())
        case(op, "no_results", input=normal(0, 3), dim=1)
        case(op, "i64", input=integers(-99, 99, 3, 5), dim=0, device="cpu")
        case(op, "i32_limits", input=torch.tensor([2**31 - 1, 0, -2**31], dtype=torch.int32), dim=0)
        case(op, "u8", input=integers(0, 256, 3, 5, dtype=torch.uint8), dim=1, device="cpu")
        case(op, "f16", input=values.half(), dim=2)
        case(op, "bf16", input=values.bfloat16(), dim=0)
        for length in LENGTHS:
            case(op, f"length_{length}", input=normal(3, length), dim=1)
        if op != "argmin":
            case(op, "bool", input=boolean(3, 4), dim=1, device="cpu")
    for op in ["max", "min"]:
        case(op, "other", input=values, other=normal(3, 1))
        case(op, "other_special", input=SPECIAL.reshape(16, 1), other=SPECIAL.reshape(16))
        case(op, "other_i64", input=integers(-9, 9, 7), other=integers(-9, 9, 7))
        case(op, "other_promotes", input=values.half(), other=normal(4))
        case(op, "other_of_i32", input=integers(-9, 9, 4, dtype=torch.int32), other=normal(4))
        case(op, "other_rank_0", input=normal(), other=normal())
        case(op, "other_empty", input=normal(0, 3), other=normal(3))
        case(op, "other_bool", input=boolean(6), other=boolean(6))


if __name__ == "__main__":
    for group in [total_cases, truth_cases, extremum_cases]:
        group()
    write(target_folder(), "operators-reduction")
