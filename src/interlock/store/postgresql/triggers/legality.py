"""The parts of a machine that triggers check: whether a move is legal, whether its metadata is complete, and the messages of refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....machine import TIMER
from ...guarded import APPLIER, CLOSING, LEGACY, MIGRATORS, ORIGINS, PLANNED, Guarded
from ...sql import either_pair, one_of, text
from ..moves.move_context import ACTOR, AT, CAUSE, MACHINE, ORIGIN, ROLE, STAMP, TOKENS, array_literal
from .instants import is_near

Column = Callable[[str], str]
"""SQL for a part of a moved row: id, scope, old and new (states), was and now (versions), tail and head (hashes)."""

_APPLIED = (
    f"({TOKENS} IS NULL OR {ACTOR} = '{APPLIER}')"  # only a coordinator applies the report of an attempt
)
_CLOSING = ", ".join(map(text, CLOSING))


def enough(guarded: Guarded, origins: Sequence[str] = ORIGINS) -> str:
    """An entry can be written from what was said, of a machine that is in use, and it was said by this very statement."""
    known = f"{ORIGIN} = ANY ({text(array_literal(origins))}::text[])"
    machine = one_of(MACHINE, [machine.fingerprint[:16] for machine in guarded.machines])
    return f"{STAMP} = statement_timestamp()::text AND {known} AND {ACTOR} <> '' AND {machine} AND {is_instant(AT)} AND {_APPLIED}"


def is_instant(text: str) -> str:
    """The text is an instant as Interlock writes it, from 2000 on, and at most ten years ahead."""
    return f"{text} LIKE '2___-__-__T__:__:__.______Z' AND {text}::timestamptz < statement_timestamp() + interval '3653 days'"


def plain(guarded: Guarded, row: Column) -> str:
    """Beyond doubt: a step of the machine that anybody may make, with everything said. Short, for most moves are of this kind."""
    return f"{row('was')} = {row('now')} - 1 AND length({row('head')}) = 32 AND {anybody_may(guarded, row('old'), row('new'))}"


def anybody_may(guarded: Guarded, old: str, new: str) -> str:
    """The edge is a plain one without gates, and everything was said that an entry of it needs."""
    if guarded.is_off:
        return "false"
    gap, null = unused_signs(guarded)
    pairs = [
        f"{null if start is None else start}{gap}{null if end is None else end}"
        for start, ends in guarded.pairs("plain").items()
        for end in ends
        if end not in guarded.gates
    ]
    first, second = (
        f"coalesce({one}, {text(null)})" if None in guarded.states else one for one in (old, new)
    )
    legal = f"{first} || {text(gap)} || {second} = ANY ({text(array_literal(pairs))}::text[])"
    origins = [origin for origin in ORIGINS if origin not in (*CLOSING, *PLANNED, LEGACY, "admit")]
    return f"{legal} AND {enough(guarded, origins)} AND {is_near()}"


def unused_signs(guarded: Guarded) -> tuple[str, str]:
    """Two characters that no state contains: one to join a pair of states by, one to stand for null."""
    free = (
        sign
        for sign in map(chr, range(33, 1000))
        if not any(sign in state for state in guarded.states if state is not None)
    )
    return next(free), next(free)


def is_current() -> str:
    """The context was set by this very statement."""
    return f"coalesce({STAMP} = statement_timestamp()::text, false)"


def changed(guarded: Guarded, row: Column) -> str:
    """The axis moved, or somebody tried to make it. A row that is not adopted yet may hold anything, unless the statement claims to move
    it: then it would move without an entry."""
    tests = " OR ".join(
        f"{row(old)} IS DISTINCT FROM {row(new)}"
        for old, new in (("old", "new"), ("was", "now"), ("tail", "head"))
    )
    if not guarded.is_adoptable:
        return f"({tests})"
    claimed = f"({is_current()} AND {ORIGIN} <> '{LEGACY}')" if guarded.follows else is_current()
    exempt = [f"({row('was')} IS NULL AND {row('now')} IS NULL AND NOT {claimed})"]
    if guarded.is_off:
        exempt.append(
            f"({row('was')} = {row('now')} AND {row('tail')} = {row('head')} AND NOT {is_current()})"
        )
    return f"({tests}) AND NOT ({' OR '.join(exempt)})"


def refusal(guarded: Guarded, row: Column) -> str:
    """Why a move is refused, as a code, or null."""
    old, new, was, now, head = map(row, ("old", "new", "was", "now", "head"))
    stayed, unstepped = f"{old} IS NOT DISTINCT FROM {new}", f"{was} IS NOT DISTINCT FROM {now}"
    legal, known = (
        either_pair(old, new, guarded.pairs("plain", "retry", "operator", "timer")),
        one_of(new, guarded.states),
    )
    cases = ["WHEN true THEN 'off'"] if guarded.is_off else []
    if guarded.is_adoptable:
        adopted = f"told AND {ORIGIN} = 'backfill' AND {known} AND {is_planned('NULL', new)} AND length({head}) = 32"
        cases.append(
            f"WHEN {was} IS NULL AND {now} = 0 THEN CASE WHEN coalesce({adopted}, false) THEN NULL ELSE 'adopt' END"
        )
    any_pair = f"WHEN '{LEGACY}' THEN true " if guarded.follows else ""
    cases += [
        f"WHEN {was} IS DISTINCT FROM {now} - 1 AND NOT ({stayed} AND {unstepped}) THEN 'IL204'",
        f"WHEN NOT ({stayed}) AND NOT coalesce(CASE {ORIGIN} WHEN 'migration' THEN {known} {any_pair}ELSE {legal} END, false) THEN 'IL204'",
        f"WHEN NOT told OR {unstepped} OR coalesce(length({head}), 0) <> 32 OR {ORIGIN} IN ({_CLOSING}) THEN 'IL213'",
        f"WHEN NOT coalesce({_lawful(guarded, old, new)}, false) THEN 'IL213'",
    ]
    return f"CASE {' '.join(cases)} END"


def plan_pair(old: str, new: str) -> str:
    """A pair of states as one text, null-safe."""
    return f"coalesce('=' || {old}, '-') || chr(10) || coalesce('=' || {new}, '-')"


def is_planned(old: str, new: str) -> str:
    """An open plan that the entry names has this move."""
    return f"coalesce({plan_pair(old, new)} = ANY (planned), false)"


def lacks_gates(guarded: Guarded, row: Column) -> str:
    """The newest verdict of one of the new state's gates, for the version that leaves, is not a pass."""
    place = guarded.placement
    scope = row("scope") if place.scope_sql else "''"
    tests = [
        f"({one_of(row('new'), [state])} AND NOT coalesce((SELECT v.passed FROM interlock_gate_verdict v "
        f"WHERE v.record_id = {row('id')} AND v.kind = {text(place.kind)} AND v.axis = {text(place.name)} AND v.scope = {scope} "
        f"AND v.version = {row('was')} AND v.gate = {text(gate)} ORDER BY v.number DESC LIMIT 1), false))"
        for state, names in guarded.gates.items()
        for gate in names
    ]
    exempt = f" AND {ORIGIN} <> '{LEGACY}'" if guarded.follows else ""
    return f"({row('old')} IS DISTINCT FROM {row('new')} AND {row('was')} IS NOT NULL{exempt} AND ({' OR '.join(tests)}))"


def _lawful(guarded: Guarded, old: str, new: str) -> str:
    """What moves of its kind need was said: a retry's origin, an operator's role and reason, a migration's too."""
    migrators = ", ".join(map(text, MIGRATORS))
    cases = [
        f"WHEN {ORIGIN} = 'migration' THEN {ROLE} IN ({migrators}) AND reasoned AND {is_planned(old, new)}",
        f"WHEN {ORIGIN} IN ('backfill', 'admit') THEN false",
        f"WHEN {ORIGIN} = '{LEGACY}' THEN {_legacy(guarded)}",
        f"WHEN {old} IS NOT DISTINCT FROM {new} THEN true",
    ]
    if timed := guarded.timer_pairs:
        cases.append(
            f"WHEN {either_pair(old, new, timed)} AND {ORIGIN} = 'move' AND {CAUSE} = {text(TIMER)} THEN true"
        )
    cases += [
        f"WHEN {either_pair(old, new, pairs)} THEN {ORIGIN} IN ('operator', 'retry') AND {ROLE} IN ({text(role)}, 'admin') AND reasoned"
        for role, pairs in guarded.operator_pairs.items()
    ]
    if (by_retry := either_pair(old, new, guarded.pairs("retry"))) != "false":
        cases.append(f"WHEN {by_retry} THEN {ORIGIN} = 'retry'")
    if alone := guarded.pairs("timer"):
        cases.append(f"WHEN {either_pair(old, new, alone)} THEN false")
    return f"CASE {' '.join(cases)} ELSE true END"


def _legacy(guarded: Guarded) -> str:
    """A write past Interlock passes while the axis follows such writes; in place its actor is whoever is logged in."""
    if not guarded.follows:
        return "false"
    return f"{ACTOR} = session_user" if guarded.follows_in_place else "reasoned"


def refusal_message(guarded: Guarded, row: Column, code: str) -> str:
    """What is said when a move is refused."""
    place = guarded.placement
    who = f"{text(f'{place.kind} ')} || {row('id')}" + (
        f" || ' (' || {row('scope')} || ')'" if place.scope_sql else ""
    )
    way = (
        f"{text(f': {place.name} may not go from ')} || coalesce({row('old')}, 'null') || ' (version ' || "
        f"coalesce({row('was')}::text, 'none') || ') to ' || coalesce({row('new')}, 'null') || ' (version ' || "
        f"coalesce({row('now')}::text, 'none') || ')'"
    )
    lacks = text(
        f": {place.name} changed without its own ledger entry, or that lacks the origin, role and reason which this move needs"
    )
    adopted = text(f": {place.name} is adopted only by an entry of origin backfill, by an open plan")
    gates = text(f": {place.name} waits for a gate that has not passed")
    off = text(f": {place.name} is not moved yet: its adoption is in the phase schema")
    hash = text(f": the new head of {place.name} is not the hash of its entry")
    return (
        f"CASE {code} WHEN 'IL204' THEN 'ILK-204: ' || {who} || {way} WHEN 'adopt' THEN 'ILK-213: ' || {who} || {adopted} "
        f"WHEN 'off' THEN 'ILK-213: ' || {who} || {off} "
        f"WHEN 'gates' THEN 'ILK-213: ' || {who} || {gates} WHEN 'hash' THEN 'ILK-213: ' || {who} || {hash} "
        f"ELSE 'ILK-213: ' || {who} || {lacks} END"
    )


def begins(guarded: Guarded, row: Column, right: str) -> str:
    """The row may be a record's beginning; `right` is SQL: its head is that of its first entry."""
    place, new = guarded.placement, row("new")
    backfilled = f"reasoned AND {is_planned('NULL', new)} AND {one_of(new, guarded.states)}"
    first = f"CASE {ORIGIN} WHEN 'backfill' THEN {backfilled} WHEN 'admit' THEN {one_of(new, guarded.initials)} ELSE false END"
    scope = row("scope") if place.scope_sql else "''"
    moved = (
        f"EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = {row('id')} AND l.kind = {text(place.kind)} "
        f"AND l.axis = {text(place.name)} AND l.scope = {scope} AND l.version = 1)"
    )  # an erased record never begins a second time
    return (
        f"coalesce(told AND {row('now')} = 0 AND {row('id')} <> '' AND {first} AND {right} "
        f"AND NOT {moved}, false)"
    )


def ends(said: str, hash: str) -> str:
    """A record may leave: somebody said why, and what its last entry's hash is."""
    return f"coalesce(told AND {ORIGIN} IN ({_CLOSING}) AND reasoned AND {said} = {hash}, false)"
