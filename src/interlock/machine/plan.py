"""A migration plan says where records of lost states go, and why; it must never lead anywhere that the new machine does not have."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from interlock.errors import state_text
from interlock.machine.definition import Machine
from interlock.machine.edge import State
from interlock.machine.suggest import did_you_mean


@dataclass(frozen=True, slots=True)
class Line:
    """Records in one lost state go to one state of the new machine."""

    old: State
    new: State
    reason: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Lines that are carried out together; the same plan has the same name in every process, so it can be taken up again."""

    machine: Machine
    lines: tuple[Line, ...]

    @property
    def name(self) -> str:
        """Short, and of nothing but what the plan says."""
        content = [self.machine.fingerprint, [[line.old, line.new, line.reason] for line in self.lines]]
        return hashlib.sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()[:12]

    def problems(self, versions: Collection[Machine], lost: Collection[State] = ()) -> list[str]:
        """Why the plan cannot be carried out, in sentences; `versions` are all that the database has known, `lost` are states that records
        are in although no version has them: a table that is being adopted may hold any."""
        if not self.lines:
            return ["the plan has no line"]
        named = [state for machine in (*versions, self.machine) for state in machine.states]
        known = list(dict.fromkeys([*named, *lost]))
        found = [problem for line in self.lines for problem in self._of_line(line, known)]
        left = [line.old for line in self.lines]
        found += [
            f"{state_text(state)} is left by two lines"
            for state in dict.fromkeys(left)
            if left.count(state) > 1
        ]
        return found

    def _of_line(self, line: Line, known: Collection[State]) -> Iterator[str]:
        name = self.machine.name
        if line.old in self.machine.states:
            yield (
                f"{name} still has the state {state_text(line.old)}: a plan leads out of lost states only, "
                "and records elsewhere go by the machine's own moves"
            )
        elif line.old not in known:
            yield f"no version of {name} ever had the state {state_text(line.old)}. {did_you_mean(line.old, known)}".rstrip()
        if line.new not in self.machine.states:
            yield f"{name} has no state {state_text(line.new)}. {did_you_mean(line.new, self.machine.states)}".rstrip()
        if not line.reason.strip():
            yield f"{state_text(line.old)} → {state_text(line.new)} gives no reason"
