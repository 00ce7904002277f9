"""Settings, each from the first that has it: a flag, an INTERLOCK_* variable, interlock.toml, the default."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from .errors import BadInput

DEFAULT_DATA = "interlock-data"


@dataclass(frozen=True)
class Settings:
    """What a process needs to know before it starts; `data` is the folder of the embedded database, `url` and `key` a service's."""

    app: str | None = None
    database: str | None = None
    data: str = DEFAULT_DATA
    files: str | None = None
    url: str | None = None
    key: str | None = None

    @property
    def files_location(self) -> str:
        """Where uploads and logs are kept: a folder, or a URL that fsspec understands."""
        return self.files or str(Path(self.data) / "files")

    @property
    def database_url(self) -> str:
        return self.database or f"sqlite:///{Path(self.data) / 'interlock.sqlite'}"


def load(flags: Mapping[str, str | None], environment: Mapping[str, str] | None = None, folder: Path | None = None) -> Settings:
    """The settings in force: flag > INTERLOCK_* > interlock.toml."""
    variables = os.environ if environment is None else environment
    file = (folder or Path.cwd()) / "interlock.toml"
    try:
        written = tomllib.loads(file.read_text()) if file.is_file() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{file.name} cannot be read: {error}") from error
    known = {item.name for item in fields(Settings)}
    if unknown := sorted(set(written) - known):
        raise BadInput(f"{file.name} has unknown settings: {', '.join(unknown)}", hint=f"Known are {', '.join(sorted(known))}.")
    chosen = {name: flags.get(name) or variables.get(f"INTERLOCK_{name.upper()}") or written.get(name) for name in known}
    return Settings(**{name: str(value) for name, value in chosen.items() if value is not None})
