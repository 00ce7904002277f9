"""The parts of an OFX file: tags, how they are written, and the aggregates that every institution sends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from tests.statements.world.truth import Row

from .accounts import Book, digits, point


@dataclass(frozen=True)
class Tag:
    """An element with a value, or an aggregate."""

    name: str
    value: str = ""
    parts: tuple[Tag, ...] = ()


@dataclass(frozen=True)
class Style:
    """How an institution writes tags down."""

    eol: str = "\r\n"
    closes: bool = False
    """Whether elements have closing tags, as XML wants."""
    indent: str = ""
    escapes: bool = True


ONE_LINE = Style(eol="")
LINES = Style()
XML = Style(eol="\n", closes=True, indent="  ")
HEADERS = {
    "OFXHEADER": "100",
    "DATA": "OFXSGML",
    "VERSION": "102",
    "SECURITY": "NONE",
    "ENCODING": "USASCII",
    "CHARSET": "1252",
    "COMPRESSION": "NONE",
    "OLDFILEUID": "NONE",
    "NEWFILEUID": "NONE",
}


def tag(name: str, *parts: Tag | None) -> Tag:
    return Tag(name, parts=tuple(part for part in parts if part is not None))


def leaf(name: str, value: str) -> Tag:
    return Tag(name, value)


def written(node: Tag, style: Style, depth: int = 0) -> str:
    lead = style.indent * depth
    if not node.parts and node.value:
        value = node.value
        if style.escapes:
            value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return f"{lead}<{node.name}>{value}{f'</{node.name}>' if style.closes else ''}{style.eol}"
    inner = "".join(written(part, style, depth + 1) for part in node.parts)
    return f"{lead}<{node.name}>{style.eol}{inner}{lead}</{node.name}>{style.eol}"


def header(eol: str = "\r\n", **changes: str) -> str:
    """The header of OFX 1; a header changed to nothing is left out."""
    told = {name: value for name, value in {**HEADERS, **changes}.items() if value}
    return "".join(f"{name}:{value}{eol}" for name, value in told.items()) + eol


def xml_header(version: str = "211", standalone: str = ' standalone="no"', encoding: str = "UTF-8") -> str:
    return (
        f'<?xml version="1.0" encoding="{encoding}"{standalone}?>\n'
        f'<?OFX OFXHEADER="200" VERSION="{version}" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>\n'
    )


def status(code: str = "0", severity: str = "INFO", message: str = "") -> Tag:
    said = leaf("MESSAGE", message) if message else None
    return tag("STATUS", leaf("CODE", code), leaf("SEVERITY", severity), said)


def signon(
    at: str, org: str, fid: str, *, language: str = "ENG", intu: str = "", result: Tag | None = None
) -> Tag:
    return tag(
        "SIGNONMSGSRSV1",
        tag(
            "SONRS",
            result or status(),
            leaf("DTSERVER", at),
            leaf("LANGUAGE", language),
            tag("FI", leaf("ORG", org), leaf("FID", fid)),
            leaf("INTU.BID", intu) if intu else None,
        ),
    )


def kind_of(row: Row) -> str:
    return "CREDIT" if row.amount > 0 else "DEBIT"


def transaction(
    row: Row,
    fitid: str,
    posted: str,
    *,
    amount: Callable[..., str] = point,
    kind: str = "",
    dates: Iterable[Tag] = (),
    numbers: Iterable[Tag] = (),
    name: Tag | str | None = "",
    memo: str = "",
    money: Tag | None = None,
    outer: str = "STMTTRN",
) -> Tag:
    """One transaction, its elements in the order that the standard wants; `posted` is a pattern of strftime."""
    if isinstance(name, str):
        name = leaf("NAME", name or row.text)
    return tag(
        outer,
        leaf("TRNTYPE", kind or kind_of(row)),
        leaf("DTPOSTED", row.day.strftime(posted)),
        *dates,
        leaf("TRNAMT", amount(row.amount)),
        leaf("FITID", fitid),
        *numbers,
        name,
        leaf("MEMO", memo) if memo else None,
        money,
    )


def transactions(book: Book, posted: str, amount: Callable[..., str] = point, memo: str = "") -> list[Tag]:
    """The rows as most institutions write them; an identifier has the day in it."""
    return [
        transaction(row, f"{row.day:%Y%m%d}{digits(row.text, 6)}{n}", posted, amount=amount, memo=memo)
        for n, row in enumerate(book.rows, 1)
    ]


def listed(book: Book, parts: Sequence[Tag], bound: str, name: str = "BANKTRANLIST") -> Tag:
    return tag(
        name, leaf("DTSTART", book.first.strftime(bound)), leaf("DTEND", book.last.strftime(bound)), *parts
    )


def balance(name: str, book: Book, at: str, amount: Callable[..., str] = point) -> Tag:
    return tag(name, leaf("BALAMT", amount(book.closing)), leaf("DTASOF", book.last.strftime(at)))


def account(key: str, kind: str = "CHECKING", bank: str = "") -> Tag:
    return tag(
        "BANKACCTFROM",
        leaf("BANKID", bank or digits(f"bank {key}", 9)),
        leaf("ACCTID", digits(key, 10)),
        leaf("ACCTTYPE", kind),
    )


def card_account(key: str, masked: bool = False) -> Tag:
    number = digits(key, 16)
    return tag("CCACCTFROM", leaf("ACCTID", f"XXXXXXXXXXXX{number[-4:]}" if masked else number))


def statement(
    book: Book, where: Tag, content: Iterable[Tag], *, uid: str = "1", after: Iterable[Tag] = ()
) -> Tag:
    """The response with a statement of a bank account, or of a card if it is one."""
    short = "CCSTMT" if where.name == "CCACCTFROM" else "STMT"
    inner = tag(f"{short}RS", leaf("CURDEF", book.currency), where, *content, *after)
    return tag(f"{short}TRNRS", leaf("TRNUID", uid), status(), inner)


def messages(*responses: Tag) -> Tag:
    """Responses of one kind, in the message set of their kind."""
    sets = {
        "STMTTRNRS": "BANKMSGSRSV1",
        "CCSTMTTRNRS": "CREDITCARDMSGSRSV1",
        "INVSTMTTRNRS": "INVSTMTMSGSRSV1",
    }
    return tag(sets[responses[0].name], *responses)


def stamp(day: date) -> str:
    return f"{day:%Y%m%d}120000"
