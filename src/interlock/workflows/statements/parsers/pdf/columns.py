"""Heads of tables: which words name a column, and what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .lines import Line, Word
from .money import CODES

Role = Literal[
    "date",
    "posted",
    "description",
    "debit",
    "credit",
    "amount",
    "balance",
    "check",
    "type",
    "foreign",
    "other",
]
MONEY: tuple[Role, ...] = ("debit", "credit", "amount", "balance")
FLOWS: tuple[Role, ...] = ("debit", "credit", "amount")

WORDS: list[tuple[Role, str]] = [
    ("amount", r"soll\s*/\s*haben|haben\s*/\s*soll"),
    (
        "foreign",
        r"(?:foreign|original|orig\.?|fx|int(?:ernationa)?l\.?(?:\s*#)?|merchant|transaction currency)\s+"
        r"(?:currency\s+)?(?:transaction\s+)?"
        r"(?:amounts?|spend|value)(?:\s+and\s+rate)?|"
        r"amounts?\s+in\s+(?:foreign|original|local|transaction)\s+currency|exchange\s+rate|fremdw[aä]hrung(?:sbetrag)?|betrag\s+(?:in\s+)?(?:fw|fremdw[aä]hrung)",
    ),
    (
        "balance",
        r"(?:(?:running|ending|closing|available|current|daily|account|new|ledger|resulting)\s+)*balances?(?:\s+amount)?|saldo|solde|kontostand|bakiye|z[ůu]statek|zostatok|egyenleg|stanje|sold",
    ),
    (
        "posted",
        r"(?:post(?:ing|ed)?\.?|process(?:ing|ed)?|value|effective|entry|settle(?:ment|d)?|clear(?:ed|ing)?|val\.?)\s+(?:date|dt\.?)|date\s+(?:posted|processed)|valuta|wert(?:stellung)?|"
        r"date\s+(?:de\s+)?valeur|(?:fecha|f\.)\s+valor|valeur|data\s+valuta|valutadag|rentedatum|rentedato|received\s+by\s+us|posted(?:\s+on)?|[ée]rt[ée]knap|provedeno",
    ),
    (
        "date",
        r"(?:(?:trans(?:action)?|tran|trn|activity|booking|purchase|sale|txn)\.?\s+)?dates?(?:\s*(?:of\s+)?(?:transaction|purchase|paid|&\s*time))?|datum|fecha(?:\s+operaci[oó]n)?|"
        r"(?:ver)?buchung(?:stag|sdatum)?|bu-tag|trans\s+dt|f\.\s+oper\.?|dato|data(?:\s+(?:operacji|operazione|contabile|registrazione|mov\.?))?|"
        r"bokf[öo]ringsdag|transaktionsdatum|reskontradatum|boekdatum|za[úu][čc]tov[áa]no|k[öo]nyvel[ée]s|d[áa]tum(?:a)?",
    ),
    (
        "other",
        r"ch(?:e)?q(?:ue)?s?\.?\s*(?:no\.?)?\s*/\s*ref(?:erence)?\.?\s*(?:no\.?|numbers?|#)?|"
        r"ref(?:erence)?\.?\s*(?:no\.?|numbers?|#)?\s*/\s*ch(?:e)?q(?:ue)?s?\.?\s*(?:no\.?|numbers?|#)?|"
        r"(?:utr|instrument|inst\.?|transaction|trans\.?|tran|txn)\s+(?:no\.?|id|numbers?|#)|s\.?\s?no\.?|sl\.?\s+no\.?",
    ),
    (
        "check",
        r"(?:check|cheque|chq|chk|ck)s?\.?\s*(?:/\s*serial\s*)?(?:no\.?|numbers?|nbr\.?|num\.?|#)(?:\s+or\s+id)?|che(?:ck|que)(?=\s+(?:date|ref|amount))",
    ),
    (
        "debit",
        r"withdrawn|zu\s+ihren\s+lasten|withdrawals?(?:\s*(?:/|and|&|or)\s*(?:other\s+)?(?:subtractions|debits?|payments?|charges))?(?:\s+(?:amount|amt)\.?)?|"
        r"(?:total\s+)?debits?(?:\s*(?:/|and|&|or)\s*(?:withdrawals?|charges))?(?:\s+(?:amount|amt)\.?)?|"
        r"money\s+out|paid\s+out|(?:amount\s+)?subtract(?:ed|ions?)|payments?\s+out|cheques\s*&\s*debits|charges?(?:\s*/\s*debits?)?|soll|d[eé]bits?|(?:cheques?\s+[oy]\s+)?cargos?|"
        r"retiros?|lastschrift(?:en)?|"
        r"belastung(?:en)?|addebiti?|uscite|dare|sa[íi]das?|d[ée]bitos?|ut\s+fra\s+konto|outgoing|spent|out|(?:bedrag\s+)?af(?:\s*\(debet\))?|terhel[ée]s|isplat[ae]|pl[ăa][țt]i",
    ),
    (
        "credit",
        r"zu\s+ihren\s+gunsten|deposits?(?:\s*(?:/|and|&|or)\s*(?:other\s+)?(?:additions|credits?|receipts|interest))?(?:\s+(?:amount|amt)\.?)?|"
        r"credits?(?:\s*(?:/|and|&|or)\s*(?:deposits?|payments?))?(?:\s+(?:amount|amt)\.?)?|money\s+in|"
        r"paid\s+in|(?:amount\s+)?add(?:ed|itions?)|payments?\s+in|haben|cr[eé]dits?|(?:dep[óo]sitos?\s+[oy]\s+)?abonos?|"
        r"dep[óo]sitos?|gutschrift(?:en)?|accrediti?|entrate|avere|entradas?|cr[ée]ditos?|inn\s+på\s+konto|incoming|received|(?<!\()in|(?:bedrag\s+)?bij(?:\s*\(credit\))?|j[óo]v[áa][íi]r[áa]s|uplat[ae]|[îi]ncas[ăa]ri",
    ),
    (
        "amount",
        r"(?:transaction\s+|total\s+|net\s+|local\s+)?amounts?(?:\s+in\s+\w+)?|betrag|importe|monto|montant|umsatz|importo|kwota|belopp|bel[øo]b|bel[øo]p|bedrag|valor|[čc][áa]stka|[čc]iastka|[öo]sszeg|iznos|znesek|sum[ăa]",
    ),
    (
        "description",
        r"(?:merchant\s+name\s+or\s+)?(?:transaction\s+|payment\s+type\s+and\s+|activity\s+|payee\s+)?(?:description|details?)(?:\s+of\s+\w+)?(?:\s+of)?|particulars|narrati(?:ve|on)|remarks?|memo|merchant(?!\s+category)(?:\s+name)?|"
        r"payee|transactions?(?!\s+(?:type|date))|activity|verwendungszweck|buchungstext|vorgang|text|concepto|"
        r"detalle(?:\s+de\s+transacci[oó]n)?|descripci[oó]n|libell[eé](?:s)?|op[eé]rations?|nature\s+of|descrizione|causale|descri[çc][ãa]o|hist[óo]rico|opis(?:\s+operacji)?|omschrijving|"
        r"beskrivning|tekst|forklaring|erl(?:[äa]|ae)uterung|informationen|beschreibung|angaben\s+zu\s+den\s+ums(?:[äa]|ae)tzen|megnevez[ée]s|popis(?:\s+\w+)?|opis\s+transakcije|descriere",
    ),
    (
        "type",
        r"(?:transaction\s+|payment\s+|trans\.?\s+)?type|(?:merchant\s+)?category|kategorie|dr\s*/\s*cr|cr\s*/\s*dr",
    ),
    (
        "other",
        r"(?:bank\s+|customer\s+)?ref(?:erence|\.)?(?:\s*(?:no\.?|number|#))?|account(?:\s*(?:no\.?|number|#))?|numbers?|code|branch|card(?:\s*(?:no\.?|number))?|currency|rate|total|location|"
        r"serial(?:\s+no\.?)?|city|state|points|time|no\.?|#|daily|ending|trans\.?|posting|post|trace",
    ),
]
NAMES = re.compile(
    "|".join(f"(?P<r{number}>(?<![\\w/])(?:{words})(?![\\w]))" for number, (_, words) in enumerate(WORDS)),
    re.IGNORECASE,
)
NOISE = re.compile(
    r"[\W_]+|\((?:in )?(?:"
    + "|".join(CODES)
    + r"|[A-Z]{1,3}\$|[Kk]r\.?|\W)\)|[A-Z]{1,2}\$|"
    + "|".join(CODES)
    + r"|(?:in|of|the|your|and|us)\b",
    re.IGNORECASE,
)

CHECKS = re.compile(
    r"\W*(?:your |summary of )?che(?:ck|que)s?(?: (?:paid|cleared|posted|processed|listing|in|number|order|and|substitute))*\W*",
    re.IGNORECASE,
)
POSTED = re.compile(r"post(?:ing|ed)?\.?|process(?:ing|ed)?|value|effective|settle(?:ment|d)?", re.IGNORECASE)
NUMBER = re.compile(r"(?:serial )?(?:numbers?|no\.?|#)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Label:
    role: Role
    x0: float
    x1: float
    text: str

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


def labels_of(line: Line) -> list[Label]:
    """The column names on a line, or none if it is no head of a table."""
    if len(line.words) > 24 or len(line.words) < 2:
        return []
    labels, covered = [], 0
    for found in NAMES.finditer(line.text):
        role = WORDS[int((found.lastgroup or "r0")[1:])][0]
        words = line.words_at(found.start(), found.end())
        labels.append(Label(role, words[0].x0, words[-1].x1, found.group().lower()))
        covered += len(words)
    noise = sum(1 for word in line.words if NOISE.fullmatch(word.text))
    if covered < 0.62 * (len(line.words) - noise) or not is_head(labels) or not _apart(line):
        return []
    return _without_section(labels)


def _without_section(labels: list[Label]) -> list[Label]:
    """“Date – Payments and credits – Amount”: the name in the middle is that of the section, not of a column of money."""
    roles = [label.role for label in labels]
    if "amount" not in roles or ("debit" in roles) == ("credit" in roles):
        return labels
    return [
        Label("description", label.x0, label.x1, label.text) if label.role in ("debit", "credit") else label
        for label in labels
    ]


def is_head(labels: list[Label]) -> bool:
    """A head names a date or a description, and money."""
    roles = [label.role for label in labels]
    dated = "date" in roles or "posted" in roles
    money = any(role in MONEY for role in roles)
    flows = "amount" in roles or {"debit", "credit"} <= set(roles)
    return (dated and money) or ("description" in roles and flows and len(labels) >= 3)


def _apart(line: Line) -> bool:
    """Names of columns stand apart; a sentence does not."""
    gaps = [after.x0 - before.x1 for before, after in zip(line.words, line.words[1:], strict=False)]
    return max(gaps) > 0.9 * line.height


def head_at(lines: list[Line], index: int) -> tuple[list[Label], int]:
    """The head that begins on this line, and over how many lines it goes; a head of two lines is read column by column."""
    line = lines[index]
    after = lines[index + 1] if index + 1 < len(lines) else None
    alone = _with_checks(labels_of(line), lines[index - 1] if index else None)
    alone = _with_posted(alone, lines[index - 1] if index else None, line)
    if alone and not _same_twice(alone):
        return alone, 1
    if (
        after is not None
        and after.page == line.page
        and after.y - line.y <= 1.7 * line.height
        and not any(c.isdigit() for c in line.text + after.text)
    ):
        under = labels_of(after)
        if not under or _same_twice(under):  # else the line above it is a heading
            both = labels_of(stacked(line, after))
            if both:
                return both, 2
    return (alone, 1) if alone else ([], 0)


def _with_checks(labels: list[Label], above: Line | None) -> list[Label]:
    """“Number” below the word “Check” is the number of a check."""
    if above is None or not re.search(r"check|cheque", above.text, re.IGNORECASE):
        return labels
    if CHECKS.fullmatch(above.text):
        numbers = [label.role == "other" and NUMBER.fullmatch(label.text) is not None for label in labels]
        return [
            Label("check", label.x0, label.x1, label.text) if number else label
            for label, number in zip(labels, numbers, strict=True)
        ]
    places = [
        (word.x0, word.x1) for word in above.words if re.match(r"che(?:ck|que)", word.text, re.IGNORECASE)
    ]
    return [
        Label("check", label.x0, label.x1, label.text)
        if label.role == "other" and any(x0 < label.x1 and x1 > label.x0 for x0, x1 in places)
        else label
        for label in labels
    ]


def _with_posted(labels: list[Label], above: Line | None, line: Line) -> list[Label]:
    """Two columns called “Date”, below “Post” and “Trans”: the first word says which is the day of posting."""
    dates = [label for label in labels if label.role == "date"]
    if len(dates) != 2 or above is None or above.page != line.page or line.y - above.y > 1.7 * line.height:
        return labels
    posted = [
        label
        for label in dates
        if any(
            word.x0 < label.x1 and word.x1 > label.x0 and POSTED.fullmatch(word.text) for word in above.words
        )
    ]
    if len(posted) != 1:
        return labels
    return [
        Label("posted", label.x0, label.x1, label.text) if label is posted[0] else label for label in labels
    ]


def _same_twice(labels: list[Label]) -> bool:
    """Two amounts beside one date: the line above or below must say which is which."""
    roles = [label.role for label in labels]
    return roles.count("amount") > max(roles.count("date"), 1)


def is_stacked(upper: Line, lower: Line) -> bool:
    """Whether two lines without figures stand close enough to be one line of names."""
    near = upper.page == lower.page and lower.y - upper.y <= 1.7 * upper.height
    return near and not any(character.isdigit() for character in upper.text + lower.text)


def stacked(upper: Line, lower: Line) -> Line:
    """Two lines as one: words above each other belong together."""
    left = list(lower.words)
    words = []
    for word in _phrases(upper):
        under = [below for below in left if below.x0 < word.x1 + 1 and below.x1 > word.x0 - 1]
        left = [below for below in left if below not in under]
        stack = [word, *under]
        words.append(
            Word(
                " ".join(part.text for part in stack),
                min(part.x0 for part in stack),
                max(part.x1 for part in stack),
                lower.y,
                word.height,
            )
        )
    return Line(lower.page, lower.y, sorted([*words, *left], key=lambda word: word.x0), lower.place)


def _phrases(line: Line) -> list[Word]:
    """Words that stand close together, as one."""
    phrases: list[Word] = []
    for word in line.words:
        last = phrases[-1] if phrases else None
        if last and word.x0 - last.x1 < 0.4 * word.height:
            phrases[-1] = Word(f"{last.text} {word.text}", last.x0, word.x1, last.y, last.height)
        else:
            phrases.append(word)
    return phrases
