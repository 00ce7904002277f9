"""An export in a file, as the second verifier reads it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from interlock.independent_verifier import check_export
from interlock.store.ledger.seals.seal import Seal


def checked(
    lines: Iterable[str | dict[str, Any]], seals: Sequence[Seal] = (), processes: int = 1
) -> list[str]:
    """What the second verifier finds in these lines, written as Interlock writes them."""
    texts = (
        one
        if isinstance(one, str)
        else json.dumps(one, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        for one in lines
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ledger.jsonl"
        file.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
        return check_export([str(file)], [one.row() for one in seals], processes=processes)[0]
