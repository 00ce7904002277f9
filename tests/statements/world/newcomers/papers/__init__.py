"""Papers of banks that no other folder has: sections, columns, marks, pages, and days without years."""

from __future__ import annotations

from collections.abc import Iterator

from ...truth import Made
from .asia_and_africa import (
    absa,
    bca,
    bpi_card,
    emirates,
    equity_kenya,
    gtbank,
    kasikorn,
    kiwibank,
    macquarie,
    maybank,
    standard_bank,
)
from .europe import (
    aib,
    erste,
    first_direct,
    kbc,
    migros,
    nationwide,
    op_finland,
    otp,
    rabobank,
    sabadell,
    sparebank,
    transilvania,
    virgin_card,
)
from .latin_america import (
    banamex,
    banco_chile,
    bancolombia,
    interbank_card,
    nubank,
)
from .north_america import (
    desjardins,
    fifth_third,
    regions,
    schwab,
    scotia,
    synchrony,
    truist,
    usaa,
)
from .traps import (
    card_with_members,
    cut_off,
    foreign_account,
    lost_page,
    lost_row,
    pending,
    savings_pots,
    signless,
    two_columns,
)

PAPERS = (
    regions, truist, fifth_third, schwab, usaa, synchrony, scotia, desjardins, nationwide, first_direct, virgin_card,
    aib, kbc, rabobank, erste, sabadell, otp, transilvania, emirates, maybank, bca, kasikorn, standard_bank, absa,
    bancolombia, banco_chile, interbank_card, banamex, sparebank, op_finland, migros, macquarie, kiwibank,
    equity_kenya, gtbank, bpi_card, nubank, two_columns, card_with_members, foreign_account, lost_row, lost_page,
    signless, savings_pots, pending, cut_off,
)  # fmt: skip


def papers(seed: int = 0) -> Iterator[Made]:
    for draw in PAPERS:
        yield draw(seed)
