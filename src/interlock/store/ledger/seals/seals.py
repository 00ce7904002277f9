"""Makes and reads seals: everything that has settled since the last one becomes the leaves of a tree whose root is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, func, select, text

from ....workflow.columns.instant import instant_of
from ...connect import Database
from ...engines import sql_of
from ...tables import ledger, seal, verdict
from ..streaming import batches
from .merkle import Tree
from .seal import (
    ENTRY_LEAF,
    FIRST,
    LAST_TRANSACTION,
    NAMES,
    VERDICT_LEAF,
    EntrySeal,
    Reach,
    Seal,
    entry_leaves,
    verdict_leaves,
)
from .signing import Signer

MOST = (
    2**16
)  # rows of each table in one seal: a proof reads one seal's worth, and seals are verified side by side


def every(tx: Connection, after: int = 0, limit: int | None = None) -> Iterator[Seal]:
    """The seals behind a number, in order: all, or so many of them."""
    asked = (
        select(*(seal.c[name] for name in NAMES))
        .where(seal.c.number > after)
        .order_by(seal.c.number)
        .limit(limit)
    )
    for row in tx.execute(asked).mappings():
        values = {
            name: bytes(value) if isinstance(value, memoryview) else value for name, value in row.items()
        }
        yield Seal(**values)  # type: ignore[arg-type]


def newest(tx: Connection) -> Seal | None:
    last = tx.execute(select(func.max(seal.c.number))).scalar()
    return None if last is None else next(every(tx, last - 1), None)


def of_entries(tx: Connection, kind: str, record_id: str) -> dict[tuple[str, str | None, int], EntrySeal]:
    """The seal over each entry of one record that is sealed, by axis, scope and version."""
    transaction = sql_of(tx.dialect).history.transaction("l")
    asked = text(
        "SELECT l.axis, l.scope, l.version, s.number, s.at, s.public_key FROM interlock_ledger l JOIN interlock_seal s "
        "ON s.from_entry < l.position AND l.position <= s.to_entry "
        f"AND (s.to_transaction = 0 OR (s.from_transaction <= {transaction} AND {transaction} < s.to_transaction)) "
        "WHERE l.kind = :kind AND l.record_id = :id"
    )
    return {
        (row.axis, row.scope or None, row.version): EntrySeal(
            row.number,
            instant_of(row.at),
            None if row.public_key is None else bytes(row.public_key).hex(),
        )
        for row in tx.execute(asked, {"kind": kind, "id": record_id})
    }


def make(
    database: Database, at: Callable[[], datetime], signer: Signer | None = None, *, most: int = MOST
) -> Iterator[Seal]:
    """Seal what is new: one seal, or several where it is too much for one; when another process seals at the same moment, what it left."""
    whole = False
    while not whole:
        with database.read() as tx:
            draft, whole = _draft(tx, newest(tx), at(), signer, most)
        if draft is None:
            return
        with database.write() as tx:
            kept = _keep(database, tx, draft)
        if kept:
            yield draft
        whole = whole and kept


def _keep(database: Database, tx: Connection, draft: Seal) -> bool:
    if (tx.execute(select(func.max(seal.c.number))).scalar() or 0) != draft.number - 1:
        return False
    values = {name: getattr(draft, name) for name in NAMES}
    return (
        tx.execute(
            database.sql.insert(seal).values(**values).on_conflict_do_nothing().returning(seal.c.number)
        ).first()
        is not None
    )


def _draft(
    tx: Connection, last: Seal | None, at: datetime, signer: Signer | None, most: int
) -> tuple[Seal | None, bool]:
    """The next seal, unless there is nothing to seal; and whether nothing is left behind it."""
    for open_reach in open_reaches(last, sql_of(tx.dialect).history.settled(tx), _ends(tx)):
        reach, tree = narrowed(tx, open_reach, most), Tree()
        to_entry, entries = grow(tx, tree, "interlock_ledger", reach)
        to_verdict, verdicts = grow(tx, tree, "interlock_verdict", reach)
        if not entries and not verdicts:
            continue
        draft = Seal(
            1 if last is None else last.number + 1,
            reach.from_transaction,
            reach.to_transaction,
            reach.from_entry,
            max(to_entry, 0 if last is None else last.to_entry),
            reach.from_verdict,
            max(to_verdict, 0 if last is None else last.to_verdict),
            entries,
            verdicts,
            tree.root(),
            FIRST if last is None else last.hash,
            FIRST,
            at,
            None if signer is None else signer.public_key,
        )
        draft = replace(draft, logins=sql_of(tx.dialect).history.hash_logins(tx, draft.reach)).hashed()
        return draft if signer is None else replace(
            draft, signature=signer.sign(draft.hash)
        ), reach == open_reach
    return None, True


def _ends(tx: Connection) -> tuple[int, int]:
    """The largest position of entries and of verdicts."""
    return tuple(tx.execute(select(func.max(table.c.position))).scalar() or 0 for table in (ledger, verdict))  # type: ignore[return-value]


def open_reaches(last: Seal | None, bound: int, ends: tuple[int, int]) -> Iterator[Reach]:
    """What the next seal may cover, the first that is not empty.

    Transaction ids only grow in one cluster. If they have gone back, a dump was restored into another one: first whatever the old
    cluster left unsealed, which can only have ids from the new one's future; then the new cluster's rows, which have later positions.
    """
    if bound == 0:  # positions decide
        yield Reach(
            0,
            0,
            0 if last is None else last.to_entry,
            ends[0],
            0 if last is None else last.to_verdict,
            ends[1],
        )
    elif last is None:
        yield Reach(0, bound, 0, ends[0], 0, ends[1])
    elif last.to_transaction <= bound:
        yield Reach(last.to_transaction, bound, last.from_entry, ends[0], last.from_verdict, ends[1])
    else:
        if last.to_transaction < LAST_TRANSACTION:
            yield Reach(
                last.to_transaction, LAST_TRANSACTION, last.from_entry, ends[0], last.from_verdict, ends[1]
            )
        yield Reach(0, bound, last.to_entry, ends[0], last.to_verdict, ends[1])


def narrowed(tx: Connection, reach: Reach, most: int) -> Reach:
    """The beginning of a reach, so that it holds no more than so many rows of each table; one transaction is never parted."""
    history = sql_of(tx.dialect).history
    for table, end in (("interlock_ledger", "to_entry"), ("interlock_verdict", "to_verdict")):
        reach = history.narrowed(tx, table, end, reach, most)
    return reach


def behind(tx: Connection, table: str, one: Seal) -> str:
    """The rows that come after a seal, as SQL."""
    return sql_of(tx.dialect).history.behind(tx, table, one)


def leaf_rows(tx: Connection, table: str, reach: Reach) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of one table as their leaves need them, in commit order."""
    history = sql_of(tx.dialect).history
    special = {"at": history.instant(table), "transaction": history.transaction(table)}
    columns = ", ".join(
        special.get(name, f"{table}.{name}")
        for name in (ENTRY_LEAF if table == "interlock_ledger" else VERDICT_LEAF)
    )
    return batches(
        tx,
        f"SELECT {columns} FROM {table} WHERE {history.covered(table)} ORDER BY {history.commit_order(table)}",
        history.bounds(table, reach),
    )


def grow(tx: Connection, tree: Tree, table: str, reach: Reach) -> tuple[int, int]:
    """Put the leaves of one table into the tree; the largest position among them, and how many they are."""
    count, largest = 0, 0
    leaves, names = (
        (entry_leaves, ENTRY_LEAF) if table == "interlock_ledger" else (verdict_leaves, VERDICT_LEAF)
    )
    position = itemgetter(names.index("position"))
    for rows in leaf_rows(tx, table, reach):
        tree.extend(leaves(rows))
        count += len(rows)
        largest = max(largest, *map(position, rows))
    return largest, count
