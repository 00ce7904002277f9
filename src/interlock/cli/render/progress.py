"""Progress on a terminal, as a bar or as a line; prints nothing where stderr is not one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

WIDTH = 30


class Bar:
    """Drawn over itself on stderr, and wiped away when it is over."""

    def __init__(self) -> None:
        self.shown = is_terminal()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self.shown:
            click.echo("\r\x1b[K", err=True, nl=False)

    def draw(self, done: int, of: int, words: str) -> None:
        if self.shown:
            filled = WIDTH * done // max(1, of)
            click.echo(
                f"\r\x1b[K[{'#' * filled}{'-' * (WIDTH - filled)}] {done:,} of {of:,}  {words}",
                err=True,
                nl=False,
            )


def is_terminal() -> bool:
    return sys.stderr.isatty()


@contextmanager
def progress_line(what: str) -> Iterator[Callable[[int, int], None]]:
    """On a terminal, print a line while something long runs, with its progress where known; erase the line at the end."""
    shown = is_terminal()

    def report(done: int, of: int) -> None:
        if shown and of:
            click.echo(f"\r{what} … {done * 100 // of} %", err=True, nl=False)

    if shown:
        click.echo(f"{what} …", err=True, nl=False)
    try:
        yield report
    finally:
        if shown:
            click.echo("\r\x1b[K", err=True, nl=False)
