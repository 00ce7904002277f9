"""The names of database roles: one owner, and those who work."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sqlalchemy import Dialect

from ...errors import BadInput

OWNER = "owner"
COORDINATOR, RUNNER, READER = "coordinator", "runner", "reader"
WORKING = (COORDINATOR, RUNNER, READER)


@dataclass(frozen=True)
class Roles:
    """The four group roles of one prefix, on one database."""

    prefix: str
    database: str | None
    dialect: Dialect

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z_][a-z0-9_]{0,39}", self.prefix) or self.prefix.startswith("pg_"):
            raise BadInput(
                f"{self.prefix!r} cannot begin the name of a role",
                hint="Use up to 40 small letters, digits and underscores.",
            )

    def name(self, role: str) -> str:
        return f"{self.prefix}_{role}"

    @property
    def names(self) -> str:
        return ", ".join(self.name(role) for role in (OWNER, *WORKING))

    @property
    def working(self) -> str:
        return ", ".join(self.name(role) for role in WORKING)
