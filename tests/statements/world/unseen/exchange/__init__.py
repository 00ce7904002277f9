"""Files that programs exchange: OFX, QIF, CAMT and MT940, by someone who had no hand in their reader.

Each has rows that are known, and where it states balances they agree with the rows, unless it is incomplete.
The text of a row is the name or words that a person would know the booking by; some formats say more beside it.
"""

from __future__ import annotations

from tests.statements.world.truth import Made

from . import (
    camt_euro,
    camt_world,
    mt_euro,
    mt_world,
    ofx_cards,
    ofx_investment,
    ofx_us,
    ofx_world,
    qif_files,
)

OFX = (ofx_us, ofx_cards, ofx_investment, ofx_world)
QIF = (qif_files,)
CAMT = (camt_euro, camt_world)
MT = (mt_euro, mt_world)


def made() -> list[Made]:
    files = {
        kind: [one for module in modules for one in module.made()]
        for kind, modules in (("OFX", OFX), ("QIF", QIF), ("CAMT", CAMT), ("MT940", MT))
    }
    for kind, fewest in (("OFX", 18), ("QIF", 12), ("CAMT", 15), ("MT940", 15)):
        assert len(files[kind]) >= fewest, kind
    every = [one for some in files.values() for one in some]
    assert len({one.label for one in every}) == len(every)
    assert len({one.label.split(",")[0] for one in every}) >= 30
    assert len({one.currency for one in every}) >= 14
    assert all(len(one.currencies) in {0, len(one.rows)} for one in every)
    assert all(one.states_both_ends for one in every if one.is_incomplete)
    return every
