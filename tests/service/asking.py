"""A client of the API within the test's own process: real ASGI requests, no network."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

LOCAL = ("testclient", 50_000)
"""A client within the process; apps of tests take it for the user who runs them (`App.local_clients`)."""


class Asker:
    """Asks one ASGI application, as somebody at an address, with or without a key."""

    def __init__(
        self,
        application: Any,
        key: str | None = None,
        *,
        client: tuple[str, int] = LOCAL,
        prefix: str = "/api/v1",
        host: str = "127.0.0.1",
    ) -> None:
        self.prefix, self.runner = prefix, asyncio.Runner()
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(application, raise_app_exceptions=False, client=client),
            base_url=f"http://{host}",
            headers=headers,
        )

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.ask("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> httpx.Response:
        return self.ask("POST", path, **({"json": body} if body is not None else {}), **options)

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self.runner.run(
            self.client.request(method, path if path.startswith("/health") else self.prefix + path, **options)
        )

    def close(self) -> None:
        self.runner.run(self.client.aclose())
        self.runner.close()


def problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The problem that a response is."""
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json"), (
        response.text
    )
    said: dict[str, Any] = response.json()
    assert (said["status"], said["code"], said["type"]) == (status, code, f"urn:interlock:error:{code}")
    return said
