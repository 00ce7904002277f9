"""A person's decision about how files of one bank and layout are read: looked at first, then kept and applied by parsing again."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from sqlalchemy import select

from interlock import App, Workflow
from interlock.errors import BadInput, InvalidStateTransition

from ..normalize.currencies import MINOR_UNITS
from ..parsed import ObservedRow
from ..uploads.acting import Acts
from ..uploads.doubtful import PARSED_AGAIN
from ..uploads.receiving import chosen_account
from ..uploads.stored_logs import Logs
from ..uploads.storing import keep_decision, observed_rows, stored_decisions
from .interpretation import (
    COLUMNS,
    ORDERS,
    Decision,
    changes,
    decision_from,
    from_parser,
    interpret_rows,
    joined,
    readings,
    total_of,
)
from .trying import find_tried, outcome_of_rows

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
        opening, closing = _money(row["opening_balance"]), _money(row["closing_balance"])
        return {
            "upload_id": upload_id,
            "reconciled": row["reconciled"],
            "opening_balance": row["opening_balance"],
            "closing_balance": row["closing_balance"],
            "readings": [one.plain() for one in readings(rows, opening, closing)],
            "columns": Logs(self.app, self.workflow).tried_columns(upload_id),
        }

    def preview(self, upload_id: str, decision: Decision) -> Json:
        """What a decision would change: rows of this upload, its sum, and the earlier uploads of the same bank and layout. `reading` is
        what would come out; of columns it is what came out when the file was parsed, or None where these were not tried."""
        decision = checked(decision)
        row, rows = self._read(upload_id)
        opening, closing = _money(row["opening_balance"]), _money(row["closing_balance"])
        if decision.columns:
            changed: list[Json] = []
            reading = find_tried(Logs(self.app, self.workflow).tried_columns(upload_id), decision)
        else:
            changed = changes(rows, decision)
            reading = outcome_of_rows(rows, interpret_rows(rows, decision), decision, opening, closing)
        before, total = total_of(rows), _money(reading["total"] if reading else None)
        return {
            "upload_id": upload_id,
            "applied": False,
            "decision": decision.plain(),
            "institution": row["institution"],
            "total_before": None if before is None else f"{before:f}",
            "total_after": None if total is None else f"{total:f}",
            "closing_balance_after": None if total is None else f"{(opening or Decimal(0)) + total:f}",
            "reading": reading,
            "changes": changed,
            "earlier_uploads": self._earlier(upload_id, row["layout"]),
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
        """Keep the decision for the upload's bank and layout, and parse the upload again, with `earlier` the earlier ones too; all of it
        or nothing. What earlier decisions said of the layout and this one does not name stays. Signs are decided about the rows as they
        are shown; kept is what that means for the rows as the parser reads them."""
        decision = checked(decision)
        answer = self.preview(upload_id, decision)
        row, _ = self._read(upload_id)
        failed = row["status"] == "error" and row["failed_from"] == "queued_for_parse"
        if not (failed or row["status"] in PARSED_AGAIN) or not row["layout"]:
            raise InvalidStateTransition(
                "upload",
                row["status"],
                "queued_for_parse",
                (),
                why=f"upload {upload_id} is {row['status']}; a decision is applied to one that is {' or '.join(PARSED_AGAIN)}, "
                "or whose rows could not all be read",
            )
        others = [one["upload_id"] for one in answer["earlier_uploads"]] if earlier else []
        kept = replace(
            decision,
            signs=from_parser(decision.signs, self._messages(upload_id)),
            confirmed=(upload_id,) if decision.signs == "as_read" else (),
        )
        with self.app.database.write() as tx:
            before = decision_from(stored_decisions(tx).get(row["layout"], {}))
            keep_decision(
                tx,
                row["layout"],
                row["institution"] or "",
                joined(before, kept).plain(),
                by=actor,
                reason=reason,
                at=self.app.clock.now(),
            )
            for place, one in enumerate((upload_id, *others)):
                again = self.acts.retry if failed and not place else self.acts.reparse
                again(one, actor=actor, role=role, reason=reason, version=None if place else version, tx=tx)
        return {**answer, "applied": True, "parsed_again": [upload_id, *others]}

    def _messages(self, upload_id: str) -> list[str]:
        """What the latest parse said of the file."""
        log = Logs(self.app, self.workflow).details(upload_id)
        return [one["message"] for one in log["warnings"]]

    def _read(self, upload_id: str) -> tuple[Json, list[ObservedRow]]:
        row = self.app.get(self.workflow, upload_id)
        with self.app.database.read() as tx:
            return row, observed_rows(tx, [upload_id])[upload_id]

    def _earlier(self, upload_id: str, layout: str | None) -> list[Json]:
        table = self.workflow.records.c
        asked = (
            select(table.upload_id, table.file_name, table.status, table.reconciled)
            .where(table.layout == layout, table.upload_id != upload_id, table.status.in_(PARSED_AGAIN))
            .order_by(table.created_at)
            .limit(MOST_EARLIER)
        )
        with self.app.database.read() as tx:
            return [dict(row) for row in tx.execute(asked).mappings()] if layout else []


def _money(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def checked(decision: Decision) -> Decision:
    """The decision with its account in one line, or what is wrong with it."""
    decision = replace(decision, account=chosen_account(decision.account) or "")
    if decision.is_empty:
        raise BadInput(
            "nothing is decided", hint="Name signs, currency, account, date_order, decimal or columns."
        )
    if decision.currency and decision.currency not in MINOR_UNITS:
        raise BadInput(f"{decision.currency!r} is not a currency code of ISO 4217")
    if decision.date_order and decision.date_order not in ORDERS:
        raise BadInput(f"date_order must be one of {', '.join(ORDERS)}, not {decision.date_order!r}")
    if decision.decimal and decision.decimal not in (".", ","):
        raise BadInput(f"decimal must be . or , and not {decision.decimal!r}")
    if unknown := sorted(set(decision.columns) - set(COLUMNS)):
        raise BadInput(f"columns has {', '.join(unknown)}; there are {', '.join(COLUMNS)}")
    return decision
