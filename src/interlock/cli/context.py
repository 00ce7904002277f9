"""The session of one command line: settings, the app or service it asks, and the output format."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from .. import settings
from ..app import App
from ..client import Client, LocalClient, connect
from ..clock import SystemClock
from ..errors import BadInput
from ..workflow import Workflow
from .loading import BUNDLED, find_app, refuse_missing_file, refuse_nothing
from .render.output import note

if TYPE_CHECKING:  # needs httpx, which only remote commands need
    from ..client import RemoteClient

BUNDLED_NOUNS = "interlock.workflows:NOUNS"
BUNDLED_EXAMPLES = "interlock.workflows:EXAMPLES"


class Session:
    """One command line; flags may stand before or after the command's name."""

    def __init__(self) -> None:
        self.flags: dict[str, str | None] = {}
        self.output = "table"
        self.debug = False
        self.clock = SystemClock()
        self._app: App | None = None
        self._service: RemoteClient | None = None

    @property
    def settings(self) -> settings.Settings:
        return settings.load(self.flags)

    @property
    def app(self) -> App:
        """The app with its database, for commands that a service cannot answer."""
        self.refuse_service()
        return self.declared

    def refuse_service(self) -> None:
        """Raise where --url was given for a command that needs the database itself."""
        if self.settings.url is not None:
            command = (
                context.command_path
                if (context := click.get_current_context(silent=True))
                else "this command"
            )
            raise BadInput(
                f"`{command}` works on the database itself; a service cannot be asked for it",
                hint="Leave out --url (INTERLOCK_URL, url in interlock.toml), and run it where the database is reached: "
                "--app module:attribute --database URL.",
            )

    @property
    def declared(self) -> App:
        """The app as it is declared here, opened when first asked for."""
        if self._app is None:
            self._app = find_app(self.settings, self.flags.get("database"))
        return self._app

    def client(self, actor: str | None = None, *, reads_records: bool = True) -> Client:
        """Who answers: the service that was named, or the app itself, where every act is this actor's (default: the user who is logged
        in). `reads_records` is False where declarations are all that is asked for, which no database is needed for."""
        if self.service is not None:
            if actor is not None and is_typed("actor"):
                note("--actor is left aside: a service knows by the API key who acts")
            return self.service
        if reads_records:
            refuse_nothing(self.settings)
            refuse_missing_file(self.app.database)
        return LocalClient(self.app, self.actor(actor))

    @property
    def service(self) -> RemoteClient | None:
        """The service that was named, where one was."""
        chosen = self.settings
        if self._service is None and chosen.url is not None:
            self._service = connect(chosen.url, key=chosen.key)
        return self._service

    def bundled_app(self) -> App:
        """The app; where none is named, the workflows that come with Interlock, with a new database where there is none."""
        if self._app is None and self.settings.app is None:
            self.flags["app"] = BUNDLED
        return self.app

    def close(self) -> None:
        if self._service is not None:
            self._service.close()
        if self._app is not None:
            self._app.database.forget_connections()  # not closed: an app of the user's own module may be asked again

    def workflows(self) -> list[Workflow]:
        """All of the app's, each with its table known."""
        return [self.workflow(name) for name in self.app.workflows]

    def workflow(self, kind: str) -> Workflow:
        """One of the app's; a table that was given by name is read from the database first."""
        found = self.app.workflow(kind)
        if found.reflected:
            with self.app.database.read() as tx:
                found.reflect(tx)
        return found

    def actor(self, named: str | None) -> str:
        """The actor of the command: the one that was named, else the user who is logged in."""
        if named is not None:
            return named
        try:
            return getpass.getuser()
        except (KeyError, OSError):  # a container without a name for its user
            return "operator"


def is_typed(option: str) -> bool:
    """Whether this option of the running command was typed, not taken from the environment or left out."""
    context = click.get_current_context(silent=True)
    return context is not None and context.get_parameter_source(option) is ParameterSource.COMMANDLINE


def assignment(text: str, what: str) -> tuple[str, str]:
    """`name=value`, as in axis=state."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise click.UsageError(f"{text!r} is not {what}.")
    return name.strip(), value


def state(text: str) -> str | None:
    """A state as typed; `null` is the state of an axis that has none yet."""
    return None if text == "null" else text
