"""Told to stop, a runner finishes or gives back, and neither costs a try; `interlock up` ends by one Ctrl-C and leaves nobody behind."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import psutil
import pytest

from interlock import App
from tests.killing.child import KEPT, LEASE
from tests.killing.judging import all_ended, judge, open_work, rows_of
from tests.killing.processes import PATIENCE, Crew
from tests.killing.workload import begun, make_gate, open_gate

ROOT = Path(__file__).parents[2]


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    return make_gate(tmp_path / "gate")


def test_a_runner_that_is_told_to_stop_finishes_its_work_however_short_its_lease(
    app: App, crew: Crew, gate: Path
) -> None:
    crew.start("coordinator")
    runner = crew.start("runner")
    app.admit("uploads", {"id": "U1", "behaviour": "gated", "place": str(gate)})
    crew.until(lambda: begun(gate))
    runner.terminate()
    over = monotonic() + LEASE * 1.5
    crew.until(lambda: monotonic() > over or not runner.alive)
    open_gate(gate)
    assert runner.ended()
    assert (runner.process.exitcode, runner.noted("reported") != []) == (0, True)
    crew.start("runner")
    crew.until(lambda: all_ended(app, {"uploads": ["U1"]}))
    assert (app.get("uploads", "U1")["parsed_attempt"], app.get("uploads", "U1")["tries"]) == (1, 1)
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}


def test_what_does_not_end_in_time_is_given_back_and_costs_no_try(app: App, crew: Crew, gate: Path) -> None:
    crew.start("coordinator")
    runner = crew.start("runner", grace=0.2, lease=KEPT)
    app.admit("uploads", {"id": "U1", "behaviour": "gated", "place": str(gate)})
    crew.until(lambda: begun(gate))
    runner.terminate()
    assert runner.ended()
    assert (runner.process.exitcode, app.runners()) == (0, [])
    assert [(row["attempt"], row["claimed_by"]) for row in open_work(app)] == [(1, None)]
    open_gate(gate)
    crew.start("runner", lease=KEPT)
    crew.until(lambda: all_ended(app, {"uploads": ["U1"]}))
    assert (app.get("uploads", "U1")["parsed_attempt"], app.get("uploads", "U1")["tries"]) == (1, 1)
    assert judge(app, {"uploads": ["U1"]}, crew.reported()).faults == {}


class Up:
    """`interlock up` as a person starts it."""

    def __init__(self, url: str, folder: Path) -> None:
        self.flags = ("--app", "tests.killing.workload:workflows", "--database", url)
        self.folder = folder
        self.processes: list[subprocess.Popen[str]] = []

    def start(self) -> tuple[subprocess.Popen[str], int]:
        """The process, and the port of its API, once it is up."""
        command = [
            sys.executable,
            "-c",
            "from interlock.cli import main; main()",
            *self.flags,
            "up",
            "--port",
            "0",
            "--no-browser",
            "--data",
            str(self.folder),
        ]
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.processes.append(process)
        assert process.stdout is not None
        said = ""
        while "Ctrl-C ends it" not in said:
            line = process.stdout.readline()
            assert line, f"it ended before it was up: {said}"
            said += line
        port = re.search(r"http://127\.0\.0\.1:(\d+)", said)
        assert port
        return process, int(port[1])

    def end(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait(PATIENCE)
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture
def up(database_url: str, tmp_path: Path) -> Iterator[Up]:
    made = Up(database_url, tmp_path / "data")
    yield made
    made.end()


def answers(port: int) -> bool:
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def family(process: subprocess.Popen[Any]) -> list[psutil.Process]:
    own = psutil.Process(process.pid)
    return [own, *own.children(recursive=True)]


def left_of(processes: list[psutil.Process]) -> list[psutil.Process]:
    return [
        one
        for one in psutil.wait_procs(processes, timeout=PATIENCE)[1]
        if one.status() != psutil.STATUS_ZOMBIE
    ]


@pytest.mark.sqlite_only
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_up_and_all_that_it_started_and_it_goes_on_when_started_again(
    app: App, crew: Crew, up: Up, gate: Path, number: signal.Signals
) -> None:
    first, port = up.start()
    ids = [f"S{one}" for one in range(3)]
    app.admit_many("sheets", [{"id": id, "behaviour": "plain"} for id in ids])
    crew.until(lambda: all_ended(app, {"sheets": ids}))
    app.admit("uploads", {"id": "U1", "behaviour": "gated", "place": str(gate)})
    crew.until(lambda: begun(gate))
    processes = family(first)
    assert len(processes) > 2  # itself, the zygote, isolated processes
    first.send_signal(number)
    crew.until(lambda: not answers(port))
    assert first.poll() is None  # work is still going on
    open_gate(gate)
    said, _ = first.communicate(timeout=PATIENCE)
    assert first.returncode == 0
    assert left_of(processes) == []
    assert "Traceback" not in said
    assert [row for row in open_work(app) if row["claimed_by"] and not row["reported_at"]] == []
    app.admit_many("uploads", [{"id": f"U{one}", "behaviour": "plain"} for one in range(2, 6)])
    second, _ = up.start()
    crew.until(lambda: all_ended(app, {"uploads": [f"U{one}" for one in range(1, 6)]}))
    assert {row["tries"] for row in rows_of(app, "uploads").values()} == {1}
    second.send_signal(number)
    second.communicate(timeout=PATIENCE)
    assert judge(app, {"uploads": [f"U{one}" for one in range(1, 6)], "sheets": ids}).faults == {}


@pytest.mark.sqlite_only
def test_up_that_is_killed_leaves_no_process_behind(app: App, crew: Crew, up: Up) -> None:
    process, _ = up.start()
    app.admit("sheets", {"id": "S1", "behaviour": "hang"})
    crew.until(lambda: [row for row in open_work(app) if row["claimed_by"]])
    crew.until(lambda: len(family(process)) > 2)
    processes = family(process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert left_of(processes) == []
