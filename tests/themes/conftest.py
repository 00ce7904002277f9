"""A themes workflow on each database, with an endpoint on loopback that answers as a test decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from interlock.testing import Sandbox
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.workflow import declare
from tests.service.asking import Asker
from tests.service.conforming import ConformingAsker, declared_by

from .endpoint_server import EndpointServer, Reply, completion
from .items import THEMES

People = Callable[[str, str], Asker]


@pytest.fixture
def server() -> Iterator[EndpointServer]:
    with EndpointServer(lambda _: Reply(body=completion(THEMES))) as made:
        yield made


@pytest.fixture
def box(database_url: str, server: EndpointServer) -> Iterator[Sandbox]:
    """Afterwards the history verifies."""
    workflow = declare(Options(provider=server.url, key="k", timeout=10.0))
    with closing(Sandbox([workflow], database=database_url)) as made:
        yield made
        assert made.ledger.verify().ok


@pytest.fixture
def people(box: Sandbox) -> Iterator[People]:
    """Makes somebody who asks in a role."""
    askers: list[Asker] = []

    def ask_as(actor: str, role: str) -> Asker:
        askers.append(ConformingAsker(box.asgi(lambda request: (actor, role)), declared_by(declare)))
        return askers[-1]

    yield ask_as
    for asker in askers:
        asker.close()
