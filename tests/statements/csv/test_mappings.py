"""A bank can be added by a mapping in a file; what is wrong with one is said with its place and key."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.workflows.statements.parsers.csv.configured import load_mappings, mapping_from
from interlock.workflows.statements.parsers.csv.mapping import MappingInvalid
from interlock.workflows.statements.parsers.csv.parser import CsvParser
from interlock.workflows.statements.parsers.registry import bundled_parsers

from ..reading import agrees, read, rows

VALID = """
[[csv]]
source_type = "seaside_csv"
date = "Tag"
description = ["Wer", "Wofür"]
debit = "Ab"
credit = "Zu"
fee = "Kosten"
balance = "Stand"
dates = ["dd.mm.yyyy"]
decimal = ","
delimiter = ";"
currency = "CHF"
skip = { "Zustand" = "offen|storniert" }
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "banks.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_bank_is_added_by_one_mapping_in_a_file(tmp_path: Path) -> None:
    parsers = bundled_parsers().with_own(load_mappings(write(tmp_path, VALID)))
    assert "seaside_csv" in parsers.source_types()
    parsed = read(
        "Tag;Wer;Wofür;Ab;Zu;Kosten;Stand;Zustand\n03.02.2024;Hafen;Liegeplatz;1.200,50;;0,50;799,00;gebucht\n"
        "04.02.2024;Boot;;;1,00;;800,00;gebucht\n05.02.2024;Kran;;5,00;;;800,00;offen\n",
        parsers=parsers,
    )
    assert parsed.source_type == "seaside_csv"
    assert rows(parsed) == [
        ("2024-02-03", "Hafen Liegeplatz", "-1200.50"),
        ("2024-02-03", "Hafen Liegeplatz (fee)", "-0.50"),
        ("2024-02-04", "Boot", "1.00"),
    ]
    assert {row.currency for row in parsed.rows} == {"CHF"}
    assert agrees(parsed) == [True]


def test_a_table_without_header_names_its_columns() -> None:
    mapping = mapping_from(
        {
            "source_type": "bare_csv",
            "columns": ["Day", "Text", "Sum"],
            "date": "Day",
            "description": ["Text"],
            "amount": "Sum",
            "sign": "positive_is_out",
            "dates": ["ymd"],
        }
    )
    parsers = bundled_parsers().with_own([CsvParser("bare_csv", (mapping,))])
    assert rows(read("2024-02-03,SHOP,5.00\n2024-02-04,REFUND,-5.00\n", "bare_csv", parsers=parsers)) == [
        ("2024-02-03", "SHOP", "-5.00"),
        ("2024-02-04", "REFUND", "5.00"),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('date = "Tag"', ""), "source_type, date and description are needed"),
        (('decimal = ","', 'decimal = "x"'), "decimal must be '.', ',' or empty"),
        (('delimiter = ";"', 'delimiter = "::"'), "delimiter must be one of"),
        (('currency = "CHF"', 'currency = "Franken"'), "three capital letters"),
        (('dates = ["dd.mm.yyyy"]', 'dates = ["whenever"]'), "'whenever' is neither ymd, mdy nor dmy"),
        (('debit = "Ab"', 'amount = "Ab"'), "either amount, or debit and credit"),
        (('fee = "Kosten"', 'fees = "Kosten"'), "'fees' is not a key of a mapping"),
        (('fee = "Kosten"', "fee = 5"), "fee must be a text"),
        (('description = ["Wer", "Wofür"]', 'description = "Wer"'), "description must be a list of texts"),
        (('"offen|storniert"', '"(offen"'), "is not a regular expression"),
        (('source_type = "seaside_csv"', 'source_type = "auto"'), "source_type must be"),
        (("[[csv]]", "[csv]"), "no [[csv]] table"),
        (("[[csv]]", "[[csv"), "banks.toml: "),
    ],
)
def test_a_mistake_in_a_mapping_is_named(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    with pytest.raises(MappingInvalid) as refused:
        load_mappings(write(tmp_path, VALID.replace(*change)))
    assert message in str(refused.value)
    assert str(refused.value).startswith("banks.toml: ")


def test_a_sign_rule_that_does_not_exist_is_named() -> None:
    with pytest.raises(
        MappingInvalid,
        match="sign must be one of negative_is_out, positive_is_out, by_balance, not 'upside_down'",
    ):
        mapping_from(
            {"source_type": "a_csv", "date": "D", "description": ["T"], "amount": "A", "sign": "upside_down"}
        )


def test_a_mapping_of_common_names_holds_in_any_order_and_beside_other_columns() -> None:
    entry = {"source_type": "seaside_csv", "date": "Date", "description": ["Description"], "amount": "Amount"}
    own = CsvParser("seaside_csv", (mapping_from({**entry, "dates": ["dmy"], "currency": "EUR"}),))
    parsed = read(
        "Amount,Account,Date,Description,Fee\n-4.00,12345678,03/04/2024,Boat,0.00\n",
        parsers=bundled_parsers().with_own([own]),
    )
    assert (parsed.source_type, rows(parsed)) == ("seaside_csv", [("2024-04-03", "Boat", "-4.00")])
