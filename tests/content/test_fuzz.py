"""Schemathesis asks every route of content for what it takes and for what it does not; answers are as the document declares them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.config import SchemathesisConfig

from interlock.service.application import build, document
from interlock.service.http.limits import Limits
from interlock.testing import Sandbox
from interlock.workflows.content.workflow import declare
from tests.content.items import item
from tests.servers.postgres import Server
from tests.service.conftest import make_key
from tests.service.fuzzing import PARTS, ask_part
from tests.service.serving import served

# A schema cannot say which items there are, nor in which state each is; and /content/review-queue fits /content/{id} too.
CONFIG = SchemathesisConfig.from_dict(
    {
        "checks": {
            "positive_data_acceptance": {"expected-statuses": ["2xx", "400", "404", "409", "422"]},
            "allow_header_conformance": {"enabled": False},
        }
    }
)
TEXTS = {
    "d": "a friendly animal that barks",
    "c": "it purrs and it sleeps",
    "v": "guards a yard at night",
    "a": "wears antlers in winter",
}
IDS = tuple(TEXTS)


class Served(NamedTuple):
    address: str
    headers: dict[str, str]


@pytest.fixture(scope="module")
def service(postgres_server: Server) -> Iterator[Served]:
    """On PostgreSQL, which refuses more than SQLite does."""
    url = postgres_server.create_database(f"content_fuzz_{os.getpid()}")
    with closing(Sandbox([declare()], database=url)) as box:
        for id, state in zip(IDS, ("DRAFT", "CANDIDATE", "VALIDATED", "APPROVED"), strict=True):
            item(box, id, state, payload={"word": id, "definition": TEXTS[id]})
        headers = {"Authorization": f"Bearer {make_key(box, 'admin', 'fuzz')}"}
        with served(build(box, limits=Limits(rate=0), require_key=True)) as address:
            yield Served(address, headers)
        assert box.check().findings == []
        assert box.ledger.verify().ok


@pytest.fixture(scope="module")
def schema() -> schemathesis.BaseSchema:
    described = schemathesis.openapi.from_dict(document([declare()]), config=CONFIG)
    described.hook(map_path_parameters)
    return described.include(tag="content")


def map_path_parameters(_: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Most of the questions are about the items that there are."""
    if path_parameters and "id" in path_parameters and (size := len(str(path_parameters["id"]))) % 5:
        return {**path_parameters, "id": IDS[size % 4]}
    return path_parameters


@settings(
    max_examples=3,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def ask(case: Any, service: Served) -> None:
    answer = case.call_and_validate(base_url=service.address, headers=service.headers)
    assert answer.status_code != 500
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("number", range(PARTS))
def test_schemathesis_finds_nothing(
    number: int, schema: schemathesis.BaseSchema, service: Served, subtests: pytest.Subtests
) -> None:
    ask_part(schema, number, ask, subtests, service=service)
