"""Requests to one service over httpx. The key is sent nowhere else; a problem in an answer is raised as the same error class."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any
from urllib.parse import urlsplit

import httpx
from httpx_sse import EventSource, ServerSentEvent, SSEError

from ..authority.transactions.answers import rebuilt
from ..errors import BadInput, NoSuchRoute, StoreUnavailable
from .api_words import ANSWER_SECONDS, LONG_SECONDS

UNVERSIONED = ("/health", "/metrics")
API = "/api/v1"
Query = Sequence[tuple[str, Any]]


class Connection:
    """One service at one address, with or without a key."""

    def __init__(self, url: str, key: str | None = None) -> None:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
            raise BadInput(
                f"{url!r} is not the address of a service",
                hint="Write http://127.0.0.1:8700 or https://host/prefix.",
            )
        self.url = url.rstrip("/")
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        # Redirects are not followed: they would take the key along to wherever they lead.
        self.http = httpx.Client(headers=headers, timeout=ANSWER_SECONDS, follow_redirects=False)

    def close(self) -> None:
        self.http.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query = (),
        body: Any = None,
        key: str | None = None,
        version: int | None = None,
        seconds: float = ANSWER_SECONDS,
    ) -> Any:
        """What the service answers, as JSON; paths are those below /api/v1, or begin with it. `key` is an idempotency key,
        `version` the only version at which the record is changed."""
        headers = {"Accept": "application/json", **({} if key is None else {"Idempotency-Key": key})}
        headers |= {} if version is None else {"If-Match": f'"{version}"'}
        options = {} if body is None else {"json": body}
        with self._raised():
            answer = self.http.request(
                method, self.address(path), params=present(query), headers=headers, timeout=seconds, **options
            )
            return json.loads(self._accepted(answer).content)

    def ask(self, method: str, path: str, **options: Any) -> Answered:
        """The same, of a route that answers an object; one that lacks what is looked for came from another version, or is no service."""
        answer = self.request(method, path, **options)
        if not isinstance(answer, dict):
            raise self.foreign("an object")
        return Answered(answer, self)

    def foreign(self, lacking: str) -> StoreUnavailable:
        """The refusal of an answer that is not what this client knows."""
        return StoreUnavailable(
            f"{self.url} answered without {lacking}",
            hint="Is it a service of Interlock, and of a version like this one?",
        )

    def text(self, path: str, *, query: Query = (), seconds: float = ANSWER_SECONDS) -> str:
        """An answer that is text, such as a drawing."""
        with self._raised():
            answer = self.http.get(
                self.address(path), params=present(query), headers={"Accept": "*/*"}, timeout=seconds
            )
            return self._accepted(answer).content.decode()

    def upload(
        self,
        path: str,
        name: str,
        file: IO[bytes],
        fields: Mapping[str, str],
        *,
        seconds: float = LONG_SECONDS,
    ) -> Any:
        """Send a file as the part `file` of a form, read as it is sent, and these fields beside it; the answer as JSON."""
        with self._raised():
            answer = self.http.post(
                self.address(path),
                data=dict(fields),
                files={"file": (name, file, "application/octet-stream")},
                headers={"Accept": "application/json"},
                timeout=seconds,
            )
            return json.loads(self._accepted(answer).content)

    def pieces(self, path: str, *, query: Query = ()) -> Iterator[bytes]:
        """A long answer as it comes, without holding it; one that breaks off raises."""
        with (
            self._raised(),
            self.http.stream(
                "GET",
                self.address(path),
                params=present(query),
                headers={"Accept": "*/*"},
                timeout=LONG_SECONDS,
            ) as answer,
        ):
            yield from self._streamed(answer).iter_bytes()

    @contextmanager
    def events(
        self, path: str, *, query: Query = (), last: str | None = None
    ) -> Iterator[Iterator[ServerSentEvent]]:
        """Server-sent events, from now on or behind the one that came last."""
        headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
        if last is not None:
            headers["Last-Event-ID"] = last
        with (
            self._raised(),
            self.http.stream(
                "GET", self.address(path), params=present(query), headers=headers, timeout=ANSWER_SECONDS
            ) as answer,
        ):
            yield EventSource(self._streamed(answer)).iter_sse()

    def address(self, path: str) -> str:
        """Where a path is; one that names the version already, as routes are declared, is left as it is."""
        whole = path in UNVERSIONED or path.startswith(f"{API}/")
        return f"{self.url}{'' if whole else API}{path}"

    def _accepted(self, answer: httpx.Response) -> httpx.Response:
        if not answer.is_success:
            raise self.problem_in(answer)
        return answer

    def _streamed(self, answer: httpx.Response) -> httpx.Response:
        if not answer.is_success:
            answer.read()
        return self._accepted(answer)

    def problem_in(self, answer: httpx.Response) -> Exception:
        """The error that a service answered, as if it had been met here."""
        try:
            problem = json.loads(answer.content)
            hint = problem["hint"]
            if problem["code"] == NoSuchRoute.code and (path := urlsplit(self.url).path):
                hint = f"Leave {path} out of the address, unless the service is mounted there."
            return rebuilt(problem["code"], problem["detail"], hint, problem["facts"])
        except (ValueError, KeyError, TypeError):
            return StoreUnavailable(
                f"{self.url} answered {answer.status_code}, and not as a service of Interlock does",
                hint="Is this its address? A proxy may have answered, or it may be mounted under a prefix.",
            )

    @contextmanager
    def _raised(self) -> Iterator[None]:
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, SSEError, ValueError, OSError) as error:
            raise self.unreachable(error) from error

    def unreachable(self, error: Exception) -> StoreUnavailable:
        why = str(error) or type(error).__name__
        hint = "Is it up? `interlock serve` starts one."
        if "SSL" in why and self.url.startswith("https:"):
            hint = f"It may speak plain HTTP: try http:{self.url.removeprefix('https:')}."
        return StoreUnavailable(f"the service at {self.url} does not answer: {why}", hint=hint)


class Answered(dict[str, Any]):
    """An object that a service answered; what it lacks is its fault."""

    def __init__(self, values: Mapping[str, Any], connection: Connection) -> None:
        super().__init__(values)
        self.connection = connection

    def __missing__(self, name: str) -> Any:
        raise self.connection.foreign(repr(name))


def present(query: Query) -> list[tuple[str, Any]]:
    """The parameters that have a value."""
    return [(name, value) for name, value in query if value is not None]
