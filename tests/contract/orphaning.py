"""A runner that is killed in the middle of isolated work: run as a program, it names its processes and waits for its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from interlock import Done, Work
from tests.contract.executing import Way


def main() -> None:
    """Write the numbers of zygote, process and grandchild, one per line, then wait."""
    way = Way("isolated", Path(sys.argv[1]))

    def hang(work: Work) -> Done[None]:
        grandchild = subprocess.Popen(
            [sys.executable, "-c", "import signal; signal.pause()"], start_new_session=False
        )
        Path(sys.argv[1], "pids").write_text(f"{os.getppid()} {os.getpid()} {grandchild.pid}")
        os.kill(int(work.record["runner"]), signal.SIGUSR1)
        signal.pause()
        return Done()

    stage = way.stage(hang)
    ready = threading.Event()
    executor = way.executor()
    signal.signal(signal.SIGUSR1, lambda *_: ready.set())
    executor.submit(way.task(stage, Work(1, {"runner": os.getpid()})))
    ready.wait()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    signal.pause()


if __name__ == "__main__":
    main()
