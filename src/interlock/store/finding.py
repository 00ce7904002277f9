"""What a verification finds: one thing that is wrong, and where; and the report of all of them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where."""

    invariant: str
    kind: str
    id: str
    axis: str
    scope: str
    version: int | None
    problem: str

    def __str__(self) -> str:
        scope = f"[{self.scope}]" if self.scope else ""
        axis = f" {self.axis}{scope}" if self.axis else ""
        version = "" if self.version is None else f" version {self.version}"
        return f"{self.invariant} {self.kind} {self.id}{axis}{version}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Repair:
    """One command that mends findings of a check without a decision of a person: which invariants, and how many records."""

    command: str
    kind: str
    invariants: list[str]
    records: int


@dataclass
class Report:
    """What a verification looked at, and what it found."""

    entries: int
    records: int
    findings: list[Finding]
    seals: int = 0
    notes: list[str] = field(default_factory=list)
    """What is not wrong, but waits for a person."""

    @property
    def ok(self) -> bool:
        return not self.findings
