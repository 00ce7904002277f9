"""Exports are loaded by the programs that they are for: ledger, hledger and beancount, each in a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from interlock.workflows.statements.exports import beancount, ledger_cli
from interlock.workflows.statements.exports.accounts import money_account_of, purpose_account
from tests.statements.normalize.test_exports import row

PROGRAMS = Path(
    os.environ.get("INTERLOCK_TEST_PROGRAMS", Path(__file__).parents[2] / ".venv" / "programs" / "bin")
)
"""Where `make programs` puts what no package of ours may depend on."""
TEXTS = (
    'STARBUCKS "#1234"',
    "a;b | c",
    "[2024-01-01] x: y",
    "back\\slash {curly} (round)",
    "= 1 + 1",
    "~ monthly",
    "; comment",
    "2024/01/02 * other",
    "Café Zürich – 口座",
    "tag:: 1/0",
    "@ 5 EUR",
    "'quoted' `tick` %d $HOME",
    "\t\r\nlines",
    "",
)
ACCOUNTS = (
    ("Chase ••1234", "checking"),
    ("Amex ••9", "credit_card"),
    ("口座", ""),
    ("", ""),
    ("Bank loan", "loan"),
)
AMOUNTS = ("-4.50", "1234.56", "-0.01", "100.00", "-99999.99", "0.00")
CATEGORIES = ("coffee", "salary", "", "transfers", 'my own: "thing"', "card_payment")
BALANCES = """
import json, sys
from collections import defaultdict
from beancount import loader
from beancount.core import data
entries, errors, _ = loader.load_file(sys.argv[1])
sums = defaultdict(int)
for entry in entries:
    for posting in getattr(entry, "postings", ()):
        sums[posting.account + " " + posting.units.currency] += posting.units.number
print(json.dumps({"errors": [str(one) for one in errors], "sums": {name: str(one) for name, one in sums.items()}}))
"""


def rows() -> list[dict[str, Any]]:
    """Rows of every kind of account, category and text."""
    made = []
    for number in range(120):
        account, account_type = ACCOUNTS[number % len(ACCOUNTS)]
        text = TEXTS[number % len(TEXTS)]
        made.append(
            row(
                canonical_id=f"id-{number}",
                observation_id=f"UL_a:{number}",
                date=date(2024, 1, 1) + timedelta(days=number * 7 % 90),
                amount=AMOUNTS[number % len(AMOUNTS)],
                currency=("USD", "EUR")[number % 7 == 0],
                description=text,
                merchant=TEXTS[number * 3 % len(TEXTS)],
                account=account,
                account_type=account_type,
                file_name=("März (2).csv", "口座.ofx", "-.csv", "")[number % 4],
                category=CATEGORIES[number * 5 % 7 % len(CATEGORIES)],
                flags=[[], ["large_amount"], ["manual_review_required", "unknown_merchant"]][number % 3],
            )
        )
    made.append(row(amount="-500", currency="JPY"))
    return made


def balances() -> dict[str, Decimal]:
    """What each account holds of each currency, by our own count, without what comes to nothing."""
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for one in rows():
        amount = Decimal(one["amount"])
        sums[f"{money_account_of(one)} {one['currency']}"] += amount
        sums[f"{purpose_account(one['category'], amount)} {one['currency']}"] -= amount
    return {name: amount for name, amount in sums.items() if amount}


def program(name: str) -> str:
    """Where a program is; the test is skipped, with how to get it, where it is not."""
    path = shutil.which(name) or shutil.which(name, path=str(PROGRAMS))
    if path is None:
        pytest.skip(f"NOT TESTED: {name} is not installed here; `make programs` gets it where it can be had")
    return path


def run(*command: str) -> str:
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "LANG": "C.UTF-8"},
    )
    assert (done.returncode, done.stderr.strip()) == (0, ""), f"{done.stderr}\n{done.stdout}"
    return done.stdout


def as_balances(lines: str) -> dict[str, Decimal]:
    found = {}
    for line in lines.splitlines():
        account, _, amount = line.partition("\t")
        if account:
            number, currency = amount.split()
            found[f"{account} {currency}"] = Decimal(number)
    return {name: amount for name, amount in found.items() if amount}


def test_ledger_loads_the_journal_and_comes_to_the_same_balances(tmp_path: Path) -> None:
    ledger = program("ledger")
    journal = tmp_path / "books.ledger"
    journal.write_text("".join(ledger_cli(rows())), encoding="utf-8")
    lines = run(
        ledger,
        "-f",
        str(journal),
        "register",
        "--format",
        "%(account)\t%(quantity(amount)) %(commodity(amount))\n",
    )
    sums: dict[str, Decimal] = defaultdict(Decimal)
    for line in lines.splitlines():
        account, _, amount = line.partition("\t")
        number, currency = amount.split()
        sums[f"{account} {currency}"] += Decimal(number)
    assert {name: amount for name, amount in sums.items() if amount} == balances()
    assert "Liabilities:Amex" in run(ledger, "-f", str(journal), "balance", "^Liabilities", "--flat")


def test_hledger_loads_the_journal_and_comes_to_the_same_balances(tmp_path: Path) -> None:
    hledger = program("hledger")
    journal = tmp_path / "books.journal"
    journal.write_text("".join(ledger_cli(rows())), encoding="utf-8")
    run(hledger, "-f", str(journal), "check")
    table = json.loads(run(hledger, "-f", str(journal), "balance", "--flat", "-O", "json"))
    found = {
        f"{name} {amount['acommodity']}": Decimal(amount["aquantity"]["decimalMantissa"]).scaleb(
            -amount["aquantity"]["decimalPlaces"]
        )
        for name, _, _, amounts in table[0]
        for amount in amounts
    }
    assert {name: amount for name, amount in found.items() if amount} == balances()


def test_beancount_loads_the_journal_without_an_error_and_comes_to_the_same_balances(tmp_path: Path) -> None:
    check = program("bean-check")
    journal = tmp_path / "books.beancount"
    journal.write_text("".join(beancount(rows())), encoding="utf-8")
    run(check, str(journal))
    answer = json.loads(run(str(Path(check).with_name("python")), "-c", BALANCES, str(journal)))
    sums = {name: Decimal(number) for name, number in answer["sums"].items()}
    assert (answer["errors"], {name: one for name, one in sums.items() if one}) == ([], balances())
    assert {name.partition(":")[0] for name in sums if "Amex" in name or "loan" in name.lower()} == {
        "Liabilities"
    }
