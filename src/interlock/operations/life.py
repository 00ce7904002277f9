"""The life of an operation, as a machine like any other."""

from __future__ import annotations

from ..machine import Machine

LIFE = Machine(
    "operation",
    initial="planned",
    moves={
        "planned": ["running", "paused"],
        "running": ["paused", "finished"],
        "paused": ["running", "undoing"],
        "finished": ["undoing"],
        "undoing": ["undone"],
    },
)
