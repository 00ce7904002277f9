"""A record of a service, followed: its history as it is, then each entry as it is committed; a stream that breaks off is taken up again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from http.client import HTTPException
from typing import NamedTuple

from ..clock import Clock
from ..errors import StoreUnavailable
from ..workflow import Move
from .remote import Remote, move_of

TRIES, PAUSE_SECONDS = 30, 1.0


class Event(NamedTuple):
    """One part of the stream."""

    name: str
    cursor: str | None
    data: str


def events(lines: Iterable[bytes]) -> Iterator[Event]:
    """Parts of the stream; a sign of life has no name, and moves the cursor all the same."""
    fields: dict[str, str] = {}
    for line in lines:
        if text := line.decode().rstrip("\r\n"):
            name, _, value = text.partition(":")
            fields[name] = value.removeprefix(" ")
        elif fields:
            yield Event(fields.get("event", ""), fields.get("id"), fields.get("data", ""))
            fields = {}


def followed(remote: Remote, clock: Clock, kind: str, id: str) -> Iterator[list[Move]]:
    """The whole history first, read while the stream is already open, so that nothing is missed; some may come twice."""
    cursor: str | None = None
    failed = 0
    while True:
        try:
            with remote.stream("/live", [("kind", kind)], cursor) as lines:
                for event in events(lines):
                    failed = 0
                    if event.name == "ready" and cursor is None:
                        yield remote.ledger.history(kind, id)
                    elif event.name == "move" and same(str(json.loads(event.data)["id"]), id):
                        yield [move_of(json.loads(event.data))]
                    cursor = event.cursor or cursor
        except (StoreUnavailable, HTTPException, OSError) as error:
            failed += 1
            if cursor is None or failed > TRIES:  # it was never there, or has been away for long
                raise remote.unreachable(error) from error
        clock.sleep(PAUSE_SECONDS)


def same(kept: str, typed: str) -> bool:
    """Whether an id of the ledger is the one that was typed; UUIDs are written with and without their hyphens."""
    return kept == typed or kept.replace("-", "").lower() == typed.replace("-", "").lower()
