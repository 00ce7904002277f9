"""What the flags of one command line add up to: settings, the app, the shape of the output."""

from __future__ import annotations

import getpass
from typing import Any
from uuid import UUID

import click

from .. import settings
from ..app import App
from ..clock import SystemClock
from ..errors import BadInput, UnknownKind
from ..store.placement import Placement
from ..workflow import Workflow
from .loading import find_app
from .remote import Remote

BUNDLED = "interlock.workflows:bundled"
BUNDLED_NOUNS = "interlock.workflows:NOUNS"


class Session:
    """One command line; flags may stand before or after the command's name."""

    def __init__(self) -> None:
        self.flags: dict[str, str | None] = {}
        self.output = "table"
        self.debug = False
        self.clock = SystemClock()
        self._app: App | None = None

    @property
    def settings(self) -> settings.Settings:
        return settings.load(self.flags)

    @property
    def app(self) -> App:
        """The app with its database, for what only those can do."""
        self.refuse_service()
        return self.declared

    def refuse_service(self) -> None:
        """A service that was named must not be passed by in silence."""
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

    @property
    def remote(self) -> Remote | None:
        """The service to ask, where one was named."""
        chosen = self.settings
        return None if chosen.url is None else Remote(chosen.url, chosen.key)

    @property
    def source(self) -> Any:
        """Who answers: the service that was named, or the app itself; both are asked in the same words."""
        return self.remote or self.app

    def bundled_app(self) -> App:
        """The app; where none is named, the workflows that come with Interlock."""
        if self._app is None and self.settings.app is None:
            self.flags["app"] = BUNDLED
        return self.app

    def close(self) -> None:
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

    def record_id(self, kind: str, written: str) -> Any:
        """The id as the record's table holds it."""
        if self.settings.url is not None:
            return written  # the service knows what its ids are
        workflow = self.workflow(kind)
        place = Placement(workflow, next(iter(workflow.axes.values())), self.app.database.dialect)
        if place.python_type is UUID and written:
            try:
                return UUID(written)
            except ValueError as error:
                raise BadInput(f"{kind}: {written!r} is not an id of this kind; its ids are UUIDs") from error
        return place.check_id(written)

    def actor(self, named: str | None) -> str:
        """Who gives the command: as said, else whoever is logged in."""
        if named is not None:
            return named
        try:
            return getpass.getuser()
        except (KeyError, OSError):  # a container without a name for its user
            return "operator"


def assignment(text: str, what: str) -> tuple[str, str]:
    """`name=value`, as in axis=state."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise click.UsageError(f"{text!r} is not {what}.")
    return name.strip(), value


def state(text: str) -> str | None:
    """A state as typed; `null` is the state of an axis that has none yet."""
    return None if text == "null" else text


def known_axis(workflow: Workflow, name: str) -> str:
    if name not in workflow.axes:
        raise UnknownKind(
            f"{workflow.name} has no axis {name!r}; it has {', '.join(workflow.axes)}",
            kind=workflow.name,
            axis=name,
        )
    return name
