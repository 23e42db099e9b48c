"""Random quantised weights and what they stand for, by the definition of their formats (ggml-quants.c, MLC's group_quantization.py)."""

from dataclasses import dataclass

import numpy as np

BLOCK = 32


@dataclass
class Quantized:
    """Rows of blocks of 32 elements."""

    dtype: str
    shape: tuple
    blocks: np.ndarray
    values: np.ndarray

    DTYPES = ("q4_0", "q4_1", "q8_0", "q4f16_1")

    @staticmethod
    def random(dtype, rows, columns, random):
        count = rows * columns // BLOCK
        numbers = np.random.default_rng(random.initial_seed() + rows * columns + len(dtype))
        scale = numbers.uniform(0.01, 0.1, (count, 1)).astype(np.float16)
        low = numbers.uniform(-1.0, 0.0, (count, 1)).astype(np.float16)
        packed = numbers.integers(0, 256, (count, 32 if dtype == "q8_0" else 16), dtype=np.uint8)
        header = [scale, low] if dtype == "q4_1" else [scale]
        blocks = np.concatenate([part.view(np.uint8) for part in header] + [packed], axis=1)
        values = dequantize(dtype, scale.astype(np.float32), low.astype(np.float32), packed)
        return Quantized(dtype, (rows, columns), blocks.reshape(-1), values.astype(np.float32).reshape(rows, columns))


def dequantize(dtype, scale, low, packed):
    if dtype == "q8_0":
        return packed.view(np.int8).astype(np.float32) * scale
    nibbles = packed & 15, packed >> 4
    if dtype == "q4f16_1":
        # Neighbours share a byte, the first in its low half.
        return (np.stack(nibbles, axis=2).reshape(len(packed), BLOCK).astype(np.float32) - 7) * scale
    # The low halves of the sixteen bytes come first, then the high ones.
    quants = np.concatenate(nibbles, axis=1).astype(np.float32)
    return quants * scale + low if dtype == "q4_1" else (quants - 8) * scale
