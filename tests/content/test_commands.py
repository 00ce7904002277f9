"""`interlock content` as people type it, on each database and against a service; and the files that it reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interlock.cli.program import interlock
from interlock.errors import BadInput
from interlock.extension import SystemClock
from interlock.service.application import build
from interlock.service.http.limits import Limits
from interlock.testing import Sandbox
from interlock.workflows.content.commands.importing import read_file
from interlock.workflows.content.tables import (
    approval_events,
    candidates,
    deprecations,
    immutability_violations,
    rejected_items,
)
from tests.content.items import PAYLOADS, item, rows, tables, walked
from tests.content.sample_items import write_file
from tests.service.conftest import WIDE, make_key
from tests.service.serving import served

Run = Callable[..., Result]
LINES: list[dict[str, Any]] = [
    {"type": "meaning", "language": "EN", "level": "A1", "payload": PAYLOADS["meaning"], "item_id": "a"},
    {
        "type": "meaning",
        "language": "EN",
        "level": "A1",
        "word": "cat",
        "definition": "it purrs",
        "item_id": "b",
    },
]


@pytest.fixture(params=["database", "service"])
def run(
    request: pytest.FixtureRequest,
    box: Sandbox,
    database_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Run]:
    """A command about content, on the database itself or to a service with an admin's key; refusals leave with their exit code."""
    monkeypatch.chdir(tmp_path)
    box.time.advance(
        SystemClock().now() - box.time.now()
    )  # commands on the database have a clock of their own
    app = ("--app", "tests.content.shop:workflows")

    def typed(*words: str, **options: Any) -> Result:
        return CliRunner().invoke(interlock, [*app, *options.pop("where"), "content", *words], **options)

    if request.param == "database":
        yield lambda *words: typed(
            *words, where=("--database", database_url), env={"INTERLOCK_ACTOR": "olga"}
        )
    else:
        key = make_key(box, "admin", "olga")
        with served(build(box, limits=WIDE)) as address:
            yield lambda *words: typed(*words, where=("--url", address), env={"INTERLOCK_KEY": key})


def answered(result: Result) -> Any:
    assert result.exit_code == 0, result.output + result.stderr
    return json.loads(result.stdout)


def test_content_is_submitted_promoted_reviewed_and_decided_on(
    run: Run, box: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "items.jsonl"
    file.write_text("\n".join(map(json.dumps, LINES)), encoding="utf-8")
    assert [row["outcome"] for row in answered(run("submit", str(file), "-o", "json"))] == ["admitted"] * 2
    assert (tables(box, "a"), box.get("content", "b")["author"]) == (["drafts"], "olga")
    assert [row["to_state"] for row in answered(run("promote", "a", "b", "-o", "json"))] == ["CANDIDATE"] * 2
    amended = ("--set", "definition=it purrs at night", "--set", "tags=pets|cats", "--reason", "too short")
    assert answered(run("amend", "b", *amended, "-o", "json"))[0]["version"] == 2
    assert rows(box, candidates, "b")[0]["normalized_data"] == {
        "word": "cat",
        "definition": "it purrs at night",
        "tags": ["pets", "cats"],
    }
    item(box, "good", "VALIDATED", payload={"word": "fox", "definition": "a red hunter with a tail"})
    item(box, "bad", "VALIDATED", payload={"word": "elk", "definition": "wears antlers all winter"})
    assert [row["item_id"] for row in answered(run("review", "-o", "json"))] == ["bad", "good"]
    assert answered(run("approve", "good", "--notes", "fine", "-o", "json"))[0]["to_state"] == "APPROVED"
    answered(run("reject", "bad", "--reason", "no such animal here", "-o", "json"))
    answered(run("deprecate", "good", "--reason", "outdated", "-o", "json"))
    assert answered(run("show", "good", "-o", "json"))["approval"]["notes"] == "fine"
    described = [line.split("  ")[0] for line in run("show", "good").stdout.splitlines()]
    assert {"payload word", "gate safety, version 3", "approval notes"} <= set(described)
    assert [row["operator_id"] for row in rows(box, approval_events)] == ["olga"]
    assert [row["item_id"] for row in rows(box, rejected_items) + rows(box, deprecations)] == ["bad", "good"]
    assert answered(run("erase", "a", "--reason", "asked for", "-o", "json"))[0]["outcome"] == "erased"
    assert (tables(box, "a"), walked(box, "good")[-1]) == ([], "APPROVED")
    again = run("submit", str(file), "-o", "json")
    assert [(row["item_id"], row["outcome"]) for row in json.loads(again.stdout)] == [
        ("a", "refused"),
        ("b", "exists"),
    ]
    assert (again.exit_code, "a was erased" in again.stdout, walked(box, "a")[-1]) == (5, True, None)


def test_an_import_that_was_stopped_goes_on_to_the_gates_and_an_item_that_cannot_stays_a_draft(
    run: Run, box: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "items.jsonl"
    half = {"type": "meaning", "language": "EN", "level": "A1", "word": "elk", "item_id": "half"}
    nameless = {**LINES[0], "word": "fox", "definition": "a red hunter with a tail"}
    del nameless["item_id"], nameless["payload"]
    lines = list(map(json.dumps, [LINES[0], nameless, LINES[1], half]))
    file.write_text("\n".join(lines[:2]), encoding="utf-8")
    made = answered(run("submit", str(file), "-o", "json"))[1]["item_id"]  # as it is after a kill
    item(box, "b", payload={"word": "bee", "definition": "somebody else's item of this id"})
    file.write_text("\n".join(lines), encoding="utf-8")
    submitted = run("submit", str(file), "--validate", "-o", "json")
    assert submitted.exit_code == 5, submitted.output
    assert [(row["item_id"], row["outcome"], row["code"]) for row in json.loads(submitted.stdout)] == [
        ("a", "exists", None),
        (made, "exists", None),
        ("b", "exists", None),
        ("half", "admitted", "ILK-205"),
    ]
    box.advance("1m")  # a command on the database has a clock of its own
    box.drain()
    assert [tables(box, id) for id in ("a", made, "b", "half")] == [["validated"]] * 2 + [["drafts"]] * 2
    assert walked(box, "a") == walked(box, made) == ["DRAFT", "CANDIDATE", "VALIDATED"]
    assert walked(box, "b") == walked(box, "half") == ["DRAFT"]


def test_one_bad_line_stops_no_other_and_is_named(run: Run, box: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "items.jsonl"
    bad = [
        b"{nonsense",
        b'{"type": "meaning", "word": "\xff"}',
        b"[]",
        json.dumps({**LINES[0], "item_id": "poem", "type": "poem"}).encode(),
        json.dumps({**LINES[0], "item_id": "german", "language": "DE"}).encode(),
        json.dumps({**LINES[0], "item_id": "a b"}).encode(),
        json.dumps({**LINES[0], "item_id": "nul", "payload": {"word": "\0"}}).encode(),
    ]
    good = [json.dumps(line).encode() for line in LINES]
    file.write_bytes(b"\n".join([good[0], *bad, good[1], b""]))
    submitted = run("submit", str(file), "-o", "json")
    assert submitted.exit_code == 5, submitted.output
    answers = json.loads(submitted.stdout)
    assert [(row["item_id"], row["outcome"]) for row in (answers[0], answers[-1])] == [
        ("a", "admitted"),
        ("b", "admitted"),
    ]
    assert [row["message"].split(":")[0] for row in answers[1:-1]] == [
        f"items.jsonl, line {number}" for number in range(2, 9)
    ]
    assert {row["code"] for row in answers[1:-1]} == {"ILK-102"}
    assert "Traceback" not in submitted.output + submitted.stderr
    assert box.counts() == {
        ("content", "state", None, "DRAFT"): 2,
        ("content", "standing", None, "active"): 2,
    }
    again = run("submit", str(file), "-o", "json")
    assert [row["outcome"] for row in json.loads(again.stdout)].count("admitted") == 0


def test_of_several_items_one_that_is_refused_stops_no_other(run: Run, box: Sandbox) -> None:
    item(box, "a", "VALIDATED")
    item(box, "b", "CANDIDATE", payload={"word": "cat", "definition": "it purrs and it sleeps"})
    item(box, "c", "VALIDATED", payload={"word": "elk", "definition": "wears antlers all winter"})
    result = run("approve", "a", "b", "nowhere", "c", "-o", "json")
    assert result.exit_code == 5, result.output
    rows_of = {row["item_id"]: (row["outcome"], row["code"]) for row in json.loads(result.stdout)}
    assert rows_of == {
        "a": ("moved", None),
        "b": ("refused", "ILK-204"),
        "nowhere": ("refused", "ILK-201"),
        "c": ("moved", None),
    }
    assert [walked(box, id)[-1] for id in "abc"] == ["APPROVED", "CANDIDATE", "APPROVED"]


def test_a_service_with_a_limit_of_requests_is_waited_for(
    box: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = write_file(tmp_path / "items.jsonl", 12)
    key = make_key(box, "admin", "olga")
    with served(build(box, limits=Limits(rate=20, burst=5))) as address:
        result = CliRunner().invoke(
            interlock,
            ["--app", "tests.content.shop:workflows", "--url", address, "content", "submit", str(file)],
            env={"INTERLOCK_KEY": key},
        )
    assert result.exit_code == 0, result.output
    assert box.counts()["content", "state", None, "DRAFT"] == 12


def test_a_refusal_has_its_exit_code_and_changes_nothing(run: Run, box: Sandbox) -> None:
    item(box, "a", "CANDIDATE")
    for words in (
        ("approve", "a"),
        ("deprecate", "a", "--reason", "outdated"),
        ("supersede", "a", "a", "--reason", "r"),
    ):
        refused = run(*words)
        assert refused.exit_code not in (0, 1), refused.output
        assert "Traceback" not in refused.output + refused.stderr
    assert (walked(box, "a"), walked(box, "a", "standing")) == (["DRAFT", "CANDIDATE"], ["active"])


def test_a_csv_file_has_one_item_per_line_and_lists_in_one_cell(tmp_path: Path) -> None:
    file = tmp_path / "items.csv"
    file.write_text(
        "type,language,level,prompt,options,correct_answer,languages,confidence\n"
        "exercise,EN,A1,Which is an animal?,dog | house,0,EN,0.8\n",
        encoding="utf-8",
    )
    assert list(read_file(file)) == [
        {
            "type": "exercise",
            "language": "EN",
            "level": "A1",
            "confidence": 0.8,
            "payload": {
                "prompt": "Which is an animal?",
                "options": ["dog", "house"],
                "correct_answer": 0,
                "languages": ["EN"],
            },
        }
    ]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.jsonl", "{}\n", "line 1: type, language, level is missing"),
        ("a.jsonl", '\n{"type"\n', "line 2: "),
        ("a.jsonl", "[]", "an item is an object"),
        ("a.jsonl", '{"type":["rule"],"language":"EN","level":"A1"}', "line 1: type is not a text"),
        ("a.jsonl", '{"type":"rule","language":"EN","level":"A1","item_id":7}', "item_id is not a text"),
        ("a.jsonl", '{"type":"rule","language":"EN","level":"A1","confidence":NaN}', "NaN is no number"),
        ("a.jsonl", '{"type":"rule","language":"EN","level":"A1","confidence":"high"}', "from 0 to 1"),
        ("a.jsonl", "[" * 100_000, "line 1: it is nested too deep"),
        ("a.csv", "type,language\nrule,EN\n", "line 1: the header has no level"),
        ("a.csv", "type,language,level,level\nrule,EN,A1,A1\n", "line 1: the header has level twice"),
        ("a.csv", f"type,language,level,title\nrule,EN,A1,{'x' * 200_000}\n", "line 2: field larger than"),
        ("a.csv", "type,language,level,confidence\nrule,EN,A1,nan\n", "confidence is nan"),
        ("a.jsonl", '{"type":"rule","language":"EN","level":"A1","payload":[]}', "a payload is an object"),
        (
            "a.jsonl",
            '{"type":"rule","language":"EN","level":"A1","payload":{},"title":"x"}',
            "title belongs into",
        ),
        ("a.csv", "type,language,level\nrule,EN,A1,more\n", "line 2: more cells"),
        ("a.csv", "type,language,level,correct_answer\nexercise,EN,A1,first\n", "not a number"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadInput, match=sentence):
        list(read_file(tmp_path / name))


def test_a_change_of_approved_content_by_the_generic_command_is_logged(
    box: Sandbox, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    item(box, "a", "APPROVED")
    words = [
        "record",
        "amend",
        "content",
        "a",
        "--set",
        "validation_wanted=true",
        "--reason",
        "why",
        "--actor",
        "eve",
    ]
    place = ("--app", "tests.content.shop:workflows", "--database", database_url)
    result = CliRunner().invoke(interlock, [*place, *words])
    assert (result.exit_code, "ILK-210" in result.stderr) == (5, True), result.output
    assert [row["actor"] for row in rows(box, immutability_violations)] == ["eve"]
