"""What a statement says of itself: account numbers, balances at both ends, the currency, whether it is a card's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from .dates import MONTH, date_at
from .lines import Line
from .money import CODES, Cell
from .tables import Entry

WHEN = (
    r"(?: (?:on|as of|at|from|for|,|-) ?.{0,40}?| \d{1,2}[/.-]\d{1,2}\S*| brought| last statement|"
    rf" {MONTH} \d{{1,2}}(?:, \d{{4}})?)?"
)
BEGINNING = re.compile(
    rf"\b(?:beginning|opening|starting|start|previous|prior|initial|last)(?: (?:account|ledger|statement|daily|"
    rf"period|total))* bal(?:ance)?\b{WHEN}|"
    r"\bbalance (?:brought forward|b/f(?:wd)?|forward|from (?:last|previous) statement|last statement|"
    r"at (?:the )?(?:start|beginning)(?: of period)?)|\bbrought forward\b|"
    r"^\W*b/f\W*$|\balter saldo|\bsaldo (?:anterior|inicial|iniziale|precedente|pocz[ąa]tkowe)|"
    r"\bancien solde|\bsolde (?:initial|pr[eé]c[eé]dent|ancien|d[ée]part)|"
    r"\b(?:anfangs|vortrags)saldo|\b(?:alter|letzter|voriger) (?:kontostand|saldo)|\bing[åa]ende saldo|"
    r"\b(?:begin|vorig )saldo|\bfatura anterior|\bbalance from previous statement",
    re.IGNORECASE,
)
ENDING = re.compile(
    rf"\b(?:ending|closing|end|final)(?: (?:account|ledger|statement|daily|period|total))* bal(?:ance)?\b{WHEN}|"
    r"\bnew (?:account )?balance(?: total)?\b(?! transfer)|\bbalance (?:carried forward|c/f(?:wd)?|this statement|"
    r"at (?:the )?end(?: of period)?)|"
    r"\bcarried forward\b|\bneuer (?:saldo|kontostand)|\bsaldo (?:finale?|actual|ko[ńn]cowe|a su favor)|\bnouveau solde|"
    r"\bsolde (?:final|nouveau)|\b(?:end|schluss)saldo|\butg[åa]ende saldo|\b(?:eind|nieuw )saldo",
    re.IGNORECASE,
)
OF_BALANCE = re.compile(r"\bbal\b|balance|forward|saldo|solde|kontostand|fatura anterior", re.IGNORECASE)
OWN_ROW = re.compile(
    rf"\W*(?:(?:19|20)\d\d )?(?:(?:{BEGINNING.pattern})|(?:{ENDING.pattern}))(?: (?:total|amount))?"
    r"(?: (?:au|vom|am|al|on|as of|at|du|del|per|zum) .{1,30})?[\s\W\d/]*",
    re.IGNORECASE,
)
TOTAL = re.compile(
    r"^\W*(?:sub-?\s?totals?|totals?|grand totals?|net (?:change|total|amount)|page total|summe|zwischensumme|totaux|totale|totali|suma)\b|"
    r"\btotals?\b.{0,60}(?:this period|for this|in \d{4})",
    re.IGNORECASE,
)
ACCOUNT = re.compile(
    r"(?:\b(?:account|acct|card|a/c|member|iban|konto|compte|cuenta)(?:\s*(?:number|no|nr|num|nummer|ending|ends)){0,2}(?:\s+(?:in|with))?\.?\s*[:#]{0,2}\s*)"
    r"((?:[A-Z]{2}\d{2}[ ]?)?[\dXx*•.…-][\dXx*•.… -]{2,32}\d(?:\d|\b))",
    re.IGNORECASE,
)
NAMED_ACCOUNT = re.compile(
    r"\bending in (\d{4,5})\b|\b(?:checking|savings|chequing)\b[ A-Za-z]{0,20}[-–:# ]+(?=\d{6})(\d[\d-]{5,20})",
    re.IGNORECASE,
)
CARDS = (
    ("minimum (?:payment|amount) ?(?:due)?|mindestbetrag|pago m[íi]nimo", 1),
    ("payment due date|due date", 1),
    (r"credit (?:limit|line)|available credit|credit access|kreditlimit|l[íi]mite de cr[ée]dito", 1),
    ("new balance", 1),
    (r"previous (?:statement )?balance|fatura anterior", 1),
    ("cash advance", 1),
    (r"purchases|total de compras", 1),
    (
        r"credit card(?:\(s\))? statement|card statement|kreditkarten(?:abrechnung)?|tarjeta de cr[ée]dito|carte de cr[ée]dit|"
        r"carta di credito|cart[ãa]o de cr[ée]dito|\bfatura\b",
        2,
    ),
    (r"\b(?:visa|mastercard)\b(?! debit)(?!.{0,20}debit)", 1),
    (
        r"\b\d{4}[ -]?(?:\d{2}[x*•]{2}|[x*•]{4})[ -]?[x*•]{4}[ -]?\d{4}\b|[x*•]{4}[ -][x*•]{4}[ -][x*•]{4}[ -]\d{4}",
        1,
    ),
    (r"payment.{0,24}thank you.{0,60}?(?:[-−(]\s?\$?\d[\d,]*\.\d\d|\d\.\d\d ?(?:-|cr\b))", 2),
    (r"annual percentage rate|interest charge calculation|late payment warning", 1),
)
BANKS = (
    r"beginning balance|opening balance|starting balance",
    r"ending balance|closing balance",
    "deposits?",
    "withdrawals?",
    "checking|savings|chequing|current account",
    "paid in|money in",
    r"iban|sort code|bsb|ifsc?|[a-z]{2}\d\d(?: ?[a-z\d]{4}){3,7}(?: ?[a-z\d]{1,3})?",
    "girokonto|kontoauszug|kontoutdrag|kontoutskrift|kontoudskrift|rekening|afschrift",
    r"relev[ée] de compte|compte (?:courant|ch[èe]ques?|de d[ée]p[ôo]t)|(?:extracto|movimientos) de (?:la )?cuenta|cuenta corriente|conto corrente|estratto conto",
    r"wyci[ąa]g|rachun(?:ek|ku)|rekeningafschrift|betaalrekening|conta corrente",
    r"alter (?:saldo|kontostand)|solde (?:initial|ancien)|saldo (?:anterior|inicial|iniziale)|anfangssaldo|ing[åa]ende saldo",
    r"neuer (?:saldo|kontostand)|solde (?:final|nouveau)|saldo (?:finale?|actual)|(?:end|schluss)saldo|utg[åa]ende saldo",
)


AT_A_DAY = re.compile(
    r"^\W*(?:(?:your |account )?balance (?:on|at|as (?:of|at))|kontostand(?: (?:am|per|vom|zum))?|"
    r"solde (?:cr[ée]diteur|d[ée]biteur)(?: (?:au|du))?|solde au|saldo (?:al|am|per|na dzie[ńn]|op))\b",
    re.IGNORECASE,
)
"""A balance whose words do not say at which end it stands: its place before or after the rows does."""


def balance_at_a_day(entry: Entry) -> Decimal | None:
    """The only amount of a line that states the balance of some day."""
    if len(entry.cells) != 1 or not AT_A_DAY.search(entry.line.text):
        return None
    value = entry.cells[0].money.balance
    return -abs(value) if re.search(r"d[ée]biteur", entry.line.text, re.IGNORECASE) else value


@dataclass(frozen=True, slots=True)
class Said:
    """A balance found on a line."""

    end: bool  # of the period; else of its beginning
    value: Decimal


def said_on(entry: Entry, below: Entry | None) -> list[Said]:
    """Balances that a line states: the amount that follows the words, or stands under them."""
    if not OF_BALANCE.search(entry.line.text):
        return []
    found = [(match, False) for match in BEGINNING.finditer(entry.line.text)] + [
        (match, True) for match in ENDING.finditer(entry.line.text)
    ]
    said = []
    for match, end in found:
        words = entry.line.words_at(*match.span())
        cell = _in_balance_column(entry, words[-1].x0) or next(
            (
                cell
                for cell in entry.cells
                if cell.x0 >= words[-1].x0
                and cell.x0 - words[0].x0 < 580
                and not _foreign(entry.line, match.end(), cell)
            ),
            None,
        )
        if (
            cell is None
            and not entry.cells
            and below is not None
            and (len(below.cells) >= 2 or _has_no_text(below))
            and below.line.y - entry.line.y < 4 * entry.line.height
        ):
            cell = next(
                (
                    cell
                    for cell in below.cells
                    if cell.x1 > words[0].x0 - 2 and (cell.x0 < words[-1].x1 + 2 or len(below.cells) == 1)
                ),
                None,
            )
        if cell is not None:
            said.append(Said(end, cell.money.balance))
    return said


def _in_balance_column(entry: Entry, after: float) -> Cell | None:
    """The amount in the table's column of balances, where a line also has totals of the others."""
    if entry.table is None or len(entry.cells) < 2:
        return None
    return next(
        (cell for cell in entry.cells if cell.x0 >= after and entry.table.role_of(cell) == "balance"), None
    )


def _has_no_text(entry: Entry) -> bool:
    """Whether a line has numbers and codes only: the values under a line of names."""
    return date_at(entry.line.words, 0) is None and not re.search(r"[A-Za-z]{4}", entry.line.text)


def _foreign(line: Line, end: int, cell: Cell) -> bool:
    """Whether other words stand between a label and an amount: then the amount is theirs."""
    between = line.text[end : line.starts[cell.first]]
    return len(re.findall(r"[A-Za-z]{3,}", re.sub(r"\b(?:" + "|".join(CODES) + r")\b", "", between))) > 4


def account_on(text: str) -> str | None:
    """The account number printed on a line, as printed."""
    found = ACCOUNT.search(text) or NAMED_ACCOUNT.search(text)
    if not found:
        return None
    number = (found[1] or found[found.lastindex or 1]).strip(" -").rstrip(".…")
    digits = re.sub(r"\D", "", number)
    return (
        number
        if len(digits) >= 4
        and not re.fullmatch(r"-?[\d,]*\.\d\d", number)
        and not re.fullmatch(r"\d{1,2}-\d{1,2}-\d{2,4}", number)
        else None
    )


def card_evidence(lines: list[Line]) -> tuple[int, int]:
    """How much speaks for the statement of a card, and how much for that of an account: each kind of evidence has its weight."""
    text = "\n".join(line.text for line in lines[:400]).lower()
    cards = sum(weight for words, weight in CARDS if re.search(words, text))
    banks = sum(1 for words in BANKS if re.search(rf"\b(?:{words})\b", text))
    return cards, banks


def is_card(lines: list[Line]) -> bool:
    """Whether the words are those of a card's statement rather than of an account's."""
    cards, banks = card_evidence(lines)
    return cards >= 3 and cards > banks


def is_open(lines: list[Line], card: bool) -> bool:
    """Whether the words leave it open that a statement is a card's, or that it is an account's."""
    cards, banks = card_evidence(lines)
    return cards < banks + 2 if card else banks <= cards
