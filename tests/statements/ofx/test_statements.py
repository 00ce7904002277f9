"""OFX and QFX statements are read transaction by transaction, in SGML and XML, with what real banks do to both."""

from __future__ import annotations

import re

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import ParseFault

from ..reading import money, read, rows, said
from .files import HEADER, SIGNON, XML, bank, card, sgml, transaction

TWO = (
    transaction("-42.50", "F1", more="<NAME>AT&T BILL &amp; CO<MEMO>AT&T BILL &amp; CO 0412"),
    transaction("+1500.00", "F2", date="20240106", kind="CREDIT", more="<NAME>PAYROLL<MEMO>"),
)
EXPECTED = [("2024-01-05", "AT&T BILL & CO 0412", "-42.50"), ("2024-01-06", "PAYROLL", "1500.00")]


def ofx(text: str | bytes) -> list[tuple[str, str, str]]:
    parsed = read(text, name="statement.ofx")
    assert parsed.errors == []
    assert (parsed.parser_id, parsed.source_type, parsed.mime_type) == ("ofx", "ofx", "application/x-ofx")
    return rows(parsed)


def as_xml(text: str) -> str:
    """The same with every element closed."""
    return XML + re.sub(
        r"<([A-Z.]+)>([^<\r\n]+)", r"<\1>\2</\1>", text.removeprefix(HEADER).replace("AT&T", "AT&amp;T")
    )


@pytest.mark.parametrize(
    "text",
    [
        sgml(bank(*TWO)),
        as_xml(sgml(bank(*TWO))),
        sgml(bank(*TWO)).replace("\n", "").replace("\r", ""),
        sgml(bank(*TWO)).replace("<TRNAMT>", "<TRNAMT>\r\n   ").replace("<NAME>", "<NAME>\n"),
        sgml(bank(*TWO))
        .lower()
        .replace("at&t bill", "AT&T BILL")
        .replace("& co", "& CO")
        .replace("&amp; co", "&amp; CO")
        .replace("payroll", "PAYROLL"),
        sgml(bank(*TWO)).replace("</STMTTRN>", ""),
        sgml(bank(*TWO))
        .replace("</STMTTRN>", "")
        .replace("</BANKTRANLIST>", "")
        .replace("</STMTRS>", "")
        .replace("</OFX>", ""),
        "\n\n  " + sgml(bank(*TWO)),
        sgml(bank(*TWO)).replace("-42.50", "-42,50").replace("+1500.00", "1500,00"),
        as_xml(sgml(bank(*TWO))).replace(
            "<MEMO>AT&amp;T BILL &amp; CO 0412</MEMO>", "<MEMO><![CDATA[AT&T BILL & CO 0412]]></MEMO>"
        ),
    ],
    ids=[
        "sgml",
        "xml",
        "one line",
        "value on the next line",
        "lower case",
        "transactions not closed",
        "cut off",
        "blank lines first",
        "decimal comma",
        "cdata",
    ],
)
def test_the_same_statement_reads_the_same_however_it_is_written(text: str) -> None:
    assert ofx(text) == EXPECTED


def test_the_printed_date_is_kept_whatever_its_time_zone() -> None:
    text = sgml(
        bank(
            transaction("-1.00", "1", date="20240131235959.000[-8:PST]"),
            transaction("-1.00", "2", date="20240131000000[+10:AEST]"),
            transaction("-1.00", "3", date="202401310000"),
        )
    )
    assert [day for day, _, _ in ofx(text)] == ["2024-01-31"] * 3
    assert read(text, name="a.ofx").rows[0].date == "20240131235959.000[-8:PST]"


def test_bank_and_card_and_several_accounts_stand_in_one_file() -> None:
    parsed = read(
        sgml(
            bank(transaction("-1.00", "1"), account="111"),
            bank(transaction("-2.00", "1"), account="222", currency="CAD"),
            card(transaction("-3.00", "1")),
        ),
        name="a.qfx",
    )
    assert [(row.account, row.currency, row.amount) for row in parsed.rows] == [
        ("111", "USD", "-1.00"),
        ("222", "CAD", "-2.00"),
        ("4111XXXXXXXX1111", "USD", "-3.00"),
    ]


def test_accounts_of_two_banks_with_one_number_are_told_apart_within_a_file() -> None:
    one = bank(transaction("-1.00", "1"), account="4711")
    two = bank(transaction("-1.00", "1"), account="4711").replace("011000015", "022000025")
    parsed = read(sgml(one, two))
    assert [row.account for row in parsed.rows] == ["011000015 4711", "022000025 4711"]
    assert [f"{money(row)}" for row in parsed.rows] == ["-1.00", "-1.00"], "no repetition of one transaction"
    assert [remark for remark in parsed.warnings if remark.severity == "warning"] == []
    card_too = read(sgml(one, card(transaction("-1.00", "1"), account="4711")))
    assert {row.account for row in card_too.rows} == {"4711"}


def test_cash_and_trades_of_an_investment_account_are_rows_of_their_own_kinds() -> None:
    cash = f"<INVBANKTRAN>{transaction('12.34', 'C1', kind='CREDIT', more='<NAME>DIVIDEND SWEEP')}<SUBACCTFUND>CASH</INVBANKTRAN>"
    security = "<SECID><UNIQUEID>037833100<UNIQUEIDTYPE>CUSIP</SECID>"
    bought = (
        f"<BUYSTOCK><INVBUY><INVTRAN><FITID>T1<DTTRADE>20240105</INVTRAN>{security}<UNITS>2<UNITPRICE>25.00<TOTAL>-50.00"
        "<SUBACCTFUND>CASH</INVBUY></BUYSTOCK>"
    )
    reinvested = (
        f"<REINVEST><INVTRAN><FITID>T2<DTTRADE>20240108</INVTRAN>{security}<TOTAL>-1.50<UNITS>0.06</REINVEST>"
    )
    listed = f"<SECLISTMSGSRSV1><SECLIST><STOCKINFO><SECINFO>{security}<TICKER>ORCH</SECINFO></STOCKINFO></SECLIST></SECLISTMSGSRSV1>"
    text = sgml(
        "<INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><INVSTMTRS><DTASOF>20240131<CURDEF>USD<INVACCTFROM><BROKERID>b"
        f"<ACCTID>INV1</INVACCTFROM><INVTRANLIST><DTSTART>20240101<DTEND>20240131{bought}{reinvested}{cash}</INVTRANLIST></INVSTMTRS>"
        f"</INVSTMTTRNRS></INVSTMTMSGSRSV1>{listed}"
    )
    parsed = read(text, name="a.ofx")
    assert [(row.kind, row.account, f"{money(row)}") for row in parsed.rows] == [
        ("cash", "INV1", "12.34"),
        ("trade", "INV1", "-50.00"),
        ("position", "INV1", "0"),
    ]
    assert dict(parsed.rows[1].trade) == {
        "action": "Buy",
        "symbol": "ORCH",
        "quantity": "2",
        "price": "25.00",
    }
    assert (parsed.rows[1].reference, parsed.rows[1].description) == ("T1", "Buy 2 ORCH")
    assert (parsed.rows_skipped, parsed.account_type, parsed.errors) == (0, "investment", [])


def test_pending_transactions_are_skipped_and_counted() -> None:
    pending = "<BANKTRANLISTP><DTASOF>20240131<STMTTRNP><TRNTYPE>DEBIT<DTTRAN>20240131<TRNAMT>-9.00<NAME>PENDING</STMTTRNP></BANKTRANLISTP>"
    parsed = read(sgml(bank(*TWO, more=pending)), name="a.ofx")
    assert (rows(parsed), parsed.rows_skipped) == (EXPECTED, 1)
    assert "1 pending transaction of account 999988881234 skipped" in said(parsed)


@pytest.mark.parametrize(
    ("debits", "credit", "wanted", "words"),
    [
        (("10.00", "3.00"), "-4.00", ["-10.00", "-3.00", "4.00"], "taken as their types say"),
        (
            ("10.00", "-3.00"),
            "4.00",
            ["10.00", "-3.00", "4.00"],
            "has 1 transaction whose type contradicts the sign; taken as signed",
        ),
    ],
)
def test_types_that_contradict_the_signs_are_said(
    debits: tuple[str, str], credit: str, wanted: list[str], words: str
) -> None:
    moves = [transaction(amount, f"F{place}", kind="DEBIT") for place, amount in enumerate(debits)]
    parsed = read(sgml(bank(*moves, transaction(credit, "C", kind="CREDIT"))), name="card.ofx")
    assert [f"{money(row)}" for row in parsed.rows] == wanted
    assert words in said(parsed)


def test_an_identical_repetition_of_a_fitid_is_skipped_and_another_content_is_kept() -> None:
    same, other = transaction("-1.00", "F1"), transaction("-2.00", "F1")
    parsed = read(sgml(bank(same, same, other)), name="a.ofx")
    assert ([row.amount for row in parsed.rows], parsed.rows_skipped) == (["-1.00", "-2.00"], 1)
    assert "repeated identically" in said(parsed)
    assert "two different transactions" in said(parsed)
    assert len(read(sgml(bank(same, account="1"), bank(same, account="2")), name="a.ofx").rows) == 2


def test_names_payees_memos_and_checks_describe_without_repetition() -> None:
    more = [
        "<NAME>SHOP<MEMO>SHOP",
        "<PAYEE><NAME>Payee Inc<ADDR1>1 Road<CITY>X<STATE>Y<POSTALCODE>1<PHONE>5</PAYEE><MEMO>Order 7",
        "<CHECKNUM>1088",
        "<MEMO>only memo",
        "<NAME>",
        "<NAME>A&nbsp;B &lt;C&gt; &#39;D&#39; &unknown; R&D",
    ]
    text = sgml(
        bank(*(transaction("-1.00", str(number), kind="CHECK", more=one) for number, one in enumerate(more)))
    )
    assert [description for _, description, _ in ofx(text)] == [
        "SHOP",
        "Payee Inc Order 7",
        "Check 1088",
        "only memo",
        "Check",
        "A B <C> 'D' &unknown; R&D",
    ]


def test_a_transaction_in_another_currency_says_so_and_an_original_currency_does_not() -> None:
    other = "<NAME>X<CURRENCY><CURRATE>1.1<CURSYM>EUR</CURRENCY>"
    original = "<NAME>X<ORIGCURRENCY><CURRATE>1.1<CURSYM>GBP</ORIGCURRENCY>"
    parsed = read(
        sgml(bank(transaction("-1.00", "1", more=other), transaction("-1.00", "2", more=original))),
        name="a.ofx",
    )
    assert [row.currency for row in parsed.rows] == ["EUR", "USD"]


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [
        ("1252", "cp1252"),
        ("ISO-8859-1", "latin-1"),
        ("NONE", "cp1252"),
        ("1252", "utf-8"),
        ("1252", "utf-16"),
    ],
)
def test_letters_are_read_in_what_the_file_is_written_in_even_if_its_header_is_wrong(
    charset: str, encoding: str
) -> None:
    text = sgml(bank(transaction("-1.00", "1", more="<NAME>CAFÉ MÜLLER"))).replace(
        "CHARSET:1252", f"CHARSET:{charset}"
    )
    assert ofx(text.encode(encoding))[0][1] == "CAFÉ MÜLLER"


def test_debits_without_a_minus_are_money_out_by_their_type() -> None:
    parsed = read(
        sgml(bank(transaction("42.50", "1"), transaction("1500.00", "2", kind="CREDIT"))), name="a.ofx"
    )
    assert [money for _, _, money in rows(parsed)] == ["-42.50", "1500.00"]
    assert "without a minus" in said(parsed)


def test_a_ledger_balance_alone_is_said_and_not_checked() -> None:
    parsed = read(
        sgml(
            bank(
                *TWO,
                more="<LEDGERBAL><BALAMT>100.00<DTASOF>20240131</LEDGERBAL><AVAILBAL><BALAMT>90.00<DTASOF>20240131</AVAILBAL>",
            )
        ),
        name="a.ofx",
    )
    assert (parsed.balances, "ends at 100.00" in said(parsed)) == ([], True)


def test_an_empty_list_is_empty_success_with_a_warning() -> None:
    for text, reconciled in (
        (sgml(bank()), "yes"),
        (sgml(bank()).replace("<BANKTRANLIST>", "").replace("</BANKTRANLIST>", ""), "unknown"),
    ):
        parsed = read(text, name="a.ofx")
        assert (parsed.rows, parsed.errors) == ([], [])
        assert "no transactions" in said(parsed)
        assert judge(parsed).reconciled == reconciled


@pytest.mark.parametrize("text", [sgml(), f"{HEADER}<OFX>{SIGNON}</OFX>"])
def test_a_file_without_any_statement_is_a_fault_and_not_an_empty_success(text: str) -> None:
    with pytest.raises(ParseFault, match="no statement") as fault:
        read(text, name="a.ofx")
    assert fault.value.code == "OFX_NO_STATEMENT"


def test_what_a_comment_holds_is_not_read() -> None:
    text = sgml(
        bank(transaction("-1.00", "A"), f"<!-- {transaction('-9.00', 'B')} -->", transaction("-2.00", "C"))
    )
    assert [row.reference for row in read(text, name="a.xml").rows] == ["A", "C"]


@pytest.mark.parametrize(
    ("amount", "value"), [("-1.234", "-1.234"), ("-1,234", "-1.234"), ("-12,345", "-12.345")]
)
def test_the_only_separator_of_an_amount_is_its_decimal_mark_for_ofx_groups_no_thousands(
    amount: str, value: str
) -> None:
    parsed = read(
        sgml(bank(transaction(amount, "F1"), more="<LEDGERBAL><BALAMT>10.000<DTASOF>20240131</LEDGERBAL>"))
    )
    assert [f"{money(row)}" for row in parsed.rows] == [value]
    assert parsed.stated_closing == "10.000"
