# SPDX-License-Identifier: MIT
"""Heed's initial weights, drawn again from its generator.

Values agree with Heed's to the last float bit or two: both take logarithms and cosines in double,
but from different libraries.
"""

import math

import numpy as np
import torch

from batches import philox
from model import tensor_shapes

INIT_STREAM = 1
DEVIATION = 0.02


def _open_uniform(words):
    """(0, 1): the midpoints of 2^23 equal parts."""
    return ((words >> 9).astype(np.float64) + 0.5) * 2.0**-23


def normal(seed, tensor, count):
    """`count` values of N(0, 1) for the tensor of that number (Box and Muller 1958)."""
    blocks = -(-count // 4)
    zeros = np.zeros(blocks, np.uint64)
    counter = (np.arange(blocks, dtype=np.uint64), zeros + tensor, zeros + INIT_STREAM, zeros)
    words = philox((seed & 0xFFFFFFFF, seed >> 32), counter)
    pairs = []
    for first in (0, 2):
        radius = np.sqrt(-2.0 * np.log(_open_uniform(words[first])))
        angle = 2.0 * math.pi * _open_uniform(words[first + 1])
        pairs += [radius * np.cos(angle), radius * np.sin(angle)]
    return np.stack(pairs, axis=1).reshape(-1)[:count]


def initial_weights(config, seed):
    """normal(0, 0.02); the projections into the residual stream 0.02 / sqrt(2 layers); norms 1."""
    weights = {}
    for number, (name, shape) in enumerate(tensor_shapes(config).items()):
        if len(shape) == 1:
            weights[name] = torch.zeros(shape) if name.endswith(".bias") else torch.ones(shape)
            continue
        deviation = DEVIATION
        if name.endswith(("attention.output.weight", "ffn.out.weight")):
            deviation /= math.sqrt(2 * config["layers"])
        # Heed multiplies by the deviation rounded to float.
        values = normal(seed, number, math.prod(shape)) * float(np.float32(deviation))
        weights[name] = torch.from_numpy(values.astype(np.float32)).reshape(shape)
    return weights
