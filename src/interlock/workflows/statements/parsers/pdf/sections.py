"""Headings of statements: whether the rows below are money in or out, or no transactions at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .columns import CHECKS

Kind = Literal["in", "out", "any", "checks", "balances", "pending", "summary"]


@dataclass(frozen=True, slots=True)
class Section:
    kind: Kind
    name: str

    @property
    def direction(self) -> int:
        return {"in": 1, "out": -1, "checks": -1}.get(self.kind, 0)

    @property
    def counts(self) -> bool:
        """Whether its rows are transactions."""
        return self.kind not in ("balances", "pending", "summary")


ANY = Section("any", "")
FILLERS = frozenset(
    re.findall(
        r"\w+",
        "and other your electronic atm debit credit card online banking bank mobile customer service monthly "
        "account paid of the cash new standard "
        "miscellaneous misc regular point sale pos to for from all total bill direct automatic wire ach "
        "branch teller counter internet visa money "
        "overdraft returned item items related this period statement section in out mastercard amount "
        "preauthorized automated clearing house "
        "substitute type presented conventionally",
    )
)
OUT = frozenset(
    re.findall(
        r"\w+",
        "withdrawals withdrawal subtractions debits deductions checks cheques check fees fee purchases "
        "purchase charges charged charge advances advance",
    )
)
IN = frozenset(("deposits", "deposit", "additions", "credits", "earned", "refunds", "returns", "receipts"))
PAID = frozenset(("payments", "payment"))
OPEN = frozenset(
    re.findall(
        r"\w+",
        "transactions transaction activity details detail history adjustments transfers transfer interest balance",
    )
)
CONTINUED = re.compile(r"\W*\(?\b(?:continued|cont'?d|cont\.?)(?: (?:from|on) .*)?\)?\W*$", re.IGNORECASE)
LEGEND = re.compile(r"(?<=\w)\s+[*†‡§](?: ?[-–])? ?\w.*$")
"""What explains a mark behind a heading: “Detail  * - denotes Pay Over Time activity”."""
PENDING = re.compile(
    r"\b(?:pending|processing|scheduled|upcoming|memo[- ]posted|authori[sz]ations)\b.{0,24}$|^pending\b",
    re.IGNORECASE,
)
CARD_NUMBER = re.compile(r"[xX*•]{4}")
"""Of the card whose rows follow: its name may be that of a scheme of rewards."""
OF_OTHER_BILLS = re.compile(
    r"^(?:前回|次回|上期)ご?請求|^(?:lan[çc]amentos|transa[çc][õo]es) futur[ao]s|^gelecek d[öo]nem|^(?:movimientos|cargos) futuros|"
    r"^(?:future|next month'?s) (?:transactions|entries|instal?lments)",
    re.IGNORECASE,
)
"""Rows of the bill before or of months to come."""
NOT_YET = re.compile(r"(?:pending|reverted) (?:from|transactions|between)\b", re.IGNORECASE)
COMING = re.compile(
    r"(?:pr[óo]ximos )?lan[çc]amentos futuros|(?:movimientos|operaciones) (?:futuros|pendientes)|op[ée]rations? [àa] venir|"
    r"(?:noch nicht gebuchte|vorgemerkte) ums[äa]tze|movimenti (?:futuri|in attesa)|toekomstige (?:transacties|boekingen)|"
    r"kommende (?:overf[øo]rsler|betalinger)|kommande (?:[öo]verf[öo]ringar|betalningar)|未入帳|未出账",
    re.IGNORECASE,
)
NOT_BOOKED = re.compile(
    r"(?:carte|op[ée]rations?|tarjeta|movimientos|umsätze|cart[ãa]o|movimenti)\b.{0,100}\b"
    r"(?:non comptabilis[ée]|no contabilizad|nicht gebucht|n[ãa]o contabilizad|non contabilizzat)",
    re.IGNORECASE,
)
"""“Carte n° X4471 à débit différé (pour information, non comptabilisé)”: rows of a later month."""
BOOKED = re.compile(
    r"(?:(?:account|completed|booked|settled|cleared|posted) )transactions (?:from|between)\b", re.IGNORECASE
)
OF_HOLDER = re.compile(r"(?i:transactions|purchases|charges) (?i:by|of|for) (?:[A-ZÀ-Þ][\w.'-]* ?){1,4}")
"""“Transactions by Ada Lovelace”: the rows of one of a card's holders."""
BALANCES = re.compile(
    r"^(?:(?:your|summary of|checking|savings|account) )*(?:daily|average|ledger|collected)[ a-z]*balances?\b|"
    r"^balance (?:summary|history|activity)|"
    r"year[- ]to[- ]date|^interest (?:charge|rate)s? (?:calculation|information|summary)|"
    r"^(?:aggregate )?overdraft and (?:returned|overdraft)|"
    r"^total overdraft|^fee (?:summary|schedule)|^(?:rewards?|points|cash ?back)\b.*(?:summary|information|balance|"
    r"activity)?$|^tax[- ]reporting|"
    r"^(?:competenze\b.{0,20})?(?:conteggio|calcolo) (?:degli )?(?:interessi|competenze)|^zins(?:be|ab)rechnung|"
    r"^liquidaci[óo]n de intereses|^calcul des int[ée]r[êe]ts|"
    r"^apr\b|^important (?:information|messages?|notices?|disclosures?)",
    re.IGNORECASE,
)
SUMMARY = re.compile(
    r"^(?:(?:your|this|monthly|statement|account|deposit|checking|savings|balance|activity|payment|consolidated|business) )*"
    r"(?:summary|overview|at a glance)(?: information|[ /].{0,40})?$|^(?:account )?summary of (?:accounts?|your accounts?)|"
    r"^your deposit accounts\b",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"^(?:.{0,60}[:#*-] ?)?(?:(?:posted |completed |booked |settled |cleared )?transactions|"
    r"account activity|details?|transaction (?:history|details?|activity)|activity details?)"
    r"(?: \(.*\))?$",
    re.IGNORECASE,
)


TOTALS = frozenset(
    (
        "total",
        "totals",
        "totaux",
        "totale",
        "totali",
        "totaal",
        "bedrag",
        "bij",
        "af",
        "des",
        "mouvements",
        "operations",
        "suma",
        "subtotal",
        "subtotals",
        "sub",
        "grand",
        "net",
        "number",
        "day",
        "days",
        "page",
        "year",
        "with",
        "by",
    )
)


def names_a_total(text: str) -> bool:
    """Whether the words are those of a total and of nothing else: a shop may be called Total."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return words <= TOTALS | FILLERS | OUT | IN | PAID | OPEN


def section_of(text: str, card: bool) -> Section | None:
    """The section that this heading opens, or None if it is no heading."""
    name = CONTINUED.sub("", LEGEND.sub("", text)).strip(" :*-–—•|")
    if not name or len(name) > 90 or len(name.split()) > 12:
        return None
    if SUMMARY.search(name):
        return Section("summary", name)
    if BALANCES.search(name) and not CARD_NUMBER.search(name):
        return Section("balances", name)
    if (PENDING.search(name) and len(name.split()) <= 5) or NOT_YET.match(name) or COMING.match(name):
        return Section("pending", name)
    if OF_OTHER_BILLS.search(name):
        return Section("pending", name)
    if CHECKS.fullmatch(name) and " " in name:
        return Section("checks", name)
    kind = _kind(name, card)
    if kind:
        return Section(kind, name)
    return (
        Section("any", name)
        if NAMED.fullmatch(name) or BOOKED.match(name) or OF_HOLDER.fullmatch(name)
        else None
    )


def _kind(name: str, card: bool) -> Kind | None:
    words = re.findall(r"[a-z]+", re.sub(r"\(.*?\)", "", name.lower()))
    if not words or len(words) > 9 or any(character.isdigit() for character in name):
        return None
    known = set(words)
    if not known <= FILLERS | OUT | IN | PAID | OPEN or known <= FILLERS:
        return None
    if known & {"checks", "cheques", "check"} and not known & {
        "withdrawals",
        "debits",
        "subtractions",
        "deductions",
        "card",
        "credits",
        "deposits",
    }:
        return "checks"
    return _direction(known, card)


def _direction(known: set[str], card: bool) -> Kind:
    going, coming, paid = bool(known & OUT), bool(known & IN), bool(known & PAID)
    if going and coming:
        return "any"
    if going:
        return "any" if paid and card else "out"
    if coming or (known >= {"interest", "paid"}):
        return "in"
    if paid:
        return "in" if card else "out"
    return "out" if card and known & {"interest"} else "any"
