"""The figures over HTTP: a scraper's format, who may scrape, and rules and dashboard that name nothing which is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from fastapi import FastAPI
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_families
from prometheus_client.parser import text_string_to_metric_families as families

from interlock import App
from interlock.errors import InvalidStateTransition
from interlock.observe.metrics import levels_of
from interlock.observe.metrics.rules import BURNS, dashboard, factor, rules, shipped
from interlock.service.application import build
from interlock.testing import Sandbox
from interlock.workflows import bundled
from tests.contract.timed import requests
from tests.service.asking import LOCAL, Asker, problem
from tests.service.conftest import WIDE, Ask, make_key

NAMES = re.compile(r"\b(?:interlock|process)_[a-z_]+\b")
CALLS = {
    "sum",
    "max",
    "min",
    "rate",
    "increase",
    "absent",
    "histogram_quantile",
    "by",
    "on",
    "and",
    "unless",
    "label_values",
}
MATCHERS = re.compile(r"([a-z_:0-9]+)\{([^}]*)\}")
BY = re.compile(r"(?:by|on) \(([^)]*)\)")
RECORDED = re.compile(r"\binterlock:[a-z_]+:ratio_rate(?:5m|30m|1h|6h)\b")


def scraped(asker: Asker, path: str = "/metrics", **headers: str) -> Any:
    return asker.runner.run(asker.client.get(path, headers=headers))


@pytest.fixture
def exposed(database_url: str, ask: Ask) -> Iterator[dict[str, set[str]]]:
    """Every name that a service of the bundled workflows, and of one with timers, tells, with the labels it has."""
    box = Sandbox([*bundled, requests()], database=database_url)
    box.admit(
        "statements",
        {
            "file_hash": f"sha256:{'0' * 64}",
            "storage_ref": "x",
            "source_type": "csv",
            "file_name": "a.csv",
            "file_size_bytes": 1,
            "mime_type": "text/csv",
            "upload_log_ref": "y",
            "created_at": box.clock.now(),
            "upload_id": "UL_1",
            "parser_id": "csv",
            "observations_count": 3,
        },
    )
    box.cancel("statements", "UL_1", actor="ann", reason="no more")
    with pytest.raises(InvalidStateTransition):
        box.move("statements", "UL_1", actor="ann", status="parsed")
    box.ledger.seal()
    answer = scraped(ask(build(box, limits=WIDE), prefix=""))
    assert answer.status_code == 200, answer.text
    found: dict[str, set[str]] = {}
    for family in families(answer.text):
        found.setdefault(family.name if family.type != "counter" else f"{family.name}_total", set())
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    yield found
    box.close()


def test_the_exposition_parses_in_both_formats(app: App, local: Asker) -> None:
    app.move("statements", "u1", actor="ann", status="parsing")
    plain = scraped(local)
    assert plain.headers["content-type"].startswith("text/plain; version=")
    told = {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in families(plain.text)
        for sample in family.samples
    }
    assert (
        told[
            "interlock_records",
            ("axis", "status"),
            ("kind", "statements"),
            ("scope", ""),
            ("state", "queued_for_parse"),
        ]
        == 4
    )
    assert (
        told[
            "interlock_moves_total",
            ("axis", "status"),
            ("from", "queued_for_parse"),
            ("kind", "statements"),
            ("to", "parsing"),
        ]
        == 1
    )
    assert any(name == "process_resident_memory_bytes" for name, *_ in told)
    opened = scraped(local, accept="application/openmetrics-text; version=1.0.0")
    assert opened.headers["content-type"].startswith("application/openmetrics-text")
    assert {family.name for family in open_families(opened.text)} >= {
        "interlock_records",
        "interlock_moves",
        "interlock_state_seconds",
    }


@pytest.mark.sqlite_only
def test_the_user_who_runs_it_may_scrape_and_others_with_a_viewers_key(app: App, ask: Ask) -> None:
    application = build(app, limits=WIDE)
    assert scraped(ask(application, client=LOCAL)).status_code == 200
    problem(scraped(ask(application, client=("192.0.2.7", 1))), 401, "ILK-401")
    viewer, runner = make_key(app, "viewer"), make_key(app, "runner")
    application = build(app, limits=WIDE)
    problem(scraped(ask(application, client=("127.0.0.1", 1))), 401, "ILK-401")
    problem(scraped(ask(application, runner)), 403, "ILK-403")
    assert scraped(ask(application, viewer, client=("192.0.2.7", 1))).status_code == 200


@pytest.mark.sqlite_only
def test_it_is_under_the_prefix_of_a_mount(app: App, ask: Ask) -> None:
    api = FastAPI()
    api.mount("/tools/interlock", app.asgi(lambda request: ("ann", "viewer")))
    assert "interlock_records" in scraped(ask(api), "/tools/interlock/metrics").text


@pytest.mark.sqlite_only
def test_a_database_that_is_away_answers_as_a_problem(app: App, local: Asker) -> None:
    assert scraped(local).status_code == 200
    with app.database.write() as tx:
        tx.exec_driver_sql("ALTER TABLE interlock_work RENAME TO gone")
    fresh = Asker(build(app, limits=WIDE))
    assert scraped(fresh).status_code == 503
    fresh.close()


def expressions() -> dict[str, str]:
    """Every query of the rules and of the dashboard, by where it stands."""
    found = {}
    for group in yaml.safe_load(rules(levels_of(bundled, {})))["groups"]:
        for number, rule in enumerate(group["rules"]):
            found[f"{group['name']} {number} {rule.get('alert', rule.get('record'))}"] = rule["expr"]
    for panel in json.loads(dashboard())["panels"]:
        for target in panel.get("targets", ()):
            found[f"dashboard {panel['title']} {target['refId']}"] = target["expr"]
    return found


def test_rules_and_dashboard_use_only_names_and_labels_that_are_told(exposed: dict[str, set[str]]) -> None:
    recorded = {
        rule["record"]
        for group in yaml.safe_load(rules(levels_of(bundled, {})))["groups"]
        for rule in group["rules"]
        if "record" in rule
    }
    for where, query in expressions().items():
        plain = RECORDED.sub("", query)
        assert set(RECORDED.findall(query)) <= recorded, where
        assert set(NAMES.findall(plain)) <= set(exposed), where
        assert NAMES.findall(plain) or RECORDED.findall(query), where
        for name, matchers in MATCHERS.findall(query):
            labels = {one.split("=")[0].rstrip("!~") for one in re.findall(r'[a-z_]+(?==~?")', matchers)}
            assert labels <= ({"level", "kind"} if name in recorded else exposed[name]), where
        told = set().union(*(exposed[name] for name in NAMES.findall(plain))) | {"level", "kind", "le"}
        assert {label.strip() for labels in BY.findall(query) for label in labels.split(",")} <= told, where


@pytest.mark.sqlite_only
def test_every_query_is_well_formed(exposed: dict[str, set[str]]) -> None:
    """No PromQL parser is at hand; brackets, durations and the words between names are looked at."""
    for where, query in expressions().items():
        for opening, closing in ("()", "{}", "[]"):
            assert query.count(opening) == query.count(closing), where
        assert set(re.findall(r"\[([^]]*)\]", query)) <= {
            "5m",
            "15m",
            "30m",
            "1h",
            "6h",
            "$__rate_interval",
            "$__range",
        }, where
        bare = re.sub(r'"[^"]*"|\{[^}]*\}|\[[^]]*\]', "", RECORDED.sub("", NAMES.sub("", query)))
        words = set(re.findall(r"[a-z_]+", BY.sub(" by ", bare)))
        assert words - {"e"} <= CALLS, (where, words)


@pytest.mark.sqlite_only
def test_every_metric_of_ours_but_costs_is_on_the_dashboard_or_in_a_rule(
    exposed: dict[str, set[str]],
) -> None:
    used = {name for query in expressions().values() for name in NAMES.findall(query)}
    ours = {name for name in exposed if name.startswith("interlock_")} - {
        "interlock_state_seconds",
        "interlock_state_seconds_sum",
        "interlock_state_seconds_count",
    }
    assert ours - used == set()


@pytest.mark.sqlite_only
def test_alerts_say_what_to_do_and_have_a_severity() -> None:
    alerts = [
        rule
        for group in yaml.safe_load(rules(levels_of(bundled, {})))["groups"]
        for rule in group["rules"]
        if "alert" in rule
    ]
    assert len(alerts) > 15
    for alert in alerts:
        assert alert["labels"]["severity"] in ("page", "ticket"), alert
        assert alert["annotations"]["summary"], alert
        assert len(alert["annotations"]["description"]) > 20, alert
    by_name = {alert["alert"]: alert for alert in alerts}
    assert by_name["StatementsParsingTakesTooLong"]["expr"].endswith("> 3600")
    assert by_name["StatementsManyParsesFail"]["expr"].strip().endswith("> 0.05")
    queue = by_name["StatementsQueueIsLong"]
    assert (queue["expr"].endswith("> 100"), queue["for"]) == (True, "5m")


@pytest.mark.sqlite_only
def test_burn_rates_follow_from_the_level() -> None:
    [level] = [one for one in levels_of(bundled, {}) if one.name == "parse"]
    text = rules([level])
    assert text.startswith(shipped())
    burns = [
        rule
        for group in yaml.safe_load(text)["groups"]
        for rule in group["rules"]
        if rule.get("alert") == "InterlockLevelBurns"
    ]
    chosen = '{level="parse",kind="statements"}'
    missed = (
        f"interlock:level_missed:ratio_rate{{}}{chosen.replace('{', '{{').replace('}', '}}')} > {{}} * 0.01"
    )
    assert [burn["expr"] for burn in burns] == [
        f"{missed.format(long, times)} and {missed.format(short, times)}"
        for long, short, times in (("1h", "5m", 14.4), ("6h", "30m", 6))
    ]
    assert [burn["labels"]["severity"] for burn in burns] == ["page", "ticket"]
    assert (
        "99 % of statements leave parsing within 60 s, over 30 days" in burns[0]["annotations"]["description"]
    )
    every = levels_of(
        bundled,
        {"parse": {"kind": "statements", "leave": "parsing", "within": "60s", "share": 99, "over": "7d"}},
    )
    [week] = [one for one in every if one.name == "parse"]
    assert [round(factor(week, burn), 2) for burn in BURNS] == [3.36, 1.4]
