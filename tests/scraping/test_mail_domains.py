"""Contacts are verified by the DNS alone: what it says of a mail domain counts, what it does not say never fails a contact."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpcore
import pytest

from interlock.testing import Sandbox
from interlock.workflows.scraping.contacts.mail_domains import MailDomain, MailDomains
from interlock.workflows.scraping.options import Options
from interlock.workflows.scraping.verifying import verify_contact
from interlock.workflows.scraping.web.addresses import read_networks
from interlock.workflows.scraping.web.connecting import GuardedNetwork
from interlock.workflows.scraping.web.faults import FetchFault
from interlock.workflows.scraping.web.resolving import Resolver
from interlock.workflows.scraping.workflow import declare
from tests.scraping.name_server import NameServer

PUBLIC = "93.184.216.34"


@pytest.fixture
def names() -> Iterator[NameServer]:
    with NameServer() as server:
        server.names |= {
            "firma.de": {"MX": ["20 mx2.firma.de.", "10 mx1.firma.de."]},
            "mx1.firma.de": {"A": [PUBLIC]},
            "mx2.firma.de": {"A": [PUBLIC]},
            "plain.de": {"A": [PUBLIC]},
            "sixth.de": {"AAAA": ["2606:2800:220:1:248:1893:25c8:1946"]},
            "nomail.de": {"MX": ["0 ."], "A": [PUBLIC]},
            "inside.de": {"MX": ["10 mx.inside.de."]},
            "mx.inside.de": {"A": ["10.0.0.5"]},
            "half.de": {"MX": ["10 mx.half.de."]},
            "mx.half.de": {"A": [PUBLIC, "192.168.1.1"]},
            "gone-server.de": {"MX": ["10 mx.nowhere.de."]},
            "empty.de": {"TXT": ['"x"']},
            "second.de": {"MX": ["10 mx.nowhere.de.", "20 mx1.firma.de."]},
        }
        server.fails.add("broken.de")
        yield server


def check(names: NameServer, *hosts: str, seconds: float = 60.0) -> list[MailDomain]:
    async def run() -> list[MailDomain]:
        domains = MailDomains(Resolver(names.address), seconds=seconds)
        return [await domains.check(host) for host in hosts]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("firma.de", "accepts"),
        ("plain.de", "accepts"),
        ("sixth.de", "accepts"),
        ("second.de", "accepts"),
        ("nomail.de", "refuses"),
        ("inside.de", "refuses"),
        ("half.de", "refuses"),
        ("gone-server.de", "refuses"),
        ("empty.de", "refuses"),
        ("nowhere.de", "missing"),
        ("broken.de", "unknown"),
        ("x" * 64 + ".de", "unknown"),
    ],
)
def test_the_dns_decides_whether_a_domain_takes_mail(names: NameServer, host: str, status: str) -> None:
    (checked,) = check(names, host)
    assert checked.status == status


def test_mail_servers_are_in_the_order_of_their_preference_and_asked_for_once(names: NameServer) -> None:
    first, second = check(names, "firma.de", "firma.de")
    assert first == second == MailDomain("accepts", ("mx1.firma.de", "mx2.firma.de"))
    assert names.asked["firma.de MX"] == 1


def test_a_nameserver_that_does_not_answer_leaves_the_domain_unknown(names: NameServer) -> None:
    names.is_silent = True
    (checked,) = check(names, "firma.de", seconds=0.2)
    assert checked.status == "unknown"


@pytest.mark.parametrize("status", ["accepts", "unknown"])
def test_an_address_of_an_unknown_domain_stays_valid(status: Any) -> None:
    result = verify_contact({"email": "ann@firma.de"}, 0, MailDomain(status))
    assert (result["valid"], result["email"]["domain"]["status"]) == (True, status)


@pytest.mark.parametrize(
    ("email", "domain", "name", "value", "valid"),
    [
        ("info@firma.de", MailDomain("accepts"), "role", True, True),
        ("ann.bee@firma.de", MailDomain("accepts"), "role", False, True),
        ("kunden-service+x@firma.de", MailDomain("accepts"), "role", True, True),
        ("x@mailinator.com", MailDomain("accepts"), "disposable", True, False),
        ("x@a.mailinator.com", MailDomain("accepts"), "disposable", True, False),
        ("x@gmail.com", MailDomain("accepts"), "free", True, True),
        ("x@firma.de", MailDomain("missing", problem="gone"), "problem", "gone", False),
        ("x@firma.de", MailDomain("refuses", problem="none"), "problem", "none", False),
        ("a..b@firma.de", MailDomain("accepts"), "syntax", False, False),
    ],
)
def test_each_part_of_a_verification(
    email: str, domain: MailDomain, name: str, value: object, valid: bool
) -> None:
    result = verify_contact({"email": email}, 0, domain)["email"]
    assert (result[name], result["valid"]) == (value, valid)


def test_a_number_is_verified_with_its_country_and_type() -> None:
    assert verify_contact({"phone": "+491701234567"}, 0)["phone"] == {
        "valid": True,
        "possible": True,
        "country": "DE",
        "type": "mobile",
    }
    assert verify_contact({"phone": "+4917"}, 0)["valid"] is False


def test_a_contact_is_verified_with_duplicates_across_domains(database_url: str, names: NameServer) -> None:
    options = Options(cycle="continuous", rate="1000/s", retries=0, nameserver=names.address)
    with closing(Sandbox(declare(options), database=database_url)) as box:
        box.migrate()
        for number, email in (
            (1, "ann@firma.de"),
            (2, "ann@firma.de"),
            (3, "bob@nowhere.de"),
            (4, "c@broken.de"),
        ):
            box.admit("domains", {"host": f"h{number}.com", "url": f"https://h{number}.com/"})
            row = {"domain_id": number, "contact_key": email, "email": email, "social": []}
            box.admit("contacts", {**row, "curation_status": "Selected"})
        box.drain()
        rows = [box.get("contacts", id) for id in range(1, 5)]
        assert [row["processing_status"] for row in rows] == ["Complete"] * 4
        emails = [row["verification"]["email"] for row in rows]
        assert [(one["domain"]["status"], one["other_domains"], one["duplicate"]) for one in emails] == [
            ("accepts", 1, True),
            ("accepts", 1, True),
            ("missing", 0, False),
            ("unknown", 0, False),
        ]
        assert [row["verification"]["valid"] for row in rows] == [True, True, False, True]
        moves = [move.new for move in box.ledger.history("contacts", 4) if move.axis == "processing_status"]
        assert moves[-3:] == ["Queued", "Processing", "Complete"]
        assert box.check().findings == []


def test_off_the_network_a_contact_is_complete_with_an_unknown_domain(database_url: str) -> None:
    options = Options(cycle="continuous", rate="1000/s", retries=0, nameserver=("127.0.0.1", 1))
    with closing(Sandbox(declare(options), database=database_url)) as box:
        box.migrate()
        box.admit("domains", {"host": "h.com", "url": "https://h.com/"})
        row = {"domain_id": 1, "contact_key": "a@firma.de", "email": "a@firma.de", "social": []}
        box.admit("contacts", {**row, "curation_status": "Selected"})
        box.drain()
        verified = box.get("contacts", 1)
        assert (verified["processing_status"], verified["verification"]["valid"]) == ("Complete", True)
        assert verified["verification"]["email"]["domain"]["status"] == "unknown"


def test_a_name_that_points_elsewhere_later_is_judged_by_every_answer(names: NameServer) -> None:
    names.names["turns.de"] = lambda before: {"A": ["127.2.0.1" if before else "127.1.0.1"]}
    names.names["both.de"] = {"A": ["127.1.0.1", "127.2.0.1"]}

    async def connect(network: GuardedNetwork, host: str) -> str:
        try:
            await network.connect_tcp(host, 1, timeout=60.0)
        except FetchFault as fault:
            return fault.code
        except httpcore.ConnectError:
            return "tried"
        return "connected"

    async def run() -> list[str]:
        network = GuardedNetwork(read_networks("127.1.0.0/16"), resolver=Resolver(names.address))
        return [await connect(network, host) for host in ("turns.de", "turns.de", "both.de", "nowhere.de")]

    assert asyncio.run(run()) == ["tried", "PRIVATE_ADDRESS", "PRIVATE_ADDRESS", "DNS_FAILED"]
