"""Another user of this machine: runs a small program with nobody's rights. Only root can become somebody else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65_534
CANNOT = "NOT TESTED: what another user of this machine can do. Only root can become another user; run this test as root."
needs_another_user = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason=CANNOT)


BECOME_NOBODY = f"""
import encodings.idna, http.client, json, os, socket, stat, sys, threading
os.setgroups([]); os.setresgid({NOBODY}, {NOBODY}, {NOBODY}); os.setresuid({NOBODY}, {NOBODY}, {NOBODY})
"""
"""Modules come first: nobody may not be able to read the folder that Python is installed in."""


def run_as_nobody(program: str, *arguments: str, seconds: float = 60) -> str:
    """What a program prints when nobody runs it; it has the modules that are imported above."""
    done = subprocess.run(
        command(program, *arguments), capture_output=True, text=True, cwd="/", timeout=seconds, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def running_as_nobody(program: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A program that goes on until the block ends."""
    with subprocess.Popen(
        command(program, *arguments), stdout=subprocess.PIPE, text=True, cwd="/"
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def command(program: str, *arguments: str) -> list[str]:
    return [sys.executable, "-I", "-c", BECOME_NOBODY + program, *arguments]


@contextmanager
def public_folder() -> Iterator[Path]:
    """A folder that everybody may enter: pytest's own are private, so nothing below them would prove anything."""
    with tempfile.TemporaryDirectory(prefix="interlock-public-") as name:
        Path(name).chmod(0o755)
        yield Path(name)
