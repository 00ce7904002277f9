"""`interlock metrics`: the figures themselves, and what makes use of them: alert rules and a dashboard."""

from __future__ import annotations

from typing import Any

import click

from .... import settings
from ....observe.metrics import levels_of
from ....observe.metrics.rules import dashboard as dashboard_file
from ....observe.metrics.rules import rules as rules_file
from ...grammar import Noun, session
from ...render.output import as_json, show_rows

COLUMNS = ("metric", "labels", "value")


@click.group(
    cls=Noun,
    examples=(
        "interlock metrics show",
        "interlock metrics rules > interlock-alerts.yaml",
        "interlock metrics dashboard > interlock-dashboard.json",
    ),
)
def metrics() -> None:
    """Metrics for Prometheus, and the alert rules and dashboard made from them."""


@metrics.verb(
    "show", "interlock metrics show", "interlock metrics show -o json", "interlock metrics show | grep stuck"
)
def show() -> None:
    """Print every metric as it is now, in the format that Prometheus reads."""
    running = session()
    text = running.client().metrics()
    if running.output == "table":
        click.echo(text, nl=False)
        return
    show_rows(running.output, samples(text), COLUMNS)


@metrics.verb(
    "rules",
    "interlock metrics rules > interlock-alerts.yaml",
    "interlock --app shop.workflows:app metrics rules",
)
def rules() -> None:
    """Print alert rules for Prometheus, with burn-rate alerts for the app's service levels."""
    running = session()
    text = rules_file(levels_of(running.declared.workflows.values(), settings.levels()))
    if running.output == "table":
        click.echo(text, nl=False)
    else:
        show_rows(running.output, [{"rules": text}], ("rules",))


@metrics.verb("dashboard", "interlock metrics dashboard > interlock-dashboard.json")
def dashboard() -> None:
    """Print a dashboard for Grafana."""
    running = session()
    text = dashboard_file()
    if running.output == "csv":
        show_rows("csv", [{"dashboard": text}], ("dashboard",))
    elif running.output == "jsonl":
        click.echo(as_json(_parsed(text), indent=None))
    else:
        click.echo(text, nl=False)


def samples(text: str) -> list[dict[str, Any]]:
    """The figures as rows."""
    from prometheus_client.parser import text_string_to_metric_families

    return [
        {"metric": one.name, "labels": one.labels, "value": one.value}
        for family in text_string_to_metric_families(text)
        for one in family.samples
    ]


def _parsed(text: str) -> Any:
    import json

    return json.loads(text)
