"""`machine diff`, `machine migrate`, `db upgrade --contract` and `check --replay`: a changed machine from first look to narrowed guards."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from interlock import App
from tests.acceptance import evolving
from tests.acceptance.conftest import Run, parsed
from tests.kinds import open_app

PLAN = """
[[line]]
from = "review"
to = "checking"
reason = "reviews are part of the check now"
"""


@pytest.fixture
def new_code(run: Run, database_url: str) -> Run:
    """Commands of the new code, on a database where old code has left three orders in review."""
    app = open_app(database_url, *evolving.before)
    app.admit_many(
        "orders",
        [{"id": f"o{number}", "status": "review" if number < 3 else "placed"} for number in range(4)],
    )
    app.close()
    return lambda *words, **options: run(
        "--app", "tests.acceptance.evolving:after", "--database", database_url, *words, **options
    )


def test_a_diff_is_told_before_the_new_code_has_touched_the_database(new_code: Run) -> None:
    told = new_code("machine", "diff")
    assert told.exit_code == 7
    assert "state review is gone" in told.stdout
    assert "o0, o1, o2" in told.stdout
    answer = parsed(new_code("machine", "diff", "orders", "-o", "json"))
    assert answer["stranded"] == [
        {
            "kind": "orders",
            "axis": "status",
            "scope": None,
            "state": "review",
            "records": 3,
            "examples": ["o0", "o1", "o2"],
        }
    ]


def test_a_diff_against_a_version_that_is_not_there_says_so(new_code: Run) -> None:
    assert new_code("machine", "diff", "--from", "feed").exit_code == 3


def test_from_diff_to_contract(new_code: Run, empty_folder: Path) -> None:
    (empty_folder / "plan.toml").write_text(PLAN)
    assert new_code("db", "upgrade").exit_code == 0
    refused = new_code("db", "upgrade", "--contract")
    assert (refused.exit_code, "[ILK-215]" in refused.stderr, "machine migrate" in refused.stderr) == (
        5,
        True,
        True,
    )
    foreseen = parsed(
        new_code("machine", "migrate", "orders", "--plan", "plan.toml", "--dry-run", "-o", "json")
    )
    assert (foreseen["done"], foreseen["lines"][0]["records"], foreseen["lines"][0]["moved"]) == (False, 3, 0)
    done = parsed(
        new_code(
            "machine", "migrate", "orders", "--plan", "plan.toml", "--yes", "--actor", "eve", "-o", "json"
        )
    )
    assert (done["done"], done["lines"][0]["moved"], done["lines"][0]["reason"]) == (
        True,
        3,
        "reviews are part of the check now",
    )
    assert "ok" in new_code("db", "upgrade", "--contract").stdout or new_code("db", "check").exit_code == 0
    assert new_code("machine", "diff").exit_code == 0
    checked = new_code("check", "--replay")
    assert (checked.exit_code, "replayed, they give every state and every fact" in checked.stdout) == (
        0,
        True,
    )
    assert "reviews are part of the check now" in new_code("record", "why", "orders", "o1").stdout


def test_the_plan_explains_itself_at_the_terminal(new_code: Run) -> None:
    new_code("db", "upgrade")
    told = new_code(
        "machine", "migrate", "orders", "--map", "review=checking", "--reason", "merged", "--dry-run"
    )
    assert (told.exit_code, told.stdout.splitlines()[1].split()) == (
        0,
        ["review", "checking", "3", "0", "merged"],
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "either as --plan"),
        (("--map", "review=checking"), 2, "needs --reason"),
        (("--map", "review=checking", "--reason", "x"), 2, "say --yes"),
        (("--map", "review=nowhere", "--reason", "x", "--yes"), 2, "has no state nowhere"),
        (
            ("--map", "review=checking", "--reason", "x", "--yes", "--role", "curator"),
            4,
            "needs the role admin or operator",
        ),
    ],
)
def test_a_plan_that_cannot_be_is_refused(
    new_code: Run, words: tuple[str, ...], code: int, said: str
) -> None:
    new_code("db", "upgrade")
    told = new_code("machine", "migrate", "orders", *words)
    assert (told.exit_code, said in told.stderr) == (code, True), told.stderr


def test_a_file_that_is_no_plan_is_refused(new_code: Run, empty_folder: Path) -> None:
    missing = new_code("machine", "migrate", "orders", "--plan", "plan.toml")
    assert (missing.exit_code, "cannot be read" in missing.stderr) == (2, True)
    (empty_folder / "plan.toml").write_text('[[line]]\nfrom = "review"\n')
    told = new_code("machine", "migrate", "orders", "--plan", "plan.toml")
    assert (told.exit_code, "is not a plan" in told.stderr, "[[line]]" in told.stderr) == (2, True, True)


def test_force_goes_with_contract(new_code: Run) -> None:
    assert new_code("db", "upgrade", "--force").exit_code == 2
    assert new_code("db", "upgrade", "--contract", "--force").exit_code == 0


def test_a_row_that_was_changed_past_the_guards_is_found_by_replay(new_code: Run, database_url: str) -> None:
    new_code("db", "upgrade")
    app = App(evolving.after, database=database_url)
    with app.database.write() as tx:
        unguarded = (
            "DROP TRIGGER interlock_orders_status_update"
            if app.database.name == "sqlite"
            else "ALTER TABLE orders DISABLE TRIGGER USER"
        )
        tx.execute(text(unguarded))
        tx.execute(text("UPDATE orders SET status = 'checking' WHERE id = 'o3'"))
    app.close()
    found = parsed(new_code("check", "--replay", "-o", "json"))
    assert "replayed it is placed at version 0; the row says checking at version 0" in [
        one["problem"] for one in found["findings"]
    ]
