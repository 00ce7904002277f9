"""Interlock's own tables on PostgreSQL, as SQL that a DBA can read."""

from __future__ import annotations

PLAN = """
CREATE TABLE IF NOT EXISTS interlock_plan (
    kind text NOT NULL, axis text NOT NULL, id text NOT NULL, origin text NOT NULL, machine text NOT NULL, lines text NOT NULL,
    actor text NOT NULL, role text NOT NULL, at timestamptz NOT NULL, closed_at timestamptz, login text NOT NULL DEFAULT session_user,
    PRIMARY KEY (kind, axis, id))""".strip()

TABLES = """
CREATE TABLE IF NOT EXISTS interlock_meta (
    key text PRIMARY KEY, value text NOT NULL);
CREATE TABLE IF NOT EXISTS interlock_machine (
    kind text NOT NULL, axis text NOT NULL, fingerprint text NOT NULL, definition text NOT NULL,
    active boolean NOT NULL DEFAULT true, since timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (kind, axis, fingerprint));
CREATE TABLE IF NOT EXISTS interlock_axis (
    kind text NOT NULL, axis text NOT NULL, table_name text NOT NULL, key_column text NOT NULL, key_type text NOT NULL,
    scope_column text, status_column text NOT NULL, version_column text NOT NULL, head_column text NOT NULL,
    PRIMARY KEY (kind, axis));
CREATE TABLE IF NOT EXISTS interlock_ledger (
    position bigint GENERATED ALWAYS AS IDENTITY,
    txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    kind text COLLATE "C" NOT NULL,
    record_id text COLLATE "C" NOT NULL,
    axis text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL DEFAULT '',
    version integer NOT NULL,
    from_state text, to_state text,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    role text, cause text,
    origin text NOT NULL,
    machine text NOT NULL, token text, detail bytea,
    hash bytea NOT NULL,
    PRIMARY KEY (record_id, kind, axis, scope, version));
CREATE INDEX IF NOT EXISTS interlock_ledger_order ON interlock_ledger (txid, position);
CREATE TABLE IF NOT EXISTS interlock_detail (
    digest bytea PRIMARY KEY, salt bytea NOT NULL, reason text, facts text NOT NULL DEFAULT '{}',
    kind text, record_id text);
CREATE INDEX IF NOT EXISTS interlock_detail_record ON interlock_detail (record_id, kind) WHERE record_id IS NOT NULL;
CREATE TABLE IF NOT EXISTS interlock_verdict (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    txid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    kind text NOT NULL, record_id text NOT NULL, axis text NOT NULL, scope text NOT NULL DEFAULT '',
    source text NOT NULL CHECK (source IN ('command', 'report')), reference text,
    verdict text NOT NULL, code text NOT NULL, message text NOT NULL, wanted text, actor text NOT NULL,
    at timestamptz NOT NULL);
CREATE INDEX IF NOT EXISTS interlock_verdict_record ON interlock_verdict (record_id, kind);
CREATE INDEX IF NOT EXISTS interlock_verdict_order ON interlock_verdict (txid, position);
CREATE TABLE IF NOT EXISTS interlock_seal (
    number bigint PRIMARY KEY CHECK (number > 0),
    from_transaction bigint NOT NULL, to_transaction bigint NOT NULL,
    from_entry bigint NOT NULL, to_entry bigint NOT NULL, from_verdict bigint NOT NULL, to_verdict bigint NOT NULL,
    entries bigint NOT NULL, verdicts bigint NOT NULL,
    root bytea NOT NULL CHECK (length(root) = 32), previous bytea NOT NULL UNIQUE CHECK (length(previous) = 32),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32), at timestamptz NOT NULL,
    public_key bytea, signature bytea, logins bytea);
CREATE TABLE IF NOT EXISTS interlock_command (
    actor text NOT NULL, key text NOT NULL, payload bytea NOT NULL, answer text,
    at timestamptz NOT NULL, expires_at timestamptz NOT NULL,
    PRIMARY KEY (actor, key));
CREATE TABLE IF NOT EXISTS interlock_gate_verdict (
    kind text NOT NULL, record_id text NOT NULL, axis text NOT NULL, scope text NOT NULL DEFAULT '', version integer NOT NULL,
    gate text NOT NULL, number integer NOT NULL, passed boolean NOT NULL, reason text, details text NOT NULL DEFAULT '{}',
    duration_ms integer, actor text NOT NULL, at timestamptz NOT NULL,
    PRIMARY KEY (record_id, kind, axis, scope, version, gate, number));
CREATE TABLE IF NOT EXISTS interlock_counter (
    kind text NOT NULL, axis text NOT NULL, scope text NOT NULL DEFAULT '', state text NOT NULL, is_null boolean NOT NULL,
    count bigint NOT NULL, PRIMARY KEY (kind, axis, scope, state, is_null));
CREATE TABLE IF NOT EXISTS interlock_count_delta (
    kind text NOT NULL, axis text NOT NULL, scope text NOT NULL DEFAULT '', state text, delta bigint NOT NULL);
CREATE TABLE IF NOT EXISTS interlock_key (
    name text PRIMARY KEY CHECK (name <> ''), digest bytea NOT NULL UNIQUE CHECK (length(digest) = 32), scope text NOT NULL,
    created_at timestamptz NOT NULL, created_by text NOT NULL, expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz);
"""

# Statement-level where it can be: a batch of five hundred pays for one look.
FUNCTIONS = """
CREATE OR REPLACE FUNCTION interlock_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = format('ILK-210: %s of %s is refused: %s', TG_OP, TG_TABLE_NAME, TG_ARGV[0]);
END $body$;
CREATE OR REPLACE FUNCTION interlock_named_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh f WHERE f.digest <> sha256(f.salt || convert_to('[' || to_json(f.facts)::text || ','
        || coalesce(to_json(f.reason)::text, 'null') || ']', 'UTF8'))) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a reason and facts are kept under their own digest';
    ELSIF pg_trigger_depth() < 2 AND EXISTS (SELECT 1 FROM fresh f WHERE CASE WHEN f.record_id IS NULL
        THEN (SELECT 1 FROM interlock_ledger l WHERE l.txid = pg_current_xact_id() AND l.detail = f.digest LIMIT 1)
        ELSE (SELECT 1 FROM interlock_ledger l WHERE l.record_id = f.record_id AND l.kind = f.kind AND l.detail = f.digest LIMIT 1) END
        IS NULL)
        AND NOT pg_has_role(session_user, (SELECT c.relowner FROM pg_class c WHERE c.oid = TG_RELID), 'MEMBER') THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a reason and facts are kept together with the entry that names them';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_detail_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = OLD.record_id AND l.kind = OLD.kind AND l.origin = 'erase') THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210',
            MESSAGE = format('ILK-210: DELETE of %s is refused: the record was not erased', TG_TABLE_NAME);
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_gate_verdict_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF EXISTS (SELECT 1 FROM fresh v WHERE v.actor = '' OR v.login IS DISTINCT FROM session_user
        OR v.at NOT BETWEEN '2000-01-01Z' AND statement_timestamp() + interval '3653 days'
        OR NOT EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = v.record_id AND l.kind = v.kind AND l.axis = v.axis
            AND l.scope = v.scope AND l.version = v.version)
        OR EXISTS (SELECT 1 FROM interlock_ledger l WHERE l.record_id = v.record_id AND l.kind = v.kind AND l.origin = 'erase')
        OR v.number <> 1 + (SELECT count(*) FROM interlock_gate_verdict o WHERE o.record_id = v.record_id AND o.kind = v.kind
            AND o.axis = v.axis AND o.scope = v.scope AND o.gate = v.gate AND o.number < v.number)) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213',
            MESSAGE = 'ILK-213: a gate verdict is numbered on, about a version that the record has had, at an instant';
    END IF;
    RETURN NULL;
END $body$;
CREATE OR REPLACE FUNCTION interlock_seal_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
DECLARE leaves bytea[]; entries bigint; verdicts bigint; canonical text;
BEGIN
    IF NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM interlock_seal)
        OR NEW.previous <> coalesce((SELECT hash FROM interlock_seal WHERE number = NEW.number - 1), decode(repeat('00', 32), 'hex')) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a seal follows from the one before it';
    END IF;
    SELECT array_agg(c.leaf ORDER BY c.part, c.txid, c.position), count(*) FILTER (WHERE c.part = 1), count(*) FILTER (WHERE c.part = 2)
        INTO leaves, entries, verdicts FROM (
        SELECT 1 AS part, l.txid, l.position, sha256('\\x00'::bytea || convert_to(
            encode(l.hash, 'hex') || ' ' || l.position || ' ' || l.txid::text, 'UTF8')) AS leaf FROM interlock_ledger l
        WHERE l.txid >= NEW.from_transaction::text::xid8 AND l.txid < NEW.to_transaction::text::xid8
        AND l.position > NEW.from_entry AND l.position <= NEW.to_entry
        UNION ALL SELECT 2, v.txid, v.position, sha256('\\x00'::bytea || convert_to(format(
            '{"actor":%s,"at":"%s","axis":%s,"code":%s,"id":%s,"kind":%s,"message":%s,"position":%s,"reference":%s,"scope":%s,'
            '"source":%s,"transaction":%s,"verdict":%s,"wanted":%s}', to_json(v.actor),
            to_char(v.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), to_json(v.axis), to_json(v.code), to_json(v.record_id),
            to_json(v.kind), to_json(v.message), v.position, coalesce(to_json(v.reference)::text, 'null'), to_json(v.scope),
            to_json(v.source), v.txid::text, to_json(v.verdict), coalesce(to_json(v.wanted)::text, 'null')), 'UTF8'))
        FROM interlock_verdict v WHERE v.txid >= NEW.from_transaction::text::xid8 AND v.txid < NEW.to_transaction::text::xid8
        AND v.position > NEW.from_verdict AND v.position <= NEW.to_verdict) c;
    WHILE cardinality(leaves) > 1 LOOP
        SELECT array_agg(CASE WHEN p.beside IS NULL THEN p.node ELSE sha256('\\x01'::bytea || p.node || p.beside) END ORDER BY p.number)
            INTO leaves FROM (SELECT u.node, lead(u.node) OVER (ORDER BY u.number) AS beside, u.number
                FROM unnest(leaves) WITH ORDINALITY u(node, number)) p WHERE p.number % 2 = 1;
    END LOOP;
    canonical := format('{"at":"%s","entries":%s,"format":"interlock seal 1","from_entry":%s,"from_transaction":%s,"from_verdict":%s,',
        to_char(NEW.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), NEW.entries, NEW.from_entry, NEW.from_transaction,
        NEW.from_verdict) || coalesce('"logins":"' || encode(NEW.logins, 'hex') || '",', '')
        || format('"number":%s,"previous":"%s","public_key":%s,"root":"%s","to_entry":%s,"to_transaction":%s,"to_verdict":%s,'
        '"verdicts":%s}',
        NEW.number, encode(NEW.previous, 'hex'), coalesce('"' || encode(NEW.public_key, 'hex') || '"', 'null'), encode(NEW.root, 'hex'),
        NEW.to_entry, NEW.to_transaction, NEW.to_verdict, NEW.verdicts);
    IF leaves[1] IS DISTINCT FROM NEW.root OR entries <> NEW.entries OR verdicts <> NEW.verdicts
        OR NEW.hash <> sha256('\\x02'::bytea || convert_to(canonical, 'UTF8')) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a seal is the root over exactly what it covers, under its own hash';
    END IF;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_command_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF OLD.answer IS NOT NULL OR (OLD.actor, OLD.key, OLD.payload) IS DISTINCT FROM (NEW.actor, NEW.key, NEW.payload) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = 'ILK-210: UPDATE of interlock_command is refused: a command is answered once';
    END IF;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_key_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF NEW.last_used_at > statement_timestamp() + interval '1 day'
        OR (OLD.last_used_at IS NOT NULL AND (NEW.last_used_at IS NULL OR NEW.last_used_at < OLD.last_used_at))
        OR (OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at)
        OR (OLD.name, OLD.digest, OLD.scope, OLD.created_at, OLD.created_by, OLD.expires_at, OLD.login)
        IS DISTINCT FROM (NEW.name, NEW.digest, NEW.scope, NEW.created_at, NEW.created_by, NEW.expires_at, NEW.login) THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210',
            MESSAGE = 'ILK-210: UPDATE of interlock_key is refused: a key may be revoked, and stays so';
    END IF;
    NEW.changed_login := session_user;
    RETURN NEW;
END $body$;
CREATE OR REPLACE FUNCTION interlock_plan_guard() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
    IF TG_OP = 'INSERT' THEN
        NEW.login := session_user;
        IF NEW.origin NOT IN ('migration', 'backfill') OR jsonb_typeof(NEW.lines::jsonb) <> 'array'
            OR jsonb_array_length(NEW.lines::jsonb) = 0
            OR EXISTS (SELECT 1 FROM jsonb_array_elements(NEW.lines::jsonb) l(line) WHERE coalesce(l.line ->> 2, '') = '') THEN
            RAISE EXCEPTION USING ERRCODE = 'IL213', MESSAGE = 'ILK-213: a plan is written once, and each of its lines gives a reason';
        END IF;
    ELSIF to_jsonb(NEW) - 'closed_at' <> to_jsonb(OLD) - 'closed_at' THEN
        RAISE EXCEPTION USING ERRCODE = 'IL210', MESSAGE = 'ILK-210: UPDATE of interlock_plan is refused: a plan may not change';
    END IF;
    RETURN NEW;
END $body$;
"""


def own_guards() -> list[str]:
    """History refuses change: triggers on Interlock's own tables."""
    found = []
    all_ = ("UPDATE", "DELETE", "TRUNCATE")
    for table, events in {
        "interlock_ledger": all_,
        "interlock_verdict": all_,
        "interlock_detail": ("UPDATE", "TRUNCATE"),
        "interlock_seal": all_,
        "interlock_gate_verdict": ("UPDATE", "TRUNCATE"),
        "interlock_plan": ("DELETE", "TRUNCATE"),
        "interlock_key": ("DELETE", "TRUNCATE"),
        "interlock_stage": ("DELETE", "TRUNCATE"),
    }.items():
        found.append(
            f"CREATE OR REPLACE TRIGGER interlock_frozen AFTER {' OR '.join(events)} ON {table} FOR EACH STATEMENT "
            "EXECUTE FUNCTION interlock_refuse_change('history may not change')"
        )
    found += [
        f"CREATE OR REPLACE TRIGGER interlock_kept AFTER DELETE ON {table} FOR EACH ROW "
        "EXECUTE FUNCTION interlock_detail_guard()"
        for table in (
            "interlock_detail",
            "interlock_gate_verdict",
        )  # reasons and facts, and what gates quoted
    ]
    found.append(
        "CREATE OR REPLACE TRIGGER interlock_like_its_row BEFORE INSERT ON interlock_ledger "
        "FOR EACH STATEMENT EXECUTE FUNCTION interlock_ledger_guard()"
    )
    found.append(
        "CREATE OR REPLACE TRIGGER interlock_named AFTER INSERT ON interlock_detail REFERENCING NEW TABLE AS fresh "
        "FOR EACH STATEMENT EXECUTE FUNCTION interlock_named_guard()"
    )
    found.append(
        "CREATE OR REPLACE TRIGGER interlock_numbered AFTER INSERT ON interlock_gate_verdict REFERENCING NEW TABLE AS fresh "
        "FOR EACH STATEMENT EXECUTE FUNCTION interlock_gate_verdict_guard()"
    )
    found.append(
        "CREATE OR REPLACE TRIGGER interlock_fixed BEFORE INSERT OR UPDATE ON interlock_plan FOR EACH ROW "
        "EXECUTE FUNCTION interlock_plan_guard()"
    )
    for name, event, table, function in (
        ("interlock_next", "INSERT", "interlock_seal", "interlock_seal_guard"),
        ("interlock_answered", "UPDATE", "interlock_command", "interlock_command_guard"),
        ("interlock_revoked", "UPDATE", "interlock_key", "interlock_key_guard"),
    ):
        found.append(
            f"CREATE OR REPLACE TRIGGER {name} BEFORE {event} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()"
        )
    # What earlier versions had: then whoever moved a row wrote its entry too, and each was held against the other.
    found += [
        "DROP TRIGGER IF EXISTS interlock_migration ON interlock_ledger",
        "DROP FUNCTION IF EXISTS interlock_migration_guard()",
        "ALTER TABLE interlock_ledger DROP CONSTRAINT IF EXISTS interlock_ledger_origin_check",
    ]
    return found
