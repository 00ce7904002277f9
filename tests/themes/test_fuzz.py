"""Schemathesis asks every route of themes for what it says it takes, and for what it does not, and finds nothing."""

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
from interlock.workflows.themes.items import ingest
from interlock.workflows.themes.options import Options
from interlock.workflows.themes.sources import add_source
from interlock.workflows.themes.workflow import declare
from tests.servers.postgres import Server
from tests.service.conftest import make_key
from tests.service.fuzzing import PARTS, ask_part
from tests.service.serving import served

# A schema cannot say which sources, items and clusters there are, nor which windows are spans.
CONFIG = SchemathesisConfig.from_dict(
    {"checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", "400", "404", "409", "422"]}}}
)


class Served(NamedTuple):
    address: str
    headers: dict[str, str]


@pytest.fixture(scope="module")
def service(postgres_server: Server) -> Iterator[Served]:
    """On PostgreSQL, which refuses more than SQLite does."""
    url = postgres_server.create_database(f"themes_fuzz_{os.getpid()}")
    with closing(Sandbox([declare(Options(fetch=False))], database=url)) as box:
        source = add_source(box, name="wire", source_type="news")["id"]
        ingest(box, [{"title": "Gold rises", "content": "Gold."}], actor="ann", source_id=source)
        box.drain()
        headers = {"Authorization": f"Bearer {make_key(box, 'admin', 'fuzz')}"}
        with served(build(box, limits=Limits(rate=0), require_key=True)) as address:
            yield Served(address, headers)
        assert box.check().findings == []


@pytest.fixture(scope="module")
def schema() -> schemathesis.BaseSchema:
    described = schemathesis.openapi.from_dict(document([declare(Options(fetch=False))]), config=CONFIG)
    described.hook(map_path_parameters)
    return described.include(tag="themes")


def map_path_parameters(_: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Half of the questions are about the source and the item that there are."""
    if path_parameters and "id" in path_parameters and len(str(path_parameters["id"])) % 2:
        return {**path_parameters, "id": 1}
    return path_parameters


@settings(
    max_examples=5,
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
