"""What users may import from `interlock`: one short, sorted list."""

from __future__ import annotations

from pathlib import Path

import interlock

NAMES = [
    "Adopt",
    "Again",
    "Answer",
    "App",
    "Axis",
    "Done",
    "Explanation",
    "Extension",
    "Failed",
    "Found",
    "InterlockError",
    "Invariant",
    "Machine",
    "Move",
    "Outcome",
    "Refusal",
    "Work",
    "Workflow",
    "after",
    "cron",
    "during",
    "entering",
    "insert_rows",
    "leaving",
    "operator",
    "retry",
]


def test_the_public_names_are_these_and_sorted() -> None:
    assert list(interlock.__all__) == NAMES
    assert sorted(NAMES) == NAMES


def test_every_public_name_is_there_and_says_what_it_is() -> None:
    for name in NAMES:
        value = getattr(interlock, name)
        assert name == "Outcome" or value.__doc__, f"{name} has no docstring"


def test_nothing_else_is_public() -> None:
    modules = {path.stem for path in Path(interlock.__file__).parent.iterdir()}
    own = {
        name for name in vars(interlock) if not name.startswith(("_", "@"))
    }  # pytest rewrites the asserts of what brings it a plugin
    assert own - set(NAMES) - modules <= {"annotations"}


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(interlock.__file__).parent / "py.typed").exists()
