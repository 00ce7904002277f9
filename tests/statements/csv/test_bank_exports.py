"""Every bank's export is recognised and read row by row, cent by cent, with money out negative whatever the bank prints."""

from __future__ import annotations

import pytest

from ..reading import agrees, read, rows
from .exports import EXPORTS, Export

every_export = pytest.mark.parametrize("export", EXPORTS.values(), ids=EXPORTS)


@every_export
def test_auto_recognises_the_bank(export: Export) -> None:
    assert read(export.text).source_type == export.source_type


@every_export
def test_every_row_is_read_with_its_day_description_and_money(export: Export) -> None:
    assert rows(read(export.text, export.source_type)) == export.rows


@every_export
def test_nothing_is_refused_and_what_is_no_transaction_is_counted(export: Export) -> None:
    parsed = read(export.text)
    assert (parsed.errors, parsed.rows_skipped) == ([], export.skipped)
    assert [row.row_id for row in parsed.rows] == list(range(len(export.rows)))


@every_export
def test_balances_in_the_file_agree_with_its_rows(export: Export) -> None:
    assert agrees(read(export.text)) == [True] * export.balances


@every_export
def test_currency_and_account_come_from_the_file(export: Export) -> None:
    parsed = read(export.text)
    count = len(export.rows)
    assert [row.currency for row in parsed.rows] == list(export.currencies * count)[:count]
    assert [row.account for row in parsed.rows] == list(export.accounts * count)[:count]


@every_export
def test_windows_line_ends_byte_order_mark_and_utf_16_change_nothing(export: Export) -> None:
    text = export.text.lstrip("\ufeff")
    for content in (
        text.replace("\n", "\r\n").encode(),
        text.encode("utf-8-sig"),
        text.encode("utf-16"),
        text.rstrip("\n").encode(),
    ):
        assert rows(read(content)) == export.rows


@every_export
def test_reading_twice_gives_identical_results(export: Export) -> None:
    assert read(export.text) == read(export.text)


def test_the_short_amex_export_turns_the_sign_when_named_and_when_payments_show_it() -> None:
    text = "Date,Description,Amount\n07/14/2024,DELTA AIR LINES,300.00\n07/16/2024,AUTOPAY PAYMENT - THANK YOU,-300.00\n"
    for source_type in ("amex_csv", "auto"):
        assert [money for _, _, money in rows(read(text, source_type))] == ["-300.00", "300.00"]


def test_the_same_three_columns_of_a_bank_account_keep_their_sign() -> None:
    text = "Date,Description,Amount\n07/14/2024,PAYROLL DEPOSIT,3000.00\n07/16/2024,CHASE AUTOPAY,-300.00\n07/17/2024,GROCERY,-20.00\n"
    assert [money for _, _, money in rows(read(text))] == ["3000.00", "-300.00", "-20.00"]


def test_signs_of_observations_stay_as_printed() -> None:
    assert [row.amount for row in read(EXPORTS["discover"].text).rows] == ["84.31", "-29.99"]
    assert [row.amount for row in read(EXPORTS["venmo"].text).rows] == ["- $23.40", "- $30.00", "+ $1,037.10"]


def test_a_wrong_summary_block_is_said() -> None:
    parsed = read(
        EXPORTS["bank_of_america"]
        .text.replace('"2,249.50"\n\n', '"2,249.49"\n\n')
        .replace('"-1,250.50"', '"-1,250.00"')
    )
    assert agrees(parsed) == [True]
    messages = [remark.message for remark in parsed.warnings]
    assert "total debits do not agree: the file says -1250.00, its rows sum to -1250.50" in messages
    parsed = read(EXPORTS["bank_of_america"].text.replace("2,249.50", "2,300.00", 1))
    assert "balances do not agree: beginning 1000.00 plus transactions 1249.50 is not ending 2300.00" in [
        one.message for one in parsed.warnings
    ]


def test_a_break_in_the_running_balance_names_its_row() -> None:
    parsed = read(EXPORTS["chase"].text.replace("2257.50", "2257.60"))
    assert any(
        "row 2 prints 2257.60" in remark.message or "row 1 prints 2057.50" in remark.message
        for remark in parsed.warnings
    )
