# SPDX-License-Identifier: MIT
"""Trains Heed's preset nanogpt-cpu in PyTorch (float32, CPU) on the same batches as Heed.

The initial weights come from a safetensors file with Heed's tensor names (--weights; other tensors
in it are ignored) or are drawn here as Heed draws them, and can be written (--write-weights).
Prints one JSON object with valLoss, the mean over the validation part cut into windows of one
context, and with --store writes it to nanogpt-cpu.json. Takes some six minutes on one core.
"""

import argparse
import hashlib
import json
import math
import pathlib
import sys

import torch
from safetensors.torch import load_file, save_file

from batches import micro_batches
from initial_weights import initial_weights
from model import Transformer, counted, tensor_shapes
from training import Trainer

STORE = pathlib.Path(__file__).parent / "nanogpt-cpu.json"

CONFIG = {
    "context": 64, "layers": 4, "heads": 4, "kvHeads": 4, "width": 128, "headWidth": 32,
    "ffn": 512, "norm": "layer", "normPosition": "pre", "activation": "geluErf",
    "position": "learned", "ropeBase": 10000, "ropeLayout": "halves", "bias": False, "tied": True,
    "dropout": 0, "mask": "causal", "value": "learned", "outProjection": True,
    "uniformAttention": False, "init": "gpt2",
}
TRAIN = {
    "steps": 2000, "batch": 12, "accumulation": 1, "seed": 1337, "optimizer": "adamw",
    "learningRate": 1e-3, "minLearningRate": 1e-4, "schedule": "cosine", "warmup": 100,
    "beta1": 0.9, "beta2": 0.99, "epsilon": 1e-8, "weightDecay": 0.1, "momentum": 0, "clip": 1,
    "valFraction": 0.1,
}
EVALUATE_EVERY = 500
EVALUATION_ROWS = 64  # windows a forward pass; only memory depends on it


def read_weights(path, config):
    stored = load_file(path)
    weights = {}
    for name, shape in tensor_shapes(config).items():
        if name not in stored:
            sys.exit(f"{path} has no tensor {name}")
        if tuple(stored[name].shape) != shape:
            sys.exit(f"{name}: expected shape {shape}, found {tuple(stored[name].shape)}")
        weights[name] = stored[name].float()
    return weights


@torch.no_grad()
def validation_loss(model, tokens, context):
    """Mean over consecutive windows of one context; a last partial window is dropped."""
    windows = (len(tokens) - 1) // context
    x = tokens[: windows * context].view(windows, context)
    y = tokens[1 : windows * context + 1].view(windows, context)
    pairs = zip(x.split(EVALUATION_ROWS), y.split(EVALUATION_ROWS))
    total = sum(model.loss_sum(rows, targets).double().item() for rows, targets in pairs)
    return total / counted(y)


def weights_digest(weights):
    digest = hashlib.sha256()
    for name in weights:
        digest.update(weights[name].detach().contiguous().numpy().tobytes())
    return digest.hexdigest()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", type=pathlib.Path, help="training text, UTF-8")
    parser.add_argument("--weights", type=pathlib.Path, help="initial weights (safetensors)")
    parser.add_argument("--write-weights", type=pathlib.Path, help="store the initial weights")
    parser.add_argument("--steps", type=int, default=TRAIN["steps"])
    parser.add_argument("--stop-at", type=int, help="stop after this many steps of the schedule")
    parser.add_argument("--seed", type=int, default=TRAIN["seed"], help="of batches and weights")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--store", action="store_true", help=f"write {STORE.name}")
    return parser.parse_args()


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    text = args.text.read_bytes().decode("utf-8")
    vocabulary = sorted(set(text))
    index = {character: i for i, character in enumerate(vocabulary)}
    tokens = torch.tensor([index[character] for character in text])
    train = {**TRAIN, "steps": args.steps, "seed": args.seed}
    config = {"vocab": len(vocabulary), **CONFIG}
    split = math.floor(len(tokens) * (1 - train["valFraction"]))
    train_tokens, val_tokens = tokens[:split], tokens[split:]

    weights = (
        read_weights(args.weights, config) if args.weights else initial_weights(config, args.seed)
    )
    if args.write_weights:
        save_file(weights, args.write_weights, metadata={"format": "pt"})
    digest = weights_digest(weights)
    parameters = {name: p.clone().requires_grad_() for name, p in weights.items()}
    trainer = Trainer(config, train, parameters)
    context = config["context"]
    curve = []  # [step, trainLoss of the batch before it, valLoss]
    loss = None
    stop = train["steps"] if args.stop_at is None else args.stop_at
    for step in range(stop + 1):
        if step % EVALUATE_EVERY == 0 or step == stop:
            value = validation_loss(trainer.model, val_tokens, context)
            curve.append([step, loss, value])
            print(f"step {step}: train {loss} val {value:.4f}", file=sys.stderr, flush=True)
        if step < stop:
            loss, _ = trainer.step(step, micro_batches(train_tokens, train, context, step))
    result = {
        "preset": "nanogpt-cpu",
        "torch": torch.__version__.split("+")[0],
        "text": args.text.name,
        "textSha256": hashlib.sha256(args.text.read_bytes()).hexdigest(),
        "initialWeights": "file" if args.weights else "drawn",
        "initialWeightsSha256": digest,
        "seed": train["seed"],
        "steps": stop,
        "parameters": sum(p.numel() for p in parameters.values()),
        "trainLoss": loss,
        "valLoss": curve[-1][2],
        "curve": curve,
    }
    print(json.dumps(result))
    if args.store:
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in result.items()]
        STORE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
