"""Two files with the same rows flag each other whatever the order in which they are normalized, also at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sqlalchemy import func, select

from interlock.workflows.statements.normalize.normalizing import normalize
from interlock.workflows.statements.parsed import ObservedRow
from interlock.workflows.statements.rules import builtin_rules
from interlock.workflows.statements.tables import statement_accounts, transactions
from interlock.workflows.statements.uploads import duplicate_flags, storing
from tests.statements.api.conftest import place, statements_url  # noqa: F401 fixtures
from tests.statements.api.place import KIND, Place

AT_ONCE = 100
HEAD = "Account number:,12345678,\n\nDate,Description,Amount (GBP)\n"


def table(pair: int, name: str) -> bytes:
    """The same rows with another word before them, so that the bytes differ."""
    rows = f"13/04/2024,Cafe,-{pair + 1}.50\n14/04/2024,Book shop,-{pair + 1}.75\n"
    return f"Export {name},,\n{HEAD}{rows}".encode()


def flags(place: Place, upload_id: str) -> list[bool]:  # noqa: F811
    found = place.show(upload_id, "transactions")["transactions"]
    return ["possible_duplicate" in one["flags"] for one in found]


def test_two_files_of_one_batch_are_flagged_like_one_after_the_other(place: Place) -> None:  # noqa: F811
    one, other = place.upload(table(0, "a")), place.upload(table(0, "b"))
    place.app.drain()
    assert flags(place, other) == [True, True]
    third = place.upload(table(0, "c"))
    place.app.drain()
    assert sorted([flags(place, one), flags(place, other)]) == [[False, False], [True, True]]
    assert flags(place, third) == [True, True]
    log = place.show(third, "normalization-log")
    assert log["validation_summary"]["flags"]["possible_duplicate"] == 2
    assert [move.new for move in place.app.ledger.history(KIND, third)][-1] == "normalized"


def test_files_without_any_account_match_nothing(place: Place) -> None:  # noqa: F811
    plain = b"Date,Description,Amount (GBP)\n13/04/2024,Cafe,-1.50\n"
    one = place.upload(plain)
    place.app.drain()
    other = place.upload(b"\n" + plain)
    place.app.drain()
    assert flags(place, one) == flags(place, other) == [False]


def test_a_hundred_pairs_stored_at_once_are_flagged_once_each(place: Place) -> None:  # noqa: F811
    """Both are normalized before either is stored, as by two runners; then both store at the same instant. Whichever is first, the rows of
    the upload that was created later are flagged."""
    rows = [ObservedRow(0, "2024-04-13", "Cafe", "-1.50", "GBP", "12345678", date_format="ymd")]
    ids = [place.upload(table(number, "x")) for number in range(2)]
    place.app.drain()
    now = place.app.clock.now()
    made = {
        upload_id: normalize(upload_id, rows, builtin_rules(), today=now.date(), at=now).canonicals
        for upload_id in ids
    }
    for _ in range(AT_ONCE):
        barrier = Barrier(2)

        def store(upload_id: str, barrier: Barrier = barrier) -> None:
            barrier.wait(30)
            with place.app.database.write() as tx:
                duplicate_flags.lock_accounts(tx, ["12345678"])
                ready = duplicate_flags.flag_duplicates(tx, [(upload_id, made[upload_id])], builtin_rules())
                storing.replace_transactions(tx, [(upload_id, 9, ready[upload_id])])

        with place.app.database.write() as tx:
            tx.execute(transactions.delete())
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(store, ids))
        assert [flags(place, upload_id) for upload_id in ids] == [[False], [True]]
    with place.app.database.read() as tx:
        writes = tx.execute(select(func.sum(statement_accounts.c.writes))).scalar_one()
    assert writes >= 2 * AT_ONCE
