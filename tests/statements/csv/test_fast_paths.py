"""What is read by a shorter path is read like everything else."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz, process

from interlock.workflows.statements.normalize import amounts, cleaning
from interlock.workflows.statements.normalize.amounts import Amount, AmountUnparsable, read_amount
from interlock.workflows.statements.normalize.merchants import recogniser
from interlock.workflows.statements.parsers.csv import table
from interlock.workflows.statements.rules import builtin_rules

CELLS = st.text(alphabet="ab1.,;-\"' \t\r\n\ufeff|é", max_size=60)
PARTS = (
    *(
        "SHOP",
        "STORE",
        "#1234",
        "NO.12",
        "NO 7",
        "WWW.SHOP.COM",
        "https://x.y",
        "555-123-4567",
        "555 123 4567",
    ),
    *("2024-01-31", "CARD 1234", "XXXX1234", "**99", "..12", "S123456789012", "RECURRING", "PENDING", "CKCD"),
    *(
        "AMZN*AB12CD34",
        "AB12CD34E",
        "Inc.",
        "GmbH",
        "co.",
        "SEATTLE",
        "WA",
        "USA",
        "a-1",
        "SQ *CAFE",
        "\u017fa",
    ),
    *("12/31", "7", "LLC", "ID: 4"),
)
WORDS = st.lists(st.sampled_from(PARTS), max_size=6).map(" ".join)


@settings(max_examples=300, deadline=None)
@given(CELLS, st.sampled_from(table.DELIMITERS))
def test_lines_without_quotes_have_the_same_cells_as_a_reader_of_quotes_gives(
    text: str, delimiter: str
) -> None:
    longest, table.LONGEST_PLAIN = table.LONGEST_PLAIN, -1
    try:
        expected = list(table.rows(text, delimiter))
    finally:
        table.LONGEST_PLAIN = longest
    assert list(table.rows(text, delimiter)) == expected


@settings(max_examples=300, deadline=None)
@given(WORDS)
def test_an_expression_that_is_not_tried_would_have_changed_nothing(text: str) -> None:
    for expression, may_be_in in (
        (cleaning._NOISE, cleaning._may_have_noise),
        (cleaning._CODE, cleaning._may_have_code),
        (cleaning._STORE, cleaning._may_have_store),
        (cleaning._LEGAL, lambda name: name.casefold().rstrip(".").endswith(cleaning._LEGAL_ENDS)),
    ):
        assert may_be_in(text) or expression.search(text) is None
    assert ":" in text or "#" in text or (cleaning._ACH.search(text) or cleaning._ORIGIN.match(text)) is None


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="AEIKLNORST ", min_size=4, max_size=20))
def test_names_of_another_length_are_never_alike(name: str) -> None:
    merchants = recogniser(builtin_rules(), "csv")._merchants
    every = process.extract(
        name, merchants._choices, scorer=fuzz.ratio, score_cutoff=merchants._cutoff, limit=None
    )
    assert {place for _, _, place in every} <= merchants._of_like_length(len(name)).keys()


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="CRDUSEkrzłFs$€£ 12.,'()-+\u02bc\u200b", max_size=14), st.sampled_from((".", ",")))
def test_no_amount_has_four_letters_in_a_row(text: str, decimal: str) -> None:
    word, amounts._WORD = amounts._WORD, re.compile("(?!)")
    try:
        expected = read_or_none(text, decimal)
    finally:
        amounts._WORD = word
    assert read_or_none(text, decimal) == expected


def read_or_none(text: str, decimal: str) -> Amount | None:
    try:
        return read_amount(text, decimal)
    except AmountUnparsable:
        return None
