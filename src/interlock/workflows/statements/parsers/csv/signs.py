"""Which way the amounts of a table go that nobody described: by its balances, a column, marks, or what payments and charges say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from ...parsed import ObservedRow, Remark
from ..amounts import amount_of, decimal_mark, read, says_direction
from ..dates import likeliest_order, read_date, with_full_stops
from .checks import Step, newest_first
from .finding import RecognisedTable
from .known_headers import KnownHeader
from .mapping import CsvMapping, Flow, Leg, When, plain
from .roles import column
from .words import FEE, IN_WORDS, INCOME, NEITHER_WORDS, OUT_WORDS, PAYMENT, SPENDING, WAGES, role_of

FEW, MOST_OF_A_CARD = 2, 0.8
MOST = 0.6
"""Of the rows: so many must follow from their neighbours before the direction in which balances run means anything."""
OF_A_CARD = frozenset(("sale", "purchase"))
HEAD_OF_A_CARD = re.compile(r"利用日|利用店名|利用金額|סכום חיוב")
OF_A_CARD_ABOVE = re.compile(
    r"\bcredit ?card|\bkreditkart|\b(?:tarjeta|cart[ae]o?) de cr[ée]dito|carta di credito|\bcarte de cr[ée]dit|\bkredi kart|"
    r"\b(?:visa|mastercard|nexi|amex|american express)\b|\bkart no\b|כרטיס",
    re.IGNORECASE,
)
"""Words of the lines before a table: it may be one of a card."""
AS_ON_A_CARD = "payments are negative and charges positive, as on a card: positive is taken as money out"
NAMED_A_CARD = "the file names a card, and most amounts are positive: positive is taken as money out"
OWED = "payments are negative and charges positive, as on a card: positive is taken as money out, and the balance as what is owed"
MOSTLY_POSITIVE = "most amounts are positive and raise the balance: if it is what is owed on a card, they are money out and not money in"


def legs_of(found: RecognisedTable, mark: str) -> tuple[tuple[Leg, ...], list[Remark]]:
    roles, names = found.roles, found.names
    if roles.by_code:
        return tuple(Leg(names[place], currency=code) for code, place in roles.by_code.items()), []
    if roles.amount < 0:
        own = (Leg(names[roles.debit], "out"), Leg(names[roles.credit], "in"))
        return (*own, *_fees(found, mark)), []
    amount = names[roles.amount]
    values = [
        (cells, value)
        for cells in found.body
        if roles.amount < len(cells) and (value := amount_of(cells[roles.amount], mark)) is not None
    ]
    unsigned = bool(values) and all(value >= 0 for _, value in values)
    if unsigned and any(says_direction(cells[roles.amount], mark) for cells, _ in values):
        return _by_credit_mark(amount)
    if unsigned and roles.direction >= 0:
        return _by_direction(found, amount)
    has_plus = {"+" in cells[roles.amount] for cells, _ in values}
    if unsigned and roles.balance < 0 and has_plus == {True, False}:
        return _by_plus(amount)
    if roles.direction >= 0 and _signs_contradict(found, values):
        return _by_direction(found, amount)
    flow, remark = _flow(found, values, unsigned, mark)
    if flow == "owed":
        roles.balance, flow = -1, "inverted"
    fees = _fees(found, mark) if flow == "printed" else ()
    return (Leg(amount, flow), *fees), [Remark(remark, topic="signs")] if remark else []


def _fees(found: RecognisedTable, mark: str) -> tuple[Leg, ...]:
    """The column of fees, where only with it each balance follows from the one before."""
    roles, names = found.roles, found.names
    place = next((place for place, name in enumerate(names) if FEE.fullmatch(plain(name))), -1)
    if place < 0 or roles.balance < 0 or not found.has_header:
        return ()
    without: list[Step] = []
    taken: list[Step] = []
    added: list[Step] = []
    for cells in found.body:
        if max(place, roles.balance) >= len(cells):
            return ()
        moved = [
            (amount_of(cells[one], mark) or Decimal(0)) if 0 <= one < len(cells) else Decimal(0)
            for one in (roles.amount, roles.debit, roles.credit)
        ]
        value = moved[0] + abs(moved[2]) - abs(moved[1])
        fee, balance = abs(amount_of(cells[place], mark) or Decimal(0)), amount_of(cells[roles.balance], mark)
        for steps, one in ((without, value), (taken, value - fee), (added, value + fee)):
            steps.append(Step(len(steps), one, balance))
    if _agreeing(taken) <= max(_agreeing(without), _agreeing(added)):
        return ()
    return (Leg(names[place], "out", note="(fee)", only_if_not_zero=True),)


def are_signs_named(found: RecognisedTable, mapping: CsvMapping, known: KnownHeader | None) -> bool:
    """Whether the file itself says which way money went: columns that are called so, a word on every row that says what its sign says,
    or signs of both kinds under a header whose bank is known."""
    roles = found.roles
    flows = [leg.flow for leg in mapping.legs]
    if flows == ["out", "in"]:
        names = [leg.amount for leg in mapping.legs]
        is_by_word = bool(mapping.legs[0].when)
        if is_by_word or not found.has_header:
            return is_by_word and found.has_header
        is_named = [role_of(plain(name)) for name in names] == ["debit", "credit"]
        came = column(found.body, roles.credit)
        return is_named and not any(text.startswith(("-", "−")) for text in came)
    mark = decimal_mark(column(found.body, roles.amount), "") or "."
    if all(says_direction(text, mark) for text in column(found.body, roles.amount)):
        return True
    if flows != ["printed"]:
        return False
    values = [amount_of(cells[roles.amount], mark) for cells in found.body if roles.amount < len(cells)]
    has_both = any(value and value < 0 for value in values) and any(value and value > 0 for value in values)
    if known is not None and has_both:
        return True
    if roles.direction < 0 or not has_both:
        return False
    said = [
        cells[roles.direction].casefold() in (OUT_WORDS if value < 0 else IN_WORDS)
        for cells in found.body
        if max(roles.direction, roles.amount) < len(cells) and (value := amount_of(cells[roles.amount], mark))
    ]
    return all(said)


def _signs_contradict(found: RecognisedTable, values: Sequence[tuple[Sequence[str], Decimal]]) -> bool:
    """Whether every debit is printed as plus and every credit as minus: the words say the direction, the signs are the other side's."""
    place = found.roles.direction
    said = [(cells[place].casefold(), value) for cells, value in values if place < len(cells) and value]
    debits, credits = (
        [value > 0 for word, value in said if word in words] for words in (OUT_WORDS, IN_WORDS)
    )
    return bool(debits) and bool(credits) and all(debits) and not any(credits)


def _by_direction(found: RecognisedTable, amount: str) -> tuple[tuple[Leg, ...], list[Remark]]:
    """A column says the direction; where it has words for one direction only, rows without a word go the other."""
    place, name = found.roles.direction, found.names[found.roles.direction]
    words = [cells[place].casefold() for cells in found.body if place < len(cells)]
    out_words, in_words = _direction_words(words)
    blank = {"in": "", "out": ""}
    if "" in words and not any(word in out_words for word in words):
        blank["out"] = "|"
    elif "" in words and not any(word in in_words for word in words):
        blank["in"] = "|"
    out = Leg(amount, "out", when=(When(name, _either(out_words) + blank["out"]),))
    if not (neither := NEITHER_WORDS & set(words)):
        return (out, Leg(amount, "in", when=(When(name, _either(in_words) + blank["in"]),))), []
    remark = Remark(f"rows with the word {', '.join(sorted(neither))} are taken as money in", topic="signs")
    return (out, Leg(amount, "in", when=(When(name, _either(in_words | neither) + blank["in"]),))), [remark]


def _direction_words(words: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """What means money out and money in: beside sales and purchases a payment is one to the card."""
    if not OF_A_CARD & set(words):
        return OUT_WORDS, IN_WORDS
    return OUT_WORDS - {"payment"}, IN_WORDS | {"payment"}


def _by_plus(amount: str) -> tuple[tuple[Leg, ...], list[Remark]]:
    """A plus stands beside some amounts and no minus beside the others, which are money out."""
    return (
        Leg(amount, "in", when=(When(amount, r".*\+.*"),)),
        Leg(amount, "out", when=(When(amount, r"[^+]*"),)),
    ), [Remark("amounts without a plus are taken as money out", severity="info")]


def _by_credit_mark(amount: str) -> tuple[tuple[Leg, ...], list[Remark]]:
    """CR stands beside credits and nothing beside debits; the mark itself says the direction, so only the bare ones need a sign."""
    return (Leg(amount, "inverted"),), [Remark("amounts without CR are taken as money out", severity="info")]


def _either(words: frozenset[str]) -> str:
    return "|".join(sorted(word.replace("+", r"\+") for word in words))


def _flow(
    found: RecognisedTable, values: Sequence[tuple[Sequence[str], Decimal]], unsigned: bool, mark: str
) -> tuple[Flow | Literal["owed"], str]:
    """The balance decides if there is one; else what payments and charges say; else it is as printed."""
    steps = _steps(found, mark)
    turned = [replace(step, value=-step.value) for step in steps]
    as_printed, inverted = _agreeing(steps), _agreeing(turned)
    runs = max(as_printed, inverted) > MOST * (len(steps) - 1)
    if steps and runs and _runs_against_dates(found, steps if as_printed >= inverted else turned):
        found.roles.balance = -1  # it stands before the row, where it fits only the opposite sign
        return _by_payments(found, mark)
    if unsigned and as_printed + inverted and as_printed < len(steps) - 1:
        return "balance", "amounts have no sign; the running balance says which way the money went"
    if inverted > as_printed:
        return "inverted", "the running balance falls where amounts are positive: positive is money out"
    if as_printed:
        turned_too, _ = _by_payments(found, mark)
        return ("owed", OWED) if turned_too == "inverted" else ("printed", _doubt_of_signs(found, values))
    return _by_payments(found, mark)


def _doubt_of_signs(found: RecognisedTable, values: Sequence[tuple[Sequence[str], Decimal]]) -> str:
    """Why a balance that rises with the amounts may still be what is owed: most amounts are positive, and few are called income."""
    texts = [
        (value, " ".join(cells[place] for place in found.roles.description if place < len(cells)))
        for cells, value in values
    ]
    unexplained = sum(1 for value, text in texts if value > 0 and not INCOME.search(text))
    negative = sum(1 for value, _ in texts if value < 0)
    return MOSTLY_POSITIVE if negative and unexplained > negative and unexplained > len(texts) / 2 else ""


def _steps(found: RecognisedTable, mark: str) -> list[Step]:
    roles = found.roles
    if roles.balance < 0:
        return []
    steps = []
    for place, cells in enumerate(found.body):
        if (
            max(roles.amount, roles.balance) < len(cells)
            and (value := amount_of(cells[roles.amount], mark)) is not None
        ):
            steps.append(Step(place, value, amount_of(cells[roles.balance], mark)))
    return steps


def _runs_against_dates(found: RecognisedTable, steps: Sequence[Step]) -> bool:
    """Whether balances follow each other upwards where the days go down the page, or the other way round."""
    texts = column(found.body, found.roles.date)
    order, _ = likeliest_order(texts, with_full_stops(texts, ("ymd", "mdy", "dmy")))
    days = [day for text in texts if (day := read_date(text, order))]
    later = sum(one < other for one, other in pairwise(days))
    earlier = sum(one > other for one, other in pairwise(days))
    return later > earlier if newest_first(steps) else earlier > later


def _agreeing(steps: Sequence[Step]) -> int:
    ordered = list(reversed(steps)) if newest_first(steps) else list(steps)
    return sum(
        1
        for before, after in pairwise(ordered)
        if before.balance is not None
        and after.balance is not None
        and abs(before.balance + after.value - after.balance) <= Decimal("0.01")
    )


def _by_payments(found: RecognisedTable, mark: str) -> tuple[Flow, str]:
    """On a card that prints charges positive, payments are negative; on any other, payments to the card are positive."""
    payments = charges = total = positive = income = 0
    for cells in found.body:
        value = amount_of(cells[found.roles.amount], mark) if found.roles.amount < len(cells) else None
        if not value:
            continue
        text = " ".join(cells[place] for place in found.roles.description if place < len(cells))
        total, positive = total + 1, positive + (value > 0)
        if INCOME.search(text) and not PAYMENT.search(text):
            income += 1 if value > 0 else -1
            continue
        if PAYMENT.search(text):
            payments += 1 if value < 0 else -1
        else:
            charges += 1 if value > 0 else -1
    above = "\n".join(" ".join(row.cells) for row in found.table.preamble)
    if positive >= total * MOST_OF_A_CARD and total > FEW and income <= 0 and OF_A_CARD_ABOVE.search(above):
        return "inverted", NAMED_A_CARD
    is_of_a_card = any(HEAD_OF_A_CARD.search(name) for name in found.names)
    if (payments > 0 or is_of_a_card) and charges - max(income, 0) > 0:
        return (
            "inverted",
            AS_ON_A_CARD,
        )
    if income < 0 < charges:
        return (
            "inverted",
            "what is called income is negative and the rest mostly positive: positive is taken as money out",
        )
    if charges - max(income, 0) > 0 and positive == total and _is_three_columns(found):
        return (
            "inverted",
            "every amount is positive, as in a card's list of charges: positive is taken as money out",
        )
    return "printed", ""


def _is_three_columns(found: RecognisedTable) -> bool:
    return [name.casefold() for name in found.names] == ["date", "description", "amount"]


def words_contradict(rows: Sequence[ObservedRow]) -> bool:
    """Whether rows whose words name income or spending mostly go the other way than their words."""
    agreeing = 0
    for row in rows:
        is_income, is_spending = WAGES.search(row.description), SPENDING.search(row.description)
        amount, says = read(row.amount, row.decimal_separator or ".")
        value = amount if amount is None or says else amount * row.sign
        if value and bool(is_income) != bool(is_spending):
            agreeing += 1 if (value > 0) == bool(is_income) else -1
    return agreeing < 0
