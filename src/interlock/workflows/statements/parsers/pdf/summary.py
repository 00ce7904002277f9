"""What a statement says besides its rows: account numbers, balances at both ends, totals, and whether it is a card's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...parsed import Remark
from .columns import FLOWS
from .dates import MONTH, date_at
from .drafts import Draft
from .lines import Line, Word
from .money import CODES, Cell
from .sections import Section, names_a_total
from .tables import Entry

WHEN = (
    r"(?: (?:on|as of|at|from|for|,|-) ?.{0,40}?| \d{1,2}[/.-]\d{1,2}\S*| brought| last statement|"
    rf" {MONTH} \d{{1,2}}(?:, \d{{4}})?)?"
)
BEGINNING = re.compile(
    rf"\b(?:beginning|opening|starting|start|previous|prior|initial|last)(?: (?:account|ledger|statement|daily|monthly|"
    rf"period|total))* bal(?:ance)?\b{WHEN}|"
    r"\bbalance (?:brought forward|b/f(?:wd)?|forward|from (?:last|previous) statement|last statement|"
    r"at (?:the )?(?:start|beginning)(?: of period)?|previous statement)|\bbrought forward\b|"
    r"(?:^|(?<=\d ))\W*b/f(?=[\s\W\d]*(?:[cd]r)?\W*$)|\bb/f bal(?:ance)?\b|\balkusaldo\b|\bsaldo fra kontoutskrift\b|"
    r"\bbeginning cash\b(?:\W? as of \S+)?|"
    r"\balter saldo|\bsaldo (?:der )?letzte[nr]? abrechnung|\bsaldo (?:anterior|inicial|iniziale|precedente|pocz[ąa]tkowe)|"
    r"\bancien solde|\bsolde report[eé]\b|\bsolde (?:initial|pr[eé]c[eé]dent|ancien|d[ée]part)|"
    r"\b(?:anfangs|vortrags)saldo|\bsaldovortrag\b|\bsaldo primo\b|\bdevreden bakiye|"
    r"\b(?:alter|letzter|voriger|vorheriger) (?:kontostand|saldo)|\bing[åa]ende saldo|"
    r"\b(?:begin|vorig (?:openstaand )?)saldo|\bfatura anterior|\badeudo del per[íi]odo anterior|\bbalance from previous statement|"
    r"\bpo[čc][áa]te[čc]n[íi] z[ůu]statek|\bpo[čc]iato[čc]n[ýy] zostatok|\bnyit[óo] egyenleg|\b(?:prethodno|po[čc]etno) stanje|"
    r"\bsold (?:ini[țt]ial|anterior|precedent)|\bsaldo awal|"
    r"\b[öo]nceki (?:hesap |d[öo]nem )?(?:bakiye(?:si)?|borcu(?:nuz)?)\b|이월잔액|전월이월|전기이월|"
    r"前[期月]繰越|繰越残高|(?<!\w)繰越(?!\w)|上期余额|期初余额|承前(?:结余|餘額)|"
    r"\b(?:баланс|залишок) на початок(?: періоду)?|\b(?:вхідний|входящий) (?:залишок|остаток)|\bостаток на начало(?: периода)?|"
    r"\bυπ[όο]λοιπο απ[όο] μεταφορ[άα]|\b(?:προηγο[ύυ]μενο|αρχικ[όο]) υπ[όο]λοιπο",
    re.IGNORECASE,
)
ENDING = re.compile(
    rf"\b(?:ending|closing|end|final)(?: (?:account|ledger|statement|daily|period|total))* bal(?:ance)?\b{WHEN}|"
    r"\bending cash\b(?:\W? as of \S+)?|\bsaldo i (?:deres|din|v[åa]r) fav[øo]r\b|\bmonth-end balance\b|"
    r"\bnew (?:account )?balance(?: total)?\b(?! transfer)|\bbalance (?:carried forward|c/f(?:wd)?|this statement|"
    r"at (?:the )?end(?: of period)?)|"
    r"\bcarried forward\b|\bneuer (?:saldo|kontostand)|\bsaldo (?:finale?|actual|ko[ńn]cowe|a su favor)|\bnouveau solde|"
    r"\bsolde (?:final|nouveau)|\b(?:end|schluss)saldo|\butg[åa]ende saldo|\b(?:eind|nieuw (?:openstaand )?)saldo|"
    r"\bkone[čc]n[ýy] (?:z[ůu]statek|zostatok)|\bz[áa]r[óo] egyenleg|\b(?:novo|zavr[šs]no) stanje|\bsold final|"
    r"(?:^|(?<=\d ))\W*c/f(?=[\s\W\d]*(?:[cd]r)?\W*$)|\bsaldo akhir|\bsaldo ultimo\b|\bc/f bal(?:ance)?\b|\bloppusaldo\b|"
    r"(?<!nceki )\bd[öo]nem borcu\b|최종잔액|期末余额|本期结余|次期繰越|期末残高|"
    r"\b(?:баланс|залишок) на кінець(?: періоду)?|\b(?:вихідний|исходящий) (?:залишок|остаток)|\bостаток на конец(?: периода)?|"
    r"\b(?:ν[έε]ο|τελικ[όο]) υπ[όο]λοιπο",
    re.IGNORECASE,
)
OF_BALANCE = re.compile(
    r"(?:beginning|ending) cash\b|"
    r"\bbal\b|balance|forward|\b[bc]/f\b|saldo|solde|kontostand|fatura anterior|adeudo|z[ůu]statek|zostatok|egyenleg|bakiye|"
    r"\bstanje\b|\bsold\b|borcu|잔액|이월|残高|繰越|余额|结余|結餘|餘額|баланс|залишок|остаток|салдо|υπ[όο]λοιπο",
    re.IGNORECASE,
)
OWN_ROW = re.compile(
    rf"\W*(?:(?:19|20)\d\d )?(?:(?:{BEGINNING.pattern})|(?:{ENDING.pattern}))(?: (?:total|amount|cr[ée]diteur|d[ée]biteur))?"
    r"(?: (?:au|vom|am|al|on|as of|at|du|del|per|zum) .{1,30})?[\s\W\d/]*",
    re.IGNORECASE,
)
TOTAL = re.compile(
    r"^\W*(?:sub-?\s?totals?|totals?|grand totals?|net (?:change|total|amount)|page total|summe|zwischensumme|"
    r"totaux|totale|totali|totaal|suma|razem|celkem|toplam|[öo]sszesen|i alt)\b|"
    r"\btotals?\b.{0,60}(?:this period|for this|in \d{4})",
    re.IGNORECASE,
)
ACCOUNT = re.compile(
    r"(?:\b(?:account|acct|card|a/c|member|iban|konto|compte|cuenta)(?:\s*(?:number|no|nr|num|nummer|ending|ends)){0,2}(?:\s+(?:in|with))?\.?\s*[:#]{0,2}\s*)"
    r"((?:[A-Z]{2}\d{2}[ ]?)?[\dXx*•.…-][\dXx*•.… -]{2,32}\d(?:\d|\b))",
    re.IGNORECASE,
)
NAMED_ACCOUNT = re.compile(
    r"\bending in (\d{4,5})\b|\b(?:checking|savings|chequing)\b[ A-Za-z]{0,20}[-–:# ]+(?=\d{6})(\d[\d-]{5,20})|"
    r"\b(?:compte|livret)\b\D{0,40}\bn° ?(\d[\dA-Z ]{6,28})$|(?<![\d-])(\d\d-\d{4}-\d{7}-\d{2,3})(?![\d-])",
    re.IGNORECASE,
)
SHARE = re.compile(
    r"(?:(?:share|suffix|id)\b[ :#-]{0,3}(?=\d))?((?<=\W)\d{2,4}|[SL]-?\d{1,4}|0\d{1,3})[ :-]{1,3}"
    r"(?=[A-Z ]{0,40}\b(?:shares?|savings|checking|loan|certificate|money market)\b)[A-Z -]{4,60}",
    re.IGNORECASE,
)
"""The heading of one of the accounts of a member, which are known by a short code behind the member's number: “S01 PRIMARY SHARE”."""
NETWORK = re.compile(r"\b(?:visa|mastercard)\b(?! debit)(?!.{0,20}debit)")
MENTIONS = 5
"""More lines than these, or one that is repeated on a page, say how rows were paid, and not what the statement is of."""
EVIDENCE_OF_A_CARD = 3
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
    (
        r"\b\d{4}[ -]?(?:\d{2}[x*•]{2}|[x*•]{4})[ -]?[x*•]{4}[ -]?\d{4}\b|[x*•]{4}[ -][x*•]{4}[ -][x*•]{4}[ -]\d{4}",
        1,
    ),
    (r"payment.{0,24}thank you.{0,60}?(?:[-−(]\s?\$?\d[\d,]*\.\d\d|\d\.\d\d ?(?:-|cr\b))", 2),
    (r"apple card", 3),
    (r"kredi\u0307? kart[ıi]", 2),
    (r"ihre zahlung.{0,24}dank|merci (?:de|pour) votre (?:paiement|versement)|su pago.{0,12}gracias", 2),
    (r"asgari|son \u00f6deme", 1),
    (r"クレジットカード|ご利用代金|カード.{0,6}明細|信用卡|신용카드", 2),
    (r"pago para no generar intereses|adeudo del per[íi]odo anterior", 2),
    (r"annual percentage rate|interest charge calculation|late payment warning", 1),
)
BANKS = (
    r"beginning balance|opening balance|starting balance",
    r"ending balance|closing balance",
    "deposits?",
    "withdrawals?",
    "checking|savings|chequing|current account",
    "paid in|money in",
    "incoming transactions?|incoming payments?|outgoing transactions?|outgoing payments?",
    r"iban|sort code|bsb|ifsc?|[a-z]{2}\d\d(?: ?[a-z\d]{4}){3,7}(?: ?[a-z\d]{1,3})?",
    "girokonto|kontoauszug|kontoutdrag|kontoutskrift|kontoudskrift|rekening|afschrift",
    r"relev[ée] de compte|compte (?:courant|ch[èe]ques?|de d[ée]p[ôo]t)|(?:extracto|movimientos) de (?:la )?cuenta|"
    r"cuenta corriente|conto corrente|estratto conto",
    r"wyci[ąa]g|rachun(?:ek|ku)|rekeningafschrift|betaalrekening|conta corrente",
    r"alter (?:saldo|kontostand)|solde (?:initial|ancien)|saldo (?:anterior|inicial|iniziale|pocz[ąa]tkowe)|anfangssaldo|ing[åa]ende saldo",
    r"neuer (?:saldo|kontostand)|solde (?:final|nouveau)|saldo (?:finale?|actual|ko[ńn]cowe)|(?:end|schluss)saldo|utg[åa]ende saldo",
)


AT_A_DAY = re.compile(
    r"^\W*(?:(?:your |account )?balance (?:on|at|as (?:of|at|on))|kontostand(?: (?:am|per|vom|zum))?|"
    r"solde (?:cr[ée]diteur|d[ée]biteur)(?: (?:au|du))?|solde au|"
    r"saldo (?:al|am|per|na dzie[ńn]|op|(?=\d{1,2}[./]\d{1,2}[./]\d)))(?:\b|(?=\d))",
    re.IGNORECASE,
)
"""A balance whose words do not say at which end it stands: its place before or after the rows does."""


BESIDE = re.compile(r"\bbalance (?:on|as (?:of|at|on)) (?=.{0,3}\d)", re.IGNORECASE)
"""The balance of a day whose words stand behind another amount: `Money in £12.00  Balance on 1 January 2025 £90.00`."""


def balance_at_a_day(entry: Entry) -> Decimal | None:
    """The amount of a line that states the balance of some day: its only one, or the one that follows the words."""
    if not AT_A_DAY.search(entry.line.text):
        found = BESIDE.search(entry.line.text) if len(entry.cells) > 1 and not entry.table else None
        cell = found and _after_words(entry, found.end(), entry.line.words_at(*found.span()))
        return cell.money.balance if cell else None
    if len(entry.cells) != 1:
        return None
    value = entry.cells[0].money.balance
    return -abs(value) if re.search(r"d[ée]biteur", entry.line.text, re.IGNORECASE) else value


WIDEST_LABEL = 800.0
"""Points between the beginning of a label and its amount: the width of a page that lies on its side."""


@dataclass(frozen=True, slots=True)
class StatedBalance:
    """A balance found on a line."""

    end: bool  # of the period; else of its beginning
    value: Decimal
    is_carried: bool = False  # to the next page, which it is the end of
    owed: Decimal = Decimal(0)  # the same where balances are what is owed


IN_DEBT = re.compile(r"\W{0,3}d[ée]biteur\b", re.IGNORECASE)


def balances_on(entry: Entry, below: Entry | None) -> list[StatedBalance]:
    """Balances that a line states: the amount that follows the words, or stands under them."""
    if not OF_BALANCE.search(entry.line.text):
        return []
    named = [(match, False) for match in BEGINNING.finditer(entry.line.text)] + [
        (match, True) for match in ENDING.finditer(entry.line.text)
    ]
    stated = []
    for match, end in named:
        words = entry.line.words_at(*match.span())
        cell = _in_balance_column(entry, words[-1].x0) or _after_words(entry, match.end(), words)
        if cell is None and not entry.cells and below is not None:
            cell = _under_words(entry.line, below, words)
        if cell is not None:
            is_carried = re.search(r"carried|c/f", match[0], re.IGNORECASE) is not None
            is_debt = IN_DEBT.match(entry.line.text, match.end()) is not None
            value = -abs(cell.money.value) if is_debt else cell.money.balance
            stated.append(StatedBalance(end, value, is_carried, cell.money.owed))
    return stated


DUE = re.compile(
    r"^\W*total balance\b|\b(?:total )?(?:amount|payment|dues?) (?:due|payable)\b|\btotal (?:dues|outstanding|a pagar)\b|"
    r"\byour \w+ balance as of\b|\bstatement balance\b|\bpago para no generar intereses\b|\btotal de (?:la|esta) (?:factura|fatura)\b",
    re.IGNORECASE,
)
"""What is owed at the end, in words that are also used for other sums."""


NOW = re.compile(r"\bcurrent (?:account )?balance\b", re.IGNORECASE)
"""What is there at the end of an account's statement, or on the day of printing."""


def dues_on(entry: Entry, below: Entry | None, card: bool) -> list[Decimal]:
    """Amounts that a line names as owed at the end of a card's statement, or as an account's balance."""
    found = []
    for match in (DUE if card else NOW).finditer(entry.line.text):
        words = entry.line.words_at(*match.span())
        cell = _after_words(entry, match.end(), words)
        if cell is None and not entry.cells and below is not None:
            cell = _under_words(entry.line, below, words)
        if cell is not None:
            found.append(cell.money.balance)
    return found


def _after_words(entry: Entry, end: int, words: list[Word]) -> Cell | None:
    """The first amount right of a label that belongs to no other words."""
    return next(
        (
            cell
            for cell in entry.cells
            if cell.x0 >= words[-1].x0
            and cell.x0 - words[0].x0 < WIDEST_LABEL
            and not _foreign(entry.line, end, cell)
        ),
        None,
    )


def _under_words(line: Line, below: Entry, words: list[Word]) -> Cell | None:
    """The amount under a label: on a line of several amounts, or the only one on a line without words."""
    is_row_of_values = len(below.cells) >= 2 or _has_no_text(below)
    if not is_row_of_values or below.line.y - line.y >= 4 * line.height:
        return None
    return next(
        (
            cell
            for cell in below.cells
            if cell.x1 > words[0].x0 - 2 and (cell.x0 < words[-1].x1 + 2 or len(below.cells) == 1)
        ),
        None,
    )


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
    mentions = Counter((line.page, line.text) for line in lines[:400] if NETWORK.search(line.text.lower()))
    cards += any(count == 1 for count in mentions.values()) and mentions.total() <= MENTIONS
    banks = sum(1 for words in BANKS if re.search(rf"\b(?:{words})\b", text))
    return cards, banks


def is_card(lines: list[Line]) -> bool:
    """Whether the words are those of a card's statement rather than of an account's."""
    cards, banks = card_evidence(lines)
    return cards >= EVIDENCE_OF_A_CARD and cards > banks


LOANS = (
    r"(?:home|personal|car|student|housing|vehicle|mortgage|business) loan|mortgage|loan (?:account|statement)|statement of loan|"
    r"darlehen\w*|hypothek\w*|kreditkonto|pr[êe]t (?:immobilier|personnel)|pr[ée]stamo|hipoteca|mutuo|empr[ée]stimo|hypotheek|"
    r"bol[åa]n|boligl[åa]n|kredyt hipoteczny",
    r"loan balance|amount owing|balance owing|outstanding (?:loan|principal)|principal(?: balance)?|restschuld|"
    r"capital restant|capital pendiente|debito residuo|saldo devedor|restschuld|openstaande schuld",
    r"interest charged|annual % rate|repayments?|redraw|tilgung|amortizaci[óo]n|amortissement|aflossing",
)
ERAS = {"令和": 2018, "平成": 1988, "民[國国]": 1911}
"""The year before the first one of a reign or a republic."""
EVIDENCE_OF_A_LOAN = 2
LINES_ABOVE_ROWS = 25


def years_of_eras(text: str) -> set[int]:
    """The years that a text names as those of a reign or a republic."""
    return {
        base + int(year) for era, base in ERAS.items() for year in re.findall(rf"{era} ?(\d{{1,3}})", text)
    }


def loan_evidence(lines: Sequence[Line]) -> int:
    """How many kinds of words of a loan a statement has above its rows; 0 where none names a loan or its balance."""
    above: list[str] = []
    for line in lines:
        if len(above) >= LINES_ABOVE_ROWS:
            break
        if date_at(line.words, 0) is None:
            above.append(line.text.lower())
    found = [re.search(rf"\b(?:{words})\b", "\n".join(above)) is not None for words in LOANS]
    return sum(found) if found[0] or found[1] else 0


def is_open(lines: list[Line], card: bool) -> bool:
    """Whether the words leave it open that a statement is a card's, or that it is an account's."""
    cards, banks = card_evidence(lines)
    return cards < banks + 2 if card else banks <= cards


@dataclass
class Segment:
    """One account of the statement: what it says of its balances."""

    account: str = ""
    beginning: Decimal | None = None
    ending: Decimal | None = None
    currency: str = ""  # that its own heading names


@dataclass(frozen=True, slots=True)
class Total:
    """A total that is printed under rows. Which rows it means, its words do not say: those of its section, those since the last total,
    or all."""

    section: Section
    segment: int
    value: Decimal
    page: int
    begins: tuple[int, int]  # which draft is the section's first, and which the first since the last total
    end: int


def are_same_account(one: str, other: str) -> bool:
    """Whether two printed numbers may be of one account: what of both is not hidden ends alike."""
    shown = sorted(
        (re.sub(r"\D", "", re.split(r"[Xx*•…]+|\.{2,}", text)[-1]) for text in (one, other)), key=len
    )
    return shown[1].endswith(shown[0])


def last_digits(account: str) -> str:
    """By which an account is known where the rest of its number is hidden."""
    return re.sub(r"\D", "", account)[-4:]


def total_on(entry: Entry, section: Section) -> Decimal | None:
    """The total that a line states of a section whose rows all go the same way."""
    cells = [cell for cell in entry.cells if entry.table is not None and entry.table.role_of(cell) in FLOWS]
    if (
        not section.direction
        or len(cells) != 1
        or not names_a_total(entry.line.text[: entry.line.starts[cells[0].first]])
    ):
        return None
    return abs(cells[0].money.value)


def disagreeing(totals: Sequence[Total], drafts: Sequence[Draft]) -> list[Remark]:
    """Totals that no rows above them make: where balances prove nothing, they say where a row may be missing or misread."""
    found = []
    for total in totals:
        sums = [
            abs(
                sum(
                    (draft.value for draft in drafts[begin : total.end] if draft.segment == total.segment),
                    Decimal(0),
                )
            )
            for begin in (*total.begins, 0)
        ]
        if total.value not in sums:
            said = f"the total of “{total.section.name}” is {total.value}, but its rows make {sums[0]}"
            found.append(Remark(f"page {total.page}: {said}"))
    return found
