"""What SmolLM2-135M-Instruct gives from its Q4_1 GGUF file: smollm2.safetensors.

    python3 make_smollm2.py GGUF_FILE [FOLDER]

transformers dequantises the file to f32 and runs LlamaForCausalLM on the CPU: a prefill, then greedy steps with its KV cache. The
same run in f64 says how far rounding goes (transformers computes its norms and rotary angles in f32 there too).
"""

import json
import sys
from pathlib import Path

import safetensors.torch
import torch
import transformers

PROMPT = "A taproot grows straight"
STEPS = 4
TOP = 64


def main():
    file = Path(sys.argv[1])
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent)
    tokenizer = transformers.AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    tokens = tokenizer(PROMPT, return_tensors="pt")["input_ids"]
    model = transformers.AutoModelForCausalLM.from_pretrained(
        file.parent, gguf_file=file.name, dtype=torch.float32, attn_implementation="eager").eval()
    logits, generated = run(model, tokens)
    wide, wide_generated = run(model.double(), tokens)
    assert generated == wide_generated
    tensors = {"token_ids": tokens[0], "generated_ids": torch.tensor(generated), "0.logits": logits[0].clone()}
    for step, row in enumerate(logits):
        values, ids = row.topk(TOP)
        tensors |= {f"{step}.top_logits": values, f"{step}.top_ids": ids}
        tensors[f"{step}.norm"] = torch.linalg.vector_norm(row.double())
    errors = [(row - other).double().square().mean().sqrt().item() for row, other in zip(logits, wide)]
    metadata = {
        "prompt": PROMPT, "continuation": tokenizer.decode(generated), "torch": torch.__version__,
        "transformers": transformers.__version__, "rms_difference_to_f64": json.dumps(errors),
    }
    tensors = {key: value.contiguous().clone() for key, value in tensors.items()}
    safetensors.torch.save_file(tensors, folder / "smollm2.safetensors", metadata)
    print(metadata, tokens.tolist(), generated)


def run(model, tokens):
    """Logits of the last position of the prefill and of each step, and the ids chosen."""
    logits, generated, cache, fed = [], [], None, tokens
    with torch.no_grad():
        for _ in range(STEPS + 1):
            result = model(input_ids=fed, past_key_values=cache, use_cache=True)
            cache = result.past_key_values
            logits.append(result.logits[0, -1])
            fed = logits[-1].argmax().reshape(1, 1)
            generated.append(fed.item())
    return logits, generated


if __name__ == "__main__":
    main()
