"""Finds the app of a command, `module:attribute`; the working folder is searched first."""

from __future__ import annotations

import importlib
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..app import App
from ..errors import BadInput, InterlockError, SchemaOutdated
from ..settings import Settings
from ..store.connect import Database
from ..store.files.private_files import make_folder
from ..workflow import Workflow

DEFAULT_SERVICE = ("127.0.0.1", 8700)
BUNDLED = "interlock.workflows:bundled"
"""The workflows that come with Interlock: what every command means where no app is named."""


def find_app(settings: Settings, database: str | None) -> App:
    """The app, or the bundled workflows where none is named; a `--database` given by flag takes the place of the one the app names."""
    named = settings.app or BUNDLED
    found = attribute(named)
    if isinstance(found, App):
        return (
            found
            if database is None
            else App(
                list(found.workflows.values()),
                database=database,
                files=found.files_location,
                transport=found.transport_choice,
                clock=found.clock,
            )
        )
    workflows = [found] if isinstance(found, Workflow) else found
    if (
        not isinstance(workflows, Sequence)
        or isinstance(workflows, str)
        or not all(isinstance(one, Workflow) for one in workflows)
    ):
        raise BadInput(
            f"{named} is neither an App nor a list of Workflows, but {type(found).__name__}",
            hint="Name the App, or a list of Workflows: --app shop.workflows:app",
        )
    if settings.database is None and settings.app is not None:
        make_folder(Path(settings.data))
    return App(list(workflows), database=settings.database_url, files=settings.files_location)


def refuse_nothing(settings: Settings) -> None:
    """Raise where no app, no database and no service is named, and this folder has no database of the bundled workflows either."""
    if settings.app is None and settings.database is None and not has_database(settings):
        hint = "`interlock up` starts the bundled workflows here. Your own: --app module:attribute, INTERLOCK_APP, app in interlock.toml."
        if is_listening(*DEFAULT_SERVICE):
            host, port = DEFAULT_SERVICE
            hint = f"A service listens on port {port} of this machine; ask it with --url http://{host}:{port}. {hint}"
        raise BadInput(f"there is no Interlock database in {settings.data}", hint=hint)


def refuse_missing_file(database: Database) -> None:
    """Raise where the database is a file that is not there: opening it would make an empty one."""
    file = database.sql.connections.file(database.engine.url)
    if file is not None and file.parent.is_dir() and not file.exists():
        raise SchemaOutdated(
            f"there is no database {file}",
            hint="Is this the right folder? Name the database with --database, or run `interlock db upgrade`, which makes it.",
        )


def has_database(settings: Settings) -> bool:
    """Whether the data folder has an embedded database."""
    return (Path(settings.data) / "interlock.sqlite").is_file()


def is_listening(host: str, port: int) -> bool:
    """Whether anything accepts connections there."""
    try:
        with socket.create_connection((host, port), timeout=0.2):
            return True
    except OSError:
        return False


def attribute(named: str) -> Any:
    """What `module:attribute` stands for."""
    module_name, colon, path = named.partition(":")
    if not colon or not module_name or not path or module_name.endswith(".py"):
        raise BadInput(f"{named!r} does not name an app", hint=_as_module(module_name))
    found: Any = load_module(module_name)
    for name in path.split("."):
        if not hasattr(found, name):
            raise BadInput(f"{module_name} has no attribute {path!r}", hint=suggestion(found))
        found = getattr(found, name)
    return found


def _as_module(name: str) -> str:
    """How an app is named, made from the file that was named instead."""
    if not name.endswith(".py"):
        return "Write module:attribute, such as shop.workflows:app"
    module = ".".join(part for part in Path(name).with_suffix("").parts if part not in (".", "/"))
    return f"Write the module without .py, and the attribute behind it: {module}:app"


def load_module(name: str) -> Any:
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except InterlockError:
        raise
    except ModuleNotFoundError as error:
        hint = (
            "The folder you are in is searched first."
            if error.name and name.startswith(error.name)
            else f"{name} imports {error.name}; it has to be installed beside interlock."
        )
        raise BadInput(f"cannot import {name}: {error}", hint=hint) from error
    except Exception as error:
        raise BadInput(
            f"importing {name} failed: {type(error).__name__}: {error}", hint="--debug shows where."
        ) from error


def suggestion(module: Any) -> str:
    """The names in a module that could have been meant."""
    fitting = (
        [name for name, value in vars(module).items() if isinstance(value, App | Workflow)]
        if hasattr(module, "__dict__")
        else []
    )
    return f"It has {', '.join(fitting)}." if fitting else ""
