"""Rows become canonical transactions: exact, with ids that never change, flags that say what is odd, and failures that say why."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz

from interlock.workflows.statements.normalize.canonical import (
    NAMESPACE,
    About,
    Canonical,
    Normalized,
    canonical_id,
)
from interlock.workflows.statements.normalize.duplicates import Names, Similar
from interlock.workflows.statements.normalize.normalizing import duplicate_keys, normalize
from interlock.workflows.statements.parsed import ObservedRow
from interlock.workflows.statements.rules import builtin_rules

TODAY = date(2024, 6, 1)
AT = datetime(2024, 6, 1, 12, tzinfo=UTC)


def row(
    row_id: int = 0,
    *,
    date: str = "2024-01-15",
    description: str = "STARBUCKS #1234",
    amount: str = "-4.50",
    **more: Any,
) -> ObservedRow:
    return ObservedRow(row_id, date, description, amount, **more)


def made(*rows: ObservedRow, upload_id: str = "UL_abc123", **options: Any) -> Normalized:
    return normalize(upload_id, rows, builtin_rules(), **{"today": TODAY, "at": AT, **options})


def one(**values: Any) -> Canonical:
    (canonical,) = made(row(**values)).canonicals
    return canonical


def test_the_check_value_of_the_canonical_id() -> None:
    assert canonical_id("UL_abc123", 0, "1.0.0") == "b3fb8d88-a964-5b93-aa54-77c6519a0f66"
    assert one().canonical_id == "b3fb8d88-a964-5b93-aa54-77c6519a0f66"


@given(st.text(max_size=20), st.integers(0, 10**6), st.text(max_size=8))
def test_a_canonical_id_is_the_uuid5_of_its_name(upload_id: str, row_id: int, version: str) -> None:
    assert canonical_id(upload_id, row_id, version) == str(
        uuid5(NAMESPACE, f"{upload_id}:{row_id}:{version}")
    )


def test_a_row_becomes_a_transaction_with_every_field() -> None:
    assert one(account="1234").row() == {
        "canonical_id": "b3fb8d88-a964-5b93-aa54-77c6519a0f66",
        "upload_id": "UL_abc123",
        "observation_id": "UL_abc123:0",
        "date": date(2024, 1, 15),
        "amount": "-4.50",
        "currency": "USD",
        "description": "STARBUCKS #1234",
        "merchant": "Starbucks",
        "category": "coffee",
        "account": "1234",
        "account_type": "",
        "flags": [],
        "confidence_score": 0.98,
        "applied_rules": ["merchant:starbucks:regex", "category:merchant:starbucks"],
        "normalized_at": AT,
        "normalizer_version": "1.0.0",
        "rule_set_version": builtin_rules().version,
    }


@pytest.mark.parametrize(
    ("printed", "sign", "amount"),
    [
        ("50.00", -1, "-50.00"),
        ("-50.00", -1, "50.00"),
        ("50.00", 1, "50.00"),
        ("(50.00)", 1, "-50.00"),
        ("0.00", -1, "0.00"),
        ("50.00 CR", -1, "50.00"),
    ],
)
def test_money_out_is_negative_whatever_the_bank_prints(printed: str, sign: Any, amount: str) -> None:
    assert one(amount=printed, sign=sign).amount == amount


@pytest.mark.parametrize(
    ("amount", "currency", "written"),
    [("1500", "JPY", "1500"), ("1.5", "KWD", "1.500"), ("5", "usd", "5.00"), ("5.00", " EUR ", "5.00")],
)
def test_an_amount_has_the_decimals_of_its_currency(amount: str, currency: str, written: str) -> None:
    assert one(amount=amount, currency=currency).amount == written


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"amount": "abc"}, "AMOUNT_UNPARSABLE"),
        ({"date": "never"}, "DATE_UNPARSABLE"),
        ({"date": "1969-12-31"}, "DATE_OUT_OF_RANGE"),
        ({"date": "2024-06-03"}, "DATE_OUT_OF_RANGE"),
        ({"currency": "ZZZ"}, "CURRENCY_UNKNOWN"),
        ({"currency": "dollars"}, "CURRENCY_UNKNOWN"),
    ],
)
def test_a_row_that_cannot_be_a_transaction_fails_alone_and_says_why(
    values: dict[str, str], code: str
) -> None:
    result = made(row(0), row(1, **values))
    assert [(failure.row_id, failure.observation_id, failure.error_code) for failure in result.failures] == [
        (1, "UL_abc123:1", code)
    ]
    assert len(result.canonicals) == 1
    assert result.succeeded
    assert result.summary["failures_by_code"] == {code: 1}


def test_none_of_some_rows_is_a_failure_and_none_of_none_is_not() -> None:
    assert not made(row(amount="x"), row(1, amount="y")).succeeded
    assert made().succeeded


def test_an_empty_currency_is_the_amounts_own_or_the_sources() -> None:
    assert one(currency="", amount="€5.00").currency == "EUR"
    assert one(currency="").currency == "USD"


def test_an_amount_printed_in_another_currency_than_its_row_is_said() -> None:
    result = made(row(amount="€5.00"))
    assert "printed in EUR, but the row says USD" in result.warnings[0]
    assert result.canonicals[0].confidence_score < 0.98


def test_money_finer_than_its_currency_is_kept_whole_and_said() -> None:
    result = made(row(amount="-1.234"), source_type="chase_csv")
    assert result.canonicals[0].amount == "-1.234"
    assert result.warnings == ["row 0: -1.234 has more decimals than USD"]


def test_what_the_parser_saw_in_the_file_decides_about_dates_and_decimal_marks() -> None:
    canonical = one(date="03/04/2024", amount="1.234", decimal_separator=",", date_format="dmy")
    assert (canonical.date, canonical.amount) == (date(2024, 4, 3), "1234.00")


@pytest.mark.parametrize(
    ("values", "flags"),
    [
        ({}, ()),
        ({"amount": "-10000.00"}, ()),
        ({"amount": "-10000.01"}, ("large_amount",)),
        ({"amount": "10000.01"}, ("large_amount",)),
        ({"date": "2024-06-02"}, ("future_date",)),
        ({"date": "2024-06-01"}, ()),
        ({"date": "03/04/2024"}, ("ambiguous_date", "low_confidence", "manual_review_required")),
        ({"description": "QUORN VALE"}, ("low_confidence", "unknown_merchant", "uncategorized")),
        ({"description": "QUORN VALE PIZZA"}, ("unknown_merchant",)),
        (
            {"description": "QUORN VALE", "amount": "-20000.00"},
            ("large_amount", "low_confidence", "unknown_merchant", "uncategorized", "manual_review_required"),
        ),
        (
            {"description": "QUORN VALE", "warnings": ("a", "b")},
            ("low_confidence", "unknown_merchant", "uncategorized", "manual_review_required"),
        ),
    ],
)
def test_flags_say_what_is_odd(values: dict[str, Any], flags: tuple[str, ...]) -> None:
    assert one(**values).flags == flags


def flagged(result: Normalized) -> list[int]:
    return [
        int(canonical.observation_id.rpartition(":")[2])
        for canonical in result.canonicals
        if "possible_duplicate" in canonical.flags
    ]


def test_the_later_of_two_like_rows_is_flagged_and_none_is_lost() -> None:
    result = made(
        row(0),
        row(1, date="2024-01-16"),
        row(2, date="2024-01-18"),
        row(3, amount="-4.51"),
        row(4, account="other"),
        row(5, amount="4.50"),
        row(6, description="AMAZON.COM"),
        row(7, currency="EUR"),
    )
    assert flagged(result) == [1]
    assert len(result.canonicals) == 8


def test_the_order_in_which_rows_are_given_does_not_matter() -> None:
    assert made(row(1), row(0)) == made(row(0), row(1))


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [("QUORN VALE TRADING", "QUORN VALE TRADINGS", True), ("QUORN VALE TRADING", "QUORN HILL TRADE", False)],
)
def test_merchants_are_like_from_ninety_percent_on(first: str, second: str, alike: bool) -> None:
    assert flagged(made(row(0, description=first), row(1, description=second))) == ([1] if alike else [])


def stored(canonical: Canonical, **changes: Any) -> Similar:
    found = Similar(
        canonical.canonical_id,
        canonical.upload_id,
        canonical.account,
        canonical.amount,
        canonical.currency,
        canonical.date,
        canonical.merchant,
    )
    return replace(found, **changes)


def test_a_row_that_another_upload_has_is_flagged_and_a_re_run_never_flags_a_row_against_itself() -> None:
    first = made(row(), upload_id="UL_one")
    (already,) = [stored(canonical) for canonical in first.canonicals]
    assert flagged(made(row(), upload_id="UL_two", already=[already])) == [0]
    assert flagged(made(row(), upload_id="UL_one", already=[already])) == []
    assert flagged(made(row(), upload_id="UL_two", already=[replace(already, date=date(2024, 1, 17))])) == []
    assert flagged(made(row(), upload_id="UL_two", already=[replace(already, date=date(2024, 1, 14))])) == [0]


def test_five_thousand_equal_amounts_of_one_day_are_compared_quickly() -> None:
    rows = [
        row(number, description=f"SHOP {chr(65 + number % 26) * 3} {number * 7919 % 100003:x}")
        for number in range(5000)
    ]
    assert len(made(*rows).canonicals) == 5000


def test_what_to_ask_the_database_for_is_known_before() -> None:
    rows = [
        row(0, account="1"),
        row(1, account="1"),
        row(2, amount="bad"),
        row(3, date="2024-02-01", amount="(7.00)"),
    ]
    assert duplicate_keys(rows, builtin_rules(), today=TODAY) == [("1", "-4.50", date(2024, 1, 15))]
    of_a_bank = duplicate_keys(rows, builtin_rules(), today=TODAY, about=About("Joint"))
    assert of_a_bank == [("Joint", "-4.50", date(2024, 1, 15)), ("Joint", "-7.00", date(2024, 2, 1))]


def test_an_account_is_named_by_its_bank_and_masked_number_and_never_shared_between_banks() -> None:
    chase, other = About(institution="Chase"), About(institution="Orchard Bank")
    assert chase.account("000123456789") == chase.account("xxxx6789") == "Chase ••••6789"
    assert other.account("000123456789") == "Orchard Bank ••••6789"
    assert (chase.account(""), About().account("4411 22")) == ("", "4411 22")
    assert About("Joint", "Chase").account("000123456789") == "Joint"


ROWS = st.lists(
    st.builds(
        ObservedRow,
        st.integers(0, 10**6),
        st.dates(date(1969, 1, 1), TODAY + timedelta(days=9)).map(date.isoformat) | st.text(max_size=12),
        st.sampled_from(["STARBUCKS 1", "QUORN", "AMAZON.COM*A1", "ATM", ""]) | st.text(max_size=30),
        st.integers(-(10**7), 10**7).map(lambda cents: f"{Decimal(cents).scaleb(-2):f}")
        | st.text(max_size=8),
        st.sampled_from(["USD", "EUR", "JPY", "", "???"]),
        st.sampled_from(["", "1234"]),
        st.sampled_from([1, -1]),
    ),
    max_size=30,
    unique_by=lambda row: row.row_id,
)


@given(ROWS)
def test_normalizing_twice_gives_the_same_rows_apart_from_their_time(rows: list[ObservedRow]) -> None:
    first, second = made(*rows), made(*rows, at=AT + timedelta(hours=1))
    assert [replace(canonical, normalized_at=AT) for canonical in second.canonicals] == first.canonicals
    assert (second.failures, second.warnings, second.summary) == (
        first.failures,
        first.warnings,
        first.summary,
    )


@given(ROWS)
def test_every_row_becomes_a_transaction_or_a_failure_and_never_both(rows: list[ObservedRow]) -> None:
    result = made(*rows)
    names = [
        *(canonical.observation_id for canonical in result.canonicals),
        *(failure.observation_id for failure in result.failures),
    ]
    assert sorted(names) == sorted(f"UL_abc123:{row.row_id}" for row in rows)
    assert result.processed == len(rows)
    for canonical in result.canonicals:
        assert 0 <= canonical.confidence_score <= 1
        assert ("low_confidence" in canonical.flags) == (canonical.confidence_score < 0.7)
        assert ("uncategorized" in canonical.flags) == (not canonical.category)


@given(st.lists(st.integers(-(10**12), 10**12), max_size=40))
def test_the_sum_of_the_transactions_is_the_sum_of_the_rows_to_the_cent(cents: list[int]) -> None:
    result = made(
        *(row(number, amount=f"{Decimal(one).scaleb(-2):f}", sign=-1) for number, one in enumerate(cents))
    )
    assert sum((canonical.value for canonical in result.canonicals), Decimal(0)) == -Decimal(
        sum(cents)
    ).scaleb(-2)
    total = result.summary["totals"].get("USD", {"in": "0", "out": "0"})
    assert Decimal(total["in"]) + Decimal(total["out"]) == -Decimal(sum(cents)).scaleb(-2)


NAMES = st.lists(st.text("abc ", max_size=14), max_size=80)


@given(NAMES, st.text("abc ", max_size=14), st.integers(70, 100))
def test_sparing_comparisons_finds_the_same_likeness_as_comparing_with_all(
    names: list[str], name: str, similarity: int
) -> None:
    seen = Names(similarity)
    for other in names:
        seen.add(other)
    assert seen.has_like(name) == any(
        other == name or fuzz.ratio(name, other) >= similarity for other in names
    )
