"""The four states of content and the legal moves between them, as pure values; and one call that makes such a move in a database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import bindparam, column, select, table

from interlock import App, Machine, operator
from interlock.errors import BadInput, ConcurrentModificationError, InvalidStateTransition, RuleRefused

KIND = "content"
InvalidTransitionError = InvalidStateTransition


class LifecycleState(StrEnum):
    """Where an item of content is; it only moves forward."""

    DRAFT = "DRAFT"
    CANDIDATE = "CANDIDATE"
    VALIDATED = "VALIDATED"
    APPROVED = "APPROVED"


VALID_TRANSITIONS: Mapping[LifecycleState, list[LifecycleState]] = {
    LifecycleState.DRAFT: [LifecycleState.CANDIDATE],
    LifecycleState.CANDIDATE: [LifecycleState.VALIDATED],
    LifecycleState.VALIDATED: [LifecycleState.APPROVED],
    LifecycleState.APPROVED: [],
}
LIFECYCLE = Machine(
    "content",
    initial="DRAFT",
    moves={
        "DRAFT": ["CANDIDATE"],
        "CANDIDATE": ["VALIDATED"],
        "VALIDATED": [operator("APPROVED")],
        "APPROVED": [],
    },
)
STANDING = Machine(
    "standing", initial="active", moves={"active": [operator("deprecated"), operator("rejected")]}
)
"""The second axis: approved content is deprecated, validated content is rejected; both for good."""


@dataclass(frozen=True)
class StateTransition:
    """A transition that was made; `id` is that of its row in `state_transition_events`, its position in the ledger."""

    id: str
    item_id: str
    from_state: LifecycleState
    to_state: LifecycleState
    timestamp: datetime
    metadata: Mapping[str, Any] = field(default_factory=dict)


def read_state(state: LifecycleState | str) -> LifecycleState:
    """The state of this name; raises BadInput for any other text."""
    try:
        return LifecycleState(state)
    except ValueError:
        names = ", ".join(LifecycleState)
        raise BadInput(
            f"{state!r} is no state of content; the states are {names}", state=str(state)
        ) from None


def is_valid_transition(old: LifecycleState | str, new: LifecycleState | str) -> bool:
    """Whether content may go from one state to the other in one step."""
    return read_state(new) in VALID_TRANSITIONS[read_state(old)]


def assert_valid_transition(old: LifecycleState | str, new: LifecycleState | str) -> None:
    """Raise InvalidTransitionError, which names both states and the legal next ones, unless the transition is valid."""
    old, new = read_state(old), read_state(new)
    if new in VALID_TRANSITIONS[old]:
        return
    legal = VALID_TRANSITIONS[old]
    following = f"from {old} content goes to {', '.join(legal)}" if legal else f"{old} is terminal"
    raise InvalidTransitionError(
        "content", old, new, tuple(legal), why=f"Invalid transition from {old} to {new}; {following}"
    )


def get_next_valid_states(state: LifecycleState | str) -> list[LifecycleState]:
    """The states that content may enter next."""
    return list(VALID_TRANSITIONS[read_state(state)])


def is_terminal_state(state: LifecycleState | str) -> bool:
    """Whether no transition leaves the state."""
    return not VALID_TRANSITIONS[read_state(state)]


def execute_transition(
    app: App,
    *,
    item_id: str,
    item_type: str,
    from_state: LifecycleState | str,
    to_state: LifecycleState | str,
    metadata: Mapping[str, Any] | None = None,
    actor: str,
    role: str | None = None,
    reason: str | None = None,
) -> StateTransition:
    """Make one transition and return it. `metadata` is kept with it and changes nothing of the item. Raises InvalidTransitionError for an
    illegal pair, ConcurrentModificationError where the item has left `from_state`, and RuleRefused where it is of another type."""
    assert_valid_transition(from_state, to_state)
    old, new = read_state(from_state), read_state(to_state)
    item = app.get(KIND, item_id)
    if item["item_type"] != item_type:
        raise RuleRefused(
            f"{item_id} is of type {item['item_type']}, not {item_type}",
            rule_code="OTHER_TYPE",
            item_type=item["item_type"],
        )
    if item["state"] != old:
        raise overtaken(app, item_id, expected=old, state=item["state"])
    answer = app.move(
        KIND,
        item_id,
        actor=actor,
        role=role,
        reason=reason,
        version=item["version"],
        facts={"metadata": dict(metadata)} if metadata else None,
        state=str(new),
    )
    if answer.outcome != "moved":
        raise overtaken(app, item_id, expected=old, state=str(answer.new))
    made = next(
        move for move in app.ledger.history(KIND, item_id, axis="state") if move.version == answer.version
    )
    with app.database.read() as tx:
        position = tx.execute(_POSITION, {"item_id": item_id, "to_state": str(new)}).scalar_one()
    return StateTransition(str(position), item_id, old, new, made.at, dict(metadata or {}))


_EVENTS = table("state_transition_events", column("id"), column("item_id"), column("to_state"))
_POSITION = select(_EVENTS.c.id).where(
    _EVENTS.c.item_id == bindparam("item_id"), _EVENTS.c.to_state == bindparam("to_state")
)
"""An item enters each state once, and an erased one never begins again."""


def overtaken(app: App, item_id: str, *, expected: str | int, state: str) -> ConcurrentModificationError:
    """The conflict of whoever saw an item in another state, or at another version, than it has now; it names who changed it last."""
    history = app.ledger.history(KIND, item_id, axis="state")
    if isinstance(expected, int):
        last = history[-1]
        message = (
            f"{item_id} is no longer at version {expected}: {last.actor} has changed it, and it is {state}"
        )
    else:
        last = [move for move in history if move.old != move.new][-1]
        message = f"{item_id} is no longer in {expected}: {last.actor} moved it to {state}"
    return ConcurrentModificationError(
        message,
        kind=KIND,
        id=item_id,
        expected=expected,
        state=state,
        winner=last.actor,
    )
