# SPDX-License-Identifier: MIT
"""Heed's transformer in plain PyTorch: a table of tensors and a forward pass.

Letters: B batch, T time, C width, H query heads, Hk key/value heads, D head width, F ffn, V vocab.
Weights are stored [in, out], so that Y = X W; embedding and head are [V, C].
A configuration is a dict with Heed's own names, as in the JSON files beside this module.
"""

import functools
import math

import torch
import torch.nn.functional as F

EPSILON = 1e-5  # of LayerNorm and RMSNorm


def tensor_shapes(config):
    """Name -> shape of every parameter, in Heed's order."""
    V, T, C = config["vocab"], config["context"], config["width"]
    D, Fw = config["headWidth"], config["ffn"]
    q_width, kv_width = config["heads"] * D, config["kvHeads"] * D
    shapes = {"embed.weight": (V, C)}
    if config["position"] == "learned":
        shapes["positions.weight"] = (T, C)

    def norm(name):
        if config["norm"] != "none":
            shapes[f"{name}.weight"] = (C,)
        if config["norm"] == "layer" and config["bias"]:
            shapes[f"{name}.bias"] = (C,)

    def linear(name, inputs, outputs):
        shapes[f"{name}.weight"] = (inputs, outputs)
        if config["bias"]:
            shapes[f"{name}.bias"] = (outputs,)

    for i in range(config["layers"]):
        norm(f"layers.{i}.norm1")
        if not config["uniformAttention"]:
            linear(f"layers.{i}.attention.query", C, q_width)
            linear(f"layers.{i}.attention.key", C, kv_width)
        if config["qkNorm"]:
            shapes[f"layers.{i}.attention.queryNorm.weight"] = (D,)
            shapes[f"layers.{i}.attention.keyNorm.weight"] = (D,)
        if config["value"] == "learned":
            linear(f"layers.{i}.attention.value", C, kv_width)
        if config["outProjection"]:
            linear(f"layers.{i}.attention.output", q_width, C)
        if Fw > 0:
            norm(f"layers.{i}.norm2")
            linear(f"layers.{i}.ffn.in", C, Fw)
            if config["activation"] in ("swiglu", "geglu"):
                linear(f"layers.{i}.ffn.gate", C, Fw)
            linear(f"layers.{i}.ffn.out", Fw, C)
    if config["normPosition"] == "pre":
        norm("norm")
    if not config["tied"]:
        shapes["head.weight"] = (V, C)
    return shapes


def sinusoidal_positions(T, C, dtype):
    """P[t, 2i] = sin(t / 10000^(2i/C)), P[t, 2i+1] = cos(same)  (Vaswani et al. 2017)."""
    t = torch.arange(T, dtype=torch.float64)[:, None]
    column = torch.arange(C)
    # Integers divided by integers would give float32.
    angle = t / 10000.0 ** ((column - column % 2).double() / C)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos()).to(dtype)


def rope(x, base, layout):
    """Rotates x [B, heads, T, D] by position: pair i turns by t * base^(-2i/D)."""
    T, D = x.shape[-2:]
    t = torch.arange(T, dtype=torch.float64)[:, None]
    angle = t * base ** (-2.0 * torch.arange(D // 2, dtype=torch.float64) / D)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    if layout == "halves":
        a, b = x[..., : D // 2], x[..., D // 2 :]
        return torch.cat((a * cos - b * sin, a * sin + b * cos), dim=-1)
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)


def alibi_slopes(heads):
    """As in Press et al. 2022 and its code, for any number of heads."""
    power = 2 ** int(math.log2(heads))
    slopes = [2.0 ** (-8.0 * (h + 1) / power) for h in range(power)]
    twice = [2.0 ** (-4.0 * (h + 1) / power) for h in range(2 * power)]
    return torch.tensor(slopes + twice[0::2][: heads - power], dtype=torch.float64)


class Transformer:
    """Forward pass over a dict of parameters (names of `tensor_shapes`)."""

    def __init__(self, config, parameters):
        self.config = config
        self.parameters = parameters

    def linear(self, name, x):
        y = x @ self.parameters[f"{name}.weight"]
        bias = self.parameters.get(f"{name}.bias")
        return y if bias is None else y + bias

    def norm(self, name, x):
        kind, C = self.config["norm"], self.config["width"]
        if kind == "none":
            return x
        weight = self.parameters[f"{name}.weight"]
        if kind == "rms":
            return F.rms_norm(x, (C,), weight, EPSILON)
        return F.layer_norm(x, (C,), weight, self.parameters.get(f"{name}.bias"), EPSILON)

    def attention(self, name, x):
        B, T, _ = x.shape
        heads, kv_heads, D = (self.config[key] for key in ("heads", "kvHeads", "headWidth"))

        def split(part, count):
            y = self.linear(f"{name}.{part}", x) if part is not None else x
            return y.view(B, T, count, D).transpose(1, 2)

        value = split("value" if self.config["value"] == "learned" else None, kv_heads)
        if self.config["uniformAttention"]:
            query = torch.zeros(B, heads, T, D, dtype=x.dtype)
            key = torch.zeros(B, kv_heads, T, D, dtype=x.dtype)
        else:
            query, key = split("query", heads), split("key", kv_heads)
        if self.config["qkNorm"]:
            query, key = (
                F.rms_norm(x, (D,), self.parameters[f"{name}.{part}.weight"], EPSILON)
                for x, part in ((query, "queryNorm"), (key, "keyNorm"))
            )
        if self.config["position"] == "rope":
            base, layout = self.config["ropeBase"], self.config["ropeLayout"]
            query, key = rope(query, base, layout), rope(key, base, layout)
        # Query head h reads key/value head h // (H / Hk).
        key = key.repeat_interleave(heads // kv_heads, dim=1)
        value = value.repeat_interleave(heads // kv_heads, dim=1)
        y = self.mixed(query, key, value).transpose(1, 2).reshape(B, T, heads * D)
        return self.linear(f"{name}.output", y) if self.config["outProjection"] else y

    def mixed(self, query, key, value):
        """softmax(scores) value, [B, heads, T, D]."""
        config, T = self.config, query.shape[-2]
        scale = config["scale"] or None
        causal, window = config["mask"] == "causal", config["window"]
        bias = torch.zeros(T, T, dtype=query.dtype)
        away = torch.arange(T)[:, None] - torch.arange(T)[None, :]
        if causal:
            bias = bias.masked_fill(away < 0, -math.inf)
        if window:
            bias = bias.masked_fill(away >= window, -math.inf)
        if config["position"] == "alibi":
            slopes = alibi_slopes(query.shape[1]).to(query.dtype)
            bias = bias - slopes[:, None, None] * away.abs()
        if config["softcap"] == 0:
            return F.scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=scale)
        scores = query @ key.transpose(-2, -1) * (scale or 1.0 / math.sqrt(query.shape[-1]))
        scores = config["softcap"] * torch.tanh(scores / config["softcap"])
        return torch.softmax(scores + bias, dim=-1) @ value

    def ffn(self, name, x):
        h = self.linear(f"{name}.in", x)
        activation = self.config["activation"]
        if activation == "swiglu":
            h = F.silu(self.linear(f"{name}.gate", x)) * h
        elif activation == "geglu":
            h = F.gelu(self.linear(f"{name}.gate", x)) * h
        elif activation == "geluTanh":
            h = F.gelu(h, approximate="tanh")
        elif activation == "geluErf":
            h = F.gelu(h)
        elif activation == "silu":
            h = F.silu(h)
        elif activation == "relu":
            h = F.relu(h)
        elif activation == "relu2":
            h = F.relu(h) ** 2
        else:
            raise ValueError(f"unknown activation {activation}")
        return self.linear(f"{name}.out", h)

    def residual(self, norm_name, x, branch):
        if self.config["normPosition"] == "pre":
            return x + branch(self.norm(norm_name, x))
        return self.norm(norm_name, x + branch(x))

    def logits(self, tokens):
        """tokens [B, T] int64 -> logits [B, T, V]."""
        B, T = tokens.shape
        config, parameters = self.config, self.parameters
        embed = parameters["embed.weight"]
        x = embed[tokens]
        if config["position"] == "learned":
            x = x + parameters["positions.weight"][:T]
        elif config["position"] == "sinusoidal":
            x = x + sinusoidal_positions(T, config["width"], x.dtype)
        for i in range(config["layers"]):
            layer = f"layers.{i}"
            attention = functools.partial(self.attention, f"{layer}.attention")
            x = self.residual(f"{layer}.norm1", x, attention)
            if config["ffn"] > 0:
                x = self.residual(f"{layer}.norm2", x, functools.partial(self.ffn, f"{layer}.ffn"))
        if config["normPosition"] == "pre":
            x = self.norm("norm", x)
        head = embed if config["tied"] else parameters["head.weight"]
        return x @ head.T

    def loss_sum(self, tokens, targets, smoothing=0.0):
        """Sum of cross-entropies over targets other than -1; divide by `counted(targets)`."""
        logits = self.logits(tokens)
        flat = logits.reshape(-1, logits.shape[-1])
        return F.cross_entropy(
            flat, targets.reshape(-1), ignore_index=-1, reduction="sum", label_smoothing=smoothing
        )


def counted(targets):
    return int((targets != -1).sum())


def cosine(peak, low, fraction):
    return low + 0.5 * (peak - low) * (1.0 + math.cos(math.pi * fraction))
