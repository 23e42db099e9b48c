"""Writes cases in the form of tests/vectors (see the README there): NAME.json and NAME.safetensors. Equal tensors are stored once."""

import hashlib
import json
import math

import safetensors.torch
import torch

from aten import DTYPES


class VectorFile:
    """Cases and their tensors."""

    def __init__(self, producer):
        self.producer, self.tensors, self.entries, self.cases, self.known = producer, {}, [], [], {}

    def store(self, value):
        """Adds a tensor; gives its position."""
        # A tensor of one element may keep odd strides through `contiguous`.
        value = torch.empty(value.shape, dtype=value.dtype).copy_(value.detach())
        data = value.reshape(-1).view(torch.uint8) if value.dtype != torch.bool else value.reshape(-1).to(torch.uint8)
        identity = (value.dtype, tuple(value.shape), hashlib.sha256(data.numpy().tobytes()).digest())
        if identity not in self.known:
            key = str(len(self.entries))
            self.known[identity] = len(self.entries)
            self.tensors[key] = value
            self.entries.append({"key": key, "dtype": DTYPES[value.dtype], "shape": list(value.shape)})
        return self.known[identity]

    def argument(self, value):
        """An argument in the form that a trace gives it."""
        if isinstance(value, torch.Tensor):
            return {"tensor": self.store(value)}
        if isinstance(value, (list, tuple)):
            if value and isinstance(value[0], torch.Tensor):
                return {"tensors": [self.store(item) for item in value]}
            return [int(item) for item in value]
        if isinstance(value, float) and not math.isfinite(value):
            return {"float": str(value)}
        return value

    def add(self, identifier, op, args, expected, source, **more):
        """Adds a case; `expected` in f64, `source` as recorded."""
        self.cases.append({
            "id": identifier, "op": op, "args": {name: self.argument(value) for name, value in args.items()},
            "expected": [self.store(result) for result in expected], "source": [self.store(result) for result in source],
            **more,
        })

    def write(self, folder, name):
        """Writes both files."""
        folder.mkdir(parents=True, exist_ok=True)
        index = {"producer": self.producer, "tensors": self.entries, "cases": self.cases, "views": []}
        safetensors.torch.save_file(self.tensors, folder / f"{name}.safetensors")
        lines = json.dumps(index, separators=(",", ":")).replace('},{"id"', '},\n{"id"').replace('},{"key"', '},\n{"key"')
        (folder / f"{name}.json").write_text(lines + "\n")
        size = sum((folder / f"{name}.{kind}").stat().st_size for kind in ("json", "safetensors"))
        print(f"{name}: {len(self.cases)} cases of {len({case['op'] for case in self.cases})} operators, {size / 1e6:.2f} MB")
