"""What README and the deploy page tell a newcomer to type does what they say; `make follow` does all of it in a fresh clone."""

from __future__ import annotations

import sys
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import Column, Integer, MetaData, Table

from interlock import App, Axis, Machine, Workflow
from tests.acceptance import following


@pytest.mark.timeout(300)  # nine processes one after the other, also beside tests that fill the machine
def test_the_deploy_page_can_be_followed(
    empty_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "PATIENCE", 90)  # who hangs is named
    following.follow_deploy(Path(sys.executable).parent, empty_folder)
    typed = capsys.readouterr().out
    assert "db upgrade --contract" in typed
    assert "interlock runner --concurrency 8" in typed


def test_the_readme_begins_with_what_make_follow_starts() -> None:
    commands = following.commands_of("README.md")
    assert commands[0] == "make up"
    assert [name for name in following.TRIED_ELSEWHERE if name not in commands] == []


def test_the_refusal_in_the_readme_is_what_postgresql_answers(postgres_url: str) -> None:
    table = Table("payments", MetaData(), Column("id", Integer, primary_key=True), Column("cents", Integer))
    moves = {"due": ["charging"], "charging": ["paid", "failed"], "failed": ["due"]}
    payments = Workflow(
        "payments",
        noun="payment",
        records=table,
        axes=[Axis("status", Machine("payment", initial="due", moves=moves))],
    )
    app = App([payments], database=postgres_url)
    try:
        app.migrate()
        app.admit_many("payments", [{"cents": 1999}, {"cents": 500}])
        for state in ("charging", "failed"):
            app.move("payments", 2, status=state, actor="eve")
        (block,) = following.block_of("README.md", "console")
        prompt, *printed = block.body.splitlines()
        before = app.get("payments", 2)
        with psycopg.connect(postgres_url.replace("+psycopg", "")) as raw:
            with pytest.raises(psycopg.Error) as refused:
                raw.execute(prompt.partition("=> ")[2])  # type: ignore[arg-type]
            answer = refused.value.diag
        assert [f"ERROR:  {answer.message_primary}", f"HINT:  {answer.message_hint}"] == printed
        assert app.get("payments", 2) == before
        assert [move.new for move in app.ledger.history("payments", 2)] == ["due", "charging", "failed"]
    finally:
        app.close()


@pytest.mark.soak
@pytest.mark.timeout(1200)
def test_a_fresh_clone_is_followed_word_by_word() -> None:
    following.main()
