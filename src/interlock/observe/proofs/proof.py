"""The proof of one record: its entries, each with its way up to a seal's root, as one value that can be checked offline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from ...errors import BadInput, LedgerBroken
from ...store.ledger import export
from ...store.ledger.seals import seals
from ...store.ledger.seals.merkle import Tree
from ...store.ledger.seals.seal import ENTRY_LEAF, Seal, entry_leaves, verdict_leaves
from ...workflow.columns.instant import instant_text

FORMAT = "proof 1"
_POSITION = ENTRY_LEAF.index("position")


def prove(
    tx: Connection, kind: str, record_id: str, at: datetime, *, detail: bool = True
) -> dict[str, Any] | None:
    """The proof, or None where there is no such history."""
    where = "interlock_ledger.kind = :kind AND interlock_ledger.record_id = :id"
    entries = list(export.entries(tx, where, {"kind": kind, "id": record_id}, detail=detail))
    if not entries:
        return None
    every = list(seals.every(tx))
    used: list[Seal] = []
    for one in every:
        inside = [line for line in entries if covers(one, line)]
        if inside:
            used.append(one)
            locate(tx, one, inside)
    for line in entries:
        line.setdefault("seal", None)
        line.setdefault("path", [])
    # From the first seal that is used up to the newest: whoever keeps only a later one can follow the chain to it.
    headers = [one.row() for one in every if used and one.number >= used[0].number]
    named = [line["machine"] for line in export.machines(tx, kind)]
    proof = {
        "interlock": FORMAT,
        "kind": kind,
        "id": record_id,
        "at": instant_text(at),
        "detail": detail,
        "entries": entries,
        "seals": headers,
        "machines": named,
    }
    return dict(json.loads(export.line(proof)))


def text_of(proof: dict[str, Any]) -> str:
    """The proof as it is written into a file, and sent."""
    return json.dumps(proof, ensure_ascii=False, indent=1) + "\n"


def covers(one: Seal, line: dict[str, Any]) -> bool:
    inside = one.from_entry < line["position"] <= one.to_entry
    return inside and (
        one.to_transaction == 0 or one.from_transaction <= line["transaction"] < one.to_transaction
    )


def locate(tx: Connection, one: Seal, lines: Sequence[dict[str, Any]]) -> None:
    """Give each of these entries, which the seal covers, its seal and its path: one walk over what was sealed."""
    tree, numbers = Tree(), {line["position"]: -1 for line in lines}
    for rows in seals.leaf_rows(tx, "interlock_ledger", one.reach):
        for number, row in enumerate(rows, tree.size):
            if row[_POSITION] in numbers:
                numbers[row[_POSITION]] = number
        tree.wanted.update(numbers.values())
        tree.extend(entry_leaves(rows))
    for rows in seals.leaf_rows(tx, "interlock_verdict", one.reach):
        tree.extend(verdict_leaves(rows))
    if tree.root() != one.root:
        raise LedgerBroken(
            f"what seal {one.number} covers is not what was sealed; no proof leads to it",
            hint="`interlock ledger verify` says what is wrong.",
            seal=one.number,
        )
    for line in lines:
        steps = tree.paths[numbers[line["position"]]]
        line["seal"], line["path"] = one.number, [[side, beside.hex()] for side, beside in steps]


def trusted_seals(file: str | Path) -> list[Seal]:
    """Seals to hold a database against; a file without any is refused, for nothing would be compared."""
    found = read_seals(file)
    if not found:
        raise BadInput(
            f"{file} has no seal in it, so there is nothing to compare with",
            hint="`interlock ledger seals -o jsonl > FILE` writes such a file.",
        )
    return found


def read_seals(file: str | Path) -> list[Seal]:
    """Seals that were kept elsewhere: one a line, alone, within an export, or in the lines of a log.

    A line that was not written to its end is passed over: whoever writes such a file writes that seal again.
    """
    try:
        with Path(file).open(encoding="utf-8") as lines:
            parsed = [json.loads(value) for line in lines if (value := value_in(line))]
    except OSError as error:
        raise BadInput(
            f"the seals in {file} cannot be read: {error.strerror}",
            hint="`interlock ledger seals -o jsonl > FILE` writes such a file.",
        ) from error
    except ValueError as error:
        raise BadInput(
            f"{file} does not hold one JSON value a line: {error}",
            hint="`interlock ledger seals -o jsonl` writes seals.",
        ) from error
    found = [one.get("seal", one) for one in parsed if isinstance(one, dict)]
    return [Seal.from_row(one) for one in found if isinstance(one, dict) and "root" in one]


def value_in(line: str) -> str | None:
    """The JSON in a line that may have something else before it; None where no seal can be in it, or only its beginning."""
    text = line.strip()
    if '"root"' not in text or not text.endswith("}"):
        return None
    return text[text.index("{") :] if "{" in text else None
