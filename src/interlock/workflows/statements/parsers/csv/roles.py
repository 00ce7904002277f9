"""Gives each column of an unknown table its role, by its name and by what it holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise, permutations, product

from ...normalize.currencies import MINOR_UNITS
from ..amounts import amount_of
from ..currency_words import CODES
from ..dates import is_date
from .arithmetic import amount_to_balance, flows_to_balance
from .lines import NOTHING
from .mapping import plain
from .words import (
    CATEGORY,
    DAY_OF_BOOKING,
    DAY_OF_TRANSACTION,
    HOLD,
    IN_WORDS,
    NEITHER_WORDS,
    OUT_WORDS,
    REFERENCE,
    TRADE_COLUMNS,
    role_of,
)

MARKS = (".", ",")
EMPTY = ("", *NOTHING)
_REFERENCE = re.compile(r"(?=.*\d)[A-Z]{0,6}[-_/#]?[\d-]+[A-Z\d]*", re.IGNORECASE)
_CODE = re.compile(r"[A-Z]{1,3}\d{5,}")
"""A number of something: `R84751402` is no amount of rands."""
FEW, MANY_MORE = 5, 2
MOSTLY_FILLED = 0.9
"""Of several columns of amounts, one that is empty in more rows than others is one of foreign amounts."""
NOT_OF_THE_ROW = re.compile(
    r"\b(?:due|statement|export(?:ed)?|report|print(?:ed)?|download(?:ed)?|expiry|f[äa]llig\w*|[ée]ch[ée]ance|vencimiento|scadenza|"
    r"forfall\w*|f[öo]rfall\w*)\b"
)
OTHER_CURRENCY = re.compile(r"orig|foreign|fremd|instructed|exchange|counter|from|source|target")
OF_OTHERS = re.compile(
    r"orig|foreign|fremd|instructed|local|currency amount|utl\.|utländsk|valuta|devise|operation|операції|операции|transaction amount"
)
NET = ("net amount", "net", "netto", "billing amount", "billed amount", "settlement amount", "account amount")


@dataclass(slots=True)
class Roles:
    """Places of columns; −1 where the table has none."""

    date: int = -1
    description: list[int] = field(default_factory=list)
    amount: int = -1
    debit: int = -1
    credit: int = -1
    balance: int = -1
    direction: int = -1
    currency: int = -1
    status: int = -1
    account: int = -1
    reference: int = -1
    category: int = -1
    posted: int = -1
    trade: dict[str, int] = field(default_factory=dict)
    """Of a table of trades: where symbol, quantity, price and action stand."""
    is_date_unnamed: bool = False
    """No column is called the day of the transaction, and several hold days: of value, of a statement, of a deadline, or without a name."""
    code: str = ""
    """The account's currency, where a column of codes is that of foreign amounts beside the account's own."""
    by_code: dict[str, int] = field(default_factory=dict)
    """Of a table with a column of amounts for each currency: where that of each code stands."""
    hold: int = -1
    """Sums that are blocked and not booked, in rows that have no other amount."""
    are_flows_unnamed: bool = False
    """Which column is money in follows only from the balance: it has no name that is known."""

    @property
    def is_table(self) -> bool:
        has_amounts = self.amount >= 0 or bool(self.by_code) or (self.debit >= 0 and self.credit >= 0)
        return self.date >= 0 and has_amounts


def is_number(text: str) -> bool:
    return any(amount_of(text, mark) is not None for mark in MARKS)


def column(body: Sequence[Sequence[str]], place: int) -> list[str]:
    """What a column holds, without the empty cells, in which a dash may stand beside numbers."""
    texts = [cells[place] for cells in body if place < len(cells) and cells[place]]
    filled = [text for text in texts if text not in NOTHING]
    return filled if filled and any(map(str.isdigit, filled[0])) else texts


def mostly(texts: Sequence[str], test: object, share: float = 0.8) -> bool:
    assert callable(test)
    return bool(texts) and sum(bool(test(text)) for text in texts) >= len(texts) * share


def by_names(names: Sequence[str], body: Sequence[Sequence[str]]) -> Roles:
    """From a header. A column whose cells contradict its name has no role."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        role = role_of(plain(name))
        if role and _holds(role, column(body, place)):
            found.setdefault(role, []).append(place)
    dates, is_unnamed = _columns_of_days(found, names, body)
    roles = Roles(
        is_date_unnamed=is_unnamed,
        date=dates[0] if dates else -1,
        description=found.get("description", []),
        amount=_best_amount(names, found.get("amount", []), body),
    )
    found["balance"] = sorted(
        found.get("balance", [-1]),
        key=lambda place: (
            _is_before(names, place),
            len(column(body, place)) * FEW < len(body),  # today's, on a line of the account
        ),
    )
    for name in ("debit", "credit", "balance", "currency", "account", "status"):
        setattr(roles, name, found.get(name, [-1])[0])
    roles.account = next(
        (place for place in found.get("account", []) if not plain(names[place]).endswith("name")),
        roles.account,
    )
    if roles.currency < 0:
        roles.currency = _unnamed_currency(names, body, "currency" in found)
    named = (place for place in found.get("direction", []) if mostly(column(body, place), _is_direction, 1.0))
    dated = [cells for cells in body if 0 <= roles.date < len(cells) and is_date(cells[roles.date])] or body
    roles.direction = next(named, _both_directions(names, dated))
    told = [
        place
        for place in found.get("direction", [])
        if plain(names[place]) == "transaction" and place != roles.direction
    ]
    roles.description = sorted([*roles.description, *told])
    if (
        roles.account < 0
    ):  # in these languages the word is as often the other side's account, which changes from row to row
        roles.account = next(
            (
                place
                for place in found.get("perhaps account", [])
                if len(body) > 2 and len(set(column(body, place))) == 1
            ),
            -1,
        )
    roles.by_code = _amounts_by_code(names, dated)
    if roles.by_code:
        roles.amount = roles.debit = roles.credit = -1
        if roles.balance in roles.by_code.values():
            roles.balance = -1
    _choose_amounts(roles, body)
    roles.hold = next(
        (place for place, name in enumerate(names) if _holds_back(place, plain(name), roles, dated)), -1
    )
    _take_own_amount(roles, names, dated)
    if roles.balance >= 0 and len(body) > 1 and len(set(column(body, roles.balance))) == 1:
        roles.balance = -1  # the same on every row: today's balance, not a running one
    _describe(roles, names, body)
    booked = [place for place in dates if DAY_OF_BOOKING.search(plain(names[place]))]
    others = [place for place in (*booked, *found.get("value date", []), *dates) if place != roles.date]
    roles.posted = next(
        (place for place in others if not _is_of_the_file(names[place], column(body, place))), -1
    )
    return roles


def _columns_of_days(
    found: dict[str, list[int]], names: Sequence[str], body: Sequence[Sequence[str]]
) -> tuple[list[int], bool]:
    """The columns of days, that of the rows first, and whether that one has no name of such a day."""
    dates = sorted(
        [*found.get("date", []), *found.get("value date", [])],
        key=lambda place: (
            _is_of_the_file(names[place], column(body, place)),
            place not in found.get("date", []),
        ),
    )
    if not dates:
        dates = [place for place, name in enumerate(names) if body and mostly(column(body, place), is_date)]
    dates = _transaction_first(dates, names, body)
    unnamed = [
        place
        for place, name in enumerate(names)
        if place not in dates
        and not role_of(plain(name))
        and not REFERENCE.fullmatch(plain(name))
        and mostly(column(body, place), is_date)
    ]
    is_unnamed = bool(unnamed) and "value date" in found and "date" not in found
    if dates and _is_of_the_file(names[dates[0]], column(body, dates[0])):
        own = [place for place in unnamed if not _is_of_the_file(names[place], column(body, place))]
        dates, is_unnamed = [*own, *dates], bool(own)
    return dates, is_unnamed


def _transaction_first(
    dates: Sequence[int], names: Sequence[str], body: Sequence[Sequence[str]]
) -> list[int]:
    """The columns of days, that of the transaction before that of booking where every row has both."""
    if not dates or not DAY_OF_BOOKING.search(plain(names[dates[0]])):
        return list(dates)
    body = [cells for cells in body if dates[0] < len(cells) and is_date(cells[dates[0]])]
    own = [
        place
        for place in range(len(names))
        if (place in dates or (not role_of(plain(names[place])) and mostly(column(body, place), is_date)))
        and DAY_OF_TRANSACTION.search(plain(names[place]))
        and not DAY_OF_BOOKING.search(plain(names[place]))
        and len(column(body, place)) >= len(column(body, dates[0]))
        and not _is_of_the_file(names[place], column(body, place))
    ]
    return [*own[:1], *(place for place in dates if place not in own[:1])]


def _choose_amounts(roles: Roles, body: Sequence[Sequence[str]]) -> None:
    """Keep the amount, or debit and credit, where a table has columns for all three."""
    if roles.debit < 0 or roles.credit < 0:
        roles.debit = roles.credit = -1
    elif len(column(body, roles.amount)) < _filled_rows(body, roles.debit, roles.credit):
        roles.amount = -1  # an empty amount column beside filled debits and credits is no amount
    elif roles.direction < 0 and (_repeats_without_sign(roles, body) or _is_of_the_shop(roles, body)):
        roles.amount = -1


def _take_own_amount(roles: Roles, names: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    """Where a row in another currency has two amounts, take the account's own: that beside codes that never change, that whose name is not
    one of foreign amounts, or that which stands farther from the codes."""
    if roles.amount < 0:
        return
    every = range(len(names))
    codes = [roles.currency] if roles.currency >= 0 else [place for place in every if _are_codes(place, body)]
    others = [
        place
        for place in every
        if place not in (roles.amount, roles.debit, roles.credit, roles.balance)
        and mostly(column(body, place), is_number)
        and any(map(_moves, column(body, place)))
    ]
    for other, place in product(others, codes):
        if own := _own_currency(roles.amount, other, place, body):
            roles.amount = _own_amount(roles.amount, other, place, own, names, body)
            roles.code, roles.currency = own, -1
            return
        if _are_blank_together(other, place, body):
            roles.currency = -1  # only amounts abroad have a code
            return


def _amounts_by_code(names: Sequence[str], body: Sequence[Sequence[str]]) -> dict[str, int]:
    """Columns that are called nothing but a code of a currency, where there are several and each row has an amount in one of them."""
    found = {
        name.strip().upper(): place
        for place, name in enumerate(names)
        if name.strip().upper() in MINOR_UNITS
        and (not column(body, place) or mostly(column(body, place), is_number, 1.0))
    }
    places = list(found.values())
    is_one_each = all(sum(_filled(cells, place) for place in places) == 1 for cells in body)
    return found if len(found) > 1 and body and is_one_each else {}


def _holds_back(place: int, name: str, roles: Roles, body: Sequence[Sequence[str]]) -> bool:
    """Whether a column is called one of blocked sums, and holds them in the rows that have no amount of their own and in no other."""
    if not HOLD.search(name) or place in (roles.amount, roles.debit, roles.credit, roles.balance):
        return False
    own = [one for one in (roles.amount, roles.debit, roles.credit) if one >= 0]
    return any(_filled(cells, place) for cells in body) and all(
        _filled(cells, place) != any(_filled(cells, one) for one in own) for cells in body
    )


def _are_codes(place: int, body: Sequence[Sequence[str]]) -> bool:
    return bool(body) and all(place < len(cells) and cells[place] in MINOR_UNITS for cells in body)


def _are_blank_together(one: int, other: int, body: Sequence[Sequence[str]]) -> bool:
    """Whether two columns are filled in the same rows, and in some not."""
    filled = {(_filled(cells, one), _filled(cells, other)) for cells in body}
    return filled == {(True, True), (False, False)}


def _own_currency(one: int, other: int, codes: int, body: Sequence[Sequence[str]]) -> str:
    """The only currency in whose rows two columns mostly have the same amount, or the second none; in rows of other codes both mostly
    differ. Else empty."""
    equal: Counter[str] = Counter()
    unequal: Counter[str] = Counter()
    is_sparse = 2 * len(list(filter(_moves, column(body, other)))) < len(body)
    for cells in body:
        mine, theirs = (_size(cells[place]) if place < len(cells) else None for place in (one, other))
        code = cells[codes].upper() if codes < len(cells) else ""
        if mine is None or code not in MINOR_UNITS or (not theirs and not is_sparse):
            continue
        (equal if not theirs or mine == theirs else unequal)[code] += 1
    own = [code for code in equal if equal[code] > MANY_MORE * unequal[code]]
    others = [code for code in unequal if unequal[code] > MANY_MORE * equal[code]]
    return own[0] if len(own) == 1 and others else ""


def _size(text: str) -> Decimal | None:
    """An amount without its sign, with whichever decimal mark it has; None where it is none."""
    values = (amount_of(text, mark) for mark in MARKS)
    return next((abs(value) for value in values if value is not None), None)


def _own_amount(
    one: int, other: int, codes: int, own: str, names: Sequence[str], body: Sequence[Sequence[str]]
) -> int:
    pair = (one, other)
    if (
        len([text for text in column(body, other) if _moves(text)])
        < len(column(body, one)) * MOSTLY_FILLED - 1
    ):
        return one  # the other is there for foreign rows only
    constant = [
        place
        for place in range(len(names))
        if place != codes and body and {cells[place] for cells in body if place < len(cells)} == {own}
    ]
    if constant:
        return min(pair, key=lambda place: abs(place - constant[0]))
    foreign = [place for place in pair if OF_OTHERS.search(plain(names[place]))]
    if len(foreign) == 1:
        return other if foreign[0] == one else one
    return max(pair, key=lambda place: abs(place - codes))


def by_sums(names: Sequence[str], body: Sequence[Sequence[str]]) -> Roles:
    """From a header whose names of amounts are not known: the columns that lead from each balance to the next."""
    roles = by_names(names, body)
    known = {roles.date, roles.posted, roles.account, roles.reference, *roles.description}
    numbers = [
        place
        for place in range(len(names))
        if place not in known
        and names[place]
        and mostly(column(body, place), is_number, 1.0)
        and any(map(_moves, column(body, place)))
    ]
    if roles.date < 0 or len(numbers) < 2:
        return Roles()
    if (led := amount_to_balance(numbers, roles.date, body)) is not None:
        roles.amount, roles.balance = led
        roles.debit = roles.credit = -1
    elif (flows := flows_to_balance(numbers, body)) is not None:
        roles.debit, roles.credit, roles.balance = flows
        signed = all("-" in text or "−" in text for text in column(body, roles.debit) if _moves(text))
        roles.amount, roles.are_flows_unnamed = -1, not signed
        if role_of(plain(names[roles.credit])) == "debit" or role_of(plain(names[roles.debit])) == "credit":
            roles.debit, roles.credit = roles.credit, roles.debit  # the balance is what is owed
            roles.are_flows_unnamed = False
    else:
        return Roles()
    return roles


def _is_of_the_file(name: str, texts: Sequence[str]) -> bool:
    """Whether a column of dates is none of the rows' own: the same on every row, or by its name that of a statement, an export or a
    deadline."""
    return (len(texts) > 2 and len(set(texts)) == 1) or NOT_OF_THE_ROW.search(plain(name)) is not None


def _is_before(names: Sequence[str], place: int) -> bool:
    """Whether a column of balances names the one before its row; the one after it is the running balance."""
    return place >= 0 and re.search(r"\b(?:before|previous|prior|opening)\b", plain(names[place])) is not None


def _describe(roles: Roles, names: Sequence[str], body: Sequence[Sequence[str]]) -> None:
    """Give the description a column with words where its own hold only numbers; reference and category are kept beside it."""
    roles.reference = _named(names, REFERENCE)
    roles.category = _named(names, CATEGORY)
    places = {name: _named(names, words) for name, words in TRADE_COLUMNS.items()}
    if places["symbol"] >= 0 and places["quantity"] >= 0:
        roles.trade = {name: place for name, place in places.items() if place >= 0}
    if all(mostly(column(body, place), _is_reference) for place in roles.description):
        longest = longest_texts(body, roles, len(names))
        roles.description = sorted({*roles.description, *longest})


def _named(names: Sequence[str], words: re.Pattern[str]) -> int:
    return next((place for place, name in enumerate(names) if words.fullmatch(plain(name))), -1)


def _both_directions(names: Sequence[str], body: Sequence[Sequence[str]]) -> int:
    """A column under any name that says on each row whether money came in or went out, and says both."""
    for place in range(len(names)):
        words = {text.casefold() for text in column(body, place)}
        says_both = words & OUT_WORDS and words & IN_WORDS and words <= OUT_WORDS | IN_WORDS | NEITHER_WORDS
        if says_both and len(column(body, place)) == len(body):
            return place
    return -1


def _repeats_without_sign(roles: Roles, body: Sequence[Sequence[str]]) -> bool:
    """Whether the amount of every row is that of its debit or of its credit, without a sign that says which."""
    kinds = set()
    for cells in body:
        amount, debit, credit = (
            cells[place].lstrip("-−+") if 0 <= place < len(cells) else ""
            for place in (roles.amount, roles.debit, roles.credit)
        )
        if not amount:
            continue
        if cells[roles.amount] != amount or bool(debit) == bool(credit) or amount != (debit or credit):
            return False
        kinds.add(bool(debit))
    return len(kinds) > 1


def _is_of_the_shop(roles: Roles, body: Sequence[Sequence[str]]) -> bool:
    """Whether amounts never have a sign, and each row has a debit or a credit, which most often is the same and else that of another
    currency: what the shop asked for, beside what was booked."""
    kinds, equal, total = set(), 0, 0
    for cells in body:
        amount, debit, credit = (
            cells[place] if 0 <= place < len(cells) else ""
            for place in (roles.amount, roles.debit, roles.credit)
        )
        if not amount:
            continue
        if not amount[0].isdigit() or bool(debit) == bool(credit):
            return False
        kinds.add(bool(debit))
        total, equal = total + 1, equal + (amount == (debit or credit))
    return len(kinds) > 1 and 2 * equal > total


def _filled_rows(body: Sequence[Sequence[str]], *places: int) -> int:
    return sum(1 for cells in body if any(_filled(cells, place) for place in places))


def _is_reference(text: str) -> bool:
    """Digits, or a code of letters and digits: a number of something, which describes nothing."""
    return _REFERENCE.fullmatch(text) is not None


def _best_amount(names: Sequence[str], places: Sequence[int], body: Sequence[Sequence[str]]) -> int:
    """Of several amounts that are not empty, the net one, which is what moved; else the one that says the least more than that it is
    the amount."""
    places = [place for place in places if any(map(_moves, column(body, place)))] or places
    most = max((len(column(body, place)) for place in places), default=0)
    places = [place for place in places if len(column(body, place)) >= most * MOSTLY_FILLED]
    net = next((place for place in places if plain(names[place]) in NET), -1)
    if net >= 0 and len(column(body, net)) == max(len(column(body, place)) for place in places):
        return net
    return min(places, key=lambda place: (len(plain(names[place]).split("(")[0].split()), place), default=-1)


def _moves(text: str) -> bool:
    return any((value := amount_of(text, mark)) is not None and value for mark in MARKS)


def _holds(role: str, texts: Sequence[str]) -> bool:
    if not texts:
        return role != "direction"
    share = (
        0.6 if len(texts) > FEW else 1 / FEW
    )  # of a few rows, one that is as it should be is enough: the others are errors
    if role in ("amount", "debit", "credit", "balance"):
        return mostly(texts, is_number, share)
    if role in ("date", "value date"):
        return mostly(
            [text for text in texts if text[0].isdigit()] or texts, is_date, share
        )  # pending rows have a word there
    if role == "description":  # a reference number describes nothing
        return not mostly(texts, is_number)
    return _is_code(texts[0]) if role == "currency" else True


def _unnamed_currency(names: Sequence[str], body: Sequence[Sequence[str]], is_named: bool) -> int:
    """A currency on every row, under a name that does not say that it is another one than the account's; else codes under `valuta`."""
    codes = [
        place
        for place, name in enumerate(names)
        if len(texts := column(body, place)) == len(body) > 0
        and all(text in CODES for text in texts)
        and OTHER_CURRENCY.search(plain(name)) is None
        and role_of(plain(name)) == ""
    ]
    if len(codes) == 1 and not is_named:
        return codes[0]
    return next(
        (
            place
            for place, name in enumerate(names)
            if plain(name) == "valuta" and mostly(column(body, place), _is_code)
        ),
        -1,
    )


def _is_code(text: str) -> bool:
    return len(text) == 3 and text.isalpha()


def _is_direction(text: str) -> bool:
    return text.casefold() in OUT_WORDS or text.casefold() in IN_WORDS


def by_contents(body: Sequence[Sequence[str]]) -> Roles:
    """Without a header: a column of dates, one of amounts, the longest text; then the balance, or credits beside debits."""
    width = max((len(cells) for cells in body), default=0)
    roles = Roles()
    numbers: list[int] = []
    for place in range(width):
        texts = column(body, place)
        if len(texts) < len(body) * 0.05:
            continue
        if roles.date < 0 and len(texts) > len(body) * 0.8 and mostly(texts, is_date):
            roles.date = place
        elif mostly(texts, is_number, 0.95) and not mostly(texts, str.isdigit, 0.95):
            if not all(map(_CODE.fullmatch, texts)):
                numbers.append(place)
        elif roles.currency < 0 and len(texts) == len(body) and all(text in CODES for text in texts):
            roles.currency = place
    roles.description = longest_texts(body, roles, width)
    _assign_numbers(roles, numbers, body)
    if roles.amount >= 0:
        roles.direction = _both_directions([""] * width, body)
    return roles


def _assign_numbers(roles: Roles, numbers: Sequence[int], body: Sequence[Sequence[str]]) -> None:
    if (explained := _balance_after_amount(numbers, body)) is not None:
        roles.amount, roles.balance = explained
        return
    if (led := amount_to_balance(numbers, roles.date, body)) is not None:
        roles.amount, roles.balance = led
        return
    partly = [place for place in numbers if len(column(body, place)) < len(body)]
    if len(partly) >= 2 and all(
        not (_filled(cells, partly[0]) and _filled(cells, partly[1])) for cells in body
    ):
        roles.debit, roles.credit = partly[0], partly[1]
        roles.balance = next((place for place in numbers if place > partly[1]), -1)
    elif numbers:
        roles.amount = numbers[0]
        roles.balance = numbers[1] if len(numbers) > 1 else -1


def _balance_after_amount(numbers: Sequence[int], body: Sequence[Sequence[str]]) -> tuple[int, int] | None:
    """Where each row has a balance before, an amount and a balance after: which column is the amount, and which the balance after it."""
    for mark in MARKS:
        rows = [
            [amount_of(cells[place], mark) if place < len(cells) else None for place in numbers]
            for cells in body
        ]
        for before, amount, after in permutations(range(len(numbers)), 3):
            if len(rows) > 2 and all(
                (start := row[before]) is not None
                and (moved := row[amount]) is not None
                and (end := row[after]) is not None
                and start + moved == end
                for row in rows
            ):
                has_run = sum(one[after] == other[before] for one, other in pairwise(rows))
                runs_back = sum(one[before] == other[after] for one, other in pairwise(rows))
                if max(has_run, runs_back) >= len(rows) / 2:
                    return numbers[amount], numbers[after]
    return None


def _filled(cells: Sequence[str], place: int) -> bool:
    return place < len(cells) and cells[place] not in EMPTY


def longest_texts(body: Sequence[Sequence[str]], roles: Roles, width: int) -> list[int]:
    """The place of the column with the most words that change from row to row, among those without another role."""
    taken = {
        roles.date,
        roles.amount,
        roles.debit,
        roles.credit,
        roles.balance,
        roles.currency,
        roles.account,
    }
    texts = {
        place: held
        for place in range(width)
        if place not in taken
        and (held := column(body, place))
        and not mostly(held, is_number)
        and not mostly(held, is_date)
    }
    changing = {place: held for place, held in texts.items() if len(set(held)) > 1}
    among = changing or texts  # a bank's name that is the same on every row describes nothing
    return [max(among, key=lambda place: sum(map(len, among[place])))] if among else []
