"""Cases of convolutions, pooling, norms over channels and resampling: operators-conv.safetensors and operators-conv.json.

    python3 make_operators_conv.py [FOLDER]
"""

import torch
import torch.nn.functional as F

from make_operators import OPERATORS, case, normal, target_folder, write

# CUDA's convolutions may otherwise round their factors to 10 bits, or sum in another order each time.
torch.backends.cudnn.allow_tf32 = False
torch.backends.cudnn.deterministic = True

NAMES = ["conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"]
OPERATORS |= {name: getattr(F, name) for name in NAMES}
OPERATORS["convolution"] = torch.ops.aten.convolution.default


def convolution_cases():
    # Padding by name, one number for all dimensions, an input without a batch.
    case("conv1d", "plain", input=normal(2, 3, 11), weight=normal(4, 3, 3))
    case("conv1d", "causal_depthwise", input=normal(1, 6, 9), weight=normal(6, 1, 4), bias=normal(6), padding=[3], groups=6)
    case("conv1d", "stride", input=normal(1, 8, 20), weight=normal(16, 8, 3), bias=normal(16), stride=[2], padding=[1])
    case("conv1d", "dilation", input=normal(1, 2, 20), weight=normal(3, 2, 4), dilation=3, padding=2)
    case("conv1d", "no_batch", input=normal(3, 7), weight=normal(9, 3, 2), bias=normal(9))
    case("conv1d", "same_even", input=normal(2, 3, 8), weight=normal(10, 3, 4), padding="same")
    case("conv1d", "valid", input=normal(2, 3, 8), weight=normal(2, 3, 4), padding="valid")
    case("conv1d", "empty_batch", input=normal(0, 3, 8), weight=normal(8, 3, 4), bias=normal(8))
    case("conv1d", "one_tap", input=normal(1, 40, 5), weight=normal(20, 40, 1))
    case("conv2d", "plain", input=normal(1, 3, 7, 6), weight=normal(8, 3, 3, 3))
    case("conv2d", "bias", input=normal(2, 3, 5, 5), weight=normal(4, 3, 2, 3), bias=normal(4))
    case("conv2d", "everything", input=normal(2, 6, 13, 12), weight=normal(18, 3, 3, 2), bias=normal(18), stride=[2, 1],
         padding=[1, 2], dilation=[1, 3], groups=2)
    case("conv2d", "depthwise", input=normal(1, 10, 9, 9), weight=normal(10, 1, 3, 3), bias=normal(10), padding=1, groups=10)
    case("conv2d", "depthwise_multiplied", input=normal(1, 4, 6, 7), weight=normal(12, 1, 3, 3), stride=2, padding=1, groups=4)
    case("conv2d", "patches", input=normal(1, 3, 16, 16), weight=normal(17, 3, 8, 8), bias=normal(17), stride=[8, 8])
    case("conv2d", "pointwise", input=normal(1, 130, 3, 3), weight=normal(9, 130, 1, 1))
    case("conv2d", "tile_edges", input=normal(1, 5, 9, 8), weight=normal(65, 5, 3, 3, scale=0.3), padding=[1, 1])
    case("conv2d", "same", input=normal(1, 2, 5, 6), weight=normal(3, 2, 3, 2), padding="same", dilation=[2, 1])
    case("conv2d", "valid", input=normal(1, 3, 8, 8), weight=normal(8, 3, 4, 4), bias=normal(8), stride=4, padding="valid")
    case("conv2d", "no_batch", input=normal(3, 5, 6), weight=normal(4, 3, 2, 2), padding=1)
    case("conv2d", "padding_beyond_kernel", input=normal(1, 2, 2, 3), weight=normal(9, 2, 2, 1), padding=[3, 2])
    case("conv2d", "f16", input=normal(1, 4, 6, 6, dtype=torch.float16), weight=normal(8, 4, 3, 3, dtype=torch.float16, scale=0.2),
         bias=normal(8, dtype=torch.float16))
    case("conv2d", "bf16", input=normal(1, 4, 6, 6, dtype=torch.bfloat16), weight=normal(3, 4, 3, 3, dtype=torch.bfloat16))
    nan = normal(1, 2, 5, 5)
    nan[0, 1, 2, 2] = float("nan")
    case("conv2d", "nan", input=nan, weight=normal(8, 2, 2, 2), padding=1)
    nan[0, 1, 2, 2] = float("inf")
    case("conv2d", "infinity", input=nan, weight=normal(2, 2, 2, 2))
    case("conv3d", "plain", input=normal(1, 2, 4, 5, 6), weight=normal(9, 2, 2, 3, 2), bias=normal(9))
    case("conv3d", "everything", input=normal(2, 4, 6, 5, 7), weight=normal(6, 2, 2, 3, 3), stride=[1, 2, 2],
         padding=[1, 0, 2], dilation=[2, 1, 1], groups=2)
    case("conv3d", "same", input=normal(1, 2, 3, 4, 4), weight=normal(2, 2, 3, 2, 3), padding="same")
    case("conv_transpose1d", "plain", input=normal(2, 3, 6), weight=normal(3, 9, 3))
    case("conv_transpose1d", "everything", input=normal(1, 4, 7), weight=normal(4, 3, 4), bias=normal(6), stride=3, padding=2,
         output_padding=1, groups=2, dilation=2)
    case("conv_transpose1d", "no_batch", input=normal(3, 6), weight=normal(3, 8, 2), stride=[2])
    case("conv_transpose2d", "plain", input=normal(1, 3, 4, 5), weight=normal(3, 8, 3, 2), bias=normal(8))
    case("conv_transpose2d", "doubled", input=normal(1, 6, 5, 4), weight=normal(6, 17, 4, 4), bias=normal(17), stride=2, padding=1)
    case("conv_transpose2d", "everything", input=normal(2, 6, 4, 3), weight=normal(6, 2, 3, 2), bias=normal(6), stride=[2, 3],
         padding=[1, 0], output_padding=[1, 2], groups=3, dilation=[2, 1])
    case("conv_transpose2d", "f16", input=normal(1, 4, 4, 4, dtype=torch.float16), weight=normal(4, 8, 2, 2, dtype=torch.float16),
         stride=2)
    case("conv_transpose3d", "everything", input=normal(1, 4, 3, 2, 3), weight=normal(4, 2, 2, 3, 2), bias=normal(4),
         stride=[1, 2, 2], padding=[0, 1, 1], output_padding=[0, 1, 0], groups=2)

    def general(name, input, weight, bias=None, stride=(1,), padding=(0,), dilation=(1,), transposed=False, output_padding=(0,),
                groups=1):
        case("convolution", name, input=input, weight=weight, bias=bias, stride=list(stride), padding=list(padding),
             dilation=list(dilation), transposed=transposed, output_padding=list(output_padding), groups=groups)

    general("1d", normal(1, 8, 16), normal(8, 1, 4), normal(8), padding=[3], groups=8)
    general("2d", normal(2, 3, 9, 9), normal(12, 3, 3, 3), normal(12), [2, 2], [1, 1], [1, 1], output_padding=[0, 0])
    general("3d", normal(1, 2, 3, 4, 4), normal(3, 2, 2, 2, 2), None, [1, 1, 1], [0, 1, 1], [1, 1, 1], False, [0, 0, 0])
    general("transposed_1d", normal(1, 4, 5), normal(4, 10, 3), normal(10), [2], transposed=True, output_padding=[1])
    general("transposed_2d", normal(1, 4, 5, 3), normal(4, 2, 3, 3), None, [2, 2], [1, 1], [1, 1], True, [1, 1], 2)


def main():
    convolution_cases()
    write(target_folder(), "operators-conv")


if __name__ == "__main__":
    main()
