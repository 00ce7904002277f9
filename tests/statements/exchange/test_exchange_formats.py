"""CAMT, MT940 and QIF: every row, sign, cent and date, and whether the balances agree."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import Parsed, ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.media import media_problem
from interlock.workflows.statements.parsers.registry import bundled_parsers

CAMT = """<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>DE02100100109307118603</IBAN></Id><Ccy>EUR</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-01</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">{closing}</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2024-01-31</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">12.34</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2024-01-05</Dt></BookgDt>
<NtryDtls><TxDtls><RltdPties><Cdtr><Pty><Nm>Bäckerei Müller</Nm></Pty></Cdtr></RltdPties>
<RmtInf><Ustrd>Rechnung 7</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">1500.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><DtTm>2024-01-06T10:00:00</DtTm></BookgDt>
<NtryDtls><TxDtls><RltdPties><Dbtr><Nm>Arbeit GmbH</Nm></Dbtr></RltdPties>
<RmtInf><Ustrd>Gehalt</Ustrd><Ustrd>Januar</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">30.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2024-01-07</Dt></BookgDt><NtryDtls>
<TxDtls><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Cdtr><Nm>A</Nm></Cdtr></RltdPties></TxDtls>
<TxDtls><Amt Ccy="EUR">20.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><RltdPties><Cdtr><Nm>B</Nm></Cdtr></RltdPties></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">99.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><BookgDt><Dt>2024-01-31</Dt></BookgDt></Ntry>
</Stmt></BkToCstmrStmt></Document>"""

MT940 = """{{1:F01BANKDEFFXXXX}}{{4:
:20:STARTUMSE
:25:10010010/9307118603
:28C:00001/001
:60F:C240101EUR100,00
:61:2401050105DR12,34NDDTNONREF//BANKREF
:86:005?00LASTSCHRIFT?20Rechnung 7?32Baeckerei Mueller
:61:2401060106CR1500,NTRFNONREF
:86:166?00GUTSCHRIFT?20SVWZ+Gehalt?21 Januar?32Arbeit GmbH
:61:2401070107RC5,00NTRFREF1
 Storno
:86:/NAME/Arbeit GmbH/REMI/Storno
:62F:C240131EUR{closing}
-}}"""

QIF = """!Type:Bank
D1/15'24
T-12.34
PBakery
MBread
LFood
^
D1/16/2024
T1,500.00
PPayroll
SSalary
$1,400.00
SBonus
$100.00
^
"""


def read(text: str, name: str = "x.txt") -> Parsed:
    return bundled_parsers().parse(Document(name, text.encode()))


def rows(parsed: Parsed) -> list[tuple[str, str, str, int]]:
    return [(row.date, row.description, row.amount, row.sign) for row in parsed.rows]


def test_a_camt_statement_is_read_whole_and_reconciles() -> None:
    parsed = read(CAMT.format(closing="1557.66"))
    assert rows(parsed) == [
        ("2024-01-05", "Bäckerei Müller Rechnung 7", "12.34", -1),
        ("2024-01-06", "Arbeit GmbH Gehalt Januar", "1500.00", 1),
        ("2024-01-07", "A", "10.00", -1),
        ("2024-01-07", "B", "20.00", -1),
    ]
    assert {(row.currency, row.account) for row in parsed.rows} == {("EUR", "DE02100100109307118603")}
    assert [balance.agrees for balance in parsed.balances] == [True]
    assert (parsed.source_type, parsed.rows_skipped) == ("camt", 1)


def test_an_mt940_statement_is_read_whole_and_reconciles() -> None:
    parsed = read(MT940.format(closing="1582,66"))
    assert rows(parsed) == [
        ("20240105", "Baeckerei Mueller Rechnung 7", "12,34", -1),
        ("20240106", "Arbeit GmbH Gehalt Januar", "1500", 1),
        ("20240107", "Arbeit GmbH Storno", "5,00", -1),
    ]
    assert {(row.currency, row.account) for row in parsed.rows} == {("EUR", "10010010/9307118603")}
    assert [balance.agrees for balance in parsed.balances] == [True]


@pytest.mark.parametrize(
    "text", [CAMT.format(closing="1557.70"), MT940.format(closing="1582,70")], ids=["camt", "mt940"]
)
def test_balances_that_do_not_agree_are_said(text: str) -> None:
    parsed = read(text)
    assert [balance.agrees for balance in parsed.balances] == [False]
    assert any("but the ending balance is" in remark.message for remark in parsed.warnings)


def test_a_qif_file_is_read_with_its_splits_counted_once() -> None:
    parsed = read(QIF)
    assert rows(parsed) == [
        ("01/15/24", "Bakery Bread", "-12.34", 1),
        ("01/16/2024", "Payroll", "1,500.00", 1),
    ]
    assert {row.date_format for row in parsed.rows} == {"mdy"}


def test_qif_accounts_and_days_first_are_understood() -> None:
    parsed = read(
        "!Account\nNGiro\nTBank\n^\n!Type:Bank\nD31/01/2024\nT-5,00\nPX\n^\nD01/02/2024\nT7,00\nPY\n^\n"
    )
    assert [(row.account, row.date_format, row.decimal_separator) for row in parsed.rows] == [
        ("Giro", "dmy", ",")
    ] * 2


def test_a_qif_record_that_is_cut_off_is_said() -> None:
    assert any(
        "cut off" in remark.message for remark in read("!Type:Bank\nD1/31/2024\nT-5.00\nPX\n").warnings
    )


@pytest.mark.parametrize(
    "text",
    [
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]><Document xmlns="camt.053"><Stmt/></Document>',
        '<Document xmlns="urn:camt.053"><BkToCstmrStmt><Stmt>',
        '<Document xmlns="urn:camt.053"><BkToCstmrStmt/></Document>',
    ],
)
def test_a_camt_file_that_is_none_is_refused_with_a_code(text: str) -> None:
    with pytest.raises(ParseFault) as caught:
        read(text)
    assert caught.value.code in ("LAYOUT_MISMATCH", "CAMT_NO_STATEMENT")


def test_entries_that_cannot_be_read_are_errors_and_no_others_are_lost() -> None:
    parsed = read(MT940.format(closing="1582,66").replace("2401050105DR12,34", "2413050105DR12,34"))
    assert [error.error_code for error in parsed.errors] == ["DATE_UNPARSABLE"]
    assert len(parsed.rows) == 2


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.xml", CAMT.format(closing="1"), None),
        ("a.camt", CAMT.format(closing="1"), None),
        ("a.sta", MT940.format(closing="1,"), None),
        ("a.940", MT940.format(closing="1,"), None),
        ("a.fin", MT940.format(closing="1,"), None),
        ("a.c53", CAMT.format(closing="1"), None),
        ("a.qif", QIF, None),
        ("a.txt", QIF, None),
        ("a.xml", "<?xml version='1.0'?><OFX></OFX>", None),
        ("a.sgml", "OFXHEADER:100\n<OFX></OFX>", None),
        ("a.xml", "<html></html>", "ofx, qfx, camt"),
        ("a.sgml", "<html></html>", "ofx, qfx"),
        ("a.qif", "Date,Amount\n1/1/2024,5", "qif"),
        ("a.docx", QIF, "pdf, csv, ofx, qfx, qif, xml, sta"),
    ],
)
def test_files_are_known_by_their_content(name: str, text: str, problem: str | None) -> None:
    assert media_problem(name, text.encode()) == problem


def test_an_mt940_entry_keeps_its_day_of_booking_and_speaks_polish_and_dutch() -> None:
    parsed = read(
        ":20:A\n:25:PL12\n:28C:1\n:60F:C231229PLN100,00\n:61:2312310102D10,00NMSCNONREF\n"
        ":86:073~00VE02~20Karta SKLEP~21 12~32ACME\n:61:2401030103C5,00NTRFNONREF\n"
        ":86:/CNTP/NL32INGB0000012345/INGBNL2A/REWE MARKT///REMI/USTD//\nfactuur 7/\n:62F:C240103PLN95,00\n-\n",
        "x.sta",
    )
    assert [(row.date, row.description, row.amount, row.sign) for row in parsed.rows] == [
        ("20231231", "ACME Karta SKLEP 12", "10,00", -1),
        ("20240103", "REWE MARKT factuur 7", "5,00", 1),
    ]
    assert [row.posted_date for row in parsed.rows] == ["20240102", ""]
    assert [balance.agrees for balance in parsed.balances] == [True]


def test_an_interim_report_names_its_currency_before_its_entries() -> None:
    text = ":20:A\n:25:CH93\n:28C:1\n:34F:CHF0,\n:61:2401020102D10,00NTRFNONREF\n:86:a\n:90D:1CHF10,00\n-\n"
    assert [row.currency for row in read(text, "x.sta").rows] == ["CHF"]


MT940_PAGE = ":20:A\n:25:SE45\n:28C:1/{page}\n:60M:C240101SEK{opening}\n:61:240102D10,00NTRFNONREF\n:86:a\n:62M:C240102SEK{closing}\n-\n"
CAMT_OF_ONE_DAY = (
    "<Stmt><Acct><Id><IBAN>LU28</IBAN></Id><Ccy>EUR</Ccy></Acct>"
    "<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt>{opening}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>"
    "<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt>{closing}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>"
    '<Ntry><Amt Ccy="EUR">10.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2024-01-02</Dt></BookgDt></Ntry></Stmt>'
)


def mt940_of(*ends: tuple[str, str]) -> str:
    return "".join(
        MT940_PAGE.format(page=page, opening=opening.replace(".", ","), closing=closing.replace(".", ","))
        for page, (opening, closing) in enumerate(ends, 1)
    )


def camt_of(*ends: tuple[str, str]) -> str:
    statements = "".join(
        CAMT_OF_ONE_DAY.format(opening=opening, closing=closing) for opening, closing in ends
    )
    return f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>{statements}</BkToCstmrStmt></Document>'


@pytest.mark.parametrize("write", [mt940_of, camt_of])
def test_a_statement_that_is_missing_between_two_others_is_a_doubt(write: Callable[..., str]) -> None:
    ends = (("100.00", "90.00"), ("90.00", "80.00"), ("80.00", "70.00"))
    assert judge(read(write(*ends))).reconciled == "yes"
    assert judge(read(write(*reversed(ends)))).reconciled == "yes"
    judgement = judge(read(write(ends[0], ends[2])))
    assert judgement.reconciled == "unknown"
    assert any("ends at 90.00 and the next begins at 80.00" in one.message for one in judgement.remarks)


def test_a_camt_entry_that_is_neither_credit_nor_debit_is_an_error_and_no_income() -> None:
    text = camt_of(("100.00", "90.00")).replace("<CdtDbtInd>DBIT</CdtDbtInd>", "")
    parsed = read(text)
    assert ([error.error_code for error in parsed.errors], parsed.rows) == (["AMOUNT_UNPARSABLE"], [])


def test_an_mt940_file_whose_lines_are_broken_by_two_at_signs_is_read() -> None:
    text = (
        "@@:20:STARTUMSE@@:25:37050198/6497242384@@:28C:0/1@@:60F:C240604EUR100,00@@:61:2406040604DR10,00N062NONREF"
        "@@:86:177?00UEBERWEISUNG?20RECHN?@@21UNG 84?32Allianz@@:62F:C240604EUR90,00@@-"
    )
    parsed = read(text, name="umsaetze.sta")
    assert [(row.date, row.description, row.amount, row.sign) for row in parsed.rows] == [
        ("20240604", "Allianz RECHNUNG 84", "10,00", -1)
    ]
    assert [balance.agrees for balance in parsed.balances] == [True]


@pytest.mark.parametrize(
    ("name", "day", "amount", "currency", "why"),
    [
        ("export.qif", "14/05/2024", "-1.00", "GBP", "GBP is assumed"),
        ("export.qif", "05/14/2024", "-1.00", "USD", "USD is assumed"),
        ("export.qif", "14.05.2024", "-1,00", "EUR", "EUR is assumed"),
        ("Commonwealth_Bank-2024.qif", "14/05/2024", "-1.00", "AUD", "its name is that of Commonwealth Bank"),
    ],
)
def test_the_likeliest_currency_of_a_qif_file_is_taken_and_in_doubt(
    name: str, day: str, amount: str, currency: str, why: str
) -> None:
    parsed = read(f"!Type:Bank\nD{day}\nT{amount}\nPShop\n^\n", name=name)
    assert [row.currency for row in parsed.rows] == [currency]
    assert [why in remark.message for remark in parsed.warnings if remark.topic == "currency"] == [True]
