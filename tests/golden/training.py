# SPDX-License-Identifier: MIT
"""Heed's training step in PyTorch: schedule, accumulation, clipping, AdamW, SGD or Muon."""

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


class Muon(torch.optim.Optimizer):
    """As torch.optim.Muon with adjust_lr_fn="match_rms_adamw", but in the gradient's own precision:
    that one iterates in bfloat16, which no tolerance of float32 could be held to."""

    def __init__(self, parameters, momentum, decay):
        super().__init__(parameters, {"lr": 0.0, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(p)
                momentum, beta = state["momentum"], group["momentum"]
                momentum.lerp_(p.grad, 1.0 - beta)
                update = p.grad.lerp(momentum, beta)
                p.mul_(1.0 - group["lr"] * group["decay"])
                adjusted = group["lr"] * 0.2 * max(p.shape) ** 0.5
                p.add_(self.orthogonalised(update), alpha=-adjusted)

    @staticmethod
    def orthogonalised(x):
        tall = x.shape[0] > x.shape[1]
        x = x.T if tall else x
        x = x / (x.norm() + 1e-7)
        for _ in range(5):
            gram = x @ x.T
            x = 3.4445 * x + (-4.7750 * gram + 2.0315 * gram @ gram) @ x
        return x.T if tall else x


class Trainer:
    """Trains a dict of leaf tensors in place. Decay is decoupled and on 2-D tensors only."""

    def __init__(self, config, train, parameters):
        self.model = Transformer(config, parameters)
        self.train = train
        self.parameters = list(parameters.values())
        self.muon = None
        if train["optimizer"] == "muon":
            inside = [p for n, p in parameters.items() if n.startswith("layers.") and p.dim() == 2]
            self.muon = Muon(inside, train["momentum"], train["weightDecay"])
            names = {id(p) for p in inside}
            parameters = {n: p for n, p in parameters.items() if id(p) not in names}
        matrices = [p for p in parameters.values() if p.dim() == 2]
        others = [p for p in parameters.values() if p.dim() != 2]
        if train["optimizer"] in ("adamw", "muon"):
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
        for p in self.parameters:
            p.grad = None
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
        for optimizer in filter(None, (self.optimizer, self.muon)):
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
        return total / count, norm
