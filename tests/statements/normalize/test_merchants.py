"""A description tells its merchant and category, by the rules in their order; what no rule knows is cleaned and flagged."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.workflows.statements.normalize.cleaning import clean_merchant, collapsed, folded
from interlock.workflows.statements.normalize.merchants import Key, Matcher, Recogniser, recogniser
from interlock.workflows.statements.normalize.normalizing import normalize
from interlock.workflows.statements.parsed import ObservedRow
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
        ("Harbour Kiosk (Pier)", "Harbour Kiosk (Pier)"),
        ("(Harbour Kiosk)", "Harbour Kiosk"),
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


@pytest.mark.parametrize(
    ("description", "merchant"),
    [
        ("SEPA-LASTSCHRIFT STADTWERKE MUSTERSTADT", "Stadtwerke Musterstadt"),
        ("KARTENZAHLUNG BAECKEREI LINDE", "Baeckerei Linde"),
        ("DAUERAUFTRAG HAUSVERWALTUNG EICHE", "Hausverwaltung Eiche"),
        ("PRLV SEPA ASSURANCE CHENE", "Assurance Chene"),
        ("PAIEMENT PAR CARTE 12/01 BOULANGERIE DUPOND", "Boulangerie Dupond"),
        ("VISA DDA PUR ORCHARD KITCHEN", "Orchard Kitchen"),
        ("APPLE PAY ENDING IN 1234 ORCHARD KITCHEN", "Orchard Kitchen"),
        ("ORCHARD KITCHEN EUR 12,50 @ 1.0861", "Orchard Kitchen"),
        ("ORCHARD KITCHEN FOREIGN CURRENCY 12.50 EUR", "Orchard Kitchen"),
        ("ORCHARD KITCHEN 800-555-1234", "Orchard Kitchen"),
    ],
)
def test_booking_words_wallets_phones_and_foreign_currency_notes_are_no_part_of_a_merchant(
    description: str, merchant: str
) -> None:
    assert clean_merchant(description) == merchant


MIXED = """
-KARTENZAHLUNG REWE 4411|-EC KARTE EDEKA 12|-LASTSCHRIFT STADTWERKE|-SEPA-LASTSCHRIFT TELEKOM|-DAUERAUFTRAG MIETE|+GEHALT FIRMA
-PAIEMENT CB CARREFOUR|-PRLV SEPA EDF|+VIREMENT SALAIRE|-ACHAT CB SNCF|-WHOLEFDS MKT 10234|-UBER *TRIP|-NETFLIX.COM|-SPOTIFY USA
-AMZN MKTP US*2K3AB1|-WALMART #2231|-TARGET T-1234|-COSTCO WHSE #0021|-CVS/PHARMACY #01234|-SHELL SERVICE|-MCDONALD'S F12345
-DOORDASH*THAI|-COMCAST CABLE|-VERIZON WIRELESS|-GEICO *AUTO|-RENT PAYMENT OAK|-ATM WITHDRAWAL|-MONTHLY SERVICE FEE|+PAYROLL LABS
+INTEREST PAYMENT|-ZELLE TO ROBIN|-VENMO PAYMENT|-TRANSFER TO SAVINGS|-PAYMENT THANK YOU|-CHECK 1023|-DELTA AIR LINES|-MARRIOTT
-AIRBNB * HM123|-PLANET FITNESS|-HOME DEPOT 1234|-IKEA BROOKLYN|-APPLE.COM/BILL|-STEAM PURCHASE|-H&M 0123|-PETCO 123|-TESCO 3021
-BOOTS 1234|-TFL TRAVEL|-COUNCIL TAX|-BRITISH GAS|-PRET A MANGER|-TIM HORTONS #12|-JOE'S CORNER BAR|-QUORN AND SONS|-NAGATA KK
"""


def test_four_of_five_rows_of_a_mixed_personal_set_have_a_category_and_the_rule_that_gave_it() -> None:
    texts = [text for line in MIXED.strip().splitlines() for text in line.split("|")]
    rows = [
        ObservedRow(place, "2024-01-05", text[1:], f"{text[0]}10.00".lstrip("+"), date_format="ymd")
        for place, text in enumerate(texts)
    ]
    made = normalize(
        "UL_a", rows, builtin_rules(), today=date(2030, 1, 1), at=datetime(2030, 1, 1, tzinfo=UTC)
    )
    known = [one for one in made.canonicals if one.category]
    assert len(known) >= 0.8 * len(texts), [one.description for one in made.canonicals if not one.category]
    assert all(any(rule.startswith("category:") for rule in one.applied_rules) for one in known)


def test_the_files_own_category_is_the_fallback_and_named_as_such() -> None:
    rows = [
        ObservedRow(0, "2024-01-05", "QUORN AND SONS", "-1.00", date_format="ymd", source_category="Garden"),
        ObservedRow(1, "2024-01-05", "NETFLIX.COM", "-1.00", date_format="ymd", source_category="Garden"),
    ]
    made = normalize(
        "UL_a", rows, builtin_rules(), today=date(2030, 1, 1), at=datetime(2030, 1, 1, tzinfo=UTC)
    )
    first, second = made.canonicals
    assert (first.category, "category:source_category" in first.applied_rules) == ("Garden", True)
    assert (second.category != "Garden", "uncategorized" in first.flags) == (True, False)
