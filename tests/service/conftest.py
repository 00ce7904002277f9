"""The four small workflows behind the API, with a key of every scope, on each database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from interlock import App
from interlock.service.application import build
from interlock.service.http.limits import Limits
from interlock.store.records import api_keys as keys
from tests.kinds import four_kinds, open_app
from tests.service.asking import LOCAL, Asker

Ask = Callable[..., Asker]
WIDE = Limits(rate=0)


def make_app(url: str) -> App:
    return filled(open_app(url, *four_kinds()))


def filled(app: App) -> App:
    """The app with records of every kind; closed where they are refused, so that no later test finds its connections."""
    try:
        app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(5)])
        app.admit_many("domains", [{"id": number, "host": f"host{number}.example"} for number in range(1, 4)])
        app.admit("content", {"item_id": "c1", "author": "bob"})
        app.admit("themes", {"id": 1, "title": "Rates rise"})
    except BaseException:
        app.close()
        raise
    return app


def make_key(app: App, scope: str, name: str | None = None, **options: Any) -> str:
    with app.database.write() as tx:
        return keys.create(tx, name or scope, scope, by="test", now=app.clock.now(), **options)


@pytest.fixture(autouse=True)
def known_in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests within the test's own process have no socket that could belong to anybody: apps know their client by its name."""
    monkeypatch.setattr(App, "local_clients", frozenset({LOCAL[0]}))


@pytest.fixture
def app(shop_url: str) -> Iterator[App]:
    made = filled(App(four_kinds(), database=shop_url))
    yield made
    made.close()


@pytest.fixture
def ask() -> Iterator[Ask]:
    """Opens clients of an application, and closes them after the test."""
    opened: list[Asker] = []

    def open_(application: Any, key: str | None = None, **options: Any) -> Asker:
        opened.append(Asker(application, key, **options))
        return opened[-1]

    yield open_
    for one in opened:
        one.close()


@pytest.fixture
def local(app: App, ask: Ask) -> Asker:
    """The user of this machine, while no key was made."""
    return ask(build(app, limits=WIDE))
