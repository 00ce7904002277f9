"""Reads a generated file as the workflow does, and says whether the result is right, in doubt, or silently wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache

from interlock.workflows.statements.doubt.interpretation import with_reconciling_signs
from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.normalize.normalizing import normalize
from interlock.workflows.statements.parsed import ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers
from interlock.workflows.statements.rules import RuleSet, builtin_rules

from .truth import Made

AT = datetime(2030, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Outcome:
    """`right`: every row, sign, cent, day and currency. `yes` is what the upload would carry as reconciled."""

    label: str
    right: bool
    reconciled: str
    warnings: tuple[str, ...]
    detail: str = ""
    is_incomplete: bool = False

    @property
    def is_silent(self) -> bool:
        """Wrong, and nothing would make a person look at it."""
        if self.is_incomplete and self.reconciled == "yes":
            return True
        return not self.right and (self.reconciled == "yes" or not self.warnings)


@cache
def rules() -> RuleSet:
    return builtin_rules()


def measure(made: Made, *, by_posting: bool = False) -> Outcome:
    """Parse and normalize a file, and hold it against its truth, whose days may be those of posting."""
    try:
        parsed = bundled_parsers().parse(Document(made.name, made.content))
    except ParseFault as fault:
        return Outcome(made.label, False, "no", (f"{fault.code}: {fault.message}",), "fault")
    parsed = with_reconciling_signs(parsed)
    judgement = judge(parsed)
    observed = [
        replace(row, date=row.posted_date if by_posting and row.posted_date else row.date)
        for row in parsed.rows
    ]
    normal = normalize("UL_x", observed, rules(), source_type=parsed.source_type, today=AT.date(), at=AT)
    currencies = made.currencies or (made.currency,) * len(made.rows)
    wanted = [(row.day, row.amount, one) for row, one in zip(made.rows, currencies, strict=True)]
    found = [(one.date, Decimal(one.amount), one.currency) for one in normal.canonicals]
    right = sorted(found) == sorted(wanted) and not parsed.errors
    warnings = tuple(remark.message for remark in judgement.remarks if remark.severity == "warning")
    errors = tuple(f"{error.error_code}: {error.message}" for error in parsed.errors)
    detail = (
        ""
        if right
        else f"wanted {sorted(wanted)[:4]} … found {sorted(found)[:4]} ({len(wanted)}/{len(found)})"
    )
    return Outcome(made.label, right, judgement.reconciled, (*warnings, *errors), detail, made.is_incomplete)
