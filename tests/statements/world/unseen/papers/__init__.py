"""Statements of real institutions with known truth, written without having seen the reader.

What the truth holds: every row that the paper prints as done, in the order in which it is printed (newest first,
or section by section, where the paper does so), of all accounts in the file. A row's text is the first line of its
description. Its day is the day of booking on an account and the day of the transaction on a card; interest printed
without a day has the last day of its period. The balance is the one after the row in the order of time, below zero
for what is owed, whether or not it is printed.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.statements.world.truth import Made

from . import (
    africa,
    andes,
    australia,
    brazil,
    britain,
    britain_ireland,
    brokers,
    canada,
    china_taiwan,
    eastern_europe,
    france,
    germany,
    gulf,
    iberia_italy,
    india,
    japan_korea,
    mexico,
    netherlands,
    nordic,
    oceania,
    online,
    singapore,
    south_africa,
    southeast_asia,
    switzerland,
    us_cards,
    us_cards_cashback,
    us_large,
    us_regional,
    us_wallets,
)

__all__ = ["made"]

PAPERS: tuple[Callable[[random.Random], Made], ...] = (
    *us_large.PAPERS,
    *us_regional.PAPERS,
    *us_cards.PAPERS,
    *us_cards_cashback.PAPERS,
    *us_wallets.PAPERS,
    *brokers.PAPERS,
    *canada.PAPERS,
    *mexico.PAPERS,
    *brazil.PAPERS,
    *andes.PAPERS,
    *britain.PAPERS,
    *britain_ireland.PAPERS,
    *germany.PAPERS,
    *switzerland.PAPERS,
    *france.PAPERS,
    *netherlands.PAPERS,
    *iberia_italy.PAPERS,
    *nordic.PAPERS,
    *eastern_europe.PAPERS,
    *gulf.PAPERS,
    *south_africa.PAPERS,
    *africa.PAPERS,
    *india.PAPERS,
    *singapore.PAPERS,
    *southeast_asia.PAPERS,
    *japan_korea.PAPERS,
    *china_taiwan.PAPERS,
    *australia.PAPERS,
    *oceania.PAPERS,
    *online.PAPERS,
)


def made() -> list[Made]:
    """Every paper; each is drawn from a chance of its own, so that one more changes no other."""
    papers = [paper(random.Random(paper.__name__)) for paper in PAPERS]
    labels = [paper.label for paper in papers]
    assert len(set(labels)) == len(labels)
    return papers
