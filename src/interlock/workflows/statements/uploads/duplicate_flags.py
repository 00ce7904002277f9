"""Keeps the flag `possible_duplicate` of stored rows true: it is on rows that repeat one before them in their upload,
or one of an earlier upload.

Which of two uploads is earlier is decided by when they were created, then by their ids. So it is the same whichever was stored first, and
stays when one of them is parsed again. Every function here writes only under the locks of the accounts that it writes to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, select, text, update

from ..normalize.canonical import Canonical
from ..normalize.duplicates import Earlier, Likeness, Similar
from ..normalize.judging import FLAGS, as_duplicate, as_no_duplicate
from ..rules import RuleSet
from ..rules.rule_set import SourceOptions
from ..tables import transactions, uploads

_LOCK = text(
    "INSERT INTO statement_accounts (account, writes) VALUES (:account, 1) "
    "ON CONFLICT (account) DO UPDATE SET writes = statement_accounts.writes + 1"
)
CHUNK = 500
"""Values in one statement: well under what either database takes."""
DUPLICATE = FLAGS[0]
DuplicateKey = tuple[str, str, date]
"""An account, an amount and a day."""


class Place(NamedTuple):
    """Where an upload stands among all, and the options of its source."""

    created_at: datetime
    upload_id: str
    options: SourceOptions

    @property
    def order(self) -> tuple[datetime, str]:
        return self.created_at, self.upload_id

    @property
    def likeness(self) -> Likeness:
        return Likeness.of(self.options)


def lock_accounts(tx: Connection, accounts: Iterable[str]) -> None:
    """Wait for whoever else writes transactions of these accounts, and keep later writers waiting until this transaction ends."""
    for account in sorted(set(accounts) - {""}):
        tx.execute(_LOCK, {"account": account})


def similar_transactions(
    tx: Connection, keys: Mapping[str, Sequence[DuplicateKey]], *, days: int = 1
) -> dict[str, list[Similar]]:
    """For each upload, transactions of other uploads that its rows may repeat: one look into the index for each amount."""
    reach = timedelta(days)
    similar: dict[str, list[Similar]] = {upload_id: [] for upload_id in keys}
    by_account: dict[str, dict[str, dict[str, tuple[date, date]]]] = {}
    for upload_id, rows in keys.items():
        for account, amount, day in rows:
            spans = by_account.setdefault(account, {}).setdefault(amount, {})
            first, last = spans.get(upload_id, (day, day))
            spans[upload_id] = (min(first, day), max(last, day))
    for account, amounts in by_account.items():
        days_of = [span for spans in amounts.values() for span in spans.values()]
        first, last = min(span[0] for span in days_of) - reach, max(span[1] for span in days_of) + reach
        names = list(amounts)
        for start in range(0, len(names), CHUNK):
            for one in _similar(tx, account, names[start : start + CHUNK], first, last):
                for upload_id, (begin, end) in amounts[one.amount].items():
                    if one.upload_id != upload_id and begin - reach <= one.date <= end + reach:
                        similar[upload_id].append(one)
    return similar


def _similar(
    tx: Connection, account: str, amounts: Sequence[str], first: date, last: date
) -> Iterator[Similar]:
    table = transactions.c
    columns = [table[name] for name in Similar.__slots__]
    rows = tx.execute(
        select(*columns).where(
            table.account == account, table.amount.in_(amounts), table.date.between(first, last)
        )
    )
    return (Similar(*row) for row in rows)


def flag_duplicates(
    tx: Connection, made: Sequence[tuple[str, Sequence[Canonical]]], rules: RuleSet
) -> dict[str, list[Canonical]]:
    """The canonicals of each upload, about to be stored, with those flagged that earlier uploads have; stored rows of later uploads that
    these repeat are flagged in place. How alike rows must be is decided by the upload that is flagged. The caller has locked the accounts
    of the canonicals, so nobody adds any meanwhile."""
    ids = {upload_id for upload_id, _ in made}
    keys = {
        upload_id: [(one.account, one.amount, one.date) for one in canonicals if one.account]
        for upload_id, canonicals in made
    }
    similar = similar_transactions(tx, keys, days=_farthest(rules))
    stored = _by_upload(other for rows in similar.values() for other in rows if other.upload_id not in ids)
    places = _places(tx, [*ids, *stored], rules)
    queue = sorted((places[upload_id].order, upload_id) for upload_id in (*ids, *stored))
    canonicals_of, seen = dict(made), {places[one].likeness: _seen(places[one].likeness) for one in places}
    flagged: dict[str, list[Canonical]] = {}
    repeated: list[str] = []
    for _, upload_id in queue:
        before = seen[places[upload_id].likeness]
        if upload_id in ids:
            flagged[upload_id] = [_flagged(one, before) for one in canonicals_of[upload_id]]
            rows: Sequence[Canonical | Similar] = canonicals_of[upload_id]
        else:
            rows = stored[upload_id]
            repeated += [one.canonical_id for one in rows if _is_repeated(one, before)]
        for earlier in seen.values():
            for one in rows:
                if one.account:
                    earlier.remember(one.account, one.amount, one.currency, one.date, one.merchant)
    _flag_stored(tx, repeated)
    return flagged


def forget_duplicates(tx: Connection, removed: Sequence[str], rules: RuleSet) -> None:
    """Before the rows of these uploads are removed: take the flag from rows of other uploads that have it because of them alone. Locks the
    accounts of what is removed."""
    table, gone = transactions.c, set(removed)
    keys: dict[str, list[DuplicateKey]] = defaultdict(list)
    for start in range(0, len(removed), CHUNK):
        chunk = removed[start : start + CHUNK]
        asked = select(table.upload_id, table.account, table.amount, table.date)
        for upload_id, *key in tx.execute(asked.where(table.upload_id.in_(chunk), table.account != "")):
            keys[upload_id].append((key[0], key[1], key[2]))
    lock_accounts(tx, (account for rows in keys.values() for account, _, _ in rows))
    days = _farthest(rules)
    near = similar_transactions(tx, keys, days=days)
    others = {one.canonical_id: one for rows in near.values() for one in rows if one.upload_id not in gone}
    marks = {name: (flags, score) for name, flags, score in _marks(tx, list(others)) if DUPLICATE in flags}
    doubtful = [others[name] for name in marks]
    left = _still_repeated(tx, doubtful, gone, rules)
    places = _places(tx, list({one.upload_id for one in doubtful}), rules)
    _write_flags(
        tx,
        {
            one.canonical_id: as_no_duplicate(
                places[one.upload_id].options, marks[one.canonical_id][0], marks[one.canonical_id][1]
            )
            for one in doubtful
            if one.canonical_id not in left
        },
    )


def _still_repeated(tx: Connection, doubtful: Sequence[Similar], gone: set[str], rules: RuleSet) -> set[str]:
    """The canonical ids of those that repeat a row which is not removed: one before it in its own upload, or one of an earlier upload."""
    wanted = {"": [(one.account, one.amount, one.date) for one in doubtful]} if doubtful else {}
    near = similar_transactions(tx, wanted, days=_farthest(rules)).get("", [])
    rows = _by_upload(one for one in near if one.upload_id not in gone)
    places = _places(tx, list(rows), rules)
    asked, found = {one.canonical_id for one in doubtful}, set()
    seen = {place.likeness: _seen(place.likeness) for place in places.values()}
    for upload_id in sorted(rows, key=lambda name: places[name].order):
        before = seen[places[upload_id].likeness]
        for one in sorted(rows[upload_id], key=lambda row: row.insertion_sequence):
            if one.canonical_id in asked and _is_repeated(one, before):
                found.add(one.canonical_id)
            for earlier in seen.values():
                earlier.remember(one.account, one.amount, one.currency, one.date, one.merchant)
    return found


def _seen(likeness: Likeness) -> Earlier:
    return Earlier(likeness.days, likeness.similarity)


def _by_upload(rows: Iterable[Similar]) -> dict[str, list[Similar]]:
    """Each row once, by its upload."""
    found: dict[str, dict[str, Similar]] = defaultdict(dict)
    for one in rows:
        found[one.upload_id][one.canonical_id] = one
    return {upload_id: list(of_it.values()) for upload_id, of_it in found.items()}


def _is_repeated(one: Canonical | Similar, before: Earlier) -> bool:
    return bool(one.account) and before.has_like(
        one.account, one.amount, one.currency, one.date, one.merchant
    )


def _flagged(one: Canonical, before: Earlier) -> Canonical:
    if DUPLICATE in one.flags or not _is_repeated(one, before):
        return one
    return replace(one, flags=as_duplicate(one.flags))


def _farthest(rules: RuleSet) -> int:
    """The most days that any source lets lie between a row and its repetition."""
    return max(one.duplicate_days for one in (rules.options, *rules.sources.values()))


def _places(tx: Connection, ids: Sequence[str], rules: RuleSet) -> dict[str, Place]:
    table, found = uploads.c, {}
    for start in range(0, len(ids), CHUNK):
        asked = select(table.upload_id, table.created_at, table.parser_source, table.source_type)
        for row in tx.execute(asked.where(table.upload_id.in_(ids[start : start + CHUNK]))):
            options = rules.options_for(row.parser_source or row.source_type)
            found[row.upload_id] = Place(row.created_at, row.upload_id, options)
    return found


def _marks(tx: Connection, names: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...], float]]:
    """The flags and the score of these canonicals."""
    table = transactions.c
    for start in range(0, len(names), CHUNK):
        asked = select(table.canonical_id, table.flags, table.confidence_score)
        for name, flags, score in tx.execute(
            asked.where(table.canonical_id.in_(names[start : start + CHUNK]))
        ):
            yield name, tuple(flags), score


def _flag_stored(tx: Connection, names: Sequence[str]) -> None:
    new = {name: as_duplicate(flags) for name, flags, _ in _marks(tx, names) if DUPLICATE not in flags}
    _write_flags(tx, new)


def _write_flags(tx: Connection, flags: Mapping[str, Sequence[str]]) -> None:
    if flags:
        change = update(transactions).where(transactions.c.canonical_id == bindparam("name"))
        tx.execute(
            change.values(flags=bindparam("marks")),
            [{"name": name, "marks": list(marks)} for name, marks in sorted(flags.items())],
        )
