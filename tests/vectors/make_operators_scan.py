"""Expected results of scans: operators-scan.safetensors and operators-scan.json.

    python3 make_operators_scan.py [FOLDER]

Cases with equal elements are computed on the CPU, where the last of them is taken.
"""

import torch

from make_operators import (
    EXACT, OPERATORS, boolean, case, integers, normal, target_folder, write,
)
from make_operators_reduction import SPECIAL, given

OPERATORS |= {name: given(getattr(torch, name)) for name in [
    "cumsum", "cumprod", "cummax", "cummin",
]}
EXACT |= {"cummax", "cummin"}

# Around the sizes at which kernels change, with the number of lines.
LENGTHS = [(7, 3), (33, 3), (129, 2), (300, 1)]


def total_cases():
    values = normal(2, 3, 4)
    for op in ["cumsum", "cumprod"]:
        case(op, "dim_0", input=values, dim=0)
        case(op, "dim_1", input=values, dim=1)
        case(op, "last", input=values, dim=-1)
        case(op, "rank_0", input=normal(), dim=0)
        case(op, "empty", input=normal(3, 0), dim=1)
        case(op, "no_lines", input=normal(0, 3), dim=1)
        case(op, "f16", input=values.half(), dim=-1)
        case(op, "bf16", input=values.bfloat16(), dim=1)
        case(op, "dtype_of_f16", f64={"dtype": "f64"}, input=values.half(), dim=-1, dtype="f32")
        case(op, "dtype_of_i64", f64={"dtype": "f64"}, input=integers(-4, 5, 3, 4), dim=0, dtype="f32")
        case(op, "dtype_i64_of_f32", input=values * 3, dim=0, dtype="i64", device="cpu")
        case(op, "i64", input=integers(-9, 9, 3, 5), dim=1)
        case(op, "i32", input=integers(-9, 9, 3, 5, dtype=torch.int32), dim=0)
        case(op, "u8_wraps", input=integers(0, 255, 3, 5, dtype=torch.uint8), dim=-1, dtype="u8")
        case(op, "bool", input=boolean(4, 9), dim=1)
        case(op, "special", input=SPECIAL, dim=1)
        case(op, "special_down", input=SPECIAL, dim=0)
        for length, lines in LENGTHS:
            scale = 1.0 if op == "cumsum" else 0.1
            case(op, f"length_{length}", input=normal(lines, length, scale=scale) + (1.0 if op == "cumprod" else 0.0), dim=1)
            case(op, f"down_{length}", input=normal(length, lines, scale=scale) + (1.0 if op == "cumprod" else 0.0), dim=0)
    mask = (torch.arange(40) < torch.tensor([[17], [40], [1]])).long()
    case("cumsum", "positions_of_a_mask", input=mask, dim=-1)
    case("cumsum", "off_centre", input=normal(2, 300) + 50, dim=-1)


def extremum_cases():
    values = normal(2, 3, 4)
    for op in ["cummax", "cummin"]:
        case(op, "dim_0", input=values, dim=0)
        case(op, "dim_1", input=values, dim=1)
        case(op, "last", input=values, dim=-1)
        case(op, "rank_0", input=normal(), dim=0)
        case(op, "empty", input=normal(3, 0), dim=1)
        case(op, "f16", input=values.half(), dim=-1)
        case(op, "bf16", input=values.bfloat16(), dim=1)
        case(op, "i64", input=integers(-9, 9, 3, 12), dim=1, device="cpu")
        case(op, "u8", input=integers(0, 255, 3, 12, dtype=torch.uint8), dim=1, device="cpu")
        case(op, "bool", input=boolean(3, 12), dim=1, device="cpu")
        case(op, "last_of_equal", input=integers(0, 3, 3, 40).float(), dim=1, device="cpu")
        case(op, "special", input=SPECIAL, dim=1, device="cpu")
        for length, lines in LENGTHS:
            case(op, f"length_{length}", input=normal(lines, length), dim=1)
            case(op, f"trend_{length}", input=normal(lines, length) + torch.linspace(0, 9, length), dim=1)
            case(op, f"down_{length}", input=normal(length, lines), dim=0)


if __name__ == "__main__":
    for group in [total_cases, extremum_cases]:
        group()
    write(target_folder(), "operators-scan")
