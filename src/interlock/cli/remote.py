"""An app behind a service: asks its HTTP API what the commands ask an app, and raises the same errors."""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ..authority.answers import rebuilt
from ..errors import BadInput, StoreUnavailable, UnknownKind
from ..observe.explain import Condition, Explanation, Place, Possibility
from ..store.ledger import Cursor
from ..store.verify import Finding, Report
from ..workflow import Answer, Move
from ..workflow.instant import read

PATIENCE_SECONDS = 40
VERIFY_SECONDS = 660
UNVERSIONED = ("/health", "/metrics")
PAGE = 500
PIECE = 65_536
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
Json = dict[str, Any]


class _StaysHere(HTTPRedirectHandler):
    """A redirect would take the key along to wherever it leads."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Remote:
    """One service; the words are those of `App`, as far as the commands need them."""

    def __init__(self, url: str, key: str | None) -> None:
        if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).netloc:
            raise BadInput(
                f"{url!r} is not the address of a service",
                hint="Write http://127.0.0.1:8700 or https://host/prefix.",
            )
        self.url, self.key = url.rstrip("/"), key
        self.ledger = RemoteLedger(self)
        self.open = build_opener(_StaysHere).open

    def ask(
        self,
        path: str,
        query: Sequence[tuple[str, Any]] = (),
        body: Json | None = None,
        key: str | None = None,
        *,
        method: str | None = None,
        seconds: float = PATIENCE_SECONDS,
    ) -> Any:
        """One request; a problem that it answers is raised as the error it is."""
        sent = {"Accept": "application/json", **({} if key is None else {"Idempotency-Key": key})}
        if body is not None:
            sent["Content-Type"] = "application/json"
        return self._answer(self._request(path, query, sent, body, method), json.loads, seconds)

    def text(
        self, path: str, query: Sequence[tuple[str, Any]] = (), *, seconds: float = PATIENCE_SECONDS
    ) -> str:
        """An answer that is text, such as a drawing."""
        text: str = self._answer(self._request(path, query, {"Accept": "*/*"}), bytes.decode, seconds)
        return text

    @contextmanager
    def stream(
        self, path: str, query: Sequence[tuple[str, Any]], last: str | None
    ) -> Iterator[Iterable[bytes]]:
        """The lines of server-sent events, from now on or behind the one that came last."""
        sent = {"Accept": "text/event-stream", **({} if last is None else {"Last-Event-ID": last})}
        try:
            answer = self.open(self._request(path, query, sent), timeout=PATIENCE_SECONDS)
        except HTTPError as error:
            raise problem_in(error, self.url) from error
        with answer:
            yield answer

    def pieces(self, path: str, query: Sequence[tuple[str, Any]] = ()) -> Iterator[bytes]:
        """A long answer as it comes, without holding it; one that breaks off is an error, never an end."""
        try:
            with self.open(self._request(path, query, {"Accept": "*/*"}), timeout=VERIFY_SECONDS) as answer:
                while piece := answer.read(PIECE):
                    yield piece
        except HTTPError as error:
            raise problem_in(error, self.url) from error
        except (URLError, HTTPException, OSError) as error:
            raise self.unreachable(error) from error

    def metrics(self) -> str:
        """The figures of the service, as Prometheus is told them."""
        return self.text("/metrics")

    def health(self) -> Json:
        """Whether its database answers and has the schema that it needs; raises what is wrong."""
        said: Json = self.ask("/health")
        return said

    def _request(
        self,
        path: str,
        query: Sequence[tuple[str, Any]],
        sent: Mapping[str, str],
        body: Json | None = None,
        method: str | None = None,
    ) -> Request:
        said = [(name, value) for name, value in query if value is not None]
        headers = dict(sent) if self.key is None else {**sent, "Authorization": f"Bearer {self.key}"}
        address = f"{self.url}{'' if path in UNVERSIONED else '/api/v1'}{path}{'?' if said else ''}{urlencode(said)}"
        return Request(address, None if body is None else json.dumps(body).encode(), headers, method=method)

    def _answer(
        self, request: Request, read: Callable[[bytes], Any], seconds: float = PATIENCE_SECONDS
    ) -> Any:
        try:
            with self.open(request, timeout=seconds) as answer:
                return read(answer.read())
        except HTTPError as error:
            raise problem_in(error, self.url) from error
        except (URLError, HTTPException, ValueError, OSError) as error:
            raise self.unreachable(error) from error

    def unreachable(self, error: Exception) -> StoreUnavailable:
        why = error.reason if isinstance(error, URLError) else error
        return StoreUnavailable(
            f"the service at {self.url} does not answer: {why}",
            hint="Is it up? `interlock serve` starts one.",
        )

    def described(self, kind: str | None = None) -> list[Json]:
        """Everything that was declared about each kind."""
        found: list[Json] = self.ask("/machines" if kind is None else f"/{quote(kind, safe='')}/machines")[
            "machines"
        ]
        return found

    def axes(self, kind: str) -> dict[str, Sequence[str]]:
        """The axes of a kind with their scopes."""
        for one in self.ask("/kinds")["kinds"]:
            if one["kind"] == kind:
                return {axis["axis"]: axis["scopes"] for axis in one["axes"]}
        raise UnknownKind(f"the service at {self.url} has no workflow {kind!r}", kind=kind)

    def page(
        self,
        kind: str,
        where: Sequence[str],
        limit: int,
        after: str | None,
        narrowed: Mapping[str, str | None],
    ) -> list[Json]:
        """Records behind an id, as many as asked for and one more."""
        found: list[Json] = []
        cursor = None if after is None else cursor_of(after)
        while len(found) < limit:
            query = [
                *(("where", one) for one in where),
                *narrowed.items(),
                ("limit", min(limit - len(found), PAGE)),
                ("cursor", cursor),
            ]
            page = self.ask(f"/{quote(kind, safe='')}/records", query)
            found += [
                {**one, "where": [timed(place, "since") for place in one["where"]]} for one in page["records"]
            ]
            cursor = page["next"]
            if cursor is None:
                break
        return found

    def get(self, kind: str, id: Any) -> Json:
        found = self.ask(record(kind, id))["record"]
        return {
            name: moment(value) if isinstance(value, str) and INSTANT.fullmatch(value) else value
            for name, value in found.items()
        }

    def explain(self, kind: str, id: Any) -> Explanation:
        said = self.ask(f"{record(kind, id)}/why")
        return Explanation(
            said["kind"],
            said["id"],
            [Place(**timed(one, "since")) for one in said["where"]],
            said["why"],
            [Condition(**one) for one in said["waits_for"]],
            [Possibility(**one) for one in said["next"]],
        )

    def admit(
        self, kind: str, rows: Sequence[Mapping[str, Any]], reason: str | None, key: str | None
    ) -> list[Json]:
        """What came of each row."""
        found: list[Json] = self.ask(
            f"/{quote(kind, safe='')}/records", body={"rows": list(rows), "reason": reason}, key=key
        )["answers"]
        return found

    def move(
        self,
        kind: str,
        id: Any,
        *,
        actor: str,
        role: str | None,
        reason: str | None,
        version: int | None,
        scope: str | None,
        facts: Mapping[str, Any],
        key: str | None,
        override: bool = False,
        tx: None = None,
        **axis: str | None,
    ) -> Answer:
        ((name, to),) = axis.items()
        body = {
            "axis": name,
            "to": to,
            "reason": reason,
            "version": version,
            "scope": scope,
            "role": role,
            "facts": dict(facts),
            "override": override,
        }
        return self._done(f"{record(kind, id)}/moves", body, key)

    def retry(
        self,
        kind: str,
        id: Any,
        *,
        actor: str,
        role: str | None,
        reason: str,
        scope: str | None,
        tx: None = None,
    ) -> Answer:
        return self._done(f"{record(kind, id)}/retry", {"reason": reason, "scope": scope, "role": role}, None)

    def cancel(
        self,
        kind: str,
        id: Any,
        *,
        actor: str,
        role: str | None,
        reason: str,
        scope: str | None,
        axis: str | None,
        tx: None = None,
    ) -> Answer:
        return self._done(
            f"{record(kind, id)}/cancel", {"reason": reason, "scope": scope, "role": role, "axis": axis}, None
        )

    def diagram(self, kind: str, axis: str, form: str, counts: bool, scope: str | None) -> str:
        said = [("format", form), ("counts", "true" if counts else None), ("scope", scope)]
        return self.text(f"/{quote(kind, safe='')}/machines/{quote(axis, safe='')}/diagram", said)

    def stages(self) -> list[Json]:
        return [timed(one, "until") for one in self.ask("/stages")["stages"]]

    def pause(self, kind: str, stage: str, reason: str, length: str | None, scope: str | None) -> Json:
        return timed(
            self.ask(
                f"{stage_path(kind, stage)}/pause", body={"reason": reason, "length": length, "scope": scope}
            ),
            "until",
        )

    def resume(self, kind: str, stage: str, scope: str | None) -> int:
        return int(self.ask(f"{stage_path(kind, stage)}/resume", body={"scope": scope})["ended"])

    def keys(self) -> list[Json]:
        return [key_of(one) for one in self.ask("/keys")["keys"]]

    def create_key(self, name: str, scope: str, expires: str | None) -> Json:
        return key_of(self.ask("/keys", body={"name": name, "scope": scope, "expires": expires}))

    def revoke_key(self, name: str) -> Json:
        return key_of(self.ask(f"/keys/{quote(name, safe='')}", method="DELETE"))

    def check(self, kind: str | None, id: str | None = None) -> Report:
        """Verified over there, which may take its time."""
        said = self.ask("/ledger/verify", [("kind", kind), ("id", id)], seconds=VERIFY_SECONDS)
        return Report(
            said["entries"], said["chains"], [Finding(**one) for one in said["findings"]], said["seals"]
        )

    def _done(self, path: str, body: Json, key: str | None) -> Answer:
        said = self.ask(path, body=body, key=key)
        return Answer(
            said["id"],
            said["outcome"],
            said["old_status"],
            said["new_status"],
            said["version"],
            [move_of(one) for one in said["driven"]],
        )


class RemoteLedger:
    """The history that a service has."""

    def __init__(self, remote: Remote) -> None:
        self.remote = remote

    def history(self, kind: str, id: Any) -> list[Move]:
        return [move_of(one) for one in self.remote.ask(f"{record(kind, id)}/timeline")["entries"]]

    def tail(
        self, after: Cursor | str | None = None, *, limit: int = 100, kind: str | None = None
    ) -> list[tuple[Cursor, Move]]:
        said = self.remote.ask(
            "/ledger",
            [("after", None if after is None else str(after)), ("limit", min(limit, PAGE)), ("kind", kind)],
        )
        return [(Cursor.parse(one["cursor"]), move_of(one)) for one in said["entries"]]


def record(kind: str, id: Any) -> str:
    return f"/{quote(kind, safe='')}/records/{quote(str(id), safe='')}"


def stage_path(kind: str, stage: str) -> str:
    return f"/{quote(kind, safe='')}/stages/{quote(stage, safe='')}"


def key_of(said: Json) -> Json:
    for name in ("created_at", "expires_at", "revoked_at", "last_used_at"):
        said = timed(said, name)
    return said


def timed(said: Mapping[str, Any], name: str) -> Json:
    return {**said, name: None if said[name] is None else moment(said[name])}


def moment(written: str) -> datetime:
    return read(written)


def move_of(said: Json) -> Move:
    return Move(
        said["kind"],
        said["id"],
        said["axis"],
        said["scope"],
        said["version"],
        said["old_status"],
        said["new_status"],
        said["actor"],
        said["role"],
        said["reason"],
        said["trigger"],
        said["facts"],
        moment(said["timestamp"]),
        said["origin"],
    )


def problem_in(error: HTTPError, url: str) -> Exception:
    """The error that a service answered, as if it had been met here."""
    try:
        said = json.loads(error.read())
        return rebuilt(said["code"], said["detail"], said["hint"], said["facts"])
    except (ValueError, KeyError, TypeError):
        return StoreUnavailable(
            f"{url} answered {error.code}, and not as a service of Interlock does",
            hint="Is this its address? A proxy may have answered, or it may be mounted under a prefix.",
        )


def cursor_of(id: str) -> str:
    """Where an id that was typed stands, as the service's pages write it."""
    return urlsafe_b64encode(json.dumps(id, ensure_ascii=False).encode()).decode().rstrip("=")
