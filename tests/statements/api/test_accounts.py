"""Accounts of banks that nobody knows are told apart, and files without any account do not share one in exports."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.exports import beancount, ledger_cli
from interlock.workflows.statements.normalize.canonical import About, is_partial
from tests.statements.api.place import KIND, Place
from tests.statements.pdf.layouts.sheets import Sheet


def paper(title: str, month: str, number: str = "**** **** **** 7777", day: str = "07/18") -> bytes:
    """A statement of a bank that is not known."""
    sheet = Sheet()
    sheet.row((40, title), size=14, step=20)
    sheet.row((40, f"Statement period {month} 2024"))
    sheet.row((40, f"Account number {number}"), step=20)
    sheet.row((40, "Date"), (140, "Description"), (400, "Amount", "right"))
    sheet.row((40, f"{day}/2024"), (140, "CORNER GROCER"), (400, "-20.00", "right"))
    sheet.row((40, f"{day}/2024"), (140, "ORCHARD LABS"), (400, "60.00", "right"))
    return sheet.pdf()


def accounts(place: Place, upload_id: str) -> set[str]:
    return {one["account"] for one in place.show(upload_id, "transactions")["transactions"]}


def is_flagged(place: Place, upload_id: str) -> set[bool]:
    rows = place.show(upload_id, "transactions")["transactions"]
    return {"possible_duplicate" in one["flags"] for one in rows}


def test_two_banks_that_are_not_known_never_share_a_masked_account(place: Place) -> None:
    first = place.upload(paper("Zephyrine Savings House", "July"), "first.pdf")
    other = place.upload(paper("Quillback Thrift", "July"), "other.pdf")
    place.app.drain()
    (one,), (two,) = accounts(place, first), accounts(place, other)
    assert one.startswith("Zephyrine Savings House ")
    assert two.startswith("Quillback Thrift ")
    assert (one[-4:], two[-4:]) == ("7777", "7777")
    assert is_flagged(place, first) == is_flagged(place, other) == {False}
    assert place.app.get(KIND, first)["issuer"] in one


def test_the_next_statement_of_such_a_bank_is_of_the_same_account_and_found_again(place: Place) -> None:
    july = place.upload(paper("Zephyrine Savings House", "July"), "july.pdf")
    august = place.upload(paper("Zephyrine Savings House", "August"), "august.pdf")
    place.app.drain()
    assert accounts(place, july) == accounts(place, august)
    assert (is_flagged(place, july), is_flagged(place, august)) == ({False}, {True})
    place.asker.ask("POST", f"/uploads/{july}/reparse", json={"reason": "newer parser"})
    place.app.drain()
    assert accounts(place, july) == accounts(place, august)


@pytest.mark.parametrize(
    ("number", "is_it"),
    [
        ("****7777", True),
        ("XXXX XXXX 12", True),
        ("7777", True),
        ("1234567", True),
        ("12345678", False),
        ("12-34-56 78901234", False),
        ("DE89 3704 0044 0532 0130 00", False),
        ("NO9386011117947", False),
        ("Joint checking", False),
        ("", False),
    ],
)
def test_a_mask_or_a_few_digits_are_no_number_of_one_bank_alone(number: str, is_it: bool) -> None:
    assert is_partial(number) is is_it
    assert About(issuer="Quillback").account(number) == (f"Quillback {number}" if is_it else number)
    assert About(institution="Chase", issuer="").account("****7777") == "Chase ••••7777"
    assert About(chosen_account="Joint", issuer="Quillback").account(number) == "Joint"


def test_files_without_any_account_have_one_each_in_exports(place: Place) -> None:
    table = b"Date,Description,Amount (GBP)\n13/04/2024,Cafe,-1.50\n"
    names = {"january.csv": table, "Kärcher (2).csv": b"\n" + table, "empty-named": b"\n\n" + table}
    ids = [place.upload(content, f"{name.removesuffix('.csv')}.csv") for name, content in names.items()]
    place.app.drain()
    rows = place.asker.get("/transactions").json()["transactions"]
    for export in (beancount, ledger_cli):
        text = "".join(export(rows))
        found = {word for word in text.split() if word.startswith("Assets:")}
        assert len(found) == 3
        assert all(one.startswith("Assets:Unknown:") for one in found)
        assert f"Assets:Unknown:January-{ids[0][-4:][:1].upper()}{ids[0][-3:]}" in found
        again = "".join(export(place.asker.get("/transactions").json()["transactions"]))
        assert again == text
