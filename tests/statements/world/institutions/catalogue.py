"""Every file of the named institutions."""

from __future__ import annotations

from collections.abc import Iterator

from ..truth import Made
from .american_papers import american_papers
from .european_papers import european_papers
from .exchange import exchange_files
from .other_papers import other_papers
from .tables import tables


def institution_files() -> Iterator[Made]:
    yield from american_papers()
    yield from european_papers()
    yield from other_papers()
    yield from tables()
    yield from exchange_files()
