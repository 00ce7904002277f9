"""The shapes of answers about seals, proofs and the past."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, StringConstraints

from .machines import Count
from .shape import AT, Id, Shape

Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
ZEROS, ROOT, SEALED = "0" * 64, "5f" * 32, "c3" * 32
SEAL: dict[str, Any] = {
    "number": 1,
    "from_transaction": 0,
    "to_transaction": 0,
    "from_entry": 0,
    "to_entry": 4,
    "from_verdict": 0,
    "to_verdict": 0,
    "entries": 4,
    "verdicts": 0,
    "root": ROOT,
    "previous": ZEROS,
    "hash": SEALED,
    "at": AT,
    "public_key": None,
    "signature": None,
}
ENTRY: dict[str, Any] = {
    "actor": "ann",
    "at": AT,
    "axis": "status",
    "cause": None,
    "detail": None,
    "from": "packed",
    "id": "7",
    "kind": "orders",
    "machine": "94d3ebe6be47dc4a",
    "origin": "move",
    "role": None,
    "scope": "",
    "to": "shipped",
    "token": None,
    "version": 1,
}


class Seal(Shape):
    """A root over everything that was committed since the seal before it, chained to that one; bytes are hexadecimal digits."""

    number: int
    from_transaction: int
    to_transaction: int
    from_entry: int
    to_entry: int
    from_verdict: int
    to_verdict: int
    entries: int
    verdicts: int
    root: Hash
    previous: Hash
    hash: Hash
    at: datetime
    public_key: Hash | None
    signature: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")] | None
    logins: Hash | None = None
    """The hash over the logins that made what it covers; left out where the database keeps none."""
    model_config = ConfigDict(json_schema_extra={"example": SEAL})


class Seals(Shape):
    """Seals in their order; `next` is the number to go on from, and null on the last page."""

    seals: list[Seal]
    next: int | None
    model_config = ConfigDict(json_schema_extra={"example": {"seals": [SEAL], "next": None}})


class Sealed(Shape):
    """The seals that were made: none where nothing was new, several where it was too much for one."""

    seals: list[Seal]
    model_config = ConfigDict(json_schema_extra={"example": {"seals": [SEAL]}})


class Stood(Shape):
    """Where a record stood on one axis, and what had put it there."""

    kind: str
    id: Id
    axis: str
    scope: str | None
    version: int
    state: str | None
    since: datetime
    actor: str
    reason: str | None


class Past(Shape):
    """How things were at an instant: where one record stood, nowhere if it was not there, or how many records were in each state."""

    at: datetime
    kind: str | None
    id: Id | None
    where: list[Stood] | None
    counts: list[Count] | None
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "at": AT,
                "kind": "orders",
                "id": None,
                "where": None,
                "counts": [
                    {"kind": "orders", "axis": "status", "scope": None, "state": "packed", "records": 12}
                ],
            }
        }
    )


class Proof(Shape):
    """The history of one record, each entry with its way up to a seal: anybody can check it, with the second verifier and without us."""

    interlock: str
    kind: str
    id: str
    at: datetime
    detail: bool
    entries: list[dict[str, Any]]
    seals: list[Seal]
    machines: list[dict[str, Any]]
    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "interlock": "proof 1",
                "kind": "orders",
                "id": "7",
                "at": AT,
                "detail": False,
                "seals": [SEAL],
                "machines": [],
                "entries": [
                    {
                        "entry": ENTRY,
                        "hash": "4e" * 32,
                        "position": 4,
                        "said": None,
                        "transaction": 0,
                        "seal": 1,
                        "path": [["left", "aa" * 32], ["left", "bb" * 32]],
                    }
                ],
            }
        }
    )
