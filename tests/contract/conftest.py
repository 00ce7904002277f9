"""Apps that are closed after their test, somebody who types SQL by hand, and one record of every shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interlock import App, Workflow
from interlock.observe.invariants import check_counters
from interlock.testing import Sandbox
from tests.contract.hand import Hand
from tests.contract.subjects import SUBJECTS, Subject
from tests.kinds import PREPARED_BY, open_app, prepare
from tests.servers.as_coordinator import CoordinatorDatabase

Opener = Callable[..., App]


@pytest.fixture
def opened(database_url: str) -> Iterator[Opener]:
    """Opens apps on the test's database; afterwards nothing may be wrong in it, unless the test has said so."""
    apps: list[App] = []

    def open_(*workflows: Workflow, **options: Any) -> App:
        apps.append(open_app(database_url, *workflows, **options))
        return apps[-1]

    yield open_
    for app in apps:
        app.close()


@pytest.fixture
def boxed(database_url: str, request: pytest.FixtureRequest) -> Iterator[Callable[..., Sandbox]]:
    """Opens sandboxes on the test's database: time stands still, and actors step when told to; afterwards nothing may be wrong
    but what the test says of itself that it leaves behind."""
    marker = request.node.get_closest_marker("leaves")
    boxes: list[Sandbox] = []

    def open_(*workflows: Workflow) -> Sandbox:
        prepare(database_url, workflows)
        boxes.append(Sandbox(workflows, database=database_url))
        return boxes[-1]

    yield open_
    found = {finding.invariant for box in boxes for finding in box.check().findings}
    for box in boxes:
        box.close()
    assert found == set(marker.args if marker else ())


@pytest.fixture
def whole() -> Callable[[App], None]:
    """Holds an app's database against every invariant, counters included."""

    def look(app: App) -> None:
        assert app.check().findings == []
        assert check_counters(app.database, list(app.workflows.values())) == []

    return look


@pytest.fixture
def hand(request: pytest.FixtureRequest, database_url: str) -> Iterator[Hand]:
    """Whoever types owns the database and is at its own console: guards hold there too, where grants do not."""
    if database_url.startswith("sqlite"):
        typing = Hand(database_url)
    elif database_url in PREPARED_BY:
        database: CoordinatorDatabase = request.getfixturevalue("coordinator_database")
        typing = Hand(database.owner_url, database.make)
    else:
        typing = Hand(request.getfixturevalue("postgres_url"))
    yield typing
    typing.close()


@pytest.fixture(params=SUBJECTS)
def subject(request: pytest.FixtureRequest) -> Subject:
    return SUBJECTS[request.param]


@pytest.fixture
def app(subject: Subject, opened: Opener) -> App:
    """An app in which the subject and two others like it were admitted."""
    made = opened(subject.make())
    subject.admit(made)
    return made
