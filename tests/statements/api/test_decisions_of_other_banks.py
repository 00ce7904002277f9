"""A decision about a file whose bank nothing names is applied to another bank's only with a warning, and no stated account is renamed."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.workflows.statements.parsers.titles import title_in
from tests.statements.api.place import KIND, Place
from tests.statements.api.test_decisions_and_evidence import warned
from tests.statements.api.test_interpretation import amounts, patch
from tests.statements.ofx.files import transaction

ZURICH = "Date,Description,Amount,Balance\n2025-03-02,MIGROS ZURICH,-12.50,987.50\n2025-03-15,LOHN,4000.00,4987.50\n"
TEXAS = "Date,Description,Amount,Balance\n2025-04-02,HEB AUSTIN TX,-88.10,911.90\n2025-04-15,PAYROLL,2500.00,3411.90\n"
NUMBERED = f"Account: 55556666\n{TEXAS.replace('HEB', 'WALGREENS')}"
SIDES = "Date,Description,Debit,Credit\n2025-03-02,MIGROS ZURICH,12.50,\n2025-03-15,LOHN,,4000.00\n"
OTHER_SIDES = "Date,Description,Debit,Credit\n2025-04-02,HEB AUSTIN TX,88.10,\n2025-04-15,THING,,2500.00\n"


def imported(place: Place, content: str, name: str = "file.csv") -> str:
    upload_id = place.upload(content.encode(), name)
    place.app.drain()
    return upload_id


def decide(place: Place, upload_id: str, **decided: Any) -> Any:
    answer = patch(place, upload_id, apply=True, reason="as I know it", **decided)
    place.app.drain()
    return answer


def accounts(place: Place, upload_id: str) -> set[str]:
    return {one["account"] for one in place.show(upload_id, "transactions")["transactions"]}


def currencies(place: Place, upload_id: str) -> set[str]:
    return {one["currency"] for one in place.show(upload_id, "transactions")["transactions"]}


def remarks(place: Place, upload_id: str) -> list[str]:
    return [one["message"] for one in place.show(upload_id, "warnings")["warnings"]]


def proof(place: Place, upload_id: str) -> tuple[str, int]:
    row = place.app.get(KIND, upload_id)
    return row["reconciled"], row["warnings_count"]


def test_a_decision_is_applied_to_a_file_that_may_be_another_banks_with_a_warning_that_names_it(
    place: Place,
) -> None:
    first = imported(place, ZURICH)
    decide(place, first, currency="CHF", account="Zurich joint")
    assert (proof(place, first), accounts(place, first)) == (("yes", 0), {"Zurich joint"})
    other = imported(place, TEXAS)
    assert (currencies(place, other), accounts(place, other)) == ({"CHF"}, {"Zurich joint"})
    assert proof(place, other) == ("unknown", 1)
    (warning,) = warned(place, other)
    for word in ("no bank is named", first, "currency CHF", "account Zurich joint"):
        assert word in warning, word
    offered = {one["currency"] for one in place.show(other, "readings")["readings"]}
    assert "USD" in offered, "it is not certain which it is"
    decide(place, other, currency="CHF", account="Zurich joint")
    assert (proof(place, other), warned(place, other)) == (("yes", 0), [])
    assert place.app.ledger.history(KIND, other)[-1].new == "normalized"


def test_an_account_that_a_file_states_wins_over_one_that_was_decided_on_another(place: Place) -> None:
    first = imported(place, ZURICH)
    decide(place, first, account="Zurich joint")
    other = imported(place, NUMBERED)
    assert accounts(place, other) == {"55556666"}
    assert [one for one in remarks(place, other) if "account Zurich joint was decided" in one]
    decide(place, other, account="Texas")
    assert accounts(place, other) == {"Texas"}
    assert {one.reason for one in place.app.ledger.history(KIND, other)} == {None, "as I know it"}


def test_the_same_whole_account_number_shows_that_a_file_is_of_the_same_bank(place: Place) -> None:
    march, april = (f"Account: 55556666\n{one}" for one in (ZURICH, TEXAS))
    first = imported(place, march)
    decide(place, first, currency="CHF", account="Zurich joint")
    following = imported(place, april)
    assert (currencies(place, following), accounts(place, following)) == ({"CHF"}, {"Zurich joint"})
    assert (proof(place, following), warned(place, following)) == (("yes", 0), [])
    assert {one.reason for one in place.app.ledger.history(KIND, following)} == {None}


def test_an_account_that_is_named_at_the_upload_shows_that_a_file_is_of_the_same_bank(place: Place) -> None:
    first = imported(place, ZURICH)
    decide(place, first, currency="CHF", account="Zurich joint")
    form = {"source_type": "auto", "account": "Zurich joint"}
    answer = place.asker.ask("POST", "/uploads", files={"file": ("a.csv", TEXAS.encode())}, data=form)
    place.app.drain()
    following = str(answer.json()["upload_id"])
    assert (currencies(place, following), proof(place, following)) == ({"CHF"}, ("yes", 0))
    form["account"] = "Another"
    answer = place.asker.ask("POST", "/uploads", files={"file": ("b.csv", f"\n{TEXAS}".encode())}, data=form)
    place.app.drain()
    other = str(answer.json()["upload_id"])
    assert (accounts(place, other), proof(place, other)) == ({"Another"}, ("unknown", 1))
    assert place.app.ledger.history(KIND, following)[-1].new == "normalized"


def test_an_account_by_a_decision_is_no_longer_one_once_the_decision_is_withdrawn(place: Place) -> None:
    first = imported(place, ZURICH)
    decide(place, first, account="Zurich joint")
    other = imported(place, TEXAS)
    (kept,) = place.asker.get("/interpretations").json()["decisions"]
    place.asker.ask("DELETE", f"/interpretations/{kept['key']}?reason=another%20bank")
    place.asker.ask("POST", f"/uploads/{other}/reparse", json={"reason": "as it is read now"})
    place.app.drain()
    assert (accounts(place, other), accounts(place, first)) == ({""}, {"Zurich joint"})
    assert place.app.ledger.history(KIND, other)[-1].new == "normalized"


def test_signs_are_not_turned_where_columns_of_a_file_that_may_be_another_banks_say_the_direction(
    place: Place,
) -> None:
    first = imported(place, SIDES)
    decide(place, first, signs="turned")
    assert amounts(place, first) == ["12.50", "-4000.00"]
    assert [one for one in warned(place, first) if "itself says which way amounts went" in one]
    other = imported(place, OTHER_SIDES)
    assert amounts(place, other) == ["-88.10", "2500.00"]
    assert [one for one in warned(place, other) if "not turned" in one]
    decide(place, first, signs="as_read")
    assert amounts(place, first) == ["12.50", "-4000.00"]
    assert warned(place, first) == ["the file names no currency; USD is assumed"], "signs are confirmed"
    reasons = [one.reason for one in place.app.ledger.history(KIND, first) if one.reason]
    assert reasons == ["as I know it", "as I know it"]


def test_signs_of_columns_that_say_the_direction_are_turned_for_the_same_bank_with_a_warning(
    place: Place,
) -> None:
    first, following = (f"Quillback Thrift,,,\n\n{one}" for one in (SIDES, OTHER_SIDES))
    decide(place, imported(place, first), signs="turned")
    upload_id = imported(place, following)
    assert amounts(place, upload_id) == ["88.10", "-2500.00"]
    assert [one for one in warned(place, upload_id) if "itself says which way amounts went" in one]
    assert proof(place, upload_id)[0] == "unknown"
    assert {one.reason for one in place.app.ledger.history(KIND, upload_id)} == {None}


def qif(shop: str, account: str = "") -> str:
    head = f"!Account\nN{account}\nTBank\n^\n" if account else ""
    return f"{head}!Type:Bank\nD3/14/2025\nT-30.00\nP{shop}\n^\nD3/20/2025\nT50.00\nPIncome\n^\n"


def test_a_decision_about_one_qif_file_is_in_doubt_on_every_other(place: Place) -> None:
    first = imported(place, qif("MIGROS"), "ubs.qif")
    decide(place, first, currency="CHF", account="UBS joint")
    other = imported(place, qif("TESCO"), "barclays.qif")
    assert (currencies(place, other), accounts(place, other)) == ({"CHF"}, {"UBS joint"})
    assert [one for one in warned(place, other) if "no bank is named" in one and "CHF" in one]
    named = imported(place, qif("LIDL", "Savings"), "third.qif")
    assert accounts(place, named) == {"Savings"}
    assert [one for one in warned(place, named) if "taken as it states" in one]
    assert {one.reason for one in place.app.ledger.history(KIND, other)} == {None}


def ofx(account: str, bank: str, memo: str, org: str = "", fid: str = "") -> str:
    fi = f"<FI>{f'<ORG>{org}' if org else ''}{f'<FID>{fid}' if fid else ''}</FI>" if org or fid else ""
    of = (
        f"<BANKACCTFROM>{f'<BANKID>{bank}' if bank else ''}<ACCTID>{account}<ACCTTYPE>CHECKING</BANKACCTFROM>"
    )
    rows = f"{transaction('-10.00', memo)}{transaction('500.00', f'{memo}b', kind='CREDIT')}"
    return (
        f"OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><SIGNONMSGSRSV1><SONRS>{fi}</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS>"
        f"<CURDEF>USD{of}<BANKTRANLIST>{rows}</BANKTRANLIST><LEDGERBAL><BALAMT>1000.00</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


@pytest.mark.parametrize("org", ["", "First Orchard Bank"])
def test_an_account_that_was_decided_on_one_ofx_file_renames_no_other_account(place: Place, org: str) -> None:
    first = imported(place, ofx("1113383599", "1111", "a", org), "one.ofx")
    decide(place, first, account="Household")
    second = imported(place, ofx("2223383588", "1111", "b", org), "two.ofx")
    third = imported(place, ofx("2223383588", "77777", "c"), "three.ofx")
    same = imported(place, ofx("1113383599", "1111", "d", org), "four.ofx")
    assert accounts(place, first) == accounts(place, same) == {"Household"}
    assert "Household" not in accounts(place, second) | accounts(place, third)
    assert [one for one in remarks(place, second) if "Household was decided" in one]
    assert {proof(place, one) for one in (first, second, third, same)} == {("unknown", 0)}
    assert {one.reason for one in place.app.ledger.history(KIND, second)} == {None}


def flags(place: Place, upload_id: str) -> set[str]:
    rows = place.show(upload_id, "transactions")["transactions"]
    return {flag for row in rows for flag in row["flags"]} & {"possible_duplicate"}


def test_ofx_files_of_two_bank_codes_do_not_share_an_account_of_few_digits(place: Place) -> None:
    codes = [{"bank": "999999"}, {"bank": "888888"}, {"bank": "", "fid": "31"}, {"bank": "", "fid": "32"}]
    ids = [
        imported(place, ofx("4711", memo=str(number), **code), f"{number}.ofx")
        for number, code in enumerate(codes)
    ]
    assert [accounts(place, one) for one in ids] == [
        {"999999 4711"},
        {"888888 4711"},
        {"31 4711"},
        {"32 4711"},
    ]
    assert {flag for one in ids for flag in flags(place, one)} == set()
    assert {proof(place, one) for one in ids} == {("unknown", 0)}
    again = imported(place, ofx("4711", "999999", "z"), "again.ofx")
    assert (accounts(place, again), flags(place, again)) == ({"999999 4711"}, {"possible_duplicate"})


def mt940(account: str, head: str = "", reference: str = "STARTUMS") -> str:
    return (
        f"{head}:20:{reference}\n:25:{account}\n:28C:1/1\n:60F:C250301EUR0,00\n:61:2503050305C50,00NTRFNONREF\n:86:SALARY ACME\n"
        ":62F:C250331EUR50,00\n"
    )


@pytest.mark.parametrize(
    ("text", "account"),
    [
        (mt940("ORCHDEFF/4711"), "ORCHDEFF/4711"),
        (mt940("4711", "{1:F01ORCHDEFFAXXX0000000000}{2:I940CUSTOMERXN}{4:\n"), "ORCHDEFF 4711"),
        (
            mt940(
                "4711",
                "{1:F01CUSTDEFFAXXX0000000000}{2:O9401200250331ORCHDEFFAXXX00000000002503311200N}{4:\n",
            ),
            "ORCHDEFF 4711",
        ),
    ],
)
def test_the_bank_of_an_mt940_is_that_of_its_account_or_of_its_sender(
    place: Place, text: str, account: str
) -> None:
    upload_id = imported(place, text, "a.sta")
    assert (accounts(place, upload_id), proof(place, upload_id)) == ({account}, ("yes", 0))
    other = imported(place, text.replace("ORCHDEFF", "QUILDEFF"), "b.sta")
    assert accounts(place, other) == {account.replace("ORCHDEFF", "QUILDEFF")}
    assert (flags(place, other), proof(place, other)) == (set(), ("yes", 0))


def test_an_account_of_few_digits_that_nothing_tells_from_another_banks_is_in_doubt_until_it_is_named(
    place: Place,
) -> None:
    first = imported(place, mt940("4711", reference="BANKAXXX"), "a.sta")
    second = imported(place, mt940("4711", reference="BANKBYYY"), "b.sta")
    for one in (first, second):
        assert proof(place, one) == ("unknown", 1)
        assert "account 4711 is no whole number" in warned(place, one)[0]
    decide(place, second, account="Bank B")
    assert (accounts(place, second), proof(place, second)) == ({"Bank B"}, ("yes", 0))
    whole = imported(place, mt940("DE89370400440532013000"), "c.sta")
    assert (accounts(place, whole), proof(place, whole)) == ({"DE89370400440532013000"}, ("yes", 0))
    assert [one for one in remarks(place, whole) if "Bank B was decided" in one]
    assert place.app.ledger.history(KIND, second)[-1].new == "normalized"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Currency: CHF", ""),
        ("Account holder John Appleseed", ""),
        ("Kontoinhaber: Erika Mustermann", ""),
        ("Account type: Checking", ""),
        ("Zeitraum: 01.03.2025 bis 31.03.2025", ""),
        ("Kontoauszug Quillback", "Kontoauszug Quillback"),
        ("Bramble Card January 2024", "Bramble Card"),
    ],
)
def test_what_stands_above_the_rows_of_every_bank_is_no_title(line: str, title: str) -> None:
    assert title_in([line]) == title
