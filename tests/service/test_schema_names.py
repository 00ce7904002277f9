"""Schemas of the API have short names that are nobody else's, so that generators of clients make one class of each."""

from __future__ import annotations

import re
from typing import Any

import pytest

from interlock.service.application import document
from interlock.service.http.openapi import with_short_names
from interlock.workflows import bundled


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    return document(bundled)


def references(value: Any) -> set[str]:
    """Every schema that something refers to."""
    if isinstance(value, dict):
        own = {value["$ref"].rpartition("/")[2]} if isinstance(value.get("$ref"), str) else set()
        return own.union(*map(references, value.values()))
    return set[str]().union(*map(references, value)) if isinstance(value, list) else set()


def test_no_name_is_the_path_of_a_module(described: dict[str, Any]) -> None:
    assert [name for name in described["components"]["schemas"] if "__" in name or len(name) > 40] == []


def test_no_two_schemas_become_one_class(described: dict[str, Any]) -> None:
    """Generators name classes by title, in capitals of their own."""
    titles = [
        re.sub(r"[^a-z0-9]", "", one.get("title", name).lower())
        for name, one in described["components"]["schemas"].items()
    ]
    assert sorted(titles) == sorted(set(titles))


def test_every_reference_leads_to_a_schema(described: dict[str, Any]) -> None:
    assert references(described) - set(described["components"]["schemas"]) == set()


def test_where_two_have_one_name_the_services_own_keeps_it(described: dict[str, Any]) -> None:
    schemas = described["components"]["schemas"]
    assert {"Timeline", "StatementsTimeline", "ContentItemPage", "ThemesItemPage"} <= set(schemas)
    paths = described["paths"]
    answer = paths["/api/v1/uploads/{id}/timeline"]["get"]["responses"]["200"]["content"]
    assert references(answer) == {"StatementsTimeline"}


def test_names_of_an_outside_team_are_told_apart_too() -> None:
    schemas = {
        "bakery__api__Order": {"title": "Order"},
        "cafe__api__Order": {"title": "Order"},
        "Loaf": {"$ref": "#/components/schemas/cafe__api__Order"},
    }
    renamed = with_short_names({"components": {"schemas": schemas}})["components"]["schemas"]
    assert set(renamed) == {"BakeryOrder", "CafeOrder", "Loaf"}
    assert renamed["Loaf"] == {"$ref": "#/components/schemas/CafeOrder"}
    assert renamed["BakeryOrder"]["title"] == "BakeryOrder"
