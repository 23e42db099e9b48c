"""Cases of pooling: operators-pool.safetensors and operators-pool.json.

    python3 make_operators_pool.py [FOLDER]
"""

import torch

from make_operators import EXACT, INF, OPERATORS, case, integers, normal, target_folder, write

LARGEST = ["max_pool1d", "max_pool2d", "max_pool3d", "max_pool2d_with_indices", "max_pool3d_with_indices", "adaptive_max_pool2d"]
MEANS = ["avg_pool1d", "avg_pool2d", "avg_pool3d", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "_adaptive_avg_pool2d",
         "_adaptive_avg_pool3d", "adaptive_avg_pool3d"]
NAN = float("nan")


def aten(name):
    overload = getattr(torch.ops.aten, name).default
    return lambda input, **args: overload(input, **args)


OPERATORS |= {name: aten(name) for name in LARGEST + MEANS}
EXACT |= set(LARGEST) | {"max_pool1d_with_indices"}
# Only F has it.
OPERATORS["max_pool1d_with_indices"] = lambda input, kernel_size, **args: torch.nn.functional.max_pool1d(
    input, kernel_size, **args, return_indices=True)


def special(*shape):
    """Ties, infinities and NaN beside numbers."""
    values = torch.tensor([0.0, -0.0, 1.0, 1.0, -INF, -INF, -INF, INF, NAN, -1.0])
    return values[integers(0, len(values), *shape)]


def largest_cases():
    for op in ["max_pool1d", "max_pool1d_with_indices"]:
        case(op, "plain", input=normal(2, 3, 11), kernel_size=[3])
        case(op, "everything", input=normal(2, 3, 17), kernel_size=[4], stride=[3], padding=[2], dilation=[2], ceil_mode=True)
        case(op, "no_batch", input=normal(3, 9), kernel_size=[2], stride=[1])
    for op in ["max_pool2d", "max_pool2d_with_indices"]:
        case(op, "resnet", input=normal(1, 4, 15, 14), kernel_size=[3, 3], stride=[2, 2], padding=[1, 1])
        case(op, "plain", input=normal(2, 3, 7, 8), kernel_size=[2, 3])
        case(op, "one_number", input=normal(1, 2, 6, 6), kernel_size=2)
        case(op, "everything", input=normal(2, 3, 13, 12), kernel_size=[3, 2], stride=[3, 2], padding=[1, 1], dilation=[2, 3],
             ceil_mode=True)
        case(op, "ceil", input=normal(1, 2, 5, 6), kernel_size=[2, 4], stride=[2, 3], ceil_mode=True)
        case(op, "no_batch", input=normal(3, 5, 6), kernel_size=[2, 2])
        case(op, "empty_batch", input=normal(0, 3, 5, 6), kernel_size=[2, 2])
        case(op, "special", input=special(2, 3, 8, 8), kernel_size=[2, 2], stride=[1, 1], padding=[1, 1])
        case(op, "low", input=torch.full((1, 1, 3, 3), -INF), kernel_size=[2, 2], padding=[1, 1])
        case(op, "f16", input=normal(1, 3, 6, 6, dtype=torch.float16), kernel_size=[2, 2])
        case(op, "bf16", input=normal(1, 3, 6, 6, dtype=torch.bfloat16), kernel_size=[3, 3], stride=[1, 1])
        case(op, "i64", input=integers(-9, 9, 1, 2, 6, 6), kernel_size=[2, 2], padding=[1, 1], device="cpu")
        case(op, "u8", input=integers(0, 255, 1, 2, 6, 6, dtype=torch.uint8), kernel_size=[3, 2], device="cpu")
    for op in ["max_pool3d", "max_pool3d_with_indices"]:
        case(op, "plain", input=normal(1, 2, 4, 5, 6), kernel_size=[2, 2, 3])
        case(op, "everything", input=normal(2, 2, 6, 7, 8), kernel_size=[2, 3, 3], stride=[1, 2, 3], padding=[1, 1, 0],
             dilation=[2, 1, 2], ceil_mode=True)
    case("adaptive_max_pool2d", "plain", input=normal(2, 3, 7, 8), output_size=[3, 5])
    case("adaptive_max_pool2d", "more", input=special(2, 3, 4), output_size=[5, 1])


def mean_cases():
    case("avg_pool1d", "plain", input=normal(2, 3, 11), kernel_size=[3])
    case("avg_pool1d", "everything", input=normal(3, 18), kernel_size=[4], stride=[3], padding=[2], ceil_mode=True,
         count_include_pad=False)
    case("avg_pool1d", "long", input=normal(2, 2, 700), kernel_size=[600], stride=[50])
    case("avg_pool2d", "plain", input=normal(2, 3, 7, 8), kernel_size=[2, 3])
    case("avg_pool2d", "padding", input=normal(1, 3, 7, 8), kernel_size=[3, 3], stride=[2, 2], padding=[1, 1])
    case("avg_pool2d", "ceil", input=normal(1, 2, 6, 8), kernel_size=[3, 3], stride=[2, 2], padding=[1, 1], ceil_mode=True)
    case("avg_pool2d", "without_padding", input=normal(1, 2, 6, 8), kernel_size=[3, 4], stride=[2, 3], padding=[1, 2], ceil_mode=True,
         count_include_pad=False)
    case("avg_pool2d", "divisor", input=normal(1, 2, 6, 8), kernel_size=[2, 2], padding=[1, 0], divisor_override=3)
    case("avg_pool2d", "no_batch", input=normal(2, 5, 5), kernel_size=2, stride=1)
    case("avg_pool2d", "empty_batch", input=normal(0, 2, 5, 5), kernel_size=[2, 2])
    case("avg_pool2d", "large", input=normal(1, 2, 31, 33), kernel_size=[30, 30], stride=[1, 3])
    case("avg_pool2d", "f16", input=normal(1, 2, 6, 8, dtype=torch.float16), kernel_size=[2, 2])
    case("avg_pool2d", "bf16", input=normal(1, 2, 6, 8, dtype=torch.bfloat16), kernel_size=[2, 2])
    case("avg_pool2d", "special", input=special(1, 2, 6, 8), kernel_size=[2, 2])
    case("avg_pool3d", "plain", input=normal(1, 2, 4, 5, 6), kernel_size=[2, 2, 3])
    case("avg_pool3d", "everything", input=normal(2, 5, 6, 7), kernel_size=[2, 3, 4], stride=[2, 1, 3], padding=[1, 1, 2],
         ceil_mode=True, count_include_pad=False)
    case("adaptive_avg_pool1d", "plain", input=normal(2, 3, 11), output_size=[4])
    case("adaptive_avg_pool1d", "more", input=normal(3, 5), output_size=[8])
    for op in ["adaptive_avg_pool2d", "_adaptive_avg_pool2d"]:
        case(op, "global", input=normal(2, 5, 7, 7), output_size=[1, 1])
        case(op, "uneven", input=normal(1, 3, 7, 10), output_size=[3, 4])
        case(op, "more", input=normal(3, 4, 5), output_size=[6, 2])
        case(op, "large", input=normal(1, 2, 40, 33), output_size=[1, 1])
        case(op, "f16", input=normal(1, 3, 7, 10, dtype=torch.float16), output_size=[2, 3])
        case(op, "empty_batch", input=normal(0, 2, 5, 5), output_size=[2, 2])
    for op in ["adaptive_avg_pool3d", "_adaptive_avg_pool3d"]:
        case(op, "uneven", input=normal(1, 2, 5, 7, 4), output_size=[2, 3, 3])


def main():
    largest_cases()
    mean_cases()
    write(target_folder(), "operators-pool")


if __name__ == "__main__":
    main()
