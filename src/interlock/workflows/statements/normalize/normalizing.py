"""Normalizes the rows of one upload: each becomes a canonical transaction or a failure that says why. Pure: same rows, same answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from ..parsed import ObservedRow
from ..rules.rule_set import RuleSet, SourceOptions
from . import currencies
from .amounts import Amount, AmountUnparsable, infer_decimal_mark, read_amount
from .canonical import NORMALIZER_VERSION, NOTHING, About, Canonical, Normalized, RowFailure, canonical_id
from .cleaning import collapsed
from .dates import AUTO, DateReader, DateRefused, ReadDate, infer_order
from .duplicates import Earlier, Similar, earlier_rows
from .judging import confidence, flags, summarise
from .merchants import Recogniser, recogniser


class RowRefused(ValueError):
    """This row cannot become a transaction."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Values:
    """What a row says once it is read: the part that duplicates are found by, and how sure the day is."""

    day: ReadDate
    amount: Decimal
    written: str
    currency: str
    warnings: tuple[str, ...]


class Reader:
    """How this file prints dates and amounts: by its source's options, or as the file itself shows."""

    def __init__(
        self,
        rows: Sequence[ObservedRow],
        options: SourceOptions,
        today: date,
        *,
        is_date_order_settled: bool = False,
    ) -> None:
        self.options, self.today, self.is_settled = options, today, is_date_order_settled
        self.order = (
            infer_order((row.date for row in rows), today + timedelta(days=1))
            if AUTO in options.date_formats
            else None
        )
        self.dates: dict[str, DateReader] = {}
        shown = (
            infer_decimal_mark(row.amount for row in rows) if options.decimal == "auto" else options.decimal
        )
        self.decimal = shown or "."
        self.contradicts = shown is None

    def read(self, row: ObservedRow) -> Values:
        """The values of a row, or RowRefused."""
        try:
            day = self._dates(row.date_format).read(row.date)
        except DateRefused as error:
            raise RowRefused(error.code, str(error)) from None
        try:
            amount = read_amount(row.amount, row.decimal_separator or self.decimal)
        except AmountUnparsable as error:
            raise RowRefused("AMOUNT_UNPARSABLE", str(error)) from None
        currency, warnings = self._currency(row, amount)
        value = amount.towards_us(row.sign)
        written = currencies.format_amount(value, currency)
        if currencies.is_finer(written, currency):
            warnings = (*warnings, f"{written} has more decimals than {currency}")
        return Values(day, value, written, currency, warnings)

    def _dates(self, hint: str) -> DateReader:
        """One reader for each hint that the file's parser gave: nearly always one."""
        found = self.dates.get(hint)
        if found is None:
            found = self.dates[hint] = DateReader(
                self.options.date_formats,
                today=self.today,
                order=self.order,
                assumed=self.options.day_month_order,
                hint=hint,
                is_hint_sure=self.is_settled,
            )
        return found

    def _currency(self, row: ObservedRow, amount: Amount) -> tuple[str, tuple[str, ...]]:
        said = row.currency.strip().upper() or amount.currency or self.options.currency
        if said not in currencies.MINOR_UNITS:
            raise RowRefused("CURRENCY_UNKNOWN", f"{said!r} is not a currency code of ISO 4217")
        if amount.currency and amount.currency != said and amount.currency in currencies.MINOR_UNITS:
            return said, (f"{row.amount!r} is printed in {amount.currency}, but the row says {said}",)
        return said, ()


@dataclass(slots=True)
class Run:
    """One normalization: what every row of it shares."""

    upload_id: str
    rules: RuleSet
    options: SourceOptions
    reader: Reader
    recogniser: Recogniser
    earlier: Earlier
    today: date
    at: datetime
    about: About = NOTHING

    def canonical(self, row: ObservedRow, values: Values) -> Canonical:
        said = self.recogniser.recognise(row.description)
        category, by = said.category(values.amount)
        if not category and (category := collapsed(row.source_category)):
            by = "category:source_category"
        kind, similarity = (said.by.kind, said.by.similarity) if said.by else (None, 0.0)
        doubts = len(row.warnings) + len(values.warnings)
        score = confidence(
            kind, similarity, category=category, ambiguous=values.day.ambiguous, warnings=doubts
        )
        account = self.about.account(row.account)
        key = (account, values.written, values.currency, values.day.day, said.merchant)
        duplicate = self.earlier.has_like(*key)
        self.earlier.remember(*key)
        marks = flags(
            self.options,
            amount=values.amount,
            day=values.day.day,
            today=self.today,
            ambiguous=values.day.ambiguous,
            duplicate=duplicate,
            known=said.by is not None,
            category=category,
            score=score,
            contradicted=self.about.is_contradicted,
        )
        rules = (f"merchant:{said.by.rule.id}:{kind}",) if said.by else ("merchant:cleaned",)
        return Canonical(
            canonical_id(self.upload_id, row.row_id),
            self.upload_id,
            f"{self.upload_id}:{row.row_id}",
            values.day.day,
            values.written,
            values.currency,
            said.description,
            said.merchant,
            category,
            account,
            self.about.account_type,
            marks,
            score,
            (*rules, by) if by else rules,
            self.at,
            NORMALIZER_VERSION,
            self.rules.version,
        )


def normalize(
    upload_id: str,
    rows: Iterable[ObservedRow],
    rule_set: RuleSet,
    *,
    source_type: str = "",
    today: date,
    at: datetime,
    already: Iterable[Similar] = (),
    options: SourceOptions | None = None,
    about: About = NOTHING,
) -> Normalized:
    """Make canonicals of rows. `already`: similar transactions of other uploads; `options`: what is known about this very file."""
    ordered = sorted((row for row in rows if row.kind != "position"), key=lambda row: row.row_id)
    chosen = options or rule_set.options_for(source_type)
    reader = Reader(ordered, chosen, today, is_date_order_settled=about.is_date_order_settled)
    earlier = earlier_rows(
        upload_id, already, days=chosen.duplicate_days, similarity=chosen.duplicate_similarity
    )
    run = Run(
        upload_id, rule_set, chosen, reader, recogniser(rule_set, source_type), earlier, today, at, about
    )
    canonicals: list[Canonical] = []
    failures: list[RowFailure] = []
    warnings = (
        ["amounts of this file contradict each other about the decimal mark; a point was assumed"]
        if reader.contradicts
        else []
    )
    for row in ordered:
        try:
            values = reader.read(row)
        except RowRefused as error:
            failures.append(RowFailure(row.row_id, f"{upload_id}:{row.row_id}", error.code, str(error)))
            continue
        warnings += [f"row {row.row_id}: {warning}" for warning in values.warnings]
        canonicals.append(run.canonical(row, values))
    summary = summarise(canonicals, failures, reader.order, reader.decimal, rule_set.digest)
    return Normalized(canonicals, failures, warnings, summary, rule_set.version)


def duplicate_keys(
    rows: Sequence[ObservedRow],
    rule_set: RuleSet,
    *,
    source_type: str = "",
    today: date,
    options: SourceOptions | None = None,
    about: About = NOTHING,
) -> list[tuple[str, str, date]]:
    """Account, amount and day of every row that can be read: what to ask the database for before normalizing."""
    reader = Reader(rows, options or rule_set.options_for(source_type), today)
    found: dict[tuple[str, str, date], None] = {}
    for row in rows:
        try:
            values = reader.read(row)
        except RowRefused:
            continue
        if account := about.account(row.account):
            found[account, values.written, values.day.day] = None
    return list(found)
