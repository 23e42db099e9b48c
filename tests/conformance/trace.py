"""Turns cases (tests/vectors, or what the scripts here write) into a trace, which `taproot replay` runs and the app opens.

    python3 trace.py OUT.zip [--each N] FILE.json…

Each operator is a layer, each case an operator of the trace; its recorded outputs are the case's results in PyTorch's own dtypes.
Cases that `frozen/known.json` calls refused are left out, since a reader turns down a trace that breaks a signature; those of operators
outside the vocabulary stay and show as gaps. With --each N, the N smallest cases of an operator and dtype.
"""

import argparse
import collections
import hashlib
import json
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
MANIFEST, SHARD = "trace.json", "cases.safetensors"


class Source:
    """One vector file: its index and the bytes of its tensors."""

    def __init__(self, path):
        self.index = json.loads(path.read_text())
        data = path.with_suffix(".safetensors").read_bytes()
        length = int.from_bytes(data[:8], "little")
        self.header, self.data = json.loads(data[8:8 + length]), data[8 + length:]

    def tensor(self, at):
        """dtype and shape as a trace has them, dtype and shape as safetensors has them, and the bytes."""
        entry = self.index["tensors"][at]
        stored = self.header[entry["key"]]
        begin, end = stored["data_offsets"]
        return entry["dtype"], entry["shape"], stored["dtype"], stored["shape"], self.data[begin:end]

    def size(self, case):
        return sum(len(self.tensor(at)[4]) for at in case["source"] + inputs(case))


def inputs(case):
    """Positions of the tensors among a case's arguments."""
    found = []
    for value in case["args"].values():
        if isinstance(value, dict):
            found += [value["tensor"]] if "tensor" in value else [at for at in value.get("tensors", []) if at is not None]
    return found


class Trace:
    """A trace in the making."""

    def __init__(self):
        self.tensors, self.operators, self.layers, self.shard, self.kept = [], [], [], {}, {}
        self.bytes = bytearray()

    def store(self, tensor, name, role):
        """Adds a tensor; equal bytes are kept once."""
        dtype, shape, stored_dtype, stored_shape, data = tensor
        digest = hashlib.sha256(data).hexdigest()
        identity = (digest, stored_dtype, tuple(stored_shape))
        if identity not in self.kept:
            key = self.kept[identity] = str(len(self.kept))
            begin = len(self.bytes)
            self.bytes += data
            self.shard[key] = {"dtype": stored_dtype, "shape": stored_shape, "data_offsets": [begin, len(self.bytes)]}
        location = {"shard": 0, "key": self.kept[identity], "hash": f"sha256:{digest}"}
        self.tensors.append({"name": name, "role": role, "dtype": dtype, "shape": shape, "data": {"stored": location}})
        return len(self.tensors) - 1

    def argument(self, source, name, value):
        def store(at):
            return None if at is None else self.store(source.tensor(at), name, "constant")
        if isinstance(value, dict) and "tensor" in value:
            return {"tensor": store(value["tensor"])}
        if isinstance(value, dict) and "tensors" in value:
            return {"tensors": [store(at) for at in value["tensors"]]}
        return value

    def add(self, source, case):
        if not self.layers or self.layers[-1]["name"] != case["op"]:
            self.layers.append({"name": case["op"]})
        name = case["id"]
        args = {key: self.argument(source, f"{name}.{key}", value) for key, value in case["args"].items()}
        outputs = [self.store(source.tensor(at), f"{name}.result", "activation") for at in case["source"]]
        self.operators.append({"id": name, "op": case["op"], "args": args, "outputs": outputs, "module": case["op"],
                               "layer": len(self.layers) - 1, "step": 0})

    def write(self, path):
        header = json.dumps(self.shard, separators=(",", ":")).encode()
        header += b" " * (-len(header) % 8)
        shard = len(header).to_bytes(8, "little") + header + bytes(self.bytes)
        manifest = {
            "format": "taproot-trace", "version": 1,
            "model": {"name": "The vocabulary, case by case", "architecture": "none"},
            "producer": {"tool": "tests/conformance/trace.py", "tool_version": "1", "framework": "PyTorch", "device": "CPU",
                         "dtype": "f32", "date": "2026-12-01T00:00:00Z"},
            "steps": [{"name": "cases"}], "layers": self.layers, "shards": [{"path": SHARD, "bytes": len(shard)}],
            "tensors": self.tensors, "operators": self.operators,
        }
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in ((MANIFEST, json.dumps(manifest, separators=(",", ":"))), (SHARD, shard)):
                # A fixed date, so that equal cases make an equal file.
                archive.writestr(zipfile.ZipInfo(name, (2026, 12, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
        print(f"{path}: {len(self.operators)} cases of {len(self.layers)} operators, {Path(path).stat().st_size / 1e6:.2f} MB")


def chosen(sources, each):
    """The cases by operator, the smallest of each dtype first where not all are wanted."""
    known = json.loads((HERE / "frozen" / "known.json").read_text())["cases"]
    by_op = collections.defaultdict(list)
    for source in sources:
        for case in source.index["cases"]:
            if known.get(case["id"], {}).get("kind") != "refused":
                by_op[case["op"]].append((source, case))
    for op, cases in sorted(by_op.items()):
        if each is not None:
            kept = collections.Counter()
            smallest = sorted(cases, key=lambda pair: (pair[0].size(pair[1]) == 0, pair[0].size(pair[1])))
            cases = []
            for source, case in smallest:
                dtype = source.tensor((inputs(case) or case["source"])[0])[0]
                kept[dtype] += 1
                if kept[dtype] <= each:
                    cases.append((source, case))
        yield from cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--each", type=int)
    given = parser.parse_args()
    trace = Trace()
    for source, case in chosen([Source(path) for path in given.files], given.each):
        trace.add(source, case)
    trace.write(given.out)


if __name__ == "__main__":
    main()
