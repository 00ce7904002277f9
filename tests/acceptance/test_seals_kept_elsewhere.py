"""Seals outside the database, by hand and on a schedule; held against it they locate whatever its owner rewrote or lost."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from interlock import App, independent_verifier
from interlock.clock import FrozenClock
from interlock.observe.proofs.proof import read_seals
from interlock.observe.proofs.seal_targets import SealFile, target_of
from interlock.observe.proofs.sealing import SealKeeper
from interlock.serving import Serving
from tests.acceptance import shop
from tests.acceptance.conftest import Run, parsed
from tests.acceptance.started import Started, started

SHOP = ("--app", "tests.acceptance.shop:workflows")


class Notary:
    """A real server that keeps what it is sent; it can be made to refuse."""

    def __init__(self) -> None:
        self.kept: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.refuses = False
        self.asked = threading.Event()
        notary = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if not notary.refuses:
                    notary.kept.append(body["seal"])
                    notary.keys.append(self.headers["Idempotency-Key"])
                self.send_response(503 if notary.refuses else 204)
                self.end_headers()
                notary.asked.set()

            def log_message(self, *_: Any) -> None:
                """Says nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/seals?token=secret"

    def numbers(self) -> list[int]:
        return [one["number"] for one in self.kept]


@pytest.fixture
def notary() -> Iterator[Notary]:
    made = Notary()
    thread = threading.Thread(target=made.server.serve_forever, daemon=True)
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join(30)


def admit(app: App, *ids: str) -> None:
    app.admit_many("statements", [{"id": id} for id in ids])


def cheat(app: App, *statements: str) -> None:
    """As the owner of the database, with every guard switched off."""
    with app.database.write() as tx:
        if app.database.name == "sqlite":
            for (name,) in tx.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'trigger'").all():
                tx.exec_driver_sql(f'DROP TRIGGER "{name}"')
        else:
            for table in ("interlock_ledger", "interlock_seal", "uploads"):
                tx.exec_driver_sql(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        for statement in statements:
            tx.execute(text(statement))


def test_seals_are_appended_to_a_file_that_lacks_them(app: App, shop_run: Run, tmp_path: Path) -> None:
    file = tmp_path / "seals.jsonl"
    admit(app, "u1")
    app.ledger.seal()
    admit(app, "u2")
    assert shop_run("ledger", "seal", "--to", file).exit_code == 0
    assert [one.number for one in read_seals(file)] == [1, 2]
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    assert shop_run("ledger", "seal", "--to", file).exit_code == 0
    assert file.read_bytes() == before
    admit(app, "u3")
    assert shop_run("ledger", "seal", "--to", file).exit_code == 0
    assert file.read_bytes().startswith(before)
    assert [one.hash for one in read_seals(file)] == [one.hash for one in app.ledger.seals()]
    assert shop_run("ledger", "verify", "--against", file).exit_code == 0


def test_a_line_that_was_cut_is_written_again_and_stops_nobody(app: App, tmp_path: Path) -> None:
    file = tmp_path / "seals.jsonl"
    admit(app, "u1")
    seal = app.ledger.seal()
    assert seal is not None
    SealFile(file).send([seal])
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert SealFile(file).kept() == []
    SealFile(file).send([seal])
    assert [one.hash for one in read_seals(file)] == [seal.hash]
    assert app.ledger.verify(seals=file).ok
    export = tmp_path / "ledger.jsonl"
    export.write_text("".join(f"{line}\n" for line in app.ledger.export()))
    assert independent_verifier.main([str(export), "--seals", str(file)]) == 0


def test_each_seal_is_sent_to_an_address_and_what_was_refused_is_sent_again(
    app: App, notary: Notary, caplog: pytest.LogCaptureFixture
) -> None:
    keeper = SealKeeper(app.ledger, [target_of(notary.url)], every=timedelta(0))
    admit(app, "u1")
    keeper.step()
    assert notary.numbers() == [1]
    notary.refuses = True
    admit(app, "u2")
    keeper.step()
    keeper.step()
    assert [record.levelname for record in caplog.records if record.name == "interlock.sealing"] == ["ERROR"]
    assert "secret" not in caplog.text
    notary.refuses = False
    admit(app, "u3")
    keeper.step()
    assert notary.numbers() == [1, 2, 3]
    assert notary.keys == [one.hash.hex() for one in app.ledger.seals()]
    assert [one["hash"] for one in notary.kept] == notary.keys


def test_a_new_process_sends_an_address_the_newest_seal_again_and_none_is_left_out(
    app: App, notary: Notary
) -> None:
    admit(app, "u1")
    app.ledger.seal()
    admit(app, "u2")
    app.ledger.seal()
    admit(app, "u3")
    SealKeeper(app.ledger, [target_of(notary.url)], every=timedelta(0)).step()
    assert notary.numbers() == [2, 3]


def test_lines_of_a_log_can_be_held_against_the_database(
    app: App, shop_run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    admit(app, "u1")
    SealKeeper(app.ledger, [target_of("log")], every=timedelta(0)).step()
    (line,) = [record.getMessage() for record in caplog.records if record.name == "interlock.seals"]
    log = tmp_path / "process.log"
    log.write_text(f"10:00:00 [loop] something else {{}}\n10:00:01 [seals] {line}\n10:00:02 [loop] more\n")
    assert shop_run("ledger", "verify", "--against", log).exit_code == 0
    changed = json.loads(line.removeprefix("seal ")) | {"hash": "00" * 32}
    log.write_text(f"10:00:01 [seals] seal {json.dumps(changed)}\n")
    assert shop_run("ledger", "verify", "--against", log).exit_code == 7


@pytest.mark.sqlite_only
def test_a_seal_is_made_when_the_newest_is_old_enough_and_not_before(sqlite_url: str, tmp_path: Path) -> None:
    clock = FrozenClock()
    app = App(shop.workflows, database=sqlite_url, clock=clock)
    app.migrate()
    keeper = SealKeeper(app.ledger, [SealFile(tmp_path / "seals.jsonl")], every=timedelta(hours=1))
    admit(app, "u1")
    keeper.step()
    admit(app, "u2")
    clock.advance(timedelta(minutes=59))
    keeper.step()
    assert [one.number for one in app.ledger.seals()] == [1]
    clock.advance(timedelta(minutes=1))
    keeper.step()
    assert [one.entries for one in app.ledger.seals()] == [1, 1]
    assert [one.number for one in read_seals(tmp_path / "seals.jsonl")] == [1, 2]
    app.close()


def test_an_owner_who_rewrites_history_and_seals_it_anew_is_found_with_the_place(
    app: App, shop_run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "seals.jsonl"
    admit(app, "u1", "u2")
    assert shop_run("ledger", "seal", "--to", file).exit_code == 0
    admit(app, "u3", "u4")
    assert shop_run("ledger", "seal", "--to", file).exit_code == 0
    last = app.ledger.seals()[-1]
    cheat(
        app,
        "DELETE FROM interlock_seal WHERE number = 2",
        "DELETE FROM interlock_ledger WHERE record_id = 'u4'",
        "DELETE FROM uploads WHERE id = 'u4'",
    )
    assert app.ledger.seal() is not None
    assert shop_run("ledger", "verify").exit_code == 0  # nothing inside the database can tell
    answer = shop_run("ledger", "verify", "--against", file, "-o", "json")
    assert answer.exit_code == 7
    (finding,) = [one for one in json.loads(answer.stdout)["findings"] if one["kind"] == "seal"]
    assert finding["id"] == "2"
    assert f"entries {last.from_entry + 1:,} to {last.to_entry:,}" in finding["problem"]


def test_an_older_state_that_was_restored_is_found_by_its_positions(
    app: App, shop_run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "seals.jsonl"
    admit(app, "u1")
    assert shop_run("ledger", "seal", "--to", file).exit_code == 0
    end = app.ledger.seals()[-1].to_entry
    admit(app, "u2")
    assert shop_run("ledger", "seal", "--to", file).exit_code == 0
    cheat(
        app,
        "DELETE FROM interlock_seal WHERE number = 2",
        "DELETE FROM interlock_ledger WHERE record_id = 'u2'",
        "DELETE FROM uploads WHERE id = 'u2'",
    )
    assert shop_run("ledger", "verify").exit_code == 0
    answer = shop_run("ledger", "verify", "--against", file)
    assert answer.exit_code == 7
    findings = app.ledger.verify(seals=file).findings
    assert [one.id for one in findings] == ["2"]
    assert f"the ledger ends at {end:,}" in findings[0].problem
    SealKeeper(app.ledger, [SealFile(file)]).step()
    assert "an older state was restored" in caplog.text
    assert [one.number for one in read_seals(file)] == [1, 2]


@pytest.mark.sqlite_only
def test_a_log_of_the_database_that_was_cut_in_half_is_an_older_truth_and_seals_tell(
    app: App, sqlite_url: str, run: Run, tmp_path: Path
) -> None:
    file, here = tmp_path / "seals.jsonl", Path(str(make_url(sqlite_url).database))
    target = SealFile(file)
    for number in range(40):
        admit(app, f"u{number}")
        SealKeeper(app.ledger, [target], every=timedelta(0)).step()
    there = tmp_path / "cut.db"
    shutil.copy(here, there)
    log = here.with_name(f"{here.name}-wal").read_bytes()
    there.with_name("cut.db-wal").write_bytes(log[: len(log) // 2])
    cut = (*SHOP, "--database", f"sqlite:///{there}", "ledger", "verify")
    assert run(*cut).exit_code == 0
    answer = run(*cut, "--against", file)
    assert (answer.exit_code, "the ledger ends at" in answer.stdout) == (7, True)


def test_a_process_seals_on_its_schedule_and_once_more_when_it_ends(app: App, tmp_path: Path) -> None:
    file = tmp_path / "seals.jsonl"
    admit(app, "u1")
    keeper = SealKeeper(app.ledger, [SealFile(file)], every=timedelta(hours=1))
    sealed = threading.Event()
    step = keeper.step

    def watched(**options: Any) -> None:
        step(**options)
        sealed.set()

    keeper.step = watched  # type: ignore[method-assign]
    serving = Serving(app, runs=False, sealing=keeper)
    thread = threading.Thread(target=serving.run)
    thread.start()
    assert sealed.wait(30)
    assert [one.number for one in read_seals(file)] == [1]
    admit(app, "u2")
    serving.stop()
    thread.join(30)
    assert [one.hash for one in read_seals(file)] == [one.hash for one in app.ledger.seals()]
    assert app.ledger.verify(seals=file).seals == 2


@contextmanager
def coordinating(url: str, *words: str, **environment: str) -> Iterator[Started]:
    command = [sys.executable, "-m", "interlock", *SHOP, "--database", url, "coordinator", *words]
    clean = {name: value for name, value in os.environ.items() if not name.startswith("INTERLOCK_")}
    with started(command, {**clean, **environment}) as running:
        yield running


@pytest.mark.sqlite_only
def test_flags_and_settings_of_a_coordinator_say_how_often_and_where(
    app: App, sqlite_url: str, notary: Notary, tmp_path: Path
) -> None:
    admit(app, "u1")
    file = tmp_path / "seals.jsonl"
    with coordinating(sqlite_url, "--seal-to", str(file), "--seal-to", notary.url):
        assert notary.asked.wait(60)
    assert [one.number for one in read_seals(file)] == [1]
    admit(app, "u2")
    notary.asked.clear()
    with coordinating(sqlite_url, "--quiet", INTERLOCK_SEAL_EVERY="1ms", INTERLOCK_SEAL_TO=notary.url):
        assert notary.asked.wait(60)
    assert notary.numbers() == [1, 1, 2]
    with coordinating(sqlite_url, "--quiet", "--seal-to", "log") as running:
        running.line(r"\[seals\] seal \{")


@pytest.mark.sqlite_only
@pytest.mark.parametrize("target", ["ftp://x/y", "/no/such/folder/seals", "https://"])
def test_a_target_that_cannot_be_one_is_refused_before_anything_is_sealed(
    target: str, app: App, shop_run: Run
) -> None:
    admit(app, "u1")
    assert shop_run("ledger", "seal", "--to", target).exit_code == 2
    assert shop_run("coordinator", "--seal-to", target).exit_code == 2
    assert app.ledger.seals() == []


def test_seals_of_a_service_are_kept_by_whoever_asks_for_them(remote: Run, full: App, tmp_path: Path) -> None:
    admit(full, "u1")
    assert remote("ledger", "seal", "--to", tmp_path / "seals.jsonl").exit_code == 0
    assert [one.hash for one in read_seals(tmp_path / "seals.jsonl")] == [
        one.hash for one in full.ledger.seals()
    ]
    assert parsed(remote("ledger", "verify", "--against", tmp_path / "seals.jsonl", "-o", "json"))["ok"]
