"""Alarms ring in the order they are due, unless they were cancelled."""

from __future__ import annotations

import threading

import pytest

from interlock.runner.executors.timers import FEW, Timers


def test_alarms_ring_in_order_and_cancelled_ones_do_not() -> None:
    timers, rung, last = Timers(), [], threading.Event()
    timers.after(0.03, last.set)
    timers.after(0.02, lambda: rung.append("second"))
    timers.after(0.01, lambda: rung.append("never")).cancel()
    timers.after(0.0, lambda: rung.append("first"))
    assert last.wait(10)
    assert rung == ["first", "second"]
    timers.stop()


def test_an_alarm_that_fails_stops_no_other(caplog: pytest.LogCaptureFixture) -> None:
    timers, rung = Timers(), threading.Event()
    timers.after(0.0, lambda: 1 / 0)  # type: ignore[arg-type, return-value]
    timers.after(0.01, rung.set)
    assert rung.wait(10)
    timers.stop()
    assert "a timer failed" in caplog.text


def test_cancelled_alarms_are_forgotten() -> None:
    timers = Timers()
    for _ in range(3 * FEW):
        timers.after(3600, lambda: None).cancel()
    assert len(timers._alarms) <= FEW + 1
    timers.stop()
    timers.stop()
