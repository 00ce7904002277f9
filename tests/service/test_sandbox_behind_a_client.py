"""A Sandbox behind FastAPI's TestClient, as a team's own tests use it: with lifespan, from several threads, without a key."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi import FastAPI

from interlock import App
from interlock.testing import Sandbox
from tests.kinds import domains, uploads

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it asks for a newer httpx
    from fastapi.testclient import TestClient


def used(client: TestClient, box: Sandbox, prefix: str = "") -> None:
    """Reads and commands at once, each on a thread of its own, while the service's own threads look after the database."""
    box.admit_many("domains", [{"id": number, "host": f"h{number}"} for number in range(1, 5)])
    with ThreadPoolExecutor(4) as threads:
        moved = list(
            threads.map(
                lambda number: client.post(
                    f"{prefix}/api/v1/domains/records/{number}/moves",
                    json={"axis": "curation_status", "to": "Selected"},
                ),
                range(1, 5),
            )
        )
        seen = list(
            threads.map(lambda number: client.get(f"{prefix}/api/v1/domains/records/{number}"), range(1, 5))
        )
    assert [answer.status_code for answer in (*moved, *seen)] == [200] * 8, [
        answer.text for answer in (*moved, *seen)
    ]
    assert [box.get("domains", number)["processing_status"] for number in range(1, 5)] == ["Queued"] * 4
    assert {move.actor for move in box.ledger.history("domains", 1)} == {"app", "local"}


@pytest.mark.parametrize("runs", [15, pytest.param(200, marks=pytest.mark.soak)])
def test_the_default_sandbox_behind_a_test_client_works_every_time(runs: int) -> None:
    for _ in range(runs):
        box = Sandbox([domains(), uploads()])
        with TestClient(box.asgi()) as client:
            assert client.get("/health").status_code == 200
            used(client, box)
        assert box.check().findings == []
        box.close()


def test_it_can_be_mounted_in_an_application_of_ones_own() -> None:
    box = Sandbox([domains()])
    api = FastAPI()
    api.mount("/interlock", box.asgi())  # type: ignore[arg-type]
    with TestClient(api) as client:
        used(client, box, "/interlock")
    box.close()


@pytest.mark.sqlite_only
def test_an_app_that_is_no_sandbox_does_not_take_a_test_client_for_its_own_machine(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(App, "local_clients", frozenset())  # as it is outside these tests
    app = App([domains()], database=sqlite_url)
    app.migrate()
    with TestClient(app.asgi()) as client:
        assert client.get("/api/v1/domains/records").status_code == 401
    app.close()
