"""What a file states of all its rows together: how many there are, what came in and what went out; held against the rows, it shows one
that is missing or read twice where no balance does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from ..parsed import Remark
from .amounts import amount_of

LONGEST_LINE = 400
_CENT = Decimal("0.01")
_IN = (
    r"deposits?|credits?|money in|paid in|payments in|incoming(?: payments?| transfers?)?|additions|receipts|gutschriften|"
    r"zahlungseing[äa]nge|eing[äa]nge|haben|cr[ée]dits?|entradas|abonos|ingresos|haberes|accrediti|entrate|avere|bijschrijvingen|"
    r"bij|wp[łl]ywy|uznania|ins[äa]ttningar|inn?betalinger|indbetalinger|p[řr][íi]jmy"
)
_OUT = (
    r"withdrawals?|debits?|money out|paid out|payments out|outgoings?|outgoing(?: payments?| transfers?)?|subtractions|lastschriften|"
    r"zahlungsausg[äa]nge|ausg[äa]nge|belastungen|soll|d[ée]bits?|sa[íi]das|salidas|cargos|addebiti|uscite|dare|afschrijvingen|af|"
    r"wydatki|obci[ąa][żz]enia|uttag|utbetalinger|udbetalinger|v[ýy]daje"
)
_ROWS = (
    r"transactions?|entries|records|movements|postings|bookings|buchungen|ums[äa]tze|op[ée]rations|mouvements|movimientos|operaciones|"
    r"movimenti|operazioni|mutaties|transacties|transa[çc][õo]es|lan[çc]amentos|movimentos|transakcji|operacji|transaktioner|"
    r"posteringer|transaksjoner"
)
_NUMBER_OF = (
    r"(?:(?:total )?(?:number|count|no\.?|anzahl|nombre|n[úu]mero|aantal|antal|antall|liczba|quantidade|cantidad)"
    r"(?: (?:of|der|de|des|di|van|af|total de))?(?: d['’])?)"
)
_TOTAL = r"(?:grand |sub ?)?(?:totals?|totale[sn]?|totaux|sum(?:me|ma|a)?|gesamt)(?: (?:of|der|de|des|di|van|amount of|account|sundry))?"
_SIGNED = r"[-+−(]?\s?(?:[A-Z]{3}|[A-Z]{0,2}[$€£¥₹])?\s?[-+−]?\d[\d.,'’ \u00a0\u202f]*(?<=\d)"
_UNIT = r"\)?-?(?:\s?(?:[A-Z]{3}|[$€£¥₹]|Cr|Dr|CR|DR|kr|zł))?"
_AMOUNT = rf"(?P<amount>{_SIGNED}{_UNIT})"
_ITEMS = r"(?:items?|transactions?|entries)"
_COUNTED = rf"(?:[ :(]+(?P<count>\d{{1,5}})(?: {_ITEMS}\)?|\)))?"
_END = r"(?=\s*(?:$|;|\|)|\s+[^\W\d_])"
_IS_COUNT = r"\s*[:=;|]*\s*(?P<count>\d{1,5})\s*(?=$|[;|])"
_ALL = "(?:posted |booked )?"
_EVERY_ROW = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?:^|[;|]\s*)(?:{_NUMBER_OF} ?{_ALL}(?:{_ROWS})|total {_ALL}(?:{_ROWS})|(?:{_ROWS}) ?count|(?:{_ROWS})(?=\s*[:=])){_IS_COUNT}",
        rf"^[\s;|]*(?P<count>\d{{1,5}}) {_ALL}(?:{_ROWS})[\s;|]*$",
    )
)
_SOME_ROWS = tuple(
    re.compile(
        rf"(?:^|[;|]\s*)(?:{_NUMBER_OF} (?:{words})(?: {_ROWS})?|(?:{words}) (?:count|{_ITEMS})){_IS_COUNT}",
        re.IGNORECASE,
    )
    for words in (_IN, _OUT)
)
_SUMS = tuple(
    (
        re.compile(
            rf"(?:^|[;|]\s*|\s){_TOTAL} (?:{words})\b{_COUNTED}\s*[:=;|]*\s*{_AMOUNT}{_END}", re.IGNORECASE
        ),
        re.compile(rf"^{_AMOUNT}\s+{_TOTAL} (?:{words})$", re.IGNORECASE),
    )
    for words in (_IN, _OUT)
)
_OF_PARTS = re.compile(
    rf"(?:^|[;|]\s*|\s){_TOTAL} (?:atm |other |electronic |bank |service )?(?:checks?|cheques?|fees?|charges?|interest|purchases|payments|"
    r"advances|transfers)\b",
    re.IGNORECASE,
)
"""Totals of kinds of rows: beside them a total of withdrawals may be one of what is neither check nor fee."""
_TOTAL_ALONE = re.compile(
    r"\W*(?:grand )?(?:totals?|totaux|totale[sn]?|gesamt(?:summe)?|summe|sum[ae]|k[äa]ive|apgroz[īi]jums|apyvarta)\W*",
    re.IGNORECASE,
)
_GROUP = re.compile(r"[ \u00a0\u202f]+")

Stated = tuple[Decimal, ...]
"""A number as it can be read: digits before a blank may be its thousands or another number."""


@dataclass(slots=True)
class Figures:
    """What is stated, as often as it is: of all rows, of money in and of money out."""

    counts: list[int] = field(default_factory=list)
    counts_in: list[int] = field(default_factory=list)
    counts_out: list[int] = field(default_factory=list)
    totals_in: list[Stated] = field(default_factory=list)
    totals_out: list[Stated] = field(default_factory=list)


def is_total_alone(text: str) -> bool:
    """Whether words are those of a total of everything: of no month, no account and no kind of rows."""
    return _TOTAL_ALONE.fullmatch(text[:120]) is not None


def figures_in(texts: Iterable[str], decimal: str) -> Figures:
    """The figures that lines of text state in words; cells of one line are parted by `;` or `|`."""
    figures, has_parts = Figures(), False
    of_direction = ((figures.counts_in, figures.totals_in), (figures.counts_out, figures.totals_out))
    for text in texts:
        if len(text) > LONGEST_LINE or not any(map(str.isdigit, text)):
            continue
        has_parts = has_parts or _OF_PARTS.search(text) is not None
        figures.counts += [int(found["count"]) for every in _EVERY_ROW for found in every.finditer(text)]
        for (counts, totals), some, sums in zip(of_direction, _SOME_ROWS, _SUMS, strict=True):
            counts += [int(found["count"]) for found in some.finditer(text)]
            for found in (found for pattern in sums for found in pattern.finditer(text)):
                if stated := tuple(_readings(found["amount"], decimal)):
                    totals.append(stated)
                    if (counted := found.groupdict().get("count")) is not None:
                        counts.append(int(counted))
    return Figures(figures.counts) if has_parts else figures


def _readings(text: str, decimal: str) -> Iterator[Decimal]:
    """The number, and what it is without its first group of digits."""
    parts = _GROUP.split(text.strip())
    for start in range(len(parts)):
        value = amount_of(" ".join(parts[start:]), decimal)
        if value is not None:
            yield value


def disagreements(figures: Figures, values: Sequence[Decimal], *, lines: int | None = None) -> list[Remark]:
    """What is stated and is not what the rows make. `values` are the rows' amounts, money in positive; `lines` is how many lines they
    stand on, where a line may hold several. Several totals may be those of parts: then their sum counts too."""
    gains, losses = [one for one in values if one > 0], [one for one in values if one < 0]
    still = len(values) - len(gains) - len(losses)
    counted = (
        ("rows", figures.counts, {len(values), len(values) if lines is None else lines}),
        ("rows of money in", figures.counts_in, {len(gains), len(gains) + still}),
        ("rows of money out", figures.counts_out, {len(losses), len(losses) + still}),
    )
    summed = (
        ("credits", figures.totals_in, sum(gains, Decimal(0))),
        ("debits", figures.totals_out, sum(losses, Decimal(0))),
    )
    return [
        *(
            Remark(f"the file states {stated[0]} {name}, and {min(own)} were read")
            for name, stated, own in counted
            if stated and own.isdisjoint((*stated, sum(stated)))
        ),
        *(
            Remark(f"total {name} do not agree: the file says {stated[0][0]}, its rows sum to {own}")
            for name, stated, own in summed
            if stated and not _agrees(stated, abs(own))
        ),
    ]


def _agrees(stated: Sequence[Stated], own: Decimal) -> bool:
    every = [value for values in stated for value in values] + [
        sum((abs(values[0]) for values in stated), Decimal(0))
    ]
    return any(abs(abs(value) - own) <= _CENT for value in every)
