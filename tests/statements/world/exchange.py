"""OFX, QIF, CAMT.053 and MT940 files of a statement."""

from __future__ import annotations

from decimal import Decimal

from .truth import Made, Statement


def ofx(statement: Statement) -> Made:
    kind, account = ("CCSTMTRS", "CCACCTFROM") if statement.bank.is_card else ("STMTRS", "BANKACCTFROM")
    rows = "".join(
        f"<STMTTRN><TRNTYPE>{'DEBIT' if row.amount < 0 else 'CREDIT'}<DTPOSTED>{row.day:%Y%m%d}120000<TRNAMT>{row.amount}"
        f"<FITID>F{place}<NAME>{row.text}</STMTTRN>\n"
        for place, row in enumerate(statement.rows)
    )
    text = (
        f"OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><FI><ORG>{statement.bank.name}</FI>"
        f"</SONRS></SIGNONMSGSRSV1><X><{kind}><CURDEF>{statement.bank.currency}<{account}><ACCTID>{statement.account}</{account}>"
        f"<BANKTRANLIST><DTSTART>{statement.first:%Y%m%d}<DTEND>{statement.last:%Y%m%d}\n{rows}</BANKTRANLIST>"
        f"<LEDGERBAL><BALAMT>{statement.closing}<DTASOF>{statement.last:%Y%m%d}</LEDGERBAL></{kind}></X></OFX>"
    )
    return _made(statement, "statement.qfx", text, "ofx", False)


def qif(statement: Statement) -> Made:
    rows = "".join(f"D{row.day:%m/%d/%Y}\nT{row.amount:,}\nP{row.text}\n^\n" for row in statement.rows)
    kind = "CCard" if statement.bank.is_card else "Bank"
    return _made(statement, "statement.qif", f"!Type:{kind}\n{rows}", "qif", False)


def _mark(value: Decimal) -> str:
    return "DBIT" if value < 0 else "CRDT"


def camt(statement: Statement) -> Made:
    code = statement.bank.currency

    def balance(kind: str, value: Decimal) -> str:
        head = f"<Bal><Tp><CdOrPrtry><Cd>{kind}</Cd></CdOrPrtry></Tp>"
        return f'{head}<Amt Ccy="{code}">{abs(value)}</Amt><CdtDbtInd>{_mark(value)}</CdtDbtInd></Bal>'

    rows = "".join(
        f'<Ntry><Amt Ccy="{code}">{abs(row.amount)}</Amt><CdtDbtInd>{_mark(row.amount)}</CdtDbtInd><Sts>BOOK</Sts>'
        f"<BookgDt><Dt>{row.day}</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>{row.text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n"
        for row in statement.rows
    )
    text = (
        '<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>'
        f"<Acct><Id><Othr><Id>{statement.account}</Id></Othr></Id><Ccy>{code}</Ccy></Acct>"
        f"{balance('OPBD', statement.opening)}{balance('CLBD', statement.closing)}{rows}</Stmt></BkToCstmrStmt></Document>"
    )
    return _made(statement, "statement.xml", text, "camt", True)


def mt940(statement: Statement) -> Made:
    code = statement.bank.currency

    def balance(tag: str, value: Decimal, day: str) -> str:
        return f":{tag}:{'D' if value < 0 else 'C'}{day}{code}{_comma(value)}\n"

    rows = "".join(
        f":61:{row.day:%y%m%d}{row.day:%m%d}{'D' if row.amount < 0 else 'C'}{_comma(row.amount)}NTRFNONREF\n:86:{row.text}\n"
        for row in statement.rows
    )
    text = (
        f":20:STARTUMS\n:25:{statement.account}\n:28C:1/1\n{balance('60F', statement.opening, f'{statement.first:%y%m%d}')}{rows}"
        f"{balance('62F', statement.closing, f'{statement.last:%y%m%d}')}-\n"
    )
    return _made(statement, "statement.sta", text, "mt940", True)


def _comma(value: Decimal) -> str:
    text = f"{abs(value)}".replace(".", ",")
    return text if "," in text else f"{text},"


def _made(statement: Statement, name: str, text: str, form: str, both: bool) -> Made:
    return Made(
        name,
        text.encode(),
        statement.rows,
        statement.bank.currency,
        f"{statement.bank.name} {form}",
        both,
    )


EXCHANGE = {"ofx": ofx, "qif": qif, "camt": camt, "mt940": mt940}
