"""Reads the guards that a PostgreSQL database really has, and compares them with the SQL that this code would run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, text

_FUNCTION = re.compile(
    r"CREATE OR REPLACE FUNCTION (\S+?)\(\) RETURNS (?:trigger|bigint|bytea) LANGUAGE plpgsql AS \$body\$(.*?)\$body\$",
    re.DOTALL,
)
TRIGGER = re.compile(
    r"CREATE (?:OR REPLACE |CONSTRAINT )?TRIGGER (\S+) (BEFORE|AFTER) ((?:INSERT|UPDATE|DELETE|TRUNCATE| OR | OF [^\n]+?)+) ON (.+?)"
    r"( REFERENCING .+?| DEFERRABLE INITIALLY DEFERRED)? FOR EACH (ROW|STATEMENT)( WHEN \([^\n]+\))? EXECUTE FUNCTION ([^\s(]+)\((.*?)\)$",
    re.DOTALL | re.MULTILINE,
)
_FUNCTIONS = text(
    "SELECT p.proname AS name, p.prosrc AS body, p.prosecdef AND NOT EXISTS (SELECT 1 FROM aclexplode(coalesce(p.proacl, "
    "acldefault('f', p.proowner))) a WHERE a.grantee = 0) AND coalesce(p.proconfig[1] ~ '^search_path=pg_catalog, .*pg_temp$' "
    "AND cardinality(p.proconfig) = 1, false) AS pinned FROM pg_proc p "
    "WHERE p.pronamespace = to_regnamespace(quote_ident(current_schema())) AND starts_with(p.proname, 'interlock_')"
)
_TRIGGERS = text(
    "SELECT c.relname AS place, c.relnamespace::regnamespace::text AS schema, pg_table_is_visible(c.oid) AS visible, "
    "pg_get_triggerdef(t.oid) AS definition, t.tgenabled IN ('O', 'A') AND c.relhastriggers AS enabled, "
    "t.tgqual IS NOT NULL AND m.value IS DISTINCT FROM md5(pg_get_triggerdef(t.oid)) AS changed "
    "FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
    "LEFT JOIN interlock_meta m ON m.key = 'trigger: ' || t.tgname || ' on ' || t.tgrelid::regclass "
    "WHERE NOT t.tgisinternal AND starts_with(t.tgname, 'interlock_')"
)


_OWN = "starts_with(c.relname, 'interlock_') AND c.relkind <> 'S' AND c.relnamespace = to_regnamespace(quote_ident(current_schema()))"
_ON_OWN_TABLES = text(
    f"""SELECT 'trigger ' || t.tgname AS what, c.relname AS place FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND {_OWN}
    UNION ALL SELECT 'rule ' || r.rulename, c.relname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class WHERE {_OWN}
    UNION ALL SELECT 'rule ' || r.rulename, c.relname FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
    WHERE r.is_instead AND c.relkind <> 'v' AND NOT ({_OWN})
    AND EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = c.oid AND starts_with(t.tgname, 'interlock_'))
    UNION ALL SELECT 'child table ' || i.inhrelid::regclass, c.relname FROM pg_inherits i
    JOIN pg_class c ON c.oid = i.inhparent WHERE {_OWN}
    UNION ALL SELECT 'row security', c.relname FROM pg_class c WHERE (c.relrowsecurity OR c.relforcerowsecurity) AND {_OWN}
    UNION ALL SELECT 'default of login', c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'login'
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum WHERE {_OWN}
    AND c.relname NOT IN ('interlock_work', 'interlock_runner') AND pg_get_expr(d.adbin, d.adrelid) IS DISTINCT FROM 'SESSION_USER'
    ORDER BY 2, 1"""
)


class Trigger(NamedTuple):
    """What a trigger does, however its definition is spelled."""

    moment: str
    events: frozenset[str]
    rows: str
    level: str
    is_conditional: bool
    function: str
    arguments: str


class LiveGuards:
    """Every guard function by name, and every trigger by name and table. A table is found by its name alone only where that
    name leads to it: a table of the same name in another schema keeps no guard of the records."""

    def __init__(self, tx: Connection) -> None:
        self.tx = tx
        self.functions: dict[str, tuple[str, bool]] = {
            row.name: (row.body, row.pinned) for row in tx.execute(_FUNCTIONS)
        }
        self.triggers: dict[tuple[str, str], Trigger | None] = {}
        self.disabled: set[tuple[str, str]] = set()
        self.changed: set[tuple[str, str]] = set()
        for row in tx.execute(_TRIGGERS):
            name = bare(row.definition.split(" TRIGGER ", 1)[1].split(" ", 1)[0])
            parsed = TRIGGER.search(row.definition)
            place = unquoted(row.place)
            places = [f"{unquoted(row.schema)}.{place}", *([place] if row.visible else [])]
            for key in [(name, one) for one in places]:
                self.triggers[key] = None if parsed is None else _meaning(parsed)
                if not row.enabled:
                    self.disabled.add(key)
                if row.changed:
                    self.changed.add(key)

    def intruders(self, statements: Sequence[str]) -> list[str]:
        """Triggers, rules, child tables, row security and defaults of Interlock's own tables that these statements do not make; and rules
        that let nothing arrive in a guarded table."""
        known = {
            (f"trigger {bare(made[1])}", bare(made[4])) for made in TRIGGER.finditer("\n".join(statements))
        }
        unknown = [row for row in self.tx.execute(_ON_OWN_TABLES) if (row.what, row.place) not in known]
        return [f"{row.what} on {row.place} is none of Interlock's" for row in unknown]

    def problems(self, statements: Sequence[str]) -> list[str]:
        """Each function and trigger among the statements that the database lacks, has switched off, or has with another body."""
        whole = "\n".join(statements)
        found = []
        for name, body in _FUNCTION.findall(whole):
            if name not in self.functions:
                found.append(f"function {name} was removed")
            elif self.functions[name] != (body, True):
                found.append(f"function {name} was altered")
        for wanted in TRIGGER.finditer(whole):
            key = bare(wanted[1]), unquoted(wanted[4])
            if key not in self.triggers or key in self.disabled:
                found.append(f"trigger {key[0]} on {bare(wanted[4])} was removed or switched off")
            elif self.triggers[key] != _meaning(wanted) or key in self.changed:
                found.append(f"trigger {key[0]} on {bare(wanted[4])} was altered")
        return found


def _meaning(parsed: re.Match[str]) -> Trigger:
    _, moment, events, _, rows, level, condition, function, arguments = (
        part or "" for part in parsed.groups()
    )
    return Trigger(
        moment,
        frozenset(events.replace('"', "").split(" OR ")),
        rows.strip(),
        level,
        condition != "",
        unquoted(function),
        arguments,
    )


def bare(name: Any) -> str:
    """A name without quotes and schema, as catalogs may or may not spell it."""
    return unquoted(name).rpartition(".")[2]


def unquoted(name: Any) -> str:
    return str(name).replace('"', "")
