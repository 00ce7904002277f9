"""Less usual forms of what banks send: dates of the day first, entries without an entry date, structured notes, several accounts in one
file, preambles in German and French, post dates, masked accounts, symbols that several currencies share."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from .exchange import _comma, _mark
from .tables import ACCOUNT, AMOUNT, CURRENCY, DATE, TEXT, WORDS, Grid
from .truth import INSTITUTIONS, Institution, Made, Row, Statement, draw, money

Variant = Callable[[Statement], Made]


def made(statement: Statement, name: str, content: bytes, label: str, *, both: bool = False) -> Made:
    return Made(
        name, content, statement.rows, statement.bank.currency, f"{statement.bank.name} {label}", both
    )


def qif_with_the_banks_own_dates(statement: Statement) -> Made:
    """The bank's order of day and month, an account block, splits, and amounts as U and T."""
    rows = "".join(
        f"D{row.day.strftime(statement.bank.numeric)}\nU{row.amount}\nT{row.amount}\nCX\nP{row.text}\nMnote\nLMisc\n^\n"
        for row in statement.rows
    )
    head = f"!Account\nNMy account\nT{'CCard' if statement.bank.is_card else 'Bank'}\n^\n"
    kind = "CCard" if statement.bank.is_card else "Bank"
    return made(statement, "s.qif", f"{head}!Type:{kind}\n{rows}".encode(), "qif own dates")


def qif_with_apostrophes(statement: Statement) -> Made:
    """As Quicken writes years after 1999: `D1/15'24`."""
    rows = "".join(
        f"D{row.day.month}/{row.day.day:>2}'{row.day:%y}\nT{row.amount:,}\nP{row.text}\n^\n"
        for row in statement.rows
    )
    return made(statement, "s.qif", f"!Type:Bank\n{rows}".encode(), "qif apostrophes")


def mt940_without_entry_dates(statement: Statement) -> Made:
    """`:61:` with the value date alone, and notes of several lines."""
    rows = "".join(
        f":61:{row.day:%y%m%d}{'D' if row.amount < 0 else 'C'}{_comma(row.amount)}NMSCNONREF//B{place}\n"
        f":86:{row.text}\nsecond line of {place}\n"
        for place, row in enumerate(statement.rows)
    )
    return _mt940(statement, rows, "mt940 no entry date")


def mt940_structured(statement: Statement) -> Made:
    """`:86:` in German subfields, a funds code, reversals as RC and RD where money went the other direction."""
    rows = ""
    for place, row in enumerate(statement.rows):
        mark = ("RC" if place % 4 == 3 else "D") if row.amount < 0 else ("RD" if place % 4 == 3 else "C")
        third = statement.bank.currency[-1]
        rows += (
            f":61:{row.day:%y%m%d}{row.day:%m%d}{mark}{third}{_comma(row.amount)}NTRFNONREF\n"
            f":86:166?00UEBERWEISUNG?109310?20{row.text[:20]}?21{row.text[20:] or 'more'}?30BANKDEFF?31DE99?32SOME NAME\n"
        )
    return _mt940(statement, rows, "mt940 structured")


def mt940_in_swift_blocks(statement: Statement) -> Made:
    """Wrapped in the blocks of a SWIFT message, with carriage returns."""
    rows = "".join(
        f":61:{row.day:%y%m%d}{row.day:%m%d}{'D' if row.amount < 0 else 'C'}{_comma(row.amount)}N123REF{place}\n:86:{row.text}\n"
        for place, row in enumerate(statement.rows)
    )
    inner = _mt940(statement, rows, "mt940 blocks")
    text = "{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:\n" + inner.content.decode() + "}"
    return made(statement, "s.sta", text.replace("\n", "\r\n").encode(), "mt940 blocks", both=True)


def _mt940(statement: Statement, rows: str, label: str) -> Made:
    def balance(tag: str, value: Decimal, day: str) -> str:
        return f":{tag}:{'D' if value < 0 else 'C'}{day}{statement.bank.currency}{_comma(value)}\n"

    text = (
        f":20:START\n:25:BANKDEFF/{statement.account}\n:28C:00001/001\n"
        f"{balance('60F', statement.opening, f'{statement.first:%y%m%d}')}{rows}"
        f"{balance('62F', statement.closing, f'{statement.last:%y%m%d}')}"
        f"{balance('64', statement.closing, f'{statement.last:%y%m%d}')}-\n"
    )
    return made(statement, "s.sta", text.encode(), label, both=True)


def camt_reports_of_two_accounts(statement: Statement) -> Made:
    """CAMT.052 with a second account, whose rows count too."""
    other = draw(statement.bank, 7_001, 3, 5)
    text = (
        '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"><BkToCstmrAcctRpt>'
        f"{_report(statement)}{_report(other)}</BkToCstmrAcctRpt></Document>"
    )
    return Made(
        "s.xml",
        text.encode(),
        (*statement.rows, *other.rows),
        statement.bank.currency,
        f"{statement.bank.name} camt.052 two accounts",
        True,
    )


def _report(statement: Statement) -> str:
    code = statement.bank.currency

    def balance(kind: str, value: Decimal) -> str:
        return (
            f"<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp>"
            f'<Amt Ccy="{code}">{abs(value)}</Amt><CdtDbtInd>{_mark(value)}</CdtDbtInd><Dt><Dt>{statement.last}</Dt></Dt></Bal>'
        )

    rows = "".join(
        f'<Ntry><Amt Ccy="{code}">{abs(row.amount)}</Amt><CdtDbtInd>{_mark(row.amount)}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>'
        f"<BookgDt><DtTm>{row.day}T10:00:00</DtTm></BookgDt><ValDt><Dt>{row.day + timedelta(days=2)}</Dt></ValDt>"
        f"<AddtlNtryInf>{row.text}</AddtlNtryInf></Ntry>"
        for row in statement.rows
    )
    return (
        f"<Rpt><Id>1</Id><Acct><Id><IBAN>DE{statement.account}</IBAN></Id><Ccy>{code}</Ccy></Acct>"
        f"{balance('OPBD', statement.opening)}{balance('CLBD', statement.closing)}{rows}</Rpt>"
    )


def local_preamble(statement: Statement) -> Made:
    """A table below a preamble in the bank's language, with the value date beside the booking date and a masked account."""
    bank = statement.bank
    names = WORDS[bank.words]
    before = {
        "de": [
            ["Umsatzanzeige", f"Datei erstellt am: {statement.last:%d.%m.%Y}"],
            [],
            ["IBAN", f"DE** **** **** {statement.account[-4:]}"],
            ["Kundenname", "Erika Muster"],
            ["Zeitraum", f"{statement.first:%d.%m.%Y} - {statement.last:%d.%m.%Y}"],
            ["Saldo", money(statement.closing, bank), bank.currency],
            [],
        ],
        "fr": [
            ["Compte de chèques", f"XXXXXX{statement.account[-4:]}"],
            ["Période", f"du {statement.first:%d/%m/%Y} au {statement.last:%d/%m/%Y}"],
            [f"Solde au {statement.last:%d/%m/%Y}", money(statement.closing, bank), bank.currency],
            [],
        ],
    }.get(
        bank.words,
        [
            [bank.name],
            [f"{names[ACCOUNT]}: ****{statement.account[-4:]}"],
            [f"{names[CURRENCY]}: {bank.currency}"],
            [],
        ],
    )
    posted = {"de": "Wertstellung", "fr": "Date de valeur"}.get(bank.words, "Post Date")
    rows = [
        [
            row.day.strftime(bank.numeric),
            (row.day + timedelta(days=1)).strftime(bank.numeric),
            row.text,
            money(row.amount, bank),
            bank.currency,
        ]
        for row in statement.rows
    ]
    header = [names[DATE], posted, names[TEXT], names[AMOUNT], names[CURRENCY]]
    grid = Grid([*before, header, *rows], len(before) + 1, len(rows), ";" if bank.decimal == "," else ",")
    return made(statement, "s.csv", grid.content(), "csv local preamble")


def with_symbols(statement: Statement) -> Made:
    """The symbol beside every amount, before or after it, minus before or behind."""
    bank = statement.bank
    names = WORDS[bank.words]
    symbol = bank.symbol

    def printed(row: Row) -> str:
        text = money(abs(row.amount), bank)
        sign = "-" if row.amount < 0 else ""
        return f"{sign}{text} {symbol}" if bank.decimal == "," else f"{sign}{symbol}{text}"

    rows = [
        [row.day.strftime(bank.numeric), row.text, printed(row), money(row.balance, bank)]
        for row in statement.rows
    ]
    grid = Grid(
        [[names[DATE], names[TEXT], names[AMOUNT], names[3]], *rows],
        1,
        len(rows),
        ";" if bank.decimal == "," else ",",
    )
    return made(statement, "s.csv", grid.content(), "csv symbols")


def trailing_minus(statement: Statement) -> Made:
    """Minus behind the amount, amounts of thousands, an Excel line that names the delimiter, Latin-1."""
    bank = statement.bank
    names = WORDS[bank.words]
    rows = [
        [
            row.day.strftime(bank.numeric),
            row.text,
            money(abs(row.amount), bank) + ("-" if row.amount < 0 else ""),
            money(row.balance, bank) if row.balance >= 0 else money(-row.balance, bank) + "-",
            bank.currency,
        ]
        for row in statement.rows
    ]
    grid = Grid(
        [["sep=;"], [names[DATE], names[TEXT], names[AMOUNT], names[3], names[CURRENCY]], *rows],
        2,
        len(rows),
        ";",
        "cp1252",
    )
    return made(statement, "s.csv", grid.content().replace(b'"sep=;"', b"sep=;"), "csv trailing minus")


def ofx_of_two_accounts(statement: Statement) -> Made:
    """OFX 2 as XML with two statements in it, comments, and a pending list that is no transaction yet."""
    other = draw(statement.bank, 7_002, 3, 5)

    def one(part: Statement) -> str:
        rows = "".join(
            f"<STMTTRN><TRNTYPE>OTHER</TRNTYPE><DTPOSTED>{row.day:%Y%m%d}</DTPOSTED><TRNAMT>{row.amount}</TRNAMT>"
            f"<FITID>{part.account}{place}</FITID><NAME>{row.text}</NAME><MEMO>memo</MEMO></STMTTRN>"
            for place, row in enumerate(part.rows)
        )
        return (
            f"<STMTTRNRS><TRNUID>1</TRNUID><STMTRS><CURDEF>{part.bank.currency}</CURDEF><BANKACCTFROM><BANKID>1</BANKID>"
            f"<ACCTID>{part.account}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM><!-- rows --><BANKTRANLIST>{rows}</BANKTRANLIST>"
            f"<LEDGERBAL><BALAMT>{part.closing}</BALAMT><DTASOF>{part.last:%Y%m%d}</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS>"
        )

    text = (
        '<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><BANKMSGSRSV1>'
        f"{one(statement)}{one(other)}</BANKMSGSRSV1></OFX>"
    )
    return Made(
        "s.csv",
        text.encode(),
        (*statement.rows, *other.rows),
        statement.bank.currency,
        f"{statement.bank.name} ofx two accounts in .csv",
    )


VARIANTS: tuple[Variant, ...] = (
    qif_with_the_banks_own_dates,
    qif_with_apostrophes,
    mt940_without_entry_dates,
    mt940_structured,
    mt940_in_swift_blocks,
    camt_reports_of_two_accounts,
    local_preamble,
    with_symbols,
    trailing_minus,
    ofx_of_two_accounts,
)


def variants(seed: int, banks: tuple[Institution, ...] = INSTITUTIONS) -> Iterator[Made]:
    """Every variant for every bank; some lose a row that their balances still count."""
    chance = random.Random(seed)
    for bank in banks:
        for variant in VARIANTS:
            starts_on = chance.choice((1, 1, 15))
            statement = draw(bank, seed, starts_on=starts_on)
            if chance.random() < 0.7:
                yield variant(statement)
            else:
                place = chance.randrange(1, len(statement.rows) - 1)
                yield replace(variant(statement.without(place)), is_incomplete=True)
