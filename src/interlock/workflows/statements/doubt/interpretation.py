"""Other ways to read the rows of a file, what each would change, and the one that a person decided on; pure, no database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from decimal import Decimal
from itertools import product
from typing import Any, Literal, get_args

from ..normalize.amounts import AmountUnparsable, read_amount
from ..parsed import SIGN_GUESSES, Balance, ObservedRow, Parsed, Remark
from ..parsers.dates import read_date
from .days import Period, days_of, leaves_period

Signs = Literal["", "as_read", "turned"]
"""Empty: nothing is decided. `as_read`: a person confirms the signs that the parser reads; no balance turns them round afterwards."""
Part = Literal["signs", "currency", "account", "account_type", "date_order", "decimal", "columns"]
"""What can be decided."""
PARTS: tuple[Part, ...] = get_args(Part)
ACCOUNT_TYPES = ("checking", "savings", "credit_card", "investment", "cash", "loan")
MARKS = (".", ",")
ORDERS = ("mdy", "dmy", "ymd")
OF_AMOUNTS = ("amount", "debit", "credit")
COLUMNS = ("date", "description", *OF_AMOUNTS, "balance", "currency")
MOST_CHANGES = 500
THOUSAND = Decimal(1000)
DECIDED = "read as a person decided"
DECIDED_TURNED = f"{DECIDED}, with the signs turned round"
TURNED_BY_BALANCES = "positive amounts are money out: only so do the balances agree"


@dataclass(frozen=True, slots=True)
class Decision:
    """How files of one institution and layout are to be read; what is empty stays as the parser reads it."""

    signs: Signs = ""
    currency: str = ""
    account: str = ""
    account_type: str = ""
    date_order: str = ""
    decimal: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    confirmed: tuple[str, ...] = ()
    """The uploads whose signs a person looked at and confirmed, also those of single rows that were guessed."""
    made_for: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each part of the decision the uploads on which it was made: there it holds whatever the file shows."""
    accounts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each of these uploads digests of the account numbers that its file states."""
    is_owed: bool = False
    """Signs were turned round on a file whose balances prove them as they were: its balances are what is owed."""

    @property
    def is_empty(self) -> bool:
        return self == Decision()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The names of what it decides."""
        return tuple(name for name in PARTS if getattr(self, name))

    def is_made_for(self, upload_id: str, part: str) -> bool:
        """Whether a part of it was decided on this upload, and not on another file of the layout."""
        return upload_id in self.made_for.get(part, ())

    def made_on(self, upload_id: str) -> Decision:
        """The same, as decided on this upload."""
        return replace(self, made_for=dict.fromkeys(self.parts, (upload_id,)))

    def without(self, part: Part) -> Decision:
        """The rest of it."""
        nothing = Decision()
        return Decision(
            **{one.name: getattr(nothing if one.name == part else self, one.name) for one in fields(self)}
        )

    def plain(self) -> dict[str, Any]:
        """As JSON; only what was decided."""
        return {name: value for name, value in asdict(self).items() if value}


def decision_from(stored: Mapping[str, Any]) -> Decision:
    """A decision as it was stored; what an older or newer version kept beside it is left out."""
    known = {one.name: stored[one.name] for one in fields(Decision) if one.name in stored}
    lists = {
        name: {key: tuple(values) for key, values in known.get(name, {}).items()}
        for name in ("made_for", "accounts")
    }
    return Decision(**{**known, "confirmed": tuple(known.get("confirmed", ())), **lists})


def joined(before: Decision, now: Decision) -> Decision:
    """What is kept of a layout after another decision about it: what the new one does not name stays. Columns of amounts that it names take
    the place of all earlier ones and of what was said of their signs, a column of dates that of what was said of their order."""
    amounts, dates = not now.columns.keys().isdisjoint(OF_AMOUNTS), "date" in now.columns
    stays = {name: column for name, column in before.columns.items() if not (amounts and name in OF_AMOUNTS)}
    signs = now.signs or ("" if amounts else before.signs)
    earlier = before.confirmed if signs == before.signs and not amounts else ()
    both = Decision(
        signs=signs,
        currency=now.currency or before.currency,
        account=now.account or before.account,
        account_type=now.account_type or before.account_type,
        date_order=now.date_order or ("" if dates else before.date_order),
        decimal=now.decimal or before.decimal,
        columns={**stays, **now.columns},
        confirmed=tuple(dict.fromkeys((*earlier, *now.confirmed))),
        is_owed=now.is_owed or (before.is_owed and signs == before.signs == "turned"),
    )
    made_for = {part: _made_for(part, before, now, both) for part in both.parts}
    uploads = {one for ids in made_for.values() for one in ids}
    accounts = {**before.accounts, **now.accounts}
    return replace(
        both,
        made_for={part: ids for part, ids in made_for.items() if ids},
        accounts={one: numbers for one, numbers in accounts.items() if one in uploads},
    )


def _made_for(part: str, before: Decision, now: Decision, both: Decision) -> tuple[str, ...]:
    """The uploads on which a part was decided as it is now."""
    earlier = before.made_for.get(part, ()) if getattr(before, part) == getattr(both, part) else ()
    return tuple(dict.fromkeys((*earlier, *now.made_for.get(part, ()))))


def without_columns(decision: Decision, parsed: Parsed) -> Decision:
    """The decision for a file that has no such columns: what it says of columns decides nothing, and the file warns of it."""
    names = ", ".join(repr(name) for name in decision.columns.values())
    parsed.warnings.append(
        Remark(f"the file has no such columns as were decided on: {names}; read as without them")
    )
    return replace(decision, columns={})


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the rows. `closing_balance` is what it leads to; without an opening balance it is the sum alone."""

    decision: Decision
    total: Decimal
    closing_balance: Decimal
    reconciles: bool | None
    is_current: bool

    def plain(self) -> dict[str, Any]:
        decision = self.decision
        return {
            "signs": decision.signs or "as_read",
            "currency": decision.currency or None,
            "date_order": decision.date_order or None,
            "decimal": decision.decimal or None,
            "total": f"{self.total:f}",
            "closing_balance": f"{self.closing_balance:f}",
            "reconciles": {True: "yes", False: "no", None: "unknown"}[self.reconciles],
            "is_current": self.is_current,
        }


def interpret_rows(rows: Sequence[ObservedRow], decision: Decision) -> list[ObservedRow]:
    """The rows as the decision reads them."""
    return [
        replace(
            row,
            sign=-row.sign if decision.signs == "turned" else row.sign,
            currency=decision.currency or row.currency,
            date_format=decision.date_order or row.date_format,
            decimal_separator=decision.decimal or row.decimal_separator,
        )
        for row in rows
    ]


def interpret(parsed: Parsed, decision: Decision, *, by_person: bool = True, upload_id: str = "") -> Parsed:
    """The file as the decision reads it: what it decides is no assumption any more, and balances are held against the new rows. Where a
    person turns signs round that agreed with the balances, the balances are what is owed."""
    if not decision.parts:
        return parsed
    rows = interpret_rows(parsed.rows, decision)
    if upload_id in decision.confirmed:
        rows = [
            replace(row, warnings=tuple(one for one in row.warnings if one not in SIGN_GUESSES))
            for row in rows
        ]
    decided = {
        name
        for name, is_said in (
            ("currency", decision.currency),
            ("dates", decision.date_order),
            ("signs", decision.signs or decision.columns),
            ("decimal", decision.decimal),
        )
        if is_said
    }
    remarks = [one for one in parsed.warnings if one.topic not in decided and one.topic != "balance"]
    balances = [_recomputed(one, rows, decision, len(parsed.balances) == 1) for one in parsed.balances]
    if factor := scale_of_mark(parsed.rows, rows):
        sign = -1 if decision.signs == "turned" else 1
        balances = [
            _scaled(before, factor, sign) or after
            for before, after in zip(parsed.balances, balances, strict=True)
        ]
    if by_person and decision.signs == "turned" and all(one.agrees for one in parsed.balances):
        balances = [replace(one, beginning=-one.beginning, ending=-one.ending) for one in balances]
    contradicted = [Remark(_mismatch(one), topic="balance") for one in balances if not one.agrees]
    return replace(
        parsed,
        rows=rows,
        balances=balances,
        warnings=[
            *remarks,
            *contradicted,
            Remark(DECIDED_TURNED if decision.signs == "turned" else DECIDED, severity="info"),
        ],
        assumptions=[one for one in parsed.assumptions if one.topic not in decided],
        account_type=decision.account_type or parsed.account_type,
        decided_account=decision.account,
        layout_is_inferred=parsed.layout_is_inferred and not decision.columns,
        are_signs_decided=by_person and bool(decision.signs or decision.columns),
    )


def with_reconciling_signs(parsed: Parsed) -> Parsed:
    """The file with all signs turned where only so its balances agree; else as it is."""
    if not parsed.rows or all(one.agrees for one in parsed.balances):
        return parsed
    turned = interpret(parsed, Decision(signs="turned"), by_person=False)
    if not all(one.agrees and one.proves for one in turned.balances):
        return parsed
    own = turned.warnings[:-1]  # the last says that a person decided, and nobody did
    return replace(turned, warnings=[*own, Remark(TURNED_BY_BALANCES, severity="info")])


def are_turned(messages: Sequence[str]) -> bool:
    """Whether the rows that are shown have the opposite signs of those that the parser read. The messages of the parse say how often signs
    were turned round on the way: by an earlier decision, by the balances, or by both."""
    return sum(message in (DECIDED_TURNED, TURNED_BY_BALANCES) for message in messages) % 2 == 1


def from_parser(signs: Signs, *, is_turned: bool) -> Signs:
    """A decision about rows as they are shown, as one about rows as the parser reads them."""
    if not signs or not is_turned:
        return signs
    return "as_read" if signs == "turned" else "turned"


def _recomputed(balance: Balance, rows: Sequence[ObservedRow], decision: Decision, is_only: bool) -> Balance:
    total = -balance.total if decision.signs == "turned" else balance.total
    if decision.decimal and is_only:
        total = total_of(rows) or Decimal(0)
    return replace(balance, total=total)


def scale_of_mark(before: Sequence[ObservedRow], after: Sequence[ObservedRow]) -> Decimal | None:
    """By how much another decimal mark changes every amount: those with three digits behind their only separator become a thousand times
    larger or smaller. None where it does not change all of them so."""
    pairs = [(value_of(one), value_of(other)) for one, other in zip(before, after, strict=True)]
    for factor in (THOUSAND, 1 / THOUSAND):
        is_so = all(
            one is not None and other is not None and abs(one) * factor == abs(other) for one, other in pairs
        )
        if is_so and any(one for one, _ in pairs):
            return factor
    return None


def _is_printed_so(value: Decimal, factor: Decimal) -> bool:
    """Whether a balance can be printed like such amounts too: as a whole number, or with three decimals."""
    exponent = value.as_tuple().exponent
    return exponent == -3 if factor > 1 else exponent == 0


def _scaled(balance: Balance, factor: Decimal, sign: int) -> Balance | None:
    """The balance with all that it states read with the other decimal mark, beside rows of this sign; None where it is not printed so."""
    stated = (balance.beginning, balance.ending, balance.total)
    if not all(_is_printed_so(one, factor) for one in stated):
        return None
    beginning, ending, total = (one * factor for one in stated)
    return replace(balance, beginning=beginning, ending=ending, total=total * sign)


def _mismatch(balance: Balance) -> str:
    return (
        f"account {balance.account or '(unnamed)'}: beginning balance {balance.beginning} and the rows' sum {balance.total} "
        f"do not make the ending balance {balance.ending}"
    )


def value_of(row: ObservedRow) -> Decimal | None:
    """Money in (+) or out (−), or None where the amount cannot be read."""
    try:
        return read_amount(row.amount, row.decimal_separator or ".").towards_us(row.sign)
    except AmountUnparsable:
        return None


def total_of(rows: Sequence[ObservedRow]) -> Decimal | None:
    """The sum of all rows; None where one cannot be read."""
    values = [value_of(row) for row in rows]
    return None if None in values else sum((value for value in values if value is not None), Decimal(0))


@dataclass(frozen=True, slots=True)
class Ends:
    """The balances at both ends of a file as they are shown, and whether they agree with its rows as the parser reads them: then they are
    what is owed where signs are turned round, and turn too."""

    opening: Decimal | None
    closing: Decimal | None
    agree_as_parsed: bool = False

    def with_decimal(self, factor: Decimal | None) -> Ends:
        """The balances beside rows that another decimal mark makes so much larger or smaller."""
        stated = [one for one in (self.opening, self.closing) if one is not None]
        if factor is None or not all(_is_printed_so(one, factor) for one in stated):
            return self
        opening, closing = (None if one is None else one * factor for one in (self.opening, self.closing))
        return replace(self, opening=opening, closing=closing)

    def with_signs(self, signs: Signs) -> Ends:
        """The balances beside rows whose signs stay as they are shown, or are turned round."""
        if signs != "turned" or not self.agree_as_parsed:
            return self
        opening, closing = (None if one is None else -one for one in (self.opening, self.closing))
        return replace(self, opening=opening, closing=closing)

    def lead_to(self, total: Decimal) -> Decimal:
        """The closing balance that rows of this sum lead to; without an opening balance the sum alone."""
        return total if self.opening is None else self.opening + total

    def agree_with(self, total: Decimal) -> bool | None:
        """Whether rows of this sum lead from one to the other; None where an end is not known."""
        if self.opening is None or self.closing is None:
            return None
        return abs(self.opening + total - self.closing) <= Decimal("0.01")


def readings(
    rows: Sequence[ObservedRow],
    ends: Ends,
    period: Period = (None, None),
    currencies: Sequence[str] = (),
) -> list[Reading]:
    """Every way in which all rows can be read: signs, order of day and month, decimal mark; the present one first, and last the other
    currencies that the file may be in. An order by which rows leave the period that the file states is none."""
    found = []
    for signs, order, mark in product(_signs(), _orders(rows, period), _marks(rows)):
        decision = Decision(signs=signs, date_order=order, decimal=mark)
        read_so = interpret_rows(rows, decision)
        total = total_of(read_so)
        if total is None:
            continue
        beside, is_current = ends.with_signs(signs), not (order or mark) and signs == "as_read"
        if mark:
            beside = beside.with_decimal(scale_of_mark(rows, read_so))
        found.append(Reading(decision, total, beside.lead_to(total), beside.agree_with(total), is_current))
    current = found[0] if found and found[0].is_current else None
    if current is not None and rows:
        found += [replace(current, decision=Decision(currency=code), is_current=False) for code in currencies]
    return found


def _signs() -> tuple[Signs, ...]:
    return ("as_read", "turned")


def _orders(rows: Sequence[ObservedRow], period: Period) -> Iterator[str]:
    """The present order, and the others in which every date is a day and some is another day, and none leaves the period."""
    yield ""
    current = days_of(rows)
    for order in ORDERS:
        days = [read_date(row.date, order) for row in rows]
        if rows and None not in days and days != current and not leaves_period(current, days, period):
            yield order


def _marks(rows: Sequence[ObservedRow]) -> Iterator[str]:
    yield ""
    current = total_of(rows)
    for mark in MARKS:
        other = total_of([replace(row, decimal_separator=mark) for row in rows])
        if rows and other is not None and other != current:
            yield mark


def changes(rows: Sequence[ObservedRow], decision: Decision) -> list[dict[str, Any]]:
    """What the decision would change, row by row, of all rows: old and new amount, day and currency."""
    found = []
    for old, new in zip(rows, interpret_rows(rows, decision), strict=True):
        before, after = shown_values(old), shown_values(new)
        if before != after:
            found.append(
                {"row_id": old.row_id, "description": old.description, "before": before, "after": after}
            )
    return found


def shown_values(row: ObservedRow) -> dict[str, str | None]:
    """Day, amount and currency as they are shown to whoever decides."""
    value, day = value_of(row), read_date(row.date, row.date_format or "mdy")
    return {
        "date": day.isoformat() if day else row.date,
        "amount": None if value is None else f"{value:f}",
        "currency": row.currency,
    }
