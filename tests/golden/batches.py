# SPDX-License-Identifier: MIT
"""Heed's choice of training batches: windows drawn by a counter-based generator."""

import torch

BATCH_STREAM = 2
_WORD = 0xFFFFFFFF


def philox(key, counter):
    """Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011); key two words, counter four."""
    key0, key1 = key
    c0, c1, c2, c3 = counter
    for _ in range(10):
        product0, product1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (
            (product1 >> 32) ^ c1 ^ key0,
            product1 & _WORD,
            (product0 >> 32) ^ c3 ^ key1,
            product0 & _WORD,
        )
        key0, key1 = (key0 + 0x9E3779B9) & _WORD, (key1 + 0xBB67AE85) & _WORD
    return c0, c1, c2, c3


# The paper's known answers: all bits clear, and all bits set.
assert philox((0, 0), (0, 0, 0, 0)) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
assert philox((_WORD,) * 2, (_WORD,) * 4) == (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)


def window_start(seed, step, row, starts):
    """Start of a window in [0, starts); `row` counts over all micro-batches of the step."""
    words = philox((seed & _WORD, seed >> 32), (row, step, BATCH_STREAM, 0))
    return (words[0] * starts) >> 32


def micro_batches(tokens, train, context, step):
    """The step's list of (x, y), each [batch, context]; `tokens` is the training part."""
    starts = len(tokens) - context
    batch = train["batch"]
    result = []
    for micro in range(train["accumulation"]):
        rows = range(micro * batch, (micro + 1) * batch)
        offsets = [window_start(train["seed"], step, row, starts) for row in rows]
        x = torch.stack([tokens[o : o + context] for o in offsets])
        y = torch.stack([tokens[o + 1 : o + context + 1] for o in offsets])
        result.append((x, y))
    return result
