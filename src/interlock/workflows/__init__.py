"""The workflows that come with Interlock; the engine never imports them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from interlock import Workflow

    bundled: list[Workflow]
    """What `interlock up` runs where no app is named."""

NOUNS: Final = {
    "statements": "Bank and card statements: import files, look at uploads and transactions, export."
}
"""The nouns that the bundled workflows add to the command line, each with its help; here, so that help imports none of them."""


@cache
def _bundled() -> list[Workflow]:
    from .statements.workflow import declare as declare_statements

    return [declare_statements(banks=team_banks())]


def team_banks() -> str | None:
    """Where a team's own banks are, by its settings."""
    from interlock.extension import setting

    return setting("banks")


def __getattr__(name: str) -> list[Workflow]:
    """`bundled` is made when somebody asks for it: only then is it read which banks a team has."""
    if name == "bundled":
        return _bundled()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
