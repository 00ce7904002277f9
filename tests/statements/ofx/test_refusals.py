"""Bad OFX is refused with the right code, or costs only the transaction that is bad; hostile OFX costs little time and memory."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.parsed import ParseFault

from ..reading import read, rows
from .files import HEADER, XML, bank, sgml, transaction

REFUSED = (
    "<STMTTRNRS><TRNUID>1<STATUS><CODE>2003<SEVERITY>ERROR<MESSAGE>Account not found</STATUS></STMTTRNRS>"
)


def fault(text: str | bytes) -> ParseFault:
    with pytest.raises(ParseFault) as refused:
        read(text, name="a.ofx")
    return refused.value


def outcome(content: bytes, source_type: str) -> str:
    try:
        read(content, source_type, "a.ofx")
    except ParseFault as refused:
        return refused.code
    return "read"


def test_an_error_response_is_a_fault_with_the_servers_code_and_message() -> None:
    signon = f"{HEADER}<OFX><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Signon invalid</STATUS></SONRS></OFX>"
    assert (fault(signon).code, fault(signon).message) == (
        "OFX_ERROR",
        "the bank's server answered code 15500: Signon invalid",
    )
    assert fault(sgml(f"<BANKMSGSRSV1>{REFUSED}</BANKMSGSRSV1>")).code == "OFX_ERROR"


def test_an_error_for_one_account_keeps_the_rows_of_another() -> None:
    parsed = read(
        sgml(bank(transaction("-1.00", "1")), f"<BANKMSGSRSV1>{REFUSED}</BANKMSGSRSV1>"), name="a.ofx"
    )
    assert len(parsed.rows) == 1
    assert [(error.error_code, error.row_id) for error in parsed.errors] == [("OFX_ERROR", None)]


def test_a_warning_of_the_server_is_passed_on() -> None:
    text = sgml(bank(transaction("-1.00", "1"))).replace(
        "<CODE>0<SEVERITY>INFO</STATUS><STMTRS>", "<CODE>2004<SEVERITY>WARN<MESSAGE>Old data</STATUS><STMTRS>"
    )
    assert [remark.message for remark in read(text, name="a.ofx").warnings] == [
        "the bank's server answered code 2004: Old data"
    ]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (transaction("abc", "B"), "AMOUNT_UNPARSABLE"),
        (transaction("", "B"), "AMOUNT_MISSING"),
        (transaction("-1.00", "B", date="20241399"), "DATE_UNPARSABLE"),
        (transaction("-1.00", "B", date="yesterday"), "DATE_UNPARSABLE"),
        (transaction("NaN", "B"), "AMOUNT_UNPARSABLE"),
        (transaction("1e5", "B"), "AMOUNT_UNPARSABLE"),
    ],
)
def test_a_bad_transaction_is_named_and_the_others_are_kept(bad: str, code: str) -> None:
    parsed = read(sgml(bank(transaction("-1.00", "A"), bad, transaction("-2.00", "C"))), name="a.ofx")
    assert [money for _, _, money in rows(parsed)] == ["-1.00", "-2.00"]
    assert [(error.error_code, error.row_id) for error in parsed.errors] == [(code, 1)]
    assert "transaction B of account 999988881234" in parsed.errors[0].message


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;">]>',
        '<!DOCTYPE x SYSTEM "file:///etc/passwd">',
        '<!doctype x [<!entity a "b">]>',
    ],
)
def test_entities_are_refused_and_never_expanded(declaration: str) -> None:
    assert fault(XML + declaration + "<OFX>&lol2;</OFX>").code == "XML_ENTITIES"


@pytest.mark.parametrize("text", [HEADER, "OFXHEADER:100\nDATA:OFXSGML\n", XML + "<NOTOFX></NOTOFX>"])
def test_a_header_without_a_body_is_a_layout_mismatch(text: str) -> None:
    assert fault(text).code == "LAYOUT_MISMATCH"


@pytest.mark.parametrize(
    "filling",
    [
        b"<a" * 2_000_000,
        b"<STATUS>" * 500_000,
        b"</STATUS>" * 500_000,
        b" " * 4_000_000,
        b"&" * 4_000_000,
        b"<![CDATA[" * 400_000,
        b"<NAME>" * 500_000,
        b"<STMTTRN></STMTTRN>" * 50_000,
    ],
    ids=["tags", "open", "closed", "spaces", "ampersands", "literals", "empty", "transactions"],
)
def test_hostile_fillings_end_soon(filling: bytes) -> None:
    assert outcome(HEADER.encode() + b"<OFX><STMTRS><STMTTRN><NAME>" + filling, "ofx") in (
        "LAYOUT_MISMATCH",
        "read",
    )
