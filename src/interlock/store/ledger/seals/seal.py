"""A seal as a value: which rows it covers, its text and hash, and the leaves it is the root of. Pure; the format is decision 0013."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, Self

from ....errors import BadInput
from ....workflow.columns.instant import instant_text, parse_instant

FORMAT = "interlock seal 1"
FIRST = bytes(32)  # stands before the first seal
LAST_TRANSACTION = 2**63 - 1  # nothing comes behind it: the seal closes the ids of a cluster that was left

_dump = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


@dataclass(frozen=True, slots=True)
class Reach:
    """The rows a seal covers: from_transaction <= transaction < to_transaction, and from < position <= to in each table.

    On SQLite every transaction is 0 and positions decide. On PostgreSQL transactions decide; positions only part the rows of one
    cluster from those of the next, into which a dump was restored and whose transaction ids begin anew.
    """

    from_transaction: int
    to_transaction: int
    from_entry: int
    to_entry: int
    from_verdict: int
    to_verdict: int

    def positions(self, table: str) -> tuple[int, int]:
        """The position before its first row of the ledger or of the verdicts, and that of its last."""
        return (
            (self.from_entry, self.to_entry)
            if table == "interlock_ledger"
            else (self.from_verdict, self.to_verdict)
        )


@dataclass(frozen=True, slots=True)
class Seal:
    """A Merkle root over everything that was committed since the seal before it, chained to that seal."""

    number: int
    from_transaction: int
    to_transaction: int
    from_entry: int
    to_entry: int
    from_verdict: int
    to_verdict: int
    entries: int
    verdicts: int
    root: bytes
    previous: bytes
    hash: bytes
    at: datetime
    public_key: bytes | None = None
    signature: bytes | None = None
    logins: bytes | None = None
    """The hash over the logins that made what it covers, where the database keeps them; seals from before that have none."""

    @property
    def reach(self) -> Reach:
        return Reach(
            self.from_transaction,
            self.to_transaction,
            self.from_entry,
            self.to_entry,
            self.from_verdict,
            self.to_verdict,
        )

    def row(self) -> dict[str, Any]:
        """The seal as JSON carries it; where there are no logins, their name is left out too."""
        return {
            name: _plain(getattr(self, name)) for name in NAMES if name != "logins" or self.logins is not None
        }

    def expected_hash(self) -> bytes:
        """The hash that follows from everything else the seal says; the signature stands outside."""
        said = {name: value for name, value in self.row().items() if name not in ("hash", "signature")}
        return sha256(b"\x02" + _dump({"format": FORMAT, **said}).encode()).digest()

    def hashed(self) -> Self:
        return replace(self, hash=self.expected_hash())

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Self:
        """The seal that `row` wrote."""
        try:
            members = {"logins": None, **row}
            values: dict[str, Any] = {name: members[name] for name in NAMES}
            values |= {"at": parse_instant(members["at"])}
            values |= {name: bytes.fromhex(members[name]) for name in BYTES if members[name] is not None}
            return cls(**values)
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(
                f"not a seal: {error!r}", hint="`interlock ledger seals -o jsonl` writes them."
            ) from error


@dataclass(frozen=True, slots=True)
class EntrySeal:
    """The seal that covers an entry: its number, when it was made, and the public key that it is signed with, in hexadecimal."""

    number: int
    at: datetime
    public_key: str | None = None


NAMES = tuple(Seal.__dataclass_fields__)
BYTES = ("root", "previous", "hash", "public_key", "signature", "logins")


def _plain(value: Any) -> Any:
    if isinstance(value, bytes | memoryview):
        return bytes(value).hex()
    return instant_text(value) if isinstance(value, datetime) else value


ENTRY_LEAF = ("hash", "position", "transaction")
VERDICT_LEAF = (
    "actor",
    "at",
    "axis",
    "code",
    "record_id",
    "kind",
    "message",
    "position",
    "reference",
    "scope",
    "source",
    "transaction",
    "verdict",
    "wanted",
)


def entry_leaves(rows: Sequence[tuple[Any, ...]]) -> list[bytes]:
    """Of each entry its hash, which stands for its key and all the rest of it, and its place in commit order."""
    return [
        sha256(f"\0{hash_.hex()} {position} {transaction}".encode()).digest()
        for hash_, position, transaction in rows
    ]


def verdict_leaves(rows: Sequence[tuple[Any, ...]]) -> list[bytes]:
    """The whole of each verdict: it is chained nowhere else."""
    names = ["id" if name == "record_id" else name for name in VERDICT_LEAF]
    return [sha256(b"\x00" + _dump(dict(zip(names, row, strict=True))).encode()).digest() for row in rows]
