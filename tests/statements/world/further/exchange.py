# ruff: noqa: E501 lines stay as wide as the file they are modelled on
"""OFX, QIF, CAMT and MT940 as further programs write them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from ..institutions.ledgers import (
    FRENCH,
    GERMAN,
    SWISS,
    UK,
    US_CARD,
    US_CHECKING,
    Ledger,
    comma,
    file_of,
    ledger,
    lines,
    plain,
    us,
)
from ..truth import Made, Row

HEAD = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\nCOMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n'


def transaction(row: Row, *, amount: str = "", day: str = "", kind: str = "", more: str = "") -> str:
    kind = kind or ("DEBIT" if row.amount < 0 else "CREDIT")
    return f"<STMTTRN><TRNTYPE>{kind}</TRNTYPE><DTPOSTED>{day or f'{row.day:%Y%m%d}'}</DTPOSTED><TRNAMT>{amount or plain(row.amount)}</TRNAMT><FITID>{row.day:%Y%m%d}{abs(row.amount)}</FITID><NAME>{row.text[:30].replace('&', '&amp;')}</NAME>{more}</STMTTRN>\n"


def statement(held: Ledger, rows: str, currency: str, account: str = "4821", last: str = "20240131") -> str:
    return f"<STMTTRNRS><TRNUID>1</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><STMTRS><CURDEF>{currency}</CURDEF><BANKACCTFROM><BANKID>101</BANKID><ACCTID>{account}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><BANKTRANLIST><DTSTART>20231201</DTSTART><DTEND>{last}</DTEND>{rows}</BANKTRANLIST><LEDGERBAL><BALAMT>{plain(held.closing)}</BALAMT><DTASOF>{last}</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS>"


def ofx(body: str, message: str = "BANKMSGSRSV1") -> str:
    return f"<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>20240131</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1><{message}>{body}</{message}></OFX>"


def sgml(text: str) -> str:
    """Without the tags that close values."""
    for tag in (
        "TRNTYPE",
        "DTPOSTED",
        "TRNAMT",
        "FITID",
        "NAME",
        "MEMO",
        "CURDEF",
        "BALAMT",
        "DTASOF",
        "ACCTID",
    ):
        text = text.replace(f"</{tag}>", "")
    return text


def ofx_files() -> Iterator[Made]:
    held = GERMAN
    rows = "".join(
        transaction(r, amount=comma(r.amount), day=f"{r.day:%Y%m%d}000000[+1:CET]") for r in held.rows
    )
    text = HEAD + sgml(ofx(statement(held, rows, "EUR")))
    yield file_of("ofx decimal commas", "konto.ofx", text.encode("cp1252"), held, "EUR", False)
    held = US_CHECKING
    one_line = HEAD.replace("\n", " ") + sgml(
        ofx(statement(held, "".join(transaction(r) for r in held.rows), "USD"))
    ).replace("\n", "")
    yield file_of("ofx on one line", "download.qfx", one_line, held, "USD", False)
    twice = Ledger(held.opening, (*held.rows, held.rows[-1]))
    rows = "".join(transaction(r) for r in twice.rows)
    yield file_of(
        "ofx the same id twice", "download.ofx", XML + ofx(statement(twice, rows, "USD")), twice, "USD", False
    )
    both = Ledger(Decimal(0), (*UK.rows, *FRENCH.rows))
    text = XML + ofx(
        statement(UK, "".join(transaction(r) for r in UK.rows), "GBP", "1111")
        + statement(FRENCH, "".join(transaction(r) for r in FRENCH.rows), "GBP", "2222")
    )
    yield file_of("ofx two accounts", "all.ofx", text, both, "GBP", False)
    card = US_CARD
    body = (
        statement(card, "".join(transaction(r) for r in card.rows), "USD")
        .replace("STMTTRNRS", "CCSTMTTRNRS")
        .replace("STMTRS", "CCSTMTRS")
        .replace("BANKACCTFROM", "CCACCTFROM")
        .replace("<BANKID>101</BANKID>", "")
        .replace("<ACCTTYPE>CHECKING</ACCTTYPE>", "")
    )
    yield file_of("ofx card", "card.qfx", XML + ofx(body, "CREDITCARDMSGSRSV1"), card, "USD", False)
    rows = "".join(transaction(r, amount=plain(abs(r.amount))) for r in US_CHECKING.rows)
    yield file_of(
        "ofx debits without a minus",
        "bad.ofx",
        XML + ofx(statement(US_CHECKING, rows, "USD")),
        US_CHECKING,
        "USD",
        False,
    )
    rows = "".join(transaction(r, amount=us(r.amount)) for r in US_CHECKING.rows)
    yield file_of(
        "ofx thousands with commas",
        "thousands.ofx",
        XML + ofx(statement(US_CHECKING, rows, "USD")),
        US_CHECKING,
        "USD",
        False,
    )
    rows = "".join(
        transaction(
            r,
            more="<CURRENCY><CURRATE>1.08</CURRATE><CURSYM>EUR</CURSYM></CURRENCY>"
            if "NETFLIX" in r.text
            else "<ORIGCURRENCY><CURRATE>0.9</CURRATE><CURSYM>CAD</CURSYM></ORIGCURRENCY>"
            if "KROGER" in r.text
            else "",
        )
        for r in US_CHECKING.rows
    )
    mixed = tuple("EUR" if "NETFLIX" in r.text else "USD" for r in US_CHECKING.rows)
    yield Made(
        "cur.ofx",
        (XML + ofx(statement(US_CHECKING, rows, "USD"))).encode(),
        US_CHECKING.rows,
        "USD",
        "ofx one row in another currency",
        currencies=mixed,
    )
    rows = "".join(
        transaction(r).replace(
            f"<DTPOSTED>{r.day:%Y%m%d}</DTPOSTED>",
            "" if "KROGER" in r.text else f"<DTPOSTED>{r.day:%Y%m%d}</DTPOSTED>",
        )
        for r in US_CHECKING.rows
    )
    yield file_of(
        "ofx a row without its day",
        "noday.ofx",
        XML + ofx(statement(US_CHECKING, rows, "USD")),
        US_CHECKING,
        "USD",
        False,
    )
    prefixed = XML + ofx(
        statement(UK, "".join(transaction(r, day=f"{r.day:%Y%m%d}120000.000[0:GMT]") for r in UK.rows), "GBP")
    ).replace("<", "<ofx:").replace("<ofx:/", "</ofx:").replace(
        "<ofx:OFX>", '<ofx:OFX xmlns:ofx="http://ofx.net/types/2003/04">'
    )
    yield file_of("ofx with a prefix", "ns.xml", prefixed, UK, "GBP", False)


def qif(kind: str, rows: str) -> str:
    return f"!Type:{kind}\n{rows}"


def qif_files() -> Iterator[Made]:
    held = US_CHECKING
    rows = lines(
        held.rows,
        lambda r: (
            f"D{r.day.month}/{r.day.day:2d}'{r.day:%y}\nU{us(r.amount)}\nT{us(r.amount)}\nP{r.text}\nLShopping\n^"
        ),
    )
    yield file_of("qif quicken apostrophes", "q.qif", qif("Bank", rows), held, "USD", False)
    rows = lines(GERMAN.rows, lambda r: f"D{r.day:%d.%m.%y}\nT{comma(r.amount)}\nP{r.text}\nM{r.text}\n^")
    yield file_of("qif german", "umsatz.qif", qif("Bank", rows).encode("cp1252"), GERMAN, "EUR", False)
    split = ledger("0", "2024-01-20 -150.00 SUPERSTORE\n2024-01-25 900.00 SALARY")
    yield file_of(
        "qif splits",
        "s.qif",
        "!Type:Bank\nD01/20/2024\nT-150.00\nPSUPERSTORE\nSFood\n$-100.00\nSHousehold\n$-50.00\n^\nD01/25/2024\nT900.00\nPSALARY\n^\n",
        split,
        "USD",
        False,
    )
    two = Ledger(Decimal(0), (*UK.rows, *UK.debits()))
    rows, again = (
        lines(part, lambda r: f"D{r.day:%d/%m/%Y}\nT{plain(r.amount)}\nP{r.text}\n^")
        for part in (UK.rows, UK.debits())
    )
    yield file_of(
        "qif two accounts",
        "two.qif",
        f"!Option:AutoSwitch\n!Account\nNCurrent\nTBank\n^\n!Clear:AutoSwitch\n!Account\nNCurrent\nTBank\n^\n!Type:Bank\n{rows}!Account\nNVisa\nTCCard\n^\n!Type:CCard\n{again}",
        two,
        "GBP",
        False,
    )


def camt(
    entries: str,
    held: Ledger,
    currency: str,
    *,
    version: str = "053.001.02",
    root: str = "BkToCstmrStmt",
    part: str = "Stmt",
    first: str,
    last: str,
) -> str:
    def balance(kind: str, value: Decimal, day: str) -> str:
        return f'<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy="{currency}">{abs(value):.2f}</Amt><CdtDbtInd>{"CRDT" if value >= 0 else "DBIT"}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>'

    return f'<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.{version}"><{root}><GrpHdr><MsgId>1</MsgId><CreDtTm>{last}T00:00:00</CreDtTm></GrpHdr><{part}><Id>1</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>{last}T00:00:00</CreDtTm><FrToDt><FrDtTm>{first}T00:00:00</FrDtTm><ToDtTm>{last}T23:59:59</ToDtTm></FrToDt><Acct><Id><IBAN>CH9300762011623852957</IBAN></Id><Ccy>{currency}</Ccy></Acct>{balance("OPBD", held.opening, first)}{balance("CLBD", held.closing, last)}{entries}</{part}></{root}></Document>'


def entry(
    row: Row,
    currency: str,
    *,
    status: str = "<Sts>BOOK</Sts>",
    details: str = "",
    reversal: bool = False,
    dated: str = "",
) -> str:
    mark = "CRDT" if row.amount > 0 else "DBIT"
    day = dated or f"<BookgDt><Dt>{row.day}</Dt></BookgDt><ValDt><Dt>{row.day}</Dt></ValDt>"
    return f'<Ntry><Amt Ccy="{currency}">{abs(row.amount)}</Amt><CdtDbtInd>{mark}</CdtDbtInd>{"<RvslInd>true</RvslInd>" if reversal else ""}{status}{day}<NtryDtls>{details or f"<TxDtls><RmtInf><Ustrd>{row.text}</Ustrd></RmtInf></TxDtls>"}</NtryDtls></Ntry>'


def camt_files() -> Iterator[Made]:
    held, period = SWISS, {"first": "2024-02-01", "last": "2024-02-29"}
    parts = "".join(
        f'<TxDtls><Amt Ccy="CHF">{part}</Amt><CdtDbtInd>DBIT</CdtDbtInd><RmtInf><Ustrd>Teil {part}</Ustrd></RmtInf></TxDtls>'
        for part in ("1000.00", "850.00")
    )
    text = camt(
        "".join(entry(r, "CHF", details=parts if "Miete" in r.text else "") for r in held.rows),
        held,
        "CHF",
        **period,
    )
    rent = held.rows[0]
    split = (
        Row(rent.day, "Teil 1000.00", Decimal(-1000)),
        Row(rent.day, "Teil 850.00", Decimal(-850)),
        *held.rows[1:],
    )
    yield Made("camt.xml", text.encode(), split, "CHF", "camt a batch of two", True)
    text = camt(
        "".join(
            entry(r, "CHF", details=parts.replace("850.00", "800.00") if "Miete" in r.text else "")
            for r in held.rows
        ),
        held,
        "CHF",
        **period,
    )
    yield file_of("camt a batch whose parts are less", "camt.xml", text, held, "CHF", True)
    abroad = '<TxDtls><AmtDtls><InstdAmt><Amt Ccy="EUR">13.50</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">13.50</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>Paris</Ustrd></RmtInf></TxDtls>'
    text = camt(
        "".join(entry(r, "CHF", details=abroad if "SBB" in r.text else "") for r in held.rows),
        held,
        "CHF",
        **period,
    )
    yield file_of("camt an amount abroad", "camt.xml", text, held, "CHF", True)
    pending = entry(
        Row(held.rows[-1].day, "Vorgemerkt", Decimal("-77.00")), "CHF", status="<Sts><Cd>PDNG</Cd></Sts>"
    )
    text = camt(
        "".join(
            entry(
                r,
                "CHF",
                status="<Sts><Cd>BOOK</Cd></Sts>",
                dated=f"<BookgDt><DtTm>{r.day}T23:10:00+01:00</DtTm></BookgDt>",
            )
            for r in held.rows
        )
        + pending,
        held,
        "CHF",
        version="053.001.08",
        **period,
    )
    yield file_of("camt version 8 with a pending entry", "camt.xml", text, held, "CHF", True)
    text = camt(
        "".join(entry(r, "CHF", reversal="Bancomat" in r.text) for r in held.rows), held, "CHF", **period
    )
    yield file_of("camt a reversal", "camt.xml", text, held, "CHF", True)
    lost = held.rows[2]
    text = camt("".join(entry(r, "CHF") for r in held.rows if r is not lost), held, "CHF", **period)
    yield Made(
        "camt.xml",
        text.encode(),
        tuple(r for r in held.rows if r is not lost),
        "CHF",
        "camt an entry is missing",
        True,
        True,
    )
    text = camt(
        "".join(entry(r, "CHF") for r in held.rows),
        held,
        "CHF",
        version="052.001.04",
        root="BkToCstmrAcctRpt",
        part="Rpt",
        **period,
    )
    yield file_of("camt 052 of one day", "rpt.xml", text, held, "CHF", True)


def mt940(held: Ledger, rows: str, currency: str, first: str, last: str, *, kinds: str = "FF") -> str:
    def balance(tag: str, value: Decimal, day: str) -> str:
        return f":{tag}:{'C' if value >= 0 else 'D'}{day}{currency}{comma(abs(value))}\n"

    return f":20:STARTUMS\n:25:10020030/1234567\n:28C:00001/001\n{balance('60' + kinds[0], held.opening, first)}{rows}{balance('62' + kinds[1], held.closing, last)}-\n"


def mark(row: Row) -> str:
    return "C" if row.amount > 0 else "D"


def mt940_files() -> Iterator[Made]:
    held = GERMAN
    rows = lines(
        held.rows,
        lambda r: (
            f":61:{r.day:%y%m%d}{r.day:%m%d}{mark(r)}R{comma(abs(r.amount))}NTRFNONREF//{r.day:%d%m}\n/OCMT/EUR{comma(abs(r.amount))}/\n:86:166?00GUTSCHRIFT?10931?20{r.text[:27]}?21{r.text[27:]}?30COBADEFFXXX?32MUSTER"
        ),
    )
    yield file_of(
        "mt940 structured with a funds code",
        "umsatz.sta",
        mt940(held, rows, "EUR", "231227", "240126"),
        held,
        "EUR",
        True,
    )
    rows = lines(
        held.rows,
        lambda r: (
            f":61:{r.day:%y%m%d}{'RD' if r.amount > 0 else 'RC'}{comma(abs(r.amount))}NRTINONREF\n:86:{r.text}"
        ),
    )
    yield file_of(
        "mt940 reversals only",
        "storno.mt940",
        mt940(held, rows, "EUR", "231227", "240126").replace("\n", "\r\n"),
        held,
        "EUR",
        True,
    )
    half, rest = Ledger(held.opening, held.rows[:4]), Ledger(held.rows[3].balance, held.rows[4:])
    write = lambda r: f":61:{r.day:%y%m%d}{mark(r)}{comma(abs(r.amount))}NMSCNONREF\n:86:{r.text}"  # noqa: E731
    text = mt940(half, lines(half.rows, write), "EUR", "231227", "240103", kinds="FM") + mt940(
        rest, lines(rest.rows, write), "EUR", "240103", "240126", kinds="MF"
    )
    yield file_of("mt940 in two pages", "two.sta", text, held, "EUR", True)
    rows = lines(
        held.rows,
        lambda r: (
            f":61:{r.day:%y%m%d}{mark(r)}{comma(abs(r.amount)).removesuffix('00')}S103NONREF\n:86:{r.text}"
        ),
    )
    text = (
        "{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXXXN}{4:\n"
        + mt940(held, rows, "EUR", "231227", "240126").rstrip("-\n")
        + "\n-}"
    )
    yield file_of("mt940 in its envelope", "env.txt", text, held, "EUR", True)
    late = Row(held.rows[1].day.replace(day=31), "Zinsen", Decimal("-4.00"))
    new_year = Ledger(held.opening, (late,))
    rows = ":61:2312310102D4,00NINTNONREF\n:86:Zinsen\n"
    closing = Ledger(held.opening, (Row(late.day, late.text, late.amount, held.opening + late.amount),))
    yield Made(
        "ny.sta",
        mt940(closing, rows, "EUR", "231231", "240102").encode(),
        new_year.rows,
        "EUR",
        "mt940 valued in the old year",
        True,
    )


def exchange_files() -> Iterator[Made]:
    yield from ofx_files()
    yield from qif_files()
    yield from camt_files()
    yield from mt940_files()
