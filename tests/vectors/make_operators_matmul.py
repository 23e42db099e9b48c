"""Expected results of matrix products: operators-matmul.safetensors and operators-matmul.json.

    python3 make_operators_matmul.py [FOLDER]
"""

import torch

from make_operators import DTYPES, INF, OPERATORS, case, integers, normal, target_folder, write

DTYPES.update({torch.int8: "i8", torch.int16: "i16"})
INTEGERS = {dtype: DTYPES[dtype] for dtype in [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]}
NAN = float("nan")


def added(function):
    """`addmm` and its like: beta and alpha are keywords."""
    def call(input, *factors, beta=1, alpha=1, **named):
        return function(input, *factors, *named.values(), beta=beta, alpha=alpha)
    return call


OPERATORS.update({
    "mm": torch.mm, "bmm": torch.bmm, "mv": lambda input, vec: torch.mv(input, vec),
    "dot": lambda input, tensor: torch.dot(input, tensor),
    "addmm": added(torch.addmm), "addmv": added(torch.addmv), "baddbmm": added(torch.baddbmm), "addbmm": added(torch.addbmm),
})


def plain_cases():
    half, brain = torch.float16, torch.bfloat16
    for rows, depth, columns in [(1, 5, 7), (3, 4, 5), (8, 16, 8), (9, 17, 65), (33, 5, 20), (2, 257, 3)]:
        case("mm", f"{rows}_{depth}_{columns}", input=normal(rows, depth), mat2=normal(depth, columns))
    case("mm", "nothing_deep", input=normal(3, 0), mat2=normal(0, 2))
    case("mm", "empty", input=normal(0, 4), mat2=normal(4, 2))
    case("mm", "f16", input=normal(5, 20, dtype=half), mat2=normal(20, 6, dtype=half))
    case("mm", "bf16", input=normal(5, 20, dtype=brain), mat2=normal(20, 6, dtype=brain))
    values = normal(4, 6)
    values[0, 1], values[1, 2], values[2, 3] = NAN, INF, -INF
    case("mm", "nan_and_infinity", input=values, mat2=normal(6, 9).abs() + 0.1)
    case("bmm", "plain", input=normal(2, 3, 4), mat2=normal(2, 4, 5))
    case("bmm", "row", input=normal(3, 1, 40), mat2=normal(3, 40, 9))
    case("bmm", "column", input=normal(3, 9, 40), mat2=normal(3, 40, 1))
    case("bmm", "tiles", input=normal(2, 17, 5), mat2=normal(2, 5, 9))
    case("bmm", "no_batch", input=normal(0, 3, 4), mat2=normal(0, 4, 5))
    case("bmm", "nothing_deep", input=normal(2, 3, 0), mat2=normal(2, 0, 5))
    case("bmm", "f16", input=normal(2, 3, 16, dtype=half), mat2=normal(2, 16, 5, dtype=half))
    case("bmm", "bf16", input=normal(2, 3, 16, dtype=brain), mat2=normal(2, 16, 5, dtype=brain))
    for rows, depth in [(1, 1), (3, 4), (65, 33), (9, 300)]:
        case("mv", f"{rows}_{depth}", input=normal(rows, depth), vec=normal(depth))
    case("mv", "nothing_deep", input=normal(3, 0), vec=normal(0))
    case("mv", "empty", input=normal(0, 3), vec=normal(3))
    case("mv", "f16", input=normal(7, 20, dtype=half), vec=normal(20, dtype=half))
    case("mv", "bf16", input=normal(7, 20, dtype=brain), vec=normal(20, dtype=brain))
    for length in [1, 7, 64, 257, 600]:
        case("dot", f"of_{length}", input=normal(length), tensor=normal(length))
    case("dot", "empty", input=normal(0), tensor=normal(0))
    case("dot", "f16", input=normal(33, dtype=half), tensor=normal(33, dtype=half))
    case("dot", "infinity", input=torch.tensor([1.0, INF]), tensor=torch.tensor([2.0, 3.0]))


def added_cases():
    half, brain = torch.float16, torch.bfloat16
    shapes = {
        "addmm": ("mat1", "mat2", (3, 20), (20, 5), (3, 5)), "addmv": ("mat", "vec", (6, 20), (20,), (6,)),
        "baddbmm": ("batch1", "batch2", (2, 3, 20), (2, 20, 5), (2, 3, 5)),
        "addbmm": ("batch1", "batch2", (4, 3, 20), (4, 20, 5), (3, 5)),
    }
    for op, (left, right, left_shape, right_shape, shape) in shapes.items():
        def factors(dtype=torch.float32):
            return {left: normal(*left_shape, dtype=dtype), right: normal(*right_shape, dtype=dtype)}

        case(op, "plain", input=normal(*shape), **factors())
        case(op, "alpha", input=normal(*shape), **factors(), alpha=2.5)
        case(op, "beta", input=normal(*shape), **factors(), beta=-0.75)
        case(op, "both", input=normal(*shape), **factors(), beta=0.1, alpha=-0.3)
        case(op, "integer_scalars", input=normal(*shape), **factors(), beta=2, alpha=3)
        case(op, "beta_0_of_nan", input=torch.full(shape, NAN), **factors(), beta=0)
        case(op, "beta_0_of_infinity", input=torch.full(shape, INF), **factors(), beta=0.0, alpha=0.5)
        case(op, "infinite_input", input=torch.full(shape, -INF), **factors())
        case(op, "broadcast_last", input=normal(shape[-1]), **factors())
        case(op, "broadcast_one", input=normal(1), **factors(), beta=0.5)
        if len(shape) > 1:
            case(op, "broadcast_rows", input=normal(shape[-2], 1), **factors())
            case(op, "broadcast_row", input=normal(1, shape[-1]), **factors())
        case(op, "f16", input=normal(*shape, dtype=half), **factors(half))
        case(op, "bf16", input=normal(*shape, dtype=brain), **factors(brain))
    case("addmm", "rank_0", input=normal(), mat1=normal(2, 3), mat2=normal(3, 4))
    case("addmm", "tiles", input=normal(70), mat1=normal(18, 17), mat2=normal(17, 70))
    case("addmm", "row", input=normal(70), mat1=normal(1, 40), mat2=normal(40, 70))
    case("addmm", "column", input=normal(9, 1), mat1=normal(9, 33), mat2=normal(33, 1), alpha=0.5)
    case("addmm", "nothing_deep", input=normal(2, 3), mat1=normal(2, 0), mat2=normal(0, 3), beta=2.0)
    case("addmm", "empty", input=normal(3), mat1=normal(0, 2), mat2=normal(2, 3))
    case("baddbmm", "column", input=normal(2, 9, 1), batch1=normal(2, 9, 33), batch2=normal(2, 33, 1))
    case("baddbmm", "batch_broadcast", input=normal(2, 1, 1), batch1=normal(2, 3, 4), batch2=normal(2, 4, 5))
    case("addbmm", "no_batch", input=normal(3, 5), batch1=normal(0, 3, 4), batch2=normal(0, 4, 5), beta=0.5)


def integer_cases():
    """Exact, and wrapping where the dtype's range ends. CUDA has no such products."""
    def of(dtype, *shape):
        info = torch.iinfo(dtype)
        low, high = (-1000, 1000) if dtype == torch.int64 else (info.min, info.max)
        return integers(low, high, *shape, dtype=dtype)

    for dtype, name in INTEGERS.items():
        def on_cpu(op, what, **args):
            case(op, f"{what}_{name}", device="cpu", **args)

        on_cpu("mm", "tile", input=of(dtype, 5, 18), mat2=of(dtype, 18, 7))
        on_cpu("bmm", "tile", input=of(dtype, 2, 3, 9), mat2=of(dtype, 2, 9, 4))
        on_cpu("mv", "tile", input=of(dtype, 5, 18), vec=of(dtype, 18))
        on_cpu("dot", "tile", input=of(dtype, 33), tensor=of(dtype, 33))
        on_cpu("addmm", "plain", input=of(dtype, 5, 4), mat1=of(dtype, 5, 9), mat2=of(dtype, 9, 4))
        on_cpu("addmm", "scalars", input=of(dtype, 4), mat1=of(dtype, 5, 9), mat2=of(dtype, 9, 4), beta=-3, alpha=5)
        on_cpu("addmm", "beta_0", input=of(dtype, 4), mat1=of(dtype, 5, 9), mat2=of(dtype, 9, 4), beta=0, alpha=2)
        on_cpu("addmv", "scalars", input=of(dtype, 5), mat=of(dtype, 5, 9), vec=of(dtype, 9), beta=2, alpha=-1)
        on_cpu("baddbmm", "scalars", input=of(dtype, 4), batch1=of(dtype, 2, 5, 9), batch2=of(dtype, 2, 9, 4), beta=2, alpha=7)
        on_cpu("addbmm", "scalars", input=of(dtype, 5, 4), batch1=of(dtype, 3, 5, 9), batch2=of(dtype, 3, 9, 4), beta=2, alpha=7)
        on_cpu("matmul", "batch", input=of(dtype, 2, 1, 3, 4), other=of(dtype, 5, 4, 6))
        on_cpu("linear", "bias", input=of(dtype, 2, 3, 9), weight=of(dtype, 4, 9), bias=of(dtype, 4))
    far = torch.tensor([[2**30, 2**31 - 1, -2**31, 7]])
    case("mm", "sums_beyond_32_bits_i64", device="cpu", input=far, mat2=torch.tensor([[2**30], [-2**31], [-2**31 + 1], [-2**28]]))
    case("addmm", "scalars_beyond_32_bits_i64", device="cpu", input=torch.tensor([[2**20]]), mat1=torch.tensor([[2**20]]),
         mat2=torch.tensor([[1]]), beta=2**40, alpha=-2**40)


def main():
    for group in [plain_cases, added_cases, integer_cases]:
        group()
    write(target_folder(), "operators-matmul")


if __name__ == "__main__":
    main()
