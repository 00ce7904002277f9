"""The settings of themes, from the environment; what is none is refused with a hint."""

from __future__ import annotations

from ipaddress import ip_network
from pathlib import Path

import pytest

from interlock.errors import BadInput
from interlock.workflows.themes.options import Options, read_options


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_without_settings_the_local_extractor_works_and_feeds_are_fetched() -> None:
    assert read_options() == Options()
    assert (Options().provider, Options().fetch) == ("local", True)


def test_each_setting_is_read(monkeypatch: pytest.MonkeyPatch, empty_folder: Path) -> None:
    (empty_folder / "symbols.txt").write_text("XYZ\nABC", encoding="utf-8")
    for name, value in {
        "PROVIDER": "http://127.0.0.1:9/v1",
        "MODEL": "small",
        "KEY": "secret",
        "UNIVERSE": str(empty_folder / "symbols.txt"),
        "EMPTY_RETRY": "0",
        "QUOTA_PAUSE": "30m",
        "TIMEOUT": "2.5",
        "FETCH": "no",
        "ALLOW_PRIVATE": "10.0.0.0/8, 127.0.0.1",
    }.items():
        monkeypatch.setenv(f"INTERLOCK_THEMES_{name}", value)
    assert read_options() == Options(
        "http://127.0.0.1:9/v1",
        "small",
        "secret",
        ("XYZ", "ABC"),
        False,
        "30m",
        2.5,
        False,
        (ip_network("10.0.0.0/8"), ip_network("127.0.0.1")),
    )
    assert "secret" not in repr(read_options())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PROVIDER", "gopher://x"),
        ("PROVIDER", "http://[::1/v1"),
        ("PROVIDER", "http://127.0.0.1:99999/v1"),
        ("PROVIDER", "http://"),
        ("PROVIDER", "http://a host/v1"),
        ("KEY", "two\nlines"),
        ("KEY", "clé"),
        ("UNIVERSE", "/nowhere/symbols.txt"),
        ("EMPTY_RETRY", "perhaps"),
        ("QUOTA_PAUSE", "soon"),
        ("TIMEOUT", "0"),
        ("TIMEOUT", "-1"),
        ("FETCH", "2"),
        ("ALLOW_PRIVATE", "localhost"),
    ],
)
def test_a_setting_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(f"INTERLOCK_THEMES_{name}", value)
    with pytest.raises(BadInput) as refusal:
        read_options()
    assert refusal.value.hint
    assert name != "KEY" or value not in str(refusal.value)


def test_a_key_ends_without_the_line_break_of_the_file_that_it_came_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INTERLOCK_THEMES_KEY", "secret\n")
    assert read_options().key == "secret"


def test_a_file_of_symbols_that_is_no_text_is_refused(
    monkeypatch: pytest.MonkeyPatch, empty_folder: Path
) -> None:
    (empty_folder / "symbols.txt").write_bytes(b"\xff\xfe\x00")
    monkeypatch.setenv("INTERLOCK_THEMES_UNIVERSE", str(empty_folder / "symbols.txt"))
    with pytest.raises(BadInput, match="INTERLOCK_THEMES_UNIVERSE"):
        read_options()
