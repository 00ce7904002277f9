"""What somebody may have meant who typed a command that there is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from .plugins import PluginNoun

OTHER_WORDS: Final = {
    **dict.fromkeys(
        ("status", "overview", "info"), "`interlock` alone prints what is where, and what needs a person."
    ),
    **dict.fromkeys(("help", "commands"), "`interlock --help` lists the commands."),
    "version": "`interlock --version` prints it.",
    **dict.fromkeys(("start", "run", "dev", "server"), "`interlock up` starts everything in one process."),
    "worker": "`interlock runner` takes work and does it.",
    "scheduler": "`interlock coordinator` dispatches work and runs schedules.",
    **dict.fromkeys(
        ("init", "migrate", "upgrade"), "`interlock db upgrade` makes the tables that your workflows need."
    ),
    **dict.fromkeys(("upload", "uploads"), "`interlock statements import FILE` takes bank statements."),
    **dict.fromkeys(
        ("config", "settings"),
        "Settings are flags, INTERLOCK_… in the environment, or interlock.toml; `interlock doctor` tries them.",
    ),
}
"""Words that other programs have for a command, and ours."""


WITHIN: Final = {
    "bulk": dict.fromkeys(
        ("move", "retry", "cancel"),
        "`interlock bulk preview orders status=shipped --where status=packed` counts, `interlock bulk run` moves; retry and cancel stand "
        "where status=shipped does.",
    ),
    "schedule": {"run": "Coordinators run it by the clock; `interlock schedule runs` lists what they ran."},
    "record": {
        "history": "`interlock record show KIND ID` prints the row and its whole history.",
        "delete": "`interlock record erase KIND ID` forgets a record; app.delete(…) removes the row and keeps its history.",
    },
}
"""The same for verbs, by the noun before them."""


def meant_by(word: str, commands: Mapping[str, click.Command], noun: str = "") -> str:
    """What somebody may have meant who typed this as a command, or as a verb of this noun; empty where that is unknown."""
    if meant := WITHIN.get(noun, {}).get(word):
        return meant
    other = OTHER_WORDS.get(word, "")
    if other and (not noun or f"`interlock {noun} " in other):
        return other
    nouns = [
        noun
        for noun, group in commands.items()
        if isinstance(group, click.Group) and not isinstance(group, PluginNoun) and word in group.commands
    ]
    verbs = [f"`interlock {noun} {word}`" for noun in sorted(nouns, key=lambda noun: noun != "record")]
    return f"Name what it is about: {', '.join(verbs)}." if verbs else ""
