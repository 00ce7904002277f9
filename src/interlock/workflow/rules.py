"""Rules between axes: what must hold to enter or leave a state, and what such a move drives."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Never

from sqlalchemy import ColumnElement

from ..errors import BadDeclaration, state_text
from ..machine import State

States = State | Collection[State]
Moment = Literal["entering", "leaving", "during"]
SENTENCE_LIMIT = 300
CODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}", re.ASCII)


def several(states: Any) -> tuple[State, ...]:
    """One state or several, as a tuple of plain states."""
    if states is None or isinstance(states, str):
        return (None if states is None else str.__str__(states),)
    plain = [None if state is None else str.__str__(state) for state in states]
    return tuple(
        sorted(plain, key=lambda state: (state is None, state or ""))
        if isinstance(states, set | frozenset)
        else plain
    )


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule, made by a `When`: either it moves another axis, or it requires something."""

    moment: Moment
    axis: str
    states: tuple[State, ...]
    target: str | None = None
    mapping: Mapping[State, State] | None = None
    own_row: tuple[ColumnElement[bool], ...] = ()
    required: Mapping[str, tuple[State, ...]] | None = None
    says: str | None = None
    """The sentence with which the requirement refuses, in the team's own words."""
    code: str | None = None
    """A short stable name of the requirement, for programs."""

    def fires(self, old: State, new: State) -> bool:
        """Whether a move from old to new enters (or leaves) one of the rule's states; each of them is entered from any other state,
        another one of the same rule included."""
        if old == new:
            return False
        return (self.moment == "entering" and new in self.states) or (
            self.moment == "leaving" and old in self.states
        )

    def __str__(self) -> str:
        moment = f"{self.moment}({self.axis}={'|'.join(state_text(state) for state in self.states)})"
        if self.target is not None:
            steps = ", ".join(
                f"{state_text(old)}→{state_text(new)}" for old, new in (self.mapping or {}).items()
            )
            return f"{moment}.moves({self.target}: {steps})"
        needs = [
            f"{axis}={'|'.join(state_text(state) for state in states)}"
            for axis, states in (self.required or {}).items()
        ]
        needs += [
            str(one) if hasattr(one, "compile") else getattr(one, "__name__", repr(one))
            for one in self.own_row
        ]
        needs += [f'says="{self.says}"'] if self.says else []
        needs += [f"code={self.code}"] if self.code else []
        return f"{moment}.requires({', '.join(needs)})"

    @property
    def own_words(self) -> str:
        """The requirement as the team words it, with its code; empty where neither is declared."""
        if self.says is None:
            return self.code or ""
        return f"{self.says} ({self.code})" if self.code else self.says


class When:
    """A moment on one axis, made by `entering`, `leaving` or `during`; declare what it moves, or what it requires."""

    def __init__(self, moment: Moment, axis: Mapping[str, States]) -> None:
        if len(axis) != 1:
            raise BadDeclaration(
                f"{moment}() takes exactly one axis, not {', '.join(axis) or 'none'}",
                hint=f'Write {moment}(status="packed").',
            )
        self.moment = moment
        ((self.axis, states),) = axis.items()
        self.states = several(states)

    def moves(self, **axis: Mapping[Any, Any]) -> Rule:
        """In the same transaction move another axis, by {from: to}; from elsewhere nothing happens."""
        if len(axis) != 1:
            raise BadDeclaration(
                f"{self.moment}(…).moves() takes exactly one axis, not {', '.join(axis) or 'none'}",
                hint=f'Write {self.moment}(…).moves(status={{"placed": "packed"}}).',
            )
        ((target, mapping),) = axis.items()
        if not isinstance(mapping, Mapping):
            raise BadDeclaration(
                f"{self.moment}(…).moves({target}={mapping!r}) does not say from where",
                hint=f"Write from and to: moves({target}={{None: {mapping!r}}}).",
            )
        plain = {several(old)[0]: several(new)[0] for old, new in mapping.items()}
        return Rule(self.moment, self.axis, self.states, target=target, mapping=plain)

    def requires(
        self,
        *own_row: ColumnElement[bool],
        says: str | None = None,
        code: str | None = None,
        **axis: States,
    ) -> Rule:
        """Refuse the move unless every condition holds in the moving statement itself.

        `says` is the sentence with which it refuses, `code` a stable name for programs, such as "OWN_WORK"; both are in the refusal, its
        verdict, `explain` and the machine's reference.
        """
        if self.moment == "during":
            raise BadDeclaration(
                "during(…).requires(…) cannot be kept: a requirement conditions entering, not staying",
                hint="Say entering(…).requires(…).",
            )
        if not own_row and not axis:
            raise BadDeclaration(
                f"{self.moment}({self.axis}=…).requires() needs a condition",
                hint="Name a state of another axis, or a condition on a column of the record: requires(orders.c.paid.is_(True)).",
            )
        refuse_wording(says, code)
        return Rule(
            self.moment,
            self.axis,
            self.states,
            own_row=own_row,
            required={name: several(states) for name, states in axis.items()},
            says=says,
            code=code,
        )


def refuse_wording(says: Any, code: Any) -> None:
    """Raise where the words of a requirement are no sentence, or its code is no name."""
    if says is not None and not (isinstance(says, str) and says.strip() and len(says) <= SENTENCE_LIMIT):
        raise BadDeclaration(
            f"says of a rule is a sentence of 1 to {SENTENCE_LIMIT} characters, not {says!r}",
            hint='Such as says="Nobody approves their own work".',
        )
    if code is not None and not (isinstance(code, str) and CODE.fullmatch(code)):
        raise BadDeclaration(
            f"code of a rule is 1 to 60 letters, digits, -, _ and ., not {code!r}",
            hint='Such as code="OWN_WORK".',
        )


def _refuse_positional(moment: Moment, bare: tuple[Any, ...]) -> None:
    if bare:
        raise BadDeclaration(
            f"{moment}({bare[0]!r}) does not name its axis", hint=f"Write {moment}(status={bare[0]!r})."
        )


def entering(*bare: Never, **axis: States) -> When:
    """When an axis comes into one of these states from another one."""
    _refuse_positional("entering", bare)
    return When("entering", axis)


def leaving(*bare: Never, **axis: States) -> When:
    """When an axis goes from one of these states to another one."""
    _refuse_positional("leaving", bare)
    return When("leaving", axis)


def during(*bare: Never, **axis: States) -> When:
    """While an axis is in one of these states: the sweep makes the move wherever it has not been made."""
    _refuse_positional("during", bare)
    return When("during", axis)
