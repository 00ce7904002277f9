"""One problem of a declaration: the sentence that names it, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable

from ...machine.suggest import did_you_mean


class Problem(str):
    """A sentence about a declaration that cannot work; `hint` says how it is written instead."""

    __slots__ = ("hint",)
    hint: str

    def __new__(cls, sentence: str, hint: str) -> Problem:
        made = super().__new__(cls, sentence)
        made.hint = hint
        return made

    def of(self, owner: str) -> Problem:
        """The same problem with its owner named in front."""
        return Problem(f"{owner}: {self}", self.hint)


def joined_hints(problems: Iterable[Problem]) -> str:
    """The hints of several problems in their order, each once."""
    return " ".join(dict.fromkeys(problem.hint for problem in problems if problem.hint))


def nearest(name: str, known: Iterable[str]) -> str:
    """The hint for a name that does not exist: the nearest one that does, or all of them."""
    names = list(known)
    return did_you_mean(name, names) or f"There is {', '.join(names)}."
