"""Decisions as they are kept: which there are, and how one is withdrawn. What was read by it stays until it is parsed again."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import Connection, select

from interlock import App, Workflow
from interlock.errors import BadInput, UnknownRecord

from ..tables import statement_interpretations
from ..uploads.doubtful import PARSED_AGAIN
from ..uploads.storing import keep_decision, parse_logs
from .interpretation import DECIDED, decision_from

Json = dict[str, Any]
KEY = re.compile(r"[0-9a-f]{6,64}")
"""The key of a decision, or its beginning."""
MOST_READ_BY_IT = 500
WITHDRAWN = "withdrawn"


class Decisions:
    """The decisions of one app."""

    def __init__(self, app: App, workflow: Workflow) -> None:
        self.app, self.workflow = app, workflow

    def all(self) -> list[Json]:
        """Every decision that holds, the latest first, with the uploads on which it was made."""
        table = statement_interpretations
        asked = select(table).order_by(table.c.decided_at.desc(), table.c.layout)
        with self.app.database.read() as tx:
            kept = [dict(row) for row in tx.execute(asked).mappings()]
        return [decision_view(one) for one in kept if not decision_from(one["decision"]).is_empty]

    def withdraw(self, key: str, *, actor: str, role: str | None, reason: str) -> Json:
        """Let a decision hold no longer, and answer which uploads were read by it: they stay as they are until they are parsed again. The
        ledger of each upload on which it was made says who withdrew it and why."""
        with self.app.database.write() as tx:
            one = self._of(tx, key)
            shown, read_by_it = decision_view(one), self._read_by(tx, one["layout"])
            keep_decision(
                tx,
                one["layout"],
                one["institution"],
                {WITHDRAWN: one["decision"]},
                by=actor,
                reason=reason,
                at=self.app.clock.now(),
            )
            for upload in read_by_it:
                if upload["upload_id"] in shown["made_on"] and upload["status"] in (*PARSED_AGAIN, "error"):
                    self.app.amend(
                        self.workflow,
                        upload["upload_id"],
                        facts={"decision_withdrawn": shown["decision"]},
                        actor=actor,
                        role=role,
                        reason=reason,
                        tx=tx,
                    )
        return {**shown, "withdrawn_by": actor, "withdrawn_because": reason, "uploads": read_by_it}

    def _of(self, tx: Connection, key: str) -> Json:
        """The decision with this key, or the only one whose key begins so."""
        if not KEY.fullmatch(key):
            raise BadInput(
                f"{key!r} is no key of a decision", hint="It has 6 to 64 digits and letters a to f."
            )
        table = statement_interpretations
        rows = tx.execute(select(table).where(table.c.layout.startswith(key)).with_for_update()).mappings()
        found = [dict(row) for row in rows if not decision_from(row["decision"]).is_empty]
        if not found:
            raise UnknownRecord(
                "decisions", key, hint="`interlock statements decisions` lists those that hold."
            )
        if len(found) > 1:
            raise BadInput(f"{len(found)} decisions have keys that begin with {key}")
        return found[0]

    def _read_by(self, tx: Connection, layout: str) -> list[Json]:
        """The uploads whose rows are as the decision has them, the latest first."""
        table = self.workflow.records.c
        names = (table.upload_id, table.file_name, table.status, table.reconciled)
        asked = (
            select(*names)
            .where(table.layout == layout)
            .order_by(table.created_at.desc(), table.upload_id)
            .limit(MOST_READ_BY_IT)
        )
        uploads = [dict(row) for row in tx.execute(asked).mappings()]
        logs = parse_logs(tx, [one["upload_id"] for one in uploads])
        return [one for one in uploads if is_read_by_decision(logs.get(one["upload_id"], {}))]


def is_read_by_decision(log: Json) -> bool:
    """Whether the parse log says that a person's decision was applied."""
    return any(one["message"].startswith(DECIDED) for one in log.get("warnings", ()))


def decision_view(row: Json) -> Json:
    """A decision as everybody sees it."""
    decision = decision_from(row["decision"])
    return {
        "key": row["layout"],
        "institution": row["institution"] or None,
        "decision": {part: getattr(decision, part) for part in decision.parts},
        "made_on": list(dict.fromkeys(one for uploads in decision.made_for.values() for one in uploads)),
        "decided_by": row["decided_by"],
        "reason": row["reason"],
        "decided_at": row["decided_at"],
    }
