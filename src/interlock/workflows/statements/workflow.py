"""The statements workflow as declarations: where an upload can be, the two stages that move it, and what each keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from interlock import (
    App,
    Axis,
    Done,
    Extension,
    Failed,
    Machine,
    Move,
    Outcome,
    Work,
    Workflow,
    operator,
    retry,
)
from interlock.extension import Clock, Page, SystemClock

from .doubt.evidence import noted
from .doubt.interpretation import Decision, decision_from
from .doubt.reconcile import FIELDS, NOTHING_PROVED, facts_of, judge, layout_key
from .doubt.trying import column_names, read_as, tried_columns
from .issuers import issuer_of, shared_account
from .monitoring import PARSE_LEVEL, figures, invariants
from .normalize.canonical import NORMALIZER_VERSION, About, Canonical, Normalized, about
from .normalize.judging import counted
from .normalize.normalizing import normalize
from .own_banks import StatementsWorkflow, load_banks
from .pages import render as render_page
from .parsed import ObservedRow, Parsed, ParseFault, kept_ids, log_with_ids, with_ids
from .parsers.contract import Document
from .parsers.csv.generic import unread_table
from .parsers.registry import Parsers, bundled_parsers
from .parsers.trial import BEFORE, survive
from .rules import RuleSet, load_rules
from .tables import (
    observations,
    statement_accounts,
    statement_events,
    statement_files_left,
    statement_interpretations,
    statement_logs,
    transactions,
    uploads,
)
from .uploads.doubtful import needs
from .uploads.duplicate_flags import flag_duplicates, forget_duplicates, lock_accounts
from .uploads.events import STATES, keep_events
from .uploads.left_files import delete_left_files, leave_files
from .uploads.logs import (
    normalization_log,
    normalizer_log_ref,
    notes_ref,
    parse_log,
    parse_log_ref,
    with_tries,
)
from .uploads.storing import (
    Log,
    delete_rows,
    keep_logs,
    observed_rows,
    replace_observations,
    replace_transactions,
    stored_decisions,
)

UPLOAD = Machine(
    "upload",
    initial="queued_for_parse",
    moves={
        "queued_for_parse": ["parsing", "error"],
        "parsing": ["parsed", "error"],
        "parsed": ["normalizing", "error", operator("queued_for_parse")],
        "normalizing": ["normalized", "error"],
        "normalized": [operator("queued_for_parse")],
        "error": [retry("queued_for_parse"), retry("parsed")],
    },
)
AMENDABLE = (uploads.c.chosen_account, uploads.c.max_retries)
"""What a person may correct: whose rows they are, as the next parse takes it, and how often it is retried. Never which file it is, what it
was said to be, where it is kept, or what stages found."""
PARSE_MEMORY = "512MB"
Decisions = Mapping[str, Mapping[str, Any]]
"""What persons decided, by the layout it is about."""
FILE_FAULTS: dict[type[Exception], Failed[Any]] = {
    MemoryError: Failed("MEMORY_LIMIT", f"reading it takes more than {PARSE_MEMORY}", final=True),
    TimeoutError: Failed("TIMEOUT", final=True),
}
"""Ends that the file itself brings about: another try would end the same. A file store that is slow says so by another class, below."""


@dataclass(frozen=True)
class ParseResult:
    """What the parsing process hands back: the rows, if any, the log of how it went, and what decisions about the file need to know."""

    parsed: Parsed | None
    log: dict[str, Any]
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class NormalizeResult:
    made: Normalized
    log: dict[str, Any]


def declare(
    *,
    rules: RuleSet | None = None,
    banks: str | Path | None = None,
    clock: Clock | None = None,
    name: str = "statements",
    machine: Machine = UPLOAD,
) -> Workflow:
    """The workflow; a team's own rules, banks (a folder, a file or a module) and clock can be given, and a machine with further states,
    whose stages are then added to it."""
    chosen, parsers = rules or load_rules(), bundled_parsers()
    if banks is not None:
        own = load_banks(banks, chosen)
        chosen, parsers = own.rules, parsers.with_own(parser for parser, _ in own.parsers.values())
    return _Declared(chosen, parsers, clock or SystemClock(), name, machine).workflow


class _Declared:
    """The workflow and its stage functions, which are plain: no database, a test just calls them."""

    def __init__(self, rules: RuleSet, parsers: Parsers, clock: Clock, name: str, machine: Machine) -> None:
        self.rules, self.parsers, self.clock = rules, parsers, clock
        self.workflow = StatementsWorkflow(
            name,
            parsers=parsers,
            noun="upload",
            records=uploads,
            unique=[uploads.c.file_hash],
            tables=[
                observations,
                transactions,
                statement_accounts,
                statement_events,
                statement_files_left,
                statement_interpretations,
                statement_logs,
            ],
            amendable=AMENDABLE,
            axes=[
                Axis(
                    "status",
                    machine,
                    max_retries="max_retries",
                    retries_reset_at={"normalized"},
                    moved_by="stages",
                    cleared={"queued_for_parse": list(FIELDS)},
                )
            ],
        )
        self.workflow.extension = Extension(
            routes=f"{__package__}.api.routes:routes",
            commands={"statements": f"{__package__}.commands.noun:statements"},
            pages=[Page("uploads", "Statements", render_page, letter="s", record="id")],
            metrics=figures,
            levels={"parse": PARSE_LEVEL},
            invariants=invariants(),  # they name columns that the workflow has added to its table
            private=[uploads.c.storage_ref],
            intake="POST /api/v1/uploads",  # the file comes first: a row of its own could name any file of the store
            needs=needs(),
        )
        self.workflow.on_move(*STATES, axis="status")(keep_events)
        self.workflow.on_remove(self._forget)
        self.workflow.on_remove(leave_files)
        self.workflow.after_remove(lambda app, answers: delete_left_files(app))
        self.workflow.every("15m")(files_of_erased_uploads)
        self._parse_stage()
        self._normalize_stage()

    def _forget(self, tx: Connection, removals: Sequence[Move]) -> None:
        """Rows of later uploads that repeated only what is removed are no duplicates any more."""
        forget_duplicates(tx, [str(move.id) for move in removals], self.rules)

    def _parse_stage(self) -> None:
        clock, parsers, rules = self.clock, self.parsers, self.rules

        @self.workflow.stage(
            waiting="queued_for_parse",
            running="parsing",
            done="parsed",
            failed="error",
            retry=["2s", "4s", "8s"],
            retry_in="runner",
            timeout="30s",
            memory=PARSE_MEMORY,
            isolate=True,
            deadline="60m",
            failures=FILE_FAULTS,
        )
        def parse(work: Work, decisions: Decisions | None = None) -> Outcome[ParseResult]:
            return parsed_file(work, clock, parsers, decisions)

        @parse.load_many
        def read(tx: Connection, works: Sequence[Work]) -> list[Decisions]:
            return [stored_decisions(tx)] * len(works)

        @parse.save_many
        def store(tx: Connection, results: Sequence[tuple[Work, ParseResult]]) -> None:
            now = clock.now()
            results = with_kept_ids(tx, results, rules)
            replace_observations(
                tx,
                [
                    (work.id, number_of(work), result.parsed)
                    for work, result in results
                    if result.parsed is not None
                ],
                now,
            )
            keep_logs(
                tx,
                [
                    Log(
                        parse_log_ref(work.id),
                        work.id,
                        number_of(work),
                        with_tries(result.log, work.failed_tries),
                    )
                    for work, result in results
                ]
                + [
                    Log(notes_ref(work.id), work.id, number_of(work), result.notes)
                    for work, result in results
                    if result.notes
                ],
                now,
            )

    def _normalize_stage(self) -> None:
        rules, clock = self.rules, self.clock

        @self.workflow.stage(
            waiting="parsed",
            running="normalizing",
            done="normalized",
            failed="error",
            retry=["2s", "4s", "8s"],
            retry_in="runner",
            deadline="60m",
            only_if=uploads.c.observations_count > 0,
        )
        def normalize(work: Work, rows: Sequence[ObservedRow]) -> Outcome[NormalizeResult]:
            return normalized_rows(work, rows, rules, clock)

        @normalize.load_many
        def read(tx: Connection, works: Sequence[Work]) -> list[list[ObservedRow]]:
            rows = observed_rows(tx, [work.id for work in works])
            return [rows[work.id] for work in works]

        @normalize.save_many
        def keep(tx: Connection, results: Sequence[tuple[Work, NormalizeResult]]) -> None:
            settled = with_duplicates_flagged(tx, results, rules)
            replace_transactions(
                tx, [(work.id, number_of(work), result.made.canonicals) for work, result in settled]
            )
            keep_logs(
                tx,
                [
                    Log(normalizer_log_ref(work.id), work.id, number_of(work), result.log)
                    for work, result in settled
                ],
                clock.now(),
            )


def files_of_erased_uploads(app: App, tick: datetime) -> None:
    """Delete what a crash behind the transaction of an erasure, or before an upload was there, has left."""
    delete_left_files(app)


def with_kept_ids(
    tx: Connection, results: Sequence[tuple[Work, ParseResult]], rules: RuleSet
) -> list[tuple[Work, ParseResult]]:
    """The results of files that were parsed before, with the ids that equal rows had then; the old rows and their transactions are
    removed, and with them the flags that later uploads had because of them. A first attempt has nothing to keep."""
    again = [work.id for work, _ in results if number_of(work) > 1]
    if not again:
        return list(results)
    earlier = observed_rows(tx, again)
    forget_duplicates(tx, again, rules)
    delete_rows(tx, again)
    return [(work, with_earlier_ids(result, earlier.get(work.id, []))) for work, result in results]


def with_earlier_ids(result: ParseResult, before: Sequence[ObservedRow]) -> ParseResult:
    if result.parsed is None or not before:
        return result
    ids = kept_ids(before, result.parsed.rows)
    return replace(result, parsed=with_ids(result.parsed, ids), log=log_with_ids(result.log, ids))


def with_duplicates_flagged(
    tx: Connection, results: Sequence[tuple[Work, NormalizeResult]], rules: RuleSet
) -> list[tuple[Work, NormalizeResult]]:
    """The results with rows flagged that earlier uploads have; rows of later ones are flagged where they are stored. It is asked here,
    under a lock for each account, and not before the rows are normalized: two files that are normalized at once flag each other like one
    after the other."""
    lock_accounts(tx, (one.account for _, result in results for one in result.made.canonicals))
    flagged = flag_duplicates(tx, [(work.id, result.made.canonicals) for work, result in results], rules)
    return [(work, with_canonicals(result, flagged[work.id])) for work, result in results]


def with_canonicals(result: NormalizeResult, canonicals: list[Canonical]) -> NormalizeResult:
    """The same result with other flags on its canonicals, counted in its log."""
    if canonicals == result.made.canonicals:
        return result
    counts = counted(one.flags for one in canonicals)
    summary = {**result.log["validation_summary"], "flags": counts}
    made = replace(result.made, canonicals=canonicals, summary={**result.made.summary, "flags": counts})
    return NormalizeResult(made, {**result.log, "validation_summary": summary})


def number_of(work: Work) -> int:
    """The number of the attempt that writes a row: unlike the tries of a stage it only grows."""
    return int(work.state.get("attempt", work.attempt))


def source_of(work: Work) -> str:
    """What the parser found it to be; what was said at the upload may have been `auto`."""
    return str(work.record.get("parser_source") or work.record.get("source_type") or "")


def content_of(work: Work) -> bytes:
    """The file's bytes; a store that does not answer in time is tried again, unlike a file that cannot be read in time."""
    try:
        with work.open(work.record["storage_ref"]) as file:
            return file.read()
    except TimeoutError as error:
        raise ConnectionError(f"the file store did not answer in time: {error}") from error


def decision_about(work: Work, key: str, decisions: Decisions) -> Decision:
    """What a person decided about files like this one. A parser that recognises more of a file gives it another key: what was decided on
    this very file under its earlier key still holds for it."""
    if key in decisions:
        return decision_from(decisions[key])
    earlier = decision_from(decisions.get(str(work.record.get("layout")), {}))
    return earlier if any(work.id in uploads for uploads in earlier.made_for.values()) else Decision()


def parsed_file(
    work: Work, clock: Clock, parsers: Parsers, decisions: Decisions | None = None
) -> Outcome[ParseResult]:
    """Read the file; whatever is wrong with it has a code, and a log in any case."""
    began = clock.now()
    record = work.record
    about = {
        "file_size_bytes": record["file_size_bytes"],
        "file_hash": record["file_hash"],
        "mime_type": record["mime_type"],
    }
    ref = parse_log_ref(work.id)
    document = Document(record["file_name"], content_of(work))
    named = str(record.get("chosen_account") or "")
    key: str | None = None
    plain: Parsed | None = None
    try:
        if work.last_error == BEFORE:
            survive(parsers, document, record["source_type"], PARSE_MEMORY)
        plain, unread = parsed_or_unread(parsers, document, record["source_type"])
        key = layout_key(plain)
        decision = decision_about(work, key, decisions or {})
        is_named = bool(named) and not decision.is_made_for(work.id, "account")
        is_same_account = is_named and named == decision.account
        decision = decision.without("account") if is_named else decision
        parsed = read_as(document, plain, decision, work.id, is_same_account=is_same_account)
        if unread is not None and not parsed.rows:
            raise unread
    except ParseFault as fault:
        notes = {} if plain is None else {"columns": column_names(document, plain)}
        log = parse_log(work.id, started_at=began, completed_at=clock.now(), fault=fault, **about)
        return Failed(
            fault.code,
            fault.message,
            ParseResult(None, log, notes),
            final=True,
            parse_log_ref=ref,
            observations_count=0,
            canonicals_count=None,
            failed_count=None,
            **(
                {"layout": key} if key else {}
            ),  # by other columns than those that were decided on it may be read
            **NOTHING_PROVED,
        )
    if not named and (shared := shared_account(parsed)):
        parsed.assumptions.append(shared)
    judgement = judge(parsed)
    is_open = judgement.warnings or parsed.errors or judgement.reconciled == "no"
    log = parse_log(
        work.id,
        started_at=began,
        completed_at=clock.now(),
        parsed=parsed,
        remarks=judgement.remarks,
        tried=tried_columns(document, plain, decision, work.id) if is_open else (),
        **about,
    )
    notes = {**noted(plain, parsed), "columns": column_names(document, plain)}
    account = parsed.decided_account or named
    facts: dict[str, Any] = {
        **facts_of(parsed, judgement, account=account),
        "observations_count": len(parsed.rows),
        "canonicals_count": None,
        "date_order": "open" if is_date_order_open(parsed) else "settled",
        "failed_count": None,
        "issuer": issuer_of(parsed),
        "layout": key,
        "parse_log_ref": ref,
        "parser_id": parsed.parser_id,
        "parser_version": parsed.parser_version,
        "parser_source": parsed.source_type,
    }
    is_printed = any(row.account == account for row in parsed.rows)
    if parsed.decided_account and (decision.is_made_for(work.id, "account") or is_printed):
        facts["chosen_account"] = account
    if parsed.errors:
        first = parsed.errors[0]
        share = f"{len(parsed.errors)} of {len(parsed.rows) + len(parsed.errors)} rows"
        message = f"{share} could not be read; {first.error_code}: {first.message}"
        return Failed("PARTIAL_PARSE", message, ParseResult(parsed, log, notes), final=True, **facts)
    return Done(ParseResult(parsed, log, notes), empty=not parsed.rows, **facts)


def parsed_or_unread(
    parsers: Parsers, document: Document, source_type: str
) -> tuple[Parsed, ParseFault | None]:
    """The file as it is parsed; or a table of which no days and amounts were recognised, without rows, and the fault that this is unless
    a person named its columns."""
    try:
        return parsers.parse(document, source_type), None
    except ParseFault as fault:
        unread = unread_table(document) if fault.code == "LAYOUT_MISMATCH" else None
        if unread is None:
            raise
        return unread, fault


def is_date_order_open(parsed: Parsed) -> bool:
    """Whether the order of day and month was assumed: neither the file nor its bank nor a person says it."""
    return any(
        remark.topic == "dates" and remark.severity == "warning"
        for remark in (*parsed.warnings, *parsed.assumptions)
    )


def normalized_rows(
    work: Work, rows: Sequence[ObservedRow], rules: RuleSet, clock: Clock
) -> Outcome[NormalizeResult]:
    """Make canonicals of the rows; none of many is a failure, a few bad ones are counted."""
    began = clock.now()
    known = about(work.record, {row.account for row in rows})

    def make(of: About) -> Normalized:
        return normalize(
            work.id, rows, rules, source_type=source_of(work), today=began.date(), at=began, about=of
        )

    made = make(known)
    if made.failures and made.canonicals and not known.is_contradicted:
        made = make(
            replace(known, is_contradicted=True)
        )  # an upload that lost rows never looks like a clean one
    result = NormalizeResult(
        made, normalization_log(work.id, made, started_at=began, completed_at=clock.now())
    )
    facts: dict[str, Any] = {
        "canonicals_count": len(made.canonicals),
        "failed_count": len(made.failures),
        "normalizer_log_ref": normalizer_log_ref(work.id),
        "normalizer_version": NORMALIZER_VERSION,
        "rule_set_version": made.rule_set_version,
    }
    if made.failures:
        facts["reconciled"] = "no"
        facts["warnings_count"] = (work.record.get("warnings_count") or 0) + len(made.failures)
    if made.failures and not made.canonicals:
        first = made.failures[0].message
        return Failed(
            "normalization_failed",
            f"0 of {len(rows)} rows became transactions; {first}",
            result,
            final=True,
            **facts,
        )
    return Done(result, empty=not made.canonicals, **facts)
