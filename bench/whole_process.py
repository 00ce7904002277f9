"""One process of the reference workload: a coordinator, a runner or both, until its input closes; then it says what it cost."""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import threading

from interlock import App
from interlock.serving import Serving

from .whole import reference


def main() -> None:
    role = sys.argv[1]
    app = App([reference()], database=os.environ["BENCH_WHOLE_URL"])
    serving = Serving(app, coordinates=role != "runner", runs=role != "coordinator", concurrency=2)
    gc.freeze()  # what was imported lives as long as the process

    def end() -> None:
        sys.stdin.read()
        serving.stop()

    threading.Thread(target=end, daemon=True).start()
    before = resource.getrusage(resource.RUSAGE_SELF)
    serving.run()
    after = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "memory_mb": after.ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
