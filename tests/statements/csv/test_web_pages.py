"""Web pages that banks give out under the name of a spreadsheet: tables are read, a page without any is refused, a cut one is in doubt."""

from __future__ import annotations

import pytest

from interlock.workflows.statements.doubt.reconcile import judge
from interlock.workflows.statements.parsed import ParseFault
from interlock.workflows.statements.parsers import html_tables
from interlock.workflows.statements.parsers.media import media_problem, mime_type
from interlock.workflows.statements.uploads.receiving import why_refused
from tests.statements.reading import day, money, read, said

ABOVE = "<table><tr><td>Konto</td><td>6 412 345 678</td></tr><tr><td>Valuta</td><td>SEK</td></tr></table><br>"
ROWS = [
    ("2022-12-21", "Caf&eacute; &amp; bageri", "-25,50", "1 174,50"),
    ("2022-12-20", "L&ouml;n", "1 000,00", "1 200,00"),
    ("2022-12-19", "Apotek", "-50,00", "200,00"),
]
HEADER = "<tr><th>Transaktionsdatum</th><th></th><th>Text</th><th>Belopp</th><th>Saldo</th></tr>"


def page(rows: str, *, head: str = "", charset: str = "utf-8") -> str:
    return (
        f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={charset}"><title>Konto</title>{head}</head>'
        f"<body>{ABOVE}<table border=1>{HEADER}{rows}</table></body></html>"
    )


def cells(row: tuple[str, ...]) -> str:
    first, *others = row
    return f"<tr><td>{first}</td><td></td>{''.join(f'<td>{one}</td>' for one in others)}</tr>"


PAGE = page("".join(map(cells, ROWS)))
READ = [("2022-12-21", "-25.50"), ("2022-12-20", "1000.00"), ("2022-12-19", "-50.00")]


def found(content: str | bytes, name: str = "Konto.xls") -> list[tuple[str, str]]:
    return [(day(row), f"{money(row)}") for row in read(content, name=name).rows]


@pytest.mark.parametrize(
    "content",
    [
        PAGE,
        PAGE.replace("><", ">\n<"),
        PAGE.replace("</td>", "").replace("</tr>", ""),
        "\ufeff\n<!-- made by a bank -->" + PAGE.replace("<html>", '<!DOCTYPE html><html xmlns:x="urn:x">'),
        PAGE.replace("<body>", "<body><script>document.write('<table><tr><td>2022-01-01')</script>"),
        PAGE.replace("<body>", "<body><table><tr><td>").replace("</body>", "</td></tr></table></body>"),
        PAGE.replace("<td>Apotek</td>", "<td><b>Apo<i>tek</i></b><br>2022-12-18</td>"),
        PAGE.replace("<td></td>", "").replace("<td>2022", "<td colspan=2>2022"),
    ],
    ids=[
        "plain",
        "lines",
        "nothing closed",
        "declared",
        "a script",
        "a table within",
        "marked up",
        "wide cells",
    ],
)
def test_the_table_of_a_web_page_is_read_and_proved_by_its_balances(content: str) -> None:
    parsed = read(content, name="Konto.xls")
    assert [(day(row), f"{money(row)}") for row in parsed.rows] == READ
    assert {row.currency for row in parsed.rows} == {"SEK"}
    assert (parsed.rows[0].description, judge(parsed).reconciled) == ("Café & bageri", "yes")


@pytest.mark.parametrize(
    ("charset", "encoding"), [("iso-8859-1", "cp1252"), ("windows-1255", "cp1255"), ("euc-kr", "cp949")]
)
def test_a_page_is_read_in_the_encoding_that_it_names(charset: str, encoding: str) -> None:
    word = {"cp1252": "Öl – 5 €", "cp1255": "כספומט", "cp949": "현금인출"}[encoding]
    content = page("".join(map(cells, ROWS)).replace("Apotek", word), charset=charset).encode(encoding)
    assert read(content, name="a.xls").rows[-1].description == word


def test_a_day_that_reaches_over_several_rows_is_that_of_each_of_them() -> None:
    rows = (
        "<tr><td rowspan=2>2022-12-21</td><td></td><td>A</td><td>-25,50</td><td>1 174,50</td></tr>"
        "<tr><td></td><td>B</td><td>1 000,00</td><td>1 200,00</td></tr>" + cells(ROWS[2])
    )
    parsed = read(page(rows))
    assert [day(row) for row in parsed.rows] == ["2022-12-21", "2022-12-21", "2022-12-19"]
    assert judge(parsed).reconciled == "yes"


@pytest.mark.parametrize(
    "content",
    [
        "<html><body><h1>Session expired</h1>Please sign in again, 2024-01-05</body></html>",
        "<html><body><table><tr><td>User</td><td>Password</td></tr></table></body></html>",
        "<!DOCTYPE html><html><body><table><tr><th>Date</th><th>Amount</th></tr></table></body></html>",
    ],
)
def test_a_page_without_a_table_of_days_and_amounts_is_refused_in_plain_words(content: str) -> None:
    with pytest.raises(ParseFault, match="a web page without a table of days and amounts") as refused:
        read(content, name="a.xls")
    assert refused.value.code == "LAYOUT_MISMATCH"


@pytest.mark.parametrize("cut", ["<td></td><td>Apotek", "<tr><td>2022-12-19"])
def test_a_page_that_ends_within_a_table_is_in_doubt(cut: str) -> None:
    parsed = read(PAGE[: PAGE.index(cut)])
    assert (len(parsed.rows), judge(parsed).reconciled != "yes") == (2, True)
    assert "ends within a table" in said(parsed)


def test_a_page_whose_script_is_not_closed_is_in_doubt() -> None:
    rows = cells(ROWS[0]) + cells(ROWS[1]) + "<template>" + cells(ROWS[2])
    assert "ends within a table" in said(read(page(rows)))


@pytest.mark.parametrize(
    "content", ["<html><body><![gone[" + "x" * 9, "<html>" + "<table>" * 5_000 + "<tr><td>1"]
)
def test_a_damaged_page_is_refused(content: str) -> None:
    with pytest.raises(ParseFault) as refused:
        read(content, name="a.xls")
    assert refused.value.code == "LAYOUT_MISMATCH"


def test_a_page_with_more_cells_than_any_statement_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_tables, "MOST_CELLS", 12)
    with pytest.raises(ParseFault, match="more than 12 cells"):
        read(PAGE, name="a.xls")


def test_a_long_page_is_recognised_behind_its_styles() -> None:
    style = "<style>" + ".x1 {mso-number-format: '0.00';}\n" * 4_000 + "</style>"
    assert found(page("".join(map(cells, ROWS)), head=style)) == READ


@pytest.mark.parametrize(
    ("name", "head", "problem"),
    [
        ("a.xls", PAGE.encode(), None),
        ("a.html", PAGE.encode(), None),
        ("a.htm", b"Date,Amount\n", "html"),
        ("a.html", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "csv"),
        ("a.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "csv"),
    ],
)
def test_a_page_may_be_called_xls_or_html(name: str, head: bytes, problem: str | None) -> None:
    assert media_problem(name, head) == problem


def test_a_page_is_html_by_its_name_and_a_spreadsheet_is_to_be_saved_as_csv() -> None:
    assert mime_type("a.html", PAGE.encode()) == "text/html"
    for content in (b"\xd0\xcf\x11\xe0" + bytes(600), b"PK\x03\x04" + bytes(600)):
        with pytest.raises(ParseFault, match="as CSV"):
            read(content, name="a.xls")
        assert "saved as CSV first" in why_refused(content[:64], "csv")
