"""Cases of the operators that look elements up by tensors of indices, or write them: operators-index.safetensors and operators-index.json.

    python3 make_operators_index.py [FOLDER]

Where several elements are written to one place PyTorch leaves open on CUDA which one stays; such cases are computed on the CPU.
"""

import torch

from make_operators import EXACT, INF, OPERATORS, boolean, case, integers, normal, single, target_folder, write
from make_operators_movement import BFLOAT, HALF, SPECIAL, every_dtype


def scatter(input, dim, index, src=None, value=None, reduce=None):
    extra = {} if reduce is None else {"reduce": reduce}
    return torch.scatter(input, dim, index.long(), value if src is None else src, **extra)


def whole(index):
    """An index as it was before everything became f64."""
    return index.long() if index is not None and index.is_floating_point() else index


OPERATORS.update({
    "gather": lambda input, dim, index, sparse_grad=False: torch.gather(input, dim, index, sparse_grad=sparse_grad),
    "index_select": torch.index_select,
    "index": lambda input, indices: torch.ops.aten.index.Tensor(input, indices),
    "scatter": scatter, "scatter_add": lambda input, dim, index, src: torch.scatter_add(input, dim, index.long(), src),
    "index_put": lambda input, indices, values, accumulate=False: torch.ops.aten.index_put.default(
        input, [whole(index) for index in indices], values, accumulate),
    "embedding": lambda weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False: torch.ops.aten.embedding.default(
        weight, indices, padding_idx, scale_grad_by_freq, sparse),
})
EXACT |= {"gather", "index_select", "index"}


def gather_cases():
    for dim in [0, 1, 2, -1]:
        case("gather", f"dim_{dim}", input=normal(4, 4, 4), dim=dim, index=integers(0, 4, 3, 2, 4))
    case("gather", "larger", input=normal(2, 3), dim=1, index=integers(0, 3, 2, 70))
    case("gather", "rank_0", input=normal(), dim=0, index=torch.zeros(3, dtype=torch.int64))
    case("gather", "rank_0_index", input=normal(5), dim=0, index=torch.tensor(3))
    case("gather", "empty", input=normal(3, 4), dim=0, index=integers(0, 3, 0, 4))
    case("gather", "i32_index", input=normal(3, 4), dim=1, index=integers(0, 4, 3, 2, dtype=torch.int32), device="cpu")
    case("gather", "special", input=SPECIAL, dim=1, index=torch.tensor([[1, 2, 0], [0, 1, 2]]), sparse_grad=False)
    every_dtype("gather", 3, 4, dim=1, index=integers(0, 4, 3, 5))
    for dim in [0, 1, -1]:
        case("index_select", f"dim_{dim}", input=normal(4, 5, 6), dim=dim, index=torch.tensor([3, 0, 0, 2]))
    case("index_select", "rank_0", input=normal(), dim=0, index=torch.tensor([0]))
    case("index_select", "one", input=normal(4, 2), dim=0, index=torch.tensor(2))
    case("index_select", "none", input=normal(4, 2), dim=1, index=torch.zeros(0, dtype=torch.int64))
    case("index_select", "i32_index", input=normal(4, 2), dim=0, index=torch.tensor([3, 1], dtype=torch.int32))
    case("index_select", "row", input=normal(300), dim=0, index=integers(0, 300, 257))
    every_dtype("index_select", 3, 4, dim=0, index=torch.tensor([2, 2, 0]))
    weight = normal(7, 5)
    case("embedding", "padding", weight=weight, indices=torch.tensor([6, 0, 3]), padding_idx=3)
    case("embedding", "gradients", weight=weight, indices=torch.tensor([[6, 0]]), padding_idx=-1, scale_grad_by_freq=True, sparse=True)


def index_cases():
    cube = normal(4, 5, 6)
    rows, columns = torch.tensor([3, 0, -1, 2]), torch.tensor([1, -5, 4, 4])
    for name, indices in [
        ("first", [rows]), ("middle", [None, columns]), ("last", [None, None, rows]), ("two", [rows, columns]), ("apart", [rows, None, columns]),
        ("end", [None, rows, columns]), ("all", [rows, columns, rows]), ("nones", [rows, None, None]), ("matrix", [rows.reshape(2, 2)]),
        ("broadcast", [rows.reshape(4, 1), columns]), ("broadcast_apart", [rows.reshape(2, 1, 2), None, rows[:2].reshape(2, 1)]),
        ("number", [torch.tensor(1)]), ("numbers", [torch.tensor(1), None, torch.tensor(-2)]), ("none", [rows[:0]]),
    ]:
        case("index", name, input=cube, indices=indices)
    case("index", "row", input=normal(300), indices=[integers(-300, 300, 257)])
    case("index", "i32_index", input=cube, indices=[torch.tensor([1, 2], dtype=torch.int32)])
    case("index", "empty", input=normal(0, 3), indices=[torch.zeros(0, dtype=torch.int64)])
    case("index", "rank_5", input=normal(2, 3, 2, 3, 2), indices=[None, rows[:2] % 3, None, columns[:2] % 3])
    every_dtype("index", 5, 3, indices=[torch.tensor([4, -1, 0])])


def scatter_cases():
    once = torch.tensor([[2, 0, 1, 3, 4], [4, 3, 2, 0, 1]])
    for name, dim, shape in [("dim_0", 0, (5, 5)), ("dim_1", 1, (2, 6)), ("last", -1, (3, 5))]:
        case("scatter", name, input=normal(*shape), dim=dim, index=once, src=normal(2, 5))
    case("scatter", "larger_src", input=normal(2, 9), dim=1, index=once, src=normal(4, 7))
    case("scatter", "value", input=normal(2, 5), dim=1, index=once[:, :2], value=1.5)
    case("scatter", "value_is_rounded", input=normal(2, 5), dim=1, index=once[:, :2], value=0.1, f64={"value": single(0.1)})
    case("scatter", "minus_infinity", input=normal(2, 5), dim=1, index=once[:, 1:3], value=-INF)
    case("scatter", "integer_value", input=integers(-9, 9, 2, 5), dim=1, index=once[:, :2], value=7)
    case("scatter", "bool_value", input=boolean(2, 5), dim=1, index=once[:, :2], value=1)
    case("scatter", "cut_value", input=integers(-9, 9, 2, 5), dim=1, index=once[:, :2], value=1.7)
    case("scatter", "last_stays", input=normal(3), dim=0, index=torch.tensor([1, 1, 0, 1, 0]), src=normal(5), device="cpu")
    case("scatter", "many_meet", input=normal(2, 3), dim=1, index=integers(0, 3, 2, 300), src=normal(2, 300), device="cpu")
    case("scatter", "rank_0", input=normal(), dim=0, index=torch.tensor(0), src=normal())
    case("scatter", "empty", input=normal(2, 3), dim=0, index=torch.zeros(0, 3, dtype=torch.int64), src=normal(0, 3))
    case("scatter", "i32_index", input=normal(2, 5), dim=1, index=once.int(), src=normal(2, 5), device="cpu")
    case("scatter", "special", input=normal(2, 4), dim=1, index=once[:, :3] % 4, src=SPECIAL, device="cpu")
    case("scatter", "rank_3", input=normal(2, 4, 3), dim=1, index=torch.tensor([3, 1]).reshape(1, 2, 1).expand(2, 2, 3), src=normal(2, 2, 3))
    case("scatter", "add", input=normal(2, 3), dim=1, index=integers(0, 3, 2, 6), src=normal(2, 6), reduce="add")
    case("scatter", "multiply", input=normal(2, 3), dim=1, index=integers(0, 3, 2, 4), src=normal(2, 4), reduce="multiply")
    case("scatter", "add_value", input=normal(2, 3), dim=1, index=integers(0, 3, 2, 6), value=0.5, reduce="add")
    case("scatter_add", "dim_0", input=normal(3, 4), dim=0, index=integers(0, 3, 5, 4), src=normal(5, 4))
    case("scatter_add", "dim_1", input=normal(3, 4), dim=1, index=integers(0, 4, 2, 9), src=normal(3, 9))
    case("scatter_add", "negative_dim", input=normal(3, 4, 2), dim=-2, index=integers(0, 4, 3, 3, 2), src=normal(3, 3, 2))
    case("scatter_add", "many", input=normal(4), dim=0, index=integers(0, 4, 1000), src=normal(1000))
    case("scatter_add", "rank_0", input=normal(), dim=0, index=torch.tensor(0), src=normal())
    case("scatter_add", "empty", input=normal(2, 3), dim=0, index=torch.zeros(0, 3, dtype=torch.int64), src=normal(0, 3))
    case("scatter_add", "special", input=normal(2, 3), dim=1, index=torch.tensor([[0, 0, 1], [1, 1, 2]]), src=SPECIAL)
    case("scatter_add", "i64", input=integers(-9, 9, 5), dim=0, index=integers(0, 5, 30), src=integers(-9, 9, 30))
    for name, dtype in [("f16", HALF), ("bf16", BFLOAT)]:
        case("scatter", name, input=normal(2, 5, dtype=dtype), dim=1, index=once, src=normal(2, 5, dtype=dtype))
        case("scatter_add", name, input=normal(2, 5, dtype=dtype), dim=1, index=once, src=normal(2, 5, dtype=dtype))
    for name, dtype in [("i64", torch.int64), ("i32", torch.int32), ("u8", torch.uint8)]:
        values = integers(0, 200, 2, 5, dtype=dtype)
        case("scatter", name, input=values, dim=1, index=once, src=integers(0, 200, 2, 5, dtype=dtype))
        case("index_put", name, input=values, indices=[torch.tensor([1]), torch.tensor([2])], values=integers(0, 9, 1, dtype=dtype))
    case("scatter_add", "u8_wraps", input=integers(0, 200, 2, 5, dtype=torch.uint8), dim=1, index=once,
         src=integers(100, 200, 2, 5, dtype=torch.uint8))
    case("scatter", "bool", input=boolean(2, 5), dim=1, index=once, src=boolean(2, 5))


def index_put_cases():
    rows, columns = torch.tensor([3, 0, -2]), torch.tensor([1, -5, 4])
    shapes = {
        "first": ([rows], (3, 5, 6)), "middle": ([None, columns], (4, 3, 6)), "two": ([rows, columns], (3, 6)),
        "apart": ([rows, None, columns], (3, 5)), "all": ([rows, columns, rows], (3,)), "broadcast": ([rows.reshape(3, 1), columns], (6,)),
        "number": ([rows], ()), "rows": ([rows], (3, 1, 1)), "one": ([torch.tensor(1), torch.tensor(-1)], (6,)), "none": ([rows[:0]], (0, 5, 6)),
    }
    for name, (indices, shape) in shapes.items():
        case("index_put", name, input=normal(4, 5, 6), indices=indices, values=normal(*shape))
        case("index_put", f"{name}_accumulate", input=normal(4, 5, 6), indices=indices, values=normal(*shape), accumulate=True)
    case("index_put", "last_stays", input=normal(3), indices=[torch.tensor([1, 1, 0, 1])], values=normal(4), device="cpu")
    case("index_put", "many", input=normal(5), indices=[integers(-5, 5, 500)], values=normal(500), accumulate=True)
    case("index_put", "cache", input=torch.zeros(1, 2, 9, 4), indices=[None, None, torch.tensor([4, 5])], values=normal(1, 2, 2, 4))
    case("index_put", "f16", input=normal(4, 2, dtype=HALF), indices=[rows], values=normal(3, 2, dtype=HALF))
    case("index_put", "f16_accumulate", input=normal(4, 2, dtype=HALF), indices=[rows], values=normal(3, 2, dtype=HALF), accumulate=True)
    case("index_put", "bool_accumulate", input=boolean(4), indices=[torch.tensor([0, 0, 2])], values=boolean(3), accumulate=True)
    case("index_put", "special", input=normal(4, 3), indices=[torch.tensor([2, 0])], values=SPECIAL)
    case("index_put", "mask", input=normal(4, 3), indices=[boolean(4, 3)], values=normal())
    case("index_put", "mask_of_rows", input=normal(4, 3), indices=[boolean(4)], values=normal(1, 3))
    case("index_put", "mask_and_row", input=normal(4, 3), indices=[boolean(4)], values=normal(3))
    case("index_put", "mask_and_column", input=normal(4, 2, 3), indices=[boolean(4)], values=normal(2, 1))
    case("index_put", "mask_i64", input=integers(-9, 9, 6), indices=[boolean(6)], values=torch.tensor([7]))


def main():
    for group in [gather_cases, index_cases, scatter_cases, index_put_cases]:
        group()
    write(target_folder(), "operators-index")


if __name__ == "__main__":
    main()
