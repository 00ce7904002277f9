"""Imports go down the layers only; the contracts stand in pyproject.toml and have no exceptions."""

from __future__ import annotations

import importlib
import logging
import re
import tomllib
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter import cli

ENGINE_NEVER_IMPORTED_BY = {
    "interlock.runner": {"interlock.authority", "interlock.coordinator"},
    "interlock.workflows": {"interlock.authority", "interlock.coordinator"},
}
"""One writer: those who do the work may not reach those who move. Each pair needs its contract once both sides exist."""


@pytest.fixture(scope="module")
def contracts(root: Path) -> list[dict[str, Any]]:
    """Those of the whole house and those of the rooms of the store."""
    read: list[dict[str, Any]] = []
    for name in ("pyproject.toml", "tests/house/store_rooms.toml"):
        with (root / name).open("rb") as file:
            read += tomllib.load(file)["tool"]["importlinter"]["contracts"]
    return read


@pytest.mark.parametrize("file", ["pyproject.toml", "tests/house/store_rooms.toml"])
def test_every_contract_is_kept(
    file: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The linter would set up logging for its process, and switch off every logger that tests after this one read."""
    monkeypatch.chdir(root)
    monkeypatch.setattr("logging.config.dictConfig", lambda _: None)
    failed = cli.lint_imports(config_filename=file, cache_dir=None)
    assert not failed, capsys.readouterr().out
    assert not logging.getLogger("interlock").disabled


def test_no_contract_has_exceptions(contracts: list[dict[str, Any]]) -> None:
    for contract in contracts:
        assert not contract.keys() & {
            "ignore_imports",
            "exhaustive_ignores",
            "unmatched_ignore_imports_alerting",
        }, contract["id"]


def test_the_layers_name_every_module(contracts: list[dict[str, Any]]) -> None:
    layers = {one["id"]: one["exhaustive"] for one in contracts if one["type"] == "layers"}
    assert layers == {"layers": True, "authority": True, "store": True}


@pytest.mark.parametrize("importer", ENGINE_NEVER_IMPORTED_BY)
def test_those_who_work_cannot_reach_those_who_move(
    importer: str, contracts: list[dict[str, Any]], graph: grimp.ImportGraph
) -> None:
    existing = {module for module in ENGINE_NEVER_IMPORTED_BY[importer] if module in graph.modules}
    if importer not in graph.modules:
        return  # the contract is asked for as soon as the module is there
    forbidden: set[str] = set()
    for contract in contracts:
        if contract["type"] == "forbidden" and importer in contract["source_modules"]:
            forbidden |= set(contract["forbidden_modules"])
    assert existing <= forbidden, (
        f"pyproject.toml needs a forbidden contract: {importer} -> {sorted(existing - forbidden)}"
    )


def test_the_page_of_the_architecture_names_every_layer_that_is_there(
    root: Path, graph: grimp.ImportGraph
) -> None:
    page = (root / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = page.partition("## The layers")[2].partition("To come")[0]
    modules = {module.split(".")[1] for module in graph.modules if module.count(".") == 1} - {"_version"}
    assert {name for name in re.findall(r"`(\w+)`", table) if name in modules} == modules


PUBLIC = {"alembic", "client", "commands", "errors", "extension", "http"}
"""The public modules beside `interlock` itself: what an outside team imports, documented in docs/reference."""


def test_a_bundled_workflow_has_only_what_an_outside_team_has(
    contracts: list[dict[str, Any]], graph: grimp.ImportGraph
) -> None:
    """The contract names every other module, also one that is new."""
    (contract,) = [one for one in contracts if one["id"] == "workflows-declare"]
    modules = {module.split(".")[1] for module in graph.modules if module.count(".") == 1}
    forbidden = {module.removeprefix("interlock.") for module in contract["forbidden_modules"]}
    assert forbidden == modules - PUBLIC - {"workflows", "_version"}


@pytest.mark.parametrize("name", sorted(PUBLIC - {"errors"}))
def test_a_public_module_says_what_it_has_and_its_page_names_all_of_it(name: str, root: Path) -> None:
    module = importlib.import_module(f"interlock.{name}")
    names: list[str] = list(module.__all__)
    assert len(set(names)) == len(names)
    assert [one for one in names if not hasattr(module, one)] == []
    page = root / "docs" / "reference" / ("client.md" if name == "client" else "extensions.md")
    text = page.read_text(encoding="utf-8")
    assert [one for one in names if not re.search(rf"\b{one}\b", text)] == []


def test_the_engine_does_not_import_its_own_front_door(graph: grimp.ImportGraph) -> None:
    """`interlock/__init__.py` imports nearly everything; who imports it has left the layers."""
    if "interlock" not in graph.modules:
        return
    visitors = graph.find_modules_that_directly_import("interlock")
    assert {
        module for module in visitors if not module.startswith(("interlock.workflows", "interlock.testing"))
    } == set()
