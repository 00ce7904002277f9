"""Requests a second of the HTTP service beside a bare FastAPI with hand-written SQL that gives the same answers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing

from interlock.store.records import api_keys as keys

from .bars import Line
from .kind import ACTOR, AXIS, KIND, MOVES
from .places import Place
from .rounds import Pace, Round, Size, in_turns
from .serving import Client, get, post, served

BODIES = [json.dumps({"axis": AXIS, "to": new}).encode() for _, new in MOVES]


def service(place: Place, size: Size, ids: Iterator[int]) -> Iterator[Line]:
    """One record, a list of fifty, and moves; eight connections, both servers up all the time, asked in turns."""
    first = next(ids)  # moved by both sides' own calls: its row and its entries are compared afterwards
    for step in range(len(MOVES)):
        place.ours.move_one(first, step)
        place.beside.move_one(first, step)
    engine = place.ours.app.database.engine
    ours_at = engine.url.render_as_string(hide_password=False)
    with place.ours.app.database.write() as tx:
        key = keys.create(tx, ACTOR, "operator", by=ACTOR, now=place.ours.app.clock.now())
    with ExitStack() as stack:
        clients = [
            stack.enter_context(closing(Client(stack.enter_context(served(side, place.database, address)))))
            for side, address in (("ours", ours_at), ("beside", place.beside.address))
        ]
        number = size.records * len(MOVES)
        yield _line(
            place,
            "GET record",
            *_reads(clients, [get(f"/{KIND}/records/{first}", key)] * number, size.cycles),
        )
        yield _line(
            place,
            "GET list of 50",
            *_reads(clients, [get(f"/{KIND}/records?limit=50", key)] * max(number // 4, 8), size.cycles),
        )
        yield _line(place, "POST move", *in_turns(ids, size, *(_moves(client, key) for client in clients)))


def _moves(client: Client, key: str) -> Round:
    def round_(ids: Sequence[int], step: int) -> None:
        client.send([post(f"/{KIND}/records/{id}/moves", key, BODIES[step]) for id in ids])

    return round_


def _reads(clients: Sequence[Client], requests: list[bytes], rounds: int) -> list[Pace]:
    paces = [Pace() for _ in clients]
    for turn in range(rounds + 1):
        for pace, client in zip(paces, clients, strict=True):
            seconds = _timed(lambda client=client: client.send(requests))  # type: ignore[misc]
            if turn:
                pace.rates.append(len(requests) / seconds)
    return paces


def _timed(act: Callable[[], None]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _line(place: Place, measure: str, ours: Pace, beside: Pace) -> Line:
    return Line(
        measure, place.database, place.finished, ours.per_second, "req/s", beside.per_second, beside.drift
    )
