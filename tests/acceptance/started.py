"""A command as a process of its own: what it prints is read all the time, and whoever does not speak or end in time is killed and named."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic

ROOT = Path(__file__).parents[2]
SPEAKS, ENDS = 100.0, 50.0
"""Seconds for a line that is waited for, and for the end. On a machine that others fill, a process may need a minute to begin; what a
test may take, it is not to reach."""


class Started:
    """A running process and the lines that it prints. Its pipe never fills, for somebody reads it whatever the test does meanwhile."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process, self.printed = process, list[str]()
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout or self.process.stderr or ():
            self.printed.append(line)
            self._lines.put(line)
        self._lines.put(None)

    def line(self, wanted: str, within: float | None = None) -> re.Match[str]:
        """The first line in which this expression is found, of those that nobody has waited for yet."""
        patience = SPEAKS if within is None else within
        until = monotonic() + patience
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - monotonic()))
            except Empty:
                raise AssertionError(f"{self}: no line with {wanted!r} in {patience:.0f} s") from None
            if line is None:
                raise AssertionError(f"{self}: it ended before it printed {wanted!r}")
            if found := re.search(wanted, line):
                return found

    def end(self, by: signal.Signals = signal.SIGINT, within: float | None = None) -> int:
        """Send it the signal and wait for its end; its exit code."""
        patience = ENDS if within is None else within
        self.process.send_signal(by)
        try:
            code = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self}: it had not ended {patience:.0f} s after {by.name}") from None
        finally:
            self.close()
        return code

    def close(self) -> None:
        """Kill it if it still runs. A process that it started may hold its pipe open: that is not waited for long."""
        self.process.kill()
        self.process.wait()
        self._reader.join(5)
        stream = self.process.stdout or self.process.stderr
        if stream is not None and not self._reader.is_alive():
            stream.close()

    def __str__(self) -> str:
        words = self.process.args if isinstance(self.process.args, list) else [str(self.process.args)]
        return f"{shlex.join(map(str, words))}\n{''.join(self.printed)}"


@contextmanager
def started(
    command: Sequence[str],
    environment: Mapping[str, str],
    *,
    cwd: Path = ROOT,
    says_all_at_once: bool = False,
) -> Iterator[Started]:
    """The process until the block ends, then ended as Ctrl-C does. It is heard on stderr, or on both streams as on one."""
    streams = (
        {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        if says_all_at_once
        else {"stderr": subprocess.PIPE}
    )
    running = Started(subprocess.Popen(command, text=True, cwd=cwd, env={**environment}, **streams))
    try:
        yield running
        if running.process.poll() is None:
            running.end()
    finally:
        running.close()
