"""What each ONNX operator is in PyTorch's vocabulary: a function per operator, a file per family.

A function takes a `Node` and gives its results. Every call that it makes with `node.call` becomes a case, so a shape that ONNX passes
as a tensor is read where PyTorch wants a list. What cannot be said raises `Untranslatable` with the reason.
"""

import importlib

from .node import OPERATORS, Node, Untranslatable

for _family in ("attention", "elementwise", "indexing", "movement", "norm", "product", "reduction", "window"):
    importlib.import_module(f".{_family}", __name__)

__all__ = ["OPERATORS", "Node", "Untranslatable"]
