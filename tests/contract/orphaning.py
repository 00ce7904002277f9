"""A runner that is killed in the middle of isolated work: run as a program, it names its processes and waits for its end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from interlock import Done, Work
from tests.contract.executing import Way


def main() -> None:
    """Say that the work has begun and what its grandchild is called, then wait."""
    folder = Path(sys.argv[1])
    way = Way("isolated", folder)
    os.mkfifo(folder / "begun")

    def hang(work: Work) -> Done[None]:
        subprocess.Popen(["sleep", work.record["mark"]], start_new_session=True)
        (folder / "begun").write_text("begun")
        signal.pause()
        return Done()

    stage = way.stage(hang, writes=[folder])
    executor = way.executor()
    executor.submit(way.task(stage, Work(1, {"mark": sys.argv[2]})))
    (folder / "begun").read_text()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    signal.pause()


if __name__ == "__main__":
    main()
