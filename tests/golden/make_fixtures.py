# SPDX-License-Identifier: MIT
"""Writes NAME.json and NAME.safetensors for every fixture; see README.md for the format.

Weights are drawn, rounded to float32 and stored; everything else is computed from those rounded
weights in float64, so a stored value is the truth for a float32 implementation up to its own
rounding. Usage: python make_fixtures.py [NAME ...]
"""

import pathlib
import sys

import torch
from safetensors.torch import save_file

from batches import window_start
from fixture_io import batch_at, format_json
from fixtures import FIXTURES
from model import Transformer, counted, tensor_shapes
from training import Trainer

HERE = pathlib.Path(__file__).parent
DATA_TOKENS = 600


def draw_parameters(config, std, generator):
    parameters = {}
    for name, shape in tensor_shapes(config).items():
        noise = torch.randn(shape, generator=generator, dtype=torch.float64)
        if len(shape) == 2:
            value = std * noise
        elif name.endswith(".bias"):
            value = 0.5 * std * noise
        else:
            value = 1.0 + std * noise
        parameters[name] = value.float()
    return parameters


def draw_tokens(vocab, generator):
    """A noisy chain, x' = 3 x + 1 + {0, 1, 2} mod V, so that there is something to learn."""
    jumps = torch.randint(0, 3, (DATA_TOKENS,), generator=generator).tolist()
    tokens = [0]
    for jump in jumps[1:]:
        tokens.append((3 * tokens[-1] + 1 + jump) % vocab)
    return tokens


def leaves(parameters):
    return {name: p.double().requires_grad_() for name, p in parameters.items()}


def make(fixture):
    config, train = fixture["config"], fixture["train"]
    generator = torch.Generator().manual_seed(train["seed"])
    initial = draw_parameters(config, fixture["std"], generator)
    data = draw_tokens(config["vocab"], generator)
    counts = torch.rand(len(data), generator=generator) >= fixture["masked"]
    starts = len(data) - config["context"]
    rows = train["accumulation"] * train["batch"]
    # The windows Heed's trainer draws itself, so that a test can drive it as users do.
    offsets = [
        [window_start(train["seed"], step, row, starts) for row in range(rows)]
        for step in range(train["steps"] + 1)
    ]
    document = {
        "format": "heed-golden-1",
        "name": fixture["name"],
        "config": config,
        "train": train,
        "data": data,
        "mask": counts.int().tolist() if fixture["masked"] else [],
        "offsets": offsets[: train["steps"]],
    }

    # Logits and gradients on a batch of their own.
    document["check"] = {"offsets": offsets[-1][: train["batch"]]}
    tokens, targets = batch_at(document, document["check"]["offsets"])
    parameters = leaves(initial)
    model = Transformer(config, parameters)
    loss = model.loss_sum(tokens, targets) / counted(targets)
    loss.backward()
    document["check"] |= {
        "tokens": tokens.tolist(),
        "targets": targets.tolist(),
        "loss": loss.item(),
        "count": counted(targets),
    }
    tensors = dict(initial)
    tensors["logits"] = model.logits(tokens).detach().float()
    total = torch.sqrt(sum((p.grad**2).sum() for p in parameters.values())).item()
    for name, p in parameters.items():
        tensors[f"grad.{name}"] = p.grad.float()
    # A gradient that is zero in exact arithmetic (a key bias without RoPE, queries and keys of a
    # one-token context) is rounding noise in float32, and AdamW scales noise up: such tensors move
    # at random and without effect, so their final values are not compared.
    document["undetermined"] = [
        name for name, p in parameters.items() if p.grad.norm().item() < 1e-12 * total
    ]

    parameters = leaves(initial)
    trainer = Trainer(config, train, parameters)
    losses, norms = [], []
    for step, row in enumerate(document["offsets"]):
        size = train["batch"]
        micro = [batch_at(document, row[i : i + size]) for i in range(0, len(row), size)]
        value, norm = trainer.step(step, micro)
        losses.append(value)
        norms.append(norm)
    document["losses"], document["gradientNorms"] = losses, norms
    for name, p in parameters.items():
        tensors[f"final.{name}"] = p.detach().float()

    path = HERE / fixture["name"]
    path.with_suffix(".json").write_text(format_json(document))
    save_file(tensors, path.with_suffix(".safetensors"), metadata={"format": "pt"})
    count = sum(p.numel() for p in parameters.values())
    print(f"{fixture['name']:18} {count:6} parameters, loss {losses[0]:.4f} -> {losses[-1]:.4f}, "
          f"norm {min(norms):.3f} to {max(norms):.3f}, undetermined {document['undetermined']}")


def main():
    torch.set_num_threads(1)  # one order of summation
    torch.use_deterministic_algorithms(True)
    wanted = sys.argv[1:]
    unknown = set(wanted) - {fixture["name"] for fixture in FIXTURES}
    if unknown:
        sys.exit(f"no fixture named {', '.join(sorted(unknown))}")
    for fixture in FIXTURES:
        if not wanted or fixture["name"] in wanted:
            make(fixture)


if __name__ == "__main__":
    main()
