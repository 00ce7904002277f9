"""The page of threats: every cheat of the catalogue, and what comes of it for each who tries; the tests try them all."""

from __future__ import annotations

from collections import Counter

from tests.security.catalogue import BY_DATABASE, CHEATS
from tests.security.cheats import (
    ALLOWED,
    FILE_OWNER,
    LOCATED,
    POSTGRESQL,
    RECORDED,
    REFUSED,
    ROLES,
    SQLITE,
    Cheat,
)

_HEAD = """# Threats

What somebody can do who types SQL past Interlock, made from the catalogue in `tests/security` by `make docs`.
Every line is run for real by the tests, as everybody who is named: rows, history and schema are compared before and after.

- **refused**: the database refuses it, or nothing at all has changed.
- **located**: it has an effect, and `interlock check`, a verification against seals that were kept elsewhere, or the recount
  of the counters names it.
- **recorded**: it is what this role is there for, and the row that it leaves names the login of who typed it, as the server knows it.
- **allowed**: it has an effect that nothing reports; the last column says why.

On SQLite whoever can write the file is its owner. On PostgreSQL the roles are those of
[database roles](../how-to/database-roles.md). What an owner or a superuser can do cannot all be refused, for they can drop
the guards: it is located.
"""


def page() -> str:
    """The whole page."""
    return (
        "\n".join([_HEAD, *_summary(), *(line for target in _targets() for line in _section(target))]) + "\n"
    )


def _targets() -> list[str]:
    return list(dict.fromkeys(cheat.target for cheat in CHEATS))


def _summary() -> list[str]:
    lines = [
        "| who | cheats | refused | located | recorded | allowed |",
        "|---|---|---|---|---|---|",
    ]
    for database, roles in ((SQLITE, (FILE_OWNER,)), (POSTGRESQL, ROLES)):
        cheats = BY_DATABASE[database].values()
        for role in roles:
            counted = Counter(cheat.expected[role] for cheat in cheats)
            numbers = " | ".join(str(counted[verdict]) for verdict in (REFUSED, LOCATED, RECORDED, ALLOWED))
            name = "SQLite, file owner" if role == FILE_OWNER else f"PostgreSQL, {role}"
            lines.append(f"| {name} | {len(cheats)} | {numbers} |")
    return lines


def _section(target: str) -> list[str]:
    names = " | ".join(ROLES)
    lines = [
        "",
        f"## {target.capitalize()}",
        "",
        f"| cheat | style | SQLite | {names} | why |",
        "|---|---|---|" + "---|" * (len(ROLES) + 1),
    ]
    return lines + [_line(cheat) for cheat in CHEATS if cheat.target == target]


def _line(cheat: Cheat) -> str:
    file = cheat.expected[FILE_OWNER] if SQLITE in cheat.on else ""
    served = [cheat.expected[role] if POSTGRESQL in cheat.on else "" for role in ROLES]
    parts = (cheat.name, cheat.style, file, *served, cheat.why)
    return f"| {' | '.join(part.replace('|', chr(92) + '|') for part in parts)} |"
