# ruff: noqa: E501 lines stay as wide as the file they write
"""OFX, QIF, CAMT and MT940 in dialects that no other folder has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from ..institutions.ledgers import Ledger, comma, file_of, lines, plain, us
from ..truth import Made
from .books import DUTCH, GERMAN, NORDIC, book, card


def exchange(
    label: str, name: str, content: str | bytes, held: Ledger, currency: str, proves: bool = True
) -> Made:
    return file_of(label, name, content, held, currency, proves)


SGML = "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\nCOMPRESSION:NONE\r\nOLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n"


def transactions(held: Ledger, start: int = 0, *, turned: bool = False, closed: bool = False) -> str:
    """OFX transactions; `closed` writes end tags of values too."""
    text = ""
    for number, row in enumerate(held.rows, start):
        amount = plain(-row.amount if turned else row.amount)
        kind = "DEBIT" if row.amount < 0 else "CREDIT"
        fields = [
            ("TRNTYPE", kind),
            ("DTPOSTED", f"{row.day:%Y%m%d}120000[-5:EST]"),
            ("TRNAMT", amount),
            ("FITID", f"F{number:06}"),
            ("NAME", row.text.replace("&", "&amp;")),
        ]
        text += (
            "<STMTTRN>"
            + "".join(f"<{tag}>{value}{f'</{tag}>' if closed else ''}" for tag, value in fields)
            + "</STMTTRN>\r\n"
        )
    return text


def bank(held: Ledger, currency: str, account: str, rows: str, balance: str | None = None) -> str:
    ends = f"<LEDGERBAL><BALAMT>{balance or plain(held.closing)}<DTASOF>20240402</LEDGERBAL>"
    return (
        f"<STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>{currency}"
        f"<BANKACCTFROM><BANKID>031000503<ACCTID>{account}<ACCTTYPE>CHECKING</BANKACCTFROM>"
        f"<BANKTRANLIST><DTSTART>20240304<DTEND>20240402{rows}</BANKTRANLIST>{ends}</STMTRS></STMTTRNRS>"
    )


def ofx(body: str, org: str = "KeyBank") -> str:
    return f"{SGML}<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20240403<LANGUAGE>ENG<FI><ORG>{org}<FID>5901</FI></SONRS></SIGNONMSGSRSV1>{body}</OFX>"


def ofx_files(seed: int) -> Iterator[Made]:
    held = book("key ofx", seed)
    yield exchange(
        "ofx keybank",
        "keybank.qfx",
        ofx(f"<BANKMSGSRSV1>{bank(held, 'USD', '359681001234', transactions(held))}</BANKMSGSRSV1>"),
        held,
        "USD",
        False,
    )
    one, two = book("ofx one", seed, count=6), book("ofx two", seed, count=6, opening=90_000)
    both = Ledger(one.opening, one.rows + two.rows)
    yield exchange(
        "ofx with a dollar and a euro account",
        "accounts.ofx",
        ofx(f"<BANKMSGSRSV1>{bank(one, 'USD', '111', transactions(one))}{bank(two, 'EUR', '222', transactions(two))}</BANKMSGSRSV1>", "Multi Bank"),
        both, "USD", False,
    )  # fmt: skip
    held = card("ofx card", seed)
    yield exchange(
        "ofx card whose signs are turned",
        "card.qfx",
        ofx(
            f"<CREDITCARDMSGSRSV1><CCSTMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><CCSTMTRS><CURDEF>CAD<CCACCTFROM><ACCTID>4500XXXX1234</CCACCTFROM><BANKTRANLIST><DTSTART>20240304<DTEND>20240402{transactions(held, turned=True)}</BANKTRANLIST><LEDGERBAL><BALAMT>{plain(-held.closing)}<DTASOF>20240402</LEDGERBAL></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>",
            "Card Co",
        ),
        held, "CAD", False,
    )  # fmt: skip
    held = book("ofx xml", seed)
    yield exchange(
        "ofx two as xml of another file ending",
        "statement.xml",
        '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>20240403</DTSERVER><LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1>'
        f"<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><STMTRS><CURDEF>GBP</CURDEF><BANKACCTFROM><BANKID>608371</BANKID><ACCTID>12345678</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><BANKTRANLIST><DTSTART>20240304</DTSTART><DTEND>20240402</DTEND>{transactions(held, closed=True)}</BANKTRANLIST><LEDGERBAL><BALAMT>{plain(held.closing)}</BALAMT><DTASOF>20240402</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>",
        held, "GBP", False,
    )  # fmt: skip
    held = book("ofx comma", seed, GERMAN)
    text = transactions(held)
    for row in held.rows:
        text = text.replace(f"<TRNAMT>{plain(row.amount)}<", f"<TRNAMT>{comma(row.amount)}<")
    yield exchange(
        "ofx with decimal commas",
        "umsatz.ofx",
        ofx(
            f"<BANKMSGSRSV1>{bank(held, 'EUR', 'AT611904300234573201', text, comma(held.closing))}</BANKMSGSRSV1>",
            "Bank Austria",
        ),
        held,
        "EUR",
        False,
    )
    held = book("ofx orig", seed)
    rows = transactions(held)
    first = held.rows[1]
    rows = rows.replace(
        f"<TRNAMT>{plain(first.amount)}<",
        f"<TRNAMT>{plain(first.amount)}<ORIGCURRENCY><CURRATE>1.25<CURSYM>GBP</ORIGCURRENCY><",
        1,
    )
    yield exchange(
        "ofx with an original currency",
        "orig.ofx",
        ofx(f"<BANKMSGSRSV1>{bank(held, 'USD', '777', rows)}</BANKMSGSRSV1>", "Union Bank"),
        held,
        "USD",
        False,
    )
    held = book("ofx invest", seed, count=6)
    cash = "".join(
        f"<INVBANKTRAN><STMTTRN><TRNTYPE>{'DEBIT' if row.amount < 0 else 'CREDIT'}<DTPOSTED>{row.day:%Y%m%d}<TRNAMT>{plain(row.amount)}<FITID>I{number}<NAME>{row.text}</STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN>"
        for number, row in enumerate(held.rows)
    )
    yield exchange(
        "ofx brokerage with cash only",
        "broker.ofx",
        ofx(
            f"<INVSTMTMSGSRSV1><INVSTMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><INVSTMTRS><DTASOF>20240402<CURDEF>USD<INVACCTFROM><BROKERID>etrade.com<ACCTID>5512-3344</INVACCTFROM><INVTRANLIST><DTSTART>20240304<DTEND>20240402{cash}</INVTRANLIST><INVBAL><AVAILCASH>{plain(held.closing)}<MARGINBALANCE>0<SHORTBALANCE>0</INVBAL></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>",
            "E*TRADE",
        ),
        held, "USD", False,
    )  # fmt: skip


def qif_files(seed: int) -> Iterator[Made]:
    held = book("qif bank", seed)
    yield exchange(
        "qif with an opening balance and American dates with an apostrophe",
        "chequing.qif",
        f"!Account\nNRBC Chequing\nTBank\n^\n!Type:Bank\nD3/ 4'24\nT{us(held.opening)}\nCX\nPOpening Balance\nL[RBC Chequing]\n^\n" + lines(held.rows, lambda r: f"D{r.day.month}/{r.day.day:>2}'{r.day:%y}\nT{us(r.amount)}\nN123\nP{r.text}\nLFood\n^"),
        held, "USD", False,
    )  # fmt: skip
    held = card("qif card", seed)
    yield exchange(
        "qif of a card in iso dates",
        "card.qif",
        "!Type:CCard\n" + lines(held.rows, lambda r: f"D{r.day:%Y-%m-%d}\nU{plain(r.amount)}\nT{plain(r.amount)}\nP{r.text}\nMcard\n^"),
        held, "USD", False,
    )  # fmt: skip
    held = book("qif split", seed)
    yield exchange(
        "qif with splits that add up",
        "split.qif",
        "!Option:AutoSwitch\n!Clear:AutoSwitch\n!Type:Cash\n"
        + lines(held.rows, lambda r: f"D{r.day:%d/%m/%Y}\nT{plain(r.amount)}\nP{r.text}\nSFood\n${plain(r.amount - Decimal(1))}\nSHome\n$1.00\n^"),
        held, "GBP", False,
    )  # fmt: skip
    held = book("qif comma", seed, GERMAN)
    yield exchange(
        "qif with decimal commas and full stops in dates",
        "konto.qif",
        ("!Type:Bank\r\n" + lines(held.rows, lambda r: f"D{r.day:%d.%m.%y}\r\nT{comma(r.amount)}\r\nP{r.text}\r\n^\r")).encode("cp1252"),
        held, "EUR", False,
    )  # fmt: skip
    held = book("qif liability", seed)
    yield exchange(
        "qif of a liability without a last caret",
        "loan.qif",
        ("!Type:Oth L\n" + lines(held.rows, lambda r: f"D{r.day:%m/%d/%y}\nT{us(r.amount)}\nP{r.text}\n^")).rstrip("^\n"),
        held, "USD", False,
    )  # fmt: skip


def camt_balance(kind: str, value: Decimal, currency: str, day: str) -> str:
    mark = "CRDT" if value >= 0 else "DBIT"
    return f'<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp><Amt Ccy="{currency}">{plain(abs(value))}</Amt><CdtDbtInd>{mark}</CdtDbtInd><Dt><Dt>{day}</Dt></Dt></Bal>'


def camt(
    held: Ledger,
    currency: str,
    entries: str,
    *,
    version: str = "camt.053.001.08",
    tag: str = "BkToCstmrStmt",
    part: str = "Stmt",
    prefix: str = "",
    ends: bool = True,
) -> str:
    balances = (
        camt_balance("OPBD", held.opening, currency, "2024-03-04")
        + camt_balance("CLBD", held.closing, currency, "2024-04-02")
        if ends
        else ""
    )
    text = (
        f"<Document><{tag}><GrpHdr><MsgId>M1</MsgId><CreDtTm>2024-04-03T06:00:00</CreDtTm></GrpHdr><{part}><Id>S1</Id><ElctrncSeqNb>4</ElctrncSeqNb>"
        f"<Acct><Id><IBAN>LU280019400644750000</IBAN></Id><Ccy>{currency}</Ccy></Acct>{balances}{entries}</{part}></{tag}></Document>"
    )
    text = text.replace("<Document>", f'<Document xmlns="urn:iso:std:iso:20022:tech:xsd:{version}">')
    if prefix:
        text = (
            text.replace("</", "\0")
            .replace("<", f"<{prefix}:")
            .replace("\0", f"</{prefix}:")
            .replace("xmlns=", f"xmlns:{prefix}=")
        )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}'


def entry(
    row: object,
    currency: str,
    number: int,
    details: str = "",
    status: str = "<Sts><Cd>BOOK</Cd></Sts>",
    reversal: bool = False,
) -> str:
    amount, day, text = row.amount, row.day, row.text  # type: ignore[attr-defined]
    turned = amount > 0 if reversal else amount < 0
    return (
        f'<Ntry><NtryRef>{number}</NtryRef><Amt Ccy="{currency}">{plain(abs(amount))}</Amt><CdtDbtInd>{"DBIT" if amount < 0 else "CRDT"}</CdtDbtInd>'
        f"{'<RvslInd>true</RvslInd>' if reversal and turned else ''}{status}<BookgDt><Dt>{day}</Dt></BookgDt><ValDt><Dt>{day}</Dt></ValDt>"
        f"<NtryDtls>{details or f'<TxDtls><RmtInf><Ustrd>{text}</Ustrd></RmtInf></TxDtls>'}</NtryDtls></Ntry>"
    )


def camt_files(seed: int) -> Iterator[Made]:
    held = book("camt lux", seed)
    entries = "".join(entry(row, "EUR", number) for number, row in enumerate(held.rows))
    yield exchange(
        "camt of luxembourg with a prefix",
        "statement.xml",
        camt(held, "EUR", entries, prefix="ns2"),
        held,
        "EUR",
    )
    held = book("camt pending", seed, NORDIC)
    entries = "".join(entry(row, "DKK", number) for number, row in enumerate(held.rows))
    extra = entry(held.rows[0], "DKK", 99, status="<Sts><Cd>PDNG</Cd></Sts>")
    yield exchange(
        "camt with a pending entry", "statement.xml", camt(held, "DKK", entries + extra), held, "DKK"
    )
    held = book("camt 52", seed, GERMAN)
    entries = "".join(
        entry(row, "CHF", number, status="<Sts>BOOK</Sts>") for number, row in enumerate(held.rows)
    )
    yield exchange(
        "camt 052 of a day, no ends",
        "report.xml",
        camt(held, "CHF", entries, version="camt.052.001.06", tag="BkToCstmrAcctRpt", part="Rpt", ends=False),
        held, "CHF", False,
    )  # fmt: skip
    held = book("camt batch", seed, DUTCH)
    entries = ""
    for number, row in enumerate(held.rows):
        half = (abs(row.amount) / 2).quantize(Decimal("0.01"))
        parts = "".join(
            f'<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">{plain(value)}</Amt></TxAmt></AmtDtls><RmtInf><Ustrd>{row.text}</Ustrd></RmtInf></TxDtls>'
            for value in (half, abs(row.amount) - half)
        )
        entries += entry(
            row, "EUR", number, f"<Btch><NbOfTxs>2</NbOfTxs></Btch>{parts}" if number == 3 else ""
        )
    yield exchange("camt with a batch of two", "batch.xml", camt(held, "EUR", entries), held, "EUR")
    one, two = book("camt one", seed, count=5), book("camt two", seed, count=5)
    two = Ledger(
        one.closing,
        tuple(
            type(row)(row.day, row.text, row.amount, row.balance - two.opening + one.closing)
            for row in two.rows
        ),
    )
    first = camt(one, "SEK", "".join(entry(row, "SEK", number) for number, row in enumerate(one.rows)))
    second = camt(two, "SEK", "".join(entry(row, "SEK", number) for number, row in enumerate(two.rows)))
    statement = second[second.index("<Stmt>") : second.index("</Stmt>") + 7].replace(
        "<Id>S1</Id>", "<Id>S2</Id>"
    )
    yield exchange(
        "camt with two statements of one account",
        "two.xml",
        first.replace("</Stmt>", f"</Stmt>{statement}"),
        Ledger(one.opening, one.rows + two.rows),
        "SEK",
    )


def mark(amount: Decimal) -> str:
    return "C" if amount >= 0 else "D"


def mt940_rows(held: Ledger, details: str = "NTRFNONREF", extra: str = "") -> str:
    return lines(
        held.rows,
        lambda r: (
            f":61:{r.day:%y%m%d}{r.day:%m%d}{mark(r.amount)}{comma(abs(r.amount))}{details}{extra}\r\n:86:{r.text}\r"
        ),
    )


def mt940(
    held: Ledger,
    currency: str,
    rows: str,
    *,
    account: str = "SE4550000000058398257466",
    ends: bool = True,
    number: str = "00001/001",
    opening: str = "60F",
    closing: str = "62F",
) -> str:
    text = f":20:STMT24\r\n:25:{account}\r\n:28C:{number}\r\n:{opening}:{mark(held.opening)}240304{currency}{comma(abs(held.opening))}\r\n{rows}"
    return (
        text
        + (f":{closing}:{mark(held.closing)}240402{currency}{comma(abs(held.closing))}\r\n" if ends else "")
        + "-\r\n"
    )


def mt940_files(seed: int) -> Iterator[Made]:
    held = book("mt handels", seed, NORDIC)
    yield exchange(
        "mt940 in swift blocks",
        "swift.sta",
        "{1:F01HANDSESSAXXX0000000000}{2:I940XXXXXXXXXXXXN}{4:\r\n"
        + mt940(held, "SEK", mt940_rows(held))[:-3]
        + "-}",
        held,
        "SEK",
    )
    held = book("mt structured", seed, GERMAN)
    rows = lines(
        held.rows,
        lambda r: (
            f":61:{r.day:%y%m%d}{r.day:%m%d}{mark(r.amount)}R{comma(abs(r.amount))}NMSCNONREF//B24\r\n:86:166?00SEPA?10931?20SVWZ+{r.text[:20]}?21{r.text[20:]}?30RZBAATWW?31AT61190?32Firma Huber\r"
        ),
    )
    yield exchange(
        "mt940 with question marks and the third letter",
        "austria.mt940",
        mt940(held, "EUR", rows, account="32000/00012345678"),
        held,
        "EUR",
    )
    held = book("mt reversal", seed)
    rows = lines(
        held.rows,
        lambda r: (
            f":61:{r.day:%y%m%d}{'RD' if r.amount > 0 and 'REFUND' in r.text else mark(r.amount)}{comma(abs(r.amount))}NTRFREF//123\r\n:86:{r.text}\r"
        ),
    )
    yield exchange(
        "mt940 with reversals of debits",
        "reversal.sta",
        mt940(held, "USD", rows, account="GB/10012345"),
        held,
        "USD",
    )
    held = book("mt pages", seed)
    one, two = Ledger(held.opening, held.rows[:5]), Ledger(held.rows[4].balance, held.rows[5:])
    text = mt940(one, "PLN", mt940_rows(one), closing="62M") + mt940(
        two, "PLN", mt940_rows(two), number="00001/002", opening="60M"
    )
    yield exchange("mt940 in two pages", "pages.sta", text, held, "PLN")
    held = book("mt zero", seed, places=0, scale=100)
    text = mt940(
        held,
        "JPY",
        lines(
            held.rows,
            lambda r: f":61:{r.day:%y%m%d}{mark(r.amount)}{abs(r.amount):.0f},NTRFNONREF\r\n:86:{r.text}\r",
        ),
    )
    yield exchange("mt940 in yen without decimals", "yen.sta", text, held, "JPY")
    held = book("mt no day", seed, DUTCH)
    rows = mt940_rows(held, "N026NONREF").replace(":86:", "/TRCD/01/\r\n:86:")
    yield exchange(
        "mt940 with a line of the bank's own",
        "ing.940",
        mt940(held, "EUR", rows, account="NL69INGB0123456789EUR"),
        held,
        "EUR",
    )
    rows = held.rows[:3] + held.rows[4:]
    lost = Ledger(held.opening, rows)
    text = mt940(held, "EUR", mt940_rows(lost), account="NL69INGB0123456789EUR")
    yield Made("lost.940", text.encode(), rows, "EUR", "mt940 with an entry cut out", True, True)


def exchange_files(seed: int = 0) -> Iterator[Made]:
    for made in ofx_files(seed):
        is_double = made.label == "ofx with a dollar and a euro account"
        yield replace(made, currencies=("USD",) * 6 + ("EUR",) * 6) if is_double else made
    yield from qif_files(seed)
    yield from camt_files(seed)
    yield from mt940_files(seed)
