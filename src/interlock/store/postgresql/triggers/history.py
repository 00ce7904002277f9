"""The bodies of the triggers that write history: entries and counter deltas, from the rows of a statement and what it said of them.

Columns of a record are always named with their table: whatever they are called, they are never taken for a variable.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...guarded import LEGACY, PLANNED, Guarded
from ...placement import Placement
from ...records.plans import PLAN_HASH
from ...sql import text
from ..moves.move_context import (
    ACTOR,
    AT,
    CAUSE,
    DETAIL,
    DIGESTS,
    HASHES,
    MACHINE,
    ORIGIN,
    ROLE,
    TOKENS,
    TURN,
    setting,
)
from . import legality
from .hashes import GENESIS, draw, hashed, hashed_at_once, hashes_agree, is_right, put_together
from .hashes import VARIABLES as OF_HASHES
from .instants import is_put_off, latest_date, refuse_far_instants, refuse_put_off
from .legacy_entries import close_past_interlock
from .legality import Column

LEDGER = (
    "interlock_ledger(kind, record_id, axis, scope, version, from_state, to_state, at, actor, role, cause, origin, machine, token, "
    "detail, hash)"
)
VARIABLES = (
    "said text[]; told boolean; reasoned boolean; planned text[]; instant timestamptz; proof bytea; proofs jsonb; given jsonb; "
    "code text; why text; uniform boolean; "
    "many bigint; own_id text; own_scope text; renamed boolean; ids text[]; olds text[]; versions int[]; tails bytea[]; "
    f"due boolean; {OF_HASHES}"
)
_DELTA = "interlock_count_delta(kind, axis, scope, state, delta)"
_SAID = f"{ACTOR}, {ROLE}, {CAUSE}, {ORIGIN}, {MACHINE}"
_PLANNED = ", ".join(map(text, PLANNED))
_LARGE = 10_000  # above this, rows are held in memory to be judged only if one of them moved
GUARD_HINT = (
    "Records are admitted, moved and removed through Interlock: app.admit(), app.move(), app.delete(), "
    "or the commands of interlock record."
)
_RAISE = (
    "RAISE EXCEPTION USING ERRCODE = CASE code WHEN 'IL204' THEN code ELSE 'IL213' END, MESSAGE = why, "
    f"HINT = {text(GUARD_HINT)};"
)


def _listened(guarded: Guarded, given: str) -> str:
    """Take what was said of this axis; what an earlier statement of the same transaction said is not heard."""
    place = guarded.placement
    return f"""
said := {_heard(place)};
told := coalesce({legality.enough(guarded)}, false);
IF NOT told THEN said := NULL; END IF;
IF told THEN instant := {AT}; END IF;{refuse_far_instants(guarded)}{put_together(place)}
proof := {DETAIL};
proofs := {DIGESTS}::jsonb;{_own_details(guarded)}
given := {given};
reasoned := false;
planned := NULL;
IF {ORIGIN} IN ({_PLANNED}) THEN
    SELECT array_agg({legality.plan_pair("(l.line ->> 0)", "(l.line ->> 1)")}) INTO planned
    FROM (SELECT p.lines FROM interlock_plan p
        WHERE p.kind = {text(place.kind)} AND p.axis = {text(place.name)} AND p.origin = {ORIGIN}
        AND {CAUSE} IN ('plan.' || p.id, 'adopt.' || left(p.id, -{PLAN_HASH + 1}))
        AND starts_with(p.machine, {MACHINE}) AND p.closed_at IS NULL
        FOR SHARE) p,  -- a transaction that still sees the plan as it was before it was closed is refused
    jsonb_array_elements(p.lines::jsonb) l(line);
END IF;
IF proofs IS NOT NULL THEN
    reasoned := NOT EXISTS (SELECT 1 FROM jsonb_each_text(proofs) p WHERE NOT EXISTS (
        SELECT 1 FROM interlock_detail d WHERE d.digest = decode(p.value, 'hex') AND d.reason <> ''));
ELSIF proof IS NOT NULL THEN
    reasoned := EXISTS (SELECT 1 FROM interlock_detail d WHERE d.digest = proof AND d.reason <> '');
END IF;"""


def _own_details(guarded: Guarded) -> str:
    """Where one statement past Interlock changed several rows: the details of those that have their own, from the notes that the trigger of
    each row left. A context that grew with every row would cost each row all the ones before it."""
    if not guarded.follows_in_place:
        return ""
    place = guarded.placement
    notes = (
        "SELECT DISTINCT ON (s.record_id) s.record_id, s.detail FROM interlock_stray s "
        f"WHERE s.kind = {text(place.kind)} AND s.axis = {text(place.name)} AND s.at = statement_timestamp() "
        "ORDER BY s.record_id, s.position DESC"
    )
    return f"""
IF many > 1 AND {ORIGIN} = '{LEGACY}' THEN
    SELECT jsonb_object_agg(s.record_id, encode(s.detail, 'hex')) INTO proofs FROM ({notes}) s WHERE s.detail IS NOT NULL;
END IF;"""


def _heard(place: Placement) -> str:
    return f"nullif(current_setting('{setting(place.kind, place.name)}', true), '')"


def _named(place: Placement, id: str, scope: str) -> str:
    return f"{text(place.kind)}, {id}{text(place.name)}, {scope if place.scope_sql else text('')}"


_OWN_DETAIL = "CASE WHEN proofs IS NULL THEN proof ELSE coalesce(decode(proofs ->> {id}, 'hex'), proof) END"


def _entry(
    place: Placement,
    row: Column,
    at: str = "instant",
    token: str = "given ->> {id}",
    detail: str = _OWN_DETAIL,
    hash: str | None = None,
) -> str:
    """The columns of a moved row's entry; a first one comes from nowhere. Its hash is the row's head, unless another is given."""
    old = f"CASE WHEN {row('now')} > 0 THEN {row('old')} END" if place.axis.adoptable else row("old")
    return (
        f"{_named(place, row('id') + ', ', row('scope'))}, {row('now')}, {old}, {row('new')}, {at}, {_SAID}, "
        f"{token.format(id=row('id'))}, {detail.format(id=row('id'))}, {row('head') if hash is None else hash}"
    )


def _is_other_hash(
    place: Placement, row: Column, token: str = "given ->> {id}", detail: str = _OWN_DETAIL
) -> str:
    """SQL: the new head of a moved row is not the hash of its entry; a first entry follows from nothing."""
    adopted = place.axis.adoptable
    tail = f"CASE WHEN {row('now')} > 0 THEN {row('tail')} ELSE {GENESIS} END" if adopted else row("tail")
    right = hashed(
        place,
        row,
        tail=tail,
        version=row("now"),
        old=f"CASE WHEN {row('now')} > 0 THEN {row('old')} END" if adopted else row("old"),
        new=row("new"),
        detail=detail.format(id=row("id")),
        token=token.format(id=row("id")),
    )
    return f"{row('head')} IS DISTINCT FROM {right}"


def _parts(place: Placement, row: str) -> str:
    """A row's own columns under the names that the queries below use."""
    scope = f", {row}.{place.scope_sql}::text AS scope" if place.scope_sql else ""
    return (
        f"{row}.{place.key_sql}::text AS id{scope}, {row}.{place.status_sql}::text AS new, {row}.{place.version_sql} AS now, "
        f"{row}.{place.head_sql} AS head"
    )


def _m(name: str) -> str:
    return f"m.{name}"


def _counted(place: Placement, source: str, state: str, sign: str = "") -> str:
    by = f"m.scope, m.{state}" if place.scope_sql else f"m.{state}"
    return f"SELECT {_named(place, '', 'm.scope')}, m.{state}, {sign}count(*) FROM {source} GROUP BY {by}"


def _one_moved(guarded: Guarded, number: int) -> str:
    """One axis of the only row that a statement changed: plain values, and short INSERTs.

    After an INSERT plpgsql reads nothing that may have changed (settings, clocks): it would take a new snapshot for that.
    """
    place = guarded.placement

    def row(name: str) -> str:
        return f"own_{name}" if name in ("id", "scope") else f"{name}{number}"

    named = _named(place, "", row("scope"))
    begun = f"INSERT INTO {_DELTA} VALUES ({named}, {row('new')}, 1);"
    counted = f"INSERT INTO {_DELTA} VALUES ({named}, {row('old')}, -1), ({named}, {row('new')}, 1);"
    token = f"CASE WHEN {TOKENS} IS NOT NULL THEN {TOKENS}::jsonb ->> own_id END"
    own = f"decode({DIGESTS}::jsonb ->> own_id, 'hex')"
    detail = f"CASE WHEN {DIGESTS} IS NULL THEN {DETAIL}::bytea ELSE coalesce({own}, {DETAIL}::bytea) END"
    bare = f"{TOKENS} IS NULL AND {DETAIL} IS NULL AND {DIGESTS} IS NULL"
    at_once = _at_once(place, row, counted, token, detail)
    short = _at_once(place, row, counted, "NULL::text", "NULL::bytea")
    if guarded.is_adoptable:
        counted = f"IF {row('now')} > 0 THEN {counted} ELSE {begun} END IF;"
    return f"""
said := {_heard(place)};
IF {legality.plain(guarded, row)} THEN
    IF {bare} THEN {short} ELSE{_refuse_other_attempt(place, f"{TOKENS}::jsonb")}
    {at_once}
    END IF;
ELSIF {legality.changed(guarded, row)} THEN{_listened(guarded, f"{TOKENS}::jsonb")}{_refuse_other_attempt(place)}
    code := {legality.refusal(guarded, row)};{_one_gated(guarded, row)}
    IF code IS NULL AND {_is_other_hash(place, row)} THEN code := 'hash'; END IF;
    IF code IS NOT NULL THEN
        why := {legality.refusal_message(guarded, row, "code")};
        {_RAISE}
    END IF;
    INSERT INTO {LEDGER} VALUES ({_entry(place, row)});
    {counted}
{_refuse_engine_columns(guarded, "ELSIF")}END IF;"""


def _at_once(place: Placement, row: Column, counted: str, token: str, detail: str) -> str:
    """The entry of a plain move and its counts, in one statement."""
    instant = f"{AT}::timestamptz"
    hash = hashed_at_once(place, row, instant=instant, detail=detail, token=token)
    entry = _entry(place, row, instant, token, detail, hash)
    return f"WITH entry AS (INSERT INTO {LEDGER} VALUES ({entry})) {counted}"


_WITH_MOVES_ONLY = ("attempt", "tries", "error_code", "error_message", "failed_from", "retry_count")
"""Engine columns that change together with a version; when something is tried next is set without a move too."""


def _engine_columns(guarded: Guarded) -> list[str]:
    place = guarded.placement
    if place.axis.adopt is not None or not place.workflow.create:
        return []
    return [place.quote(place.axis.column_name(name)) for name in _WITH_MOVES_ONLY if place.axis.has(name)]


def _timer_columns(guarded: Guarded) -> list[str]:
    place = guarded.placement
    if place.axis.adopt is not None or not place.workflow.create or not guarded.has_timers:
        return []
    return [place.quote(place.axis.column_name("timer_at"))]


def _refuse_engine_columns(guarded: Guarded, begin: str) -> str:
    """What the engine keeps of a record's attempts changes with its moves only, in tables that Interlock made, and a timer is only put
    off without one. Asked only where a row did not move, so that moves pay nothing for it."""
    place, names, timers = guarded.placement, _engine_columns(guarded), _timer_columns(guarded)
    if not names and not timers:
        return ""
    whole, same = (
        f"{place.version_sql}, {', '.join([*names, *timers])}",
        f"o.{place.version_sql} IS NOT DISTINCT FROM n.{place.version_sql}",
    )
    tests = [f"o.{name} IS DISTINCT FROM n.{name}" for name in names]
    other = " OR ".join(
        [
            *tests,
            *(
                f"(o.{name} <= n.{name}) IS FALSE OR o.{name} IS NOT NULL AND n.{name} IS NULL"
                for name in timers
            ),
        ]
    )
    key = f"{_name(place, 'o')} = {_name(place, 'n')}"
    why = text(
        f"ILK-213: {place.kind}: what is kept of the attempts and the timer of {place.name} changes with its moves only"
    )
    several = (
        f"EXISTS (SELECT {whole} FROM after EXCEPT SELECT {whole} FROM before) AND " if begin == "IF" else ""
    )
    return f"""{begin} {several}EXISTS (SELECT 1 FROM before o JOIN after n ON {key} WHERE {same} AND ({other})) THEN
    RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = {why};
"""


def _one_gated(guarded: Guarded, row: Column) -> str:
    if not guarded.gates:
        return ""
    return f"""
    IF code IS NULL AND {legality.lacks_gates(guarded, row)} THEN code := 'gates'; END IF;"""


def _several_moved(guarded: Guarded) -> str:
    """One axis of all rows that a statement changed. Old and new rows come in the same order, so no join is needed to pair them."""
    place = guarded.placement
    begun = " WHERE m.was IS NOT NULL" if guarded.is_adoptable else ""
    refusal = legality.refusal(guarded, _m)
    if guarded.gates:
        refusal = f"coalesce({refusal}, CASE WHEN {legality.lacks_gates(guarded, _m)} THEN 'gates' END)"
    refusal = f"coalesce({refusal}, CASE WHEN {_is_other_hash(place, _m)} THEN 'hash' END)"
    return f"""{_listened(guarded, f"{TOKENS}::jsonb")}{_refuse_other_attempt(place)}
SELECT array_agg(o.{place.status_sql}::text), array_agg(o.{place.version_sql}), array_agg(o.{place.head_sql})
    INTO olds, versions, tails FROM before o;
WITH pairs AS (SELECT n.*, olds[n.place] AS old, versions[n.place] AS was, tails[n.place] AS tail
    FROM (SELECT row_number() OVER () AS place, {_parts(place, "a")} FROM after a) n),
moved AS MATERIALIZED (SELECT m.*, {refusal} AS code FROM pairs m WHERE {legality.changed(guarded, _m)}),
entries AS (INSERT INTO {LEDGER} SELECT {_entry(place, _m)} FROM moved m WHERE m.code IS NULL),
deltas AS (INSERT INTO {_DELTA} {_counted(place, f"moved m{begun}", "old", "-")} UNION ALL {_counted(place, "moved m", "new")})
SELECT m.code, {legality.refusal_message(guarded, _m, "m.code")} INTO code, why FROM moved m WHERE m.code IS NOT NULL LIMIT 1;
IF code IS NOT NULL THEN {_RAISE} END IF;
{_refuse_engine_columns(guarded, "IF") and _refuse_engine_columns(guarded, "IF") + "END IF;"}"""


def _uniform(guards: Sequence[Guarded]) -> str:
    """Write the history of a batch after one look at the whole, where each axis either stayed as it was in every row or made the same plain
    step in every row, each from the version before. Old and new rows come in the same order, or the names would not be the same."""
    axes = len(guards)
    checks = "".join(
        f"\nIF uniform THEN{_same_step(guarded, number, axes)}\nEND IF;"
        for number, guarded in enumerate(guards)
    )
    begin, end = ("", "") if axes == 1 else (f"\n    FOR turn IN 0..{axes - 1} LOOP", "\n    END LOOP;")
    entries = "".join(
        _in_turn(
            guarded, axes, f"\n    IF moved{number} THEN{_uniform_entries(guarded, number)}\n    END IF;"
        )
        for number, guarded in enumerate(guards)
    )
    return f"""
uniform := true;{checks}
IF uniform THEN{begin}{entries}{end}
    RETURN NULL;
END IF;"""


def _same_step(guarded: Guarded, number: int, axes: int) -> str:
    """Whether one axis made the plain step of the first row in all rows; where the statement moves another axis only, whether it stayed."""
    place, (old, new) = guarded.placement, (f"old{number}", f"new{number}")
    columns = [f"{{0}}.{place.version_sql}", f"{{0}}.{place.head_sql}", f"{{0}}.{place.status_sql}::text"]
    kept = ["versions", "tails", "olds"]
    if number == 0:
        columns, kept = [_name(place, "{0}"), *columns], ["ids", *kept]
    arrays = ", ".join(f"array_agg({column})" for column in columns)
    name = "n.id || chr(10) || n.scope" if place.scope_sql else "n.id"
    step = f"ids[n.place] = {name} AND versions[n.place] + 1 = n.now AND n.new IS NOT DISTINCT FROM {new}"
    moved = f"""
    uniform := coalesce({legality.anybody_may(guarded, old, new)}, false);
    IF uniform THEN
    SELECT {", ".join(f"array_agg({column})" for column in columns[:-1])}, bool_and(o.{place.status_sql}::text IS NOT DISTINCT FROM {old})
        INTO {", ".join(kept[:-1])}, uniform FROM before o;
    END IF;
    IF uniform THEN{hashes_agree(place, step, _parts(place, "a"), old, new)}
    END IF;""".replace("{0}", "o")
    if axes == 1:
        return f"\n    said := {_heard(place)};\n    moved{number} := true;{moved}"
    return f"""
    said := {_heard(place)};
    moved{number} := {legality.is_current()};
    IF moved{number} THEN{moved}
    ELSE
    SELECT {arrays.replace("{0}", "o")} INTO {", ".join(kept)} FROM before o;
    SELECT ({arrays.replace("{0}", "n")}) IS NOT DISTINCT FROM ({", ".join(kept)}) INTO uniform FROM after n;
    END IF;"""


def _refuse_other_attempt(place: Placement, tokens: str = "given") -> str:
    """Where a report is applied: its token is not that of another attempt than the record's own. Work rows are looked up by key, never
    joined; one that this statement has removed is not there any more. The tokens are parsed once, not for each row."""
    scope = f"a.{place.scope_sql}::text" if place.scope_sql else "''"
    own = (
        f"(SELECT w.token FROM interlock_work w WHERE w.record_id = a.{place.key_sql}::text AND w.kind = {text(place.kind)} "
        f"AND w.axis = {text(place.name)} AND w.scope = {scope})"
    )
    why = text(
        f"ILK-213: {place.kind}: {place.name} was moved by a report of another attempt than the current one"
    )
    return f"""
    IF {tokens.removesuffix("::jsonb")} IS NOT NULL THEN  -- by itself: a look into tables costs a statement of its own
        IF EXISTS (SELECT 1 FROM after a WHERE {own} <> {tokens} ->> a.{place.key_sql}::text) THEN
            RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = {why};
        END IF;
    END IF;"""


def _uniform_entries(guarded: Guarded, number: int) -> str:
    place = guarded.placement
    whole = {"old": f"old{number}", "new": f"new{number}"}
    rows = f"(SELECT {_parts(place, 'a')} FROM after a) m"
    each = (
        f"(SELECT m.scope, count(*) AS number FROM {rows} GROUP BY m.scope) m"
        if place.scope_sql
        else "(SELECT many AS number) m"
    )
    return f"""
    said := {_heard(place)};
    given := {TOKENS}::jsonb;{_refuse_other_attempt(place)}
    instant := {AT};
    proof := {DETAIL};
    proofs := {DIGESTS}::jsonb;
    WITH entries AS (INSERT INTO {LEDGER} SELECT {_entry(place, lambda name: whole.get(name, f"m.{name}"))} FROM {rows})
    INSERT INTO {_DELTA} SELECT {_named(place, "", "m.scope")}, d.state, d.sign * m.number
    FROM {each}, (VALUES (old{number}, -1), (new{number}, 1)) d(state, sign);"""


def _pair(guards: Sequence[Guarded]) -> str:
    """How many rows there are, and the first old row o with its new row n: all axes side by side, each in variables with its number."""
    place = guards[0].placement
    date = latest_date(guards, "a")
    parts = {
        "many": "(SELECT count(*) FROM after)",
        "own_id": f"n.{place.key_sql}::text",
        "renamed": f"{_name(place, 'o')} IS DISTINCT FROM {_name(place, 'n')}",
    }
    if place.scope_sql:
        parts["own_scope"] = f"n.{place.scope_sql}::text"
    if date is not None:
        parts["due"] = f"(SELECT {is_put_off(f'max({date})')} FROM after a)"
    for number, guarded in enumerate(guards):
        one = guarded.placement
        for column, before, after in (
            (f"{one.status_sql}::text", "old", "new"),
            (one.version_sql, "was", "now"),
            (one.head_sql, "tail", "head"),
        ):
            parts |= {f"{before}{number}": f"o.{column}", f"{after}{number}": f"n.{column}"}
    return f"SELECT {', '.join(parts.values())} INTO {', '.join(parts)} FROM before o, after n LIMIT 1;"


def variables(guards: Sequence[Guarded]) -> str:
    """What the body of a trigger declares."""
    own = "old{0} text; new{0} text; was{0} int; now{0} int; tail{0} bytea; head{0} bytea; moved{0} boolean;"
    return " ".join([VARIABLES, *(own.format(number) for number in range(len(guards)))])


def _name(place: Placement, row: str) -> str:
    """What a record's history is kept under, as one text; two parts that are swapped are not the same."""
    return f"{row}.{place.key_sql}::text" + (
        f" || chr(10) || {row}.{place.scope_sql}::text" if place.scope_sql else ""
    )


def _whole(guards: Sequence[Guarded], row: str) -> str:
    """Everything of a row that only a move changes."""
    places = [guarded.placement for guarded in guards]
    kept = [
        f"{row}.{column}"
        for place in places
        for column in (place.status_sql, place.version_sql, place.head_sql)
    ]
    kept += [
        f"{row}.{column}"
        for guarded in guards
        for column in (*_engine_columns(guarded), *_timer_columns(guarded))
    ]
    return ", ".join([_name(places[0], row), *kept])


def _in_turn(guarded: Guarded, axes: int, body: str) -> str:
    """Axes that move together are written in the order in which they were driven, whatever the order of their declaration."""
    if axes == 1:
        return body
    told = f"({_heard(guarded.placement)}::text[]){TURN.removeprefix('said')}::int"
    turn = f"least(greatest(coalesce({told}, 0), 0), {axes - 1})"  # whatever is said, it has its turn
    return f"\nIF turn = {turn} THEN{body}\nEND IF;"


def updated(guards: Sequence[Guarded]) -> str:
    """What an UPDATE did: most change one row, so that case has a way of its own."""
    place, axes = guards[0].placement, len(guards)
    fixed = text(
        f"ILK-210: {place.table.name}: the id and scope of a record may not change: its history is kept under them"
    )
    refuse = f"RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = {fixed};"
    begin, end = ("", "") if axes == 1 else (f"FOR turn IN 0..{axes - 1} LOOP", "\nEND LOOP;")
    one = "".join(
        _in_turn(guarded, axes, _one_moved(guarded, number)) for number, guarded in enumerate(guards)
    )
    several = "".join(_in_turn(guarded, axes, _several_moved(guarded)) for guarded in guards)
    return f"""{_pair(guards)}{refuse_put_off(guards)}
IF many = 1 THEN
IF renamed THEN {refuse} END IF;
{begin}{one}{end}
ELSIF many > 1 THEN{_unless_adopting(guards, _uniform(guards))}
IF many > {_LARGE} AND NOT EXISTS (SELECT {_whole(guards, "n")} FROM after n EXCEPT SELECT {_whole(guards, "o")} FROM before o) THEN
    RETURN NULL;
END IF;
SELECT array_agg({_name(place, "o")}) INTO ids FROM before o;
IF EXISTS (SELECT 1 FROM (SELECT row_number() OVER () AS place, {_name(place, "a")} AS name FROM after a) n
    WHERE ids[n.place] IS DISTINCT FROM n.name) THEN {refuse} END IF;
{begin}{several}{end}
END IF;"""


def _unless_adopting(guards: Sequence[Guarded], body: str) -> str:
    """Rows that are being adopted make no step of their machine: the look at the whole would be for nothing."""
    adopting = [
        f"coalesce(({_heard(guarded.placement)}::text[]){ORIGIN.removeprefix('said')} = 'backfill', false)"
        for guarded in guards
        if guarded.follows or (guarded.is_adoptable and guarded.placement.axis.adopt is not None)
    ]
    return f"\nIF NOT ({' OR '.join(adopting)}) THEN{body}\nEND IF;" if adopting else body


def inserted(guards: Sequence[Guarded]) -> str:
    """What an INSERT added: each row's first entries."""
    date = latest_date(guards, "a")
    counted = f"\nSELECT count(*), {'false' if date is None else is_put_off(f'max({date})')} INTO many, due FROM after a;"
    return counted + refuse_put_off(guards) + draw() + "".join(map(_begun, guards))


def _begun(guarded: Guarded) -> str:
    place = guarded.placement
    managed = " WHERE n.now IS NOT NULL" if guarded.is_adoptable else ""
    entry = f"{_named(place, 'm.id, ', 'm.scope')}, 0, NULL, m.new, instant, {_SAID}, NULL, proof, m.head"
    what = text(f": {place.name} must begin in its first state at version 0, with its ledger entry")

    def row(name: str) -> str:
        return f"n.{name}"

    hash = hashed(
        place,
        row,
        tail=GENESIS,
        version="0",
        old="NULL::text",
        new=row("new"),
        detail="proof",
        token="NULL::text",
    )
    return f"""{_listened(guarded, "NULL")}
WITH fresh AS MATERIALIZED (SELECT n.*, {legality.begins(guarded, row, is_right("n.head", hash))} AS begins
    FROM (SELECT row_number() OVER () AS place, {_parts(place, "a")} FROM after a) n{managed}),
entries AS (INSERT INTO {LEDGER} SELECT {entry} FROM fresh m WHERE m.begins),
deltas AS (INSERT INTO {_DELTA} {_counted(place, "fresh m", "new")})
SELECT {text(f"ILK-213: {place.kind} ")} || m.id || {what} INTO why FROM fresh m WHERE NOT m.begins LIMIT 1;
IF FOUND THEN {_RAISE} END IF;"""


def deleted(guards: Sequence[Guarded]) -> str:
    """What a DELETE took away: each row's closing entries, whose hashes no row can hold any more."""
    return "".join(map(_ended, guards))


def _ended(guarded: Guarded) -> str:
    place = guarded.placement
    managed = " WHERE n.now IS NOT NULL" if guarded.is_adoptable else ""
    entry = (
        f"{_named(place, 'm.id, ', 'm.scope')}, m.now + 1, m.new, NULL, instant, {_SAID}, NULL, proof, m.hash"
    )
    what = text(
        f": rows cannot be deleted directly; app.delete() closes {place.name} with an actor and a reason"
    )
    hash = hashed(
        place,
        _m,
        tail="m.head",
        version="m.now + 1",
        old="m.new",
        new="NULL::text",
        detail="proof",
        token="NULL::text",
    )
    judged = f"""{_listened(guarded, f"{HASHES}::jsonb")}
WITH hashed AS (SELECT n.*, decode(given ->> n.id, 'hex') AS hash FROM (SELECT {_parts(place, "b")} FROM before b) n{managed}),
gone AS MATERIALIZED (SELECT m.*, {legality.ends("m.hash", hash)} AS ends FROM hashed m),
entries AS (INSERT INTO {LEDGER} SELECT {entry} FROM gone m WHERE m.ends),
deltas AS (INSERT INTO {_DELTA} {_counted(place, "gone m", "new", "-")})
SELECT {text(f"ILK-213: {place.kind} ")} || m.id || {what} INTO why FROM gone m WHERE NOT m.ends LIMIT 1;
IF FOUND THEN {_RAISE} END IF;"""
    if not guarded.lets_rows_go:
        return judged
    rows = f"(SELECT {_parts(place, 'b')} FROM before b) n WHERE n.now IS NOT NULL"
    counted = f"INSERT INTO {_DELTA} {_counted(place, 'gone m', 'new', '-')}"
    past = close_past_interlock(place, LEDGER, rows, counted)
    return f"\nsaid := {_heard(place)};\nIF {legality.is_current()} THEN{judged}\nELSE{past}\nEND IF;"
