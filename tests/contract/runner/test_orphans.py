"""Nobody survives the runner, and preparing isolated processes is no reason for a warning."""

from __future__ import annotations

import os
import random
import select
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="process handles are Linux's")

QUIET = """
import warnings; warnings.simplefilter("error")
from pathlib import Path
from interlock import Done
from tests.contract.executing import Way
import sys
way = Way("isolated", Path(sys.argv[1]))
outcome = way.run(lambda work: Done(7))
way.close()
sys.exit(outcome.result)
"""


def ended(pids: list[int], within: float) -> list[int]:
    """Those that ended in time; a number that nobody has is that of one which has ended."""
    over = []
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            over.append(pid)
            continue
        watch = select.poll()
        watch.register(handle, select.POLLIN)
        over += [pid] if watch.poll(within * 1000) else []
        os.close(handle)
    return over


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_runner_leaves_no_process(root_folder: Path, tmp_path: Path, by: signal.Signals) -> None:
    mark = str(random.randrange(10**6, 10**9))
    command = [sys.executable, "-m", "tests.contract.orphaning", str(tmp_path), mark]
    runner = subprocess.Popen(command, cwd=root_folder, stdout=subprocess.PIPE, text=True)
    assert runner.stdout is not None
    assert runner.stdout.readline() == "ready\n"
    family = psutil.Process(runner.pid).children(recursive=True)
    assert [one for one in family if one.cmdline() == ["sleep", mark]] != []
    assert (
        len(family) >= 4
    )  # keeper, zygote, worker and the grandchild, and where there are namespaces the first process of one
    pids = [one.pid for one in family]
    runner.send_signal(by)
    runner.wait(10)
    runner.stdout.close()
    assert ended(pids, within=10) == pids


def test_forking_warns_about_nothing(root_folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", QUIET, str(tmp_path)]
    run = subprocess.run(command, cwd=root_folder, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (7, "")


@pytest.fixture
def root_folder() -> Path:
    return Path(__file__).parents[3]
