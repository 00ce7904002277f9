"""What a stage reads from the database before its work begins: whether it is the host's turn, and where else an address was seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, exists, func, not_, or_, select

from interlock import Work

from .tables import contacts, domains, pages, sitemap_files

VISITED = (domains, sitemap_files, pages)
"""The kinds whose work sends requests, in the order in which they go first where they began at the same instant."""


def is_free_host(table: Table) -> ColumnElement[bool]:
    """The condition that no record of another kind is processed at the host of a record of this table."""
    busy = [
        exists().where(other.c.processing_status == "Processing", other.c.host == table.c.host)
        for other in VISITED
        if other is not table
    ]
    return not_(or_(*busy))


def are_first_at_host(table: Table, tx: Connection, works: Sequence[Work]) -> list[bool]:
    """Whether each work began before all other work on its host, of whatever kind.

    Work of another kind begins only while the host is free (`is_free_host`); where two coordinators began work of two kinds at the same
    instant, this decides between them. A place is kept until the report is applied, also when a runner was killed."""
    hosts = {str(work.record["host"]) for work in works}
    first: dict[str, tuple[Any, ...]] = {}
    for rank, other in enumerate(VISITED):
        asked = select(other.c.host, other.c.processing_since, other.c.id).where(
            other.c.processing_status == "Processing", other.c.host.in_(hosts)
        )
        for host, since, id in tx.execute(asked):
            place = (since, rank, id)
            first[host] = min(first.get(host, place), place)
    rank = VISITED.index(table)
    return [
        str(work.record["host"]) not in first or first[str(work.record["host"])][1:] == (rank, work.id)
        for work in works
    ]


def read_turns(tx: Connection, works: Sequence[Work]) -> list[tuple[bool, str]]:
    """Of each sitemap file whether it is its host's turn, and the host of the domain it was found for, which may be another one."""
    ids = {work.record["domain_id"] for work in works}
    asked = select(domains.c.id, domains.c.host).where(domains.c.id.in_(ids))
    hosts = {id: str(host) for id, host in tx.execute(asked)}
    return [
        (is_first, hosts.get(work.record["domain_id"], ""))
        for work, is_first in zip(works, are_first_at_host(sitemap_files, tx, works), strict=True)
    ]


def count_other_domains(tx: Connection, works: Sequence[Work]) -> list[int]:
    """At how many other domains each address was seen."""
    emails = {work.record["email"] for work in works if work.record["email"]}
    counted = select(contacts.c.email, func.count(contacts.c.domain_id.distinct())).where(
        contacts.c.email.in_(emails)
    )
    counts = {row[0]: int(row[1]) for row in tx.execute(counted.group_by(contacts.c.email))}
    return [max(0, counts.get(work.record["email"], 1) - 1) for work in works]
