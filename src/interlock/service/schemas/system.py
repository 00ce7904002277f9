"""The shapes of answers about the whole: who is alive, what needs a person, and what checks have found."""

from __future__ import annotations

from typing import Any, Literal

from .shape import Shape


class Runners(Shape):
    """The runners and the coordinators that are alive."""

    runners: list[dict[str, Any]]
    coordinators: list[dict[str, Any]]


class Verified(Shape):
    """What a verification looked at and found."""

    ok: bool
    entries: int
    chains: int
    seals: int
    findings: list[dict[str, Any]]


class Attention(Shape):
    """Something that a person should look at, and the command that shows it."""

    what: str
    hint: str


class Attentions(Shape):
    """What a person should look at."""

    attention: list[Attention]


class Repair(Shape):
    """A command that mends findings without a decision of a person: which invariants, and how many records."""

    command: str
    kind: str
    invariants: list[str]
    records: int


class Checked(Shape):
    """What a check of all invariants came to: those that were checked, whatever breaks them, remarks that break nothing, and the commands
    that mend what can be mended without a decision of a person."""

    ok: bool
    entries: int
    chains: int
    findings: list[dict[str, Any]]
    notes: list[str]
    invariants: list[str]
    repairs: list[Repair]


class Health(Shape):
    """The database answers and has the schema that this code needs."""

    status: Literal["ok"]
    version: str
    database: str
