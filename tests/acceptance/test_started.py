"""The processes of these tests: none fills its pipe, and one that says nothing, ends too early or never ends is named, not waited for."""

from __future__ import annotations

import signal
import sys

import pytest

from tests.acceptance.started import started

TALKS = "print('x' * 500_000, file=sys.stderr); print('then this', file=sys.stderr, flush=True)"
SAYS_NOTHING = "signal.pause()"
IS_DEAF = (
    "signal.signal(signal.SIGINT, signal.SIG_IGN); print('deaf', file=sys.stderr, flush=True); signal.pause()"
)


def command(program: str) -> list[str]:
    return [sys.executable, "-S", "-c", f"import signal, sys; {program}"]


def test_what_nobody_waits_for_fills_no_pipe() -> None:
    with started(command(TALKS), {}) as running:
        assert running.process.wait(60) == 0
        assert running.line("then .*")[0] == "then this"
        with pytest.raises(AssertionError, match="it ended before it printed 'more'"):
            running.line("more")


def test_a_process_that_says_nothing_is_not_waited_for() -> None:
    with started(command(SAYS_NOTHING), {}) as running:
        with pytest.raises(AssertionError, match=r"signal\.pause.*\n.*no line with 'ready' in 0 s"):
            running.line("ready", within=0.05)
        running.close()
    assert running.process.returncode == -signal.SIGKILL


def test_a_process_that_does_not_end_is_killed_and_named() -> None:
    with started(command(IS_DEAF), {}) as running:
        running.line("deaf")
        with pytest.raises(AssertionError, match=r"deaf\n.*had not ended 0 s after SIGINT"):
            running.end(within=0.05)
    assert running.process.returncode == -signal.SIGKILL
