"""Whether a printed amount is money in or out: by its column, marker, section or sign, and by the running balance where there is one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from itertools import combinations, pairwise, product

from ...parsed import OTHER_SIGN_FITS, Balance
from .drafts import Draft
from .summary import EVIDENCE_OF_A_LOAN, Segment

TRIED = 10  # rows between two balances whose directions are tried out
FEWEST_ON_A_CARD = 4  # rows of both signs: where most of them have a minus, that is spending
MOST_UNKNOWN = 5  # rows without any sign between two balances: more of them fit by chance
REPAYMENT = re.compile(
    r"\b(?:re-?payments?|payment received|tilgung|remboursement|r[üu]ckzahlung|pago|rata|aflossing)\b",
    re.IGNORECASE,
)
CHARGE = re.compile(
    r"\b(?:interest|fees?|redraw|drawdown|zinsen|int[ée]r[êe]ts?|interes(?:es|si)?|rente)\b", re.IGNORECASE
)
IN, OUT = frozenset(("credit", "cr", "c", "deposit", "π")), frozenset(("debit", "dr", "d", "withdrawal", "χ"))


def has_both_signs(drafts: list[Draft]) -> bool:
    """Whether every amount is printed with a plus or a minus, and both occur: such signs are the account holder's."""
    amounts = [draft for draft in drafts if draft.role == "amount" and draft.money and draft.printed]
    minus = sum(1 for draft in amounts if draft.printed < 0)
    plus = sum(1 for draft in amounts if draft.printed > 0 and draft.money and "+" in draft.money.text)
    return bool(plus and minus) and plus + minus == len(drafts)


def decide(drafts: list[Draft], segments: list[Segment], card: bool, *, turns: bool = True) -> int:
    """Give every row its sign; answers how many could only be guessed. `turns`: balances at both ends may turn them round. `card`: the
    statement's balances are what is owed, as those of a card or a loan."""
    signed = any(
        draft.role == "amount" and (draft.printed < 0 or "+" in (draft.money.text if draft.money else ""))
        for draft in drafts
    )
    for group in _groups(drafts):
        _column(group, signed, card)
    _typed(drafts)
    _marked(drafts)
    for number, segment in enumerate(segments):
        own = [draft for draft in drafts if draft.segment == number]
        before = [draft.sign for draft in own]
        is_owed = card and is_followed_as_owed(own)
        _run(own, segment.beginning if is_owed or not card else None, is_owed=is_owed)
        turned = {
            _kind(draft) for sign, draft in zip(before, own, strict=True) if sign and sign != draft.sign
        }
        _doubt_first(own, segment, turned)
        if turns:
            _turn(own, segment, card)
    unknown = [draft for draft in drafts if draft.sign == 0]
    for draft in unknown:
        draft.sign = 1
    return sum(1 for draft in unknown if draft.printed)


def _groups(drafts: list[Draft]) -> Iterable[list[Draft]]:
    groups: dict[tuple[str, str], list[Draft]] = defaultdict(list)
    for draft in drafts:
        groups[_kind(draft)].append(draft)
    return groups.values()


def _kind(draft: Draft) -> tuple[str, str]:
    """What rows have in common whose direction follows from the same: their column, and where that has both directions, their section."""
    return str(draft.role), draft.section.name if draft.role == "amount" else ""


def _doubt_first(drafts: list[Draft], segment: Segment, turned: set[tuple[str, str]]) -> None:
    """Note that another sign fits the rows up to the first balance, where none is stated before them and balances have turned rows of
    the same kind."""
    if segment.beginning is not None:
        return
    rows = drafts[::-1] if newest_first(drafts) else drafts
    first = next((number for number, draft in enumerate(rows) if draft.balance is not None), -1)
    for draft in rows[: first + 1]:
        if _kind(draft) in turned:
            draft.notes.append(OTHER_SIGN_FITS)


def _column(group: list[Draft], signed: bool, card: bool) -> None:
    """Rows of one column (and section): the section says the direction of what is printed like most of its rows."""
    role, section = group[0].role, group[0].section
    minus = sum(1 for draft in group if draft.printed < 0)
    usual = -1 if minus > len(group) - minus else 1
    direction = {"debit": -1, "credit": 1}.get(str(role), section.direction)
    plus = [draft for draft in group if draft.money and "+" in draft.money.text]
    marks_payments = bool(plus) and not minus and 2 * len(plus) < len(group)
    for draft in group:
        if direction:
            draft.sign = direction * usual
        elif card:
            draft.sign = 1 if minus * 2 > len(group) >= FEWEST_ON_A_CARD and minus < len(group) else -1
            if marks_payments and draft in plus:
                draft.sign = 1
        elif signed:
            draft.sign = 1


def _typed(drafts: list[Draft]) -> None:
    """A column that says Debit or Credit; only where the amounts have no sign of their own."""
    amounts = [draft for draft in drafts if draft.role == "amount"]
    if any(draft.printed < 0 for draft in amounts) or not amounts:
        return
    for draft in amounts:
        word = draft.kind.lower()
        if word in IN | OUT and not draft.section.direction:
            draft.sign = 1 if word in IN else -1


def _marked(drafts: list[Draft]) -> None:
    """CR and DR behind amounts; where only one of them is used, the unmarked are the other."""
    amounts = [draft for draft in drafts if draft.role == "amount"]
    markers = {draft.money.marker for draft in amounts if draft.money} - {""}
    if not markers:
        return
    plain = {"CR": -1, "DR": 1}.get("/".join(sorted(markers)), 0)
    for draft in amounts:
        marker = draft.money.marker if draft.money else ""
        wanted = {"CR": 1, "DR": -1, "OD": -1}.get(marker, 0 if draft.section.direction else plain)
        if wanted:
            draft.sign = wanted if draft.printed >= 0 else -wanted


def is_followed_as_owed(drafts: list[Draft]) -> bool:
    """Whether more of the signs that are known lead to the next balance where balances are what is owed than where they are owned."""
    return _steps(drafts, -1) > _steps(drafts, 1)


def _named_steps(drafts: list[Draft]) -> tuple[int, int]:
    """How many amounts in columns of money out raise the balance, or in those of money in lower it; and how many do as they are named."""
    named = [draft for draft in drafts if draft.role in ("debit", "credit")]
    for draft in named:
        draft.sign = -1 if draft.role == "debit" else 1
    steps = _steps(drafts, -1), _steps(drafts, 1)
    for draft in named:
        draft.sign = 0
    return steps


def are_balances_owed(drafts: list[Draft], segments: list[Segment], loan: int) -> bool:
    """Whether balances of what is no card are what is owed: by the names of columns of money out and in, and where there are none, by the
    words of a loan above balances that are never negative."""
    against, along = _named_steps(drafts)
    if against > 1 and not along:
        return True
    balances = [draft.balance for draft in drafts if draft.balance is not None]
    balances += [end for one in segments for end in (one.beginning, one.ending) if end is not None]
    return loan >= EVIDENCE_OF_A_LOAN and not along and bool(balances) and min(balances) >= 0


def leaves_owner_open(drafts: list[Draft], balances: list[Balance], loan: int, *, is_owed: bool) -> bool:
    """Whether it stays open that balances are what is owed, or that they are not: there every sign may be turned round."""
    is_named = all(draft.role in ("debit", "credit") for draft in drafts)
    if is_owed:
        return loan < EVIDENCE_OF_A_LOAN or not (is_named or _fits_a_loan(drafts))
    is_open = loan > 0 and not is_named and not any(draft.notes for draft in drafts)
    return is_open and all(min(one.beginning, one.ending) >= 0 for one in balances)


def _fits_a_loan(drafts: list[Draft]) -> bool:
    """Whether words of repayments stand beside money in and words of interest and fees beside money out, and never the other way."""
    repaid = [draft.sign * draft.printed > 0 for draft in drafts if REPAYMENT.search(draft.description)]
    charged = [draft.sign * draft.printed < 0 for draft in drafts if CHARGE.search(draft.description)]
    return bool(repaid or charged) and all(repaid) and all(charged)


def _steps(drafts: list[Draft], owed: int) -> int:
    """How many balances follow from the one before by the sign of their row; `owed`: -1 where balances are what is owed."""
    rows = drafts[::-1] if newest_first(drafts) else drafts
    return sum(
        1
        for one, other in pairwise(rows)
        if one.balance is not None
        and other.balance is not None
        and other.value
        and other.balance - one.balance == owed * other.value
    )


def _run(drafts: list[Draft], beginning: Decimal | None, *, is_owed: bool = False) -> None:
    """Where a balance runs along, it decides: the signs that lead from one balance to the next."""
    rows = drafts[::-1] if newest_first(drafts) else drafts
    before, waiting = beginning, list[Draft]()
    for draft in rows:
        waiting.append(draft)
        if draft.balance is None:
            continue
        if before is not None:
            _fit(waiting, before - draft.balance if is_owed else draft.balance - before)
        before, waiting = draft.balance, []


def newest_first(drafts: list[Draft]) -> bool:
    """Whether the balances only fit when read upwards."""
    rows = [draft for draft in drafts if draft.balance is not None]
    down = up = 0
    for one, other in pairwise(rows):
        if one.balance is not None and other.balance is not None:
            step = abs(other.balance - one.balance)
            down += step == abs(other.printed)
            up += step == abs(one.printed)
    return up > down


def _fit(rows: list[Draft], step: Decimal) -> None:
    if sum((draft.value for draft in rows), Decimal(0)) == step and all(draft.sign for draft in rows):
        return
    if len(rows) > TRIED:
        return
    fitting = [
        signs
        for signs in product((1, -1), repeat=len(rows))
        if sum(sign * draft.printed for sign, draft in zip(signs, rows, strict=True)) == step
    ]
    if fitting:
        unknown = sum(1 for draft in rows if draft.sign == 0)

        def turned(signs: tuple[int, ...]) -> int:
            return sum(
                1 for sign, draft in zip(signs, rows, strict=True) if draft.sign and sign != draft.sign
            )

        fewest = min(map(turned, fitting))
        likeliest = [signs for signs in fitting if turned(signs) == fewest]
        is_open = len({_values(signs, rows) for signs in likeliest}) > 1 or unknown > MOST_UNKNOWN
        for draft, sign in zip(rows, likeliest[0], strict=True):
            draft.sign = sign
            if is_open:
                draft.notes.append(OTHER_SIGN_FITS)


def _values(signs: tuple[int, ...], rows: list[Draft]) -> tuple[Decimal, ...]:
    return tuple(sign * draft.printed for sign, draft in zip(signs, rows, strict=True))


def _turn(drafts: list[Draft], segment: Segment, card: bool) -> None:
    """If the balances at both ends agree only with all signs of some sections turned, they are turned: the file's own figures win over
    its words. The fewest sections that explain them; two ways to do it explain nothing."""
    if (
        segment.beginning is None
        or segment.ending is None
        or not drafts
        or any(draft.balance is not None for draft in drafts)
    ):
        return
    change = (segment.ending - segment.beginning) * (-1 if card else 1)
    missing = change - sum((draft.value for draft in drafts), Decimal(0))
    groups = [(group, sum((draft.value for draft in group), Decimal(0))) for group in _groups(drafts)]
    if not missing or len(groups) > TRIED:
        return
    for count in range(1, len(groups) + 1):
        fitting = [
            chosen
            for chosen in combinations(groups, count)
            if -2 * sum(total for _, total in chosen) == missing
        ]
        if len(fitting) == 1:
            for draft in (draft for group, _ in fitting[0] for draft in group):
                draft.sign = -draft.sign
        if fitting:
            return
