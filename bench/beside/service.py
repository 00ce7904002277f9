"""The API by hand: a bare FastAPI with hand-written SQL that gives the same answers; it trusts everybody and checks only the version."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from interlock.workflow.columns.instant import instant_text

from ..kind import AXIS, KIND, MOVES, TABLE
from .postgresql import PostgresqlByHand
from .sqlite import SqliteByHand

_COLUMNS = "id, status, since, version, error_code, error_message"
_STEPS = {new: step for step, (_, new) in enumerate(MOVES)}


def value(one: Any) -> Any:
    return (
        instant_text(one)
        if isinstance(one, datetime)
        else bytes(one).hex()
        if isinstance(one, bytes | memoryview)
        else one
    )


def place(row: Any) -> dict[str, Any]:
    return {
        "axis": AXIS,
        "scope": None,
        "state": row[1],
        "since": value(row[2]),
        "version": row[3],
        "error_code": row[4],
        "error_message": row[5],
    }


def application(database: str, address: str) -> FastAPI:
    """One connection for each of the server's threads."""
    api, held = FastAPI(), threading.local()
    mark = "?" if database == "sqlite" else "%s"

    def hand() -> Any:
        if not hasattr(held, "hand"):
            held.hand = SqliteByHand(Path(address)) if database == "sqlite" else PostgresqlByHand(address)
            if database == "sqlite":
                held.hand.connection.execute("PRAGMA busy_timeout = 30000")
        return held.hand

    def ask(sql: str, *values: Any) -> tuple[list[str], list[Any]]:
        cursor = hand().connection.execute(sql, values)
        return [column[0] for column in cursor.description], cursor.fetchall()

    @api.get("/api/v1/uploads/records/{id}")
    def show(id: int) -> JSONResponse:
        names, (row,) = ask(f"SELECT * FROM {TABLE} WHERE id = {mark}", id)
        said = {name: value(one) for name, one in zip(names, row, strict=True)}
        where = [place([id, *(said[name] for name in _COLUMNS.split(", ")[1:])])]
        return JSONResponse(
            {"kind": KIND, "id": id, "record": said, "where": where}, headers={"ETag": f'"{said["version"]}"'}
        )

    @api.get("/api/v1/uploads/records")
    def listed(limit: int) -> JSONResponse:
        _, rows = ask(f"SELECT {_COLUMNS} FROM {TABLE} ORDER BY id LIMIT {mark}", limit + 1)
        return JSONResponse(
            {
                "kind": KIND,
                "records": [{"id": row[0], "where": [place(row)]} for row in rows[:limit]],
                "next": str(rows[limit - 1][0]) if len(rows) > limit else None,
            }
        )

    @api.post("/api/v1/uploads/records/{id}/moves")
    def move(id: int, said: dict[str, Any], request: Request) -> JSONResponse:
        step = _STEPS[said["to"]]
        hand().move_one(id, step)
        return JSONResponse(
            {
                "kind": KIND,
                "id": id,
                "outcome": "moved",
                "axis": AXIS,
                "scope": None,
                "old_status": MOVES[step][0],
                "new_status": said["to"],
                "version": step + 1,
                "driven": [],
            },
            headers={"ETag": f'"{step + 1}"'},
        )

    return api
