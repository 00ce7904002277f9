"""Many clients on one record, a thousand in `make soak`: each command is applied at most once, and everybody gets a true answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest

from interlock import App, Machine
from interlock.service.application import build
from interlock.service.http.limits import Limits
from tests.kinds import open_app, plain
from tests.service.asking import LOCAL

PATIENT = Limits(rate=0, seconds=110)
LIGHT = Machine("light", initial="red", states=["red", "green"])


@pytest.fixture
def app(database_url: str) -> Any:
    made = open_app(database_url, plain(LIGHT, "lights"))
    made.admit("lights", {"id": "one"})
    yield made
    made.close()


async def crowd(application: Any, command: Any, clients: int) -> list[httpx.Response]:
    """So many requests at once."""
    transport = httpx.ASGITransport(application, client=LOCAL)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=None) as client:
        return await asyncio.gather(
            *(client.post("/api/v1/lights/records/one/moves", **command(number)) for number in range(clients))
        )


def applied(app: App) -> list[Any]:
    return app.ledger.history("lights", "one")[1:]


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    ("clients", "commands"), [(150, 15), pytest.param(1_000, 100, marks=pytest.mark.soak)]
)
def test_the_same_commands_sent_by_many_are_each_done_once(app: App, clients: int, commands: int) -> None:
    """Commands under keys of their own, each sent by ten: amendments, which always step the version."""

    async def everybody() -> list[httpx.Response]:
        transport = httpx.ASGITransport(build(app, limits=PATIENT), client=LOCAL)
        async with httpx.AsyncClient(
            transport=transport, base_url="http://127.0.0.1", timeout=None
        ) as client:
            return await asyncio.gather(
                *(
                    client.post(
                        "/api/v1/lights/records/one/amend",
                        headers={"Idempotency-Key": f"k{number % commands}"},
                        json={"facts": {"note": f"n{number % commands}"}, "reason": "so"},
                    )
                    for number in range(clients)
                )
            )

    answers = asyncio.run(everybody())
    for number in range(commands):
        told = {(answer.status_code, answer.text) for answer in answers[number::commands]}
        assert len(told) == 1, "everybody with the same key is told the same"
    done = Counter(move.facts["note"] for move in applied(app))
    assert set(done.values()) == {1}
    won = {f"n{number}" for number in range(commands) if answers[number].status_code == 200}
    assert set(done) == won
    assert all(answer.json()["code"] == "ILK-208" for answer in answers if answer.status_code != 200)
    assert app.check().findings == []


@pytest.mark.timeout(240)
@pytest.mark.parametrize("clients", [150, pytest.param(1_000, marks=pytest.mark.soak)])
def test_of_many_who_saw_the_same_version_one_wins_and_the_others_learn_who(app: App, clients: int) -> None:
    def command(number: int) -> dict[str, Any]:
        return {
            "json": {"to": "green", "reason": f"by {number}"},
            "headers": {"If-Match": '"0"', "Idempotency-Key": f"k{number}"},
        }

    answers = asyncio.run(crowd(build(app, limits=PATIENT), command, clients))
    assert Counter(answer.status_code for answer in answers) == {200: 1, 412: clients - 1}
    (move,) = applied(app)
    winner = next(number for number, answer in enumerate(answers) if answer.status_code == 200)
    assert move.reason == f"by {winner}"
    for answer in answers:
        if answer.status_code == 412:
            facts = answer.json()["facts"]
            assert (facts["seen"], facts["version"], facts["state"], facts["actor"]) == (
                0,
                1,
                "green",
                "local",
            )
    again = asyncio.run(crowd(build(app, limits=PATIENT), command, 50))
    assert [answer.text for answer in again] == [answer.text for answer in answers[:50]], (
        "under the same key the same answer, ever after"
    )
    assert len(applied(app)) == 1
    assert app.check().findings == []
