"""A progress bar on a terminal; prints nothing where stderr is not one."""

from __future__ import annotations

import sys

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
