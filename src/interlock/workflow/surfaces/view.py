"""A view that a workflow brings for whoever reads the database with SQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ClauseElement, Dialect

from ...errors import BadDeclaration

NAME = re.compile(r"[a-z][a-z0-9_]{0,62}", re.ASCII)


@dataclass(frozen=True, eq=False)
class View:
    """A view that a migration makes beside the tables of a workflow, and replaces when its text changes; `interlock db roles` lets every
    role read it.

    `query` is the SELECT: a text for every database, or a construct that SQLAlchemy compiles for each. `indexes` are statements
    `CREATE INDEX IF NOT EXISTS …` by which it is read.
    """

    name: str
    query: str | ClauseElement
    indexes: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise BadDeclaration(
                f"view {self.name!r} is not lower case letters, digits and _",
                hint='Such as View("open_orders", …).',
            )
        if isinstance(self.query, str) and not self.query.strip():
            raise BadDeclaration(
                f"view {self.name!r} needs a query", hint=f'Write View("{self.name}", "SELECT …").'
            )
        object.__setattr__(self, "indexes", tuple(self.indexes))

    def query_for(self, dialect: Dialect) -> str:
        """The SELECT as this dialect spells it."""
        if isinstance(self.query, str):
            return self.query
        return str(self.query.compile(dialect=dialect, compile_kwargs={"literal_binds": True}))
