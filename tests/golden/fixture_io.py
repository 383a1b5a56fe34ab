# SPDX-License-Identifier: MIT
"""Reading and writing of fixture documents."""

import json

import torch


def batch_at(document, offsets):
    """(tokens, targets) [B, T]: windows of `data` at the offsets, -1 where the mask is 0."""
    T = document["config"]["context"]
    data, mask = document["data"], document["mask"]
    tokens = [data[o : o + T] for o in offsets]
    targets = [
        [data[p] if not mask or mask[p] else -1 for p in range(o + 1, o + T + 1)] for o in offsets
    ]
    return torch.tensor(tokens), torch.tensor(targets)


def format_json(document):
    """One line a key, so that a regenerated file makes a readable diff."""
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"
