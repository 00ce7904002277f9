"""Banks by the header of their export: a header that one bank prints says whose file it is, which currency and which order of dates."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from .mapping import plain


@dataclass(frozen=True, slots=True)
class KnownHeader:
    """A bank's export: names that its header has, its currency where the file itself names none, and how it writes days in digits."""

    institution: str
    currency: str
    order: str
    columns: tuple[str, ...]
    names: frozenset[str]

    def is_header(self, columns: Sequence[str]) -> bool:
        """Whether a header is this bank's: it has all these names; names that are any bank's must be all it has, in the same order."""
        if self.names <= COMMON:
            return tuple(columns) == self.columns
        return self.names <= set(columns)


_COMMON = (
    "date;time;type;description;title;category;amount;value;balance;currency;name;memo;transaction;reference;status;payee;details;"
    "debit;credit;debit amount;credit amount;account;account name;account number;number;code;transaction date;transaction type"
)
COMMON = frozenset(_COMMON.split(";"))
"""Names of columns that any bank uses: a few of them among others prove neither a bank nor its country."""


def _of(institution: str, currency: str, order: str, header: str) -> KnownHeader:
    columns = tuple(plain(name) for name in header.split(";"))
    return KnownHeader(institution, currency, order, columns, frozenset(columns))


KNOWN: tuple[KnownHeader, ...] = (
    _of("Barclays", "GBP", "dmy", "number;date;account;amount;subcategory;memo"),
    _of(
        "Lloyds Bank",
        "GBP",
        "dmy",
        "transaction date;transaction type;sort code;account number;debit amount;credit amount;balance",
    ),
    _of("NatWest", "GBP", "dmy", "date;type;description;value;balance;account name;account number"),
    _of("Nationwide", "GBP", "dmy", "date;transaction type;description;paid out;paid in;balance"),
    _of("Starling Bank", "GBP", "dmy", "date;counter party;reference;type;spending category"),
    _of("Monzo", "GBP", "dmy", "transaction id;date;time;type;name;emoji;category;amount;currency"),
    _of("Westpac", "AUD", "dmy", "bank account;date;narrative;debit amount;credit amount;balance;categories"),
    _of(
        "National Australia Bank",
        "AUD",
        "dmy",
        "date;amount;account number;transaction type;transaction details;balance",
    ),
    _of("Up", "AUD", "dmy", "time;bsb / account number;transaction type;payee"),
    _of("ANZ New Zealand", "NZD", "dmy", "type;details;particulars;code;reference;amount;date"),
    _of("Bank of New Zealand", "NZD", "dmy", "date;amount;payee;particulars;code;reference;tran type"),
    _of("Kiwibank", "NZD", "dmy", "account number;date;memo/description;source code (payment type);tp ref"),
    _of("ASB Bank", "NZD", "dmy", "date;unique id;tran type;cheque number;payee;memo;amount"),
    _of("TD Bank", "USD", "ymd", "date;bank rtn;account number;transaction type;description;debit;credit"),
    _of("BMO", "CAD", "mdy", "first bank card;transaction type;date posted;transaction amount;description"),
    _of("Scotiabank", "CAD", "mdy", "filter;date;description;sub-description"),
    _of(
        "HDFC Bank",
        "INR",
        "dmy",
        "date;narration;value dat;debit amount;credit amount;chq/ref number;closing balance",
    ),
    _of("HDFC Bank", "INR", "dmy", "primary / addon customer name;date;description;amt;debit / credit"),
    _of("Axis Bank", "INR", "dmy", "tran date;chqno;particulars;dr;cr;bal;sol"),
    _of(
        "Kotak Mahindra",
        "INR",
        "dmy",
        "sl. no.;transaction date;description;chq / ref no.;amount;dr / cr;balance",
    ),
    _of(
        "State Bank of India",
        "INR",
        "dmy",
        "txn date;value date;description;ref no./cheque no.;debit;credit;balance",
    ),
    _of(
        "DBS",
        "SGD",
        "dmy",
        "transaction date;reference;debit amount;credit amount;transaction ref1;transaction ref2",
    ),
    _of("SEB", "SEK", "ymd", "bokförd;valutadatum;verifikationsnummer;text;belopp;saldo"),
    _of("SEB", "SEK", "ymd", "bokföringsdatum;valutadatum;verifikationsnummer;text;belopp;saldo"),
    _of("Handelsbanken", "SEK", "ymd", "reskontradatum;transaktionsdatum;text;belopp;saldo"),
    _of("DNB", "NOK", "dmy", "dato;forklaring;rentedato;ut fra konto;inn på konto"),
    _of("Danske Bank", "DKK", "dmy", "dato;tekst;beløb;saldo;status;afstemt"),
    _of("Nubank", "BRL", "dmy", "data;valor;identificador;descrição"),
    _of("Nubank", "BRL", "dmy", "date;category;title;amount"),
    _of("Banco Inter", "BRL", "dmy", "data lançamento;histórico;descrição;valor;saldo"),
    _of(
        "Capitec",
        "ZAR",
        "dmy",
        "nr;account;posting date;transaction date;original description;money in;money out;fee;balance",
    ),
    _of("BoursoBank", "EUR", "dmy", "dateop;dateval;label;category;categoryparent;amount"),
    _of("bunq", "EUR", "dmy", "date;interest date;amount;account;counterparty;name;description"),
    _of(
        "Sparkasse",
        "EUR",
        "dmy",
        "auftragskonto;buchungstag;valutadatum;buchungstext;verwendungszweck;betrag;waehrung;info",
    ),
    _of(
        "DKB",
        "EUR",
        "dmy",
        "buchungsdatum;wertstellung;status;zahlungspflichtige*r;zahlungsempfänger*in;umsatztyp;betrag (€)",
    ),
    _of("FinecoBank", "EUR", "dmy", "data_operazione;data_valuta;entrate;uscite;descrizione_completa"),
    _of("FinecoBank", "EUR", "dmy", "data;entrate;uscite;descrizione;descrizione_completa"),
    _of(
        "Charles Schwab",
        "USD",
        "mdy",
        "date;status;type;checknumber;description;withdrawal;deposit;runningbalance",
    ),
    _of("Charles Schwab", "USD", "mdy", "date;action;symbol;description;quantity;price;fees & comm;amount"),
    _of("Fidelity", "USD", "mdy", "run date;action;symbol;description;quantity;price ($);amount ($)"),
    _of(
        "Vanguard",
        "USD",
        "mdy",
        "account number;trade date;settlement date;transaction type;transaction description;investment name",
    ),
    _of(
        "Robinhood", "USD", "mdy", "activity date;process date;settle date;instrument;description;trans code"
    ),
    _of("Ally Bank", "USD", "mdy", "date;time;amount;type;description"),
    _of("U.S. Bank", "USD", "ymd", "date;transaction;name;memo;amount"),
    _of("USAA", "USD", "mdy", "date;description;original description;category;amount;status"),
    _of(
        "Navy Federal", "USD", "mdy", "posting date;transaction date;amount;credit debit indicator;type group"
    ),
    _of("Mercury", "USD", "mdy", "date (utc);description;amount;status;source account;bank description"),
    _of(
        "Truist",
        "USD",
        "mdy",
        "posted date;transaction date;transaction type;check/serial #;description;amount;daily posted balance",
    ),
    _of(
        "Cash App",
        "USD",
        "mdy",
        "transaction id;date;transaction type;currency;amount;fee;net amount;asset type",
    ),
    _of("MUFG Bank", "JPY", "ymd", "日付;摘要;摘要内容;支払い金額;預かり金額;差引残高"),
)
_LANGUAGES = tuple(
    (re.compile(words), currency)
    for words, currency in (
        (r"\bbelopp\b|\bbokf", "SEK"),
        (r"\bbeløp\b|\bforklaring\b|\binn\b", "NOK"),
        (r"\bbeløb\b", "DKK"),
        (r"\bkwota\b|\bsaldo po\b", "PLN"),
        (r"\bčástka\b|\bobjem\b|\bměna\b", "CZK"),
        (r"\bösszeg\b", "HUF"),
        (r"\btutar\b|\bbakiye\b", "TRY"),
        (r"円|[぀-ヿ]|残高|摘要", "JPY"),
        (r"[가-힣]", "KRW"),
        (r"[฀-๿]", "THB"),
        (r"[֐-׿]", "ILS"),
        (r"金额|余额|收/支", "CNY"),
        (r"金額", "JPY"),
        (r"залишок|\bсума\b|[іїєґ]", "UAH"),
        (r"\bupphæð\b|\bdagsetning\b", "ISK"),
        (r"\btanggal\b|\bketerangan\b", "IDR"),
        (r"\btarikh\b|\bbutiran\b", "MYR"),
        (r"\bupi\b|[\u0900-\u097f]", "INR"),
        (r"\bkuupäev\b|\bvaluuta\b|\bmokėjim|\bdátum\b.*\bsuma\b|\btilinumero\b", "EUR"),
        (r"\bсумма\b", "RUB"),
        (r"\blançamento\b|\bhistórico\b", "BRL"),
        (r"\bnarration\b|\bchq\b|\bparticulars\b.*\bdr\b", "INR"),
        (r"\bbsb\b", "AUD"),
        (r"\bsort code\b|\bpaid out\b", "GBP"),
    )
)


def bank_of_header(names: Sequence[str], currencies: Collection[str] = ()) -> KnownHeader | None:
    """The bank whose export has this header; of several the one that names the most columns. A file that states other currencies than
    the bank's is another bank's."""
    columns = [plain(name) for name in names]
    while columns and not columns[-1]:
        columns.pop()
    fitting = (
        known
        for known in KNOWN
        if known.is_header(columns) and (not currencies or known.currency in currencies)
    )
    return max(fitting, key=lambda known: len(known.names), default=None)


def currency_of_words(names: Sequence[str]) -> str:
    """The currency of the country whose words the header has; likely, and no more than that."""
    text = " ".join(plain(name) for name in names)
    return next((currency for words, currency in _LANGUAGES if words.search(text)), "")
