"""Keeps what coordinators and runners say of every lost lease out of the log while they are only played."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

NAMES = ("interlock.coordinator", "interlock.runner", "interlock.work", "interlock.loop")


@contextmanager
def silence() -> Iterator[None]:
    before = [(logger, logger.disabled) for logger in map(logging.getLogger, NAMES)]
    for logger, _ in before:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in before:
            logger.disabled = disabled
