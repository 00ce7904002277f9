# ruff: noqa: E501 tags stay on the lines where the files have them
"""OFX, QIF, CAMT and MT940 files as banks really write them: unclosed tags, odd times, batches, structured notes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from ..truth import Made, Row
from .ledgers import (
    EARLY_DAYS,
    FRENCH,
    GERMAN,
    POLISH,
    SPANISH,
    SWISS,
    UK,
    US_CARD,
    US_CHECKING,
    Ledger,
    comma,
    file_of,
    lines,
    plain,
    us,
)

SGML = "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:{encoding}\r\nCHARSET:1252\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n"
SIGNON = "<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240109120000[0:GMT]<LANGUAGE>ENG<FI><ORG>{org}<FID>10898</FI></SONRS></SIGNONMSGSRSV1>"


def ofx_bank(held: Ledger, rows: str, currency: str = "USD", org: str = "B1", opening: str = "") -> str:
    return (
        SIGNON.format(org=org)
        + f"<BANKMSGSRSV1><STMTTRNRS><TRNUID>0<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>{currency}<BANKACCTFROM><BANKID>044000037<ACCTID>4821<ACCTTYPE>CHECKING</BANKACCTFROM>"
        f"<BANKTRANLIST><DTSTART>20231209<DTEND>20240109{rows}</BANKTRANLIST><LEDGERBAL><BALAMT>{plain(held.closing)}<DTASOF>20240109</LEDGERBAL>{opening}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
    )


def ofx_files() -> Iterator[Made]:
    held = US_CHECKING
    rows = lines(
        held.rows,
        lambda r: (
            f"<STMTTRN>\r\n<TRNTYPE>{'DEBIT' if r.amount < 0 else 'CREDIT'}\r\n<DTPOSTED>{r.day:%Y%m%d}120000[-5:EST]\r\n<TRNAMT>{plain(r.amount)}\r\n<FITID>{r.day:%Y%m%d}{abs(r.amount)}\r\n<NAME>{r.text[:32].replace('&', '&amp;')}\r\n<MEMO>{r.text}\r\n</STMTTRN>"
        ),
    )
    yield file_of(
        "ofx sgml chase",
        "Chase.QFX",
        SGML.format(encoding="USASCII") + ofx_bank(held, rows),
        held,
        "USD",
        False,
    )
    rows = lines(
        held.rows,
        lambda r: (
            f"<STMTTRN><TRNTYPE>OTHER<DTPOSTED>{r.day:%Y%m%d}235959.000[-8:PST]<DTUSER>{r.day:%Y%m%d}<TRNAMT>{'+' if r.amount > 0 else ''}{plain(r.amount)}<FITID>A{r.day:%m%d}{abs(r.amount)}<NAME>{r.text[:20]} & SONS</STMTTRN>"
        ),
    )
    yield file_of(
        "ofx late in the day, bare ampersand",
        "wf.ofx",
        SGML.format(encoding="UTF-8") + ofx_bank(held, rows, org="WFB"),
        held,
        "USD",
        False,
    )
    rows = lines(
        held.rows,
        lambda r: (
            f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{r.day:%Y%m%d}<TRNAMT>{plain(r.amount)}<FITID>B{r.day:%m%d}{abs(r.amount)}<NAME>{r.text[:32]}</STMTTRN>"
        ),
    )
    balance = f"<BALLIST><BAL><NAME>Opening Balance<DESC>Opening Balance<BALTYPE>DOLLAR<VALUE>{plain(held.opening)}</BAL></BALLIST>"
    yield file_of(
        "ofx opening in a list",
        "x.ofx",
        SGML.format(encoding="USASCII") + ofx_bank(held, rows, opening=balance),
        held,
        "USD",
        False,
    )
    card = US_CARD
    xml = "".join(
        f"<STMTTRN><TRNTYPE>{'DEBIT' if r.amount < 0 else 'CREDIT'}</TRNTYPE><DTPOSTED>{r.day:%Y%m%d}000000.000[-7:MST]</DTPOSTED><TRNAMT>{plain(r.amount)}</TRNAMT><FITID>{r.day:%Y%m%d}{abs(r.amount)}</FITID><NAME>{r.text}</NAME></STMTTRN>"
        for r in card.rows
    )
    yield file_of(
        "ofx 2 card",
        "amex.xml",
        f'<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>20240109</DTSERVER><LANGUAGE>ENG</LANGUAGE><FI><ORG>AMEX</ORG><FID>3101</FID></FI></SONRS></SIGNONMSGSRSV1><CREDITCARDMSGSRSV1><CCSTMTTRNRS><TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><CCSTMTRS><CURDEF>USD</CURDEF><CCACCTFROM><ACCTID>3-41007</ACCTID></CCACCTFROM><BANKTRANLIST><DTSTART>20231209</DTSTART><DTEND>20240108</DTEND>{xml}</BANKTRANLIST><LEDGERBAL><BALAMT>{plain(card.closing)}</BALAMT><DTASOF>20240108</DTASOF></LEDGERBAL></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>',
        card,
        "USD",
        False,
    )
    rows = lines(
        GERMAN.rows,
        lambda r: (
            f"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>{r.day:%Y%m%d}<TRNAMT>{comma(r.amount)}<FITID>C{r.day:%m%d}{abs(r.amount)}<NAME>{r.text[:32]}</STMTTRN>"
        ),
    )
    yield file_of(
        "ofx with decimal commas",
        "konto.ofx",
        SGML.format(encoding="USASCII")
        + ofx_bank(GERMAN, rows, "EUR").replace(plain(GERMAN.closing), comma(GERMAN.closing)),
        GERMAN,
        "EUR",
        False,
    )


def qif_files() -> Iterator[Made]:
    held = US_CHECKING
    yield file_of(
        "qif american",
        "acct.qif",
        "!Type:Bank\n"
        + lines(held.rows, lambda r: f"D{r.day:%m/%d/%Y}\nPX{r.text}\nT{us(r.amount)}\nN\nC*\n^"),
        held,
        "USD",
        False,
    )
    yield file_of(
        "qif british two digits",
        "acct.qif",
        "!Type:Bank\r\n"
        + lines(
            UK.rows, lambda r: f"D{r.day:%d/%m/%y}\r\nT{plain(r.amount)}\r\nP{r.text}\r\nM{r.text}\r\n^\r"
        ),
        UK,
        "GBP",
        False,
    )
    yield file_of(
        "qif early days",
        "acct.qif",
        "!Type:Bank\n"
        + lines(EARLY_DAYS.rows, lambda r: f"D{r.day:%d/%m/%Y}\nT{plain(r.amount)}\nP{r.text}\n^"),
        EARLY_DAYS,
        "GBP",
        False,
    )
    yield file_of(
        "qif card with splits",
        "card.qif",
        "!Option:AutoSwitch\n!Account\nNVisa\nTCCard\n^\n!Type:CCard\n"
        + lines(
            US_CARD.rows,
            lambda r: (
                f"D{r.day.month}/{r.day.day}'{r.day:%y}\nU{us(r.amount)}\nT{us(r.amount)}\nP{r.text}\nLShopping\nSFood\n${plain(r.amount - 1)}\nSHome\n$1.00\n^"
            ),
        ),
        US_CARD,
        "USD",
        False,
    )
    yield file_of(
        "qif german",
        "konto.qif",
        "!Type:Bank\n" + lines(GERMAN.rows, lambda r: f"D{r.day:%d.%m.%Y}\nT{comma(r.amount)}\nP{r.text}\n^"),
        GERMAN,
        "EUR",
        False,
    )


def camt_balance(kind: str, value: Decimal, currency: str, day: str) -> str:
    return f'<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy="{currency}">{plain(abs(value))}</Amt><CdtDbtInd>{"DBIT" if value < 0 else "CRDT"}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>'


def camt_entry(
    row: Row, currency: str, details: str = "", status: str = "<Sts>BOOK</Sts>", reversal: bool = False
) -> str:
    mark = "DBIT" if row.amount < 0 else "CRDT"
    return f'<Ntry><Amt Ccy="{currency}">{plain(abs(row.amount))}</Amt><CdtDbtInd>{mark}</CdtDbtInd>{"<RvslInd>true</RvslInd>" if reversal else ""}{status}<BookgDt><Dt>{row.day}</Dt></BookgDt><ValDt><Dt>{row.day}</Dt></ValDt>{details}<AddtlNtryInf>{row.text}</AddtlNtryInf></Ntry>'


def camt(
    held: Ledger,
    entries: str,
    currency: str,
    *,
    version: str = "053.001.02",
    root: str = "BkToCstmrStmt",
    one: str = "Stmt",
    prefix: str = "",
) -> str:
    text = (
        f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.{version}"><{root}><GrpHdr><MsgId>1</MsgId></GrpHdr><{one}><Id>1</Id><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>{currency}</Ccy><Svcr><FinInstnId><BIC>COBADEFFXXX</BIC></FinInstnId></Svcr></Acct>'
        f"{camt_balance('OPBD', held.opening, currency, '2023-12-27')}{camt_balance('CLBD', held.closing, currency, '2024-01-26')}{camt_balance('CLAV', held.closing + 500, currency, '2024-01-26')}{entries}</{one}></{root}></Document>"
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def camt_files() -> Iterator[Made]:
    batch = '<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch><TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">1.00</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>Teil 1</Ustrd></RmtInf></TxDtls><TxDtls><RmtInf><Ustrd>Teil 2</Ustrd></RmtInf></TxDtls></NtryDtls>'
    entries = "".join(
        camt_entry(row, "EUR", batch if place == 2 else "") for place, row in enumerate(GERMAN.rows)
    )
    yield file_of("camt.053 with a batch", "camt.xml", camt(GERMAN, entries, "EUR"), GERMAN, "EUR", True)
    entries = "".join(
        camt_entry(row, "CHF", status="<Sts><Cd>BOOK</Cd></Sts>", reversal=place == 3)
        for place, row in enumerate(SWISS.rows)
    )
    yield file_of(
        "camt.053 version 8 with a reversal",
        "camt.xml",
        camt(SWISS, entries, "CHF", version="053.001.08"),
        SWISS,
        "CHF",
        True,
    )
    pending = camt_entry(
        replace(GERMAN.rows[0], amount=Decimal("-77.00"), text="VORGEMERKT"), "EUR", status="<Sts>PDNG</Sts>"
    )
    entries = "".join(camt_entry(row, "EUR") for row in GERMAN.rows)
    yield file_of(
        "camt.052 with a pending entry",
        "camt052.xml",
        camt(GERMAN, entries + pending, "EUR", version="052.001.02", root="BkToCstmrAcctRpt", one="Rpt"),
        GERMAN,
        "EUR",
        True,
    )
    foreign = '<NtryDtls><TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">99.00</Amt></InstdAmt><TxAmt><Amt Ccy="USD">99.00</Amt></TxAmt></AmtDtls><RltdPties><Cdtr><Nm>Shop Inc</Nm></Cdtr></RltdPties></TxDtls></NtryDtls>'
    entries = "".join(camt_entry(row, "EUR", foreign) for row in SPANISH.rows)
    yield file_of(
        "camt.053 with foreign amounts", "camt.xml", camt(SPANISH, entries, "EUR"), SPANISH, "EUR", True
    )


def mt940_mark(value: Decimal) -> str:
    return "D" if value < 0 else "C"


def mt940(held: Ledger, rows: str, currency: str, account: str = "50010517/0648489890") -> str:
    first, last = (f"{day:%y%m%d}" for day in (held.rows[0].day, held.rows[-1].day))
    return (
        f":20:STARTUMSE\r\n:25:{account}\r\n:28C:00001/001\r\n:60F:{mt940_mark(held.opening)}{first}{currency}{comma(abs(held.opening))}\r\n"
        f"{rows}:62F:{mt940_mark(held.closing)}{last}{currency}{comma(abs(held.closing))}\r\n:64:{mt940_mark(held.closing)}{last}{currency}{comma(abs(held.closing))}\r\n-"
    )


def mt940_files() -> Iterator[Made]:
    rows = "".join(
        f":61:{r.day:%y%m%d}{r.day:%m%d}{mt940_mark(r.amount)}R{comma(abs(r.amount))}NDDTKREF+//BNK{p}\r\n:86:105?00FOLGELASTSCHRIFT?109310?20SVWZ+{r.text[:20]}?21{r.text[20:40] or 'X'}?30COBADEFF?31DE12345?32EMPFAENGER\r\n GMBH?34992\r\n"
        for p, r in enumerate(GERMAN.rows)
    )
    yield file_of("mt940 german", "umsatz.sta", mt940(GERMAN, rows, "EUR"), GERMAN, "EUR", True)
    rows = "".join(
        f":61:{r.day:%y%m%d}{mt940_mark(r.amount)}{comma(abs(r.amount))}S073NONREF\r\n:86:073<00PRZELEW<10000123<20{r.text}<27FIRMA\r\n"
        for r in POLISH.rows
    )
    yield file_of(
        "mt940 polish",
        "wyciag.sta",
        mt940(POLISH, rows, "PLN", "/PL12114020040000310212345678"),
        POLISH,
        "PLN",
        True,
    )
    rows = "".join(
        f":61:{r.day:%y%m%d}{mt940_mark(r.amount)}{plain(abs(r.amount)).rjust(12, '0').replace('.', ',')}N944NONREF\n:86:GIRO {r.text}\nNL12RABO0123456789\n"
        for r in FRENCH.rows
    )
    head = "{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXBXXXN}{4:\n"
    yield file_of(
        "mt940 dutch envelope",
        "ing.940",
        head + mt940(FRENCH, rows, "EUR", "0001234567").replace("\r\n", "\n") + "}",
        FRENCH,
        "EUR",
        True,
    )
    half = len(SWISS.rows) // 2
    pages = ""
    for number, (first, last) in enumerate(((0, half), (half, len(SWISS.rows))), 1):
        end = SWISS.rows[last - 1].balance
        begin = SWISS.opening if first == 0 else SWISS.rows[first - 1].balance
        text = "".join(
            f":61:{r.day:%y%m%d}{r.day:%m%d}{mt940_mark(r.amount)}{comma(abs(r.amount))}NTRFREF{r.day:%m%d}\n:86:{r.text}\n"
            for r in SWISS.rows[first:last]
        )
        pages += f":20:M{number}\n:25:CH9300762011623852957\n:28C:1/{number}\n:60{'F' if number == 1 else 'M'}:{mt940_mark(begin)}240201CHF{comma(abs(begin))}\n{text}:62{'M' if number == 1 else 'F'}:{mt940_mark(end)}240229CHF{comma(abs(end))}\n-\n"
    yield file_of("mt940 in two pages", "auszug.mt940", pages, SWISS, "CHF", True)
    rows = "".join(
        f":61:{r.day:%y%m%d}{r.day:%m%d}{'RC' if r.amount < 0 else 'RD'}{comma(abs(r.amount))}NMSCREVERSAL\n:86:{r.text}\n"
        for r in UK.rows
    )
    yield file_of(
        "mt940 all reversals", "x.sta", mt940(UK, rows, "GBP").replace("\r\n", "\n"), UK, "GBP", True
    )


def exchange_files() -> Iterator[Made]:
    yield from ofx_files()
    yield from qif_files()
    yield from camt_files()
    yield from mt940_files()
