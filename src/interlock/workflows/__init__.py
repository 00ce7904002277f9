"""The workflows that come with Interlock; the engine never imports them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from .statements.workflow import declare as declare_statements

if TYPE_CHECKING:
    from ..workflow import Workflow

    bundled: list[Workflow]
    """What `interlock up` runs where no app is named."""


@cache
def _bundled() -> list[Workflow]:
    from ..settings import load  # with it the team's own banks come, which may import this package

    return [declare_statements(banks=load({}).banks)]


def __getattr__(name: str) -> list[Workflow]:
    """`bundled` is made when somebody asks for it: only then is it read which banks a team has."""
    if name == "bundled":
        return _bundled()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
