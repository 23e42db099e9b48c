"""Attention."""

import torch

from .node import Untranslatable, translates


def _heads(node, value, count):
    batch, length, width = value.shape
    parts = node.call("view", input=value, size=[batch, length, count, width // count])
    return node.call("transpose", input=parts, dim0=1, dim1=2)


@translates("Attention")
def attention(node):
    query, key, value, mask = (node.input(at) for at in range(4))
    if node.attribute("softcap", 0.0):
        raise Untranslatable("PyTorch's attention has no soft cap")
    if node.wants(3):
        raise Untranslatable("PyTorch's attention does not give its scores")
    if node.input(6) is not None:
        raise Untranslatable("PyTorch's attention takes no length of padded keys")
    if node.attribute("softmax_precision") is not None:
        raise Untranslatable("PyTorch's attention has no choice of precision")
    if max(node.attribute("left_window_size", -1), node.attribute("right_window_size", -1)) >= 0:
        raise Untranslatable("PyTorch's attention has no window")
    flat = query.dim() == 3
    heads, kv_heads = node.attribute("q_num_heads"), node.attribute("kv_num_heads")
    if flat:
        query = _heads(node, query, heads)
        key, value = _heads(node, key, kv_heads), _heads(node, value, kv_heads)
    if node.input(4) is not None:
        key = node.call("cat", tensors=[node.input(4), key], dim=2)
        value = node.call("cat", tensors=[node.input(5), value], dim=2)
    given = {}
    if mask is not None:
        if mask.shape[-1] < key.shape[2]:
            fill = False if mask.dtype == torch.bool else -torch.inf
            mask = node.call("constant_pad_nd", input=mask, pad=[0, key.shape[2] - mask.shape[-1]], value=fill)
        given["attn_mask"] = mask
    past = node.input(4).shape[2] if node.input(4) is not None else 0
    if node.attribute("is_causal", 0) and mask is None and past == 0:
        given["is_causal"] = True
    elif node.attribute("is_causal", 0):
        # PyTorch takes a mask or is causal, and counts from the first key.
        ones = node.call("full", size=[query.shape[2], key.shape[2]], fill_value=True, dtype="bool")
        seen = node.call("tril", input=ones, diagonal=past)
        if mask is None:
            given["attn_mask"] = seen
        elif mask.dtype == torch.bool:
            given["attn_mask"] = node.call("logical_and", input=mask, other=seen)
        else:
            given["attn_mask"] = node.call("where", condition=seen, input=mask, other=-torch.inf)
    if node.attribute("scale") is not None:
        given["scale"] = node.attribute("scale")
    if query.shape[1] != key.shape[1]:
        given["enable_gqa"] = True
    result = node.call("scaled_dot_product_attention", query=query, key=key, value=value, **given)
    if flat:
        batch, heads, length, width = result.shape
        moved = node.call("clone", input=node.call("transpose", input=result, dim0=1, dim1=2))
        result = node.call("view", input=moved, size=[batch, length, heads * width])
    return [result, key, value][:max(len(node.proto.output), 1)]
