"""What one pass over the tags collects: statements of accounts, their transactions, and what the server answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...parsed import ParseFault
from .tokens import Tag, tags

STATEMENTS = {"STMTRS", "CCSTMTRS", "INVSTMTRS"}
LISTS = {"BANKTRANLIST", "INVTRANLIST"}
TRANSACTIONS = {"STMTTRN", "STMTTRNP"}
INVESTMENTS = {
    "BUYDEBT",
    "BUYMF",
    "BUYOPT",
    "BUYOTHER",
    "BUYSTOCK",
    "CLOSUREOPT",
    "INCOME",
    "INVEXPENSE",
    "JRNLFUND",
    "JRNLSEC",
    "MARGININTEREST",
    "REINVEST",
    "RETOFCAP",
    "SELLDEBT",
    "SELLMF",
    "SELLOPT",
    "SELLOTHER",
    "SELLSTOCK",
    "SPLIT",
    "TRANSFER",
}
_ACCOUNTS = {"BANKACCTFROM", "CCACCTFROM", "INVACCTFROM"}
_OTHERS = {
    "OFX",
    "SONRS",
    "STATUS",
    "BANKTRANLIST",
    "BANKTRANLISTP",
    "INVTRANLIST",
    "INVBANKTRAN",
    "PAYEE",
    "CURRENCY",
    "ORIGCURRENCY",
    "LEDGERBAL",
    "AVAILBAL",
    "BANKACCTTO",
    "CCACCTTO",
    "IMAGEDATA",
    "INVBAL",
    "INVPOSLIST",
    "BALLIST",
    "BAL",
    "FI",
    "SECLIST",
    "SECLISTMSGSRSV1",
    "STMTTRNRS",
    "CCSTMTTRNRS",
    "INVSTMTTRNRS",
    "BANKMSGSRSV1",
    "CREDITCARDMSGSRSV1",
    "INVSTMTMSGSRSV1",
    "SIGNONMSGSRSV1",
    "CLOSING",
    "REWARDINFO",
    "EXTDPAYEE",
    "BANKTRANLISTE",
}
DEEPEST = 200
KEPT = {
    "TRNTYPE",
    "DTPOSTED",
    "DTUSER",
    "TRNAMT",
    "FITID",
    "NAME",
    "PAYEE",
    "PAYEE.NAME",
    "MEMO",
    "CHECKNUM",
    "CORRECTFITID",
    "CORRECTACTION",
    "CURRENCY",
    "CURRENCY.CURSYM",
    "ORIGCURRENCY.CURSYM",
}
AGGREGATES = STATEMENTS | TRANSACTIONS | INVESTMENTS | _ACCOUNTS | _OTHERS
_WHOLE = {
    "OFX",
    "STMTTRNRS",
    "CCSTMTTRNRS",
    "INVSTMTTRNRS",
    "BANKMSGSRSV1",
    "CREDITCARDMSGSRSV1",
    "INVSTMTMSGSRSV1",
    "SIGNONMSGSRSV1",
} | STATEMENTS


@dataclass(slots=True)
class Transaction:
    """The elements of one STMTTRN; those of PAYEE and CURRENCY inside it have their aggregate's name before theirs."""

    values: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Trade:
    """One entry of an investment account: its aggregate and the elements in it."""

    kind: str
    values: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Statement:
    """One account's part of the file."""

    kind: str
    account: str = ""
    bank: str = ""
    currency: str = ""
    ledger_balance: str = ""
    account_type: str = ""
    has_list: bool = False
    """Its list of transactions begins and ends in the file."""
    first: str = ""
    last: str = ""
    transactions: list[Transaction] = field(default_factory=list)
    pending: int = 0
    trades: list[Trade] = field(default_factory=list)


@dataclass(slots=True)
class Answer:
    """A STATUS that is not success."""

    code: str = ""
    severity: str = ""
    message: str = ""


@dataclass(slots=True)
class Contents:
    statements: list[Statement] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    is_ofx: bool = False
    institution: str = ""
    institution_id: str = ""
    symbols: dict[str, str] = field(default_factory=dict)
    begun: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)

    @property
    def is_cut_off(self) -> bool:
        """Whether something begins that the file never ends: the file itself, a statement, a list of transactions, or one transaction where
        the others do end. SGML leaves out the ends of elements, never these; some banks leave out the end of every transaction."""
        names = {"OFX", *STATEMENTS, *LISTS, *({"STMTTRN"} & self.ended.keys())}
        return any(self.begun[name] > self.ended[name] for name in names)


def collect(text: str) -> Contents:
    collector = _Collector()
    for tag in tags(text):
        collector.take(tag)
    return collector.contents


class _Collector:
    """Keeps the aggregates that are open; an aggregate that is never closed ends where its like begins."""

    def __init__(self) -> None:
        self.contents = Contents()
        self.open: list[str] = []
        self.transaction: Transaction | None = None
        self.trade: Trade | None = None
        self.security = ""

    def take(self, tag: Tag) -> None:
        if tag.closes:
            self._end(tag.name)
            self._close(tag.name)
        elif tag.name in AGGREGATES and not tag.value:
            self._begin(tag.name)
        elif tag.value:
            self._element(tag.name, tag.value)

    def _begin(self, name: str) -> None:
        self._end_before(name)
        self.open.append(name)
        self.contents.begun[name] += 1
        if len(self.open) > DEEPEST:
            raise ParseFault(
                "LAYOUT_MISMATCH",
                f"more than {DEEPEST} aggregates are open at once: this is no OFX statement",
            )
        if name == "OFX":
            self.contents.is_ofx = True
        elif name in STATEMENTS:
            self.contents.statements.append(Statement(name))
        elif name == "STATUS":
            self.contents.answers.append(Answer())
        elif self._statement is not None:
            self._begin_in(self._statement, name)

    def _end(self, name: str) -> None:
        """Note that the file itself says where this ends."""
        if name not in self.open:
            return
        self.contents.ended[name] += 1
        if name in LISTS and self._statement is not None:
            self._statement.has_list = True

    def _begin_in(self, statement: Statement, name: str) -> None:
        if name == "STMTTRN" and "BANKTRANLISTP" not in self.open:
            self.transaction = Transaction()
            statement.transactions.append(self.transaction)
        elif name in TRANSACTIONS:
            self.transaction = None
            statement.pending += 1
        elif name in INVESTMENTS and "INVTRANLIST" in self.open:
            self.trade = Trade(name)
            statement.trades.append(self.trade)

    def _end_before(self, name: str) -> None:
        """What cannot stand inside itself or inside a transaction ends what was left open."""
        ends = name in TRANSACTIONS or name in _WHOLE or name in ("LEDGERBAL", "AVAILBAL", "BANKTRANLIST")
        if not ends:
            return
        while self.open and (
            self.open[-1] == name
            or self.open[-1] in TRANSACTIONS
            or self.open[-1] in ("PAYEE", "CURRENCY", "ORIGCURRENCY", "STATUS")
        ):
            self._close(self.open[-1])

    def _close(self, name: str) -> None:
        if name not in self.open:
            return
        while self.open.pop() != name:
            pass
        if name in TRANSACTIONS or not any(one in TRANSACTIONS for one in self.open):
            self.transaction = None
        if not any(one in INVESTMENTS for one in self.open):
            self.trade = None

    @property
    def _statement(self) -> Statement | None:
        return self.contents.statements[-1] if self.contents.statements else None

    def _element(self, name: str, value: str) -> None:
        inside = self.open[-1] if self.open else ""
        if self.transaction is not None:
            key = (
                f"{inside}.{name}"
                if inside in ("PAYEE", "CURRENCY", "ORIGCURRENCY", "EXTDPAYEE", "BANKACCTTO", "CCACCTTO")
                else name
            )
            if key in KEPT:
                self.transaction.values.setdefault(key, value)
        elif self.trade is not None:
            self.trade.values.setdefault(name, value)
        elif "SECLIST" in self.open and name in ("UNIQUEID", "TICKER"):
            self._security(name, value)
        elif inside == "STATUS":
            self._answer(name, value)
        elif inside == "FI" and name == "ORG":
            self.contents.institution = self.contents.institution or value
        elif inside == "FI" and name == "FID":
            self.contents.institution_id = self.contents.institution_id or value
        elif self._statement is not None:
            self._of_statement(self._statement, inside, name, value)

    def _security(self, name: str, value: str) -> None:
        """The list of securities at the end says which symbol an identifier stands for."""
        if name == "UNIQUEID":
            self.security = value
        else:
            self.contents.symbols[self.security] = value

    def _answer(self, name: str, value: str) -> None:
        answer = self.contents.answers[-1]
        if name == "CODE":
            answer.code = value
        elif name == "SEVERITY":
            answer.severity = value.upper()
        elif name == "MESSAGE":
            answer.message = value

    def _of_statement(self, statement: Statement, inside: str, name: str, value: str) -> None:
        if inside in _ACCOUNTS and name == "ACCTID":
            statement.account = statement.account or value
        elif inside in _ACCOUNTS and name in ("BANKID", "BROKERID"):
            statement.bank = statement.bank or value
        elif inside in _ACCOUNTS and name == "ACCTTYPE":
            statement.account_type = value.upper()
        elif inside in LISTS and name in ("DTSTART", "DTEND"):
            statement.first, statement.last = (
                (value, statement.last) if name == "DTSTART" else (statement.first, value)
            )
        elif name == "CURDEF":
            statement.currency = value.upper()
        elif inside == "LEDGERBAL" and name == "BALAMT":
            statement.ledger_balance = value


def every_transaction(contents: Contents) -> Iterator[Transaction]:
    for statement in contents.statements:
        yield from statement.transactions
