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


def meant_by(word: str, commands: Mapping[str, click.Command]) -> str:
    """What somebody who typed this as a command may have meant; empty where that is unknown."""
    if word in OTHER_WORDS:
        return OTHER_WORDS[word]
    nouns = [
        noun
        for noun, group in commands.items()
        if isinstance(group, click.Group) and not isinstance(group, PluginNoun) and word in group.commands
    ]
    verbs = [f"`interlock {noun} {word}`" for noun in sorted(nouns, key=lambda noun: noun != "record")]
    return f"Name what it is about: {', '.join(verbs)}." if verbs else ""
