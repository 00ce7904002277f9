"""The hash of an entry as the guards compute it: a row's new head is the SHA-256 of the entry that its move writes, or it is refused.

What all entries of a statement have in common is put together once. SHA-256 is a tenth of what a row of a large batch costs, so of those
a sample is hashed: one of each sixteen rows, drawn by lot for each sixteen anew. A batch of made-up hashes has no way past it, each more of
them is likelier to be met, and one that hides among right ones is named by verification, which hashes everything. The lots come from the
server's source of random bits: whoever types can set the seed of `random()`, and would know them.
"""

from __future__ import annotations

from json.encoder import encode_basestring as quoted

from ...placement import Placement
from ...sql import text
from ..moves.move_context import ACTOR, AT, CAUSE, DETAIL, DIGESTS, MACHINE, ORIGIN, ROLE, TOKENS
from .legality import Column

EACH = 16
"""One row of so many is hashed, and every row of a statement that has no more than these."""
VARIABLES = "opening text; onward text; middle text; ending text; drawn text; lot bigint; onset bigint;"
GENESIS = f"'\\x{'00' * 32}'::bytea"
_INSTANT = """to_char({} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')"""
OTHER_HASH = """
CREATE OR REPLACE FUNCTION interlock_other_hash() RETURNS bytea LANGUAGE plpgsql AS $body$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: the new head of a record is not the hash of its entry';
END $body$""".strip()
"""Called by a guard's own statement in the place of a hash that is not right."""


def _json(sql: str) -> str:
    """A text, or null, as JSON."""
    return "'null'" if sql.startswith("NULL") else f"coalesce(to_json({sql})::text, 'null')"


def _digest(sql: str) -> str:
    """A digest, or null, as JSON."""
    return "'null'" if sql.startswith("NULL") else f"coalesce('\"' || encode({sql}, 'hex') || '\"', 'null')"


def _opening(place: Placement, instant: str = "instant") -> str:
    """The canonical text up to the detail."""
    axis = text(f'","axis":{quoted(place.name)},"cause":')
    return (
        f'\'{{"actor":\' || to_json({ACTOR})::text || \',"at":"\' || {_INSTANT.format(instant)} || {axis} || {_json(CAUSE)} '
        "|| ',\"detail\":'"
    )


def _middle(place: Placement) -> str:
    """From the record's id to its scope."""
    kind = text(f',"kind":{quoted(place.kind)},"machine":')
    return (
        f"{kind} || to_json({MACHINE})::text || ',\"origin\":' || to_json({ORIGIN})::text || ',\"role\":' || {_json(ROLE)} "
        "|| ',\"scope\":'"
    )


def _id(place: Placement, row: Column) -> str:
    """A record's id as JSON: digits need no escaping."""
    return f"to_json({row('id')})::text" if place.python_type is not int else f"'\"' || {row('id')} || '\"'"


def draw() -> str:
    """Statements: what decides which rows of a statement are hashed; `many` is known by then."""
    return f"""
    drawn := CASE WHEN many > {EACH} THEN gen_random_uuid()::text END;
    lot := ('x' || left(drawn, 8))::bit(32)::bigint;
    onset := ('x' || right(drawn, 8))::bit(32)::bigint;"""


def is_right(head: str, hash: str) -> str:
    """SQL: the row's head is that of its entry, or it was not drawn; rows are numbered as `n.place` from 1, after `draw`. The first
    sixteen have their lot from the highest bits of a number, and each sixteen after them from the next one of a sequence."""
    place, group = f"(n.place - 1) % {EACH}", f"(n.place - 1) / {EACH}"
    drawn = f"(({group} * lot + onset) & {0xFFFFFFFF}) >> {32 - (EACH - 1).bit_length()}"
    return f"CASE WHEN {place} <> {drawn} THEN length({head}) = 32 ELSE {head} = {hash} END"


def put_together(place: Placement) -> str:
    """Statements that keep what entries of one statement have in common; `said` and `instant` are known by then."""
    return f"\nopening := {_opening(place)};\nmiddle := {_middle(place)};"


def hashed(
    place: Placement,
    row: Column,
    *,
    tail: str,
    version: str,
    old: str,
    new: str,
    detail: str,
    token: str,
    opening: str = "opening",
    middle: str = "middle",
) -> str:
    """SQL: the hash of the entry of one row. All is SQL: the head before it, its version, states, a digest, a token, or null; and what
    entries have in common, which are the variables of `put_together` unless they are given."""
    scope = f"to_json({row('scope')})::text" if place.scope_sql else "'\"\"'"
    parts = (
        f"{opening} || {_digest(detail)} || ',\"from\":' || {_json(old)} || ',\"id\":' || {_id(place, row)} || {middle} || {scope} "
        f"|| ',\"to\":' || {_json(new)} || ',\"token\":' || {_json(token)} || ',\"version\":' || ({version})::text || '}}'"
    )
    return f"sha256({tail} || convert_to({parts}, 'UTF8'))"


def hashed_at_once(place: Placement, row: Column, *, instant: str, detail: str, token: str) -> str:
    """SQL: a row's new head, which is the hash of its entry, or an error. For a statement that runs anyway: an expression of plpgsql that
    reads a setting or a clock would take a snapshot of its own."""
    right = hashed(
        place,
        row,
        tail=row("tail"),
        version=row("now"),
        old=row("old"),
        new=row("new"),
        detail=detail,
        token=token,
        opening=_opening(place, instant),
        middle=_middle(place),
    )
    return f"CASE WHEN {row('head')} = {right} THEN {row('head')} ELSE interlock_other_hash() END"


def hashes_agree(place: Placement, step: str, parts: str, old: str, new: str) -> str:
    """Statements: `uniform` stays true if each row `n` of `after` made its step, from `old` to `new`, and has the hash of its entry.
    `tails` are the heads before, in the same order, and `parts` are the columns of a row under the names that queries use."""
    own = _digest("coalesce(decode(proofs ->> n.id, 'hex'), proof)")
    start = f"CASE WHEN proofs IS NULL THEN opening ELSE opening || {own} || onward END"
    scope, joined = (
        ("to_json(n.scope)::text || ending || ", "") if place.scope_sql else ("", "|| '\"\"' || ending")
    )
    token = f"CASE WHEN given IS NULL THEN 'null' ELSE {_json('given ->> n.id')} END"
    body = f"{start} || {_id(place, lambda name: f'n.{name}')} || middle || {scope}{token} || ',\"version\":' || n.now::text || '}}'"
    hash = f"sha256(tails[n.place] || convert_to({body}, 'UTF8'))"
    return f"""{draw()}
    instant := {AT};
    proof := {DETAIL};
    proofs := {DIGESTS}::jsonb;
    given := {TOKENS}::jsonb;
    onward := ',"from":' || {_json(old)} || ',"id":';
    ending := ',"to":' || {_json(new)} || ',"token":';
    opening := {_opening(place)};
    IF proofs IS NULL THEN opening := opening || {_digest("proof")} || onward; END IF;
    middle := {_middle(place)} {joined};
    uniform := NOT EXISTS (SELECT 1 FROM (SELECT row_number() OVER () AS place, {parts} FROM after a) n
        WHERE ({step} AND {is_right("n.head", hash)}) IS NOT TRUE);"""
