"""Layouts that PyTorch gives to views, or that it refuses."""

import itertools
import random

import torch

VIEWS = {
    "view": lambda input, size: input.view(size),
    "transpose": torch.transpose,
    "permute": torch.permute,
    "unsqueeze": torch.unsqueeze,
    "squeeze": lambda input, dim=None: input.squeeze() if dim is None else input.squeeze(dim),
    "expand": lambda input, size: input.expand(size),
    "slice": lambda input, dim=0, start=None, end=None, step=1: torch.ops.aten.slice.Tensor(input, dim, start, end, step),
    "select": torch.select,
    "split_with_sizes": lambda input, split_sizes, dim=0: torch.split_with_sizes(input, split_sizes, dim),
    "alias": torch.ops.aten.alias.default,
}

# Operator, shape of a contiguous input, arguments.
PLAIN = [
    ("view", [2, 3, 4], {"size": [6, 4]}), ("view", [2, 3, 4], {"size": [-1]}), ("view", [2, 3, 4], {"size": [2, -1, 2]}),
    ("view", [], {"size": [1, 1]}), ("view", [1], {"size": []}), ("view", [0, 3], {"size": [3, 0]}),
    ("view", [2, 3], {"size": [4, 2]}), ("view", [2, 3], {"size": [-1, 4]}), ("view", [2, 3], {"size": [-1, -1]}),
    ("transpose", [2, 3, 4], {"dim0": 0, "dim1": 2}), ("transpose", [2, 3, 4], {"dim0": -1, "dim1": -2}),
    ("transpose", [2, 3], {"dim0": 0, "dim1": 2}), ("permute", [2, 3, 4], {"dims": [2, 0, 1]}),
    ("permute", [2, 3, 4], {"dims": [-1, 0, 1]}), ("permute", [2, 3], {"dims": [0, 0]}), ("permute", [2, 3], {"dims": [0]}),
    ("unsqueeze", [2, 3], {"dim": 0}), ("unsqueeze", [2, 3], {"dim": -1}), ("unsqueeze", [2, 3], {"dim": 1}),
    ("unsqueeze", [], {"dim": 0}), ("unsqueeze", [2, 3], {"dim": 3}), ("squeeze", [1, 2, 1, 3], {}),
    ("squeeze", [1, 2, 1, 3], {"dim": 0}), ("squeeze", [1, 2, 1, 3], {"dim": [0, 2]}), ("squeeze", [1, 2], {"dim": 1}),
    ("expand", [3, 1], {"size": [3, 4]}), ("expand", [3, 1], {"size": [2, -1, 4]}), ("expand", [1], {"size": [5]}),
    ("expand", [], {"size": [2, 2]}), ("expand", [3], {"size": [4]}), ("expand", [2, 3], {"size": [3]}),
    ("slice", [5, 4], {"dim": 0, "start": 1, "end": 4}), ("slice", [5, 4], {"dim": 1, "start": -3, "end": -1}),
    ("slice", [5, 4], {"start": 1, "step": 2}), ("slice", [5, 4], {"dim": -1, "end": 100}), ("slice", [5], {"start": 4, "end": 2}),
    ("slice", [5], {"start": 9}), ("slice", [5], {"step": 0}), ("slice", [5], {"dim": 1}), ("select", [3, 4], {"dim": 0, "index": 1}),
    ("select", [3, 4], {"dim": -1, "index": -1}), ("select", [3, 4], {"dim": 0, "index": 3}), ("select", [4], {"dim": 0, "index": 2}),
    ("split_with_sizes", [6, 2], {"split_sizes": [1, 2, 3]}), ("split_with_sizes", [2, 6], {"split_sizes": [4, 0, 2], "dim": -1}),
    ("split_with_sizes", [6, 2], {"split_sizes": [1, 2]}), ("alias", [2, 3], {}),
]


def view_cases():
    given = [(op, contiguous(shape), args) for op, shape, args in PLAIN]
    return [view_case(number, *case) for number, case in enumerate(itertools.chain(given, strided_cases()))]


def contiguous(shape):
    size = torch.Size(shape).numel()
    return torch.zeros(size).view(shape)


def strided_cases():
    """Views of inputs that are permuted, sliced and expanded already."""
    choose = random.Random(20261201)
    for _ in range(120):
        shape = [choose.choice([1, 1, 2, 3, 4]) for _ in range(choose.randint(1, 4))]
        input = contiguous(shape)
        if choose.random() < 0.6:
            input = input.permute(choose.sample(range(len(shape)), len(shape)))
        if choose.random() < 0.3:
            dim = choose.randrange(len(shape))
            input = input.narrow(dim, 0, max(1, input.shape[dim] - 1))
        if choose.random() < 0.2 and input.dim() < 4:
            input = input.unsqueeze(0).expand(2, *input.shape)
        yield "view", input, {"size": factors(choose, input.numel())}
    base = contiguous([4, 3, 5]).permute(2, 0, 1).narrow(1, 1, 2)
    yield "transpose", base, {"dim0": 0, "dim1": 1}
    yield "unsqueeze", base, {"dim": 1}
    yield "select", base, {"dim": 1, "index": 1}
    yield "slice", base, {"dim": 0, "start": 1, "end": 5, "step": 2}
    yield "split_with_sizes", base, {"split_sizes": [2, 3], "dim": 0}
    yield "expand", base.narrow(2, 1, 1), {"size": [5, 2, 7]}
    yield "permute", base, {"dims": [1, 2, 0]}
    yield "squeeze", base.narrow(2, 1, 1), {"dim": 2}


def factors(choose, numel):
    """A random shape of `numel` elements."""
    sizes = []
    while numel > 1:
        size = choose.choice([size for size in range(2, numel + 1) if numel % size == 0])
        sizes.append(size)
        numel //= size
    for _ in range(choose.randint(0, 2)):
        sizes.insert(choose.randint(0, len(sizes)), 1)
    choose.shuffle(sizes)
    return sizes


def layout(tensor):
    return {"shape": list(tensor.shape), "strides": list(tensor.stride()), "offset": tensor.storage_offset()}


def view_case(number, op, input, args):
    case = {
        "id": f"{op}.{number}", "op": op, "base": input.untyped_storage().nbytes() // input.element_size(), "input": layout(input),
        "args": args,
    }
    try:
        results = VIEWS[op](input, **args)
    except (RuntimeError, IndexError, ValueError):
        return case | {"error": True}
    results = results if isinstance(results, (list, tuple)) else [results]
    return case | {"expected": [layout(result) for result in results]}
