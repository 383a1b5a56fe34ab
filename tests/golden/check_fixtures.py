# SPDX-License-Identifier: MIT
"""Runs every stored fixture in float32 PyTorch and prints its errors beside the tolerances.

This measures how well float32 can do at all, which is what the tolerances are set against, and it
fails when a file does not hold what its own weights give.
"""

import json
import pathlib
import sys

import torch
from safetensors.torch import load_file

from fixture_io import batch_at
from model import Transformer, counted, tensor_shapes
from training import Trainer

HERE = pathlib.Path(__file__).parent
# Largest logit error; gradient and final-weight error in L2 over max(norm, 1e-3 * whole norm);
# largest loss error of 50 steps. Kept in step with README.md.
LIMITS = {"logits": 1e-5, "gradient": 1e-5, "losses": 1e-4, "final": 1e-4}


def relative_l2(expected, actual, whole):
    floor = max(expected.norm().item(), 1e-3 * whole)
    return (actual - expected).norm().item() / floor


def errors(path):
    document = json.loads(path.read_text())
    stored = load_file(path.with_suffix(".safetensors"))
    names = list(tensor_shapes(document["config"]))
    shapes = {name: tuple(stored[name].shape) for name in names}
    assert shapes == tensor_shapes(document["config"]), f"{path.name}: shapes differ"

    parameters = {name: stored[name].clone().requires_grad_() for name in names}
    tokens = torch.tensor(document["check"]["tokens"])
    targets = torch.tensor(document["check"]["targets"])
    model = Transformer(document["config"], parameters)
    result = {"logits": (model.logits(tokens) - stored["logits"]).abs().max().item()}
    (model.loss_sum(tokens, targets) / counted(targets)).backward()
    whole = torch.cat([stored[f"grad.{name}"].flatten() for name in names]).norm().item()
    result["gradient"] = max(
        relative_l2(stored[f"grad.{name}"], parameters[name].grad, whole) for name in names
    )

    parameters = {name: stored[name].clone().requires_grad_() for name in names}
    train = document["train"]
    trainer = Trainer(document["config"], train, parameters)
    result["losses"] = 0.0
    for step, row in enumerate(document["offsets"]):
        micro = [
            batch_at(document, row[i : i + train["batch"]])
            for i in range(0, len(row), train["batch"])
        ]
        loss, _ = trainer.step(step, micro)
        result["losses"] = max(result["losses"], abs(loss - document["losses"][step]))
    whole = torch.cat([stored[f"final.{name}"].flatten() for name in names]).norm().item()
    result["final"] = max(
        relative_l2(stored[f"final.{name}"], parameters[name].detach(), whole)
        for name in names
        if name not in document["undetermined"]
    )
    return result


def main():
    torch.set_num_threads(1)
    failed = False
    print(f"{'fixture':18}" + "".join(f"{key:>12}" for key in LIMITS))
    for path in sorted(HERE.glob("*.json")):
        if json.loads(path.read_text()).get("format") != "heed-golden-1":
            continue
        found = errors(path)
        print(f"{path.stem:18}" + "".join(f"{found[key]:12.1e}" for key in LIMITS))
        failed |= any(not found[key] <= limit for key, limit in LIMITS.items())
    print(f"{'limit':18}" + "".join(f"{limit:12.1e}" for limit in LIMITS.values()))
    if failed:
        sys.exit("a fixture is outside its limits")


if __name__ == "__main__":
    main()
