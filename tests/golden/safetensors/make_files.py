# SPDX-License-Identifier: MIT
"""Writes the files of this folder with the reference implementation (safetensors, numpy).

types.safetensors     one tensor of every element type it can write
floats.safetensors    F32, F16 and BF16 tensors; our writer must make the same bytes
metadata.safetensors  no tensors, metadata that need escapes; likewise
verdicts.json         headers, most of them damaged, and whether the reference reads them

Usage: python make_files.py, after pip install -r ../requirements.txt
"""

import json
import pathlib
import random

import numpy
from safetensors import SafetensorError, TensorSpec, deserialize, serialize

HERE = pathlib.Path(__file__).parent

# The reference's names of the types, and bytes of the two (F4: four) elements that are written.
TYPES = {
    "bool": 2, "uint8": 2, "int8": 2, "int16": 4, "uint16": 4, "float16": 4, "bfloat16": 4,
    "int32": 8, "uint32": 8, "float32": 8, "float64": 16, "int64": 16, "uint64": 16,
    "complex64": 16, "float8_e4m3fn": 2, "float8_e5m2": 2, "float8_e8m0fnu": 2,
    "float8_e4m3fnuz": 2, "float8_e5m2fnuz": 2, "float4_e2m1fn_x2": 2,
}


def file_bytes(tensors, metadata):
    """tensors: {name: (type, shape, array of the data's bytes)}."""
    specs = {
        name: TensorSpec(dtype=kind, shape=shape, data_ptr=data.ctypes.data, data_len=data.nbytes)
        for name, (kind, shape, data) in tensors.items()
    }
    return serialize(specs, metadata)


def types_file():
    tensors = {
        f"t{number}": (kind, [2], numpy.arange(size, dtype=numpy.uint8) % 2)
        for number, (kind, size) in enumerate(TYPES.items())
    }
    return file_bytes(tensors, {"format": "pt"})


def ramp(count):
    """Multiples of 1/8 up to 6.25: exact in all three types."""
    return ((numpy.arange(count) * 37) % 101 - 50).astype(numpy.float32) / 8


def floats_file():
    wide = ramp(24)
    upper = (ramp(5).view(numpy.uint32) >> 16).astype(numpy.uint16)
    one = ramp(1)
    empty = ramp(0)
    tensors = {
        "layers.0.weight": ("float32", [2, 3, 4], wide),
        "b \"quoted\" \u00e9": ("bfloat16", [5], upper),
        "half": ("float16", [3, 2], ramp(6).astype(numpy.float16)),
        "a": ("bfloat16", [1, 5], upper),
        "scalar": ("float32", [], one),
        "empty": ("float32", [0, 4], empty),
    }
    return file_bytes(tensors, {"format": "pt"})


def metadata_file():
    odd = "".join(map(chr, range(0x20))) + "\"\\/\x7f\u00e9\u20ac\U0001f600"
    metadata = {"": "", odd: odd, "format": "pt", "formau": ""}
    # The reference keeps metadata in a hash map with a random order; ours is sorted.
    while True:
        file = file_bytes({}, metadata)
        header = json.loads(file[8:])
        if list(header["__metadata__"]) == sorted(metadata):
            return file


TENSOR = '"w":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}'
HEADERS = [
    "{}",
    "{" + TENSOR + "}",
    '{"__metadata__":{"format":"pt","k":"v"},' + TENSOR + "}",
    "{" + TENSOR + ',"b":{"shape":[],"data_offsets":[8,8],"dtype":"BF16"}}',
    '{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},'
    '"b":{"dtype":"U8","shape":[5],"data_offsets":[3,8]},'
    '"c":{"dtype":"I64","shape":[0],"data_offsets":[3,3]}}',
]
PIECES = [
    "{", "}", "[", "]", ":", ",", '"', "\\", " ", "\n", "\t", "\x00", "\xff", "\xc3\xa9", "0",
    "1", "8", "-", ".0", "e0", "null", "true", "01", "18446744073709551615",
    "18446744073709551616", "\\u0077", "\\ud83d", "\\ud83d\\ude00", '"__metadata__"',
    '"dtype":"F32",', '"shape":[2],', '"k":"v",', '"x":0,', TENSOR, TENSOR + ",", '"F16"', '"F4"',
    '"I64"', "/**/", "\x0c", "\x7f",
]
EXTRA = [
    b"", b" {}", b"{} \n\t\r", b"{}\x00", b"\xef\xbb\xbf{}", b"{}{}", b"[]", b"null",
    b'{"__metadata__":null}', b'{"__metadata__":{}}', b'{"__metadata__":{"a":1}}',
    b'{"__metadata__":{"a":"b","a":"c"}}', b'{"__metadata__":{},"__metadata__":{}}',
    b'{"__metadata\\u005f_":{"a":"b"}}', b'{"":{"dtype":"U8","shape":[8],"data_offsets":[0,8]}}',
    b'{"w":{"dtype":"U8","shape":[8],"data_offsets":[0,8],"x":1}}',
    b'{"w":{"dtype":"U8","shape":[8],"data_offsets":[0,8],"dtype":"U8"}}',
    b'{"w":{"dtype":"F4","shape":[16],"data_offsets":[0,8]}}',
    b'{"w":{"dtype":"F4","shape":[15],"data_offsets":[0,8]}}',
    b'{"w":{"dtype":"U8","shape":[8],"data_offsets":[0,8,8]}}',
    b'{"w":{"dtype":"U8","shape":[0,18446744073709551615,2],"data_offsets":[0,0]}}',
    b'{"w":{"dtype":"U8","shape":[18446744073709551615,2,0],"data_offsets":[0,0]}}',
    b'{"w":{"dtype":"U8","shape":[4611686018427387904,2],"data_offsets":[0,0]}}',
]


def damaged(rng):
    text = rng.choice(HEADERS)
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(text) + 1)
        if rng.random() < 0.5:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif rng.random() < 0.6:
            text = text[:at] + rng.choice(PIECES) + text[at + 1:]
        else:
            text = text[:at] + text[at + rng.randint(1, 4):]
    return text.encode("latin-1")


def stricter(header):
    """Whether a header that the reference reads is one that a stricter reader must refuse."""
    repeated = []

    def pairs(items):
        keys = [key for key, _ in items]
        if len(set(keys)) != len(keys):
            repeated.append(keys)
        return dict(items)

    if not header.startswith(b"{"):
        return True  # the format's description asks for it
    entries = json.loads(header, object_pairs_hook=pairs)
    unknown = any(
        set(entry) != {"dtype", "shape", "data_offsets"}
        for name, entry in entries.items()
        if name != "__metadata__"
    )
    return bool(repeated) or unknown or entries.get("__metadata__", {}) is None


def verdict(header, data_bytes):
    try:
        deserialize(len(header).to_bytes(8, "little") + header + bytes(data_bytes))
    except SafetensorError:
        return {"reference": False, "strict": False}
    return {"reference": True, "strict": not stricter(header)}


def verdicts():
    rng = random.Random(20)
    cases = {(header, size): None for header in EXTRA for size in (0, 8)}
    kept = {True: 0, False: 0}
    # As many that are read as that are not: most damage is refused.
    while min(kept.values()) < 200:
        case = (damaged(rng), rng.choice([0, 8, 8, 8]))
        read = verdict(*case)["reference"]
        if case not in cases and kept[read] < 200:
            cases[case] = None
            kept[read] += 1
    # Each byte of a header as the character of that number, so that JSON can hold any bytes.
    return [
        {"header": header.decode("latin-1"), "dataBytes": size, **verdict(header, size)}
        for header, size in cases
    ]


def main():
    (HERE / "types.safetensors").write_bytes(types_file())
    (HERE / "floats.safetensors").write_bytes(floats_file())
    (HERE / "metadata.safetensors").write_bytes(metadata_file())
    lines = ",\n".join(json.dumps(row) for row in verdicts())
    (HERE / "verdicts.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
