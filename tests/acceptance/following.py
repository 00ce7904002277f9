"""`make follow`: a fresh clone, and in it what README, the three tutorials and the deploy page tell a newcomer to type, word by word."""

from __future__ import annotations

import configparser
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.acceptance.started import started
from tests.house.test_snippets import Block, blocks

ROOT = Path(__file__).parents[2]
ADDRESS = "http://127.0.0.1:8700"
PATIENCE = 600
"""Seconds for one command; the first of a clone installs everything."""
TRIED_ELSEWHERE = {"make test": "it runs this very page's tests, and takes minutes: type it yourself"}
SHOP = """
from sqlalchemy import Column, Integer, MetaData, Table

from interlock import App, Axis, Done, Machine, Outcome, Work, Workflow

table = Table("orders", MetaData(), Column("id", Integer, primary_key=True))
machine = Machine("order", initial="placed", moves={"placed": ["packing"], "packing": ["packed"]})
orders = Workflow("orders", noun="order", records=table, axes=[Axis("status", machine)])


@orders.stage(waiting="placed", running="packing", done="packed")
def pack(work: Work) -> Outcome[None]:
    return Done()


app = App([orders])
"""
"""What the deploy page calls `shop.workflows:app`."""


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 a program for people


def block_of(page: str, language: str) -> list[Block]:
    return [one for one in blocks(ROOT / page) if one.language == language]


def commands_of(page: str) -> list[str]:
    """The command lines of a page's `sh` blocks, without their comments."""
    lines = [line for one in block_of(page, "sh") for line in one.body.splitlines()]
    typed = [re.sub(r"\s+# .*$", "", line).strip() for line in lines]
    return [line for line in typed if line and not line.startswith("#")]


def type_in(command: str, folder: Path, **environment: str) -> str:
    """Type a command, which must succeed; what it prints."""
    say(f"  $ {command}")
    try:
        done = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired as late:
        printed = b"".join(part for part in (late.stdout, late.stderr) if isinstance(part, bytes)).decode()
        raise SystemExit(f"{command}: no end after {PATIENCE} s\n{printed}") from late
    if done.returncode:
        raise SystemExit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def answer_of(address: str) -> str:
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())


@contextmanager
def running(command: str, folder: Path, ready: str) -> Iterator[None]:
    """A command that goes on until Ctrl-C, from the moment its address answers."""
    say(f"  $ {command} &")
    process = subprocess.Popen(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "BROWSER": "true"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_for(ready, process)
        yield
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=60)


def wait_for(address: str, process: subprocess.Popen[bytes], patience: float = 600) -> None:
    """Ask until it answers; the first `make` installs everything before."""
    pause, until = threading.Event(), time.monotonic() + patience
    while process.poll() is None and time.monotonic() < until:
        try:
            answer_of(address)
        except OSError:
            pause.wait(0.5)
        else:
            return
    raise SystemExit(f"{address} never answered")


def follow_readme(clone: Path) -> None:
    """Start it, send it a statement, look at what came of it."""
    say("README.md")
    typed = commands_of("README.md")
    first, *rest = typed
    with running(first, clone, f"{ADDRESS}/health"):
        for command in rest:
            if reason := TRIED_ELSEWHERE.get(command):
                say(f"  (left out: {command}; {reason})")
                continue
            printed = type_in(command, clone)
            if "/uploads" in command:
                wait_until_normalized()
            elif "/transactions" in command and '"amount"' not in printed:
                raise SystemExit(f"{command} shows no transaction: {printed}")


def wait_until_normalized() -> None:
    pause, until = threading.Event(), time.monotonic() + 60
    while '"normalized"' not in (answer := answer_of(f"{ADDRESS}/api/v1/uploads")):
        if time.monotonic() > until:
            raise SystemExit(f"the statement came nowhere: {answer}")
        pause.wait(0.2)


def follow_snippets(clone: Path) -> None:
    """The Python pieces of README and of the tutorials, in the clone's own environment, held against what the pages say they print."""
    say("README.md and docs/tutorial, the pieces of Python")
    type_in(
        '.venv/bin/python -m pytest -q -p no:cacheprovider tests/house/test_snippets.py -k "README or tutorial"',
        clone,
    )


def unit_of_the_page() -> configparser.SectionProxy:
    """The `[Service]` part of the systemd unit on the deploy page."""
    (block,) = block_of("docs/how-to/deploy.md", "ini")
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(block.body.partition("\n")[2])
    return parser["Service"]


def command_of_the_unit(programs: Path, port: str) -> list[str]:
    """What systemd would start, from these programs and with figures on this port."""
    line = unit_of_the_page()["ExecStart"].replace("%H", "here").replace("%i", "1")
    words = shlex.split(line.replace("9100", port))
    return [str(programs / Path(words[0]).name), *words[1:]]


def follow_deploy(programs: Path, folder: Path) -> None:
    """Releases, a unit that starts and stops in good order, and the questions about health."""
    say("docs/how-to/deploy.md")
    (folder / "shop").mkdir()
    (folder / "shop" / "workflows.py").write_text(SHOP)
    url = f"sqlite:///{folder / 'shop.sqlite'}"
    at_hand = {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "OWNER_URL": url}
    for command in commands_of("docs/how-to/deploy.md"):
        type_in(command, folder, **at_hand)
    name, _, value = unit_of_the_page()["Environment"].partition("=")
    at_hand |= {name: value, "INTERLOCK_DATABASE": url}
    start_and_stop(command_of_the_unit(programs, "0"), folder, at_hand)
    for command in ("interlock", "interlock check", "interlock metrics rules", "interlock doctor"):
        type_in(command, folder, **at_hand)
    type_in("interlock db backup kept.sqlite", folder, **at_hand)


def start_and_stop(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    """The runner of the unit: its figures say that it steps, and SIGTERM ends it within the unit's patience."""
    say(f"  $ {shlex.join(command)} &")
    with started(command, {**os.environ, **environment}, cwd=folder) as running:
        address = running.line(r"http://\S+/metrics", within=PATIENCE)[0]
        if "interlock_process_last_step_seconds" not in answer_of(address):
            raise SystemExit(f"{address} has no interlock_process_last_step_seconds")
        code = running.end(signal.SIGTERM, within=float(unit_of_the_page()["TimeoutStopSec"]))
    if code:
        raise SystemExit(f"SIGTERM ended it with {code}")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        clone, shop = Path(name) / "interlock", Path(name) / "srv"
        shop.mkdir()
        type_in(f"git clone --quiet {shlex.quote(str(ROOT))} {shlex.quote(str(clone))}", Path(name))
        follow_readme(clone)
        follow_snippets(clone)
        follow_deploy(clone / ".venv" / "bin", shop)
        if shutil.which("systemd-analyze"):
            (block,) = block_of("docs/how-to/deploy.md", "ini")
            (shop / "interlock-runner@.service").write_text(block.body)
            say("  (systemd-analyze is here, but knows no user shop: the unit is not verified by it)")
    say("Everything could be followed.")


if __name__ == "__main__":
    sys.exit(main())
