"""Schemathesis asks every route of the workflow for what it says it takes, and for what it does not, and finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from interlock.service.application import build, document
from interlock.service.http.limits import Limits
from interlock.workflows import bundled
from tests.service.conftest import make_key
from tests.service.fuzzing import PARTS, ask_part
from tests.service.serving import served
from tests.statements.api.place import Place

# A schema cannot say which uploads there are, nor which bytes are a statement.
CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ["2xx", "400", "404", "409", "415", "422"]}
        }
    }
)
UPLOADED: list[str] = []


class Served(NamedTuple):
    address: str
    headers: dict[str, str]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("fuzz")
    place = Place(f"sqlite:///{folder / 'fuzz.sqlite'}", folder)
    headers = {"Authorization": f"Bearer {make_key(place.app, 'admin', 'fuzz')}"}
    place.asker.client.headers.update(headers)
    UPLOADED.append(place.upload())
    place.app.drain()
    with served(build(place.app, limits=Limits(rate=0), require_key=True)) as url:
        yield Served(url, headers)
    assert place.app.check().findings == []
    place.close()


@pytest.fixture(scope="module")
def schema() -> schemathesis.BaseSchema:
    described = schemathesis.openapi.from_dict(document(bundled), config=CONFIG)
    described.hook(map_path_parameters)
    return described.include(tag="statements")


def map_path_parameters(_: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Half of the questions are about the upload that there is."""
    if UPLOADED and path_parameters and "id" in path_parameters and len(str(path_parameters["id"])) % 2:
        return {**path_parameters, "id": UPLOADED[0]}
    return path_parameters


@settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def ask(case: Any, service: Served) -> None:
    answer = case.call_and_validate(base_url=service.address, headers=service.headers)
    assert answer.status_code != 500
    assert "Traceback" not in answer.text
    assert "storage_ref" not in answer.text


@pytest.mark.parametrize("number", range(PARTS))
def test_schemathesis_finds_nothing(
    number: int, schema: schemathesis.BaseSchema, service: Served, subtests: pytest.Subtests
) -> None:
    ask_part(schema, number, ask, subtests, service=service)
