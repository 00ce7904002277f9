"""A description tells its merchant and category, by the rules in their order; what no rule knows is cleaned and flagged."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.workflows.statements.normalize.cleaning import clean_merchant, collapsed, folded
from interlock.workflows.statements.normalize.matching import Key, Matcher
from interlock.workflows.statements.normalize.recognising import Recogniser, recogniser
from interlock.workflows.statements.rules import builtin_rules
from interlock.workflows.statements.rules.rule_set import CategoryRule, Merchant, Patterns

OUT, IN = Decimal(-50), Decimal(50)
MATCHER = Matcher(builtin_rules().merchants)


def merchant(text: str) -> str:
    return recogniser(builtin_rules(), "").recognise(text).merchant


def category(text: str, amount: Decimal = OUT) -> str:
    return recogniser(builtin_rules(), "").recognise(text).category(amount)[0]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("STARBUCKS #1234", "Starbucks"),
        ("AMAZON.COM*AB12CD", "Amazon"),
        ("SHELL OIL 12345678", "Shell"),
        ("starbucks store 0123", "Starbucks"),
        ("AMZN MKTP US*2K4RT6", "Amazon"),
        ("Amazon Prime*1A2B3", "Amazon Prime"),
        ("PRIME VIDEO *AB1", "Prime Video"),
        ("AMAZON WEB SERVICES", "Amazon Web Services"),
        ("UBER   *TRIP HELP.UBER.COM", "Uber"),
        ("UBER *EATS", "Uber Eats"),
        ("PAYPAL *NETFLIX", "Netflix"),
        ("PAYPAL INST XFER", "PayPal"),
        ("GOOGLE *YouTube Premium", "YouTube"),
        ("GOOGLE *Google One", "Google"),
        ("COSTCO GAS #0123", "Costco Gas"),
        ("COSTCO WHSE #0123", "Costco"),
        ("WHOLEFDS MKT 10230 OAKLAND CA", "Whole Foods Market"),
        ("TRADER JOE'S #123", "Trader Joe's"),
        ("MCDONALD'S F1234", "McDonald's"),
        ("CHECKCARD 0112 SHELL SERVICE STATION", "Shell"),
        ("H&M 0123", "H&M"),
        ("STARBUKCS 0123", "Starbucks"),
        ("CAFÉ ZÜRICH REWE MARKT", "REWE"),
    ],
)
def test_a_known_merchant_is_named_however_it_is_spelled(text: str, name: str) -> None:
    assert merchant(text) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("SQ *BLUE DOOR BAKERY OAKLAND CA", "Blue Door Bakery"),
        ("TST* THE LITTLE NELL", "The Little Nell"),
        ("PP*JOESGEAR", "Joesgear"),
        ("PAYPAL *SOMESHOP 402-935-7733 CA", "Someshop"),
        ("PURCHASE 0112 JOES DINER #123 AUSTIN TX", "Joes Diner"),
        ("GREEN LEAF LLC", "Green Leaf"),
        ("POS DEBIT 0415 CORNER STORE 4021 SEATTLE WA", "Corner Store"),
        ("ACME CORP DES:PAYROLL ID:XXXXX12345 INDN:JOHN DOE CO ID:XXXXX PPD", "Acme"),
        (
            "PURCHASE AUTHORIZED ON 01/12 MAMA'S KITCHEN PORTLAND OR S384012345678901 CARD 1234",
            "Mama's Kitchen",
        ),
        ("CHECKCARD 0112 LE PETIT BISTRO 415-555-1212 CA 24692164012100123456789", "Le Petit Bistro"),
        ("VENDOR*AB12CD34", "Vendor"),
        ("MCALLISTER'S DELI 1101", "McAllister's Deli"),
        ("Müller Drogerie", "Müller Drogerie"),
        ("12345", "Unknown"),
        ("", "Unknown"),
        ("BP", "BP"),
        ("DEBIT CARD PURCHASE XXXXX1234 THE BOOK NOOK", "The Book Nook"),
        ("SP * ALLBIRDS", "Allbirds"),
        ("CA", "Ca"),
    ],
)
def test_an_unknown_merchant_is_cleaned_to_its_name(text: str, name: str) -> None:
    assert clean_merchant(text) == name


@pytest.mark.parametrize(
    ("text", "amount", "name"),
    [
        ("ACME CORP DES:PAYROLL ID:1", IN, "salary"),
        ("INTEREST CHARGED ON PURCHASES", OUT, "interest"),
        ("Interest Earned", IN, "interest"),
        ("BKOFAMERICA ATM 03/14 #000006789 WITHDRWL", OUT, "cash"),
        ("MONTHLY MAINTENANCE FEE", OUT, "fees"),
        ("FOREIGN TRANSACTION FEE", OUT, "fees"),
        ("ONLINE BANKING TRANSFER TO SAV 1234", OUT, "transfers"),
        ("Zelle payment to John", OUT, "transfers"),
        ("CHECK 1234", OUT, "checks"),
        ("PAYMENT - THANK YOU", IN, "card_payment"),
        ("ROCKET MORTGAGE LOAN", OUT, "mortgage"),
        ("OAKWOOD APARTMENTS", OUT, "rent"),
        ("CITY WATER UTILITY", OUT, "utilities"),
        ("DR SMITH DENTAL", OUT, "health"),
        ("JOE'S PIZZA", OUT, "dining"),
        ("CORNER GROCERY", OUT, "groceries"),
        ("GRAND HOTEL", OUT, "travel"),
        ("IRS USATAXPYMT", OUT, "taxes"),
        ("TAX REFUND", IN, "taxes"),
        ("STARBUCKS #1", OUT, "coffee"),
        ("MOBILE DEPOSIT", IN, "deposits"),
        ("STARBUCKS #1", IN, "coffee"),
        ("SOMETHING ODD", OUT, ""),
        ("CARD PAYMENT TO TESCO", OUT, "groceries"),
        ("GEICO *AUTO", OUT, "insurance"),
        ("NETFLIX.COM", OUT, "subscriptions"),
        ("PARKING METER 12", OUT, "parking"),
    ],
)
def test_a_category_follows_from_the_text_and_the_direction(text: str, amount: Decimal, name: str) -> None:
    assert category(text, amount) == name


def rule(id: str, *, priority: int = 0, **patterns: tuple[str, ...]) -> Merchant:
    return Merchant(id, id.upper(), Patterns(**patterns), priority=priority)


@pytest.mark.parametrize(
    ("rules", "winner"),
    [
        (
            [
                rule("fuzzy", fuzzy=("ACME STORE",)),
                rule("regex", regex=("ACME",)),
                rule("exact", exact=("Acme  Store",)),
            ],
            "exact",
        ),
        ([rule("fuzzy", fuzzy=("ACME STORE",)), rule("regex", regex=("ACME",))], "regex"),
        ([rule("fuzzy", fuzzy=("ACME STORE",), priority=1), rule("exact", exact=("ACME STORE",))], "fuzzy"),
        ([rule("first", regex=("ACME",)), rule("second", regex=("STORE",))], "first"),
        ([rule("low", exact=("ACME STORE",), priority=-1), rule("high", regex=("STORE",))], "high"),
        ([rule("nearly", fuzzy=("ACME STORES",))], "nearly"),
    ],
)
def test_priority_goes_before_exact_before_regex_before_fuzzy_and_the_first_match_wins(
    rules: list[Merchant], winner: str
) -> None:
    found = Recogniser(rules, []).recognise("acme store").by
    assert found is not None
    assert found.rule.id == winner


def test_a_category_rule_of_higher_priority_beats_the_merchants_own_and_an_equal_one_does_not() -> None:
    shop = Merchant("acme", "Acme", Patterns(regex=("ACME",)), category="shopping")
    equal = CategoryRule("equal", "food", Patterns(exact=("ACME STORE",)))
    higher = CategoryRule("higher", "rent", Patterns(regex=("STORE",)), least=Decimal(1000), priority=1)
    said = Recogniser([shop], [equal, higher]).recognise("ACME STORE")
    assert said.category(Decimal(-50)) == ("shopping", "category:merchant:acme")
    assert said.category(Decimal(-1000)) == ("rent", "category:higher")


def test_a_rule_for_one_source_is_not_asked_about_another() -> None:
    only = Merchant("x", "X", Patterns(regex=("ACME",)), sources=("chase_*",))
    rules = builtin_rules()
    mine = type(rules)(rules.version, rules.digest, merchants=(only,))
    assert recogniser(mine, "chase_csv").recognise("ACME").merchant == "X"
    assert recogniser(mine, "bofa_pdf").recognise("ACME").merchant == "Acme"


@given(st.text(max_size=200))
def test_cleaning_any_text_gives_one_printable_line_that_is_not_empty(text: str) -> None:
    cleaned = clean_merchant(text)
    assert cleaned
    assert cleaned.isprintable()
    assert collapsed(cleaned) == cleaned


def test_a_description_of_any_length_is_looked_at_in_bounded_time() -> None:
    assert len(collapsed("A 1*" * 100_000)) <= 500
    assert clean_merchant("A1 " * 100_000)
    assert merchant("X" * 1_000_000).startswith("X")


WORDS = st.sampled_from(
    [
        "STARBUCKS",
        "AMAZON.COM*AB",
        "SHELL",
        "OIL",
        "123",
        "#4",
        "SQ *",
        "PIZZA",
        "ATM",
        "TRANSFER TO",
        "AT&T",
        "BP 7",
        "PAYPAL",
        "H&M",
        "Dunkin",
        "INTEREST",
        "DES:PAYROLL",
        "UBER",
        "EATS",
        "Café",
        "GAS",
        "é",
        "CHECK",
        "1",
        "-",
    ]
)


@given(st.lists(WORDS | st.text(max_size=6), max_size=6).map(" ".join))
def test_sparing_searches_finds_the_same_rules_as_searching_them_all(text: str) -> None:
    key = Key(folded(collapsed(text)))
    rules = builtin_rules().merchants
    every = [
        rule.id
        for rule in sorted(rules, key=lambda rule: -rule.priority)
        if any(re.search(pattern, key.text, re.IGNORECASE) for pattern in rule.patterns.regex)
    ]
    assert list(dict.fromkeys(match.rule.id for match in MATCHER.all(key, lambda: "")))[: len(every)] == every
