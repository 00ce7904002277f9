"""Every refusal has one class, one code, one place in the tree and one entry in the reference, with cause and cure."""

from __future__ import annotations

import inspect
import pickle
import re
import traceback
from pathlib import Path

import pytest

from interlock import errors
from interlock.errors import InterlockError

CLASSES = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, InterlockError)
]
TREE = errors.__doc__ or ""


@pytest.fixture(scope="module")
def reference(root: Path) -> str:
    return (root / "docs" / "reference" / "errors.md").read_text(encoding="utf-8")


@pytest.fixture
def section(request: pytest.FixtureRequest, reference: str) -> str:
    """The part of the reference about one class."""
    kind: type[InterlockError] = request.param
    parts = reference.split(f"\n## {kind.code} {kind.__name__}\n")
    assert len(parts) == 2, (
        f"docs/reference/errors.md needs exactly one section `## {kind.code} {kind.__name__}`"
    )
    return parts[1].split("\n## ")[0]


def test_codes_are_unique_and_well_formed() -> None:
    codes = [kind.code for kind in CLASSES]
    assert len(set(codes)) == len(codes), sorted(codes)
    assert all(re.fullmatch(r"ILK-\d{3}", code) for code in codes)


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_the_tree_in_the_docstring_draws_it_under_its_parent(kind: type[InterlockError]) -> None:
    lines = [line for line in TREE.splitlines() if re.search(rf"(?:^|[├└]── ){kind.__name__}(?:\s|$)", line)]
    assert len(lines) == 1, f"{kind.__name__} is drawn {len(lines)} times"
    depth = len(kind.__mro__) - len(InterlockError.__mro__)
    assert re.split(r"\w", lines[0])[0] == lines[0][: 4 * depth], (
        f"{kind.__name__} is drawn at another depth than it stands"
    )
    if depth and kind.code[-2:] != "00":
        assert kind.code in lines[0]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_its_docstring_is_the_sentence_people_read_by_default(kind: type[InterlockError]) -> None:
    assert re.fullmatch(r"[A-Z].*\.", inspect.getdoc(kind) or ""), kind


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_what_to_do_is_kept_where_people_are_shown_it(kind: type[InterlockError]) -> None:
    assert [name for name in vars(kind) if name.endswith("hint") and name != "hint"] == []


def test_every_refusal_about_a_record_says_what_to_do() -> None:
    assert [kind.__name__ for kind in CLASSES if kind.code.startswith("ILK-2") and not kind.hint] == []


def test_a_traceback_prints_the_code_and_what_to_do() -> None:
    error = errors.BadInput("'5' is not a cursor", hint="A cursor looks like 0.1500.")
    assert traceback.format_exception_only(error)[-1] == "ILK-102: A cursor looks like 0.1500.\n"
    copy = pickle.loads(pickle.dumps(error))
    assert traceback.format_exception_only(copy) == traceback.format_exception_only(error)


@pytest.mark.parametrize("section", CLASSES, ids=lambda kind: kind.__name__, indirect=True)
def test_the_reference_says_cause_and_cure(section: str) -> None:
    for part in ("**Means.** ", "**Looks like.** ", "**Do.** "):
        assert section.count(f"\n{part}") == 1, f"{part!r} is missing"


def test_the_reference_knows_no_code_that_the_code_does_not(reference: str) -> None:
    assert set(re.findall(r"ILK-\d{3}", reference)) <= {kind.code for kind in CLASSES}


def test_an_error_survives_the_way_between_processes() -> None:
    error = errors.InvalidStateTransition("upload", "parsed", None, ("normalizing", "error"), hint="look")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.hint, copy.facts, copy.code) == (
        type(error),
        str(error),
        error.hint,
        error.facts,
        error.code,
    )
