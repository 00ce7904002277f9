"""Schemathesis asks every operation for what it says it takes, and for what it does not, and finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from interlock import App
from interlock.service.application import build, document
from tests.service.conftest import WIDE, make_app, make_key
from tests.service.fuzzing import PARTS, ask_part
from tests.service.serving import served

# A schema cannot say which states a machine has, or what the record's version is now.
CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {
                "expected-statuses": ["2xx", "400", "401", "403", "404", "409", "412", "422"]
            }
        }
    }
)
REAL = [
    ("statements", "u1", "status"),
    ("domains", "2", "curation_status"),
    ("content", "c1", "state"),
    ("themes", "1", "status"),
]


class Place(NamedTuple):
    address: str
    headers: dict[str, str]
    app: App


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    app = make_app(f"sqlite:///{tmp_path_factory.mktemp('fuzz') / 'fuzz.sqlite'}")
    key = make_key(app, "admin", "fuzz")
    with served(build(app, limits=WIDE, require_key=True)) as address:
        yield Place(address, {"Authorization": f"Bearer {key}"}, app)
    app.close()


@pytest.fixture(scope="module")
def schema() -> schemathesis.BaseSchema:
    """Every operation of the service but the one that never ends."""
    described = schemathesis.openapi.from_dict(document(), config=CONFIG)
    described.hook(map_path_parameters)
    return described.exclude(path="/api/v1/live")


def map_path_parameters(_: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Half of the questions are about what there is; names drawn at random would never hit it."""
    if path_parameters and sum(map(len, map(str, path_parameters.values()))) % 2:
        kind, id, axis = REAL[len(str(path_parameters)) % len(REAL)]
        return path_parameters | {
            name: value
            for name, value in (("kind", kind), ("id", id), ("axis", axis))
            if name in path_parameters
        }
    return path_parameters


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def ask(case: Any, place: Place) -> None:
    answer = case.call_and_validate(base_url=place.address, headers=place.headers)
    assert answer.status_code != 500
    assert "Traceback" not in answer.text
    assert ".py" not in answer.text


@pytest.mark.parametrize("number", range(PARTS))
def test_schemathesis_finds_nothing(
    number: int, schema: schemathesis.BaseSchema, place: Place, subtests: pytest.Subtests
) -> None:
    ask_part(schema, number, ask, subtests, place=place)


def test_what_was_written_meanwhile_is_whole(place: Place) -> None:
    assert place.app.check().findings == []
