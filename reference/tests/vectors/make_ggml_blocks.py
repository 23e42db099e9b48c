"""Random blocks of the GGML types that a trace does not hold, and what gguf's own Python package says they stand for.

    python3 make_ggml_blocks.py [FOLDER]      (gguf 0.19.0, numpy)

Writes ggml_blocks.safetensors: for each type `TYPE.blocks` (u8) and `TYPE.values` (f32).
"""

import sys
from pathlib import Path

import gguf
import numpy as np
from safetensors.numpy import save_file

# Type, bytes of a block, places of its f16 scales (random bits there could be NaN).
TYPES = [("Q5_0", 22, [0]), ("Q5_1", 24, [0, 2]), ("Q4_K", 144, [0, 2]), ("Q5_K", 176, [0, 2]), ("Q6_K", 210, [208])]
BLOCKS = 3


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent)
    random = np.random.default_rng(20261201)
    tensors = {}
    for name, size, scales in TYPES:
        blocks = random.integers(0, 256, (BLOCKS, size), dtype=np.uint8)
        for at in scales:
            blocks[:, at : at + 2] = random.uniform(-0.1, 0.1, (BLOCKS, 1)).astype(np.float16).view(np.uint8)
        tensors[f"{name}.blocks"] = blocks.reshape(-1)
        values = gguf.quants.dequantize(blocks, gguf.GGMLQuantizationType[name])
        tensors[f"{name}.values"] = np.ascontiguousarray(values.reshape(-1), dtype=np.float32)
    save_file(tensors, folder / "ggml_blocks.safetensors")


if __name__ == "__main__":
    main()
