"""Cases of the operators that move and repeat elements, and views: operators-movement.safetensors and operators-movement.json.

    python3 make_operators_movement.py [FOLDER]
"""

import torch
import torch.nn.functional as F

import operator_views
from make_operators import EXACT, INF, OPERATORS, boolean, case, integers, normal, target_folder, write
from operator_views import contiguous, layout

OPERATORS.update({
    "stack": lambda tensors, dim=0: torch.stack(tensors, dim),
    "reshape": lambda input, shape: torch.reshape(input, shape),
    "flatten": lambda input, start_dim=0, end_dim=-1: torch.flatten(input, start_dim, end_dim),
    "contiguous": lambda input: input.contiguous(),
    "repeat": lambda input, repeats: input.repeat(repeats),
    "tile": lambda input, dims: torch.tile(input, dims),
    "repeat_interleave": lambda input, repeats, dim=None, output_size=None: torch.repeat_interleave(
        input, repeats, dim, output_size=output_size),
    "flip": lambda input, dims: torch.flip(input, dims),
    "roll": lambda input, shifts, dims=(): torch.roll(input, shifts, dims),
    "pad": lambda input, pad, mode="constant", value=None: F.pad(input, pad, mode, value),
    "constant_pad_nd": lambda input, pad, value=0: torch.constant_pad_nd(input, pad, value),
    "diff": lambda input, n=1, dim=-1, prepend=None, append=None: torch.diff(input, n, dim, prepend, append),
    "slice_scatter": lambda input, src, dim=0, start=None, end=None, step=1: torch.slice_scatter(input, src, dim, start, end, step),
    "select_scatter": lambda input, src, dim, index: torch.select_scatter(input, src, dim, index),
})
EXACT |= {
    "stack", "reshape", "flatten", "contiguous", "repeat", "tile", "repeat_interleave", "flip", "roll", "pad", "constant_pad_nd",
    "slice_scatter", "select_scatter",
}

NAN = float("nan")
SPECIAL = torch.tensor([[1.0, NAN, -0.0], [INF, -INF, 0.0]])
HALF, BFLOAT = torch.float16, torch.bfloat16


def every_dtype(op, *shape, **args):
    """A case for each dtype that tensors of a trace have."""
    for name, dtype in [("f16", HALF), ("bf16", BFLOAT)]:
        case(op, name, input=normal(*shape, dtype=dtype), **args)
    for name, dtype in [("i64", torch.int64), ("i32", torch.int32), ("u8", torch.uint8)]:
        case(op, name, input=integers(0, 100, *shape, dtype=dtype), **args)
    case(op, "bool", input=boolean(*shape), **args)


def stack_cases():
    for dim in [0, 1, 2, -1, -2]:
        case("stack", f"dim_{dim}", tensors=[normal(3, 5), normal(3, 5), normal(3, 5)], dim=dim)
    case("stack", "default", tensors=[normal(4)])
    case("stack", "rank_0", tensors=[normal(), normal()])
    case("stack", "empty", tensors=[normal(0, 2), normal(0, 2)], dim=1)
    case("stack", "f16", tensors=[normal(3, dtype=HALF), normal(3, dtype=HALF)], dim=1)
    case("stack", "promotes", tensors=[normal(3, dtype=HALF), normal(3), integers(0, 9, 3)])
    case("stack", "i64", tensors=[integers(-9, 9, 2, 2), integers(-9, 9, 2, 2)], dim=-1)
    case("stack", "bool", tensors=[boolean(3), boolean(3)])
    case("stack", "special", tensors=[SPECIAL, SPECIAL], dim=2)


def shape_cases():
    for name, shape in [("plain", [6, 4]), ("inferred", [2, -1, 2]), ("row", [-1]), ("more", [1, 2, 3, 4, 1])]:
        case("reshape", name, input=normal(2, 3, 4), shape=shape)
    case("reshape", "rank_0", input=normal(), shape=[1, 1])
    case("reshape", "to_rank_0", input=normal(1), shape=[])
    case("reshape", "empty", input=normal(0, 3), shape=[3, 0])
    every_dtype("reshape", 3, 4, shape=[2, -1])
    case("flatten", "all", input=normal(2, 3, 4))
    case("flatten", "start", input=normal(2, 3, 4), start_dim=1)
    case("flatten", "end", input=normal(2, 3, 4), end_dim=-2)
    case("flatten", "one", input=normal(2, 3, 4), start_dim=1, end_dim=1)
    case("flatten", "rank_0", input=normal())
    case("flatten", "empty", input=normal(0, 3), start_dim=0)
    every_dtype("flatten", 3, 2, 2, start_dim=-2)
    case("contiguous", "plain", input=normal(3, 4))
    case("contiguous", "rank_0", input=normal())
    every_dtype("contiguous", 3, 2)


def repeat_cases():
    for name, repeats in [("plain", [2, 3]), ("more", [2, 1, 3]), ("ones", [1, 1]), ("none", [0, 2])]:
        case("repeat", name, input=normal(3, 4), repeats=repeats)
        case("tile", name, input=normal(3, 4), dims=repeats)
    case("repeat", "rank_0", input=normal(), repeats=[3, 2])
    case("repeat", "rank_0_once", input=normal(), repeats=[])
    case("repeat", "empty", input=normal(0, 2), repeats=[2, 2])
    case("repeat", "special", input=SPECIAL, repeats=[1, 2])
    case("repeat", "rank_4", input=normal(2, 1, 3, 2), repeats=[1, 4, 2, 3])
    case("repeat", "edge", input=normal(1, 17), repeats=[15, 1])
    every_dtype("repeat", 3, 2, repeats=[2, 2])
    case("tile", "fewer", input=normal(2, 3, 4), dims=[2])
    every_dtype("tile", 3, dims=[2])
    for dim in [0, 1, 2, -1]:
        case("repeat_interleave", f"dim_{dim}", input=normal(2, 3, 4), repeats=3, dim=dim)
    case("repeat_interleave", "all", input=normal(2, 3), repeats=2)
    case("repeat_interleave", "rank_0", input=normal(), repeats=4)
    case("repeat_interleave", "none", input=normal(2, 3), repeats=0, dim=0)
    case("repeat_interleave", "once", input=normal(2, 3), repeats=1, dim=1)
    case("repeat_interleave", "output_size", input=normal(2, 3), repeats=5, dim=1, output_size=15)
    case("repeat_interleave", "heads", input=normal(1, 2, 5, 8), repeats=4, dim=1)
    every_dtype("repeat_interleave", 3, 2, repeats=3, dim=0)


def order_cases():
    for dims in [[0], [1], [2], [-1, 0], [0, 1, 2], []]:
        case("flip", f"dims_{dims}", input=normal(3, 4, 5), dims=dims)
    case("flip", "rank_0", input=normal(), dims=[])
    case("flip", "empty", input=normal(0, 3), dims=[0, 1])
    case("flip", "row", input=normal(257), dims=[0])
    case("flip", "special", input=SPECIAL, dims=[1])
    every_dtype("flip", 3, 5, dims=[0, 1])
    for name, shifts, dims in [
        ("one", [1], [0]), ("back", [-2], [1]), ("two", [1, -1], [0, 2]), ("around", [7, -13], [1, -1]), ("zero", [0], [1]),
        ("same_twice", [1, 1], [1, 1]), ("three", [1, 2, 3], [0, 1, 2]), ("whole", [4], [1]),
    ]:
        case("roll", name, input=normal(3, 4, 5), shifts=shifts, dims=dims)
    case("roll", "flat", input=normal(3, 4), shifts=[5])
    case("roll", "flat_back", input=normal(3, 4), shifts=-1)
    case("roll", "rank_0", input=normal(), shifts=[3])
    case("roll", "empty", input=normal(0, 3), shifts=[1], dims=[0])
    every_dtype("roll", 3, 5, shifts=[1, 2], dims=[0, 1])


def pad_cases():
    for name, pad in [("one", [1, 2]), ("two", [1, 0, 0, 3]), ("three", [0, 1, 2, 0, 1, 1]), ("none", []), ("cut", [-1, 2]),
                      ("cut_all", [-2, -3]), ("zero", [0, 0])]:
        case("pad", name, input=normal(2, 3, 5), pad=pad)
        case("constant_pad_nd", name, input=normal(2, 3, 5), pad=pad, value=-1.5)
    case("pad", "value", input=normal(3, 4), pad=[1, 1], mode="constant", value=0.1)
    case("pad", "minus_infinity", input=normal(3, 4), pad=[1, 1], value=-INF)
    case("pad", "nan", input=SPECIAL, pad=[1, 1], value=NAN)
    case("pad", "rank_0", input=normal(), pad=[])
    case("pad", "empty", input=normal(0, 3), pad=[1, 1, 2, 0], value=2)
    case("pad", "f16_value", input=normal(3, dtype=HALF), pad=[1, 1], value=0.1)
    case("constant_pad_nd", "default", input=normal(3, 4), pad=[1, 1])
    case("constant_pad_nd", "edge", input=normal(3, 250), pad=[3, 4], value=7)
    every_dtype("constant_pad_nd", 3, 4, pad=[1, 2], value=1)
    for mode in ["reflect", "replicate", "circular"]:
        case("pad", f"{mode}_1d", input=normal(2, 3, 5), pad=[2, 1], mode=mode)
        case("pad", f"{mode}_1d_rank_2", input=normal(3, 5), pad=[0, 3], mode=mode)
        case("pad", f"{mode}_2d", input=normal(1, 2, 4, 5), pad=[2, 1, 0, 3], mode=mode)
        case("pad", f"{mode}_3d", input=normal(1, 2, 3, 4, 5), pad=[1, 2, 2, 0, 1, 1], mode=mode)
        case("pad", f"{mode}_special", input=SPECIAL, pad=[1, 1], mode=mode)
        case("pad", f"{mode}_f16", input=normal(2, 4, dtype=HALF), pad=[1, 2], mode=mode)
    case("pad", "reflect_most", input=normal(2, 4), pad=[3, 3], mode="reflect")
    case("pad", "replicate_far", input=normal(2, 3), pad=[5, 7], mode="replicate")
    case("pad", "circular_most", input=normal(2, 4), pad=[4, 4], mode="circular")
    case("pad", "circular_cut", input=normal(2, 5), pad=[-1, 2], mode="circular")
    case("pad", "replicate_cut", input=normal(2, 5), pad=[-1, 2], mode="replicate")
    case("pad", "reflect_cut", input=normal(2, 5), pad=[2, -1], mode="reflect")
    case("pad", "circular_i64", input=integers(-9, 9, 2, 5), pad=[1, 2], mode="circular")


def diff_cases():
    case("diff", "default", input=normal(3, 7))
    for n in [0, 1, 2, 3, 6, 7, 9]:
        case("diff", f"n_{n}", input=normal(2, 7), n=n)
    for dim in [0, 1, -2]:
        case("diff", f"dim_{dim}", input=normal(3, 4, 5), dim=dim)
    case("diff", "prepend", input=normal(3, 4), prepend=normal(3, 1))
    case("diff", "append", input=normal(3, 4), dim=0, append=normal(2, 4))
    case("diff", "both", input=normal(3, 4), n=2, prepend=normal(3, 2), append=normal(3, 1))
    case("diff", "promotes", input=normal(3, 4, dtype=HALF), prepend=normal(3, 1))
    case("diff", "both_once", input=integers(-9, 9, 4), n=0, prepend=integers(-9, 9, 2))
    case("diff", "empty", input=normal(0, 4))
    case("diff", "one", input=normal(4, 1))
    case("diff", "special", input=SPECIAL)
    case("diff", "long", input=normal(2, 300), n=2)
    every_dtype("diff", 3, 6)
    case("diff", "bool_twice", input=boolean(3, 6), n=2)
    case("diff", "f16_twice", input=normal(3, 6, dtype=HALF), n=2)
    case("diff", "u8_wraps", input=torch.tensor([200, 3, 250], dtype=torch.uint8), n=2)
    case("diff", "positions", input=torch.arange(6).reshape(1, 6), prepend=torch.tensor([[-1]]))


def part_cases():
    for name, args in [("start", {"start": 2}), ("end", {"end": 3}), ("step", {"start": 1, "end": 6, "step": 2}), ("all", {}),
                       ("negative", {"start": -3, "end": -1}), ("none", {"start": 4, "end": 2}), ("beyond", {"start": 3, "end": 99})]:
        input = normal(6, 4)
        src = torch.ops.aten.slice.Tensor(normal(6, 4), 0, args.get("start"), args.get("end"), args.get("step", 1)).clone()
        case("slice_scatter", name, input=input, src=src, **args)
    case("slice_scatter", "dim_1", input=normal(3, 5, 2), src=normal(3, 2, 2), dim=1, start=1, end=3)
    case("slice_scatter", "last", input=normal(3, 5), src=normal(3, 4), dim=-1, start=1)
    case("slice_scatter", "special", input=normal(2, 4), src=SPECIAL, dim=1, start=1)
    for index in [0, 2, -1]:
        case("select_scatter", f"index_{index}", input=normal(3, 4), src=normal(4), dim=0, index=index)
    case("select_scatter", "dim_1", input=normal(2, 3, 4), src=normal(2, 4), dim=1, index=1)
    case("select_scatter", "last", input=normal(2, 3, 4), src=normal(2, 3), dim=-1, index=-2)
    case("select_scatter", "row", input=normal(5), src=normal(), dim=0, index=4)
    for name, dtype in [("f16", HALF), ("bf16", BFLOAT)]:
        case("slice_scatter", name, input=normal(4, 3, dtype=dtype), src=normal(2, 3, dtype=dtype), start=2)
        case("select_scatter", name, input=normal(4, 3, dtype=dtype), src=normal(3, dtype=dtype), dim=0, index=1)
    case("slice_scatter", "i64", input=integers(-9, 9, 4), src=integers(-9, 9, 2), end=2)
    case("slice_scatter", "bool", input=boolean(4), src=boolean(2), end=2)
    case("select_scatter", "u8", input=integers(0, 99, 4, 2, dtype=torch.uint8), src=integers(0, 99, 4, dtype=torch.uint8), dim=1, index=0)


VIEWS = {
    "t": lambda input: torch.t(input),
    "numpy_T": lambda input: torch.ops.aten.numpy_T(input),
    "mT": lambda input: input.mT,
    "movedim": torch.movedim, "moveaxis": torch.moveaxis, "swapdims": torch.swapdims, "swapaxes": torch.swapaxes,
    "detach": lambda input: input.detach(),
    "chunk": torch.chunk, "unbind": torch.unbind, "narrow": torch.narrow,
    "split": lambda input, split_size, dim=0: torch.split(input, split_size, dim),
    "unflatten": lambda input, dim, sizes: torch.unflatten(input, dim, sizes),
    "broadcast_to": torch.broadcast_to,
    "diagonal": torch.diagonal, "unfold": lambda input, dimension, size, step: input.unfold(dimension, size, step),
    "as_strided": torch.as_strided,
    "expand_as": lambda input, other: input.expand_as(other), "view_as": lambda input, other: input.view_as(other),
}
CUBE = [2, 3, 4]
PLAIN = [
    ("t", [2, 3], {}), ("t", [4], {}), ("t", [], {}), ("t", CUBE, {}), ("t", [0, 3], {}), ("numpy_T", [2, 3], {}), ("numpy_T", CUBE, {}),
    ("numpy_T", [5], {}), ("mT", [2, 3], {}), ("mT", CUBE, {}), ("mT", [5], {}), ("detach", CUBE, {}), ("detach", [], {}),
    ("movedim", CUBE, {"source": 0, "destination": 2}), ("movedim", CUBE, {"source": -1, "destination": 0}),
    ("movedim", CUBE, {"source": [0, 1], "destination": [1, 2]}), ("movedim", CUBE, {"source": [2, 0], "destination": [0, -1]}),
    ("movedim", CUBE, {"source": [0, 0], "destination": [1, 2]}), ("movedim", CUBE, {"source": [0, 1], "destination": [1]}),
    ("movedim", CUBE, {"source": 3, "destination": 0}), ("movedim", CUBE, {"source": [], "destination": []}),
    ("moveaxis", CUBE, {"source": 1, "destination": 0}), ("swapdims", CUBE, {"dim0": 0, "dim1": -1}),
    ("swapaxes", CUBE, {"axis0": 1, "axis1": 2}), ("swapaxes", CUBE, {"axis0": 1, "axis1": 3}),
    *[("chunk", [7, 2], {"chunks": chunks}) for chunks in [1, 2, 3, 4, 7, 9]], ("chunk", [7, 2], {"chunks": 0}),
    ("chunk", [4, 6], {"chunks": 3, "dim": -1}), ("chunk", [4, 6], {"chunks": 2, "dim": 2}), ("chunk", [0, 6], {"chunks": 3}),
    ("chunk", [], {"chunks": 1}), *[("split", [7, 2], {"split_size": size}) for size in [1, 2, 3, 7, 9, 0, -1]],
    ("split", [4, 6], {"split_size": 4, "dim": 1}), ("split", [7, 2], {"split_size": [3, 0, 4]}),
    ("split", [4, 6], {"split_size": [1, 5], "dim": -1}), ("split", [7, 2], {"split_size": [3, 3]}),
    ("split", [7, 2], {"split_size": [8, -1]}), ("split", [0, 2], {"split_size": 2}), ("split", [0, 2], {"split_size": 0}),
    ("unbind", CUBE, {}), ("unbind", CUBE, {"dim": 1}), ("unbind", CUBE, {"dim": -1}), ("unbind", CUBE, {"dim": 3}),
    ("unbind", [4], {}), ("unbind", [0, 4], {}), ("unbind", [], {}), ("narrow", CUBE, {"dim": 1, "start": 1, "length": 2}),
    ("narrow", CUBE, {"dim": -1, "start": -3, "length": 2}), ("narrow", CUBE, {"dim": 0, "start": 2, "length": 0}),
    ("narrow", CUBE, {"dim": 0, "start": 1, "length": 2}), ("narrow", CUBE, {"dim": 0, "start": 0, "length": -1}),
    ("narrow", CUBE, {"dim": 0, "start": -3, "length": 1}), ("narrow", CUBE, {"dim": 0, "start": 3, "length": 0}),
    ("unflatten", [6, 4], {"dim": 0, "sizes": [2, 3]}), ("unflatten", [6, 4], {"dim": 1, "sizes": [2, -1]}),
    ("unflatten", [6, 4], {"dim": -1, "sizes": [1, 4, 1]}), ("unflatten", [6, 4], {"dim": 0, "sizes": [4, 2]}),
    ("unflatten", [6, 4], {"dim": 0, "sizes": []}), ("unflatten", [6, 4], {"dim": 2, "sizes": [1]}),
    ("unflatten", [0, 4], {"dim": 0, "sizes": [0, 3]}), ("broadcast_to", [3, 1], {"size": [2, 3, 4]}),
    ("diagonal", [3, 4], {}), ("diagonal", [4, 3], {"offset": 1}), ("diagonal", [3, 4], {"offset": -1}),
    ("diagonal", [3, 4], {"offset": 4}), ("diagonal", [3, 4], {"offset": -9}), ("diagonal", CUBE, {"offset": 1, "dim1": -1, "dim2": 0}),
    ("diagonal", CUBE, {"dim1": 1, "dim2": 1}), ("diagonal", CUBE, {"dim1": 0, "dim2": 3}), ("diagonal", [4], {}),
    ("unfold", [7, 2], {"dimension": 0, "size": 3, "step": 2}), ("unfold", [7, 2], {"dimension": -1, "size": 2, "step": 1}),
    ("unfold", [7, 2], {"dimension": 0, "size": 8, "step": 1}), ("unfold", [7, 2], {"dimension": 0, "size": 3, "step": 0}),
    ("unfold", [7, 2], {"dimension": 0, "size": 0, "step": 3}), ("unfold", [], {"dimension": 0, "size": 1, "step": 1}),
    ("as_strided", [12], {"size": [3, 4], "stride": [1, 3]}), ("as_strided", [3, 4], {"size": [2, 2], "stride": [4, 1], "storage_offset": 5}),
    ("as_strided", [3, 4], {"size": [5, 3], "stride": [2, 1]}), ("as_strided", [3, 4], {"size": [], "stride": []}),
    ("as_strided", [3, 4], {"size": [2, 2], "stride": [4]}), ("as_strided", [3, 4], {"size": [2, -2], "stride": [4, 1]}),
    ("as_strided", [3, 4], {"size": [13], "stride": [1]}), ("broadcast_to", [], {"size": [2]}), ("broadcast_to", [3], {"size": [4]}),
]
# Operator, shape of the input, shape of the tensor it takes after.
AFTER = [
    ("expand_as", [3, 1], [2, 3, 4]), ("expand_as", [1], [0]), ("expand_as", [3], [4]), ("expand_as", [2, 3], [3]),
    ("view_as", [2, 6], [3, 4]), ("view_as", [2, 6], [12]), ("view_as", [2, 6], [3, 5]),
]


def strided_views():
    """Views of inputs that are permuted and cut already."""
    base = contiguous([4, 6, 5]).permute(2, 0, 1).narrow(1, 1, 2)
    yield "t", base.select(0, 2), {}
    yield "numpy_T", base, {}
    yield "mT", base, {}
    yield "movedim", base, {"source": [0, 2], "destination": [2, 0]}
    yield "chunk", base, {"chunks": 2, "dim": 0}
    yield "split", base, {"split_size": 4, "dim": 2}
    yield "unbind", base, {"dim": 1}
    yield "diagonal", base, {"offset": 1, "dim1": 0, "dim2": 2}
    yield "diagonal", base, {"offset": -2, "dim1": 2, "dim2": 0}
    yield "unfold", base, {"dimension": 0, "size": 2, "step": 2}
    yield "unfold", base, {"dimension": 2, "size": 3, "step": 1}
    yield "narrow", base, {"dim": 2, "start": 2, "length": 3}
    yield "unflatten", base, {"dim": 2, "sizes": [2, 3]}
    yield "unflatten", base.narrow(2, 0, 4), {"dim": 2, "sizes": [2, -1, 1]}
    yield "broadcast_to", base.narrow(0, 3, 1), {"size": [2, 3, 2, 6]}


def view_cases():
    operator_views.VIEWS.update(VIEWS)
    given = [(op, contiguous(shape), args) for op, shape, args in PLAIN] + list(strided_views())
    views = [operator_views.view_case(number, *given) for number, given in enumerate(given)]
    for op, shape, like in AFTER:
        other = contiguous(like)
        views.append(operator_views.view_case(len(views), op, contiguous(shape), {"other": other}))
        views[-1] |= {"args": {}, "other": layout(other)}
    return views


def main():
    for group in [stack_cases, shape_cases, repeat_cases, order_cases, pad_cases, diff_cases, part_cases]:
        group()
    write(target_folder(), "operators-movement", view_cases())


if __name__ == "__main__":
    main()
