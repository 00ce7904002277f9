"""What a workflow hands over in its Extension reaches every surface, and only there: the service, the command line, figures, checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import select, update

from interlock import App, Axis, Extension, Machine, Workflow
from interlock.cli.program import interlock
from interlock.errors import BadDeclaration
from interlock.extension import Figure, Invariant, Page
from interlock.observe.metrics import levels_of
from interlock.observe.metrics.collector import Watch
from interlock.service.application import build, document
from interlock.testing import assert_history
from tests.kinds import open_app, plain
from tests.outside import bakery
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, make_key

LINE = Machine("line", initial="a", moves={"a": ["b"]})


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    """Three cakes of the bakery, of which one is baked."""
    app = open_app(database_url, bakery.declare())
    app.admit_many(
        "cakes", [{"id": n, "name": f"cake {n}", "layers": n, "recipe": "secret"} for n in (1, 2, 3)]
    )
    for state in ("baking", "baked"):
        app.move("cakes", 2, status=state, actor="oven")
    yield app
    app.close()


@pytest.fixture
def ask(app: App) -> Iterator[Callable[[str], Asker]]:
    opened: list[Asker] = []

    def by(scope: str) -> Asker:
        opened.append(Asker(build(app, limits=WIDE), make_key(app, scope, f"{scope} {len(opened)}")))
        return opened[-1]

    yield by
    for one in opened:
        one.close()


def test_a_route_answers_acts_as_its_caller_and_lets_in_only_whom_it_names(
    app: App, ask: Callable[[str], Asker]
) -> None:
    viewer, curator = ask("viewer"), ask("curator")
    assert viewer.get("/oven").json() == {"ordered": 4, "baked": 2}
    problem(viewer.post("/oven/2/sale"), 403, "ILK-403")
    assert app.get("cakes", 2)["status"] == "baked"
    assert curator.post("/oven/2/sale").json() == {"id": 2, "version": 3}
    assert_history(app, "cakes", 2, ["ordered", "baking", "baked", "sold"])
    (sale,) = [move for move in app.ledger.history("cakes", 2) if move.new == "sold"]
    assert (sale.actor, sale.role, sale.reason) == ("curator 1", "curator", "sold")
    problem(curator.post("/oven/1/sale"), 409, "ILK-204")
    assert_history(app, "cakes", 1, ["ordered"])
    assert "recipe" not in viewer.get("/cakes/records/2").json()["record"]


def test_a_command_is_listed_and_typed_like_any_other(app: App, database_url: str) -> None:
    typed = ("--app", "tests.outside.bakery:workflows", "--database", database_url)
    assert "bakery" in CliRunner().invoke(interlock, [*typed, "--help"]).stdout
    sold = CliRunner().invoke(interlock, [*typed, "bakery", "sell", "2", "-o", "csv"])
    assert (sold.exit_code, sold.stdout) == (0, "id,status\n2,sold\n"), sold.stderr
    refused = CliRunner().invoke(interlock, [*typed, "bakery", "sell", "1"])
    assert (refused.exit_code, "ILK-204" in refused.stderr) == (5, True)
    assert_history(app, "cakes", 2, ["ordered", "baking", "baked", "sold"])
    assert_history(app, "cakes", 1, ["ordered"])


def test_figures_and_service_levels_are_scraped_with_the_others(app: App) -> None:
    levels = levels_of(app.workflows.values(), {})
    figures = {one.name: one for one in Watch(app.database, app.clock, app.workflows, levels).figures()}
    assert figures["bakery_layers"].samples == {("cakes",): 6}
    assert [(one.name, one.kind, one.state) for one in levels] == [("baking", "cakes", "baking")]
    assert any("level" in name for name in figures)


def test_an_invariant_is_checked_and_its_offenders_are_named(app: App) -> None:
    assert app.check().ok
    app.move("cakes", 2, status="sold", actor="eve")
    with app.database.write() as tx:
        tx.execute(update(bakery.cakes).where(bakery.cakes.c.id == 2).values(layers=0))
    (broken,) = app.check().findings
    assert (broken.invariant, broken.kind, broken.id) == ("CAKE-1", "cakes", "2")


def test_an_extension_cannot_be_changed() -> None:
    extension = Extension(commands={"one": lambda: None}, levels={"l": {"leave": "a"}}, private=["x"])
    with pytest.raises(FrozenInstanceError):
        extension.intake = "POST /x"  # type: ignore[misc]
    for change in (
        lambda: extension.commands.update(two=lambda: None),  # type: ignore[attr-defined]
        lambda: extension.levels["l"].update(share=1),  # type: ignore[attr-defined]
        lambda: extension.private.add("y"),  # type: ignore[attr-defined]
        lambda: extension.invariants.append(None),  # type: ignore[attr-defined]
    ):
        with pytest.raises(AttributeError):
            change()
    assert (list(extension.commands), dict(extension.levels["l"]), extension.private) == (
        ["one"],
        {"leave": "a"},
        frozenset({"x"}),
    )


def test_what_was_handed_over_can_change_without_changing_the_extension() -> None:
    commands: dict[str, Callable[[], Any]] = {"one": lambda: None}
    extension = Extension(commands=commands)
    commands["two"] = lambda: None
    assert list(extension.commands) == ["one"]
    assert list(replace(extension, commands=commands).commands) == ["one", "two"]


@pytest.mark.parametrize(
    ("declared", "problem"),
    [
        ({"routes": [1]}, "routes of an extension is a function"),
        ({"routes": "no place"}, "routes of an extension is a function"),
        ({"metrics": "x"}, "metrics of an extension is a function"),
        ({"commands": ["x"]}, "commands of an extension is a mapping"),
        ({"commands": {"Two Words": lambda: None}}, "command 'Two Words'"),
        ({"commands": {"x": 1}}, "command 'x' is a function"),
        ({"levels": {"x": 99}}, "service level 'x'"),
        ({"invariants": ["x"]}, "each must be Invariant"),
        ({"pages": ["x"]}, "each must be Page"),
        ({"pages": [Page("a", "A", lambda context: (Path(), {}))] * 2}, "the same path: a"),
        ({"private": "recipe"}, "private of an extension is a list"),
        ({"private": [7]}, "a column or its name"),
        ({"intake": "uploads"}, "a method and a path"),
    ],
)
def test_an_extension_that_makes_no_sense_is_refused(declared: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadDeclaration, match=problem):
        Extension(**declared)


@pytest.mark.parametrize(
    ("path", "title", "least", "problem"),
    [
        ("/x", "X", "viewer", "page path"),
        ("x", "", "viewer", "title"),
        ("x", "X", "anybody", "is not a scope"),
    ],
)
def test_a_page_that_makes_no_sense_is_refused(path: str, title: str, least: str, problem: str) -> None:
    with pytest.raises(BadDeclaration, match=problem):
        Page(path, title, lambda context: (Path(), {}), least)


def test_an_app_refuses_an_extension_that_does_not_fit_its_workflow() -> None:
    for extension, message in (
        (Extension(private=["nothing"]), "private names 'nothing'"),
        (Extension(levels={"x": {"leave": "nowhere", "within": "1h", "share": 99}}), "no axis knows"),
        ({}, "extension is an Extension, not dict"),
    ):
        workflow = plain(LINE)
        workflow.extension = extension  # type: ignore[assignment]
        with pytest.raises(BadDeclaration, match=message):
            App([workflow], database="sqlite://")


@pytest.mark.parametrize(
    ("extension", "problem"),
    [
        (Extension(commands={"same": lambda: None}), "both add the command 'same'"),
        (Extension(levels={"same": {"leave": "a", "within": "1h", "share": 99}}), "by one and by two"),
    ],
)
def test_two_workflows_may_not_declare_the_same(extension: Extension, problem: str) -> None:
    workflows = [plain(LINE, "one"), plain(LINE, "two")]
    for workflow in workflows:
        workflow.extension = extension
    with pytest.raises(BadDeclaration, match=problem):
        App(workflows, database="sqlite://")


def test_a_private_column_of_a_table_that_is_named_only_is_looked_for_when_it_is_read(
    sqlite_url: str,
) -> None:
    before = App([plain(LINE)], database=sqlite_url)
    with before.database.write() as tx:
        tx.exec_driver_sql("CREATE TABLE orders (id TEXT PRIMARY KEY, note TEXT)")
    before.close()
    workflow = Workflow(
        "orders", records="orders", axes=[Axis("status", LINE)], extension=Extension(private=["nothing"])
    )
    app = App([workflow], database=sqlite_url)
    with pytest.raises(BadDeclaration, match="private names nothing"):
        app.migrate()
    app.close()


def test_two_apps_of_one_process_know_nothing_of_each_others_extensions(sqlite_url: str) -> None:
    other = plain(LINE, "other")
    other.extension = Extension(metrics=lambda tx, workflow: [Figure("other_figure", "Other.")])
    apps = [App([bakery.declare()], database=sqlite_url), App([other], database="sqlite://")]
    assert ["/api/v1/oven" in document(list(app.workflows.values()))["paths"] for app in apps] == [
        True,
        False,
    ]
    assert [len(Watch(app.database, app.clock, app.workflows).brought) for app in apps] == [1, 1]
    for app in apps:
        app.close()


def test_a_place_where_nothing_is_refuses_the_declaration() -> None:
    extension = Extension(routes="nowhere.api:routes", commands={"x": "tests.outside.bakery:nothing"})
    with pytest.raises(BadDeclaration, match=r"'nowhere.api:routes', which cannot be imported"):
        extension.make_routes(None, plain(LINE), None)
    with pytest.raises(BadDeclaration, match=r"'tests.outside.bakery:nothing', which cannot be imported"):
        extension.make_command("x")


def test_an_invariant_needs_an_id_and_a_statement() -> None:
    with pytest.raises(BadDeclaration, match="an id and a statement"):
        Invariant("", "x", select(bakery.cakes.c.id))
