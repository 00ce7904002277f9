"""The colours of the stylesheet, read from it: text has 4.5 to 1 on every surface it stands on, controls have 3 to 1, in both themes."""

from __future__ import annotations

import re

import pytest

from interlock.console.static_files import static_files

TOKENS = static_files()["tokens.css"].content.decode()
PAIRS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", TOKENS)
}
SURFACES = ("page", "surface", "well", "raised", "hover", "selected")
STATES = ("waiting", "running", "done", "failed", "stuck", "retry", "person")
TEXT = [(ink, ground) for ink in ("ink", "ink-2", "ink-3", *STATES) for ground in SURFACES]
TEXT += [(state, f"{state}-tint") for state in STATES]
TEXT += [(ink, f"{state}-tint") for ink in ("ink", "ink-2") for state in STATES]
TEXT += [("on-ink", "ink"), ("on-ink", "ink-2")]
CONTROLS = [
    (line, ground) for line in ("control", "track", "focus") for ground in ("page", "surface", "raised")
]


def luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_is_legible(ink: str, ground: str, theme: int) -> None:
    assert contrast(PAIRS[ink][theme], PAIRS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("line", "ground"), CONTROLS)
def test_controls_are_visible(line: str, ground: str, theme: int) -> None:
    assert contrast(PAIRS[line][theme], PAIRS[ground][theme]) >= 3


@pytest.mark.parametrize("name", ["console.css", "screens.css"])
def test_the_console_has_no_colour_that_is_not_a_token(name: str) -> None:
    sheet = re.sub(r"/\*.*?\*/", "", static_files()[name].content.decode(), flags=re.DOTALL)
    assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)", sheet) == []


def test_no_script_is_larger_than_a_page_may_load() -> None:
    scripts = [one.content for name, one in static_files().items() if name.endswith(".js")]
    assert sum(map(len, scripts)) < 150_000
