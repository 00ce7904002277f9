"""The same content under another id: the lock on its hash, and the refusals of what was rejected or is approved already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, literal, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from interlock.errors import RuleRefused

from ..tables import content_spine, in_parts, rejected_items

REJECTED = "the same content was rejected"


class content_lock(FunctionElement[Any]):  # noqa: N801 - it is called like a function of SQL
    """A lock on a number until the transaction ends; on a database with one writer at a time it is nothing."""

    inherit_cache = True
    name = "content_lock"


@compiles(content_lock)
def _one_writer(element: Any, compiler: Any, **options: Any) -> str:
    return f"({compiler.process(element.clauses, **options)})"


@compiles(content_lock, "postgresql")
def _advisory(element: Any, compiler: Any, **options: Any) -> str:
    return f"pg_advisory_xact_lock({compiler.process(element.clauses, **options)})"


def lock_hashes(tx: Connection, hashes: Iterable[str]) -> None:
    """Wait until nobody else approves or rejects content of one of these hashes; sorted, so that batches do not deadlock."""
    for number in sorted({int(one[:15], 16) for one in hashes}):
        tx.execute(select(content_lock(literal(number)))).all()


def refuse_rejected(tx: Connection, hashes: Mapping[str, str]) -> None:
    """Refuse items whose content was rejected, under whatever id."""
    for part in in_parts(list(hashes.items())):
        asked = select(rejected_items.c.content_hash, rejected_items.c.item_id).where(
            rejected_items.c.content_hash.in_({one for _, one in part})
        )
        known = {row[0]: row[1] for row in tx.execute(asked)}
        for id, one in part:
            if one in known:
                raise RuleRefused(
                    f"{id}: {REJECTED} as {known[one]}",
                    hint="Rejected content is promoted under no id; write it otherwise.",
                    rule_code="REJECTED_CONTENT",
                    rejected_as=known[one],
                )


def refuse_approved_twins(tx: Connection, hashes: Mapping[str, str]) -> None:
    """Refuse items of whose content another item is approved and active, or that occurs twice among them."""
    owners: dict[str, str] = {}
    for id, one in hashes.items():
        if owners.setdefault(one, id) != id:
            raise RuleRefused(
                f"{id} has the content of {owners[one]}",
                hint="Approve one of them.",
                rule_code="SAME_CONTENT",
            )
    for part in in_parts(list(hashes.items())):
        asked = select(content_spine.c.content_hash, content_spine.c.item_id).where(
            content_spine.c.content_hash.in_({one for _, one in part}),
            content_spine.c.state == "APPROVED",
            content_spine.c.standing == "active",
        )
        twins = [(row[0], row[1]) for row in tx.execute(asked)]
        for id, one in part:
            for twin_hash, twin in twins:
                if twin_hash == one and twin != id:
                    raise RuleRefused(
                        f"{id}: the same content is approved as {twin}",
                        hint="A correction names the item that it `replaces`, and differs from it.",
                        rule_code="SAME_CONTENT",
                        approved_as=twin,
                    )
