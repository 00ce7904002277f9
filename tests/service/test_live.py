"""Whoever follows gets every entry once, in commit order, whatever breaks off in between."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import httpx
import pytest

from interlock import App
from interlock.service.application import build
from interlock.service.connections import feed
from interlock.service.http.limits import Limits
from interlock.service.resources import live
from interlock.store.records import api_keys as keys
from tests.kinds import domains, open_app, uploads
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

Event = dict[str, str]


@pytest.fixture
def app(database_url: str) -> Iterator[App]:
    made = open_app(database_url, uploads(), domains())
    yield made
    made.close()


def events(lines: Iterator[str]) -> Iterator[Event]:
    """Parts of the stream, each as its fields; a remark has only its text."""
    fields: Event = {}
    for line in lines:
        if not line:
            yield fields
            fields = {}
        else:
            name, _, value = line.partition(": ")
            fields[name or "remark"] = value


def follow(
    address: str, wanted: Callable[[list[Event]], bool], last: str | None = None, **options: Any
) -> list[Event]:
    """What comes until enough has come."""
    seen: list[Event] = []
    headers = {**({} if last is None else {"Last-Event-ID": last}), **options.pop("headers", {})}
    with httpx.stream("GET", f"{address}/api/v1/live", headers=headers, timeout=30, **options) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        for event in events(answer.iter_lines()):
            seen.append(event)
            if wanted(seen):
                return seen
    return seen


def admitted(seen: list[Event]) -> list[str]:
    return [json.loads(event["data"])["id"] for event in seen if event.get("event") == "move"]


def test_a_stream_goes_on_after_a_restart_without_gap_or_repeat(app: App, database_url: str) -> None:
    app.admit("statements", {"id": "before"})
    with ThreadPoolExecutor(4) as pool:
        writing = [pool.submit(app.admit, "statements", {"id": f"r{number}"}) for number in range(60)]
        with served(build(app, limits=WIDE)) as address:
            first = follow(address, lambda seen: len(admitted(seen)) >= 10, "0.0")
        second_app = open_app(database_url, uploads(), domains())
        with served(build(second_app, limits=WIDE)) as address:
            last = next(event["id"] for event in reversed(first) if event.get("event") == "move")
            for one in writing:
                one.result(60)
            app.admit("statements", {"id": "end"})
            second = follow(address, lambda seen: "end" in admitted(seen), last)
        second_app.close()
    everything = [move.id for _, move in app.ledger.tail("0.0", limit=1000)]
    assert admitted(first) + admitted(second) == everything
    assert len(set(everything)) == 62


def test_without_a_place_to_go_on_from_it_begins_now(app: App) -> None:
    app.admit("statements", {"id": "old"})

    def enough(seen: list[Event]) -> bool:
        if len(seen) == 1:
            assert seen[0]["event"] == "ready"
            app.admit("statements", {"id": "new"})
        return bool(admitted(seen))

    with served(build(app, limits=WIDE)) as address:
        seen = follow(address, enough)
    assert admitted(seen) == ["new"]
    assert json.loads(seen[-1]["data"])["cursor"] == seen[-1]["id"]


def test_a_kind_can_be_followed_alone(app: App) -> None:
    app.admit("domains", {"id": 7, "host": "a"})
    app.admit("statements", {"id": "mine"})
    with served(build(app, limits=WIDE)) as address:
        assert admitted(
            follow(address, lambda seen: bool(admitted(seen)), params={"kind": "statements", "after": "0.0"})
        ) == ["mine"]
        assert httpx.get(f"{address}/api/v1/live", params={"kind": "nothing"}).status_code == 404
        assert httpx.get(f"{address}/api/v1/live", headers={"Last-Event-ID": "soon"}).status_code == 400


def test_many_who_follow_share_one_watch_and_all_see_all(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    watches = []
    real = feed.Feed._watch
    monkeypatch.setattr(feed.Feed, "_watch", lambda self, stop: (watches.append(1), real(self, stop)))
    with served(build(app, limits=WIDE)) as address, ThreadPoolExecutor(8) as pool:
        all_follow = Barrier(9, timeout=60)

        def wanted(seen: list[Event]) -> bool:
            if len(seen) == 1:
                all_follow.wait()
            return len(admitted(seen)) >= 30

        app.admit("statements", {"id": "r00"})
        followers = [pool.submit(follow, address, wanted, "0.0") for _ in range(8)]
        all_follow.wait()
        for number in range(1, 30):
            app.admit("statements", {"id": f"r{number:02}"})
        seen = [one.result(60) for one in followers]
    assert [admitted(one) for one in seen] == [[f"r{number:02}" for number in range(30)]] * 8
    assert len(watches) == 1


def test_whoever_is_further_behind_than_the_feed_reaches_reads_the_ledger(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "KEPT", 3)
    app.admit_many("statements", [{"id": f"r{number:03}"} for number in range(700)])
    with served(build(app, limits=WIDE)) as address:
        seen = follow(address, lambda seen: len(admitted(seen)) >= 700, "0.0")
    assert admitted(seen) == [f"r{number:03}" for number in range(700)]


@pytest.mark.sqlite_only
def test_silence_is_broken_by_remarks_that_carry_the_place(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)
    app.admit("statements", {"id": "old"})
    with served(build(app, limits=WIDE)) as address:
        seen = follow(address, lambda seen: len(seen) >= 3)
    assert [event.get("remark") for event in seen] == [None, "still here", "still here"]
    assert {event["id"] for event in seen} == {str(app.ledger.tail(limit=1)[0][0])}


@pytest.mark.sqlite_only
def test_a_revoked_key_ends_its_streams(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.05)
    secret = make_key(app, "viewer")

    def revoke(seen: list[Event]) -> bool:
        if len(seen) == 2:
            with app.database.write() as tx:
                keys.revoke(tx, "viewer", app.clock.now())
        return False

    with served(build(app, limits=WIDE)) as address:
        follow(
            address, revoke, headers={"Authorization": f"Bearer {secret}"}
        )  # returns only because the stream ends


@pytest.mark.sqlite_only
def test_no_more_may_follow_than_the_limit_says(app: App) -> None:
    with served(build(app, limits=Limits(rate=0, streams=1))) as address:

        def second(_: list[Event]) -> bool:
            answer = httpx.get(f"{address}/api/v1/live")
            assert (answer.status_code, answer.json()["code"]) == (429, "ILK-429")
            return True

        follow(address, second)
