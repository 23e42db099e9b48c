"""PyTorch's own sample inputs (OpInfo) as cases of our vocabulary.

    python3 pytorch_cases.py FOLDER [--frozen] [--seed N] [--each N] [--elements N] [--only OP ...]

For every operator that PyTorch's test suite has an entry for, draws at most `--each` of its samples per dtype among those with at
most `--elements` elements, and records what PyTorch gives: in the inputs' dtypes (`source`) and in f64 (`expected`). The call is made
by the vocabulary's argument names and must give what PyTorch's own entry gives. Writes operators-pytorch.{json,safetensors} and
pytorch-operators.json: per operator how many cases, and why samples were left out. `--frozen` draws a few small ones.
"""

import argparse
import collections
import json
import random
import sys
import types
import unittest
from pathlib import Path

import torch

try:
    import expecttest  # noqa: F401
except ModuleNotFoundError:
    # PyTorch's test cases derive from it; the samples do not need it.
    sys.modules["expecttest"] = types.ModuleType("expecttest")
    sys.modules["expecttest"].TestCase = unittest.TestCase
from torch.testing._internal.common_methods_invocations import op_db

import aten
from vector_file import VectorFile

DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.uint8, torch.int8, torch.bool]
# Our name: the entry's, where it is another.
ENTRIES = {
    **{name: name for name in """
    abs acos acosh add addmm all amax amin any arange argmax argmin argsort asin asinh atan atanh baddbmm bitwise_and
    bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor bmm cat ceil chunk clamp clone constant_pad_nd cos cosh
    count_nonzero cummax cummin cumprod cumsum diagonal diff div eq erf erfc exp exp2 expand expm1 eye flatten flip floor floor_divide
    fmod full full_like gather ge gt histc index_add index_put index_select isinf isnan le log log10 log1p log2 log_softmax
    logaddexp logical_and logical_not logical_or logical_xor logsumexp lt masked_fill matmul maximum mean minimum mm
    movedim mul narrow ne neg norm ones ones_like permute pow prod reciprocal remainder repeat
    repeat_interleave reshape roll round rsqrt rsub scatter scatter_add scatter_reduce select select_scatter sigmoid sign sin sinh
    slice slice_scatter softmax sort split split_with_sizes sqrt square squeeze stack std sub sum t tan tanh
    topk transpose tril triu trunc unbind unflatten unsqueeze var view where xlogy zeros zeros_like""".split()},
    **{name: f"nn.functional.{name}" for name in """
    adaptive_avg_pool1d adaptive_avg_pool2d avg_pool1d avg_pool2d batch_norm celu conv1d conv2d conv3d conv_transpose1d
    conv_transpose2d elu embedding gelu glu group_norm hardshrink hardsigmoid hardswish hardtanh layer_norm leaky_relu linear
    max_pool1d max_pool2d mish pad pixel_shuffle relu relu6 rms_norm scaled_dot_product_attention selu silu softplus
    softshrink softsign threshold""".split()},
    "linalg_vector_norm": "linalg.vector_norm", "native_layer_norm": "native_layer_norm", "max": "max_reduction_with_dim",
    "min": "min_reduction_with_dim",
}
# Arguments that say nothing of the result.
SILENT = {"inplace", "sparse_grad", "memory_format", "device", "pin_memory", "layout", "requires_grad", "scale_grad_by_freq", "sparse",
          "out_dtype", "stable", "return_indices"}
# Entries that hold several operators (variants of one name).
VARIANTS = {"softmax": "", "std": "", "var": "", "sum": "", "div": "no_rounding_mode", "all": "", "any": "", "log_softmax": ""}


# dtypes in which the frozen set takes a larger sample where an operator has no small one.
FROZEN_LARGE = {torch.float32, torch.float16}


class Skip(Exception):
    """Why a sample is left out."""


def entries():
    """Our name to PyTorch's entry, as far as it has one."""
    found = collections.defaultdict(list)
    for entry in op_db:
        found[entry.name].append(entry)
    return {name: found[entry] for name, entry in sorted(ENTRIES.items()) if entry in found}


def overloads(op):
    """Argument names by overload of ATen's schemas, `self` being `input`."""
    packet = getattr(torch.ops.aten, op, None)
    for name in packet.overloads() if packet is not None else []:
        schema = getattr(packet, name)._schema
        if "out" in name or any(argument.is_out for argument in schema.arguments):
            continue
        yield ([("input" if a.name == "self" else a.name) for a in schema.arguments if not a.kwarg_only],
               {("input" if a.name == "self" else a.name) for a in schema.arguments})


def plain(value):
    """An argument in a form that cases have."""
    if isinstance(value, torch.dtype):
        if value not in aten.DTYPES:
            raise Skip("a dtype that traces do not have")
        return aten.DTYPES[value]
    if isinstance(value, torch.Tensor):
        if value.dtype not in aten.DTYPES:
            raise Skip("a dtype that traces do not have")
        return value.detach()
    if isinstance(value, (tuple, list)):
        items = [plain(item) for item in value]
        kinds = {type(item) for item in items}
        if len(kinds) > 1 or kinds - {int, torch.Tensor}:
            raise Skip("a list that is neither of integers nor of tensors")
        return items
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise Skip(f"an argument of type {type(value).__name__}")


def bound(op, sample):
    """All ways to name a sample's arguments."""
    given = [sample.input, *sample.args]
    kwargs = {name: value for name, value in sample.kwargs.items() if value is not None and name not in SILENT}
    if any(sample.kwargs.get(name) for name in ("sparse_grad", "return_indices", "scale_grad_by_freq", "sparse")):
        raise Skip("an argument that the vocabulary leaves out")
    parameters = aten.parameters(op)
    ways = [(parameters, set(parameters))] if parameters else list(overloads(op))
    if kwargs.get("dropout_p") == 0.0:
        del kwargs["dropout_p"]
    if op == "where":
        # OpInfo's sample is the first value; the condition comes second.
        ways = [(["input", "condition", "other"], {"input", "condition", "other"})]
    for positional, every in ways:
        if len(given) <= len(positional) and set(kwargs) <= every:
            args = dict(zip(positional, given)) | kwargs
            if op == "scatter" and isinstance(args.get("src"), (bool, int, float)):
                args["value"] = args.pop("src")
            yield {name: plain(value) for name, value in args.items() if value is not None}


def close(a, b):
    return a.shape == b.shape and a.dtype == b.dtype and torch.allclose(a.double(), b.double(), rtol=1e-2, atol=1e-2, equal_nan=True)


def attempt(op, entry, sample):
    """Arguments and results of a sample by our names."""
    reference = sample.output_process_fn_grad(entry.op(sample.input, *sample.args, **sample.kwargs))
    reference = aten.results(reference)
    problem = "no way to name its arguments"
    for args in bound(op, sample):
        try:
            results = aten.call(op, **args)
        except (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError, KeyError) as error:
            problem = str(error).splitlines()[0][:100]
            continue
        if len(results) == len(reference) and all(close(a, b) for a, b in zip(results, reference, strict=True)):
            return args, results
        problem = "another result than PyTorch's entry gives"
    raise Skip(problem)


def size(sample):
    tensors = [sample.input, *sample.args, *sample.kwargs.values()]
    return sum(value.numel() for value in tensors if isinstance(value, torch.Tensor))


def draw(op, entry, dtype, options):
    """Samples of an entry in a dtype."""
    torch.manual_seed(options.seed)
    samples = [sample for sample in entry.sample_inputs("cpu", dtype, requires_grad=False) if size(sample) <= options.elements]
    random.Random(f"{options.seed} {op} {dtype}").shuffle(samples)
    if options.frozen and not samples and dtype in FROZEN_LARGE:
        every = entry.sample_inputs("cpu", dtype, requires_grad=False)
        samples = [min((sample for sample in every if size(sample) <= 500), key=size, default=None)]
    return [sample for sample in samples if sample is not None]


def add_operator(file, op, choice, options):
    """Adds an operator's cases; gives their number and what was left out."""
    count, skipped, number = 0, collections.Counter(), 0
    for entry in choice:
        if op in VARIANTS and entry.variant_test_name != VARIANTS[op]:
            continue
        for dtype in DTYPES:
            if dtype not in entry.supported_dtypes("cpu"):
                continue
            drawn = 0
            for sample in draw(op, entry, dtype, options):
                if drawn == options.each:
                    break
                try:
                    args, results = attempt(op, entry, sample)
                    expected = aten.in_f64(op, results, **args)
                except Skip as reason:
                    skipped[str(reason)] += 1
                    continue
                except (RuntimeError, TypeError, ValueError, NotImplementedError, AttributeError, IndexError) as error:
                    skipped[f"PyTorch: {str(error).splitlines()[0][:100]}"] += 1
                    continue
                if any(result.dtype not in aten.DTYPES or result.dim() > 8 for result in results):
                    skipped["a dtype or rank that traces do not have"] += 1
                    continue
                variant = f"{entry.variant_test_name}." if entry.variant_test_name else ""
                file.add(f"pytorch.{op}.{variant}{aten.DTYPES[dtype]}.{number}", op, args, expected, results)
                count, drawn, number = count + 1, drawn + 1, number + 1
    return count, skipped


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=20261204)
    parser.add_argument("--each", type=int, default=20, help="samples per operator and dtype")
    parser.add_argument("--elements", type=int, default=20_000, help="elements of a sample's tensors")
    parser.add_argument("--frozen", action="store_true")
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    if options.frozen:
        options.each, options.elements = 2, 80
    print(f"seed {options.seed}")
    file = VectorFile({"torch": torch.__version__, "device": "CPU", "seed": options.seed})
    report = {}
    for op, choice in entries().items():
        if options.only and op not in options.only:
            continue
        count, skipped = add_operator(file, op, choice, options)
        report[op] = {"cases": count, "left out": dict(skipped.most_common())}
    file.write(options.folder, "operators-pytorch")
    print("none of:", " ".join(op for op, entry in report.items() if not entry["cases"]))
    if options.frozen:
        return
    lines = json.dumps({"seed": options.seed, "operators": report}).replace('}}, "', '}},\n"')
    (options.folder / "pytorch-operators.json").write_text(lines + "\n")


if __name__ == "__main__":
    main()
