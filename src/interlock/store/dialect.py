"""What differs between databases, as a contract: phrases of SQL, values as a driver takes them, and statements that are not alike.

`store/sqlite` and `store/postgresql` implement it; `store/engines.py` chooses. Nothing else knows which database it works on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sqlalchemy import Column, ColumnElement, Connection, Dialect, Engine, Table
from sqlalchemy.engine import URL
from sqlalchemy.sql.elements import BindParameter

if TYPE_CHECKING:
    from .connect import Database
    from .files.backup import Backups
    from .statements import HistoryStatements, RoleStatements, SchemaStatements, WorkStatements


class Library(NamedTuple):
    """The driver that is installed, and what to do if it is not a good one."""

    name: str
    version: str
    hint: str = ""


class Connections(Protocol):
    """Opens a database, and begins its transactions with safe settings."""

    @property
    def read_level(self) -> str | None:
        """The isolation level at which several queries see one snapshot; None where every transaction does."""
        ...

    @property
    def glance_level(self) -> str | None:
        """The isolation level of a single query; None where it costs nothing to have a transaction around it."""
        ...

    @property
    def lends_connections(self) -> bool:
        """Whether a statement that is its own transaction is best run on a bare connection (`Database.single`)."""
        ...

    def deferred(self, tx: Connection) -> Callable[[], None] | None:
        """A function that checks now what constraints would check at the commit, and raises what that would; None where no constraint
        of the schema waits. What was broken before this call is not found."""
        ...

    def open(self, url: URL) -> Engine: ...

    def begin_write(self, tx: Connection, *, ours_alone: bool) -> None:
        """Begin, and say the settings of this transaction; `ours_alone`: no statements but ours are run in it."""
        ...

    def join(self, raw: Any, *, is_borrowed: bool) -> None:
        """Make sure that the driver's connection of a caller is in a transaction."""
        ...

    def is_in_transaction(self, raw: Any) -> bool:
        """Whether the driver's connection is in a transaction now; asks the driver, and never the server."""
        ...

    def is_failed(self, raw: Any) -> bool:
        """Whether the database has refused a statement of the driver's transaction, and takes no other until it is rolled back."""
        ...

    def refuse_other_library(self, database: Database, raw: Any) -> None:
        """Refuse a caller's connection that another library opened, where two of them on one database can lose what was committed."""
        ...

    def check_version(self, database: Database) -> None:
        """Refuse a server older than what the guards need."""
        ...

    def clock(self, tx: Connection) -> datetime | None:
        """What the server's clock says; None where there is none."""
        ...

    def hold(self, tx: Connection, name: str) -> None:
        """Until the transaction ends, whoever else wants to hold the name waits."""
        ...

    def file(self, url: URL) -> Path | None:
        """The file that the database is in; None for a server, and in memory."""
        ...

    def library(self) -> Library: ...


class HintListener(Protocol):
    """Waits for hints of one topic."""

    def wait(self, seconds: float) -> bool: ...

    def acknowledge(self) -> None: ...

    def wake(self) -> None: ...

    def close(self) -> None: ...


class Hints(Protocol):
    """Carries hints that there is work or a report, as `transport.contract` says."""

    def within(self, tx: Connection, topic: str) -> None: ...

    def after(self, topic: str) -> None: ...

    def inline(self, topic: str) -> str | None: ...

    def listen(self, topic: str) -> HintListener: ...

    def close(self) -> None: ...


class SqlDialect(Protocol):
    """One database's SQL."""

    name: str
    """SQLAlchemy's name of it, for people and exports."""
    mark: str
    """Where a positional parameter goes."""
    true: str
    false: str
    same: str
    """The operator that compares two values and takes null for a value."""
    batch: int
    """How many rows a step takes at once."""
    has_clock: bool
    """Whether statements can ask the database's own clock."""
    has_row_locks: bool
    """Whether rows can be locked one by one; where they cannot, a writer is alone."""

    wide_integers: bool
    """Whether every integer column holds 64 bits."""
    admits_json: bool
    """Whether rows are admitted as one JSON document, in which the value of a JSON column is as it is."""

    @property
    def connections(self) -> Connections: ...

    @property
    def work(self) -> WorkStatements: ...

    @property
    def history(self) -> HistoryStatements: ...

    @property
    def schema(self) -> SchemaStatements: ...

    @property
    def backups(self) -> Backups: ...

    @property
    def roles(self) -> RoleStatements | None:
        """None where a database has no roles."""
        ...

    def text_dialect(self) -> Dialect:
        """SQLAlchemy's dialect for SQL that people read: no driver, and no percent sign doubled for one."""
        ...

    def hints(self, database: Database, direct: str | None) -> Hints:
        """Hints through this database; `direct` is its address past a pooler."""
        ...

    @property
    def is_own_claim(self) -> str:
        """The end of a condition on work rows: claimed by this login, or before logins were kept; empty where there are no logins."""
        ...

    def among(self, column: str, name: str, kind: str = "text") -> str:
        """The column is one of the list bound to this name; `kind` is its PostgreSQL type."""
        ...

    def each(self, name: str) -> str:
        """The texts of the list bound to this name as rows: a source for FROM with the column `value`."""
        ...

    def none_of(self, query: str) -> str:
        """The end of a condition: differs from everything that the query selects; the query is run once."""
        ...

    def index_of(self, column: str, text: str) -> str:
        """Where the SQL text literal begins in the column; 0 where it is not in it."""
        ...

    def lock(self, *, skip: bool, of: str | None = None) -> str:
        """The end of a query that locks its rows for a change; `skip` passes over rows that somebody else holds."""
        ...

    def lock_moving(self, table: str) -> str:
        """The end of a query that locks rows to be moved, and passes over rows that somebody else holds; their keys stay readable."""
        ...

    def lock_shared(self) -> str:
        """The end of a query that keeps its rows as they are, and passes over rows that somebody else changes."""
        ...

    def is_due_in_order(self, column: str) -> str:
        """The instant has come, in a query that is to be read in another order than that of instants."""
        ...

    def escape_percent(self, sql: str) -> str:
        """SQL without parameters, as part of a statement for `WorkRows.run`."""
        ...

    def parameter(self, name: str) -> str:
        """A text parameter in a declared condition."""
        ...

    def write_value(self, value: BindParameter[Any], dialect: Dialect) -> str | None:
        """A declared value as SQL; None where SQLAlchemy puts it in itself."""
        ...

    def fill_times(self, statement: str) -> str:
        """A statement with the words of `Timing` filled in, as the driver takes it."""
        ...

    def time_values(self, instant: datetime | None, spans: Mapping[str, timedelta]) -> dict[str, Any]:
        """What is bound in such a statement; no instant means the database's own clock."""
        ...

    def later(self, column: str, span: timedelta) -> str:
        """The instant so much later than that of a column."""
        ...

    def bind_instant(self, instant: datetime) -> Any:
        """An instant as the driver takes it."""
        ...

    def bind_list(self, values: list[Any]) -> Any:
        """A list as the one parameter of `among`."""
        ...

    @property
    def read_instant(self) -> Callable[[Any], Any] | None:
        """Makes a Python instant from a driver's value that is not null; None where the driver has done so."""
        ...

    def execute_many(self, tx: Any, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        """Run one statement with positional parameters for each row."""
        ...

    def insert_rows(
        self, tx: Connection, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> None:
        """Insert rows by the cheapest means; names are quoted, values as the driver takes them."""
        ...

    def lock_rows(self, tx: Connection, key: Column[Any], keys: Sequence[Any]) -> bool:
        """Lock rows for a change by their primary key, ascending. Returns whether later queries of this transaction read what others
        commit; one that has a snapshot of its own does not."""
        ...

    def update_rows(
        self, tx: Connection, table: Table, columns: Sequence[str], rows: Sequence[Sequence[Any]]
    ) -> None:
        """Set columns of many rows, each row to its own values, by one statement; the first column is the primary key. Values are as the
        driver takes them."""
        ...

    def delete_unlocked(self, table: str) -> str:
        """A DELETE of every row that nobody else is deleting."""
        ...

    def fold_counters(self, tx: Connection) -> int:
        """Add up the deltas of counters, and remove them; how many there were."""
        ...

    def insert(self, table: Any) -> Any:
        """SQLAlchemy's INSERT into this table that knows `on_conflict_do_nothing`."""
        ...

    def column_among(self, column: ColumnElement[Any], keys: Sequence[Any]) -> ColumnElement[bool]:
        """The column is one of these, as one parameter: a statement has room for few, and a list may be long."""
        ...

    def free_planner(self, tx: Connection) -> None:
        """Our transactions insist on indexes, for batches; a whole table is read faster without them."""
        ...
