"""What a workflow adds to the surfaces of its app: routes, commands, pages, metrics, service levels, invariants. One immutable value."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, Connection

from ..errors import BadDeclaration
from .surfaces.figure import Figure
from .surfaces.invariant import Invariant
from .surfaces.need import Need

if TYPE_CHECKING:
    from .workflow import Workflow

Routes = Callable[[Any, "Workflow", Any], Iterable[Any]]
Metrics = Callable[[Connection, "Workflow"], Iterable[Figure]]
Level = Mapping[str, Any]
PLACE = re.compile(r"[\w.]+:\w+")
NOUN = re.compile(r"[a-z][a-z0-9-]{0,39}", re.ASCII)
PATH = re.compile(r"[a-z0-9][a-z0-9/_-]{0,99}", re.ASCII)
INTAKE = re.compile(r"(GET|POST|PUT|PATCH) /\S+", re.ASCII)
SCOPES = ("viewer", "curator", "operator", "admin")


def _allowed(method: str, path: str) -> str:
    return ""


@dataclass(frozen=True)
class PageContext:
    """What a page is rendered from: `client` reads and acts as whoever looks; `query` holds the parameters of the address.

    `workflows` are the app's declarations, by kind. `path` holds the names in the page's own path, `base` is the prefix under which the
    service runs, `now` the instant of rendering.
    `may(method, path)` is empty where whoever looks reaches that route of the API, and says what it needs otherwise, so that a page can
    show what it refuses.
    """

    client: Any
    kind: str
    actor: str
    role: str | None
    query: Mapping[str, str]
    path: Mapping[str, str] = field(default_factory=dict)
    scope: str = ""
    base: str = ""
    now: datetime | None = None
    may: Callable[[str, str], str] = _allowed
    workflows: Mapping[str, Workflow] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Page:
    """A page of the console below the workflow's own: `render` returns the file of a template and the values that it shows.

    `least` is the scope that whoever looks must have, as for a route. `group` is its heading in the rail: "Look", "Decide", "Workflows"
    or "System". The key `letter` opens it after `g`. `decides`: people decide here about what waits for a person, and the rail counts it.
    `record` is the parameter of its address that names one record, such as "id": the page of each record then leads here.
    """

    path: str
    title: str
    render: Callable[[PageContext], tuple[Path, Mapping[str, Any]]]
    least: str = "viewer"
    group: str = "Workflows"
    letter: str = ""
    decides: bool = False
    record: str = ""

    def __post_init__(self) -> None:
        if not PATH.fullmatch(self.path):
            raise BadDeclaration(
                f"page path {self.path!r} is not lower case letters, digits, -, _ and /, beginning with a letter or digit",
                hint='Such as Page("shelves/open", "Shelves", render).',
            )
        if not self.title or not callable(self.render):
            raise BadDeclaration(
                f"page {self.path!r} needs a title and a function that renders it",
                hint=f'Write Page("{self.path}", "Shelves", render), with a def render(context).',
            )
        if self.least not in SCOPES:
            raise BadDeclaration(
                f"page {self.path!r}: least={self.least!r} is not a scope",
                hint=f"It is one of {', '.join(SCOPES)}.",
            )


@dataclass(frozen=True, eq=False)
class Extension:
    """What a workflow adds to the surfaces of its app; handed over as `Workflow(…, extension=Extension(…))`.

    - `routes(app, workflow, limits)` returns the routes that it adds to the HTTP API, each an `interlock.http.Route`; called when a
      service is built.
    - `commands` maps a noun of the command line to a function that makes its click command; called when the noun is typed.
      Both can be places instead, such as `"shop.api:routes"` and `"shop.commands:noun"` (the command itself): imported when they are
      needed, so that a runner imports neither FastAPI nor click.
    - `pages` are pages of the console.
    - `metrics(tx, workflow)` returns figures for Prometheus, each an `interlock.extension.Figure`; called for a scrape, in a transaction
      that only reads.
    - `levels` maps the name of a service level to its words, those of `[levels.NAME]` in `interlock.toml`.
    - `invariants` are checked by `interlock check` beside those of the engine.
    - `needs` are records that need a person for a reason that no state has; the board, the rail and `interlock` alone count them.
    - `private` are columns of the record that no surface shows or takes.
    - `intake` names the route by which records come in, where a plain row is not enough: `"POST /api/v1/uploads"`.

    It can also be set later, as long as no App was made from the workflow: `orders.extension = replace(orders.extension, intake=…)`, with
    `dataclasses.replace`.
    """

    routes: Routes | str | None = None
    commands: Mapping[str, Callable[[], Any] | str] = field(default_factory=dict)
    pages: Sequence[Page] = ()
    metrics: Metrics | None = None
    levels: Mapping[str, Level] = field(default_factory=dict)
    invariants: Sequence[Invariant] = ()
    private: Collection[str | Column[Any]] = frozenset()
    intake: str = ""
    needs: Sequence[Need] = ()

    def __post_init__(self) -> None:
        if self.routes is not None and not _is_function(self.routes):
            raise BadDeclaration(
                f"routes of an extension is a function or its place, not {self.routes!r}",
                hint='Write routes=make_routes, or its place: routes="shop.api:make_routes".',
            )
        if self.metrics is not None and not callable(self.metrics):
            raise BadDeclaration(
                f"metrics of an extension is a function, not {_kind(self.metrics)}",
                hint="Write metrics=figures, with a def figures(tx, workflow) that returns a list of Figure.",
            )
        self._keep("commands", _commands(self.commands))
        self._keep("pages", _pages(self.pages))
        self._keep("levels", _levels(self.levels))
        self._keep("invariants", _all_of(Invariant, "invariants", self.invariants))
        self._keep("needs", _needs(self.needs, self.pages))
        self._keep("private", frozenset(map(_column_name, _several("private", self.private))))
        if self.intake and not INTAKE.fullmatch(str(self.intake)):
            raise BadDeclaration(
                f"intake {self.intake!r} is not a method and a path",
                hint='Write the route by which records come in, such as "POST /api/v1/uploads".',
            )

    def make_routes(self, app: Any, workflow: Workflow, limits: Any) -> list[Any]:
        """The routes that it adds to the HTTP API of this app."""
        if self.routes is None:
            return []
        make: Routes = import_place(self.routes) if isinstance(self.routes, str) else self.routes
        return list(make(app, workflow, limits))

    def make_command(self, noun: str) -> Any:
        """The click command of a noun that it adds."""
        make = self.commands[noun]
        return import_place(make) if isinstance(make, str) else make()

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)


def import_place(place: str) -> Any:
    """What `module:name` names; a place where nothing is refuses the declaration."""
    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise BadDeclaration(
            f"an extension names {place!r}, which cannot be imported: {error}",
            hint='A place is module:attribute, such as "shop.api:make_routes".',
        ) from error


def _is_function(value: Any) -> bool:
    return bool(PLACE.fullmatch(value)) if isinstance(value, str) else callable(value)


def _kind(value: Any) -> str:
    return type(value).__name__


def _several(what: str, values: Any) -> Iterable[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise BadDeclaration(
            f"{what} of an extension is a list, not {_kind(values)}", hint=f"Write {what}=[…]."
        )
    return values


def _all_of(kind: type[Any], what: str, values: Any) -> tuple[Any, ...]:
    members = tuple(_several(what, values))
    for one in members:
        if not isinstance(one, kind):
            raise BadDeclaration(
                f"{what} of an extension holds {_kind(one)}; each must be {kind.__name__}",
                hint=f"Write {what}=[{kind.__name__}(…)].",
            )
    return members


def _commands(values: Any) -> Mapping[str, Callable[[], Any] | str]:
    for name, make in _mapping("commands", values).items():
        if not isinstance(name, str) or not NOUN.fullmatch(name):
            raise BadDeclaration(
                f"command {name!r} is not lower case letters, digits and -",
                hint='Such as commands={"parcels": make_command}.',
            )
        if not _is_function(make):
            raise BadDeclaration(
                f"command {name!r} is a function that makes a click command, or the command's place, not {make!r}",
                hint=f'Write commands={{"{name}": "shop.commands:{name}"}}.',
            )
    return MappingProxyType(dict(values))


def _pages(values: Any) -> tuple[Page, ...]:
    members = _all_of(Page, "pages", values)
    paths = [page.path for page in members]
    if twice := sorted({path for path in paths if paths.count(path) > 1}):
        raise BadDeclaration(
            f"pages of an extension have the same path: {', '.join(twice)}",
            hint="Give each page its own path.",
        )
    return members


def _needs(values: Any, pages: Sequence[Page]) -> tuple[Need, ...]:
    members = _all_of(Need, "needs", values)
    paths = {"", *(page.path for page in pages)}
    for one in members:
        if one.page.partition("?")[0] not in paths:
            raise BadDeclaration(
                f"need {one.many!r} is shown on the page {one.page!r}, which the extension does not bring"
            )
    return members


def _levels(values: Any) -> Mapping[str, Level]:
    for name, words in _mapping("levels", values).items():
        if not isinstance(name, str) or not name or not isinstance(words, Mapping):
            raise BadDeclaration(
                f"service level {name!r} is a name with its words, not {_kind(words)}",
                hint='Such as levels={"pack": {"leave": "packing", "within": "1h", "share": 99}}.',
            )
    return MappingProxyType({name: MappingProxyType(dict(words)) for name, words in values.items()})


def _mapping(what: str, values: Any) -> Mapping[Any, Any]:
    if not isinstance(values, Mapping):
        raise BadDeclaration(
            f"{what} of an extension is a mapping, not {_kind(values)}", hint=f'Write {what}={{"name": …}}.'
        )
    return values


def _column_name(column: Any) -> str:
    name = column if isinstance(column, str) else getattr(column, "name", None)
    if not isinstance(name, str) or not name:
        raise BadDeclaration(
            f"private of an extension holds {column!r}; each must be a column or its name",
            hint='Write private=["secret"].',
        )
    return name
