"""Records as rows of a table: the id, then each axis (and scope) with its state, since when, and version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def columns_of(axes: Mapping[str, Sequence[str]]) -> list[str]:
    """The columns of a listing of records that have these axes, each with its scopes."""
    names = [named(axis, scope) for axis, scopes in axes.items() for scope in scopes or (None,)]
    return ["id", *(f"{name}{part}" for name in names for part in ("", ".since", ".version"))]


def named(axis: str, scope: str | None) -> str:
    return f"{axis}[{scope}]" if scope else axis


def flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """A listed record with its places laid side by side, and the columns that were asked for."""
    row = {**record["columns"], "id": record["id"]}
    for place in record["where"]:
        name = named(place["axis"], place["scope"])
        row |= {name: place["state"], f"{name}.since": place["since"], f"{name}.version": place["version"]}
    return row
