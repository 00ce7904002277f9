"""The page of threats: every cheat of the catalogue, and what comes of it for each who tries; the tests try them all."""

from __future__ import annotations

from collections import Counter

from tests.security.attacks_on_files import ATTACKS
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
    is_own,
)

_OWN = """
## What is one's own

Columns of a record that are no state, version, head or key; rows that were not adopted; a runner's registration. The tests
compare before and after: the states, versions and heads of every record that Interlock has, and every row of its own tables but
registrations, are the same.
"""
_FILES = """
## Stored files

Uploads and the logs of stages lie in a folder, or in an object store, and not in the database. What runs as the same user without
being isolated, a stage, a hook or a gate, may do there what it likes: stored files are kept under the hash of their content, so a change
is found out. What is removed is missed when it is read.

| attack | by | verdict | why |
|---|---|---|---|"""
_HEAD = """# Threats

What somebody can do who types SQL past Interlock, or comes at the [files](#stored-files) that it keeps, made from the catalogue in
`tests/security` by `make docs`.
Every line is run for real by the tests, as everybody who is named: rows, history and schema are compared before and after.

- **refused**: the database refuses it, or nothing at all has changed.
- **located**: it has an effect, and `interlock check`, a verification against seals that were kept elsewhere, or the recount
  of the counters names it.
- **recorded**: it is this role's own job, typed instead of done by a process: legal by every guard, and attributed. On PostgreSQL the row
  that it leaves keeps the login of who typed it, as the server knows it, and the tests compare that login; nobody can write that column.
  On SQLite there is one login, the owner of the file, who runs every process and could give the command itself; the tests hold that no
  record, entry, reason, seal or count has changed. An amendment, or the judgement that a record rests, typed with an entry that is
  right in every part, is not in these tables there: it is the command itself, and nothing tells it apart.
- **own**: whoever types it changes what is his own, and nothing that Interlock answers for. These are
  [apart](#what-is-ones-own), and are not counted as cheats.
- **allowed**: it has an effect that nothing reports. There is none.

On SQLite whoever can write the file is its owner. On PostgreSQL the roles are those of
[database roles](../how-to/database-roles.md). What an owner or a superuser can do cannot all be refused, for they can drop
the guards: it is located. Of a statement that moves more than sixteen records the guards hash a sample: a single made-up hash
that hides among right ones may pass them, and verification names it
([decision 0185](../decisions/0185-hashes-clocks-and-keys-are-guarded.md)).
"""


def page() -> str:
    """The whole page."""
    sections = [line for target in _targets() for line in _section(target)]
    own = [*_columns(), *(_line(cheat) for cheat in CHEATS if is_own(cheat))]
    files = [f"| {one.name} | {one.who} | {one.verdict} | {one.why} |" for one in ATTACKS]
    return "\n".join([_HEAD, *_summary(), *sections, _FILES, *files, _OWN, *own]) + "\n"


def _targets() -> list[str]:
    return list(dict.fromkeys(cheat.target for cheat in CHEATS if not is_own(cheat)))


def _columns() -> list[str]:
    return [
        f"| cheat | style | SQLite | {' | '.join(ROLES)} | why |",
        "|---|---|---|" + "---|" * (len(ROLES) + 1),
    ]


def _summary() -> list[str]:
    lines = [
        "| who | cheats | refused | located | recorded | allowed |",
        "|---|---|---|---|---|---|",
    ]
    for database, roles in ((SQLITE, (FILE_OWNER,)), (POSTGRESQL, ROLES)):
        cheats = [cheat for cheat in BY_DATABASE[database].values() if not is_own(cheat)]
        for role in roles:
            counted = Counter(cheat.expected[role] for cheat in cheats)
            numbers = " | ".join(str(counted[verdict]) for verdict in (REFUSED, LOCATED, RECORDED, ALLOWED))
            name = "SQLite, file owner" if role == FILE_OWNER else f"PostgreSQL, {role}"
            lines.append(f"| {name} | {len(cheats)} | {numbers} |")
    return lines


def _section(target: str) -> list[str]:
    lines = ["", f"## {target.capitalize()}", "", *_columns()]
    return lines + [_line(cheat) for cheat in CHEATS if cheat.target == target and not is_own(cheat)]


def _line(cheat: Cheat) -> str:
    file = cheat.expected[FILE_OWNER] if SQLITE in cheat.on else ""
    served = [cheat.expected[role] if POSTGRESQL in cheat.on else "" for role in ROLES]
    parts = (cheat.name, cheat.style, file, *served, cheat.why)
    return f"| {' | '.join(part.replace('|', chr(92) + '|') for part in parts)} |"
