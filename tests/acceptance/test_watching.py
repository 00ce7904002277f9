"""What people who watch type: figures, alert rules, a dashboard, and logs for programs."""

from __future__ import annotations

import csv
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from interlock import App
from interlock.cli.processes.logs import say_what_happens
from interlock.coordinator.move_log import log_moved
from tests.acceptance.conftest import Run
from tests.kinds import uploads
from tests.service.serving import served

LEVEL = '[levels.soon]\nkind = "statements"\nleave = "queued_for_parse"\nwithin = "5m"\nshare = 99.5\n'


@pytest.fixture
def quiet() -> Iterator[logging.Logger]:
    """Whatever handlers a test adds are taken away again."""
    logger, server = logging.getLogger("interlock"), logging.getLogger("uvicorn")
    before, level, servers = list(logger.handlers), logger.level, list(server.handlers)
    yield logger
    logger.handlers, server.handlers = before, servers
    logger.setLevel(level)


def test_metrics_show_prints_what_prometheus_would_be_told(app: App, shop_run: Run) -> None:
    app.admit_many("statements", [{"id": "u1"}, {"id": "u2"}])
    told = shop_run("metrics", "show")
    assert told.exit_code == 0, told.output
    values = {
        (one.name, one.labels.get("kind"), one.labels.get("state")): one.value
        for family in text_string_to_metric_families(told.stdout)
        for one in family.samples
    }
    assert values["interlock_records", "statements", "queued_for_parse"] == 2
    rows = json.loads(shop_run("metrics", "show", "-o", "json").stdout)
    assert {"metric": "interlock_runners", "labels": {}, "value": 0} in rows
    lines = list(csv.DictReader(io.StringIO(shop_run("metrics", "show", "-o", "csv").stdout)))
    assert set(lines[0]) == {"metric", "labels", "value"}


@pytest.mark.sqlite_only
def test_metrics_show_asks_a_service_too(app: App, run: Run) -> None:
    app.admit("statements", {"id": "u1"})
    with served(app.asgi()) as address:
        told = run("metrics", "show", "--url", address)
    assert (told.exit_code, "interlock_records{" in told.stdout) == (0, True)


@pytest.mark.sqlite_only
def test_rules_come_with_those_of_the_app_s_levels(
    app: App, shop_run: Run, run: Run, empty_folder: Path
) -> None:
    alone = yaml.safe_load(run("metrics", "rules").stdout)
    assert [group["name"] for group in alone["groups"]] == [
        "interlock",
        "interlock-statements",
        "interlock-themes",
        "interlock-levels",
    ]
    bundled_burns = " ".join(rule["expr"] for rule in alone["groups"][-1]["rules"] if rule.get("alert"))
    assert all(f'kind="{kind}"' in bundled_burns for kind in ("statements", "domains", "themes"))
    (empty_folder / "interlock.toml").write_text(LEVEL)
    told = shop_run("metrics", "rules")
    groups = {group["name"]: group["rules"] for group in yaml.safe_load(told.stdout)["groups"]}
    burns = [rule for rule in groups["interlock-levels"] if rule.get("alert")]
    assert len(burns) == 2
    assert 'level="soon"' in burns[0]["expr"]
    assert "14.4 * 0.005" in burns[0]["expr"]
    app.admit("statements", {"id": "u1"})
    assert (
        'interlock_level_late{kind="statements",level="soon",scope=""} 0.0'
        in shop_run("metrics", "show").stdout
    )


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("written", "code", "said"),
    [
        ("levels = 3\n", 2, "levels in interlock.toml are tables"),
        ("[levels.x]\nkind = 'nothing'\nleave='a'\nwithin='1s'\nshare=9\n", 1, "this app has"),
        ("[levels.x]\nkind = 'statements'\n", 1, "does not say leave, share, within"),
    ],
)
def test_a_level_that_makes_no_sense_is_refused_in_words(
    written: str, code: int, said: str, app: App, shop_run: Run, empty_folder: Path
) -> None:
    (empty_folder / "interlock.toml").write_text(written)
    told = shop_run("metrics", "rules")
    assert told.exit_code == code
    assert said in told.stderr


@pytest.mark.sqlite_only
def test_the_dashboard_is_json_in_every_shape(run: Run) -> None:
    plain = json.loads(run("metrics", "dashboard").stdout)
    assert (plain["uid"], len(plain["panels"]) > 20) == ("interlock", True)
    assert json.loads(run("metrics", "dashboard", "-o", "jsonl").stdout) == plain
    [[_], [held]] = csv.reader(io.StringIO(run("metrics", "dashboard", "-o", "csv").stdout))
    assert json.loads(held) == plain


@pytest.mark.sqlite_only
def test_a_move_is_a_line_for_people_or_an_object_for_programs(
    quiet: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    say_what_happens(form="text")
    log_moved(uploads(), ["UL_1"], "", "parsing", "parsed", "parse.completed", {"observations_count": 42})
    assert capsys.readouterr().err.endswith(
        "[coordinator] Upload UL_1: parsing → parsed (triggered by parse.completed, 42 observations)\n"
    )
    quiet.handlers.clear()
    say_what_happens(form="json")
    log_moved(uploads(), ["UL_1"], "", "parsing", "parsed", "parse.completed", {})
    said = json.loads(capsys.readouterr().err)
    assert {
        name: said[name]
        for name in ("level", "logger", "kind", "record_id", "from_state", "to_state", "cause")
    } == {
        "level": "info",
        "logger": "interlock.coordinator",
        "kind": "statements",
        "record_id": "UL_1",
        "from_state": "parsing",
        "to_state": "parsed",
        "cause": "parse.completed",
    }
    assert said["time"].endswith("Z")
    assert said["message"].startswith("Upload UL_1: parsing → parsed")


@pytest.mark.sqlite_only
def test_a_line_for_programs_has_its_error_and_no_secret(
    quiet: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    say_what_happens(form="json")
    try:
        raise ValueError("postgresql://me:sesame@db/shop is away")
    except ValueError:
        quiet.exception(
            "failed with %s",
            "password=sesame",
            extra={"details": {"api_key": "sesame", "n": 1, "list": ["token=sesame"]}},
        )
    text = capsys.readouterr().err
    said = json.loads(text)
    assert "sesame" not in text
    assert (said["level"], said["error"]["type"], "Traceback" in said["error"]["stack"]) == (
        "error",
        "ValueError",
        True,
    )
    assert said["details"] == {"api_key": "***", "n": 1, "list": ["token=***"]}
