"""What normalization makes: canonical transactions, rows that could not become one, and a summary; plain values."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from hashlib import sha1
from operator import attrgetter
from typing import Any
from uuid import UUID

NAMESPACE = UUID("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
NORMALIZER_VERSION = "1.0.0"
"""Part of every canonical id: a normalizer that reads amounts or dates differently gets a new one; new rules do not."""


def canonical_id(upload_id: str, row_id: int, version: str = NORMALIZER_VERSION) -> str:
    """The same row always has the same id: the uuid5 of its name, spelled out: a UUID object for each row costs much."""
    digits = sha1(
        NAMESPACE.bytes + f"{upload_id}:{row_id}:{version}".encode(), usedforsecurity=False
    ).hexdigest()
    return f"{digits[:8]}-{digits[8:12]}-5{digits[13:16]}-{'89ab'[int(digits[16], 16) & 3]}{digits[17:20]}-{digits[20:32]}"


@dataclass(frozen=True, slots=True)
class Canonical:
    """One transaction as everybody downstream sees it; money out is negative."""

    canonical_id: str
    upload_id: str
    observation_id: str
    date: date
    amount: str
    currency: str
    description: str
    merchant: str
    category: str
    account: str
    account_type: str
    flags: tuple[str, ...]
    confidence_score: float
    applied_rules: tuple[str, ...]
    normalized_at: datetime
    normalizer_version: str
    rule_set_version: str

    @property
    def value(self) -> Decimal:
        return Decimal(self.amount)

    def row(self) -> dict[str, Any]:
        """As columns of the table."""
        return self.stored() | {"flags": list(self.flags), "applied_rules": list(self.applied_rules)}

    def stored(self) -> dict[str, Any]:
        """The same with tuples for lists, of which equal ones are made into JSON once."""
        return dict(zip(self.__slots__, _values_of(self), strict=True))


_values_of = attrgetter(*Canonical.__slots__)


@dataclass(frozen=True, slots=True)
class RowFailure:
    """A row that has no canonical; the others are kept."""

    row_id: int
    observation_id: str
    error_code: str
    message: str


@dataclass(frozen=True, slots=True)
class Normalized:
    """The whole result for one upload."""

    canonicals: list[Canonical]
    failures: list[RowFailure]
    warnings: list[str]
    summary: Mapping[str, Any]
    rule_set_version: str

    @property
    def processed(self) -> int:
        return len(self.canonicals) + len(self.failures)

    @property
    def succeeded(self) -> bool:
        """One canonical is enough; none of no rows is nothing to complain about."""
        return bool(self.canonicals) or not self.failures


FULL_NUMBER = 8
"""So many digits are a number that no other bank's customer has."""
IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{10,30}")


def is_partial(number: str) -> bool:
    """Whether a printed account is a mask or a few digits, so that customers of several banks may have it. A name without digits is
    one that a person gave."""
    plain = re.sub(r"[\s.-]", "", number).upper()
    digits = sum(letter.isdigit() for letter in plain)
    is_masked = re.search(r"[*•·xX#]{2}", number) is not None
    return (digits > 0 or is_masked) and digits < FULL_NUMBER and not IBAN.fullmatch(plain)


MASK = "••••"
SHOWN_DIGITS = 4


@dataclass(frozen=True, slots=True)
class About:
    """Facts of the upload; `chosen_account` is the one that a person named, `issuer` stands for a bank that is not known;
    `is_date_order_settled`: the file, its bank or a person says in which order its dates are printed."""

    chosen_account: str = ""
    institution: str = ""
    account_type: str = ""
    is_contradicted: bool = False
    issuer: str = ""
    is_date_order_settled: bool = False

    def account(self, number: str) -> str:
        """The account of a row whose printed number this is: the chosen one, else bank and masked number; never shared between banks."""
        if self.chosen_account:
            return self.chosen_account
        digits = re.sub(r"\D", "", number)
        if not number.strip():
            return number
        if not self.institution:
            is_named = not self.issuer or number.strip().startswith(self.issuer)
            return number if is_named or not is_partial(number) else f"{self.issuer} {number.strip()}"
        if len(digits) < SHOWN_DIGITS:
            return f"{self.institution} {number.strip()}"
        return f"{self.institution} {MASK}{digits[-SHOWN_DIGITS:]}"


NOTHING = About()


def about(record: Mapping[str, Any], printed: Collection[str] = ()) -> About:
    """What an upload's row says. Its account is one that a person decided on where no row prints it."""
    account = record.get("account") or ""
    return About(
        record.get("chosen_account") or (account if account not in printed else ""),
        record.get("institution") or "",
        record.get("account_type") or "",
        record.get("reconciled") == "no",
        record.get("issuer") or "",
        record.get("date_order") == "settled",
    )
