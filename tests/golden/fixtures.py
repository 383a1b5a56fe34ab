# SPDX-License-Identifier: MIT
"""The fixtures: one tiny model each, chosen so that together they touch every option.

Sizes are awkward on purpose: widths that are no multiple of 4, odd context lengths, heads whose
widths do not add up to the model's width, one context longer than a 64-row tile, one of one token.
"""

_CONFIG = {
    "vocab": 17,
    "context": 11,
    "layers": 2,
    "heads": 2,
    "kvHeads": 2,
    "width": 16,
    "headWidth": 8,
    "ffn": 40,
    "norm": "layer",
    "normPosition": "pre",
    "activation": "geluTanh",
    "position": "learned",
    "ropeBase": 10000,
    "ropeLayout": "halves",
    "bias": True,
    "tied": True,
    "dropout": 0,
    "scale": 0,
    "softcap": 0,
    "window": 0,
    "qkNorm": False,
    "mask": "causal",
    "value": "learned",
    "outProjection": True,
    "uniformAttention": False,
    "init": "gpt2",
}

_TRAIN = {
    "steps": 50,
    "batch": 3,
    "accumulation": 1,
    "optimizer": "adamw",
    "learningRate": 3e-3,
    "minLearningRate": 3e-4,
    "schedule": "cosine",
    "warmup": 10,
    "beta1": 0.9,
    "beta2": 0.99,
    "epsilon": 1e-8,
    "weightDecay": 0.1,
    "momentum": 0,
    "clip": 1,
    "labelSmoothing": 0,
    "valFraction": 0,
}


def _fixture(name, config, train=None, masked=0.0, std=0.2):
    return {
        "name": name,
        "config": {**_CONFIG, **config},
        "train": {**_TRAIN, "seed": 1000 + len(name), **(train or {})},
        "masked": masked,  # fraction of positions whose target does not count
        "std": std,  # of matrices; biases have half of it, norm weights are 1 + N(0, std)
    }


_SGD = {"optimizer": "sgd", "momentum": 0.9, "learningRate": 5e-2, "minLearningRate": 5e-3}

FIXTURES = [
    _fixture(
        "gpt2",
        {"vocab": 65, "context": 16, "heads": 3, "kvHeads": 3, "width": 24, "ffn": 96},
    ),
    _fixture(
        "nanogpt",
        {
            "vocab": 65, "context": 13, "width": 20, "headWidth": 10, "ffn": 50,
            "activation": "geluErf", "bias": False,
        },
    ),
    _fixture(
        "llama",
        {
            "heads": 4, "kvHeads": 2, "width": 20, "headWidth": 6, "ffn": 27, "norm": "rms",
            "activation": "swiglu", "position": "rope", "bias": False, "tied": False,
        },
    ),
    _fixture(
        "rope-interleaved",
        {
            "context": 19, "heads": 3, "kvHeads": 1, "width": 14, "headWidth": 4, "ffn": 33,
            "norm": "rms", "activation": "silu", "position": "rope", "ropeBase": 100,
            "ropeLayout": "interleaved",
        },
        {"schedule": "constant", "learningRate": 2e-3, "minLearningRate": 0, "clip": 0},
    ),
    _fixture(
        "vaswani",
        {
            "context": 9, "width": 18, "headWidth": 9, "ffn": 30, "normPosition": "post",
            "activation": "relu", "position": "sinusoidal",
        },
        _SGD,
    ),
    _fixture(
        "attention-only",
        {
            "heads": 3, "kvHeads": 3, "width": 12, "headWidth": 5, "ffn": 0, "norm": "none",
            "position": "none", "bias": False, "tied": False,
        },
        std=0.3,
    ),
    _fixture(
        "accumulated",
        {
            "vocab": 23, "context": 10, "heads": 4, "kvHeads": 2, "width": 16, "headWidth": 4,
            "ffn": 64,
        },
        {"batch": 2, "accumulation": 3},
        masked=0.4,
    ),
    _fixture(
        "post-rms",
        {
            "context": 7, "width": 13, "headWidth": 6, "ffn": 21, "norm": "rms",
            "normPosition": "post", "activation": "swiglu", "position": "rope",
            "ropeLayout": "interleaved", "heads": 4, "kvHeads": 1,
        },
        {"weightDecay": 0.01, "clip": 0.5},
    ),
    _fixture(
        "no-norm",
        {
            "vocab": 11, "context": 8, "layers": 1, "width": 17, "headWidth": 7, "ffn": 29,
            "norm": "none", "activation": "geluErf", "position": "sinusoidal", "tied": False,
        },
        {**_SGD, "schedule": "constant", "learningRate": 1e-2, "weightDecay": 0},
        masked=0.2,
        std=0.15,
    ),
    _fixture(
        "one-token",
        {"vocab": 5, "context": 1, "layers": 1, "width": 6, "headWidth": 3, "ffn": 10},
        {**_SGD, "batch": 5},
    ),
    _fixture(
        "no-layers",
        {"vocab": 19, "context": 6, "layers": 0, "width": 10, "tied": False},
        {"learningRate": 1e-2, "minLearningRate": 1e-3},
    ),
    _fixture(
        "long-context",
        {
            "vocab": 31, "context": 131, "heads": 2, "kvHeads": 1, "width": 22, "headWidth": 16,
            "ffn": 44, "activation": "geluErf", "position": "rope",
        },
        {"batch": 2},
    ),
    _fixture(
        "wide",
        {
            "vocab": 65, "context": 33, "layers": 1, "heads": 3, "kvHeads": 3, "width": 60,
            "headWidth": 20, "ffn": 150, "bias": False, "norm": "rms", "activation": "swiglu",
        },
        {"batch": 2},
        std=0.1,
    ),
    _fixture(
        "relu2-linear",
        {
            "vocab": 29, "context": 11, "heads": 2, "kvHeads": 2, "width": 16, "headWidth": 8,
            "ffn": 40, "activation": "relu2", "position": "rope", "bias": False,
        },
        {"schedule": "linear"},
    ),
    _fixture(
        "geglu-wsd",
        {
            "vocab": 27, "context": 12, "heads": 3, "kvHeads": 1, "width": 18, "headWidth": 6,
            "ffn": 31, "norm": "rms", "activation": "geglu", "position": "learned", "tied": False,
        },
        {"schedule": "wsd", "decayFraction": 0.4},
    ),
    _fixture(
        "alibi-window",
        {
            "vocab": 21, "context": 70, "heads": 6, "kvHeads": 3, "width": 24, "headWidth": 4,
            "ffn": 30, "position": "alibi", "window": 9,
        },
        {"batch": 2, "labelSmoothing": 0.1},
    ),
    _fixture(
        "softcap-scale",
        {
            "vocab": 23, "context": 14, "heads": 3, "kvHeads": 3, "width": 18, "headWidth": 6,
            "ffn": 26, "norm": "rms", "position": "rope", "softcap": 1.5, "scale": 0.7,
        },
        {**_SGD},
        std=0.3,
    ),
    _fixture(
        "qk-norm",
        {
            "vocab": 24, "context": 13, "heads": 4, "kvHeads": 2, "width": 20, "headWidth": 6,
            "ffn": 34, "norm": "rms", "activation": "swiglu", "position": "rope", "qkNorm": True,
        },
    ),
    _fixture(
        "no-mask",
        {
            "vocab": 13, "context": 9, "heads": 3, "kvHeads": 3, "width": 15, "headWidth": 5,
            "ffn": 20, "position": "alibi", "mask": "none", "value": "identity",
            "outProjection": False,
        },
        {"batch": 4},
    ),
    _fixture(
        "muon",
        {"vocab": 25, "context": 12, "heads": 2, "kvHeads": 1, "width": 20, "headWidth": 10, "ffn": 44},
        {"optimizer": "muon", "momentum": 0.95, "learningRate": 5e-3, "minLearningRate": 5e-4},
    ),
    _fixture(
        "uniform",
        {
            "vocab": 13, "context": 9, "heads": 2, "kvHeads": 2, "width": 16, "headWidth": 8,
            "ffn": 0, "uniformAttention": True, "norm": "none",
        },
        {"batch": 4, "labelSmoothing": 0.25},
    ),
]
