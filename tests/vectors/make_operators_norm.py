"""Expected results of norms and of softmax's relatives: operators-norm.safetensors and operators-norm.json.

    python3 make_operators_norm.py [FOLDER]
"""

import torch
import torch.nn.functional as F

from make_operators import BY_NAME, INF, OPERATORS, case, integers, normal, target_folder, write
from make_operators_reduction import given

NAN = float("nan")
ATEN = torch.ops.aten
HALVES = {"f16": torch.float16, "bf16": torch.bfloat16}


def with_dtype(function):
    return lambda input, dim, dtype=None: function(input, dim, dtype=BY_NAME.get(dtype))


def half_to_float(function):
    """The CPU has no half_to_float; what it means is a cast before."""
    def call(input, dim, half_to_float):
        return function(input.float() if half_to_float and input.dtype == torch.float16 else input, dim, False)
    return call


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5, cudnn_enabled=True):
    # A copy of the running statistics: training changes them.
    mean, variance = [value if value is None else value.clone() for value in (running_mean, running_var)]
    return ATEN.batch_norm(input, weight, bias, mean, variance, training, momentum, eps, cudnn_enabled)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-5,
                  cudnn_enabled=True):
    return ATEN.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled)


OPERATORS |= {
    "batch_norm": batch_norm, "instance_norm": instance_norm, "group_norm": F.group_norm,
    "_native_batch_norm_legit_no_training": ATEN._native_batch_norm_legit_no_training,
    "native_group_norm": ATEN.native_group_norm, "native_layer_norm": ATEN.native_layer_norm,
    "log_softmax": with_dtype(torch.log_softmax), "softmin": with_dtype(F.softmin),
    "_softmax": half_to_float(ATEN._softmax), "_log_softmax": half_to_float(ATEN._log_softmax),
    "logsumexp": torch.logsumexp, "_weight_norm": ATEN._weight_norm,
}
OPERATORS |= {name: given(getattr(torch, name)) for name in ["var", "std", "var_mean", "std_mean", "norm"]}
OPERATORS |= {"linalg_norm": given(torch.linalg.norm), "softmax": with_dtype(torch.softmax)}
# Around the sizes at which kernels change: lanes, workgroups.
LENGTHS = [1, 7, 17, 65, 257]
# NaN and infinities in each row.
SPECIAL = torch.tensor([[1.0, NAN, INF, 2.0], [-0.0, 0.0, -0.0, 0.0], [-INF, -2.0, 0.5, 1.0], [-INF, -INF, -INF, -INF], [INF, 1.0, 2.0, -INF]])


def parameters(channels, dtype=torch.float32):
    return {"weight": normal(channels, dtype=dtype), "bias": normal(channels, dtype=dtype)}


def running(channels, dtype=torch.float32):
    return {"running_mean": normal(channels, dtype=dtype), "running_var": (normal(channels).abs() + 0.1).to(dtype)}


def batch_cases():
    for op, more in [("batch_norm", {}), ("_native_batch_norm_legit_no_training", {"momentum": 0.1, "eps": 1e-5})]:
        case(op, "images", input=normal(2, 5, 4, 3), **running(5), **parameters(5), **more)
        case(op, "rank_2", input=normal(7, 3), **running(3), **parameters(3), **more)
        case(op, "sequence", input=normal(2, 3, 9), **running(3), **parameters(3), **more)
        case(op, "volume", input=normal(1, 4, 2, 3, 5), **running(4), **parameters(4), **more)
        case(op, "permuted", input=normal(2, 4, 3, 5).permute(0, 3, 1, 2), **running(5), **parameters(5), **more)
        case(op, "no_batch", input=normal(0, 3, 2), **running(3), **parameters(3), **more)
        case(op, "large_mean", input=normal(3, 4, 9, scale=4.0) + 40, running_mean=normal(4) + 40, running_var=normal(4).abs() + 16,
             **parameters(4), **more)
        for name, dtype in HALVES.items():
            case(op, name, input=normal(2, 5, 6, dtype=dtype), **running(5, dtype), **parameters(5, dtype), **more)
            case(op, f"{name}_beside_f32", input=normal(2, 5, 6, dtype=dtype), **running(5), **parameters(5), **more)
        special = {"running_mean": torch.tensor([0.0, INF, NAN, 1.0, 1.0]), "running_var": torch.tensor([1.0, 1.0, 1.0, INF, -1.0])}
        case(op, "special", input=SPECIAL[:4].unsqueeze(1).expand(4, 5, 4), weight=None, bias=None, **special, **more)
    op = "batch_norm"
    case(op, "plain", input=normal(2, 3, 4), **running(3))
    case(op, "weight_only", input=normal(2, 3, 4), **running(3), weight=normal(3))
    case(op, "eps", input=normal(2, 3, 4), running_mean=normal(3), running_var=normal(3).abs() * 1e-3, eps=1e-3, momentum=0.2)
    case(op, "exported", input=normal(2, 3, 4), **running(3), **parameters(3), training=False, momentum=0.1, eps=1e-5,
         cudnn_enabled=True)
    case(op, "training", input=normal(3, 5, 4, 3), **running(5), **parameters(5), training=True)
    case(op, "training_without_statistics", input=normal(9, 4) * 3 + 2, running_mean=None, running_var=None, training=True)
    case(op, "training_f16", input=normal(4, 3, 5, dtype=torch.float16), **running(3), training=True)
    case(op, "training_large_mean", input=normal(4, 3, 50) + 30, running_mean=None, running_var=None, training=True)
    for length in LENGTHS[1:]:
        case(op, f"training_length_{length}", input=normal(3, 2, length), running_mean=None, running_var=None, **parameters(2),
             training=True)
    op = "instance_norm"
    case(op, "plain", input=normal(2, 3, 8))
    case(op, "images", input=normal(2, 5, 4, 3), **parameters(5))
    case(op, "permuted", input=normal(2, 4, 3, 5).permute(0, 3, 1, 2), **parameters(5), eps=1e-3)
    case(op, "running", input=normal(2, 5, 4, 3), **running(5), **parameters(5), use_input_stats=False)
    case(op, "running_unused", input=normal(2, 5, 12), **running(5), use_input_stats=True)
    case(op, "no_batch", input=normal(0, 3, 2))
    case(op, "special", input=SPECIAL.unsqueeze(0), weight=None, bias=None)
    for name, dtype in HALVES.items():
        case(op, name, input=normal(2, 3, 20, dtype=dtype), **parameters(3, dtype))
    for length in LENGTHS[1:]:
        case(op, f"length_{length}", input=normal(1, 3, length), **parameters(3))


def group_cases():
    op = "group_norm"
    case(op, "images", input=normal(2, 6, 4, 3), num_groups=3, **parameters(6))
    case(op, "plain", input=normal(2, 6, 5), num_groups=2)
    case(op, "bias_only", input=normal(2, 6, 5), num_groups=2, bias=normal(6))
    case(op, "one_group", input=normal(3, 4, 7), num_groups=1, **parameters(4), eps=1e-3)
    case(op, "group_per_channel", input=normal(2, 4, 7), num_groups=4, **parameters(4))
    case(op, "rank_2", input=normal(3, 8), num_groups=2, **parameters(8))
    case(op, "volume", input=normal(1, 4, 2, 3, 5), num_groups=2, **parameters(4))
    case(op, "permuted", input=normal(2, 5, 3, 6).permute(0, 3, 1, 2), num_groups=3, **parameters(6))
    case(op, "no_batch", input=normal(0, 6, 2), num_groups=3)
    case(op, "large_mean", input=normal(2, 4, 50) + 30, num_groups=2, **parameters(4))
    case(op, "special", input=SPECIAL.unsqueeze(0), num_groups=5)
    case(op, "constant", input=torch.full((2, 4, 3), 0.1), num_groups=2, **parameters(4))
    for name, dtype in HALVES.items():
        case(op, name, input=normal(2, 6, 20, dtype=dtype), num_groups=3, **parameters(6, dtype))
        case(op, f"{name}_beside_f32", input=normal(2, 6, 20, dtype=dtype), num_groups=3, **parameters(6))
    for length in LENGTHS:
        case(op, f"length_{length}", input=normal(1, 6, length), num_groups=3, **parameters(6))

    def native(name, input, group, weight=None, bias=None, eps=1e-5):
        pixels = input[0, 0].numel() if input.shape[0] else 1
        case("native_group_norm", name, input=input, weight=weight, bias=bias, N=input.shape[0], C=input.shape[1], HxW=pixels,
             group=group, eps=eps)

    native("images", normal(2, 6, 4, 3), 3, **parameters(6))
    native("plain", normal(2, 6, 5), 2, eps=1e-3)
    native("permuted", normal(2, 5, 3, 6).permute(0, 3, 1, 2), 3, **parameters(6))
    for name, dtype in HALVES.items():
        native(name, normal(2, 6, 20, dtype=dtype), 3, **parameters(6, dtype))
        native(f"{name}_beside_f32", normal(2, 6, 20, dtype=dtype), 3, **parameters(6))
    for length in LENGTHS:
        native(f"length_{length}", normal(1, 4, length), 2)
    op = "native_layer_norm"

    def affine(weight=None, bias=None, eps=1e-5):
        return {"weight": weight, "bias": bias, "eps": eps}

    case(op, "plain", input=normal(2, 3, 8), normalized_shape=[8], **affine())
    case(op, "several", input=normal(2, 3, 4, 5), normalized_shape=[4, 5], **affine(normal(4, 5), normal(4, 5), 1e-12))
    case(op, "all", input=normal(3, 4), normalized_shape=[3, 4], **affine(normal(3, 4)))
    case(op, "permuted", input=normal(4, 2, 3).permute(1, 2, 0), normalized_shape=[4], **affine(normal(4), normal(4)))
    case(op, "no_rows", input=normal(0, 3), normalized_shape=[3], **affine())
    case(op, "large_mean", input=normal(4, 50) + 30, normalized_shape=[50], **affine())
    case(op, "special", input=SPECIAL, normalized_shape=[4], **affine())
    for name, dtype in HALVES.items():
        case(op, name, input=normal(3, 20, dtype=dtype), normalized_shape=[20], **affine(normal(20, dtype=dtype)))
        case(op, f"{name}_beside_f32", input=normal(3, 20, dtype=dtype), normalized_shape=[20], **affine(normal(20), normal(20)))
    for length in LENGTHS[1:]:
        case(op, f"length_{length}", input=normal(3, length), normalized_shape=[length], **affine(normal(length)))


def softmax_cases():
    for op in ["log_softmax", "softmin", "_softmax", "_log_softmax"]:
        more = {"half_to_float": False} if op.startswith("_") else {}
        case(op, "last", input=normal(2, 3, 5), dim=-1, **more)
        case(op, "first", input=normal(4, 3, 5), dim=0, **more)
        case(op, "middle", input=normal(2, 6, 5), dim=1, **more)
        case(op, "permuted", input=normal(2, 6, 5).permute(2, 0, 1), dim=1, **more)
        case(op, "rank_0", input=normal(), dim=0, **more)
        case(op, "empty", input=normal(2, 0), dim=1, **more)
        case(op, "no_rows", input=normal(0, 3), dim=1, **more)
        case(op, "wide", input=normal(3, 20, scale=30.0), dim=1, **more)
        case(op, "large", input=torch.tensor([[1e4, 1e4 - 1, -1e4], [3e38, 3e38, -3e38]]), dim=1, **more)
        case(op, "special", input=SPECIAL, dim=1, **more)
        for name, dtype in HALVES.items():
            case(op, name, input=normal(3, 20, dtype=dtype), dim=1, **more)
        if op.startswith("_"):
            case(op, "half_to_float", input=normal(3, 20, dtype=torch.float16), dim=1, half_to_float=True)
        else:
            case(op, "dtype_of_f16", f64={"dtype": "f64"}, input=normal(3, 20, dtype=torch.float16), dim=1, dtype="f32")
            case(op, "dtype_of_i64", f64={"dtype": "f64"}, input=integers(-5, 5, 3, 7), dim=1, dtype="f32")
        for length in LENGTHS:
            case(op, f"length_{length}", input=normal(3, length), dim=1, **more)
    op = "logsumexp"
    case(op, "dim", input=normal(2, 3, 5), dim=1)
    case(op, "dims", input=normal(2, 3, 5), dim=[0, -1])
    case(op, "keepdim", input=normal(2, 3, 5), dim=[-1], keepdim=True)
    case(op, "permuted", input=normal(2, 6, 5).permute(2, 0, 1), dim=[1])
    case(op, "rank_0", input=normal(), dim=0)
    case(op, "empty", input=normal(2, 0), dim=1)
    case(op, "no_results", input=normal(0, 3), dim=1)
    case(op, "wide", input=normal(3, 20, scale=30.0), dim=1)
    case(op, "large", input=torch.tensor([[1e4, 1e4 - 1, -1e4], [3e38, 3e38, -3e38]]), dim=1)
    case(op, "near_0", input=normal(5, 3, scale=0.01) - 1.0986123, dim=1)
    case(op, "special", input=SPECIAL, dim=1)
    for name, dtype in HALVES.items():
        case(op, name, input=normal(3, 20, dtype=dtype), dim=1)
    for length in LENGTHS:
        case(op, f"length_{length}", input=normal(3, length), dim=1)


def weight_cases():
    op = "_weight_norm"
    case(op, "default", v=normal(3, 4, 2), g=normal(3, 1, 1))
    case(op, "dim_0", v=normal(5, 2, 3), g=normal(5, 1, 1), dim=0)
    case(op, "middle", v=normal(3, 4, 2), g=normal(1, 4, 1), dim=1)
    case(op, "last", v=normal(3, 4, 2), g=normal(1, 1, 2), dim=2)
    case(op, "dim_-2", v=normal(3, 4, 2), g=normal(1, 4, 1), dim=-2)
    case(op, "whole", v=normal(3, 4, 2), g=normal(), dim=-1)
    case(op, "rank_1", v=normal(5), g=normal(5), dim=0)
    case(op, "linear", v=normal(7, 9), g=normal(7, 1), dim=0)
    case(op, "permuted", v=normal(2, 4, 3).permute(2, 1, 0), g=normal(3, 1, 1), dim=0)
    case(op, "zeros", v=torch.cat([torch.zeros(1, 5), normal(2, 5)]), g=normal(3, 1), dim=0)
    case(op, "special", v=SPECIAL, g=normal(5, 1), dim=0)
    case(op, "empty", v=normal(3, 0), g=normal(3, 1), dim=0)
    for name, dtype in HALVES.items():
        case(op, name, v=normal(3, 20, dtype=dtype), g=normal(3, 1, dtype=dtype), dim=0)
    for length in LENGTHS:
        case(op, f"length_{length}", v=normal(3, length), g=normal(3, 1), dim=0)


def variance_cases():
    values = normal(3, 4, 5)
    for op in ["var", "std", "var_mean", "std_mean"]:
        case(op, "all", input=values)
        case(op, "dim", input=values, dim=1)
        case(op, "dims", input=values, dim=[0, -1], correction=0)
        case(op, "keepdim", input=values, dim=[-1], correction=1, keepdim=True)
        case(op, "no_dims", input=values, dim=[])
        case(op, "biased", input=values, dim=[2], unbiased=False)
        case(op, "unbiased", input=values, dim=[2], unbiased=True, keepdim=True)
        case(op, "fractional", input=values, dim=0, correction=0.5)
        case(op, "permuted", input=values.permute(2, 0, 1), dim=1)
        case(op, "one", input=normal(3, 1), dim=1)
        case(op, "one_biased", input=normal(3, 1), dim=1, correction=0)
        case(op, "too_few", input=normal(3, 2), dim=1, correction=2)
        case(op, "rank_0", input=normal())
        case(op, "empty", input=normal(2, 0), dim=1)
        case(op, "no_results", input=normal(0, 3), dim=1)
        case(op, "special", input=SPECIAL, dim=1)
        case(op, "one_special", input=SPECIAL.reshape(-1, 1), dim=1)
        case(op, "large_mean", input=normal(4, 50) + 1000, dim=1)
        case(op, "very_large_mean", input=normal(4, 50) - 1e6, dim=1)
        for name, dtype in HALVES.items():
            case(op, name, input=normal(3, 20, dtype=dtype), dim=1)
        for length in LENGTHS[1:]:
            case(op, f"length_{length}", input=normal(3, length), dim=1)


def norm_cases():
    values = normal(2, 3, 4)
    for op, order in [("norm", "p"), ("linalg_norm", "ord")]:
        case(op, "all", input=values)
        case(op, "dim", input=values, dim=[1])
        case(op, "dims", input=values, dim=[0, 2], keepdim=True)
        case(op, "fro", input=values, dim=[0, 1], **{order: "fro"})
        case(op, "f16", input=values.half(), dim=[1])
        case(op, "dtype", f64={"dtype": "f64"}, input=values.half(), dim=[1], dtype="f32", **{order: 2})
        for value in [0, 1, 2, 3, 0.5, INF, -INF]:
            case(op, f"order_{value}", input=values, dim=[-1], **{order: value})
            case(op, f"vector_{value}", input=normal(9), **{order: value})
    case("norm", "order_of_dims", input=values, dim=[0, 1], p=1)
    case("norm", "rank_0", input=normal())
    case("softmax", "dtype_of_f16", f64={"dtype": "f64"}, input=normal(3, 20, dtype=torch.float16), dim=1, dtype="f32")
    case("softmax", "dtype_of_i64", f64={"dtype": "f64"}, input=integers(-5, 5, 3, 7), dim=1, dtype="f32")


if __name__ == "__main__":
    for group in [batch_cases, group_cases, softmax_cases, weight_cases, variance_cases, norm_cases]:
        group()
    write(target_folder(), "operators-norm")
