"""The statements workflow as a class: a Workflow with the parsers that it reads files with."""

from __future__ import annotations

from typing import Any

from interlock import Workflow

from .parsers.registry import Parsers, bundled_parsers


class StatementsWorkflow(Workflow):
    """A workflow of uploads; its parsers travel with it, so that two apps of one process may have different banks."""

    def __init__(self, name: str, *, parsers: Parsers, **options: Any) -> None:
        self.parsers = parsers
        super().__init__(name, **options)


def parsers_of(workflow: Workflow) -> Parsers:
    """The parsers of a workflow of uploads."""
    return workflow.parsers if isinstance(workflow, StatementsWorkflow) else bundled_parsers()
