"""Prints an answer in four formats: a table for people; json, jsonl and csv for programs."""

from __future__ import annotations

import csv
import errno
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import click

from ...client.plain import plain
from ...spreadsheet import safe_text
from ...store.files.private_files import private
from .table import table

FORMATS = ("table", "json", "jsonl", "csv")
Row = Mapping[str, Any]
_OBEYED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def as_json(value: Any, *, indent: int | None = 2) -> str:
    """JSON in plain letters, but for those that a terminal would obey or that turn the direction of a line."""
    written = json.dumps(plain(value), ensure_ascii=False, indent=indent)
    return written if written.isascii() else _OBEYED.sub(lambda sign: f"\\u{ord(sign[0]):04x}", written)


def as_csv(rows: Iterable[Row], columns: Sequence[str], *, headed: bool = True) -> str:
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    if headed:
        writer.writerow(columns)
    for row in rows:
        values = [plain(row.get(column)) for column in columns]
        writer.writerow(
            [
                spreadsheet_safe(json.dumps(one, ensure_ascii=False) if isinstance(one, dict | list) else one)
                for one in values
            ]
        )
    return held.getvalue()


def show_rows(
    form: str,
    rows: Sequence[Row],
    columns: Sequence[str],
    *,
    empty: str = "nothing",
    shown: Sequence[str] = (),
    blank: Sequence[str] = (),
) -> None:
    """A list of alike things; a table has the columns `shown`, and where one of `blank` is null it is left empty."""
    if form == "json":
        click.echo(as_json([dict(row) for row in rows]))
    elif form == "jsonl":
        for row in rows:
            click.echo(as_json(row, indent=None))
    elif form == "csv":
        click.echo(as_csv(rows, columns), nl=False)
    elif rows:
        lines = [
            {name: "" if value is None and name in blank else value for name, value in row.items()}
            for row in rows
        ]
        show_lines(table(lines, shown or columns))
    else:
        click.echo(empty)


def show_answer(
    form: str, answer: Row, lines: Sequence[str], rows: Sequence[Row], columns: Sequence[str]
) -> None:
    """One answer: `lines` for people, all of it as JSON, and the rows in it as CSV."""
    if form == "json":
        click.echo(as_json(answer))
    elif form == "jsonl":
        click.echo(as_json(answer, indent=None))
    elif form == "csv":
        click.echo(as_csv(rows, columns), nl=False)
    else:
        show_lines(lines)


def show_lines(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def note(text: str) -> None:
    """A remark for the person at the terminal; never among the data."""
    click.echo(click.style(text, dim=True), err=True)


def spreadsheet_safe(value: Any) -> Any:
    """Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers stay numbers."""
    return safe_text(value) if isinstance(value, str) else value


@contextmanager
def open_output(target: str | None) -> Iterator[TextIO]:
    """Open the output: stdout, or a file that appears under its name only when it is complete."""
    if target is None:
        yield sys.stdout
        return
    if Path(target).is_dir():
        raise IsADirectoryError(errno.EISDIR, "Is a directory", target)
    half = Path(f"{target}.half")
    try:
        with open(half, "w", encoding="utf-8", newline="\n", opener=private) as file:
            yield file
        half.replace(target)
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, error.strerror, target) from error
    finally:
        half.unlink(missing_ok=True)
