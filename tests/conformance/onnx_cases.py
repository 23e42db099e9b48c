"""ONNX's node tests as cases of our vocabulary.

    python3 onnx_cases.py FOLDER [--frozen]

Each test becomes the calls of PyTorch's operators that its nodes stand for. What a call takes is recorded, what the last ones have
to give is what ONNX publishes; between them stands what PyTorch computes. PyTorch runs every call, so a translation that does not
give ONNX's own result within ONNX's own tolerance is found here and listed instead of written.

Writes operators-onnx.{json,safetensors} and onnx-tests.json: of every node test its operator and the cases it became, or why it
became none. `--frozen` writes the cases only, and leaves out large tensors and the tests' second forms, in which a function is spelled out in primitives.
"""

import argparse
import collections
import json
import warnings
from pathlib import Path

import onnx
import torch
from onnx.backend.test.loader import load_model_tests

import aten
from onnx_operators import OPERATORS, Node, Untranslatable
from onnx_operators.node import to_torch
from vector_file import VectorFile

# Bytes of a test in the frozen set.
FROZEN_BYTES = 40_000


class Calls:
    """The calls that a test became."""

    def __init__(self):
        self.calls, self.made_by = [], {}

    def record(self, op, args):
        """Runs a call and keeps it."""
        try:
            results = aten.call(op, **args)
        except (RuntimeError, NotImplementedError, IndexError, TypeError, ValueError) as error:
            raise Untranslatable(f"PyTorch refuses {op}: {str(error).splitlines()[0][:120]}") from error
        results = [result.contiguous().clone() for result in results]
        for at, result in enumerate(results):
            # The result is kept alive by the call, so its id stays its own.
            self.made_by[id(result)] = (len(self.calls), at)
        self.calls.append((op, args, results))
        return results


def translate(graph, inputs, opset):
    """The calls of a graph, and its outputs."""
    values = dict(zip((value.name for value in graph.input), inputs, strict=True))
    for initializer in graph.initializer:
        values[initializer.name] = to_torch(initializer)
    calls = Calls()
    for proto in graph.node:
        if proto.op_type not in OPERATORS or proto.domain not in ("", "ai.onnx"):
            raise Untranslatable(f"{proto.op_type} has no counterpart")
        node = Node(proto, [values[name] if name else None for name in proto.input], opset, calls.record)
        results = OPERATORS[proto.op_type](node)
        if node.unread:
            raise Untranslatable(f"attribute {', '.join(sorted(node.unread))} of {proto.op_type}")
        for name, value in zip(proto.output, results):
            values[name] = value
    return calls, [values[value.name] for value in graph.output]


def tolerance(dtype, test):
    """The test's relative and absolute tolerance; in f16 and bf16 at least two roundings, which ONNX's are finer than."""
    if dtype not in (torch.float16, torch.bfloat16):
        return test.rtol, test.atol
    return max(test.rtol, 2 * torch.finfo(dtype).eps), max(test.atol, torch.finfo(dtype).eps / 2)


def difference(found, published, test):
    """In what two results differ by more than the tolerance, or None."""
    if not found.is_floating_point():
        return None if torch.equal(found, published) else f"{int((found != published).sum())} elements"
    relative, absolute = tolerance(found.dtype, test)
    found, published = found.double(), published.double()
    if torch.allclose(found, published, rtol=relative, atol=absolute, equal_nan=True):
        return None
    return f"by up to {(found - published).abs().nan_to_num().max():.1e} or in NaN"


# What undoes a call that only moves elements, all of them.
INVERSES = {
    "alias": lambda value, args: value,
    "clone": lambda value, args: value,
    "permute": lambda value, args: value.permute([args["dims"].index(at) for at in range(value.dim())]),
    "squeeze": lambda value, args: value.reshape(args["input"].shape),
    "transpose": lambda value, args: value.transpose(args["dim0"], args["dim1"]),
    "unsqueeze": lambda value, args: value.reshape(args["input"].shape),
    "view": lambda value, args: value.reshape(args["input"].shape),
}


def moved_back(calls, recorded):
    """Hands published values back through calls that only move them, to the call that computes them; gives replaced arguments."""
    replaced = {}
    for at in range(len(calls.calls) - 1, -1, -1):
        op, args, _ = calls.calls[at]
        made_by = calls.made_by.get(id(args.get("input")))
        if op in INVERSES and (at, 0) in recorded and made_by is not None and made_by not in recorded:
            recorded[made_by] = INVERSES[op](recorded[at, 0], args).contiguous()
            replaced[at] = {"input": recorded[made_by]}
    return replaced


def add_test(file, test):
    """Adds the cases of a test; gives their ids."""
    if len(test.data_sets) != 1:
        raise Untranslatable(f"{len(test.data_sets)} data sets")
    given, published = ([to_torch(value) for value in side] for side in test.data_sets[0])
    calls, outputs = translate(test.model.graph, given, test.model.opset_import[0].version)
    recorded = {}
    for found, expected in zip(outputs, published, strict=True):
        if id(found) not in calls.made_by:
            raise Untranslatable("nothing is computed: a constant of the shape")
        if (found.dtype, found.shape) != (expected.dtype, expected.shape):
            raise Untranslatable(f"PyTorch gives {found.dtype} {list(found.shape)}, ONNX {expected.dtype} {list(expected.shape)}")
        if (differs := difference(found, expected, test)) is not None:
            raise Untranslatable(f"PyTorch's result differs: {differs}")
        recorded[calls.made_by[id(found)]] = expected
    replaced = moved_back(calls, recorded)
    added = []
    for at, (op, args, results) in enumerate(calls.calls):
        name = test.name.removeprefix("test_")
        alone = len(calls.calls) == 1
        identifier = f"onnx.{name}" if alone else f"onnx.{name}.{at}.{op}"
        source = [recorded.get((at, position), result) for position, result in enumerate(results)]
        published_results = [result for position, result in enumerate(results) if (at, position) in recorded]
        more = {"tolerance": list(tolerance(published_results[0].dtype, test))} if published_results else {}
        if at in replaced:
            args = args | replaced[at]
            results = source
        try:
            expected = aten.in_f64(op, results, **args)
        except (RuntimeError, NotImplementedError, ValueError) as error:
            raise Untranslatable(f"PyTorch refuses {op} in f64: {str(error).splitlines()[0][:120]}") from error
        # Of an exact operator on ONNX's own inputs the published values are the expected ones.
        if op in aten.EXACT and alone:
            expected = [aten.widened(result) for result in source]
        added.append((identifier, op, args, expected, source, more))
    for identifier, op, args, expected, source, more in added:
        file.add(identifier, op, args, expected, source, **more)
    return [identifier for identifier, *_ in added]


def tested_operator(test, by_name):
    """The operator that a test is of; that of the first form where a function is spelled out."""
    first = by_name.get(test.name.split("_expanded")[0], test)
    return first.model.graph.node[0].op_type if len(first.model.graph.node) == 1 else "several"


def size(test):
    return sum(getattr(value, "nbytes", 0) for side in test.data_sets[0] for value in side)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frozen", action="store_true")
    options = parser.parse_args()
    with warnings.catch_warnings():
        # ONNX's own arithmetic on infinities and NaN.
        warnings.simplefilter("ignore")
        tests = sorted(load_model_tests(kind="node"), key=lambda test: test.name)
    by_name = {test.name: test for test in tests}
    file = VectorFile({"onnx": onnx.__version__, "torch": torch.__version__})
    index = []
    for test in tests:
        entry = {"test": test.name, "operator": tested_operator(test, by_name)}
        if options.frozen and ("_expanded" in test.name or size(test) > FROZEN_BYTES):
            continue
        try:
            entry["cases"] = add_test(file, test)
        except Untranslatable as reason:
            entry["reason"] = str(reason)
        index.append(entry)
    file.write(options.folder, "operators-onnx")
    if not options.frozen:
        text = json.dumps({"onnx": onnx.__version__, "tests": index}, separators=(",", ":")).replace('},{"test"', '},\n{"test"')
        (options.folder / "onnx-tests.json").write_text(text + "\n")
    translated = sum("cases" in entry for entry in index)
    print(f"{translated} of {len(index)} node tests translated")
    for reason, count in collections.Counter(entry["reason"] for entry in index if "reason" in entry).most_common():
        print(f"{count:5} {reason}")


if __name__ == "__main__":
    main()
