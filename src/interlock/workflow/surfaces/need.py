"""What a workflow knows to need a person beside states: a sentence, and a select of the records that it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from sqlalchemy import Select

from ...errors import BadDeclaration

Sign = Literal["asks", "differs", "failed", "stuck", "unproven"]


@dataclass(frozen=True, eq=False)
class Need:
    """Records that a person should look at, though no state says so: statements in doubt, orders without an address.

    `records` selects their ids; it is counted for the board, so an index must lead to them. `one` and `many` name them ("statement in
    doubt", "statements in doubt"), `fact` says why in a few words, `command` shows them in a terminal. `page` is the path of a page of the
    same extension, with a query where it takes one; without it the list of records is linked. `sign` is the mark: `asks` for a decision,
    `differs` and `unproven` for sums, `failed` and `stuck` for what will not go on by itself.
    """

    one: str
    many: str
    fact: str
    records: Select[Any]
    command: str
    page: str = ""
    sign: Sign = "asks"

    def __post_init__(self) -> None:
        if not (self.one and self.many and self.fact and self.command):
            raise BadDeclaration("a need has one, many, fact and command in words")
        if self.sign not in get_args(Sign):
            raise BadDeclaration(
                f"need {self.many!r}: sign is one of {', '.join(get_args(Sign))}, not {self.sign!r}"
            )

    def name(self, count: int) -> str:
        """What so many of them are called."""
        return self.one if count == 1 else self.many
