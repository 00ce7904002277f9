"""Rules are data: versioned, checked before use with file and key named, laid over ours; no expression may run for ever."""

from __future__ import annotations

import re
import time
import tomllib
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from interlock.errors import BadInput
from interlock.workflows.statements.normalize.normalizing import normalize
from interlock.workflows.statements.parsed import ObservedRow
from interlock.workflows.statements.rules import builtin_rules, load_rules
from interlock.workflows.statements.rules.expressions import LONGEST_INPUT, needed, problem
from interlock.workflows.statements.rules.loading import builtin_files
from interlock.workflows.statements.rules.schema import problems
from interlock.workflows.statements.rules.trying import try_rules

HEAD = 'name = "mine"\nversion = "3"\n'


def file_of(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    return path


def test_nothing_is_wrong_with_the_built_in_rule_files() -> None:
    """No process that starts looks for it."""
    found = {name: problems(tomllib.loads(content.decode())) for name, content in builtin_files().items()}
    assert len(found) == 3
    assert set(map(tuple, found.values())) == {()}


def test_the_built_in_rules_are_plenty_and_versioned() -> None:
    rules = builtin_rules()
    assert re.fullmatch(r"\d+\.\d+\.\d+", rules.version)
    assert re.fullmatch("[0-9a-f]{64}", rules.digest)
    assert len(rules.merchants) >= 150
    assert {rule.category for rule in rules.categories} >= {
        "groceries",
        "dining",
        "transport",
        "fuel",
        "utilities",
        "rent",
        "salary",
        "transfers",
        "fees",
        "interest",
        "cash",
        "subscriptions",
        "insurance",
        "health",
        "travel",
        "shopping",
        "taxes",
    }


def test_no_built_in_merchant_or_category_is_named_twice() -> None:
    rules = builtin_rules()
    for ids in ([one.id for one in rules.merchants], [one.id for one in rules.categories]):
        assert len(ids) == len(set(ids))


def test_without_a_file_the_built_in_rules_are_used() -> None:
    assert load_rules() is builtin_rules()


def test_a_teams_file_is_laid_over_ours(tmp_path: Path) -> None:
    mine = load_rules(
        file_of(
            tmp_path,
            """
disable = ["netflix"]
[options]
large_amount = "500"
[source.my_bank]
date_formats = ["dd/mm/yyyy"]
decimal = ","
currency = "EUR"
[[merchant]]
id = "starbucks"
name = "Coffee Corner"
category = "work"
regex = ["STARBUCKS"]
[[category]]
id = "school"
category = "school"
regex = ["KUMON"]
priority = 50
direction = "out"
least = "20"
""",
        )
    )
    ours = builtin_rules()
    assert mine.version == f"{ours.version}+mine.3"
    assert mine.digest != ours.digest
    assert len(mine.merchants) == len(ours.merchants) - 1
    assert mine.options_for("my_bank").date_formats == ("dd/mm/yyyy",)
    assert mine.options_for("chase_csv").large_amount == Decimal(500)
    assert mine.options_for("chase_csv").date_formats == ours.options_for("chase_csv").date_formats
    rows = [
        ObservedRow(0, "03/04/2024", "STARBUCKS 1", "1.234,50", "EUR", sign=-1),
        ObservedRow(1, "04/04/2024", "KUMON", "-20,00", "EUR"),
    ]
    made = normalize(
        "UL_1", rows, mine, source_type="my_bank", today=date(2024, 6, 1), at=datetime(2024, 6, 1, tzinfo=UTC)
    )
    assert [(one.date.isoformat(), one.amount, one.merchant, one.category) for one in made.canonicals] == [
        ("2024-04-03", "-1234.50", "Coffee Corner", "work"),
        ("2024-04-04", "-20.00", "Kumon", "school"),
    ]
    assert "large_amount" in made.canonicals[0].flags
    assert made.rule_set_version == mine.version


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[options]\nlarge_amount = 1.5", "options.large_amount"),
        ("[options]\ndecimal = ';'", "options.decimal"),
        ("[options]\nlow_confidence = 2", "options.low_confidence"),
        ("[options]\nfoo = 1", "options.foo"),
        ("[source.x]\ncurrency = 'XXQ'", "source.x.currency"),
        ("[source.x]\ndate_formats = ['%d/%m']", "source.x.date_formats: entry 0"),
        ("[[merchant]]\nid = 'a'\nregex = ['A']", "merchant.a.name: is missing"),
        ("[[merchant]]\nid = 'a'\nname = 'A'", "merchant.a: matches nothing"),
        ("[[merchant]]\nname = 'A'\nregex = ['A']", "merchant[0].id: is missing"),
        ("[[merchant]]\nid = 'a'\nname = 'A'\nregex = ['(']", "merchant.a.regex: entry 0"),
        ("merchant = 3", "merchant: must be a list"),
        ("[[category]]\nid = 'a'\ncategory = 'b'\nregex = ['x']\ndirection = 'up'", "category.a.direction"),
        ("source = 1", "source: must be a table"),
        ("[[category]]\nid = 'a'\ncategory = 'b'\nregex = ['x']\nleast = -1", "category.a.least"),
        ("surprise = 1", "surprise: is not known"),
        (
            "[[merchant]]\nid = 'a'\nname = 'A'\nregex = ['(a+)+']",
            "merchant.a.regex: entry 0: it has a repeat inside a repeat",
        ),
        (
            "[[merchant]]\nid='a'\nname='A'\nregex=['x']\n[[merchant]]\nid='a'\nname='B'\nregex=['y']",
            "merchant.a.id: is given twice",
        ),
        ("disable = ['nobody']", "there are no rules nobody"),
        ("disable = 3", "disable: must be a list"),
        ("[options", "is not TOML"),
    ],
)
def test_what_is_wrong_with_a_rule_file_is_said_with_file_and_key(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(BadInput) as refused:
        load_rules(file_of(tmp_path, text))
    assert said in str(refused.value)
    assert "mine" in str(refused.value)


def test_everything_wrong_is_said_at_once_and_a_version_is_needed(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("[options]\ndecimal = 3\nlow_confidence = 'x'\n", encoding="utf-8")
    with pytest.raises(BadInput) as refused:
        load_rules(path)
    assert [problem.partition(":")[0] for problem in refused.value.facts["problems"]] == [
        "name",
        "version",
        "options.decimal",
        "options.low_confidence",
    ]


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"none\.toml: cannot be read"):
        load_rules(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+",
        "(a*)*b",
        "(a|a)*",
        "(a|aa)+$",
        r"(\w+\s?)+:",
        "(.*)(.*)(.*)x",
        "a*a*a*a*b",
        r"(a)\1",
        "(?:a?){30}a{30}",
        "a?" * 20 + "a" * 20,
        "(",
        "x" * 600,
        r"(?:\d{1,20}){1,20}",
        "[a-z]+[a-z]+[a-z]+1",
    ],
)
def test_an_expression_that_could_run_for_ever_is_refused(pattern: str) -> None:
    assert problem(pattern) is not None


@pytest.mark.parametrize(
    "pattern",
    [
        r"\bSTARBUCKS",
        r"AMZ(?:N|\*)",
        r"\bPEET'?S\b",
        r"SHELL (?:OIL|\d)",
        r"^CHECK ?\d{1,12}$",
        r"A.*B",
        r".*A.*",
        "[A-Z]{2,20} X",
    ],
)
def test_an_ordinary_expression_is_accepted(pattern: str) -> None:
    assert problem(pattern) is None


@pytest.mark.parametrize("pattern", [r".*A.*", r"(?:.*)A[B-Z]*$", r"\w+ \w+!"])
def test_the_worst_accepted_expression_ends_soon_on_the_longest_text(pattern: str) -> None:
    assert problem(pattern) is None
    started = time.process_time()
    re.compile(pattern).search("AB" * (LONGEST_INPUT // 2))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"\bSTARBUCKS", ("STARBUCKS",)),
        (r"\bPEET'?S\b", ("PEET",)),
        ("(?:FOO|BARS)", ("FOO", "BARS")),
        (r"\d+", ()),
        ("(?:FOO|)", ()),
        ("A?", ()),
        (r"FO(?:O|P) BARS", (" BARS",)),
        ("shell", ("SHELL",)),
    ],
)
def test_what_an_expression_needs_is_found_out(pattern: str, texts: tuple[str, ...]) -> None:
    assert needed(pattern) == texts


def test_a_trial_keeps_the_category_of_the_file_where_no_rule_gives_one() -> None:
    rules, at = builtin_rules(), datetime(2030, 1, 1, tzinfo=UTC)
    row = ObservedRow(0, "2024-03-04", "QXZ 12", "-5.00", source_category="Hobby")
    made = normalize("UL_x", [row], rules, source_type="csv", today=at.date(), at=at).canonicals[0]
    assert (made.category, "category:source_category" in made.applied_rules) == ("Hobby", True)
    trial = try_rules(rules, [made.row()])
    assert (trial.categorized_before, trial.categorized_after, trial.changed) == (1, 1, [])
