"""No generated statement is silently wrong: every row, sign, cent, day and currency is right, or the upload says that it is in doubt."""

from __future__ import annotations

import pytest

from .catalogue import layouts
from .measure import Outcome, measure
from .mutations import mutant
from .truth import INSTITUTIONS, Made
from .variants import VARIANTS, variants

MADE = list(layouts(0))
QIF_NAMES_NO_CURRENCY = "a QIF file names no currency"


def describe(outcomes: list[Outcome]) -> str:
    return "\n".join(f"{one.label} ({one.reconciled}): {one.detail}" for one in outcomes)


def test_the_catalogue_is_wide_enough() -> None:
    assert len({made.label for made in MADE}) >= 60
    assert len({bank.name for bank in INSTITUTIONS}) >= 25
    assert len({made.currency for made in MADE}) >= 12
    assert {made.name.rpartition(".")[2] for made in MADE} == {"pdf", "csv", "qfx", "qif", "xml", "sta"}


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.label)
def test_every_layout_is_read_right_or_is_in_doubt(made: Made) -> None:
    outcome = measure(made)
    assert not outcome.is_silent, outcome
    if made.name.endswith((".pdf", ".xml", ".sta")):
        assert (outcome.right, outcome.reconciled) == (True, "yes"), outcome


@pytest.mark.parametrize("seed", range(1, 3))
def test_nearly_every_layout_is_right_whatever_its_rows(seed: int) -> None:
    outcomes = [measure(made) for made in layouts(seed)]
    assert [one for one in outcomes if one.is_silent] == []
    wrong = [
        one
        for one in outcomes
        if not one.right and not any(QIF_NAMES_NO_CURRENCY in warning for warning in one.warnings)
    ]
    assert len(wrong) <= 2, describe(wrong)


def test_mutated_statements_are_never_silently_wrong() -> None:
    outcomes = [measure(mutant(seed)) for seed in range(160)]
    assert describe([one for one in outcomes if one.is_silent]) == ""
    assert sum(one.right for one in outcomes) >= 120


def test_unusual_forms_are_read_right_or_are_in_doubt() -> None:
    outcomes = [measure(made) for made in variants(0, INSTITUTIONS[::3])]
    assert len(outcomes) == len(VARIANTS) * 10
    assert describe([one for one in outcomes if one.is_silent]) == ""
    proved = [one for one in outcomes if "mt940" in one.label or "camt" in one.label]
    assert describe([one for one in proved if not one.is_incomplete and one.reconciled != "yes"]) == ""
    assert all(one.reconciled == "no" for one in proved if one.is_incomplete)


@pytest.mark.soak
@pytest.mark.parametrize("start", range(1, 41, 10))
def test_many_unusual_forms_are_never_silently_wrong(start: int) -> None:
    outcomes = [measure(made) for seed in range(start, start + 10) for made in variants(seed)]
    assert describe([one for one in outcomes if one.is_silent]) == ""


@pytest.mark.soak
@pytest.mark.parametrize("start", range(1_000, 31_000, 3_000))
def test_many_mutated_statements_are_never_silently_wrong(start: int) -> None:
    outcomes = [measure(mutant(seed)) for seed in range(start, start + 3_000)]
    assert describe([one for one in outcomes if one.is_silent]) == ""
