"""One process of a workload: a coordinator, a runner or both, until its input closes; then it prints what it cost.

BENCH_SHAPE names the shape that it works on; without it the reference workload.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from interlock import App, Workflow
from interlock.serving import Serving, settled

from .shapes.catalogue import SHAPES
from .whole import noticed


def workflows(role: str) -> Sequence[Workflow]:
    if role == "noticing":
        return [noticed(Path(os.environ["BENCH_SEEN"]))]
    return SHAPES[os.environ.get("BENCH_SHAPE", "plain")].declare()


def main() -> None:
    role = sys.argv[1]
    app = App(workflows(role), database=os.environ["BENCH_WHOLE_URL"], files=os.environ.get("BENCH_FILES"))
    serving = Serving(app, coordinates=role != "runner", runs=role != "coordinator", concurrency=2)

    def end() -> None:
        sys.stdin.read()
        serving.stop()

    threading.Thread(target=end, daemon=True).start()
    before = resource.getrusage(resource.RUSAGE_SELF)
    with settled():
        serving.run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {
                "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                "memory_mb": most_memory() / 1024,
            }
        )
    )


def most_memory() -> int:
    """In kilobytes. What `getrusage` says includes the process that started this one, from before it became another program."""
    try:
        with Path("/proc/self/status").open(encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    main()
