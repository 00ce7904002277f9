"""What a process of its own, started without any option about logs, writes about failures."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import httpx

MODULE = """
from sqlalchemy import Column, Integer, MetaData, Table
from interlock import App, Axis, Done, Failed, Machine, Workflow

def kind(name):
    machine = Machine(name, initial="waiting", moves={"waiting": ["working"], "working": ["done", "failed"], "failed": ["waiting"]})
    table = Table(name, MetaData(), Column("id", Integer, primary_key=True))
    return Workflow(name, noun=name.removesuffix("s"), records=table, axes=[Axis("status", machine)])

SHAPE = dict(waiting="waiting", running="working", done="done", failed="failed")
tries, gated, hooked, desks = kind("tries"), kind("gated"), kind("hooked"), kind("desks")

@tries.stage(**SHAPE, retry=["10ms"], retry_in="runner")
def pay(work):
    return Failed("PROVIDER_AWAY", "no answer")

@gated.stage(**SHAPE)
def weigh(work):
    return Done()

@gated.gate("done")
def scales(work):
    raise LookupError("no scales")

@hooked.stage(**SHAPE)
def send(work):
    return Done()

@hooked.on_move("done")
def notify(tx, moves):
    raise LookupError("nobody to notify")

app = App([tries, gated, hooked, desks], database="sqlite:///failures.sqlite")
if __name__ == "__main__":
    app.migrate()
    for name in app.workflows:
        app.admit(name, {"id": 1})
"""
WANTED = {
    "used up": re.compile(r"Trie 1: no try of pay is left, it rests with PROVIDER_AWAY: no answer"),
    "gate": re.compile(r"gate scales crashed on gated 1"),
    "its traceback": re.compile(r"LookupError: no scales"),
    "hook": re.compile(r"hook notify failed: LookupError: nobody to notify"),
    "a person": re.compile(r"Desk 1: waiting → working \(triggered by command.move of "),
}


def test_failures_and_moves_of_people_are_in_the_log_of_up_by_default(empty_folder: Path) -> None:
    Path("failures.py").write_text(MODULE)
    environment = {**os.environ, "PYTHONPATH": str(empty_folder)}
    start = [sys.executable, "-m", "interlock", "--app", "failures:app"]
    subprocess.run([sys.executable, "failures.py"], env=environment, check=True)
    process = subprocess.Popen(
        [*start, "up", "--no-browser", "--port", "0"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    patience = threading.Timer(90, process.kill)
    patience.start()
    missing, log = dict(WANTED), []
    try:
        assert process.stdout is not None
        for line in process.stdout:
            log.append(line)
            if address := re.search(r"http://127\.0\.0\.1:\d+", line):
                move_by_hand(address[0])
            missing = {name: wanted for name, wanted in missing.items() if not wanted.search(line)}
            if not missing:
                break
    finally:
        patience.cancel()
        process.kill()
        process.communicate()
    assert not missing, (sorted(missing), "".join(log))
    assert any("Traceback (most recent call last)" in line for line in log)


def move_by_hand(address: str) -> None:
    with httpx.Client(base_url=address) as client:
        body = {"axis": "status", "to": "working", "reason": "by hand"}
        assert client.post("/api/v1/desks/records/1/moves", json=body).is_success
