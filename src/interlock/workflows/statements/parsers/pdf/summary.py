"""What a statement says besides its rows: account numbers, balances at both ends, totals, the currency, and whether it is a card's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from ...parsed import Remark
from ..currency_words import SHARED, SYMBOLS, code_in, iban_currency, named_currency
from ..institutions import Institution, country_currency, dollar_of
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


SIGN_IN_HEAD = re.compile(r"\(\$\)")
CURRENCY_OF_ACCOUNT = re.compile(
    rf"(?<![A-Z])({'|'.join(CODES)})[ -]{{1,3}}(?:savings|current|checking|account|konto|cuenta|conto|compte)\b(?! (?:to|from)\b)",
    re.IGNORECASE,
)
"""In the heading of one of several accounts: “HKD Savings”."""
LOOKED_AT = 600  # lines
TITLE = 40
ISRAELI = re.compile(r"(?<!\w)ש[\"״]ח(?!\w)")
US_PLACE = re.compile(
    r"\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])"
    r" \d{5}(?:-\d{4})?$"
)
"""The end of an address in one of the states, with its ZIP code: the bank's and the customer's are two."""
OF_ACCOUNT = re.compile(
    r"\b(?:account|a/c|statement|konto|compte|cuenta|conta|conto|rekening)\b", re.IGNORECASE
)
EXCHANGE = re.compile(
    r"\b(?:exchange|conver(?:sion|ted)|foreign|fx|original|rate|kurs|wechselkurs|umrechnung|taux|cours|tipo de cambio|cambio|koers)\b|@",
    re.IGNORECASE,
)
"""A note under a payment in another currency."""
OF_CURRENCY = re.compile(
    r"\b(?<!foreign )(?<!original )(?:currency|ccy|curr\.?|w[äa]hrung|devise|divisa|moneda|moeda|waluta|m[ěe]na|"
    r"devizanem)\b|货币|币种|通貨",
    re.IGNORECASE,
)
"""The head of a column of currencies."""
UNDER_A_ROW = 3.5
"""Heights of a letter below a row in which its description may go on."""
LIKELY = {
    "SEK": r"\b(?:kontoutdrag|bokf[öo]ringsdag|belopp|utg[åa]ende saldo)\b",
    "DKK": r"\b(?:kontoudskrift|bel[øo]b|bogf[øo]rt|posteringer)\b",
    "NOK": r"\b(?:kontoutskrift|bel[øo]p|bokf[øo]rt|inng[åa]ende saldo)\b",
    "PLN": r"\b(?:kwota|wyci[ąa]g|rachunek)\b",
    "CZK": r"\b(?:[čc][áa]stka|z[ůu]statek)\b",
    "HUF": r"\b(?:[öo]sszeg|egyenleg)\b",
    "TRY": r"\b(?:bakiye|i[şs]lem)\b",
}
"""The currency of the country where a language is spoken, for statements that name none; it stays an assumption."""
KRONER = {
    "SEK": r"\b(?:Sweden|Sverige|Swedish)\b",
    "NOK": r"\b(?:Norway|Norge|Norwegian)\b",
    "DKK": r"\b(?:Denmark|Danmark|Danish)\b",
}
_BESIDE = re.compile(
    r"(?<![^\W_])("
    + "|".join(re.escape(symbol) for symbol in sorted([*SYMBOLS, *SHARED], key=len, reverse=True))
    + r")\.?\s?[-+(]?\d"
    r"|(?<!\w)\d(?:[\d.,'’ ]*\d)?[-)]?\s?("
    + "|".join(re.escape(symbol) for symbol in sorted([*SYMBOLS, *SHARED], key=len, reverse=True))
    + r")(?![A-Za-z])"
)
_CODE_BESIDE = re.compile(
    r"(?<![A-Za-z])([A-Z]{3})\s?[-+(]?\d[\d.,' ]*[.,]\d\d|[.,]\d\d\)?-?\s?([A-Z]{3})(?![A-Za-z])"
)


@dataclass(frozen=True, slots=True)
class Currency:
    """A code. `is_proved`: the file names it, or only one country is possible. `is_in_head`: no symbol beside an amount counts."""

    code: str
    is_proved: bool = True
    is_in_head: bool = False


def currency_of(
    lines: Sequence[Line],
    entries: Sequence[Entry],
    amounts: Sequence[str],
    bank: Institution | None,
    *,
    has_decimal_comma: bool,
) -> Currency:
    """The currency of a statement's amounts."""
    heads = {code for entry in entries if entry.head and (code := _code_in_head(entry.line.text))}
    if len(heads) == 1:
        return Currency(heads.pop(), is_in_head=True)
    apart = "\n".join(line.text for line in lines[:LOOKED_AT] if date_at(line.words, 0) is None)
    outside = outside_rows(lines[:LOOKED_AT], entries)
    if code := _in_a_column(entries) or named_currency(outside):
        return Currency(code)
    if code := named_currency(apart):  # between rows: of another account on the page, or of a purchase
        return Currency(code, is_proved=bank is None or bank.currency in ("", code))
    if of_title := _of_title(lines, outside, bank):
        return of_title
    own = [line for line in apart.splitlines() if not EXCHANGE.search(line)]
    balances = "\n".join(line for line in own if OF_BALANCE.search(line))
    counted = _beside("\n".join(amounts)) or _beside(balances)
    if counted:
        symbol = counted.most_common(1)[0][0]
        if symbol not in SHARED:
            are_alike = (
                len({SYMBOLS.get(one, one) for one in _beside(balances)}) < 2
            )  # else of several accounts
            return Currency(SYMBOLS.get(symbol, symbol), is_proved=are_alike)
        has_cents = any(_CENTS.search(one) for one in amounts)
        return _shared(symbol, outside, bank, has_cents=has_cents, has_decimal_comma=has_decimal_comma)
    if loose := _beside("\n".join(line for line in outside.splitlines() if not EXCHANGE.search(line))):
        return _loose(loose.most_common(1)[0][0], outside, bank)
    if of_account := _of_the_account(bank, apart, lines):
        return of_account
    if any(entry.head and SIGN_IN_HEAD.search(entry.line.text) for entry in entries):
        has_cents = any(_CENTS.search(one) for one in amounts)
        return _shared("$", outside, bank, has_cents=has_cents, has_decimal_comma=has_decimal_comma)
    return _between_rows(own, outside, bank) or _likely(apart, has_decimal_comma=has_decimal_comma)


def _of_the_account(bank: Institution | None, apart: str, lines: Sequence[Line]) -> Currency | None:
    """What the bank, the account's IBAN or a code beside the account's name says, in this order. Where the IBAN or words of banking are
    another country's than the bank, theirs is the likelier, and not proved."""
    if bank is not None and bank.currency:
        others = {iban_currency(apart), country_currency(apart)} - {"", bank.currency}
        return Currency(others.pop(), is_proved=False) if len(others) == 1 else Currency(bank.currency)
    if code := iban_currency(apart) or country_currency(apart):
        return Currency(code)
    if ISRAELI.search(apart):
        return Currency("ILS")
    if sum(line.page == 0 and US_PLACE.search(line.text) is not None for line in lines[:TITLE]) > 1:
        return Currency("USD")
    beside = {
        code
        for line in lines[:TITLE]
        if (OF_ACCOUNT.search(line.text) or line.text in CODES) and (code := code_in(line.text))
    }
    return Currency(beside.pop()) if len(beside) == 1 else None


def _between_rows(own: Sequence[str], outside: str, bank: Institution | None) -> Currency | None:
    """A symbol that stands only between rows: it may be of a purchase abroad, so it proves nothing."""
    loose = _beside("\n".join(own))
    if not loose:
        return None
    return Currency(_loose(loose.most_common(1)[0][0], outside, bank).code, is_proved=False)


def _likely(apart: str, *, has_decimal_comma: bool) -> Currency:
    """The currency of the country that the words of the page are about; without one, that of the decimal mark."""
    likely = next((code for code, words in LIKELY.items() if re.search(words, apart, re.IGNORECASE)), "")
    return Currency(likely or ("EUR" if has_decimal_comma else "USD"), is_proved=False)


def outside_rows(lines: Sequence[Line], entries: Sequence[Entry]) -> str:
    """The text above the first and below the last row of each page: what stands between is of purchases, which name any country."""
    spans: dict[int, tuple[float, float]] = {}
    for entry in entries:
        if entry.cells and date_at(entry.line.words, 0) is not None:
            line = entry.line
            first, last = spans.get(line.page, (line.y, line.y))
            spans[line.page] = min(first, line.y), max(last, line.y + UNDER_A_ROW * line.height)
    beyond = (float("inf"), float("-inf"))
    kept = [line for line in lines if not _between(line.y, spans.get(line.page, beyond))]
    return "\n".join(line.text for line in kept)


def _between(place: float, span: tuple[float, float]) -> bool:
    return span[0] <= place <= span[1]


def _in_a_column(entries: Sequence[Entry]) -> str:
    """The code that stands in the column of currencies of every dated row."""
    rows = [
        entry
        for entry in entries
        if entry.cells and entry.table is not None and not entry.head and date_at(entry.line.words, 0)
    ]
    names = " ".join(entry.line.text for entry in entries if entry.head)
    codes = [code_in(entry.line.text) for entry in rows]
    return codes[0] if codes and OF_CURRENCY.search(names) and len(set(codes)) == 1 else ""


def _beside(text: str) -> Counter[str]:
    """Codes and symbols that stand beside numbers, counted."""
    codes = [one or other for one, other in _CODE_BESIDE.findall(text) if code_in(one or other)]
    return Counter(codes or [one or other for one, other in _BESIDE.findall(text)])


def _code_in_head(text: str) -> str:
    """The currency that a head of a table names: by its code, or as euros."""
    return code_in(text) or ("EUR" if re.search(r"\beuros?\b", text, re.IGNORECASE) else "")


def _loose(symbol: str, text: str, bank: Institution | None) -> Currency:
    """A symbol that stands beside neither amounts nor balances: it may be of a payment abroad, so the bank's own currency wins."""
    loose = Currency(SYMBOLS.get(symbol, symbol)) if symbol not in SHARED else _shared(symbol, text, bank)
    if bank is None or not bank.currency or bank.currency == loose.code:
        return loose
    return Currency(bank.currency, is_proved=False)


_ABROAD = re.compile(
    r"\b(?:canadian|australian|new zealand|singapore|hong ?kong|mexican|u\.?s\.?) (?:dollars?|pesos?)\b",
    re.IGNORECASE,
)
"""The money of a purchase abroad, noted under it: it says nothing of a bank whose country is known."""
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")
PESOS = {
    "ARS": r"\bArgentina\b|\bCBU\b|\bCUI[TL]\b|\bBuenos Aires\b|\bBCRA\b|\bpesos argentinos\b",
    "CLP": r"\bChile\b|\bcmfchile\b|\bSantiago de Chile\b|\bpesos chilenos\b",
    "COP": r"\bColombia\b|\bBogot[áa]\b|\bMedell[íi]n\b|\bSuperfinanciera\b|\bpesos colombianos\b",
    "MXN": r"\bM[ée]xico\b|\bCLABE\b|\bCDMX\b|\bpesos mexicanos\b",
    "UYU": r"\bUruguay\b|\bMontevideo\b|\bpesos uruguayos\b",
}
"""Words that tell whose pesos a statement counts; a bare `$` stands for all of them."""
OF_PESOS = re.compile(r"\b(?:en|moneda\W{0,5})\s*pesos\b", re.IGNORECASE)
OF_THE_BANK = re.compile(
    r"\bpesos\b|\bbanco?\b[^\n]{0,30}\b(?:argentina|chile|colombia|uruguay)\b", re.IGNORECASE
)
OF_DOLLARS = re.compile(r"\b(?:en|moneda\W{0,5})\s*d[óo]lares\b|\bU\$S", re.IGNORECASE)


def _pesos_of(text: str) -> str:
    """The code of the only country of pesos that the text names."""
    named = [code for code, words in PESOS.items() if re.search(words, text, re.IGNORECASE)]
    return named[0] if len(named) == 1 else ""


def _of_title(lines: Sequence[Line], text: str, bank: Institution | None) -> Currency | None:
    """The pesos or dollars that a Spanish title names (“Resumen de Caja de Ahorro en Pesos”); pesos in doubt where nothing says whose."""
    title = "\n".join(line.text for line in lines[:TITLE] if date_at(line.words, 0) is None)
    if OF_DOLLARS.search(title):
        return None if OF_PESOS.search(title) else Currency("USD")
    if not OF_PESOS.search(title):
        return None
    home = bank.currency if bank is not None and bank.currency in PESOS else ""
    code = home or _pesos_of(text)
    return Currency(code or "MXN", is_proved=bool(code))


RUPEES = {
    "INR": r"\b(?:India|IFSC|UPI|NEFT|IMPS)\b",
    "PKR": r"\b(?:Pakistan|PK\d\d)\b",
    "LKR": r"\b(?:Sri Lanka|Ceylon|Colombo)\b",
    "NPR": r"\bNepal\b",
    "MUR": r"\bMauritius\b",
}


def _shared(
    symbol: str,
    text: str,
    bank: Institution | None,
    *,
    has_cents: bool = False,
    has_decimal_comma: bool = False,
) -> Currency:
    """A symbol that several countries use: the words of the statement or its bank say whose it is."""
    possible = SHARED[symbol]
    home = bank.currency if bank is not None and bank.currency in possible else ""
    if symbol == "$":
        named = dollar_of(_ABROAD.sub(" ", text) if home else text)
        code = home if home and named in ("", "USD", home) else named or home
        if not home and (pesos := _pesos_of(text)) not in ("", code):
            is_written_so = has_decimal_comma or not has_cents or OF_THE_BANK.search(text) is not None
            return Currency(pesos, is_proved=is_written_so and not code and OF_DOLLARS.search(text) is None)
        return Currency(code or "USD", is_proved=bool(code) and not (code == "USD" and has_decimal_comma))
    if symbol == "kr":
        named = next((code for code, words in KRONER.items() if re.search(words, text)), "")
        code = home or named or iban_currency(text)
        return Currency(code or "SEK", is_proved=code in possible)
    if symbol.startswith("Rs"):
        code = home or next((code for code, words in RUPEES.items() if re.search(words, text)), "")
        return Currency(code or "INR", is_proved=bool(code))
    is_chinese = re.search(r"\b(?:RMB|CNY|China|Chinese)\b", text) is not None
    if has_cents and not home:  # a yen has none
        return Currency("CNY", is_proved=is_chinese)
    return Currency(home or ("CNY" if is_chinese else "JPY"))
