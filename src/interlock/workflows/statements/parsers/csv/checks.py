"""Balances that a table states, before it, under it and beside its rows, and whether the rows agree with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise, zip_longest

from ...parsed import Balance, Parsed, Remark
from ..amounts import amount_of
from ..dates import is_date
from .mapping import CsvMapping, Sign
from .table import Row

_BEGINNING = (
    r"(?:beginning|opening|open|starting|previous|initial) ?(?:account )?balance|nyit[óo] egyenleg|saldo awal|saldo primo|"
    r"saldovortrag|devreden bakiye|"
    r"balance (?:brought )?forward|(?:anfangs|"
    r"alter |letzter )\s?(?:saldo|kontostand)"
    r"|saldo (?:inicial|anterior|iniziale|vorig)|solde (?:initial|pr[ée]c[ée]dent|"
    r"(?:en )?d[ée]but(?: de p[ée]riode)?)|likutis prad[žz]iai|beginsaldo|saldo pocz[ąa¹]tkowe|"
    r"(?:ing[åa]ende|inng[åa]ende) saldo|alkusaldo|po[čc][áa]te[čc]n[íi] z[ůu]statek|"
    r"po[čc]iato[čc]n[ýy] zostatok|(?:prethodno|po[čc]etno) stanje|"
    r"sold (?:ini[țt]ial|anterior)|algsaldo|s[āa]kuma atlikums|solde (?:de )?d[ée]part|"
    r"начално салдо|الرصيد الافتتاحي|ยอดยกมา|承上結餘|मागील शिल्लक|υπ[όο]λοιπο εκ μεταφορ[άα]ς|"
    r"report(?: [àa] nouveau)?$|s[ốo] d[ưu] đ[ầa]u k[ỳy]"
)
_ENDING = (
    r"(?:ending|closing|close|final|new|current|available|ledger) ?(?:account )?balance|z[áa]r[óo] egyenleg|"
    r"saldo akhir|saldo ultimo|balance carried forward|(?:end|neuer |"
    r"schluss)\s?(?:saldo|kontostand)"
    r"|saldo (?:final|actual|finale|contabile)|solde (?:final|nouveau|(?:en )?fin(?: de p[ée]riode)?)|"
    r"likutis pabaigai|eindsaldo|saldo ko[nńñ]cowe|utg[åa]ende saldo|loppusaldo|"
    r"kone[čc]n[ýy] (?:z[ůu]statek|zostatok)|(?:novo|zavr[šs]no) stanje|sold final|"
    r"kontostand(?: vom| am)?|saldo per(?= \d)|l[õo]ppsaldo|beigu atlikums|s a l d o|крайно салдо|अखेर शिल्लक|"
    r"υπ[όο]λοιπο τ[έε]λους|nouveau solde|الرصيد الختامي|ยอดยกไป|"
    r"s[ốo] d[ưu] cu[ốo]i k[ỳy]"
)
_TOTAL = (
    r"(?:grand |sub-? ?)?totals?\s*:?(?: (?:credits?|debits?|deposits?|withdrawals?|amount|balance|payments?|charges|fees|"
    r"transactions?|for)\b.*)?"
    r"|[àa] reporter|(?:gesamt)?summe\b.*|gesamt(?:betrag)?|totale?s?\b\s*:?|suma\b.*|k[äa]ive|apgroz[īi]jums|"
    r"apyvarta|[^\W\d_]{2,12}saldo"
)
_WHEN = r"(?:\s*[:(-]?\s*(?:as of|as at|on|at|for|from|vom|am|zum|au|al|del|per)?\s*(?:[^\W\d_]{3,9}\.?\s)?[\d./:,\s$€£()+-]*)"
_MAY_BE_OF_TODAY = re.compile(
    r"new|current|available|ledger|kontostand|saldo (?:actual|contabile)", re.IGNORECASE
)
BEGINNING = re.compile(_BEGINNING, re.IGNORECASE)
ENDING = re.compile(_ENDING, re.IGNORECASE)
_END_FOR_SURE = _ENDING.replace("|new|current|available|ledger", "")
_BALANCE = rf"(?:{_BEGINNING}|{_END_FOR_SURE}|(?:open|close|opening|closing)? ?balance|s ?a ?l ?d ?o){_WHEN}"
_NO_TRANSACTION = re.compile(rf"{_BALANCE}|{_TOTAL}", re.IGNORECASE)
BALANCE_LINE = re.compile(_BALANCE, re.IGNORECASE)
"""The words of a line that is a balance, and no total of rows."""
_TOTAL_WORD = (
    r"(?:sub-? ?)?(?:totals?|totalt|totaux|totale|gesamt|summe|suma|razem|celkem|toplam|yhteens[äa]|"
    r"[öo]sszesen|итого|합계|合計|合计|总计|סה.כ)"
)
_LAST_WORD = re.compile(rf"\b{_TOTAL_WORD}\s*:?$|^{_TOTAL_WORD}\b", re.IGNORECASE)
_CREDITS = re.compile(r"total (?:credits|deposits)", re.IGNORECASE)
_DEBITS = re.compile(r"total (?:debits|withdrawals)", re.IGNORECASE)
_ACCOUNT = re.compile(
    r"(?:account(?: number| no\.?| #| ending in)?|iban|konto(?:nummer)?|girokonto|compte|cuenta|conta|rekening(?:nummer)?|"
    r"card(?: number| ending in)?)"
    r"[\s:;,#\"()./-]{1,6}([A-Z]{2}\d{2}[A-Z0-9 ]{8,32}|[X*•.\d][\dX*•. -]{2,32}\d)",
    re.IGNORECASE,
)


def is_balance_or_total(text: str) -> bool:
    """Whether a description is no transaction but a balance or a total; `TOTAL WINE` and `NEW BALANCE` are shops."""
    return _NO_TRANSACTION.fullmatch(text.strip()[:120]) is not None


def is_total_line(text: str) -> bool:
    """Whether a line without a date is a total by its first or last word: `Total December`, `Account Total`, `Checking 1234 totals:`."""
    return _LAST_WORD.search(text.strip()[:120]) is not None


@dataclass(frozen=True, slots=True)
class Summary:
    """What a block before the table says of it."""

    beginning: Decimal | None = None
    ending: Decimal | None = None
    credits: Decimal | None = None
    debits: Decimal | None = None
    lines: int = 0
    closing: Decimal | None = None
    """The ending where its words are those of the statement's end, and cannot mean the balance of the day of the export."""

    def completed_by(self, footer: Summary) -> Summary:
        """The same with what only the lines under the table say."""
        return Summary(
            footer.beginning if self.beginning is None else self.beginning,
            footer.ending if self.ending is None else self.ending,
            footer.credits if self.credits is None else self.credits,
            footer.debits if self.debits is None else self.debits,
            self.lines,
            footer.closing if self.closing is None else self.closing,
        )


def read_summary(preamble: Sequence[Row], decimal: str) -> Summary:
    found: dict[str, Decimal] = {}
    lines = 0
    for row, below in zip_longest(preamble, preamble[1:]):
        for label, others in _labelled(row.cells):
            name = _label(label)
            value = next(
                (value for cell in reversed(others) if (value := amount_of(cell, decimal)) is not None), None
            )
            if name and value is None and below is not None and not any(others):
                value = amount_of("".join(below.cells), decimal)  # it stands alone, under its name
            if name and value is None and below is not None and len(below.cells) == len(row.cells):
                value = amount_of(below.cells[row.cells.index(label)], decimal)  # a table of one row
            if name and value is not None:
                found.setdefault(name, value)
                if name == "ending" and not _MAY_BE_OF_TODAY.match(label.strip(_MARKS)):
                    found.setdefault("closing", value)
                lines += 1
    return Summary(**found, lines=lines)


def end_of_period(texts: Sequence[str]) -> str:
    """Whether the words of a line name the balance at the beginning or at the ending: one of these words, or empty."""
    labels = {label for text in texts if (label := _label(text)) in ("beginning", "ending")}
    return labels.pop() if len(labels) == 1 else ""


def _labelled(cells: Sequence[str]) -> list[tuple[str, list[str]]]:
    """The labels of a line, each with the cells that may hold its value; most lines have one label."""
    filled = [cell for cell in cells if cell]
    labels = [place for place, cell in enumerate(filled) if _label(cell)]
    if len(labels) > 1:
        ends = [*labels[1:], len(filled)]
        return [
            (filled[start], filled[start + 1 : end] or [filled[start].partition(":")[2].strip()])
            for start, end in zip(labels, ends, strict=True)
        ]
    label = next((cell for cell in filled if not is_date(cell)), "")
    return [(label, [cell for cell in filled if cell != label] or [label.partition(":")[2].strip()])]


_MARKS = "#* \t"


def _label(text: str) -> str:
    text = text.strip(_MARKS)
    for name, pattern in (
        ("beginning", BEGINNING),
        ("ending", ENDING),
        ("credits", _CREDITS),
        ("debits", _DEBITS),
    ):
        if pattern.match(text):
            return name
    return ""


def account_in(preamble: Sequence[Row]) -> str:
    """The account number that the preamble names, as printed."""
    for row in preamble:
        found = _ACCOUNT.search(" ; ".join(cell for cell in row.cells if cell)[:400])
        if found:
            return found[1].strip()
    return ""


_CENT = Decimal("0.01")


@dataclass(slots=True)
class Step:
    """One line's effect: the sum of its amounts as money in (+) or out (−), and the balance printed beside it. A line without a row is one
    that was skipped and moves nothing."""

    row_id: int | None
    value: Decimal
    balance: Decimal | None
    rows: int = 1
    is_explained: bool = True
    """Its words say that it is a balance; else it may be a row whose amount was not read."""


def newest_first(steps: Sequence[Step]) -> bool:
    """Whether each balance follows from the row below it rather than from the row above."""
    upwards = downwards = 0
    for above, below in pairwise(steps):
        if above.balance is not None and below.balance is not None:
            downwards += abs(above.balance + below.value - below.balance) <= _CENT
            upwards += abs(below.balance + above.value - above.balance) <= _CENT
    return upwards > downwards


def in_order(steps: Sequence[Step]) -> list[Step]:
    """Oldest first."""
    return list(reversed(steps)) if newest_first(steps) else list(steps)


def follow(account: str, steps: Sequence[Step]) -> tuple[Balance | None, Remark | None]:
    """Beginning, sum and ending by the running balance; the remark names the first row that does not follow."""
    ordered = in_order(steps)
    places = [place for place, step in enumerate(ordered) if step.balance is not None]
    if not places:
        return None, None
    first, last = places[0], places[-1]
    start, end = ordered[first].balance, ordered[last].balance
    assert start is not None
    assert end is not None
    total = sum((step.value for step in ordered[first : last + 1]), Decimal(0))
    rows = sum(step.rows for step in ordered[first : last + 1])
    remark = _first_break(ordered[first : last + 1])
    if remark is not None and (ends := _in_another_order(ordered[first : last + 1])) is not None:
        return Balance(account, *ends, total, rows, len(places) > 1), _unexplained(ordered[first])
    remark = remark or _unexplained(ordered[first])
    return Balance(account, start - ordered[first].value, end, total, rows, len(places) > 1), remark


def _unexplained(step: Step) -> Remark | None:
    """The remark on a first line that has a day, words and a balance: it may be a row, for no balance stands before it."""
    if step.is_explained:
        return None
    return Remark(
        f"a line with a date, a balance of {step.balance} and no amount stands before the first row; it was left out"
    )


def _in_another_order(steps: Sequence[Step]) -> tuple[Decimal, Decimal] | None:
    """Rows of a day are often printed in another order than booked; if each begins where another ends, save one, they follow."""
    moved = [step for step in steps if step.value]
    before = Counter(step.balance - step.value for step in moved if step.balance is not None)
    after = Counter(step.balance for step in moved if step.balance is not None)
    first, last = before - after, after - before
    if first.total() != 1 or last.total() != 1 or before.total() != len(moved):
        return None
    if any(step.balance not in before | after for step in steps if not step.value):
        return None
    return next(iter(first)), next(iter(last))


def _first_break(ordered: Sequence[Step]) -> Remark | None:
    expected: Decimal | None = None
    breaks: list[tuple[Step, Decimal]] = []
    for step in ordered:
        if expected is not None:
            expected += step.value
        if step.balance is not None:
            if expected is not None and abs(expected - step.balance) > _CENT:
                breaks.append((step, expected))
            expected = step.balance
    if not breaks:
        return None
    step, wanted = breaks[0]
    which = "a line that was skipped" if step.row_id is None else f"row {step.row_id}"
    return Remark(
        f"the running balance does not follow: {which} prints {step.balance}, its amount leads to {wanted} "
        f"({len(breaks)} such row{'s' if len(breaks) > 1 else ''})",
        step.row_id,
    )


def signs_by_balance(steps: Sequence[Step]) -> dict[int, Sign]:
    """For amounts without a sign: +1 or −1 per row, as the balance beside it rose or fell; rows that it does not tell are left out."""
    downwards, upwards = _signs_of_steps(steps), _signs_of_steps(list(reversed(steps)))
    return upwards if len(upwards) > len(downwards) else downwards


def _signs_of_steps(ordered: Sequence[Step]) -> dict[int, Sign]:
    told: dict[int, Sign] = {}
    before: Decimal | None = None
    for step in ordered:
        if before is not None and step.balance is not None and step.value:
            change = step.balance - before
            if change and step.row_id is not None and abs(abs(change) - abs(step.value)) <= _CENT:
                told[step.row_id] = 1 if (change > 0) == (step.value > 0) else -1
        before = step.balance if step.balance is not None else before
    return told


CHARGES = re.compile(r"\bcharges?\b", re.IGNORECASE)
"""Only cards have a column of charges; a balance beside it may be what is owed."""


def check_balances(
    parsed: Parsed,
    mapping: CsvMapping,
    steps: dict[str, list[Step]],
    summary: Summary,
    edges: dict[str, str],
    decimal: str,
    account: str,
) -> None:
    """Checked is the block before the table, else the first and last balances, else the running balance; breaks of it are always named."""
    every = [step for group in steps.values() for step in group]
    total = sum((step.value for step in every), Decimal(0))
    beginning, ending = summary.beginning, summary.ending
    if mapping.beginning and "beginning" in edges and "ending" in edges:
        beginning, ending = amount_of(edges["beginning"], decimal), amount_of(edges["ending"], decimal)
    if beginning is not None and ending is not None and len(steps) <= 1:
        if _is_owed(mapping, beginning, ending, total):
            beginning, ending = -beginning, -ending
        parsed.balances.append(Balance(account, beginning, ending, total, sum(step.rows for step in every)))
    for key, group in steps.items():
        balance, remark = follow(key, group)
        may_be_owed = mapping.is_card or any(CHARGES.search(leg.amount) for leg in mapping.legs)
        if remark is not None and may_be_owed:
            owed = [replace(step, balance=None if step.balance is None else -step.balance) for step in group]
            other, break_ = follow(key, owed)
            balance, remark = (other, None) if break_ is None else (balance, remark)
        if balance is not None and not (beginning is not None and ending is not None and len(steps) <= 1):
            parsed.balances.append(balance)
            if len(steps) == 1:
                _check_one_end(parsed, balance, summary)
        if remark is not None:
            parsed.warnings.append(remark)
        if mapping.layout != "generic":  # there the judge says which rows no balance checks
            parsed.warnings.extend(_not_booked(group))
    parsed.warnings.extend(
        Remark(_mismatch(balance), topic="balance") for balance in parsed.balances if not balance.agrees
    )


def _not_booked(steps: Sequence[Step]) -> list[Remark]:
    """A warning on the newest rows, where they have no balance beside them and all others have one."""
    ordered = in_order(steps)
    places = [place for place, step in enumerate(ordered) if step.balance is not None]
    newest = ordered[places[-1] + 1 :] if places else []
    if not newest or len(places) + len(newest) < len(ordered) or len(newest) > len(places):
        return []
    first = newest[0].row_id
    return [Remark("the newest rows have no balance beside them; they may not be booked yet", first)]


def _check_one_end(parsed: Parsed, balance: Balance, summary: Summary) -> None:
    """Say where the only stated end is not the one that the running balance has: rows may be missing before the first or after the last."""
    for name, stated, own in (
        ("beginning", summary.beginning, balance.beginning),
        ("closing", summary.closing, balance.ending),
    ):
        if stated is not None and stated not in (own, -own):
            parsed.warnings.append(
                Remark(f"the file states a {name} balance of {stated}, and its rows have {own}")
            )


def _is_owed(mapping: CsvMapping, beginning: Decimal, ending: Decimal, total: Decimal) -> bool:
    """Whether balances are what is owed: amounts without a minus are money out, and only so do the rows lead from one to the other."""
    is_turned = all(leg.flow == "inverted" for leg in mapping.legs)
    return is_turned and beginning + total != ending and total - beginning == -ending


def _mismatch(balance: Balance) -> str:
    where = f" of account {balance.account}" if balance.account else ""
    return f"balances{where} do not agree: beginning {balance.beginning} plus transactions {balance.total} is not ending {balance.ending}"
