"""What each screen answers: the board, a list, a record; from real records, on both databases."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from interlock import App
from interlock.client import EntrySeal
from interlock.console.pages import ledger, records
from interlock.console.pages.record import condition_of, register_of
from interlock.errors import InterlockError
from interlock.observe.explain import Condition, Explanation
from interlock.workflow import Move
from interlock.workflow.columns.instant import instant_text
from tests.console.conftest import PAGE, Look, text
from tests.service.asking import Asker


@pytest.fixture
def moved(app: App) -> App:
    for name in ("u1", "u2"):
        app.move("statements", name, actor="coord", status="parsing")
    app.move(
        "statements",
        "u2",
        actor="coord",
        status="error",
        facts={"error_code": "TIMEOUT", "error_message": "longer than 30 s"},
    )
    return app


def test_the_board_counts_every_state_its_flow_and_its_errors(moved: App, look: Look) -> None:
    page = look("/?open=statements")
    (table,) = page.xpath("//table[@aria-label='status: states of statements']")
    rows = {
        text(row.xpath("td")[0]): [text(cell) for cell in row.xpath("td")] for row in table.xpath("tbody/tr")
    }
    assert {name: row[1] for name, row in rows.items()} == {
        "queued_for_parse": "3",
        "parsing": "1",
        "parsed": "0",
        "normalizing": "0",
        "normalized": "0",
        "error": "1",
    }
    assert (rows["queued_for_parse"][5], rows["queued_for_parse"][6]) == ("5", "2")
    assert (rows["parsing"][5], rows["parsing"][6]) == ("2", "1")
    assert rows["error"][7] == "needs a person"
    assert "1TIMEOUTlonger than 30 s" in text(page.xpath("//ul[@class='groups']")[0])
    drawn = page.xpath("//*[local-name()='svg'][@class='graph']")
    assert len(drawn) == 1
    counts = drawn[0].xpath(".//*[local-name()='a'][@data-state='parsing']//*[contains(@class,'count')]")
    assert [text(one) for one in counts] == ["1"]
    needs = [text(one) for one in page.xpath("//ul[@id='needs']/li")]
    assert any(one.startswith("1 in error") for one in needs)


def test_every_box_of_the_board_leads_to_the_records_in_that_state(moved: App, look: Look) -> None:
    boxes = {href for href in look("/").xpath("//svg//a/@href") if href.startswith("/records/statements?")}
    states = {parse_qs(urlsplit(href).query)["state.status"][0] for href in boxes}
    assert states == set(moved.workflows["statements"].axes["status"].machine.states)


def test_the_board_of_an_instant_is_rebuilt_from_the_ledger(moved: App, look: Look) -> None:
    first = moved.ledger.history("statements", "u1")[1].at
    page = look(f"/?open=statements&at={instant_text(first - timedelta(microseconds=1))}")
    (table,) = page.xpath("//table[@aria-label='status: states of statements']")
    counts = {text(row.xpath("td")[0]): text(row.xpath("td")[1]) for row in table.xpath("tbody/tr")}
    assert (counts["queued_for_parse"], counts["parsing"], counts["error"]) == ("5", "0", "0")
    assert "Rebuilt from the ledger" in text(page.xpath("//div[@id='replaying']")[0])


def test_an_empty_board_says_how_to_begin(sqlite_url: str) -> None:
    from interlock.service.application import build
    from tests.kinds import four_kinds, open_app
    from tests.service.conftest import WIDE

    empty = open_app(sqlite_url, *four_kinds())
    asker = Asker(build(empty, limits=WIDE), prefix="")
    answer = asker.get("/", headers=PAGE)
    asker.close()
    empty.close()
    assert answer.status_code == 200
    assert "Nothing has arrived yet" in answer.text
    assert "interlock up --demo" in answer.text


def test_a_list_is_narrowed_by_its_address_and_paged_by_key(moved: App, look: Look) -> None:
    moved.admit_many(
        "statements", [{"id": f"v{number:03}", "file_hash": f"x{number}"} for number in range(60)]
    )
    ids = look("/records/statements?state.status=error").xpath("//a[@data-row]/text()")
    assert ids == ["u2"]
    assert look("/records/statements?error=TIMEOUT").xpath("//a[@data-row]/text()") == ["u2"]
    assert look("/records/statements?text=v05").xpath("//a[@data-row]/text()") == [
        f"v{n:03}" for n in range(50, 60)
    ]
    first = look("/records/statements")
    seen = first.xpath("//a[@data-row]/text()")
    (onward,) = first.xpath("//a[@rel='next']/@href")
    seen += look(onward).xpath("//a[@data-row]/text()")
    assert seen == sorted([*(f"u{n}" for n in range(5)), *(f"v{n:03}" for n in range(60))])
    assert "No record matches." in text(look("/records/statements?state.status=normalized"))


def test_a_list_says_how_many_there_are_and_has_a_column_for_each_axis(
    moved: App, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "PAGE", 2)
    page = look("/records/statements")
    assert text(page.xpath("//p[@id='lede']")[0]) == "The first 2 of 5, by id."
    following = look(page.xpath("//a[@rel='next']/@href")[0])
    assert text(following.xpath("//p[@id='lede']")[0]) == "The next 2 of 5, by id."
    queued = look("/records/statements?state.status=queued_for_parse")
    assert text(queued.xpath("//p[@id='lede']")[0]) == "The first 2 of 3, by id."
    heads = [text(one) for one in look("/records/domains").xpath("//table/thead/tr/th")]
    assert heads[-4:] == ["curation_status", "processing_status", "There for", "Error"]
    (row, *_) = look("/records/domains").xpath("//table/tbody/tr")
    assert [text(one) for one in row.xpath("td[contains(@class,'l-slot')]")] == ["New", "null"]


def test_a_text_is_looked_for_in_so_many_records_at_a_time_and_the_page_says_so(
    moved: App, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved.admit_many(
        "statements", [{"id": f"v{number:03}", "file_hash": f"x{number}"} for number in range(60)]
    )
    monkeypatch.setattr(records, "EXAMINED", 40)
    page, seen, sentences = look("/records/statements?text=v05"), [], []
    while True:
        seen += page.xpath("//a[@data-row]/text()")
        sentences.append(text(page.xpath("//p[@id='lede']")[0]))
        onward = page.xpath("//a[@rel='next']")
        if not onward:
            break
        assert text(onward[0]) == "Look at the next 40 records"
        page = look(onward[0].get("href"))
    assert seen == [f"v{number:03}" for number in range(50, 60)]
    assert sentences == [
        "Of the first 40 records by id, 0 have this text in the id or in a text column. There are more to look at.",
        "10 records, by id.",
    ]
    assert "Looked at the first 40 records by id. 0 records so far." in text(look("/jump?to=v05"))


def test_an_id_jumps_to_its_record_and_a_name_to_a_list(moved: App, browser: Asker, look: Look) -> None:
    answer = browser.get("/jump?to=u2", headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/records/statements/u2")
    page = look("/jump?to=host2")
    assert page.xpath("//a[@data-row]/text()") == ["2"]
    assert "No record has that id" in text(look("/jump?to=nowhere-at-all"))


def test_an_id_that_two_kinds_have_and_one_that_is_gone_lead_to_their_records(
    moved: App, browser: Asker, look: Look
) -> None:
    lede = look("/jump?to=1").xpath("//p[@class='lede']")[0]
    assert text(lede).startswith("2 kinds have a record with this id: domains, themes.")
    assert lede.xpath("a/@href") == ["/records/domains/1", "/records/themes/1"]
    moved.erase("statements", "u4", actor="eve", role="admin", reason="asked to")
    answer = browser.get("/jump?to=u4", headers=PAGE)
    assert (answer.status_code, answer.headers["location"]) == (303, "/records/statements/u4")


def test_a_record_says_where_it_is_why_and_what_may_happen(moved: App, look: Look) -> None:
    with pytest.raises(InterlockError):
        moved.move("statements", "u2", status="normalized", actor="ana")
    page = look("/records/statements/u2")
    why = text(page.xpath("//p[@class='why']")[0])
    assert why.startswith("It is in error since ")
    assert "because coord moved it from parsing" in why
    assert "TIMEOUT: longer than 30 s" in why
    lines = [text(one) for one in page.xpath("//ol[@class='register']/li")]
    assert len(lines) == 4
    assert "refused: status to normalized" in lines[0]
    assert "ILK-204" in lines[0]
    assert [text(one) for one in page.xpath("//ol[@class='register']//span[@class='v']")] == [
        "v2",
        "v1",
        "v0",
    ]
    retry = page.xpath("//form[@data-api='/api/v1/statements/records/u2/retry']")
    assert len(retry) == 1
    assert "interlock record retry statements u2 --reason" in text(retry[0])
    assert json.loads(retry[0].get("data-body")) == {}
    (refused,) = [text(one) for one in page.xpath("//button[@class='refusal']")]
    assert "Move to parsing, normalizing or normalized" in refused
    assert "ILK-204" in refused
    assert "legal from error: queued_for_parse, parsed" in refused


def test_a_move_form_carries_the_version_that_was_seen(moved: App, look: Look) -> None:
    page = look("/records/domains/1")
    bodies = [json.loads(one) for one in page.xpath("//form/@data-body")]
    assert {"axis": "curation_status", "to": "Selected", "version": 0} in bodies
    driven = [one for one in page.xpath("//button[@class='refusal']") if "Move to Queued" in text(one)]
    assert len(driven) == 1


def test_the_ledger_shows_the_newest_first_and_pages_by_cursor(moved: App, look: Look) -> None:
    page = look("/ledger?kind=statements")
    ids = page.xpath("//a[@data-row]/text()")
    assert ids[0] == "u2"
    assert len(ids) == 8
    assert len(look("/ledger?kind=statements&after=0.0").xpath("//a[@data-row]")) == 8


def test_the_ledger_is_verified_on_its_page_when_somebody_asks(moved: App, look: Look) -> None:
    (button,) = look("/ledger?kind=statements").xpath("//a[text()='Verify now']")
    assert button.get("href") == "/ledger?kind=statements&verify=now"
    (answer,) = look(button.get("href")).xpath("//div[@role='status'][contains(@class, 'notice')]")
    assert "Everything fits. 8 entries of statements, read again at " in text(answer)
    assert moved.ledger.verify("statements").entries == 8


def test_the_ledger_leads_back_to_its_first_entry_and_forth_again(
    app: App, look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "PAGE", 4)
    app.admit_many("statements", [{"id": f"v{number}", "file_hash": f"x{number}"} for number in range(5)])
    page, seen = look("/ledger?kind=statements"), []
    while True:
        seen += page.xpath("//a[@data-row]/text()")
        older = page.xpath("//nav[@class='pager']/a[@rel='next']/@href")
        if not older:
            break
        page = look(older[0])
    assert seen == [f"v{number}" for number in range(4, -1, -1)] + [
        f"u{number}" for number in range(4, -1, -1)
    ]
    (newer,) = page.xpath("//nav[@class='pager']/a[@rel='prev']/@href")
    assert look(newer).xpath("//a[@data-row]/text()") == ["v0", "u4", "u3", "u2"]
    (oldest,) = look("/ledger?kind=statements").xpath("//nav[@class='pager']/a[text()='Oldest']/@href")
    assert look(oldest).xpath("//a[@data-row]/text()") == ["u3", "u2", "u1", "u0"]
    assert look(oldest).xpath("//nav[@class='pager']/a[@rel='next']") == []


def test_refusals_can_be_left_out_of_what_happened(moved: App, look: Look) -> None:
    with pytest.raises(InterlockError):
        moved.move("statements", "u2", status="normalized", actor="ana")
    page = look("/records/statements/u2")
    (moves,) = page.xpath("//a[text()='Moves only']/@href")
    lines = [text(one) for one in look(moves).xpath("//ol[@class='register']/li")]
    assert len(lines) == 3
    assert "refused" not in " ".join(lines)
    assert look("/records/statements/u1").xpath("//a[text()='Moves only']") == [], "nothing was refused there"
    assert len(moved.ledger.history("statements", "u2")) == 3


def test_a_record_that_was_erased_says_by_whom_and_keeps_its_history(moved: App, look: Look) -> None:
    look("/records/statements/u7", status=404)
    moved.erase("statements", "u2", actor="eve", role="admin", reason="asked to")
    page = look("/records/statements/u2")
    (why,) = page.xpath("//p[@class='why']")
    assert text(why).startswith("It is gone: eve erased it at ")
    assert text(why).endswith("with the reason “asked to”. It was in error.")
    assert len(page.xpath("//ol[@class='register']/li")) == 4 == len(moved.ledger.history("statements", "u2"))
    assert "Chain verified just now, 4 entries" in text(page.xpath("//section[@id='register']")[0])
    assert page.xpath("//form[@data-api]") == []
    assert page.xpath("//main//a[@href='/api/v1/statements/records/u2/proof']")


def test_machines_say_which_records_are_in_a_state_that_the_code_does_not_have(
    moved: App, look: Look
) -> None:
    page = look("/machines")
    assert "Every record is in a state that its machine has." in text(page.find(".//main"))
    assert len(page.xpath("//*[local-name()='svg'][@class='graph']")) == 4
    moves = page.xpath("//section[@id='statements']//tbody/tr")
    assert len(moves) >= 10


def test_two_axes_are_counted_against_each_other_and_what_rules_forbid_is_hatched(
    app: App, look: Look
) -> None:
    app.move("domains", 1, actor="ana", curation_status="Selected")
    page = look("/?open=domains")
    (matrix,) = page.xpath("//table[contains(@class, 'matrix')]")
    rows = {
        text(row.xpath("th")[0]): [text(cell) for cell in row.xpath("td")] for row in matrix.xpath("tbody/tr")
    }
    assert rows["null"] == ["2", "0", "0", "0", "2"]
    assert rows["Queued"] == ["cannot be", "1", "cannot be", "cannot be", "1"]
    assert rows["Processing"] == ["0", "0", "0", "0", "0"]
    assert rows["All"] == ["2", "1", "0", "0", "3"]
    (link,) = matrix.xpath("//a[text()='1'][contains(@href, 'Queued')]/@href")
    assert look(link).xpath("//a[@data-row]/text()") == ["1"]


def test_a_record_s_chain_is_verified_where_it_is_read(app: App, look: Look) -> None:
    page = look("/records/statements/u1")
    (foot,) = page.xpath("//div[@class='chainfoot']")
    assert text(foot).startswith("Chain verified just now, 1 entry")
    assert "Not sealed yet" in text(foot)
    assert foot.xpath("a/@href") == ["/api/v1/statements/records/u1/proof"]


def test_a_record_says_up_to_which_version_it_is_sealed(app: App, look: Look) -> None:
    (seal,) = app.ledger.sealing()
    foot = "//div[@class='chainfoot']"
    assert "Sealed up to v0, seal 1 at " in text(look("/records/statements/u1").xpath(foot)[0])
    app.move("statements", "u1", actor="coord", status="parsing")
    page = look("/records/statements/u1").xpath(foot)[0]
    assert "Sealed up to v0, seal 1 at " in text(page), "v1 came later"
    assert page.xpath("span[2]/*[local-name()='svg']/@class") == ["mark is-waiting"]
    assert "2 of 2 entries sealed" in text(look("/records/domains/1").xpath(foot)[0])
    assert app.ledger.entry_seals("statements", "u1") == {
        ("status", None, 0): EntrySeal(seal.number, seal.at, None)
    }


def on(day: int) -> datetime:
    return datetime(2026, 1, day, 9, tzinfo=UTC)


def test_a_record_says_the_day_where_its_history_crosses_one() -> None:
    moves = [
        Move("k", "a", "status", None, version, None, "x", "ana", None, None, None, {}, on(day))
        for version, day in enumerate((29, 30, 30, 31))
    ]
    lines = register_of({}, moves, Explanation("k", "a"), {})
    assert [(line["version"], line["day"]) for line in lines] == [
        (3, ""),
        (2, "30 January 2026"),
        (1, ""),
        (0, "29 January 2026"),
    ]


def test_a_condition_is_a_headline_with_its_detail() -> None:
    told = Condition(
        "status",
        None,
        "a person's retry: stage parse failed for good; the last try failed with X (`interlock record retry statements 1 --reason …`)",
        False,
    )
    assert condition_of(told) == {
        "head": "A person's retry",
        "detail": "stage parse failed for good; the last try failed with X",
        "scope": None,
        "met": False,
        "is_for_people": True,
    }
    decided = condition_of(Condition("status", "technical", "a person's decision: pending, done", False))
    assert (decided["head"], decided["detail"]) == ("A person's decision", "to move it to pending or done")
    plain = condition_of(Condition("status", "technical", "stage parse is to run", True))
    assert (plain["head"], plain["detail"], plain["is_for_people"]) == ("Stage parse is to run", "", False)


def test_the_rail_counts_what_waits_for_a_person(moved: App, look: Look) -> None:
    page = look("/ledger")
    due = {text(one.getparent()): text(one) for one in page.xpath("//nav[@class='rail']//span[@class='due']")}
    assert due["Operations2"] == "2", "one failed, and one runs without an attempt"
    assert due["Curate4"] == "4", "three domains and one article; content needs a role and is not curated"
