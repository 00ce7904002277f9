"""Commands that workflows add: those of the bundled ones are named without importing them, those of an app once it is named."""

from __future__ import annotations

from typing import Any

import click

from ..errors import BadDeclaration, InterlockError
from .context import BUNDLED_EXAMPLES, BUNDLED_NOUNS, Session
from .grammar import Noun
from .loading import BUNDLED, attribute


class PluginNoun(Noun):
    """A noun of a bundled workflow, whose verbs are imported when one of them is asked for."""

    def __init__(self, name: str, help: str, example: str) -> None:
        self._group: click.Group | None = None
        super().__init__(name=name, help=help, examples=(example,))

    @property
    def commands(self) -> Any:
        if self._group is None:
            self._group = bundled_noun(str(self.name))
        return self._group.commands

    @commands.setter
    def commands(self, value: Any) -> None:
        """Click begins with none; ours come from the workflow."""


def bundled_nouns() -> list[PluginNoun]:
    """The nouns of the bundled workflows, from the table beside them."""
    examples = attribute(BUNDLED_EXAMPLES)
    return [PluginNoun(name, help, examples[name]) for name, help in attribute(BUNDLED_NOUNS).items()]


def bundled_noun(name: str) -> click.Group:
    """The group of verbs that a bundled workflow makes for this noun."""
    for workflow in attribute(BUNDLED):
        if name in workflow.extension.commands:
            group: click.Group = workflow.extension.make_command(name)
            return group
    raise BadDeclaration(f"no bundled workflow adds the command {name}")


def app_command(running: Session, name: str) -> click.Command | None:
    """The command that a workflow of the named app adds; None where no app is named, or it has no such command."""
    if running.settings.app is None:
        return None
    for workflow in running.declared.workflows.values():
        if name in workflow.extension.commands:
            command: click.Command = workflow.extension.make_command(name)
            return command
    return None


def is_kind(running: Session, word: str) -> bool:
    """Whether the named app has a workflow that is called so."""
    try:
        return running.settings.app is not None and bool(running.declared.workflow(word))
    except InterlockError:
        return False


def app_nouns(running: Session) -> list[str]:
    """The nouns that workflows of the named app add; none where the app cannot be imported, so that help is always there."""
    try:
        if running.settings.app is None:
            return []
        workflows = running.declared.workflows.values()
    except InterlockError:
        return []
    return sorted(noun for workflow in workflows for noun in workflow.extension.commands)
