"""Statements that are not alike on all databases, as contracts by what they are about: work rows, history, the schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Connection, Dialect, Select, Table

from ..machine import State
from ..workflow import View, Workflow

if TYPE_CHECKING:
    from .connect import Database
    from .guarded import FrozenTable, Guarded
    from .ledger.following import Mark
    from .ledger.seals.seal import Reach, Seal
    from .migrations.roles import Roles
    from .migrations.upgrades import Upgrade
    from .placement import Placement
    from .resting import Resting
    from .work.attempts import Attempt, Issue, Reported
    from .work.rows import WorkRows


class WorkStatements(Protocol):
    """Statements on many work rows at once. A statement is a text for psycopg with the words of `Timing`, run by `work`."""

    def issue(
        self, work: WorkRows, tx: Connection, place: tuple[str, str, str, str], issues: Sequence[Issue]
    ) -> set[str]:
        """Insert work rows of one (kind, axis, scope, stage); the record ids of those that were inserted."""
        ...

    def claim(
        self,
        work: WorkRows,
        tx: Connection,
        chosen: str,
        leased: str,
        values: Mapping[str, Any],
        lease: timedelta,
    ) -> list[Attempt]:
        """Lease the work rows whose positions the query `chosen` selects, oldest first."""
        ...

    def report(self, work: WorkRows, tx: Connection, reports: Sequence[Reported]) -> set[str]:
        """Store what came of attempts that are current and unreported; the tokens of those."""
        ...

    def rewrite(
        self,
        work: WorkRows,
        tx: Connection,
        positions: Sequence[int],
        issues: Sequence[Issue],
        afters: Sequence[timedelta],
        cleared: str,
    ) -> None:
        """Put the next attempts in the place of the last, each available after its span."""
        ...

    def insert_rows(
        self,
        work: WorkRows,
        tx: Connection,
        table: str,
        types: Mapping[str, str],
        rows: Sequence[Sequence[Any]],
    ) -> None:
        """Insert rows of these columns, and this instant as `at`; `types` gives each column its PostgreSQL type."""
        ...

    def update_items(
        self, work: WorkRows, tx: Connection, operation: str, items: Sequence[Sequence[Any]]
    ) -> None:
        """Store what came of an operation's items: (number, outcome, code, from, to, version) each."""
        ...

    def read_ages(
        self,
        work: WorkRows,
        tx: Connection,
        rows: str,
        quantiles: Sequence[float],
        values: Mapping[str, Any],
        at: datetime,
    ) -> dict[tuple[str, State], tuple[float, ...]]:
        """By scope and state, the quantiles of how many seconds before `at` the rows' `since` is; between two rows, interpolated."""
        ...


class HistoryStatements(Protocol):
    """Ledger, verdicts and seals in commit order: by position where there is one writer, else by transaction and position."""

    shape: str
    """SQL: the ten columns of an entry `l` that make its shape, as one text; other shapes give other texts."""
    order: str
    """The column of an entry `l` that orders commits; an index begins with it."""
    order_number: str
    """The same as a whole number."""
    order_value: str
    """The number `:place` as a value of that column."""
    last_entries: str
    """The last entry of every record, axis and scope before :at; {kind} narrows it."""
    odd_instants: str
    """Entries `l` whose instant is wrong, and why: `odd`, `ahead` of :now and the database's clock, or `back` behind earlier commits;
    {where} narrows it."""

    def stream(self, tx: Connection, sql: str, values: Mapping[str, Any]) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a query as the driver gives them, some thousands at a time; named values are marked `:name`."""
        ...

    def minute(self, table: str) -> str:
        """The minute of an entry, to group by: its beginning as text, or as an instant without a time zone in UTC."""
        ...

    def instant(self, table: str) -> str:
        """The column `at` as the text that was hashed."""
        ...

    def transaction(self, table: str) -> str:
        """The number of the transaction that inserted a row; 0 where there is one writer."""
        ...

    def sorted_text(self, column: str) -> str:
        """The column as text that sorts by code point, as the ledger's ids do."""
        ...

    def keyed(self, key: str, kind: str, id: str) -> str:
        """The beginning of a condition that looks a record up by its key before ids are compared as text."""
        ...

    def read_details(self, tx: Connection, digests: Sequence[bytes]) -> list[tuple[Any, ...]]:
        """(digest, salt, reason, facts) of these digests."""
        ...

    def sample_ids(self, tx: Connection, size: int, at_least: int) -> list[str]:
        """Record ids of about so many entries from everywhere in the ledger; none where it is smaller than `at_least`."""
        ...

    def settled(self, tx: Connection) -> int:
        """No transaction below this number can still write; 0 where whatever is seen is settled."""
        ...

    def held_back_since(self, tx: Connection) -> datetime | None:
        """The instant of the first entry that is in no seal and on no tail before a transaction that is still open has ended."""
        ...

    def narrowed(self, tx: Connection, table: str, end: str, reach: Reach, most: int) -> Reach:
        """The beginning of a reach that holds no more than so many rows of the table, by its field `end`."""
        ...

    def covered(self, table: str) -> str:
        """The rows of a table that a seal reaches, as SQL over the values of `bounds`."""
        ...

    def bounds(self, table: str, reach: Reach) -> dict[str, Any]: ...

    def hash_logins(self, tx: Connection, reach: Reach) -> bytes | None:
        """The hash over the logins that made what a seal reaches; None where the database keeps none."""
        ...

    def behind(self, tx: Connection, table: str, one: Seal) -> str:
        """The rows that come after a seal, as SQL: later ids of its cluster, and everything of a cluster that came after it."""
        ...

    def commit_order(self, table: str) -> str: ...

    def mark(self, tx: Connection, last: Mark | None) -> Mark:
        """How far history has come in this transaction."""
        ...

    def spell_words(self) -> Mapping[str, str]:
        """Fragments of the query that reads how long records were in each state (spells): same, largest, fence, seconds."""
        ...

    def is_new(self) -> str:
        """Condition that ledger row `l` was committed after the mark whose values are bound."""
        ...

    def tail(
        self, tx: Connection, asked: Select[Any], transaction: int, position: int, limit: int
    ) -> list[tuple[int, Any]]:
        """(transaction, row) of entries after a place in commit order; none of a transaction that may not be the first to commit."""
        ...

    def newest(
        self, tx: Connection, asked: Select[Any], count: int, before: tuple[int, int] | None = None
    ) -> list[tuple[int, Any]]:
        """(transaction, row) of the last entries, newest first; of those before a transaction and position where they are named."""
        ...


class LiveGuards(Protocol):
    """The guards that the database has now."""

    def problems(self, statements: Sequence[str]) -> list[str]:
        """Each guard among the statements that the database lacks or has otherwise."""
        ...

    def intruders(self, statements: Sequence[str]) -> list[str]:
        """Whatever changes what Interlock's own tables do, and is not among the statements that make them."""
        ...


class SchemaStatements(Protocol):
    """Tables and guards, as statements that may be run again."""

    index_names: str
    """A query for the `name` of every index that may be Interlock's."""

    @property
    def upgrades(self) -> tuple[Upgrade, ...]:
        """Upgrades of Interlock's own tables that `CREATE TABLE IF NOT EXISTS` cannot make, in order."""
        ...

    def lock(self, tx: Connection) -> None:
        """Keep other migrations out until the transaction ends."""
        ...

    def limit_lock_waits(self, tx: Connection, seconds: float) -> None:
        """Wait no longer than this for any lock from here on: whoever waits for a table's lock keeps every writer behind it waiting."""
        ...

    def columns(self, tx: Connection, table: Table) -> frozenset[str]:
        """The names of the table's columns in the database; none where it has no such table or view."""
        ...

    def is_another_table(self, tx: Connection, recorded: str, table: Table) -> bool:
        """Whether there is a table that is called `recorded` in SQL, and it is not `table` by another spelling."""
        ...

    def renamed_guards(self, tx: Connection, recorded: str, place: Placement) -> list[str]:
        """Statements that remove what the axis's guards were called while its table was called `recorded`, where a rename leaves them."""
        ...

    builds_apart: bool
    """Whether an index can be built while others write."""

    def build_apart(self, database: Database, statement: str) -> None:
        """Build an index outside of any transaction; one that an earlier try left unfinished is made anew."""
        ...

    def longest_transaction(self, tx: Connection) -> float | None:
        """Seconds since the oldest transaction of somebody else began, or None: it would keep a change of a table waiting."""
        ...

    def live_guards(self, tx: Connection) -> LiveGuards: ...

    def own_tables(self) -> list[str]:
        """Interlock's own tables and the guards that need no workflow."""
        ...

    def ledger_guards(self, axes: Sequence[Mapping[str, Any]]) -> list[str]:
        """The ledger's guards that know every axis."""
        ...

    def work_guards(self, known: Sequence[Resting]) -> list[str]:
        """The guards of work rows that know the stages of every axis."""
        ...

    def table_guards(self, table: str, guards: list[Guarded]) -> list[str]:
        """The guards of one table with states."""
        ...

    def drop_guards(self, statements: Sequence[str]) -> list[str]:
        """Statements that remove the triggers and functions which these statements make."""
        ...

    def frozen_guards(self, frozen: FrozenTable, dialect: Dialect) -> list[str]: ...

    def view(self, view: View, dialect: Dialect) -> list[str]:
        """Statements that make a workflow's view, or replace it, and the indexes by which it is read."""
        ...

    def follow_columns(self, trigger: str, records: str, columns: Sequence[str], update: str) -> list[str]:
        """A trigger that runs `update` when one of these columns of a record changes."""
        ...


class RoleStatements(Protocol):
    """Database roles: owner, coordinator, runner and reader."""

    def roles_sql(
        self,
        roles: Roles,
        workflows: Sequence[Workflow],
        writes: Sequence[str] = (),
        hook_writes: Sequence[str] = (),
    ) -> list[str]:
        """Every statement, in the order in which it must run."""
        ...

    def apply(
        self,
        database: Database,
        roles: Roles,
        workflows: Sequence[Workflow],
        writes: Sequence[str] = (),
        hook_writes: Sequence[str] = (),
    ) -> None:
        """Run it all, or nothing of it."""
        ...

    def summary(
        self,
        roles: Roles,
        workflows: Sequence[Workflow],
        writes: Sequence[str] = (),
        hook_writes: Sequence[str] = (),
    ) -> list[dict[str, str]]:
        """What each role may do with each table."""
        ...

    def acts_of_owners(self, tx: Connection, kind: str | None = None) -> list[str]:
        """A sentence for each login of the database's owner that did what is a coordinator's to do; none where the owner is a login of its
        own, for then no roles were set up."""
        ...
