"""What MiniLM (sentence-transformers/all-MiniLM-L6-v2) gives for a few sentences: minilm.safetensors.

    python3 make_minilm.py MODEL_FOLDER [FOLDER]

transformers' BertModel, on the CPU in f64 from the file's f32 weights; its sentence embeddings are checked against
sentence-transformers in f32. The same run in f32 says how far rounding goes.
"""

import json
import sys
from pathlib import Path

import safetensors.torch
import sentence_transformers
import torch
import transformers

SENTENCES = [
    "A taproot grows straight down.",
    "The quick brown fox jumps over the lazy dog, then naps in the warm afternoon sun.",
    "WebGPU",
]


def main():
    model_folder = sys.argv[1]
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else Path(__file__).parent)
    tokenizer = transformers.AutoTokenizer.from_pretrained(model_folder)
    model, model_in_f32 = (load(model_folder, dtype) for dtype in (torch.float64, torch.float32))
    reference = sentence_transformers.SentenceTransformer(model_folder, device="cpu")
    tensors, worst = {}, 0.0
    errors = {"last_hidden_state": [], "sentence_embedding": []}
    for number, sentence in enumerate(SENTENCES):
        tokens = tokenizer(sentence, return_tensors="pt")
        results, results_in_f32 = run(model, tokens), run(model_in_f32, tokens)
        for name, result in results.items():
            errors[name].append((results_in_f32[name] - result).square().mean().sqrt().item())
        embedding = results["sentence_embedding"]
        single = reference.encode([sentence], convert_to_tensor=True).double()
        worst = max(worst, (single - embedding).abs().max().item())
        tensors |= {f"{number}.token_ids": tokens["input_ids"]} | {f"{number}.{name}": result for name, result in results.items()}
    assert worst < 1e-6, worst
    metadata = {
        "sentences": json.dumps(SENTENCES), "torch": torch.__version__, "transformers": transformers.__version__,
        "sentence_transformers": sentence_transformers.__version__, "largest_difference_in_f32": f"{worst:.3e}",
        "rms_difference_in_f32": json.dumps(errors),
    }
    tensors = {key: value.contiguous().clone() for key, value in tensors.items()}
    safetensors.torch.save_file(tensors, folder / "minilm.safetensors", metadata)
    print(metadata, {key: list(value.shape) for key, value in tensors.items()})


def load(model_folder, dtype):
    return transformers.AutoModel.from_pretrained(model_folder, dtype=dtype, attn_implementation="eager").eval()


def run(model, tokens):
    """The last hidden state and the sentence embedding."""
    with torch.no_grad():
        hidden = model(**tokens).last_hidden_state
    return {"last_hidden_state": hidden, "sentence_embedding": torch.nn.functional.normalize(hidden.mean(dim=1), dim=-1)}


if __name__ == "__main__":
    main()
