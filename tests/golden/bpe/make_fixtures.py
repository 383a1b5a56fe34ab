# SPDX-License-Identifier: MIT
"""What Hugging Face's `tokenizers` says of our byte pair encoding; writes NAME.json for each NAME.txt.

    python make_fixtures.py [--check]

Merges: its trainer knows pieces of characters, so every byte is given to it as a character of one plane, in
the order of the bytes; then its order of equally frequent pairs is ours. Ids: it loads the
`tokenizer.json` that `tokenizer_json.mjs` has Heed make of the same text, and encodes `lines`. `--check` writes
nothing and fails where a file differs.
"""

import json
import subprocess
import sys
from pathlib import Path

import regex
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

HERE = Path(__file__).parent
SCRIPTS = ["latin", "cyrillic", "devanagari", "han"]
VOCAB = 768
PIECE = regex.compile(
    r"'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
)
PLANE = 0x4E00
BETWEEN = "\u3000"

LINES = [
    "",
    "Hello, world!  It's 2 o'clock;\tthey'll say \"don't\".\r\n\r\n  x",
    "   three spaces, then a\u00a0hard one \u2003and\u3000wide ones   ",
    "\u4f60\u597d\uff0c\u4e16\u754c\uff01 \u0928\u092e\u0938\u094d\u0924\u0947 \u041f\u0440\u0438\u0432\u0435\u0442 \u0645\u0631\u062d\u0628\u0627",
    "\U0001f44b\U0001f30d\U0001f468\u200d\U0001f469\u200d\U0001f467 e\u0301 \u00e9 \ufeffBOM \u0085 next",
    "<|endoftext|>",
    "x = 3.14159e-10; // 1234567890\n\n\n    return x;\n",
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35 \u10d2\u10d0\u10db\u10d0\u10e0\u10ef\u10dd\u10d1\u10d0 \u05e9\u05dc\u05d5\u05dd \uc548\ub155\ud558\uc138\uc694",
]


def learn(text: str) -> list[int]:
    pieces = BETWEEN.join(
        "".join(chr(PLANE + byte) for byte in piece.encode()) for piece in PIECE.findall(text)
    )
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Split(BETWEEN, "removed")
    alphabet = [chr(PLANE + byte) for byte in range(256)]
    tokenizer.train_from_iterator(
        [pieces],
        trainers.BpeTrainer(
            vocab_size=VOCAB, min_frequency=2, initial_alphabet=alphabet, show_progress=False
        ),
    )
    model = json.loads(tokenizer.to_str())["model"]
    ids = model["vocab"]
    assert [ids[letter] for letter in alphabet] == list(range(256))
    return [ids[side] for pair in model["merges"] for side in pair]


def fixture(path: Path) -> dict:
    text = path.read_text(encoding="utf-8")
    made = subprocess.run(
        ["node", str(HERE / "tokenizer_json.mjs"), str(path), str(VOCAB)],
        check=True, capture_output=True, text=True, encoding="utf-8",
    ).stdout
    loaded = Tokenizer.from_str(made)
    lines = [*LINES, *text.splitlines()[:12]]
    encoded = [{"text": line, "ids": loaded.encode(line).ids} for line in lines]
    for one in encoded:
        assert loaded.decode(one["ids"]) == one["text"], one
    return {"vocab": VOCAB, "merges": learn(text), "encoded": encoded}


def main() -> None:
    check = "--check" in sys.argv[1:]
    failed = False
    for path in (HERE / f"{script}.txt" for script in SCRIPTS):
        target = path.with_suffix(".json")
        written = json.dumps(fixture(path), separators=(",", ":")) + "\n"
        if not check:
            target.write_text(written, encoding="utf-8")
        same = target.read_text(encoding="utf-8") == written
        failed |= not same
        print(f"{path.stem}: {'as before' if same and check else 'written' if same else 'DIFFERS'}")
    sys.exit(failed)


main()
