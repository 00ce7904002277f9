"""A view that a workflow brings for whoever reads the database with SQL."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ..errors import BadDeclaration

NAME = re.compile(r"[a-z][a-z0-9_]{0,62}", re.ASCII)
DATABASES = frozenset({"sqlite", "postgresql"})


@dataclass(frozen=True, eq=False)
class View:
    """A view that a migration makes beside the tables of a workflow, and replaces when its text changes; `interlock db roles` lets every
    role read it.

    `query` is the SELECT, one for both databases or one for each: `{"sqlite": …, "postgresql": …}`. `indexes` are statements
    `CREATE INDEX IF NOT EXISTS …` by which it is read, the same on both.
    """

    name: str
    query: str | Mapping[str, str]
    indexes: Sequence[str] = field(default=())

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise BadDeclaration(f"view {self.name!r} is not lower case letters, digits and _")
        if isinstance(self.query, Mapping):
            if set(self.query) != DATABASES:
                raise BadDeclaration(
                    f"view {self.name!r} has a query for {', '.join(sorted(self.query)) or 'no database'}",
                    hint="Write one text for both, or one each for sqlite and postgresql.",
                )
            object.__setattr__(self, "query", MappingProxyType(dict(self.query)))
        elif not self.query.strip():
            raise BadDeclaration(f"view {self.name!r} needs a query")
        object.__setattr__(self, "indexes", tuple(self.indexes))

    def query_for(self, database: str) -> str:
        """The SELECT on this database."""
        return self.query if isinstance(self.query, str) else self.query[database]
