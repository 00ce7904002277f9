"""The log of a running process on stderr: lines for people, or one JSON object per line for programs."""

from __future__ import annotations

import logging
import sys
from typing import Any

import click

from ...observe.structured_logs import JsonLines
from ..render.text import harmless, one_line

LINES = "%(asctime)s [%(role)s] %(message)s"
log_option = click.option(
    "--log",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The shape of log lines; json is one object each, with what the line is about as fields.",
)


class Named(logging.Formatter):
    """A line for people, with the part of the system that speaks; what records and people are called neither begins a line of its own nor
    steers the terminal."""

    def format(self, record: logging.LogRecord) -> str:
        record.role = record.name.rpartition(".")[2]
        return harmless(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 the name is that of Python's logging
        record.message = one_line(record.message)
        return super().formatMessage(record)


def say_what_happens(level: int = logging.INFO, form: str = "text", *, moves_of_people: bool = False) -> None:
    """Log lines to stderr from this level up; with `moves_of_people` also a line for each record that a person moves."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else Named(LINES, "%H:%M:%S"))
    logger = logging.getLogger("interlock")
    logger.addHandler(handler)
    logger.setLevel(level)
    if moves_of_people:
        logging.getLogger("interlock.authority").setLevel(logging.INFO)
    if form == "json":
        logging.getLogger("uvicorn").addHandler(handler)


def server_logs(form: str) -> dict[str, Any]:
    """The logging configuration for uvicorn: with JSON logs, its lines go through ours."""
    return {"log_config": None} if form == "json" else {}
