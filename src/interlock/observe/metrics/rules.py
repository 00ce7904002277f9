"""Alert rules for Prometheus: those that come with Interlock, and burn-rate alerts for each service level of an app."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from importlib.resources import files
from typing import NamedTuple

from .levels import Level


class Burn(NamedTuple):
    """An error budget that goes so fast over both windows alerts; the short one lets the alert end soon after the trouble does."""

    short: str
    long: str
    hours: int
    budget: float
    severity: str


BURNS = (Burn("5m", "1h", 1, 0.02, "page"), Burn("30m", "6h", 6, 0.05, "ticket"))
"""2 % of the whole budget within an hour, or 5 % within six."""
SCOPE = "{{ with $labels.scope }} ({{ . }}){{ end }}"
"""In an alert's words: the scope, where there is one."""
WINDOWS = tuple(window for burn in BURNS for window in (burn.short, burn.long))


def shipped() -> str:
    """The rules that hold for any app."""
    return (files(__package__) / "alerts.yaml").read_text(encoding="utf-8")


def dashboard() -> str:
    """The Grafana dashboard."""
    return (files(__package__) / "dashboard.json").read_text(encoding="utf-8")


def rules(levels: Sequence[Level]) -> str:
    """All rules as one file for Prometheus."""
    return shipped() + ("" if not levels else "\n".join(_group(levels)) + "\n")


def factor(level: Level, burn: Burn) -> float:
    """How many times faster than allowed the budget goes: 14.4 and 6 for a level over 30 days."""
    return burn.budget * (level.over / timedelta(hours=burn.hours))


def _group(levels: Sequence[Level]) -> list[str]:
    lines = ["  - name: interlock-levels", "    rules:"]
    for window in WINDOWS:
        every, good = (
            f"sum by (level, kind, scope) (rate(interlock_level_{name}_total[{window}]))"
            for name in ("events", "good")
        )
        lines += [
            f"      - record: interlock:level_missed:ratio_rate{window}",
            f"        expr: 1 - {good} / ({every} > 0)",
        ]
    for level in levels:
        for burn in BURNS:
            lines += _alert(level, burn)
    return lines


def _alert(level: Level, burn: Burn) -> list[str]:
    threshold = f"{factor(level, burn):g} * {1 - level.share:.6g}"
    chosen = f"{{level={quoted(level.name)},kind={quoted(level.kind)}}}"
    both = " and ".join(
        f"interlock:level_missed:ratio_rate{window}{chosen} > {threshold}"
        for window in (burn.long, burn.short)
    )
    promise = f"{100 * level.share:g} % of {level.kind} leave {level.state or 'null'} within {level.within.total_seconds():g} s"
    explanation = (
        f"At this pace the error budget of {level.over.days:g} days is used up within "
        f"{level.over.total_seconds() / 3600 / factor(level, burn):g} hours."
    )
    return [
        "      - alert: InterlockLevelBurns",
        f"        expr: {quoted(both)}",
        f"        labels: {{severity: {burn.severity}}}",
        "        annotations:",
        f"          summary: {quoted(f'{level.name}{SCOPE}: {{{{ $value | humanizePercentage }}}} are late')}",
        f"          description: {quoted(f'Promised is: {promise}, over {level.over.days:g} days. {explanation}')}",
    ]


def quoted(text: str) -> str:
    """A text that YAML and PromQL both read: JSON's quotes are theirs too."""
    return json.dumps(text, ensure_ascii=False)
