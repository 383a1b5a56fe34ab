# SPDX-License-Identifier: MIT
"""Heed's training step in PyTorch: schedule, accumulation, clipping, AdamW or SGD."""

import torch

from model import Transformer, cosine, counted


def learning_rate(train, step):
    """Linear warm-up that is never zero, then the schedule up to `steps`."""
    peak, warmup = train["learningRate"], train["warmup"]
    if step < warmup:
        return peak * (step + 1) / (warmup + 1)
    if train["schedule"] == "constant":
        return peak
    low, steps = train["minLearningRate"], train["steps"]
    if train["schedule"] == "wsd":
        begin = max(warmup, steps - train["decayFraction"] * steps)
        return peak if step <= begin else peak + (low - peak) * (step - begin) / (steps - begin)
    fraction = (step - warmup) / (steps - warmup)
    if train["schedule"] == "linear":
        return peak + (low - peak) * fraction
    return cosine(peak, low, fraction)


class Trainer:
    """Trains a dict of leaf tensors in place. Decay is decoupled and on 2-D tensors only."""

    def __init__(self, config, train, parameters):
        self.model = Transformer(config, parameters)
        self.train = train
        self.parameters = list(parameters.values())
        matrices = [p for p in self.parameters if p.dim() == 2]
        others = [p for p in self.parameters if p.dim() != 2]
        if train["optimizer"] == "adamw":
            self.optimizer = torch.optim.AdamW(
                [
                    {"params": matrices, "weight_decay": train["weightDecay"]},
                    {"params": others, "weight_decay": 0.0},
                ],
                betas=(train["beta1"], train["beta2"]),
                eps=train["epsilon"],
            )
            self.decayed = []
        else:
            # torch.optim.SGD would add the decay to the gradient; Heed decays the weight itself.
            self.optimizer = torch.optim.SGD(self.parameters, momentum=train["momentum"])
            self.decayed = matrices

    def step(self, index, micro_batches):
        """One update. `micro_batches` is a list of (tokens, targets). Returns loss and norm.

        The loss is the mean over all counted tokens of all micro-batches, before the update; the
        norm is the gradient's, before clipping.
        """
        count = sum(counted(targets) for _, targets in micro_batches)
        self.optimizer.zero_grad()
        total = 0.0
        for tokens, targets in micro_batches:
            loss = self.model.loss_sum(tokens, targets, self.train["labelSmoothing"])
            (loss / count).backward()
            total += loss.item()
        norm = torch.sqrt(sum((p.grad.double() ** 2).sum() for p in self.parameters)).item()
        clip = self.train["clip"]
        if clip > 0.0:
            for p in self.parameters:
                p.grad.mul_(clip / max(norm, clip))
        rate = learning_rate(self.train, index)
        with torch.no_grad():
            for p in self.decayed:
                p.mul_(1.0 - rate * self.train["weightDecay"])
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.optimizer.step()
        return total / count, norm
