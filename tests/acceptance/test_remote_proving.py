"""Seals, exports, proofs and the past, asked of a service: the same answers, which the second verifier checks as strangers would."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from interlock import App
from interlock.clock import SystemClock
from tests.acceptance.conftest import Run, from_afar, parsed
from tests.acceptance.test_proving import alone

LATE = "2999-01-01T00:00:00Z"
SAME = [
    "ledger seals",
    "ledger seals -o jsonl",
    "ledger seals --after 1 -o csv",
    "ledger seal",
    f"ledger as-of --at {LATE}",
    f"ledger as-of --at {LATE} -o json",
    f"ledger as-of --at {LATE} domains -o csv",
    f"ledger as-of --at {LATE} statements u1",
    f"ledger as-of --at {LATE} statements u1 -o json",
    f"ledger as-of --at {LATE} domains --axis curation_status",
    f"ledger as-of --at {LATE} themes 1 --scope technical -o json",
    f"ledger as-of --at {LATE} statements nobody",
    "ledger as-of --at 1999-01-01T00:00:00Z",
    "ledger as-of --at yesterday",
    "ledger as-of --at 2026-01-31T09:00:00",
    f"ledger as-of --at {LATE} nothing",
    f"ledger as-of --at {LATE} domains --axis nothing",
    f"ledger as-of --at {LATE} --axis status",
    f"ledger as-of --at {LATE} themes --scope north",
    "ledger prove statements u1",
    "ledger prove statements u1 --without-detail",
    "ledger prove domains 2",
    "ledger prove statements nobody",
    "ledger prove nothing u1",
    "ledger export",
    "ledger export --kind statements",
    "ledger export --after-seal 1 --without-detail",
    "ledger export --after-seal 9",
    "ledger export --kind nothing",
]


@pytest.fixture
def full(app: App) -> App:
    """Two seals, and something behind them."""
    app.admit_many("statements", [{"id": f"u{number}", "file_hash": f"h{number}"} for number in range(3)])
    app.admit_many("domains", [{"id": 1, "host": "a"}, {"id": 2, "host": "b"}])
    app.admit("themes", {"id": 1, "title": "Rates rise"})
    app.ledger.seal()
    app.move("statements", "u1", actor="ann", status="parsing", reason="dué")
    app.ledger.seal()
    return app


def settled(text: str) -> str:
    """When an export or a proof was made is in it."""
    return re.sub(r'^(\{"after_seal":\d+,|\{\n )"at": ?"[^"]+"', r"\1", text)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("line", SAME)
def test_a_command_says_the_same_from_afar(line: str, remote: Run, shop_run: Run) -> None:
    there, here = remote(*line.split()), shop_run(*line.split())
    assert (there.exit_code, settled(there.stdout)) == (here.exit_code, settled(here.stdout)), there.stderr
    assert re.findall(r"error\[ILK-\d{3}\]", there.stderr) == re.findall(r"error\[ILK-\d{3}\]", here.stderr)
    assert len(here.stdout + here.stderr) > 0


def test_an_export_from_afar_is_checked_by_a_python_without_interlock(
    full: App, remote: Run, shop_run: Run
) -> None:
    assert remote("ledger", "export", "--to", "there.jsonl").stdout == ""
    shop_run("ledger", "export", "--to", "here.jsonl")
    there, here = (Path(name).read_text(encoding="utf-8") for name in ("there.jsonl", "here.jsonl"))
    assert settled(there) == settled(here)
    told = alone("there.jsonl")
    assert (told.returncode, told.stderr) == (0, ""), told.stdout
    assert sorted(path.name for path in Path().iterdir()) == ["here.jsonl", "there.jsonl"]


def test_what_is_sealed_from_afar_proves_a_record_offline(full: App, remote: Run) -> None:
    full.move("statements", "u1", actor="ann", status="parsed", facts={"observations_count": 1})
    assert (
        "1 of 3 entries are in no seal yet"
        in remote("ledger", "prove", "statements", "u1", "--to", "u1.json").stderr
    )
    (made,) = parsed(remote("ledger", "seal", "-o", "json"))
    assert (made["number"], made["entries"], made["public_key"]) == (3, 1, None)
    assert remote("ledger", "seal").stdout == "nothing new to seal\n"
    Path("seals.jsonl").write_text(remote("ledger", "seals", "-o", "jsonl").stdout)
    assert remote("ledger", "prove", "statements", "u1", "--to", "u1.json").stderr == ""
    assert (
        alone("--proof", "u1.json", "--seals", "seals.jsonl").stdout
        == "ok: statements u1: 3 entries hold, 0 of them in no seal yet\n"
    )


@pytest.mark.parametrize("words", [(), ("statements",)])
def test_seals_that_were_kept_are_held_against_those_of_a_service(
    words: tuple[str, ...], full: App, remote: Run, shop_run: Run
) -> None:
    def verified(run: Run) -> tuple[int, str]:
        told = run("ledger", "verify", *words, "--seals", "seals.jsonl", "-o", "json")
        return told.exit_code, told.stdout

    kept = Path("seals.jsonl")
    kept.write_text(remote("ledger", "seals", "-o", "jsonl").stdout)
    assert verified(remote) == verified(shop_run)
    assert verified(remote)[0] == 0
    first, second = (json.loads(line) for line in kept.read_text().splitlines())
    kept.write_text(
        "".join(
            json.dumps(one) + "\n" for one in ({**first, "hash": "00" * 32}, second, {**second, "number": 3})
        )
    )
    assert verified(remote) == verified(shop_run)
    assert [one["id"] for one in json.loads(verified(remote)[1])["findings"]] == ["1", "3"]
    kept.write_text('{"root": nonsense}\n')
    assert verified(remote) == verified(shop_run) == (2, "")
    assert remote("ledger", "verify", *words, "--seals", "missing.jsonl").exit_code == 2


@pytest.mark.sqlite_only
def test_a_service_is_asked_to_seal_again_and_again(
    full: App, remote: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slept(_: SystemClock, seconds: float) -> None:
        if seconds == 3600:
            if len(full.ledger.seals()) > 3:
                raise KeyboardInterrupt
            full.move("statements", "u2", actor="ann", status="parsing")

    full.move("statements", "u0", actor="ann", status="parsing")
    monkeypatch.setattr(SystemClock, "sleep", slept)
    told = remote("ledger", "seal", "--every", "1h", "-o", "jsonl")
    assert (told.exit_code, [json.loads(line)["number"] for line in told.stdout.splitlines()]) == (
        130,
        [3, 4],
    )
    assert remote("ledger", "seal", "--every", "1h", "-o", "json").exit_code == 2


@pytest.mark.sqlite_only
def test_who_may_look_may_prove_and_who_may_act_may_seal(full: App, run: Run) -> None:
    with from_afar(run, full, "viewer", "vera") as asked:
        for line in ("ledger seals", f"ledger as-of --at {LATE}", "ledger prove statements u1"):
            assert asked(*line.split()).exit_code == 0
        for line in ("ledger seal", "ledger export --to x.jsonl"):
            refused = asked(*line.split())
            assert (refused.exit_code, "ILK-403" in refused.stderr, list(Path().iterdir())) == (4, True, [])
    with from_afar(run, full, "operator", "olga") as asked:
        assert asked("ledger", "seal").exit_code == 0
        assert asked("ledger", "export").exit_code == 4


@pytest.mark.sqlite_only
def test_a_private_key_stays_here_and_the_services_own_is_named(run: Run, empty_folder: Path) -> None:
    refused = run("--url", "http://127.0.0.1:9", "ledger", "seal", "--key", "seal-key.pem")
    assert (refused.exit_code, "INTERLOCK_SEAL_KEY" in refused.stderr) == (2, True)


@contextmanager
def answering(text: bytes) -> Iterator[str]:
    """Something that answers one request with these bytes, and is gone."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with listening.accept()[0] as one:
                one.recv(65_536)
                one.sendall(text)

        thread = Thread(target=answer, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        thread.join(30)


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{}\n\r\n",
        b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}\n",
        b'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{"end":{}}',
    ],
)
def test_an_export_that_breaks_off_is_an_error_and_no_file(
    answer: bytes, run: Run, empty_folder: Path
) -> None:
    with answering(answer) as address:
        told = run("--url", address, "ledger", "export", "--to", "ledger.jsonl")
    assert (told.exit_code, "ILK-301" in told.stderr, list(empty_folder.iterdir())) == (1, True, [])
