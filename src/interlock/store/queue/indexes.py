"""The indexes that queues and sweeps are read by, and the triggers that keep copies of a record's columns on its state rows."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Dialect

from ...machine import State
from ...workflow import Axis, Rule, Stage, Workflow
from ..engines import sql_of
from ..placement import RecordTable
from ..sql import identifier, one_of
from .ordering import ordering


def index_sql(workflow: Workflow, dialect: Dialect) -> list[str]:
    """The natural key, one row per scope, what waits, and what a sweep has to find: the only indexes the engine needs."""
    quote = dialect.identifier_preparer.quote
    made = []
    if workflow.unique:
        records = dialect.identifier_preparer.format_table(workflow.records)
        made.append(
            f"CREATE UNIQUE INDEX IF NOT EXISTS {natural_index(workflow)} ON {records} "
            f"({', '.join(map(quote, workflow.unique))})"
        )
    for axis in workflow.axes.values():
        table = dialect.identifier_preparer.format_table(axis.table)
        if axis.scoped:
            made.append(
                f"CREATE UNIQUE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, axis.name, 'scope')} "
                f"ON {table} ({quote(axis.key)}, {quote(axis.scope_column)})"
            )
        if axis.has("ready_at"):
            made += _queue_indexes(workflow, axis, dialect)
        made += _timer_indexes(axis, dialect)
        made += _error_indexes(axis, dialect)
    return made + list(_rule_indexes(workflow, dialect))


def natural_index(workflow: Workflow) -> str:
    """The name of the index that keeps the natural key unique."""
    return identifier("interlock", workflow.records.name, "natural")


def _queue_indexes(workflow: Workflow, axis: Axis, dialect: Dialect) -> Iterator[str]:
    quote, table = dialect.identifier_preparer.quote, dialect.identifier_preparer.format_table(axis.table)
    ready, key = quote(axis.column_name("ready_at")), quote(axis.key)
    scope = [quote(axis.scope_column)] if axis.scoped else []
    yield f"DROP INDEX IF EXISTS {identifier('interlock', axis.table.name, axis.name, 'ready')}"
    # By status first: the rows that wait for one stage must not be searched among those that wait for another.
    yield (
        f"CREATE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, axis.name, 'due')} "
        f"ON {table} ({', '.join([*scope, quote(axis.name), ready, key])}) WHERE {ready} IS NOT NULL"
    )
    stages = [stage for stage in workflow.stages.values() if stage.axis == axis.name]
    for stage in stages:
        if columns := order_columns(stage, axis, dialect):
            yield (
                f"CREATE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, stage.name, 'order')} "
                f"ON {table} ({', '.join([*scope, quote(axis.name), *columns, ready, key])}) WHERE {ready} IS NOT NULL"
            )
        if stage.rate_per is not None and (column := axis.own_column(stage.rate_per[0])) is not None:
            order = order_columns(stage, axis, dialect)
            yield (
                f"CREATE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, stage.name, 'rate')} "
                f"ON {table} ({', '.join([*scope, quote(axis.name), quote(column.name), *order, ready, key])}) "
                f"WHERE {ready} IS NOT NULL"
            )
    adopted = f" AND {quote(axis.column_name('version'))} IS NOT NULL" if axis.adoptable else ""
    for state in dict.fromkeys(stage.declared_waiting for stage in stages):
        # Nearly empty: what waits is due, unless a condition keeps it or somebody took its date away.
        yield (
            f"CREATE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, axis.name, 'unseen', state_word(state))} "
            f"ON {table} ({', '.join([*scope, key])}) WHERE {ready} IS NULL AND {one_of(quote(axis.name), [state])}{adopted}"
        )


def _timer_indexes(axis: Axis, dialect: Dialect) -> Iterator[str]:
    """What has a timer, by when it is due; and, nearly empty, what is in a timed state and has none."""
    quote, table = dialect.identifier_preparer.quote, dialect.identifier_preparer.format_table(axis.table)
    timer, key = quote(axis.column_name("timer_at")), quote(axis.key)
    if axis.machine.timers:
        yield (
            f"CREATE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, axis.name, 'timer')} "
            f"ON {table} ({timer}, {key}) WHERE {timer} IS NOT NULL"
        )
    for state in axis.machine.timers:
        yield (
            f"CREATE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, axis.name, 'untimed', state_word(state))} "
            f"ON {table} ({key}) WHERE {untimed_sql(axis, state, dialect)}"
        )


def _error_indexes(axis: Axis, dialect: Dialect) -> Iterator[str]:
    """What carries an error, by its code: error groups and lists read these rows alone, however many others there are."""
    if not axis.has("error_code"):
        return
    quote, table = dialect.identifier_preparer.quote, dialect.identifier_preparer.format_table(axis.table)
    code = quote(axis.column_name("error_code"))
    yield (
        f"CREATE INDEX IF NOT EXISTS {identifier('interlock', axis.table.name, axis.name, 'errors')} "
        f"ON {table} ({code}, {quote(axis.key)}) WHERE {code} IS NOT NULL"
    )


def untimed_sql(axis: Axis, state: State, dialect: Dialect) -> str:
    """What is true of a row that is in a timed state and has no date: the words of an index and of the question that uses it."""
    quote = dialect.identifier_preparer.quote
    adopted = f" AND {quote(axis.column_name('version'))} IS NOT NULL" if axis.adoptable else ""
    return f"{quote(axis.column_name('timer_at'))} IS NULL AND {one_of(quote(axis.name), [state])}{adopted}"


def fill_timers_sql(axis: Axis, dialect: Dialect) -> list[str]:
    """Give every record in a timed state the date that it would have if the timer had always been there, and take that of all others."""
    quote, table = dialect.identifier_preparer.quote, dialect.identifier_preparer.format_table(axis.table)
    timer, status, since = (quote(axis.column_name(name)) for name in ("timer_at", "status", "since"))
    version, sql = quote(axis.column_name("version")), sql_of(dialect)
    filled = [
        f"UPDATE {table} SET {timer} = {sql.later(since, edge.after)} WHERE {version} IS NOT NULL AND {since} IS NOT NULL "
        f"AND {one_of(status, [state])}"
        for state, edge in axis.machine.timers.items()
        if edge.after is not None
    ]
    timed = one_of(status, list(axis.machine.timers))
    return [
        *filled,
        f"UPDATE {table} SET {timer} = NULL WHERE {timer} IS NOT NULL AND NOT coalesce({timed}, {sql.false})",
    ]


def order_columns(stage: Stage, axis: Axis, dialect: Dialect) -> list[str]:
    """The stage's order as columns of an index; empty where it has none, or one that an index of the axis's table cannot hold."""
    order = [ordering(one, axis) for one in stage.order]
    if not all(one.is_column_of(axis.table) for one in order):
        return []
    return [one.sql(dialect.identifier_preparer.quote(one.column.name)) for one in order]


def _rule_indexes(workflow: Workflow, dialect: Dialect) -> Iterator[str]:
    """For each move that a `during` rule makes: the rows in which it is missing."""
    quote = dialect.identifier_preparer.quote
    for number, rule in enumerate(workflow.rules):
        if rule.moment == "during" and rule.target is not None:
            target, driver = workflow.axes[rule.target], workflow.axes[rule.axis]
            table = dialect.identifier_preparer.format_table(target.table)
            for old in rule.mapping or {}:
                scope = [quote(target.scope_column)] if target.scoped else []
                name = identifier(
                    "interlock", target.table.name, target.name, "during", str(number), state_word(old)
                )
                yield (
                    f"CREATE INDEX IF NOT EXISTS {name} ON {table} ({', '.join([quote(target.key), *scope])}) "
                    f"WHERE {missing_sql(rule, driver, target, old, dialect)}"
                )


def missing_sql(
    rule: Rule, driver: Axis, target: Axis, old: State, dialect: Dialect, prefix: str = ""
) -> str:
    """What is true of the target's own row where the move is missing: the words of an index and of the question that uses it."""
    quote = dialect.identifier_preparer.quote
    tests = [one_of(f"{prefix}{quote(target.name)}", [old])]
    if (
        target.adoptable
    ):  # elsewhere every row has a version, and PostgreSQL, which knows that, would not recognise the words
        tests.append(f"{prefix}{quote(target.column_name('version'))} IS NOT NULL")
    if driver.table is target.table:
        tests.insert(0, one_of(f"{prefix}{quote(driver.name)}", rule.states))
    return " AND ".join(tests)


def state_word(state: State) -> str:
    return "null" if state is None else str(state)


def copy_sql(workflow: Workflow, axis: Axis, dialect: Dialect) -> list[str]:
    """Fill copies that are missing, and keep each equal to the record's own column, whoever changes that."""
    quote, table = dialect.identifier_preparer.quote, dialect.identifier_preparer.format_table(axis.table)
    records, key = RecordTable(workflow, dialect), quote(axis.key)
    pairs = [(quote(name), quote(source.name)) for name, source in axis.copies.items()]
    sources = ", ".join(f"{records.table_sql}.{source}" for _, source in pairs)
    names = ", ".join(name for name, _ in pairs)
    fill = (
        f"UPDATE {table} SET ({names}) = (SELECT {sources} FROM {records.table_sql} WHERE {records.table_sql}.{records.key_sql} = "
        f"{table}.{key}) WHERE {' AND '.join(f'{name} IS NULL' for name, _ in pairs)}"
    )
    changes = ", ".join(f"{name} = NEW.{source}" for name, source in pairs)
    update = f"UPDATE {table} SET {changes} WHERE {key} = NEW.{records.key_sql};"
    trigger = identifier("interlock", workflow.records.name, axis.name, "copies")
    return [
        fill,
        *sql_of(dialect).schema.follow_columns(
            trigger, records.table_sql, [source for _, source in pairs], update
        ),
    ]
