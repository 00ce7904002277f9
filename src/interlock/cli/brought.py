"""Commands that workflows bring: those of the bundled ones are listed without being read, those of an app when it is named."""

from __future__ import annotations

from typing import Any

import click

from ..errors import BadDeclaration
from .commands import Noun
from .loading import attribute
from .session import BUNDLED, Session

LISTED = {"statements": "Bank and card statements: import files, look at uploads and transactions, export."}
"""The nouns of the bundled workflows; told here, so that the list of commands need not read what takes a second to read."""


class Brought(Noun):
    """A noun whose verbs are read when one of them is asked for."""

    def __init__(self, name: str, help: str) -> None:
        self._read: click.Group | None = None
        super().__init__(name=name, help=help, examples=(f"interlock {name} list",))

    @property
    def commands(self) -> Any:
        if self._read is None:
            self._read = bundled_noun(str(self.name))
        return self._read.commands

    @commands.setter
    def commands(self, value: Any) -> None:
        """Click begins with none; ours come from the workflow."""


def bundled_noun(name: str) -> click.Group:
    for workflow in attribute(BUNDLED):
        if name in workflow.commands:
            found: click.Group = workflow.commands[name]()
            return found
    raise BadDeclaration(f"no bundled workflow brings the command {name}")


def of_app(running: Session, name: str) -> click.Command | None:
    """A command of the named app's own workflows; None where no app is named, or it has no such command."""
    if running.settings.app is None:
        return None
    for workflow in running.declared.workflows.values():
        if name in workflow.commands:
            found: click.Command = workflow.commands[name]()
            return found
    return None
