"""Expected results of sorts and histograms: operators-sort.safetensors and operators-sort.json.

    python3 make_operators_sort.py [FOLDER]

PyTorch promises no order of equal elements where it takes the k largest, so those cases have none.
"""

import torch

from make_operators import (
    EXACT, INF, OPERATORS, RANDOM, boolean, case, integers, normal, target_folder, write,
)
from make_operators_reduction import SPECIAL, given

OPERATORS |= {name: given(getattr(torch, name)) for name in ["histc", "topk"]}


def sort(input, dim=-1, descending=False, stable=True):
    return torch.sort(input, dim=dim, descending=descending, stable=stable)


def argsort(input, dim=-1, descending=False, stable=True):
    return torch.argsort(input, dim=dim, descending=descending, stable=stable)


OPERATORS |= {"sort": sort, "argsort": argsort}
EXACT |= {"sort", "argsort", "topk"}

# Powers of two are what blocks are filled up to.
SORT_LENGTHS = [2, 5, 63, 65, 260]


def sort_cases():
    values = normal(2, 3, 5)
    for op in ["sort", "argsort"]:
        case(op, "default", input=values)
        case(op, "descending", input=values, descending=True)
        case(op, "dim_0", input=values, dim=0)
        case(op, "dim_1_descending", input=values, dim=-2, descending=True)
        case(op, "rank_0", input=normal())
        case(op, "empty", input=normal(3, 0))
        case(op, "no_lines", input=normal(0, 3), dim=1)
        for descending in [False, True]:
            way = "descending" if descending else "ascending"
            case(op, f"stable_{way}", input=integers(0, 4, 3, 40).float(), dim=1, descending=descending, stable=True)
            case(op, f"special_{way}", input=SPECIAL, descending=descending, stable=True)
            case(op, f"special_down_{way}", input=SPECIAL, dim=0, descending=descending, stable=True)
            case(op, f"i64_{way}", input=integers(-9, 9, 3, 12), descending=descending, stable=True)
            case(op, f"i32_limits_{way}", input=torch.tensor([7, 2**31 - 1, 0, -2**31], dtype=torch.int32), descending=descending)
            case(op, f"u8_{way}", input=integers(0, 9, 3, 12, dtype=torch.uint8), descending=descending, stable=True)
            case(op, f"bool_{way}", input=boolean(3, 12), descending=descending, stable=True)
            case(op, f"f16_{way}", input=normal(3, 9, dtype=torch.float16), descending=descending, stable=True)
        case(op, "bf16", input=normal(3, 9, dtype=torch.bfloat16), stable=True)
        for length in SORT_LENGTHS:
            case(op, f"length_{length}", input=normal(2, length), stable=True)
    case("sort", "blocks", input=normal(1030), stable=True)


def topk_cases():
    values = normal(3, 2, 8)
    case("topk", "default", input=values, k=3)
    case("topk", "smallest", input=values, k=3, largest=False)
    case("topk", "dim_0", input=values, k=2, dim=0)
    case("topk", "dim_1", input=values, k=1, dim=-2, largest=False)
    case("topk", "all", input=values, k=8, sorted=True)
    case("topk", "none", input=values, k=0)
    case("topk", "rank_0", input=normal(), k=1)
    case("topk", "empty", input=normal(0, 4), k=2)
    case("topk", "f16", input=torch.randperm(16, generator=RANDOM).reshape(2, 8).half(), k=4)
    case("topk", "bf16", input=torch.randperm(16, generator=RANDOM).reshape(2, 8).bfloat16(), k=4, largest=False)
    case("topk", "i64", input=torch.randperm(40, generator=RANDOM).reshape(2, 20), k=4)
    case("topk", "u8", input=torch.randperm(40, generator=RANDOM).reshape(2, 20).to(torch.uint8), k=4)
    case("topk", "nan", input=torch.tensor([1.0, float("nan"), INF, -INF, 0.0]), k=3)
    case("topk", "nan_smallest", input=torch.tensor([1.0, float("nan"), INF, -INF, 0.0]), k=4, largest=False)
    for length in SORT_LENGTHS:
        case("topk", f"length_{length}", input=normal(2, length), k=min(length, 50))
    case("topk", "experts", input=torch.softmax(normal(9, 64), -1), k=8, dim=-1)


def histogram_cases():
    values = normal(6, 50)
    case("histc", "default", input=values)
    case("histc", "range", input=values, bins=7, min=-1.0, max=1.0)
    case("histc", "one_bin", input=values, bins=1, min=-0.5, max=0.5)
    case("histc", "edges", input=torch.tensor([0.0, 1.0, 2.0, 3.0, 4.0, 4.0, 5.0, -1.0]), bins=4, min=0, max=4)
    case("histc", "constant", input=torch.full((5,), 2.0), bins=4)
    case("histc", "ignored", input=torch.tensor([0.5, float("nan"), INF, -INF, 0.25]), bins=2, min=0, max=1)
    case("histc", "empty", input=normal(0), bins=3, min=0, max=1)
    case("histc", "rank_0", input=torch.tensor(0.75), bins=3, min=0, max=1)
    case("histc", "experts", input=integers(0, 8, 9, 4).float(), bins=8, min=0, max=7)


if __name__ == "__main__":
    for group in [sort_cases, topk_cases, histogram_cases]:
        group()
    write(target_folder(), "operators-sort")
