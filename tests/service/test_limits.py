"""What is too much is refused early, with a word on what would not be."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator

import httpx
import pytest

from interlock import App
from interlock.errors import TooManyRequests
from interlock.service.application import build
from interlock.service.http.limits import CALLERS_REMEMBERED, Buckets, Limits
from tests.service.asking import Asker, problem
from tests.service.conftest import WIDE, Ask, make_key
from tests.service.serving import served

pytestmark = pytest.mark.sqlite_only
MOVES = "/statements/records/u1/moves"
JSON = {"Content-Type": "application/json"}


def test_a_body_is_cut_off_while_it_streams(local: Asker) -> None:
    taken = []

    async def endless() -> AsyncIterator[bytes]:
        while len(taken) < 1_000:
            taken.append(1)
            yield b" " * 100_000

    problem(local.post(MOVES, content=endless(), headers=JSON), 413, "ILK-413")
    problem(local.post(MOVES, content=b"x", headers={**JSON, "Content-Length": "1000001"}), 413, "ILK-413")


@pytest.mark.parametrize(
    "body",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "[" * 33 + "]" * 33,
        '{"to": "parsing", "facts": {"a": ' + "[" * 31 + "]" * 31 + "}}",
    ],
    ids=["many lists", "many objects", "one list too many", "in facts"],
)
def test_nesting_that_nobody_needs_is_refused(body: str, local: Asker) -> None:
    problem(local.post(MOVES, content=body, headers=JSON), 413, "ILK-413")


@pytest.mark.parametrize(
    "body", ["", "{", "nonsense", '{"to": NaN}', '{"to": "parsing"', "\xff", '{"to": ' + "9" * 5_000 + "}"]
)
def test_a_body_that_is_no_json_is_refused(body: str, local: Asker) -> None:
    problem(local.post(MOVES, content=body.encode("latin-1"), headers=JSON), 400, "ILK-102")


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ('{"to": "error", "to": "parsing"}', "to"),
        ('{"to": "parsing", "facts": {"a": 1, "b": [{"c": 1, "c": 2}]}}', "c"),
    ],
)
def test_a_name_that_comes_twice_in_one_object_is_refused(
    body: str, name: str, local: Asker, app: App
) -> None:
    """Which of the two counts, a proxy before the service may decide otherwise than the service."""
    answer = problem(local.post(MOVES, content=body, headers=JSON), 400, "ILK-102")
    assert f"'{name}' twice" in answer["detail"]
    assert app.get("statements", "u1")["status"] == "queued_for_parse"
    assert len(app.ledger.history("statements", "u1")) == 1


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
@pytest.mark.parametrize("path", ["/ledger/verify", "/statements/records", "/ledger/export"])
def test_a_page_of_another_site_starts_no_reading_either(
    path: str, site: str, local: Asker, app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(app.ledger, "verify", lambda *_, **__: begun.append("verify"))
    for mode in ("no-cors", "cors", "navigate"):
        headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": "document"}
        problem(local.get(path, headers=headers), 403, "ILK-403")
    assert begun == []
    assert local.get("/kinds", headers={"Sec-Fetch-Site": "same-origin"}).status_code == 200
    assert local.get("/kinds", headers={"Sec-Fetch-Site": "none"}).status_code == 200


def test_a_link_on_another_site_may_lead_to_a_page_of_ours(app: App, ask: Ask) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    asker = ask(build(app, limits=WIDE), prefix="")
    assert asker.get("/health", headers=headers).status_code == 200
    problem(asker.get("/health", headers={**headers, "Sec-Fetch-Dest": "iframe"}), 403, "ILK-403")


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_body_must_say_that_it_is_json(media: str, local: Asker) -> None:
    """A page of another site can send these without asking; JSON it cannot."""
    problem(
        local.post(MOVES, content=json.dumps({"to": "parsing"}), headers={"Content-Type": media}),
        400,
        "ILK-102",
    )


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "null"}]
)
def test_a_page_of_another_site_may_not_act(headers: dict[str, str], local: Asker, app: App) -> None:
    problem(local.post(MOVES, {"to": "parsing"}, headers=headers), 403, "ILK-403")
    assert len(app.ledger.history("statements", "u1")) == 1
    assert (
        local.post(
            MOVES, {"to": "parsing"}, headers={"Origin": "http://127.0.0.1", "Sec-Fetch-Site": "same-origin"}
        ).status_code
        == 200
    )


def test_names_it_was_not_given_are_refused(app: App, ask: Ask) -> None:
    application = build(app, limits=WIDE, hosts=("127.0.0.1",))
    assert ask(application).get("/kinds").status_code == 200
    problem(ask(application, host="other.example").get("/kinds"), 400, "ILK-102")


def test_whoever_asks_too_often_waits_and_others_do_not(app: App, ask: Ask) -> None:
    application = build(app, limits=Limits(rate=0.001, burst=3))
    ann, bob = (
        ask(application, make_key(app, "viewer", "ann")),
        ask(application, make_key(app, "viewer", "bob"), client=("127.0.0.2", 1)),
    )
    assert [ann.get("/kinds").status_code for _ in range(3)] == [200] * 3
    refused = ann.get("/kinds")
    problem(refused, 429, "ILK-429")
    assert int(refused.headers["retry-after"]) > 0
    assert bob.get("/kinds").status_code == 200
    assert ann.get("/health").status_code == 200


def test_guessing_keys_is_counted_by_address(app: App, ask: Ask) -> None:
    make_key(app, "admin")
    asker = ask(build(app, limits=Limits(rate=0.001, burst=3)))
    answers = [
        asker.get("/kinds", headers={"Authorization": f"Bearer ilk_{number}"}).status_code
        for number in range(5)
    ]
    assert answers == [401, 401, 401, 429, 429]


def test_tokens_come_back_with_time_and_callers_are_forgotten() -> None:
    buckets = Buckets(Limits(rate=2, burst=1))
    buckets.take("ann", 0.0)
    with pytest.raises(TooManyRequests) as refused:
        buckets.take("ann", 0.1)
    assert refused.value.facts["retry_after"] == 1
    buckets.take("ann", 0.6)
    for number in range(CALLERS_REMEMBERED + 10):
        buckets.take(f"caller {number}", 1.0)
    assert len(buckets._left) == CALLERS_REMEMBERED


def test_whoever_waits_too_long_is_told_so_and_the_late_answer_is_dropped(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, finish = threading.Event(), threading.Event()

    def slow(*_: object) -> dict[object, int]:
        begun.set()
        assert finish.wait(30)
        return {}

    with (
        served(build(app, limits=Limits(rate=0, seconds=0.5))) as address,
        httpx.Client(base_url=address, timeout=30) as client,
    ):
        assert client.get("/api/v1/counts").status_code == 200
        monkeypatch.setattr(app, "counts", slow)
        answer = client.get("/api/v1/counts")
        assert begun.is_set()
        assert problem(answer, 504, "ILK-504")["hint"].startswith("Ask again")
        finish.set()
        assert client.get("/api/v1/counts").json() == {"counts": []}
