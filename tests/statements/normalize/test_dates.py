"""Printed dates become days, by the formats of their source or by what the file shows; a day that may be another is flagged."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.workflows.statements.normalize.date_formats import month_number, problem
from interlock.workflows.statements.normalize.dates import DateReader, DateRefused, infer_order

TODAY = date(2024, 6, 1)
DAY = date(2024, 1, 15)


@pytest.mark.parametrize(
    "text",
    [
        "01/15/2024",
        "1/15/2024",
        "01/15/24",
        "2024-01-15",
        "2024/01/15",
        "15.01.2024",
        "15.1.24",
        "15-01-2024",
        "Jan 15, 2024",
        "January 15 2024",
        "15 Jan 2024",
        "15-Jan-24",
        "15 January 2024",
        "Mon, 15 Jan 2024",
        "15. Januar 2024",
        "15 janv. 2024",
        "15 de enero de 2024",
        "2024-01-15T23:30:00Z",
        "2024-01-15 10:00:00",
        "1/15/2024 3:04 PM",
        "20240115",
        "20240115233000[-5:EST]",
        "20240115120000.123[-5:EST]",
        "20240115120000",
        " 2024-01-15 ",
        "'2024-01-15'",
        "Jan 15th, 2024",
    ],
)
def test_a_date_of_an_unknown_source_is_read(text: str) -> None:
    assert DateReader(["auto"], today=TODAY).read(text).day == DAY


@pytest.mark.parametrize(
    "text",
    [
        "",
        "13/13/2024",
        "02/30/2024",
        "2024-13-01",
        "yesterday",
        "1/2",
        "99999999",
        "2024",
        "15 Foo 2024",
        "-",
        "0/0/2024",
        "1" * 100,
    ],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(DateRefused) as refused:
        DateReader(["auto"], today=TODAY).read(text)
    assert refused.value.code == "DATE_UNPARSABLE"


@pytest.mark.parametrize("text", ["1969-12-31", "2024-06-03", "2025-01-01", "0024-01-15", "01/15/2031"])
def test_a_day_before_1970_or_after_tomorrow_is_refused(text: str) -> None:
    with pytest.raises(DateRefused) as refused:
        DateReader(["auto"], today=TODAY).read(text)
    assert refused.value.code == "DATE_OUT_OF_RANGE"


@pytest.mark.parametrize("text", ["1970-01-01", "2024-06-01", "2024-06-02"])
def test_the_first_and_the_last_day_are_taken(text: str) -> None:
    assert DateReader(["auto"], today=TODAY).read(text).day.isoformat() == text


def test_a_source_decides_what_its_numbers_mean() -> None:
    american, german = DateReader(["mm/dd/yyyy"], today=TODAY), DateReader(["dd/mm/yyyy"], today=TODAY)
    assert american.read("03/04/2024").day == date(2024, 3, 4)
    assert german.read("03/04/2024").day == date(2024, 4, 3)
    assert not american.read("03/04/2024").ambiguous


def test_a_source_refuses_what_it_never_prints() -> None:
    with pytest.raises(DateRefused):
        DateReader(["mm/dd/yyyy"], today=TODAY).read("15/01/2024")


def test_what_the_parser_saw_goes_before_everything_else() -> None:
    assert DateReader(["auto"], today=TODAY, hint="dmy").read("03/04/2024").day == date(2024, 4, 3)
    assert DateReader(["mm/dd/yyyy"], today=TODAY, hint="dd/mm/yyyy").read("03/04/2024").day == date(
        2024, 4, 3
    )


def test_two_digits_of_a_year_are_never_ahead_of_us() -> None:
    reader = DateReader(["auto"], today=TODAY)
    assert [reader.read(text).day.year for text in ("12/31/99", "12/31/70", "05/31/24", "01/15/00")] == [
        1999,
        1970,
        2024,
        2000,
    ]


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["03/04/2024", "13/04/2024"], "dmy"),
        (["03/04/2024", "04/13/2024"], "mdy"),
        (["13/04/2024", "04/13/2024"], None),
        (["05/12/2023", "01/07/2024"], "mdy"),
        (["12/05/24", "03/02/24"], "dmy"),
        (["03/04/2024"], None),
        ([], None),
        (["2024-01-15"], None),
        (["01/02/2023", "01/03/2023", "01/05/2023", "01/09/2023"], None),
        (["01/02/2024", "01/09/2024", "02/03/2024", "02/10/2024", "03/01/2024"], "mdy"),
        (["10/03/2024", "02/03/2024", "09/01/2024", "05/01/2024", "02/01/2024"], "dmy"),
    ],
)
def test_a_file_shows_the_order_of_day_and_month(texts: list[str], order: str | None) -> None:
    assert infer_order(texts, TODAY) == order


def test_a_date_that_nothing_decides_is_flagged_and_one_that_cannot_be_swapped_is_not() -> None:
    reader = DateReader(["auto"], today=TODAY)
    assert [
        reader.read(text).ambiguous for text in ("03/04/2024", "05/05/2024", "03/14/2024", "2024-03-04")
    ] == [True, False, False, False]
    assert not DateReader(["auto"], today=TODAY, order="mdy").read("03/04/2024").ambiguous


def test_a_parsers_guess_about_an_unknown_source_is_flagged_too() -> None:
    assert DateReader(["auto"], today=TODAY, hint="mdy").read("03/04/2024").ambiguous
    assert not DateReader(["mm/dd/yyyy"], today=TODAY, hint="mdy").read("03/04/2024").ambiguous


DAYS = st.dates(min_value=date(1970, 1, 1), max_value=TODAY + timedelta(days=1))
STYLES = {
    "mm/dd/yyyy": "%m/%d/%Y",
    "dd/mm/yyyy": "%d/%m/%Y",
    "dd-mm-yyyy": "%d-%m-%Y",
    "dd.mm.yyyy": "%d.%m.%Y",
    "yyyy-mm-dd": "%Y-%m-%d",
    "mon dd, yyyy": "%b %d, %Y",
    "dd mon yyyy": "%d %B %Y",
    "mm/dd/yy": "%m/%d/%y",
}


@given(DAYS, st.sampled_from(sorted(STYLES)), st.sampled_from(["", " 23:59", "T00:00:00Z"]))
def test_every_day_comes_back_from_every_format(day: date, style: str, time: str) -> None:
    read = DateReader([style], today=TODAY).read(day.strftime(STYLES[style]) + time)
    assert (read.day, read.ambiguous) == (day, False)


@given(st.lists(DAYS, min_size=1), st.sampled_from(["%m/%d/%Y", "%d/%m/%Y"]))
def test_a_file_is_read_right_or_said_to_be_ambiguous(days: list[date], style: str) -> None:
    texts = [day.strftime(style) for day in sorted(days)]
    reader = DateReader(["auto"], today=TODAY, order=infer_order(texts, TODAY + timedelta(days=1)))
    for day, text in zip(sorted(days), texts, strict=True):
        read = reader.read(text)
        assert read.day == day or read.ambiguous


@given(st.text(max_size=70))
def test_any_text_is_a_day_in_range_or_refused(text: str) -> None:
    try:
        read = DateReader(["auto"], today=TODAY).read(text)
    except DateRefused:
        return
    assert date(1970, 1, 1) <= read.day <= TODAY + timedelta(days=1)


@pytest.mark.parametrize(
    ("text", "valid"),
    [
        ("mm/dd/yyyy", True),
        ("dd. mon yy", True),
        ("yyyymmdd", True),
        ("mm/dd", False),
        ("%m/%d/%Y", False),
        ("yyyy-yyyy-dd", False),
        ("", False),
    ],
)
def test_a_date_format_is_checked(text: str, valid: bool) -> None:
    assert (problem(text) is None) == valid


def test_months_are_known_in_several_languages_and_nonsense_is_not() -> None:
    assert [month_number(name) for name in ("March", "MÄRZ", "août", "dic", "okt", "fév", "foo")] == [
        3,
        3,
        8,
        12,
        10,
        2,
        None,
    ]
