"""Items unlike each other, as lines of a JSON Lines file."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

FIRST = ("ba", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu", "ne", "pi", "ra", "se", "ti", "vo")
SECOND = ("lan", "mer", "nis", "por", "qua", "rel", "sto", "tun", "ver", "wig")
THIRD = ("", "o", "ay", "ich", "ump", "est", "olf", "ard", "ing", "eet", "ux", "yle")
WORDS = [one + other + last for one in FIRST for other in SECOND for last in THIRD]


def sample_item(number: int) -> dict[str, Any]:
    """A meaning that passes every gate; the same number gives the same item."""
    words = Random(number).sample(WORDS, 9)
    return {
        "type": "meaning",
        "language": "EN",
        "level": "B1",
        "item_id": f"i{number:06}",
        "confidence": 0.9,
        "payload": {"word": words[0], "definition": " ".join(words)},
    }


def write_file(path: Path, count: int) -> Path:
    """A JSON Lines file of so many items."""
    path.write_text(
        "".join(f"{json.dumps(sample_item(number))}\n" for number in range(count)), encoding="utf-8"
    )
    return path
