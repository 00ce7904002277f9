"""A real HTTP endpoint answers well, badly, halfway or never; each is one failure class, judged by type before words."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import httpx
import pytest

from interlock.workflows.themes.extraction.mentions import Mention, ResponseNotParseable, read_mentions
from interlock.workflows.themes.extraction.tickers import bundled_universe
from interlock.workflows.themes.providers.endpoint import Endpoint
from interlock.workflows.themes.providers.faults import (
    ProviderRejected,
    ProviderUnavailable,
    QuotaExhausted,
    RateLimited,
)

from .endpoint_server import EndpointServer, Reply, completion, error

THEME = {
    "theme": "AI chips",
    "tickers": ["nvda", "$AMD", "AI", "ZZZZZ"],
    "sentiment": "Bullish",
    "confidence": 0.9,
    "excerpt": "Demand is strong.",
}
MENTION = Mention("AI chips", "ai_chip", ("NVDA", "AMD"), "bullish", 0.9, "Demand is strong.")


@pytest.fixture
def server() -> Iterator[EndpointServer]:
    with EndpointServer() as made:
        yield made


def ask(
    server: EndpointServer, *, timeout: float = 10.0, content: str = "text", url: str = ""
) -> list[Mention]:
    async def asked() -> list[Mention]:
        endpoint = Endpoint(url or server.url, "small", bundled_universe(), "secret-key-1", timeout)
        try:
            return await endpoint.extract("Title", content, "technical")
        finally:
            await endpoint.close()

    return asyncio.run(asked())


def test_an_answer_becomes_mentions_and_the_request_is_cut(server: EndpointServer) -> None:
    server.reply = lambda _: Reply(body=completion([THEME]))
    assert ask(server, content="x" * 30_000) == [MENTION]
    request = server.requests[0]
    assert (request["path"], request["model"]) == ("/v1/chat/completions", "small")
    assert len(request["messages"][1]["content"]) == len("Title\n\n") + 10_000
    assert server.headers[0]["Authorization"] == "Bearer secret-key-1"


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Reply(429, error("rate_limit_exceeded")), RateLimited),
        (Reply(429, b"slow down, your quota of patience"), RateLimited),
        (Reply(429, error("insufficient_quota")), QuotaExhausted),
        (Reply(429, error("x", kind="insufficient_quota")), QuotaExhausted),
        (Reply(200, error("insufficient_quota")), QuotaExhausted),
        (Reply(401, error("invalid_api_key", "bad key secret-key-1")), ProviderRejected),
        (Reply(402, b""), ProviderRejected),
        (Reply(403, b"{}"), ProviderRejected),
        (Reply(413, b"too large"), ProviderRejected),
        (Reply(400, error("context_length_exceeded")), ProviderRejected),
        (Reply(400, error("bad", "mentions 401 and insufficient_quota")), httpx.HTTPStatusError),
        (Reply(400, error("bad", "This model's maximum context length is 4096 tokens")), ProviderRejected),
        (
            Reply(400, b'{"object": "error", "message": "the prompt is too long", "code": 400}'),
            ProviderRejected,
        ),
        (Reply(400, b'{"error": "Your credit balance is too low"}'), ProviderRejected),
        (Reply(422, b'{"detail": "context window exceeded"}'), ProviderRejected),
        (Reply(400, b'{"error": {"type": "exceed_context_size_error"}}'), ProviderRejected),
        (Reply(429, b'[{"error": {"code": 429, "message": "no billing account"}}]'), RateLimited),
        (Reply(503, error("busy", "maximum context length of nobody")), ProviderUnavailable),
        (
            Reply(200, b'{"object": "error", "message": "odd", "type": "BadRequestError"}'),
            httpx.HTTPStatusError,
        ),
        (Reply(200, b'{"error": {"code": 429, "message": "upstream is busy"}}'), RateLimited),
        (Reply(200, b'{"error": {"code": "402", "message": "no credits"}}'), ProviderRejected),
        (Reply(200, b'{"error": {"code": 502}}'), ProviderUnavailable),
        (Reply(500, b"oops"), ProviderUnavailable),
        (Reply(503, b""), ProviderUnavailable),
        (Reply(404, b""), ProviderUnavailable),
        (Reply(200, completion("no JSON, char 413")), ResponseNotParseable),
        (Reply(200, b"garbage"), ResponseNotParseable),
        (Reply(200, b"[]"), ResponseNotParseable),
        (Reply(200, completion("[1]")), ResponseNotParseable),
        (Reply(200, completion('[{"theme": "half')), ResponseNotParseable),
        (Reply(200, completion([THEME])[:40], promised=400), httpx.RemoteProtocolError),
    ],
)
def test_each_bad_answer_has_its_class(server: EndpointServer, reply: Reply, fault: type[Exception]) -> None:
    server.reply = lambda _: reply
    with pytest.raises(fault) as raised:
        ask(server)
    assert type(raised.value) is fault
    assert "secret-key-1" not in str(raised.value)


def test_an_empty_error_beside_choices_is_none(server: EndpointServer) -> None:
    server.reply = lambda _: Reply(body=completion([THEME])[:-1] + b', "error": ""}')
    assert ask(server) == [MENTION]


def test_no_answer_at_all_is_a_timeout(server: EndpointServer) -> None:
    server.reply = lambda _: Reply(is_silent=True)
    with pytest.raises(httpx.ReadTimeout):
        ask(server, timeout=0.3)


def test_nobody_at_the_address_is_no_provider(server: EndpointServer) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
        with pytest.raises(ProviderUnavailable):
            ask(server, url=url)


@pytest.mark.parametrize(
    ("answer", "count"),
    [
        ("[]", 0),
        ("```json\n[]\n```", 0),
        ('<think>[{"theme": "wrong"}]</think>[]', 0),
        ('<think>a <think>b</think> c</think>[{"theme": "Gold"}]', 1),
        ('[{"theme": "Gold"}]<think>was that right?</think>', 1),
        ('reasoning without a start</think>\n[{"theme": "Gold"}]', 1),
        ('```\n[{"theme": "Gold"}, {"theme": "gold"}]\n```', 1),
        ('{"themes": [{"theme": "Gold"}]}', 1),
        ('Here you are: [{"theme": "Gold"}]', 1),
        ('As asked [1]: [{"theme": "Gold", "tickers": ["NEM"]}] See [2].', 1),
        ('By the {schema}: {"themes": [{"theme": "Gold"}]} Done.', 1),
        ("There is none: []", 0),
        ('[{"theme": "Gold", "tickers": null, "confidence": "high", "sentiment": 3}]', 1),
    ],
)
def test_fences_and_thoughts_are_stripped_and_an_empty_array_is_no_error(answer: str, count: int) -> None:
    assert len(read_mentions(answer, bundled_universe())) == count


@pytest.mark.parametrize(
    ("given", "confidence"), [("0.4", 0.4), ("85", 0.85), ('"85%"', 0.85), ("1.7", 1.0), ("-1", 0.0)]
)
def test_a_confidence_is_a_share_or_a_percentage(given: str, confidence: float) -> None:
    (mention,) = read_mentions(f'[{{"theme": "Gold", "confidence": {given}}}]', bundled_universe())
    assert mention.confidence == confidence


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "{}",
        "null",
        '"text"',
        "[" * 100_000,
        '[{"tickers": []}]',
        "<think>" * 200_000,
        "no: " + "[{" * 50_000,
    ],
)
def test_what_is_no_array_of_themes_is_refused(answer: str) -> None:
    with pytest.raises(ResponseNotParseable):
        read_mentions(answer, bundled_universe())
