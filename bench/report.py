"""The table that people read, and the progress line while they wait."""

from __future__ import annotations

import sys
import time

from .bars import Line

UNSTEADY = 0.15
HEAD = (
    "measure",
    "database",
    "finished",
    "ours",
    "beside",
    "ratio",
    "drift",
    "CPU µs",
    "first bar",
    "goal",
    "reached",
)


def written(line: Line) -> tuple[str, ...]:
    """One line as texts."""
    ratio = line.unit == "ratio"
    bar = ("", "") if line.bar is None else tuple(_short(value) for value in line.bar)
    return (
        line.measure,
        "" if line.database == "none" else line.database,
        "" if line.finished is None else f"{line.finished:,}",
        f"{line.ours:.2f}" if ratio else f"{line.ours:,.{1 if line.ours < 100 else 0}f} {line.unit}",
        "" if line.beside is None else f"{line.beside:.2f}" if ratio else f"{line.beside:,.0f}",
        "" if line.ratio is None else f"{line.ratio:.2f}",
        _drift(line.drift),
        "" if line.cpu is None else f"{line.cpu:,.1f}",
        *bar,
        line.reached,
    )


def _drift(drift: float | None) -> str:
    return "" if drift is None else f"{drift:.0%} {'!' if drift > UNSTEADY else ' '}"


def _short(value: float) -> str:
    return f"{value:g}" if value < 1000 else f"{value:,.0f}" if value < 1e6 else f"{value / 1e6:g} M/s"


def table(lines: list[Line]) -> str:
    """All lines under one head, columns aligned."""
    rows = [HEAD, *(written(line) for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    aligned = [
        "  ".join(
            text.ljust(width) if column < 2 else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([aligned[0], "-" * max(map(len, aligned)), *aligned[1:]])


class Progress:
    """What is being done, on the terminal's last line; where there is no terminal, one line each."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.terminal = sys.stderr.isatty()

    def say(self, what: str) -> None:
        text = f"{time.monotonic() - self.began:5.0f} s  {what}"
        print(
            f"\r\x1b[K{text}" if self.terminal else text,
            end="" if self.terminal else "\n",
            file=sys.stderr,
            flush=True,
        )

    def done(self) -> None:
        if self.terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
