"""Settings; of a flag, an INTERLOCK_* variable, interlock.toml and the default, the first that is set wins."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from .errors import BadInput

DEFAULT_DATA = "interlock-data"
FILE = "interlock.toml"
MISSPELT = 0.88
"""How alike the name of a variable has to be to that of a setting to be taken for a slip of the fingers."""
TABLES = frozenset({"levels", "workflows"})
"""Parts of interlock.toml that are tables of their own; each is read by whoever knows its words."""


@dataclass(frozen=True)
class Settings:
    """What a process needs to know before it starts; `data` is the folder of the embedded database, `url` and `key` a service's,
    `banks` a folder or module with a team's own parsers and rules for statements, `seal_key` the file that signs seals,
    `seal_every` and `seal_to` how often `up` and `coordinator` seal, and where they keep the seals outside the database."""

    app: str | None = None
    database: str | None = None
    data: str = DEFAULT_DATA
    files: str | None = None
    url: str | None = None
    key: str | None = None
    banks: str | None = None
    seal_key: str | None = None
    seal_every: str | None = None
    seal_to: str | None = None

    @property
    def files_location(self) -> str:
        """Where uploads and logs are kept: a folder, or a URL that fsspec understands."""
        return self.files or str(Path(self.data) / "files")

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{Path(self.data) / 'interlock.sqlite'}"


def in_file(folder: Path | None = None) -> dict[str, Any]:
    """What interlock.toml says, if there is one."""
    file = (folder or Path.cwd()) / FILE
    try:
        return tomllib.loads(file.read_text()) if file.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{FILE} cannot be read: {error}", hint='Texts stand in quotes: app = "shop.workflows:app".'
        ) from error


def of_workflow(name: str, folder: Path | None = None) -> Any:
    """The value of a workflow's own setting `shop.rate`: INTERLOCK_SHOP_RATE, else `rate` in the table `[workflows.shop]` of
    interlock.toml, else None."""
    table, _, key = name.partition(".")
    in_environment = os.environ.get(f"INTERLOCK_{table}_{key}".upper())
    if in_environment is not None:
        return in_environment
    tables = in_file(folder).get("workflows", {})
    values = tables.get(table, {}) if isinstance(tables, dict) else {}
    return values.get(key) if isinstance(values, dict) else None


def levels(folder: Path | None = None) -> dict[str, dict[str, Any]]:
    """The service levels that interlock.toml declares, by name."""
    found = in_file(folder).get("levels", {})
    if not isinstance(found, dict) or not all(isinstance(one, dict) for one in found.values()):
        raise BadInput(
            f"levels in {FILE} are tables, each with a name",
            hint='Write [levels.parse], and below it kind = "…" and the rest.',
        )
    return found


def refuse_misspelt(variables: Mapping[str, str], known: Collection[str]) -> None:
    """Raise for an INTERLOCK_* variable that is almost a setting: it would be ignored silently."""
    names = [f"INTERLOCK_{name.upper()}" for name in known]
    for variable in sorted(variables):
        if not variable.startswith("INTERLOCK_") or variable in names:
            continue
        if near := get_close_matches(variable, names, n=1, cutoff=MISSPELT):
            raise BadInput(f"{variable} is not a setting", hint=f"Did you mean {near[0]}?")


def load(
    flags: Mapping[str, str | None], environment: Mapping[str, str] | None = None, folder: Path | None = None
) -> Settings:
    """The settings in force: flag > INTERLOCK_* > interlock.toml."""
    variables = os.environ if environment is None else environment
    written = in_file(folder)
    known = {item.name for item in fields(Settings)}
    if unknown := sorted(set(written) - known - TABLES):
        raise BadInput(
            f"{FILE} has unknown settings: {', '.join(unknown)}",
            hint=f"Known are {', '.join(sorted(known | TABLES))}.",
        )
    if odd := sorted(name for name in known & set(written) if not isinstance(written[name], str)):
        raise BadInput(
            f"{odd[0]} in {FILE} is {written[odd[0]]!r}, and has to be text",
            hint=f'Write {odd[0]} = "…", above any [table].',
        )
    refuse_misspelt(variables, known)
    chosen = {
        name: flags.get(name) or variables.get(f"INTERLOCK_{name.upper()}") or written.get(name)
        for name in known
    }
    return Settings(**{name: str(value) for name, value in chosen.items() if value is not None})
