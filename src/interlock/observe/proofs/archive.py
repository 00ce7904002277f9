"""Archives sealed months: each becomes a file that can be checked without the database, and the database remembers the file's hash."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from pathlib import Path

from sqlalchemy import Connection, text

from ...errors import BadInput, LedgerBroken
from ...store.connect import Database
from ...store.files.private_files import make_folder, private
from ...store.ledger import export
from ...store.ledger.seals import seals
from ...store.ledger.seals.seal import Seal

_KEEP = text(
    "INSERT INTO interlock_meta(key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
)
_KEPT = text("SELECT value FROM interlock_meta WHERE key = :key")


@dataclass(frozen=True, slots=True)
class Archived:
    """One month in its file."""

    month: str
    file: str
    first_seal: int
    last_seal: int
    entries: int
    verdicts: int
    sha256: str


def archive(database: Database, before: str, folder: str | Path, *, detail: bool = False) -> list[Archived]:
    """Write every month whose seals were made before the given one; what was written before is written again and must be the same."""
    if not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", before):
        raise BadInput(f"{before!r} is not a month", hint="Write it as 2026-03.")
    place = Path(folder)
    make_folder(place)
    with database.read() as tx:
        sealed = [one for one in seals.every(tx) if month_of(one.at) < before]
        done, after = [], None
        for month, group in groupby(sealed, key=lambda one: month_of(one.at)):
            inside = list(group)
            done.append(_write(tx, place, month, after, inside, detail))
            after = inside[-1]
    for one in done if not detail else ():
        _remember(database, one)
    return done


def month_of(at: datetime) -> str:
    return f"{at:%Y-%m}"


def _write(
    tx: Connection, folder: Path, month: str, after: Seal | None, inside: list[Seal], detail: bool
) -> Archived:
    """The month's file and, beside it, its hash; nobody ever sees half a file under its name."""
    last, target = inside[-1], folder / f"ledger-{month}{'-with-detail' if detail else ''}.jsonl"
    hashed, half = sha256(), target.with_suffix(".half")
    with open(half, "wb", opener=private) as file:
        for line in export.lines(
            tx, last.at, after=after, through=last, detail=detail
        ):  # the seal's instant: the same bytes every time
            written = line.encode() + b"\n"
            hashed.update(written)
            file.write(written)
    done = Archived(
        month,
        str(target),
        inside[0].number,
        last.number,
        sum(one.entries for one in inside),
        sum(one.verdicts for one in inside),
        hashed.hexdigest(),
    )
    if not detail:  # reasons may have been erased since
        _compare(tx, done, half)
    half.replace(target)
    with open(target.with_suffix(".jsonl.sha256"), "w", encoding="utf-8", opener=private) as file:
        file.write(f"{done.sha256}  {target.name}\n")
    return done


def _compare(tx: Connection, done: Archived, half: Path) -> None:
    """A month that would now be another file has been changed since; the file that is there is evidence, and stays."""
    kept = tx.execute(_KEPT, {"key": f"archive {done.month}"}).scalar()
    earlier = json.loads(kept) if kept else None
    if earlier and earlier["last_seal"] == done.last_seal and earlier["sha256"] != done.sha256:
        raise LedgerBroken(
            f"{done.month} was archived before with the hash {earlier['sha256']}, and is now another: {done.sha256}",
            hint=f"`interlock ledger verify` says where; what the month is now stands in {half}.",
        )


def _remember(database: Database, done: Archived) -> None:
    facts = {"first_seal": done.first_seal, "last_seal": done.last_seal, "sha256": done.sha256}
    with database.write() as tx:
        tx.execute(_KEEP, {"key": f"archive {done.month}", "value": json.dumps(facts)})
