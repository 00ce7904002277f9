"""Every layout of every institution: at least 60 across 25 institutions and 12 currencies, in every format."""

from __future__ import annotations

from collections.abc import Iterator

from . import papers, tables
from .exchange import EXCHANGE
from .truth import INSTITUTIONS, Made, draw


def layouts(seed: int) -> Iterator[Made]:
    """One file for each layout; a seed draws other rows."""
    for number, bank in enumerate(INSTITUTIONS):
        statement = draw(bank, seed)
        yield papers.made(statement, papers.paper_of(bank, number))
        if bank.is_card:
            yield tables.made(statement, "card")
        names = list(tables.TABLES)
        yield tables.made(statement, names[number % len(names)])
        forms = list(EXCHANGE)
        yield EXCHANGE[forms[number % len(forms)]](statement)
