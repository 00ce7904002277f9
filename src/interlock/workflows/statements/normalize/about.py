"""What is known of a whole upload when its rows are normalized: whose account it is, of which kind, and whether its balances agree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MASK = "••••"
SHOWN_DIGITS = 4


@dataclass(frozen=True, slots=True)
class About:
    """Facts of the upload; `chosen_account` is the one that a person named."""

    chosen_account: str = ""
    institution: str = ""
    account_type: str = ""
    is_contradicted: bool = False

    def account(self, number: str) -> str:
        """The account of a row whose printed number this is: the chosen one, else bank and masked number; never shared between banks."""
        if self.chosen_account:
            return self.chosen_account
        digits = re.sub(r"\D", "", number)
        if not self.institution or not number.strip():
            return number
        if len(digits) < SHOWN_DIGITS:
            return f"{self.institution} {number.strip()}"
        return f"{self.institution} {MASK}{digits[-SHOWN_DIGITS:]}"


NOTHING = About()


def about(record: Mapping[str, Any]) -> About:
    """What an upload's row says."""
    return About(
        record.get("chosen_account") or "",
        record.get("institution") or "",
        record.get("account_type") or "",
        record.get("reconciled") == "no",
    )
