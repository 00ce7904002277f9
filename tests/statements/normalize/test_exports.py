"""Exports stream, are the same bytes each time, cannot be tricked by what a bank prints, and keep every cent."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.workflows.statements.exports import (
    EXPORTS,
    Chosen,
    beancount,
    comma_separated,
    json_lines,
    ledger_cli,
)
from interlock.workflows.statements.exports.accounts import component
from interlock.workflows.statements.exports.contract import COLUMNS

ROW: dict[str, Any] = {
    "canonical_id": "b3fb8d88-a964-5b93-aa54-77c6519a0f66",
    "insertion_sequence": 1,
    "upload_id": "UL_a",
    "observation_id": "UL_a:0",
    "date": date(2024, 1, 15),
    "amount": "-4.50",
    "currency": "USD",
    "description": 'STARBUCKS "#1234"',
    "merchant": "Starbucks",
    "category": "coffee",
    "account": "checking 1234",
    "account_type": "checking",
    "flags": [],
    "confidence_score": 0.98,
    "applied_rules": ["merchant:starbucks:regex"],
    "normalized_at": datetime(2024, 6, 1, tzinfo=UTC),
    "normalizer_version": "1.0.0",
    "rule_set_version": "1.0.0",
    "attempt": 1,
}

DATE = r"\d{4}-\d{2}-\d{2}"
ACCOUNT = r"(?:Assets|Liabilities|Equity|Income|Expenses)(?::[A-Z0-9][A-Za-z0-9-]*)+"
TEXT = r'"(?:[^"\\\n]|\\["\\])*"'
POSTING = rf"  +(?P<account>{ACCOUNT})  (?P<amount>-?\d+(?:\.\d+)?) (?P<currency>[A-Z]{{3}})"
BEANCOUNT_ENTRY = re.compile(
    rf"{DATE} [*!] (?P<payee>{TEXT}) (?P<narration>{TEXT})(?: #[a-z-]+)*\n  canonical_id: {TEXT}\n  observation_id: {TEXT}\n{POSTING}\n"
    + POSTING.replace("?P<", "?P<other_")
    + r"\n\n"
)
BEANCOUNT_OPEN = re.compile(rf"{DATE} open (?P<account>{ACCOUNT})\n\n")
LEDGER_ENTRY = re.compile(
    rf"\d{{4}}/\d{{2}}/\d{{2}} [*!] \([^()\n]*\) (?P<payee>(?! )[^;|\n\t]+)\n    ; canonical_id: [^\n]*\n"
    r"(?:    ; description: [^;\n]*\n)?(?:    ; :[a-z_:]+:\n)?"
    rf"{POSTING}\n" + POSTING.replace("?P<", "?P<other_") + r"\n\n"
)


def row(**values: Any) -> dict[str, Any]:
    return {**ROW, **values}


def cells(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def test_csv_has_a_header_and_a_line_for_each_row() -> None:
    header, line = cells("".join(comma_separated([ROW])))
    assert header == list(COLUMNS)
    assert dict(zip(header, line, strict=True)) | {} == {
        **{name: str(ROW[name]) for name in COLUMNS},
        "flags": "",
        "applied_rules": "merchant:starbucks:regex",
        "normalized_at": "2024-06-01T00:00:00.000Z",
    }


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\tx",
        "\rx",
        " =1",
        "\n=1",
        "＝1",
        "=cmd|' /C calc'!A0",
        '=HYPERLINK("http://x")',
    ],
)
def test_a_text_that_a_spreadsheet_would_calculate_is_quoted(text: str) -> None:
    _, line = cells("".join(comma_separated([row(description=text, merchant=text, account=text)])))
    values = dict(zip(COLUMNS, line, strict=True))
    assert [values[name] for name in ("description", "merchant", "account")] == ["'" + text] * 3


def test_numbers_stay_numbers_in_csv() -> None:
    _, line = cells("".join(comma_separated([row(amount="-50.00")])))
    values = dict(zip(COLUMNS, line, strict=True))
    assert (values["amount"], values["confidence_score"]) == ("-50.00", "0.98")


@given(st.text(max_size=40), st.text(max_size=40))
def test_whatever_is_printed_stays_in_its_csv_cell_and_never_begins_a_formula(
    description: str, merchant: str
) -> None:
    lines = cells("".join(comma_separated([row(description=description, merchant=merchant), ROW])))
    assert [len(line) for line in lines] == [len(COLUMNS)] * 3
    for name in ("description", "merchant"):
        assert not lines[1][COLUMNS.index(name)].lstrip().startswith(("=", "+", "-", "@"))


@given(st.text(max_size=40))
def test_json_lines_are_one_object_each_and_amounts_are_texts(description: str) -> None:
    text = "".join(json_lines([row(description=description), ROW]))
    assert len(text.splitlines()) == 2
    first = json.loads(text.splitlines()[0])
    assert list(first) == list(COLUMNS)
    assert (first["amount"], first["description"], first["normalized_at"]) == (
        "-4.50",
        description,
        "2024-06-01T00:00:00.000Z",
    )


def test_a_beancount_entry_as_it_is_written() -> None:
    assert "".join(beancount([row(flags=["large_amount", "manual_review_required"])])) == (
        "1970-01-01 open Assets:Checking-1234\n\n1970-01-01 open Expenses:Coffee\n\n"
        '2024-01-15 ! "Starbucks" "STARBUCKS \\"#1234\\"" #large-amount #manual-review-required\n'
        '  canonical_id: "b3fb8d88-a964-5b93-aa54-77c6519a0f66"\n  observation_id: "UL_a:0"\n'
        "  Assets:Checking-1234  -4.50 USD\n  Expenses:Coffee  4.50 USD\n\n"
    )


def test_a_ledger_entry_as_it_is_written() -> None:
    assert "".join(ledger_cli([row(flags=["large_amount"])])) == (
        "2024/01/15 * (UL_a:0) Starbucks\n    ; canonical_id: b3fb8d88-a964-5b93-aa54-77c6519a0f66\n"
        '    ; description: STARBUCKS "#1234"\n'
        "    ; :large_amount:\n    Assets:Checking-1234  -4.50 USD\n    Expenses:Coffee  4.50 USD\n\n"
    )


AMOUNTS = st.integers(-(10**9), 10**9).map(lambda cents: f"{Decimal(cents).scaleb(-2):f}")
ROWS = st.lists(
    st.builds(
        row,
        amount=AMOUNTS,
        description=st.text(max_size=30),
        merchant=st.text(max_size=30),
        account=st.text(max_size=20),
        flags=st.lists(st.sampled_from(["large_amount", "manual_review_required"])),
        currency=st.sampled_from(["USD", "EUR"]),
        category=st.sampled_from(["", "salary", "coffee", "transfers", 'my own: "thing"']),
    ),
    max_size=8,
)


def parts(text: str, *patterns: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The text cut into what the grammar knows; anything else is a failure."""
    place = 0
    while place < len(text):
        found = next((match for pattern in patterns if (match := pattern.match(text, place))), None)
        assert found is not None, text[place : place + 300]
        yield found
        place = found.end()


@given(ROWS)
def test_beancount_reads_what_we_write_every_account_is_opened_and_every_entry_balances(
    rows: list[dict[str, Any]],
) -> None:
    opened: set[str] = set()
    amounts = []
    for found in parts("".join(beancount(rows)), BEANCOUNT_OPEN, BEANCOUNT_ENTRY):
        if found.re is BEANCOUNT_OPEN:
            assert found["account"] not in opened
            opened.add(found["account"])
        else:
            assert {found["account"], found["other_account"]} <= opened
            assert Decimal(found["amount"]) + Decimal(found["other_amount"]) == 0
            amounts.append(found["amount"])
    assert [Decimal(amount) for amount in amounts] == [Decimal(one["amount"]) for one in rows]


@given(ROWS)
def test_ledger_reads_what_we_write_and_every_entry_balances(rows: list[dict[str, Any]]) -> None:
    found = list(parts("".join(ledger_cli(rows)), LEDGER_ENTRY))
    assert [Decimal(one["amount"]) for one in found] == [Decimal(one["amount"]) for one in rows]
    assert all(
        Decimal(one["amount"]) + Decimal(one["other_amount"]) == 0 and "  " not in one["payee"]
        for one in found
    )


@pytest.mark.parametrize(
    ("category", "amount", "account"),
    [
        ("salary", "100.00", "Income:Salary"),
        ("interest", "-1.00", "Expenses:Interest"),
        ("interest", "1.00", "Income:Interest"),
        ("shopping", "20.00", "Expenses:Shopping"),
        ("", "-5.00", "Expenses:Uncategorized"),
        ("", "5.00", "Income:Uncategorized"),
        ("transfers", "-5.00", "Equity:Transfers"),
        ("card_payment", "5.00", "Equity:Card-Payment"),
    ],
)
def test_the_other_side_of_an_entry_follows_from_category_and_direction(
    category: str, amount: str, account: str
) -> None:
    assert f"  {account}  " in "".join(beancount([row(category=category, amount=amount)]))


def test_names_without_latin_letters_stay_apart_and_the_same_each_time() -> None:
    names = [component(name) for name in ("口座", "預金", "Счёт 1", "a b", "")]
    assert len(set(names)) == 5
    assert all(re.fullmatch("[A-Z0-9][A-Za-z0-9-]*", name) for name in names)
    assert component("口座") == names[0]


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_an_export_asks_for_one_row_at_a_time(name: str) -> None:
    asked: list[int] = []

    def rows() -> Iterator[dict[str, Any]]:
        for number in range(1000):
            asked.append(number)
            yield row(insertion_sequence=number)

    pieces = EXPORTS[name](rows())
    while not asked:
        next(pieces)
    assert asked == [0]


@pytest.mark.parametrize("name", sorted(EXPORTS))
def test_an_export_of_nothing_is_nothing_but_a_header(name: str) -> None:
    assert "".join(EXPORTS[name]([])).count("\n") == (1 if name == "csv" else 0)


def test_cards_and_loans_stand_under_liabilities_and_other_accounts_under_assets() -> None:
    for export in (beancount, ledger_cli):
        for account_type, root in (("credit_card", "Liabilities"), ("loan", "Liabilities"), ("", "Assets")):
            assert f"  {root}:Checking-1234" in "".join(export([row(account_type=account_type)]))


def test_rows_of_uploads_that_are_not_reconciled_are_left_out_and_counted_unless_asked_for() -> None:
    rows = [row(), row(flags=["unreconciled"]), row()]
    chosen, everything = Chosen(rows), Chosen(rows, everything=True)
    assert (len(list(chosen)), chosen.left_out) == (2, 1)
    assert (len(list(everything)), everything.left_out) == (3, 0)
