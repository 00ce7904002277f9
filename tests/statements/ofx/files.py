"""Made-up OFX files: pieces to build them from, in SGML as banks write it and in XML."""

from __future__ import annotations

HEADER = (
    "OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\nCOMPRESSION:NONE\r\n"
    "OLDFILEUID:NONE\r\nNEWFILEUID:NONE\r\n\r\n"
)
XML = '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n'
SIGNON = (
    "<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS>"
    "<DTSERVER>20240131120000[-5:EST]<LANGUAGE>ENG<FI><ORG>B1<FID>10898</FI><INTU.BID>10898</SONRS></SIGNONMSGSRSV1>\n"
)


def transaction(
    amount: str,
    fitid: str,
    *,
    date: str = "20240105120000[-5:EST]",
    kind: str = "DEBIT",
    more: str = "<NAME>SHOP",
) -> str:
    """One transaction as SGML: elements are not closed."""
    return f"<STMTTRN>\n<TRNTYPE>{kind}\n<DTPOSTED>{date}\n<TRNAMT>{amount}\n<FITID>{fitid}\n{more}\n</STMTTRN>\n"


def bank(*transactions: str, account: str = "999988881234", currency: str = "USD", more: str = "") -> str:
    return (
        f"<BANKMSGSRSV1><STMTTRNRS><TRNUID>1001<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>{currency}<BANKACCTFROM><BANKID>011000015"
        f"<ACCTID>{account}<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20240101<DTEND>20240131\n{''.join(transactions)}</BANKTRANLIST>{more}"
        "</STMTRS></STMTTRNRS></BANKMSGSRSV1>\n"
    )


def card(*transactions: str, account: str = "4111XXXXXXXX1111") -> str:
    return (
        f"<CREDITCARDMSGSRSV1><CCSTMTTRNRS><TRNUID>2<STATUS><CODE>0<SEVERITY>INFO</STATUS><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>{account}</CCACCTFROM>"
        f"<BANKTRANLIST><DTSTART>20240101<DTEND>20240131\n{''.join(transactions)}</BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>\n"
    )


def sgml(*parts: str) -> str:
    return f"{HEADER}<OFX>{SIGNON}{''.join(parts)}</OFX>\n"
