"""What came of many records, or would come of them: how many of each outcome, and each refusal with its reason and some examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..authority.transactions.transaction import Driven
from ..errors import InterlockError

EXAMPLES = 5
GROUPS = 100
OUTCOMES = ("moved", "unchanged", "refused", "conflict", "unknown")


@dataclass
class Refused:
    """Records that were not moved, for one reason."""

    outcome: str
    code: str
    message: str
    records: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass
class Tally:
    """Outcomes and refusals, counted; refusals are told apart by what they say, whoever they say it of."""

    outcomes: dict[str, int] = field(default_factory=dict)
    refusals: dict[str, Refused] = field(default_factory=dict)
    driven: list[dict[str, Any]] = field(default_factory=list)
    """What rules moved beside the records: axis, scope, from, to, and how many records."""

    def add_driven(self, moves: Mapping[Driven, int]) -> None:
        """Add what rules moved: (axis, scope, from, to) and how many records."""
        for (axis, scope, old, new), records in moves.items():
            name = {"axis": axis, "scope": scope, "from": old, "to": new}
            same = next((one for one in self.driven if {**one, **name} == one), None)
            if same is None:
                self.driven.append(same := {**name, "records": 0})
            same["records"] += records

    def add(
        self,
        outcome: str,
        records: int = 1,
        error: InterlockError | None = None,
        examples: Sequence[Any] = (),
    ) -> None:
        if not records:
            return
        self.outcomes[outcome] = self.outcomes.get(outcome, 0) + records
        if error is None:
            return
        name = name_of(outcome, error, examples[0] if examples else None)
        if name not in self.refusals and len(self.refusals) >= GROUPS:
            name = f"{error.code} and others"  # situations are few; what hooks and constraints say may be different for each record
        one = self.refusals.setdefault(name, Refused(outcome, error.code, error.message))
        one.records += records
        one.examples += [str(example)[:200] for example in examples[: EXAMPLES - len(one.examples)]]

    def as_dict(self) -> dict[str, Any]:
        return {
            "outcomes": self.outcomes,
            "refusals": {name: vars(one) for name, one in self.refusals.items()},
            "driven": self.driven,
        }

    @classmethod
    def of(cls, told: dict[str, Any]) -> Tally:
        return cls(
            dict(told.get("outcomes", {})),
            {name: Refused(**one) for name, one in told.get("refusals", {}).items()},
            [dict(one) for one in told.get("driven", ())],
        )

    def counts(self) -> dict[str, int]:
        """Every outcome, those that did not happen too."""
        return {name: self.outcomes.get(name, 0) for name in OUTCOMES}

    def reasons(self) -> list[dict[str, Any]]:
        """The refusals, the most frequent first."""
        return [dict(vars(one)) for one in sorted(self.refusals.values(), key=lambda one: -one.records)]

    @property
    def left(self) -> int:
        """How many records did not arrive in the wanted state."""
        return sum(number for name, number in self.outcomes.items() if name not in ("moved", "unchanged"))


def name_of(outcome: str, error: InterlockError, id: Any) -> str:
    """The key under which refusals of one reason are counted: the code, with the message where it is the same for other records."""
    if outcome in ("conflict", "unknown"):
        return error.code
    return f"{error.code} {error.message[:300].replace(repr(id), '…')}"
