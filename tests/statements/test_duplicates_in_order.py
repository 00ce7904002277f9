"""The rows of the later upload carry the flag of a duplicate, and only they, whatever is parsed again, erased or stored first."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from interlock.workflows.statements.tables import transactions
from tests.statements.api.conftest import place, statements_url  # noqa: F401 fixtures
from tests.statements.api.place import KIND, Place
from tests.statements.test_duplicates_at_once import HEAD, flags, table

DUPLICATE = "possible_duplicate"


def act(place: Place, upload_id: str, name: str) -> None:  # noqa: F811
    answer = place.asker.ask("POST", f"/uploads/{upload_id}/{name}", json={"reason": "tried in a test"})
    assert answer.status_code == 200, answer.text


def stored(place: Place, upload_id: str) -> dict[str, Any]:  # noqa: F811
    with place.app.database.read() as tx:
        asked = select(transactions.c.description, transactions.c.flags)
        return {
            text: list(marks)
            for text, marks in tx.execute(asked.where(transactions.c.upload_id == upload_id))
        }


def pair(place: Place) -> tuple[str, str]:  # noqa: F811
    """Two uploads with the same rows, one after the other."""
    earlier = place.upload(table(0, "a"))
    place.app.drain()
    later = place.upload(table(0, "b"))
    place.app.drain()
    assert (flags(place, earlier), flags(place, later)) == ([False, False], [True, True])
    return earlier, later


@pytest.mark.parametrize("which", [0, 1])
def test_parsing_either_of_two_again_leaves_the_flags_where_they_were(place: Place, which: int) -> None:  # noqa: F811
    both = pair(place)
    act(place, both[which], "reparse")
    place.app.drain()
    assert [flags(place, one) for one in both] == [[False, False], [True, True]]
    assert [move.new for move in place.app.ledger.history(KIND, both[which])].count("normalized") == 2


def test_parsing_both_again_at_once_leaves_the_flags_where_they_were(place: Place) -> None:  # noqa: F811
    both = pair(place)
    for one in reversed(both):
        act(place, one, "reparse")
    place.app.drain()
    assert [flags(place, one) for one in both] == [[False, False], [True, True]]


def test_erasing_the_earlier_upload_takes_the_flag_from_the_later_one_in_the_same_transaction(
    place: Place,  # noqa: F811
) -> None:
    earlier, later = pair(place)
    before = stored(place, later)
    act(place, earlier, "erase")
    assert flags(place, later) == [False, False]
    assert stored(place, later) == {
        text: [mark for mark in marks if mark != DUPLICATE] for text, marks in before.items()
    }
    assert place.app.ledger.history(KIND, earlier)[-1].origin == "erase"
    third = place.upload(table(0, "c"))
    place.app.drain()
    assert (flags(place, later), flags(place, third)) == ([False, False], [True, True])


def test_erasing_the_later_upload_changes_nothing_of_the_earlier_one(place: Place) -> None:  # noqa: F811
    earlier, later = pair(place)
    before = stored(place, earlier)
    act(place, later, "erase")
    assert stored(place, earlier) == before


def test_a_row_that_repeats_two_uploads_or_its_own_file_stays_flagged_when_one_of_them_is_erased(
    place: Place,  # noqa: F811
) -> None:
    earlier, later = pair(place)
    rows = "13/04/2024,Cafe,-1.50\n13/04/2024,Cafe,-1.50\n14/04/2024,Book shop,-1.75\n"
    third = place.upload(f"{HEAD}{rows}".encode())
    place.app.drain()
    act(place, earlier, "erase")
    assert (flags(place, later), flags(place, third)) == ([False, False], [True, True, True])
    act(place, later, "erase")
    assert flags(place, third) == [False, True, False]


def test_much_money_that_was_to_be_looked_at_only_as_a_duplicate_is_not_any_more_once_the_other_is_erased(
    place: Place,  # noqa: F811
) -> None:
    def large(name: str) -> bytes:
        return f"Export {name},,\n{HEAD}13/04/2024,Starbucks,-12000.50\n14/04/2024,Qqzz,-12000.75\n".encode()

    earlier = place.upload(large("a"))
    place.app.drain()
    later = place.upload(large("b"))
    place.app.drain()
    assert all("manual_review_required" in marks for marks in stored(place, later).values())
    act(place, earlier, "erase")
    left = stored(place, later)
    assert left["Starbucks"] == ["large_amount"]
    assert "manual_review_required" in left["Qqzz"]


def test_rows_of_an_upload_that_another_reading_changes_flag_the_later_ones_that_they_now_repeat(
    place: Place,  # noqa: F811
) -> None:
    """The earlier one's amounts have the other sign until somebody decides."""
    earlier = place.upload(f"{HEAD}13/04/2024,Cafe,1.50\n14/04/2024,Book shop,1.75\n".encode())
    place.app.drain()
    later = place.upload(f"{HEAD}13/04/2024,Cafe,-1.50\n14/04/2024,Book shop,-1.75\n".encode())
    place.app.drain()
    assert flags(place, later) == [False, False]
    answer = place.asker.ask(
        "PATCH",
        f"/uploads/{earlier}/interpretation",
        json={"signs": "turned", "apply": True, "reason": "tried in a test"},
    )
    assert answer.status_code == 200, answer.text
    place.app.drain()
    assert (flags(place, earlier), flags(place, later)) == ([False, False], [True, True])
    again = {"signs": "turned", "apply": True, "reason": "turned back"}
    assert place.asker.ask("PATCH", f"/uploads/{earlier}/interpretation", json=again).status_code == 200
    place.app.drain()
    assert (flags(place, earlier), flags(place, later)) == ([False, False], [False, False])
