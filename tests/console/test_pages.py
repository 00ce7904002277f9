"""Every page of the console: what it says, what it escapes, under which policy and prefix it works."""

from __future__ import annotations

import re
from typing import Any

import pytest
from fastapi import FastAPI
from lxml import html

from interlock import App
from interlock.console.screens import SCREENS
from interlock.console.static_files import static_files, static_version
from interlock.errors import InterlockError
from interlock.service.application import build
from tests.console.conftest import PAGE, Look, text
from tests.service.asking import Asker
from tests.service.conftest import WIDE, Ask, make_key

HOSTILE = "<img src=x onerror=alert(1)>\"'&lt;{{7*7}}</script>`javascript:alert(1)"
NAMES = {"{kind}": "statements", "{id}": "u1"}


def address(path: str) -> str:
    for name, value in NAMES.items():
        path = path.replace(name, value)
    return path


ADDRESSES = [address(screen.path) for screen in SCREENS]


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_page_runs_under_a_strict_policy_and_names_nothing_remote(path: str, browser: Asker) -> None:
    answer = browser.get(path, headers=PAGE)
    assert answer.status_code == 200, answer.text
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    page = html.fromstring(answer.text)
    assert page.xpath("//*[@style] | //style | //script[not(@src)]") == []
    assert [name for element in page.iter() for name in element.attrib if name.startswith("on")] == []
    addresses = [str(one) for one in page.xpath("//@href | //@src | //@action")]
    assert [one for one in addresses if not one.startswith(("/", "#", "?"))] == []


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_page_has_a_title_a_heading_a_main_and_its_place_in_the_rail(path: str, look: Look) -> None:
    page = look(path)
    assert text(page.find(".//title")).endswith("· Interlock")
    assert len(page.xpath("//main//h1")) == 1
    assert len(page.xpath("//nav[@class='rail']//a[@aria-current='page']")) == 1
    assert page.xpath("//a[@class='skip']/@href") == ["#main"]
    ids = page.xpath("//@id")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", ADDRESSES)
def test_every_symbol_that_a_page_uses_is_in_its_sprite(path: str, look: Look) -> None:
    page = look(path)
    used = {str(one).removeprefix("#") for one in page.xpath("//*[local-name()='use']/@href")}
    assert used <= set(page.xpath("//*[local-name()='symbol']/@id"))


@pytest.fixture
def hostile(app: App) -> App:
    app.admit("domains", {"id": 66, "host": HOSTILE}, actor=HOSTILE, reason=HOSTILE)
    app.move("domains", 66, curation_status="Selected", actor=HOSTILE, reason=HOSTILE)
    app.move("domains", 66, processing_status="Processing", actor=HOSTILE)
    app.move(
        "domains",
        66,
        processing_status="Failed",
        actor=HOSTILE,
        facts={"error_code": HOSTILE, "error_message": HOSTILE},
    )
    with pytest.raises(InterlockError):
        app.move("domains", 66, processing_status="Complete", actor=HOSTILE, reason=HOSTILE)
    app.admit("statements", {"id": "a/b <i>", "file_hash": HOSTILE})
    app.pause("domains", "domain", actor=HOSTILE, reason=HOSTILE)
    make_key(app, "viewer", "<b>key</b>")
    return app


def test_no_text_of_a_record_becomes_markup_on_any_page(hostile: App, look: Look) -> None:
    pages = [
        *ADDRESSES,
        "/records/domains",
        "/records/domains/66",
        "/records/statements/a%2Fb%20%3Ci%3E",
        "/?open=domains",
        f"/jump?to={'%3Cimg'}",
        f"/records/domains?text={'%3Cimg%20src'}&error=%22%3E%3Cscript%3E",
        "/ledger?kind=domains",
        "/invariants?check=now",
    ]
    seen = 0
    for path in pages:
        page = look(path)
        assert page.xpath("//main//img | //main//script | //main//i[not(@class)] | //rect[@onload]") == [], (
            path
        )
        for element in page.iter():
            assert not any(name.startswith("on") for name in element.attrib), path
        seen += HOSTILE in text(page)
        assert "{{" not in re.sub(re.escape("{{7*7}}"), "", text(page)), path
        assert not [one for one in page.xpath("//@href") if "javascript:" in one.split("?")[0]], path
    assert seen >= 4


def test_no_name_turns_the_direction_in_which_a_page_is_read(app: App, look: Look) -> None:
    name, shown = "invoice\u202egnp.exe", "invoice\\u202egnp.exe"
    app.admit("domains", {"id": 67, "host": name}, actor=name, reason="שלום")
    for path in ("/records/domains", "/records/domains/67", "/ledger?kind=domains", "/curate?kind=domains"):
        words = text(look(path))
        assert shown in words, path
        assert "\u202e" not in words, path
    assert "שלום" in text(look("/records/domains/67")), "letters have their own direction"
    (row,) = look("/curate?kind=domains").xpath("//tr[@data-id='67']")
    assert row.get("data-label") == shown, "the card is filled from it"
    assert (app.get("domains", 67)["host"], app.ledger.history("domains", 67)[0].actor) == (name, name)


def test_a_record_whose_id_has_a_slash_has_its_page(hostile: App, look: Look) -> None:
    page = look("/records/statements/a%2Fb%20%3Ci%3E")
    assert text(page.xpath("//h1")[0]) == "a/b <i>"
    assert page.xpath("//form/@data-api")[0] == "/api/v1/statements/records/a%2Fb%20%3Ci%3E/moves"


@pytest.mark.sqlite_only
def test_it_works_under_a_prefix(app: App, ask: Ask) -> None:
    outer = FastAPI()
    outer.mount("/tools/interlock", app.asgi(lambda request: ("ann", "operator")))
    asker = ask(outer, prefix="/tools/interlock", host="shop.example", client=("192.0.2.7", 1))
    for path in ADDRESSES:
        page = html.fromstring(asker.get(path, headers=PAGE).text)
        links = [
            str(one) for one in page.xpath("//@href | //@src | //@action | //@data-api") if one[0] == "/"
        ]
        assert links
        assert [one for one in links if not one.startswith("/tools/interlock/")] == [], path
        assert page.xpath("//meta[@name='interlock-base']/@content") == ["/tools/interlock"]
    style = next(str(one) for one in page.xpath("//link/@href") if one.endswith("console.css"))
    assert asker.get(style.removeprefix("/tools/interlock")).headers["content-type"].startswith("text/css")


@pytest.mark.sqlite_only
def test_static_files_are_kept_for_ever_under_their_version_only(browser: Asker) -> None:
    for name, one in static_files().items():
        answer = browser.get(f"/console/{static_version()}/{name}")
        assert answer.content == one.content
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        again = browser.get(
            f"/console/{static_version()}/{name}", headers={"If-None-Match": answer.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
    assert browser.get("/console/older/console.css").headers["cache-control"] == "no-cache"
    assert browser.get(f"/console/{static_version()}/..%2Fpages.py").status_code == 404


@pytest.mark.sqlite_only
def test_a_page_of_another_site_starts_no_check(browser: Asker) -> None:
    visit = {
        **PAGE,
        "Sec-Fetch-Site": "cross-site",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-Dest": "document",
    }
    page = html.fromstring(browser.get("/invariants?check=now", headers=visit).text)
    assert "Nothing was checked" in text(page.find(".//main"))
    assert "Everything holds" in text(
        html.fromstring(browser.get("/invariants?check=now", headers=PAGE).text)
    )
    assert "Everything fits." not in browser.get("/ledger?verify=now", headers=visit).text
    assert "Everything fits." in browser.get("/ledger?verify=now", headers=PAGE).text


@pytest.mark.sqlite_only
def test_what_a_role_may_not_do_is_there_with_the_reason(app: App, ask: Ask) -> None:
    app.move("statements", "u1", actor="c", status="error", facts={"error_code": "BROKEN"})
    viewer = ask(build(app, limits=WIDE), make_key(app, "viewer"), prefix="")

    def page(path: str) -> Any:
        answer = viewer.get(path, headers=PAGE)
        assert answer.status_code == 200
        return html.fromstring(answer.text)

    record = page("/records/statements/u1")
    assert record.xpath("//form[@data-api]") == []
    refused = {text(one): one for one in record.xpath("//button[@aria-disabled='true']")}
    assert any(
        one.startswith("Retry") and "Needs the role operator; yours is viewer." in one for one in refused
    )
    assert any(one.startswith("Erase") and "Needs the role admin" in one for one in refused)
    assert "Needs the role admin; yours is viewer." in text(page("/access"))
    assert "Needs the role operator; yours is viewer." in text(page("/invariants?check=now"))


def test_errors_are_pages_for_browsers_and_problems_for_programs(browser: Asker) -> None:
    lost = browser.get("/records/statements/nobody", headers=PAGE)
    assert lost.status_code == 404
    page = html.fromstring(lost.text)
    assert text(page.xpath("//h1")[0]) == "Statements has no record 'nobody'.", "the sentence comes first"
    assert "ILK-201" in text(page.xpath("//main")[0])
    assert browser.get("/records/statements/nobody").json()["code"] == "ILK-201"
    assert browser.get("/?at=yesterday", headers=PAGE).status_code == 400


def test_an_address_without_a_page_answers_a_browser_with_one_and_a_program_with_a_problem(
    look: Look, browser: Asker
) -> None:
    page = look("/nothing/here", 404)
    assert text(page.xpath("//h1")[0]) == "There is no page at this address."
    assert page.xpath("//a[contains(@class,'btn')]/@href") == ["/"]
    below = browser.get("/api/v1/nothing", headers=PAGE)
    assert (below.status_code, below.json()["code"]) == (404, "ILK-404")
    assert browser.get("/nothing/here").json()["code"] == "ILK-404"


def test_a_record_that_is_not_there_leads_to_those_that_are(look: Look) -> None:
    page = look("/records/statements/u404", 404)
    assert text(page.xpath("//h1")[0]) == "Statements has no record 'u404'."
    assert text(page.xpath("//p[@class='also']/code")[0]) == "interlock record list statements"
    assert page.xpath("//a[contains(@class,'btn--do')]/@href") == ["/records/statements"]


def test_moves_that_the_machine_does_not_have_are_one_refusal_which_names_them_all(
    app: App, look: Look
) -> None:
    app.move("statements", "u1", actor="coord", status="parsing")
    app.move("statements", "u1", actor="coord", status="error", facts={"error_code": "TIMEOUT"})
    refusals = [text(one) for one in look("/records/statements/u1").xpath("//button[@class='refusal']")]
    (illegal,) = [one for one in refusals if "ILK-204" in one]
    assert illegal.startswith("Move to parsing, ")
    assert "Not legal moves; legal from error: " in illegal
    for state in app.workflows["statements"].axes["status"].machine.states:
        assert state == "error" or any(str(state) in one for one in refusals), "nothing refused is hidden"
