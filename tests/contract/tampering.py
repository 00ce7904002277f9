"""Somebody with every right on the database and no guard in the way, who changes history at random; each act says what it touched."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, text

from interlock.store.entry import GENESIS, chain, entry_text
from interlock.store.ledger.seals import seals
from interlock.store.ledger.seals.seal import Seal
from interlock.workflow.columns.instant import instant_text, parse_instant

FIELDS = (
    "kind",
    "record_id",
    "axis",
    "scope",
    "version",
    "from_state",
    "to_state",
    "at",
    "actor",
    "role",
    "cause",
    "origin",
    "machine",
    "token",
    "detail",
    "hash",
    "position",
)
VERDICT = (
    "kind",
    "record_id",
    "axis",
    "scope",
    "source",
    "reference",
    "verdict",
    "code",
    "message",
    "wanted",
    "actor",
    "at",
    "position",
)
SEAL = (
    "number",
    "from_transaction",
    "to_transaction",
    "from_entry",
    "to_entry",
    "from_verdict",
    "to_verdict",
    "entries",
    "verdicts",
    "root",
    "previous",
    "hash",
    "at",
    "public_key",
    "signature",
)
CHAIN = "SELECT * FROM interlock_ledger WHERE kind = 'statements' AND record_id = :id ORDER BY version"
BYTES = ("detail", "hash", "root", "previous", "public_key", "signature", "salt")


@dataclass
class Touched:
    """Where a finding about an act may be: these records, these seals."""

    what: str
    records: set[tuple[str, str]] = field(default_factory=set)
    seals: set[int] = field(default_factory=set)
    kept: bool = False  # found only with seals that were kept elsewhere


class Tamperer:
    """One act at a time, in a transaction that is rolled back afterwards."""

    def __init__(self, tx: Connection, seed: int) -> None:
        self.tx, self.chance = tx, random.Random(seed)
        self.is_sqlite = tx.dialect.name == "sqlite"
        self.sealed = list(seals.every(tx))
        self.last = self.sealed[-1]

    def act(self) -> Touched:
        names: list[Callable[[], Touched]] = [
            self.edit_entry,
            self.edit_entry,
            self.edit_entry,
            self.edit_detail,
            self.edit_verdict,
            self.edit_seal,
            self.delete_entry,
            self.delete_detail,
            self.delete_verdict,
            self.delete_seal,
            self.swap_positions,
            self.swap_versions,
            self.rewrite,
            self.cut,
            self.restore,
        ]
        if not self.is_sqlite:
            names += [self.fork, self.edit_transaction]
        return self.chance.choice(names)()

    # -- reading and writing
    def rows(self, sql: str, **values: Any) -> list[dict[str, Any]]:
        found = [dict(row) for row in self.tx.execute(text(sql), values).mappings()]
        return [
            {name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()}
            for row in found
        ]

    def run(self, sql: str, **values: Any) -> None:
        assert self.tx.execute(text(sql), values).rowcount > 0, sql

    def entries(self, where: str = "true") -> list[dict[str, Any]]:
        """Entries that are sealed, in the order of their positions."""
        every = self.rows(f"SELECT * FROM interlock_ledger WHERE {where} ORDER BY position")
        return [row for row in every if self.seal_of("entry", row) is not None]

    def seal_of(self, table: str, row: dict[str, Any]) -> int | None:
        for one in self.sealed:
            inside = getattr(one, f"from_{table}") < row["position"] <= getattr(one, f"to_{table}")
            if inside and (self.is_sqlite or one.from_transaction <= int(row["txid"]) < one.to_transaction):
                return one.number
        return None

    def touched(self, what: str, *entries: dict[str, Any]) -> Touched:
        numbers = {number for row in entries if (number := self.seal_of("entry", row)) is not None}
        return Touched(what, {(row["kind"], row["record_id"]) for row in entries}, numbers)

    def other(self, name: str, value: Any) -> Any:
        """A value that is not the one that is there, and that the column takes."""
        if name in BYTES:
            return self.chance.randbytes(64 if name == "signature" else 32)
        if name == "at":
            away = timedelta(microseconds=self.chance.choice([-1, 1, 86_400_000_000]))
            instant = (parse_instant(value) if isinstance(value, str) else value) + away
            return instant_text(instant) if self.is_sqlite else instant
        if isinstance(value, int):
            return value + self.chance.choice([100, 1000])
        if name == "source":
            return "report" if value == "command" else "command"
        return (
            self.chance.choice(["amend", "retry"])
            if name == "origin" and value not in ("amend", "retry")
            else f"{value or ''}x"
        )

    # -- the acts
    def edit_entry(self) -> Touched:
        row, name = self.chance.choice(self.entries()), self.chance.choice(FIELDS)
        value = self.other(name, row[name])
        self.forget_identity()
        self.run(
            f"UPDATE interlock_ledger SET {name} = :value WHERE position = :position",
            value=value,
            position=row["position"],
        )
        found = self.touched(f"edit {name} of {row['record_id']} {row['version']}", row)
        found.records.add(
            (value if name == "kind" else row["kind"], value if name == "record_id" else row["record_id"])
        )
        if name == "position":
            found.seals.add(self.last.number)
        return found

    def forget_identity(self) -> None:
        if not self.is_sqlite:
            for table in ("interlock_ledger", "interlock_verdict"):
                self.tx.execute(text(f"ALTER TABLE {table} ALTER COLUMN position DROP IDENTITY IF EXISTS"))

    def edit_transaction(self) -> Touched:
        row = self.chance.choice(self.entries())
        number = int(row["txid"]) + self.chance.choice([-1, 1, 5])
        self.run(
            "UPDATE interlock_ledger SET txid = CAST(CAST(:value AS text) AS xid8) WHERE position = :position",
            value=str(number),
            position=row["position"],
        )
        moved = {**row, "txid": number}
        found = self.touched(f"edit txid of {row['record_id']}", row, moved)
        return Touched(found.what, found.records, found.seals | {self.last.number})

    def edit_detail(self) -> Touched:
        owned = self.chance.choice(self.entries("detail IN (SELECT digest FROM interlock_detail)"))
        name = self.chance.choice(["reason", "facts", "salt"])
        (detail,) = self.rows("SELECT * FROM interlock_detail WHERE digest = :digest", digest=owned["detail"])
        self.run(
            f"UPDATE interlock_detail SET {name} = :value WHERE digest = :digest",
            value=self.other(name, detail[name]),
            digest=owned["detail"],
        )
        return self.touched(
            f"edit {name}", *(row for row in self.entries() if row["detail"] == owned["detail"])
        )

    def verdict(self) -> dict[str, Any]:
        return self.chance.choice(
            [row for row in self.rows("SELECT * FROM interlock_verdict") if self.seal_of("verdict", row)]
        )

    def edit_verdict(self) -> Touched:
        row, name = self.verdict(), self.chance.choice(VERDICT)
        self.forget_identity()
        self.run(
            f"UPDATE interlock_verdict SET {name} = :value WHERE position = :position",
            value=self.other(name, row[name]),
            position=row["position"],
        )
        return Touched(
            f"edit {name} of a verdict", set(), {self.seal_of("verdict", row) or 0, self.last.number}
        )

    def edit_seal(self) -> Touched:
        one, name = self.chance.choice(self.sealed), self.chance.choice(SEAL)
        stored = getattr(one, name)
        value = self.other(name, instant_text(stored) if name == "at" and self.is_sqlite else stored)
        self.run(
            f"UPDATE interlock_seal SET {name} = :value WHERE number = :number",
            value=value,
            number=one.number,
        )
        new = value if name == "number" else one.number
        # what a seal says it covers decides what is left for its neighbours
        return Touched(
            f"edit {name} of seal {one.number}", set(), {one.number, one.number + 1, new, self.last.number}
        )

    def delete_entry(self) -> Touched:
        row = self.chance.choice(self.entries())
        self.run("DELETE FROM interlock_ledger WHERE position = :position", position=row["position"])
        return self.touched(f"delete {row['record_id']} {row['version']}", row)

    def delete_detail(self) -> Touched:
        erased = {
            row["record_id"]
            for row in self.rows("SELECT record_id FROM interlock_ledger WHERE origin = 'erase'")
        }
        told = self.entries("detail IN (SELECT digest FROM interlock_detail)")
        owned = self.chance.choice([row for row in told if row["record_id"] not in erased])
        self.run("DELETE FROM interlock_detail WHERE digest = :digest", digest=owned["detail"])
        return self.touched(
            "delete a detail", *(row for row in self.entries() if row["detail"] == owned["detail"])
        )

    def delete_verdict(self) -> Touched:
        row = self.verdict()
        self.run("DELETE FROM interlock_verdict WHERE position = :position", position=row["position"])
        return Touched("delete a verdict", set(), {self.seal_of("verdict", row) or 0})

    def delete_seal(self) -> Touched:
        one = self.chance.choice(self.sealed)
        self.run("DELETE FROM interlock_seal WHERE number = :number", number=one.number)
        return Touched(
            f"delete seal {one.number}",
            set(),
            {one.number, one.number + 1, self.last.number},
            kept=one is self.last,
        )

    def exchange(self, name: str, first: dict[str, Any], second: dict[str, Any]) -> Touched:
        self.forget_identity()
        aside = 1_000_000
        for value, row in ((aside, first), (first[name], second), (second[name], {**first, name: aside})):
            keys = {
                column: row[column]
                for column in ("record_id", "kind", "axis", "scope", "version", "position")
            }
            self.run(
                f"UPDATE interlock_ledger SET {name} = :value WHERE {' AND '.join(f'{column} = :{column}' for column in keys)}",
                value=value,
                **keys,
            )
        return self.touched(f"swap {name}s", first, second)

    def swap_positions(self) -> Touched:
        found = self.exchange("position", *self.chance.sample(self.entries(), 2))
        return Touched(found.what, found.records, found.seals | {self.last.number})

    def swap_versions(self) -> Touched:
        chains: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for row in self.entries():
            chains.setdefault((row["kind"], row["record_id"], row["axis"], row["scope"]), []).append(row)
        return self.exchange(
            "version",
            *self.chance.sample(self.chance.choice([rows for rows in chains.values() if len(rows) > 1]), 2),
        )

    def rewrite(self) -> Touched:
        """Another past that fits together: one entry and all that follow it, with right hashes, and the row made to agree."""
        start = self.chance.choice(self.entries("kind = 'statements' AND record_id <> 'gone'"))
        rows = self.rows(CHAIN, id=start["record_id"])
        before = GENESIS
        for row in rows:
            if row["version"] >= start["version"]:
                row["actor"] = "somebody else"
                plain = {**row, "at": parse_instant(row["at"]) if self.is_sqlite else row["at"]}
                row["hash"] = chain(before, entry_text(plain))
                self.run(
                    "UPDATE interlock_ledger SET actor = :actor, hash = :hash WHERE position = :position",
                    actor=row["actor"],
                    hash=row["hash"],
                    position=row["position"],
                )
            before = row["hash"]
        self.run("UPDATE uploads SET head = :head WHERE id = :id", head=before, id=start["record_id"])
        return self.touched("rewrite", *(row for row in rows if row["version"] >= start["version"]))

    def fork(self) -> Touched:
        """A version that stands twice; only where the key of the table can be taken away within a transaction."""
        row = self.chance.choice(self.entries())
        self.tx.execute(text("ALTER TABLE interlock_ledger DROP CONSTRAINT interlock_ledger_pkey"))
        self.forget_identity()
        columns = ", ".join(name for name in FIELDS if name not in ("position", "actor"))
        self.run(
            f"INSERT INTO interlock_ledger(position, txid, actor, {columns}) SELECT position + 100000, txid, 'twin', {columns} "
            "FROM interlock_ledger WHERE position = :position",
            position=row["position"],
        )
        found = self.touched("fork", row)
        return Touched(found.what, found.records, found.seals | {self.last.number})

    def cut(self) -> Touched:
        """The newest entries of a sealed record go, and its row is made to fit what is left."""
        moved = self.entries("kind = 'statements' AND version > 0 AND record_id <> 'gone'")
        id = self.chance.choice(sorted({row["record_id"] for row in moved}))
        rows = self.rows(CHAIN, id=id)
        left = self.chance.randrange(1, len(rows))
        self.run(
            "DELETE FROM interlock_ledger WHERE kind = 'statements' AND record_id = :id AND version >= :left",
            id=id,
            left=left,
        )
        tail = rows[left - 1]
        self.run(
            "UPDATE uploads SET status = :status, version = :version, head = :head WHERE id = :id",
            status=tail["to_state"],
            version=tail["version"],
            head=tail["hash"],
            id=id,
        )
        return self.touched(f"cut {id} behind {left - 1}", *rows[left:])

    def restore(self) -> Touched:
        """An older state of everything, as a backup would have it; nothing in the database can tell."""
        back: Seal = self.chance.choice(self.sealed[:-1])
        self.run("DELETE FROM interlock_seal WHERE number > :number", number=back.number)
        for table in ("interlock_ledger", "interlock_verdict"):
            self.tx.execute(text(f"DELETE FROM {table} WHERE {seals.behind(self.tx, table, back)}"))
        self.tx.execute(
            text(
                "DELETE FROM uploads WHERE id NOT IN (SELECT record_id FROM interlock_ledger WHERE kind = 'statements')"
            )
        )
        for row in self.rows("SELECT * FROM interlock_ledger WHERE kind = 'statements' ORDER BY version"):
            self.tx.execute(
                text("UPDATE uploads SET status = :status, version = :version, head = :head WHERE id = :id"),
                {
                    "status": row["to_state"],
                    "version": row["version"],
                    "head": row["hash"],
                    "id": row["record_id"],
                },
            )
        return Touched(
            f"restore to seal {back.number}",
            set(),
            set(range(back.number + 1, self.last.number + 1)),
            kept=True,
        )
