"""The statements workflow as declarations: where an upload can be, the two stages that move it, and what each keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from interlock import Axis, Done, Extension, Failed, Machine, Outcome, Work, Workflow, operator, retry
from interlock.extension import Clock, Page, SystemClock

from .doubt.interpretation import decision_from
from .doubt.reconcile import NOTHING_PROVED, facts_of, judge, layout_key
from .doubt.trying import read_as, tried_columns
from .monitoring import PARSE_LEVEL, figures, invariants
from .normalize.canonical import NORMALIZER_VERSION, About, Canonical, Normalized, about
from .normalize.duplicates import Likeness
from .normalize.judging import counted
from .normalize.normalizing import normalize
from .own_banks import StatementsWorkflow, load_banks
from .pages import render as render_page
from .parsed import ObservedRow, Parsed, ParseFault, kept_ids, log_with_ids, with_ids
from .parsers.contract import Document
from .parsers.registry import Parsers, bundled_parsers
from .parsers.trial import BEFORE, survive
from .rules import RuleSet, load_rules
from .tables import (
    observations,
    statement_accounts,
    statement_events,
    statement_interpretations,
    statement_logs,
    transactions,
    uploads,
)
from .uploads.doubtful import needs
from .uploads.events import STATES, keep_events
from .uploads.logs import normalization_log, normalizer_log_ref, parse_log, parse_log_ref, with_tries
from .uploads.storing import (
    Log,
    delete_rows,
    flag_duplicates,
    keep_logs,
    lock_accounts,
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
AMENDABLE = (uploads.c.file_name, uploads.c.source_type, uploads.c.max_retries)
"""What a person may correct: never which file it is, where it is kept, or what stages counted."""
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
    """What the parsing process hands back: the rows, if any, and the log of how it went."""

    parsed: Parsed | None
    log: dict[str, Any]


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
        self._parse_stage()
        self._normalize_stage()

    def _parse_stage(self) -> None:
        clock, parsers = self.clock, self.parsers

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
            results = with_kept_ids(tx, results)
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


def with_kept_ids(
    tx: Connection, results: Sequence[tuple[Work, ParseResult]]
) -> list[tuple[Work, ParseResult]]:
    """The results of files that were parsed before, with the ids that equal rows had then; the old rows and their transactions are
    removed. A first attempt has nothing to keep."""
    again = [work.id for work, _ in results if number_of(work) > 1]
    if not again:
        return list(results)
    earlier = observed_rows(tx, again)
    delete_rows(tx, again)
    return [(work, with_earlier_ids(result, earlier.get(work.id, []))) for work, result in results]


def with_earlier_ids(result: ParseResult, before: Sequence[ObservedRow]) -> ParseResult:
    if result.parsed is None or not before:
        return result
    ids = kept_ids(before, result.parsed.rows)
    return ParseResult(with_ids(result.parsed, ids), log_with_ids(result.log, ids))


def with_duplicates_flagged(
    tx: Connection, results: Sequence[tuple[Work, NormalizeResult]], rules: RuleSet
) -> list[tuple[Work, NormalizeResult]]:
    """The results with rows flagged that other uploads have. It is asked here, under a lock for each account, and not before the rows are
    normalized: two files that are normalized at once flag each other like one after the other."""
    lock_accounts(tx, (one.account for _, result in results for one in result.made.canonicals))
    flagged = flag_duplicates(
        tx,
        [(work.id, result.made.canonicals) for work, result in results],
        {work.id: Likeness.of(rules.options_for(source_of(work))) for work, _ in results},
    )
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
    try:
        if work.last_error == BEFORE:
            survive(parsers, document, record["source_type"], PARSE_MEMORY)
        parsed = parsers.parse(document, record["source_type"])
    except ParseFault as fault:
        log = parse_log(work.id, started_at=began, completed_at=clock.now(), fault=fault, **about)
        return Failed(
            fault.code,
            fault.message,
            ParseResult(None, log),
            final=True,
            parse_log_ref=ref,
            observations_count=0,
            canonicals_count=None,
            failed_count=None,
            **NOTHING_PROVED,
        )
    key = layout_key(parsed)
    decision = decision_from((decisions or {}).get(key, {}))
    plain, parsed = parsed, read_as(document, parsed, decision, work.id)
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
    facts: dict[str, Any] = {
        **facts_of(parsed, judgement, account=record.get("chosen_account") or decision.account),
        "observations_count": len(parsed.rows),
        "canonicals_count": None,
        "failed_count": None,
        "layout": key,
        "parse_log_ref": ref,
        "parser_id": parsed.parser_id,
        "parser_version": parsed.parser_version,
        "parser_source": parsed.source_type,
    }
    if decision.account and not record.get("chosen_account"):
        facts["chosen_account"] = decision.account
    if parsed.errors:
        first = parsed.errors[0]
        share = f"{len(parsed.errors)} of {len(parsed.rows) + len(parsed.errors)} rows"
        message = f"{share} could not be read; {first.error_code}: {first.message}"
        return Failed("PARTIAL_PARSE", message, ParseResult(parsed, log), final=True, **facts)
    return Done(ParseResult(parsed, log), empty=not parsed.rows, **facts)


def normalized_rows(
    work: Work, rows: Sequence[ObservedRow], rules: RuleSet, clock: Clock
) -> Outcome[NormalizeResult]:
    """Make canonicals of the rows; none of many is a failure, a few bad ones are counted."""
    began = clock.now()
    known = about(work.record)

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
