"""A person's decision about how files of one bank and layout are read: looked at first, then kept and applied by parsing again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, select

from interlock import App, Workflow
from interlock.errors import BadInput, InvalidStateTransition

from ..normalize.currencies import MINOR_UNITS
from ..parsed import ObservedRow
from ..parsers.csv.mapping import plain
from ..tables import statement_interpretations
from ..uploads.acting import Acts
from ..uploads.doubtful import PARSED_AGAIN, is_under_way, what_goes_on
from ..uploads.receiving import chosen_account
from ..uploads.stored_logs import Logs
from ..uploads.storing import keep_decision, observed_rows, parse_logs, parse_notes, stored_decisions
from .days import Period
from .evidence import is_other_account, numbers_of
from .interpretation import (
    ACCOUNT_TYPES,
    COLUMNS,
    MOST_CHANGES,
    OF_AMOUNTS,
    ORDERS,
    Decision,
    Ends,
    are_turned,
    changes,
    decision_from,
    from_parser,
    interpret_rows,
    joined,
    readings,
    scale_of_mark,
    total_of,
)
from .trying import choice_view, find_choice, find_tried, outcome_of_rows

Json = dict[str, Any]
MOST_EARLIER = 500


class Fixes:
    """Readings and decisions of one app's uploads."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow
        self.acts = Acts(app, workflow)

    def readings(self, upload_id: str) -> Json:
        """Every way to read the upload's rows, each with the closing balance that it leads to."""
        row, rows = self._read(upload_id)
        ends = self._ends(row, rows)
        currencies = self._notes(upload_id).get("currencies", ())
        return {
            "upload_id": upload_id,
            "rows": len(rows),
            "reconciled": row["reconciled"],
            "opening_balance": row["opening_balance"],
            "closing_balance": row["closing_balance"],
            "readings": [one.plain() for one in readings(rows, ends, _period(row), currencies)],
            "columns": [choice_view(one) for one in self._tried(upload_id)],
            "column_names": self.column_names(upload_id),
        }

    def column_names(self, upload_id: str) -> list[str]:
        """The names of a table's columns, by which they can be decided on; empty where the file is none."""
        return list(self._notes(upload_id).get("columns", ()))

    def _notes(self, upload_id: str) -> Json:
        return Logs(self.app, self.workflow).notes(upload_id)

    def preview(self, upload_id: str, decision: Decision) -> Json:
        """What a decision would change: rows of this upload, its sum, and the other uploads of the same bank and layout, whenever they
        came. `reading` is what would come out; of columns it is what came out when the file was parsed, or None where these were not tried.
        `replaces` is the decision of which a part is replaced, or turned back, by this one."""
        decision = checked(decision)
        self._check_columns(upload_id, decision)
        row, rows = self._read(upload_id)
        ends = self._ends(row, rows)
        if decision.columns:
            changed: list[Json] = []
            reading = find_tried(self._tried(upload_id), decision)
        else:
            changed = changes(rows, decision)
            read_so = interpret_rows(rows, decision)
            ends = ends.with_signs(decision.signs)
            if decision.decimal:
                ends = ends.with_decimal(scale_of_mark(rows, read_so))
            reading = outcome_of_rows(read_so, ends)
        kept = self._kept(upload_id, decision, rows)
        before, total = total_of(rows), _money(reading["total"] if reading else None)
        return {
            "upload_id": upload_id,
            "version": row["version"],
            "applied": False,
            "decision": decision.plain(),
            "institution": row["institution"],
            "total_before": None if before is None else f"{before:f}",
            "total_after": None if total is None else f"{total:f}",
            "closing_balance_after": None if total is None else f"{ends.lead_to(total):f}",
            "reading": reading,
            "account_before": row["account"],
            "account_after": decision.account or row["account"],
            "account_type_before": row["account_type"],
            "account_type_after": decision.account_type or row["account_type"],
            "changes": changed[:MOST_CHANGES],
            "changes_total": None if decision.columns else len(changed),
            "replaces": self._replaces(row, kept),
            "earlier_uploads": self._earlier(row, kept),
        }

    def apply(
        self,
        upload_id: str,
        decision: Decision,
        *,
        actor: str,
        role: str | None,
        reason: str,
        earlier: bool = False,
        version: int | None = None,
    ) -> Json:
        """Keep the decision for the upload's bank and layout, and parse the upload again, with `earlier` the others too that it changes;
        all of it or nothing."""
        with self.app.database.write() as tx:
            return self.apply_in(
                tx,
                upload_id,
                decision,
                actor=actor,
                role=role,
                reason=reason,
                earlier=earlier,
                version=version,
            )

    def apply_in(
        self,
        tx: Connection,
        upload_id: str,
        decision: Decision,
        *,
        actor: str,
        role: str | None,
        reason: str,
        earlier: bool = False,
        version: int | None = None,
    ) -> Json:
        """The same within a transaction of the caller. What earlier decisions say of the layout and this one does not name stays. Signs
        are decided about the rows as they are shown; kept is what that means for the rows as the parser reads them."""
        decision = checked(decision)
        answer = self.preview(upload_id, decision)
        row, rows = self._read(upload_id)
        if not can_be_decided(row):
            raise InvalidStateTransition(
                "upload",
                row["status"],
                "queued_for_parse",
                (),
                why=f"upload {upload_id} is {row['status']}; a decision is applied to one that is {' or '.join(PARSED_AGAIN)}, "
                "or in error after its layout was recognised",
                hint=what_goes_on(upload_id) if is_under_way(row) else "",
            )
        others = [one["upload_id"] for one in answer["earlier_uploads"]] if earlier else []
        before = decision_from(stored_decisions(tx).get(row["layout"], {}))
        with tx.begin_nested():  # a refusal under a key is an answer, and its transaction is committed
            keep_decision(
                tx,
                row["layout"],
                row["institution"] or "",
                joined(before, self._kept(upload_id, decision, rows)).plain(),
                by=actor,
                reason=reason,
                at=self.app.clock.now(),
            )
            for place, one in enumerate((upload_id, *others)):
                self.acts.parse_as_decided(
                    one, actor=actor, role=role, reason=reason, version=None if place else version, tx=tx
                )
        return {**answer, "applied": True, "parsed_again": [upload_id, *others]}

    def _ends(self, row: Json, rows: list[ObservedRow]) -> Ends:
        ends = Ends(_money(row["opening_balance"]), _money(row["closing_balance"]))
        notes = self._notes(row["upload_id"])
        if "balances_agree" in notes:
            return replace(ends, agree_as_parsed=bool(notes["balances_agree"]))
        total = total_of(rows)
        return replace(ends, agree_as_parsed=total is not None and ends.agree_with(total) is True)

    def _check_columns(self, upload_id: str, decision: Decision) -> None:
        """Refuse columns that the file does not have."""
        names = self._notes(upload_id).get("columns") if decision.columns else None
        if names is None:
            return
        if not names:
            raise BadInput(f"upload {upload_id} is no table, so no columns can be decided on")
        known = {plain(name) for name in names}
        if missing := [name for name in decision.columns.values() if plain(name) not in known]:
            raise BadInput(
                f"the file has no column {', '.join(map(repr, missing))}; it has {', '.join(map(repr, names))}"
            )

    def _kept(self, upload_id: str, decision: Decision, rows: Sequence[ObservedRow]) -> Decision:
        """The decision as it is kept: its signs about the rows as the parser reads them, made on this upload, whose rows these are."""
        signs = from_parser(decision.signs, is_turned=self._is_turned(upload_id, decision))
        return replace(
            decision.made_on(upload_id),
            signs=signs,
            confirmed=(upload_id,) if decision.signs == "as_read" else (),
            accounts={upload_id: numbers} if (numbers := numbers_of(rows)) else {},
            is_owed=signs == "turned" and bool(self._notes(upload_id).get("signs_are_proved")),
        )

    def _tried(self, upload_id: str) -> list[Json]:
        return Logs(self.app, self.workflow).tried_columns(upload_id)

    def _is_turned(self, upload_id: str, decision: Decision) -> bool:
        """Whether the rows that the decision is about have other signs than the parser gives them: those that are shown, or, where it is
        about columns of amounts, those that were tried. Columns that were not tried are read as the parser does."""
        if choice := find_choice(self._tried(upload_id), decision.columns) if decision.columns else None:
            return bool(choice.get("is_turned"))
        if not decision.columns.keys().isdisjoint(OF_AMOUNTS):
            return False
        log = Logs(self.app, self.workflow).details(upload_id)
        return are_turned([one["message"] for one in log["warnings"]])

    def _read(self, upload_id: str) -> tuple[Json, list[ObservedRow]]:
        row = self.app.get(self.workflow, upload_id)
        with self.app.database.read() as tx:
            return row, observed_rows(tx, [upload_id])[upload_id]

    def _earlier(self, row: Json, kept: Decision) -> list[Json]:
        """The other uploads of the same layout that would be read otherwise by the decision; those that failed, by any."""
        table = self.workflow.records.c
        names = ("upload_id", "file_name", "status", "reconciled")
        facts = ("currency", "account", "account_type", "chosen_account")
        asked = (
            select(*(table[name] for name in (*names, *facts)))
            .where(
                table.layout == row["layout"],
                table.upload_id != row["upload_id"],
                table.status.in_((*PARSED_AGAIN, "error")),
            )
            .order_by(table.created_at)
            .limit(MOST_EARLIER)
        )
        if not row["layout"]:
            return []
        with self.app.database.read() as tx:
            others = [dict(one) for one in tx.execute(asked).mappings()]
            would = would_change(tx, others, kept)
        return [{name: one[name] for name in names} for one in others if one["upload_id"] in would]

    def _replaces(self, row: Json, kept: Decision) -> Json | None:
        """The decision that holds for the layout, with those of its parts that this one changes; None where it changes none."""
        asked = select(statement_interpretations).where(statement_interpretations.c.layout == row["layout"])
        with self.app.database.read() as tx:
            found = tx.execute(asked).mappings().first()
        before = decision_from(found["decision"] if found else {})
        parts = [part for part in kept.parts if getattr(before, part) not in ("", {}, getattr(kept, part))]
        if found is None or not parts:
            return None
        return {
            "decision": {part: getattr(before, part) for part in parts},
            **{name: found[name] for name in ("decided_by", "reason", "decided_at")},
        }


def would_change(tx: Connection, others: Sequence[Json], kept: Decision) -> set[str]:
    """Which of these uploads a decision would read otherwise."""
    ids = [one["upload_id"] for one in others]
    logs, notes = (parse_logs(tx, ids), parse_notes(tx, ids)) if kept.signs else ({}, {})
    rows = observed_rows(tx, ids) if kept.date_order or kept.decimal or kept.account else {}
    found = set()
    for one in others:
        upload_id, log = one["upload_id"], logs.get(one["upload_id"], {})
        is_doubted = one["reconciled"] != "yes" and bool(kept.signs or kept.currency or kept.date_order)
        is_turned = are_turned([remark["message"] for remark in log.get("warnings", ())])
        if (
            one["status"] == "error"
            or kept.columns
            or is_doubted
            or (
                kept.signs
                and is_turned != (kept.signs == "turned")
                and not _is_proved(notes.get(upload_id, {}), kept)
            )
            or kept.currency not in ("", one["currency"])
            or kept.account_type not in ("", one["account_type"])
            or (
                not one["chosen_account"]
                and kept.account not in ("", one["account"])
                and not is_other_account(rows.get(upload_id, ()), kept)
            )
            or (
                (kept.date_order or kept.decimal)
                and changes(rows.get(upload_id, ()), replace(kept, signs=""))
            )
        ):
            found.add(upload_id)
    return found


def _is_proved(notes: Json, kept: Decision) -> bool:
    """Whether an upload keeps its signs against a decision to turn them round, for its balances prove them."""
    return kept.signs == "turned" and bool(notes.get("signs_are_proved")) and not kept.is_owed


def can_be_decided(row: Mapping[str, Any]) -> bool:
    """Whether a decision about an upload would be applied: its layout was recognised, and nobody works on it."""
    return bool(row["layout"]) and (row["status"] == "error" or row["status"] in PARSED_AGAIN)


def _period(row: Mapping[str, Any]) -> Period:
    """What the file states as its first and its last day."""
    start, end = (row[name] and date.fromisoformat(row[name]) for name in ("statement_from", "statement_to"))
    return start or None, end or None


def _money(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def checked(decision: Decision) -> Decision:
    """The decision with its account in one line, or what is wrong with it."""
    decision = replace(decision, account=chosen_account(decision.account) or "")
    if decision.is_empty:
        raise BadInput(
            "nothing is decided",
            hint="Name signs, currency, account, account_type, date_order, decimal or columns.",
        )
    if decision.currency and decision.currency not in MINOR_UNITS:
        raise BadInput(f"{decision.currency!r} is not a currency code of ISO 4217")
    if decision.account_type and decision.account_type not in ACCOUNT_TYPES:
        raise BadInput(
            f"account_type must be one of {', '.join(ACCOUNT_TYPES)}, not {decision.account_type!r}"
        )
    if decision.date_order and decision.date_order not in ORDERS:
        raise BadInput(f"date_order must be one of {', '.join(ORDERS)}, not {decision.date_order!r}")
    if decision.decimal and decision.decimal not in (".", ","):
        raise BadInput(f"decimal must be . or , and not {decision.decimal!r}")
    if unnamed := sorted(role for role, name in decision.columns.items() if not name.strip()):
        raise BadInput(f"columns names no column for {', '.join(unnamed)}")
    if unknown := sorted(set(decision.columns) - set(COLUMNS)):
        raise BadInput(f"columns has {', '.join(unknown)}; there are {', '.join(COLUMNS)}")
    return decision
