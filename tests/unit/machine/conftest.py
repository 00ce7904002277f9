"""The five machines of the four workflows, as every test of the machine package uses them."""

from __future__ import annotations

import pytest

from interlock.machine import Machine, operator, retry


@pytest.fixture(scope="session")
def upload() -> Machine:
    return Machine(
        "upload",
        initial="queued_for_parse",
        moves={
            "queued_for_parse": ["parsing", "error"],
            "parsing": ["parsed", "error"],
            "parsed": ["normalizing", "error"],
            "normalizing": ["normalized", "error"],
            "error": [retry("queued_for_parse"), retry("parsed")],
        },
    )


@pytest.fixture(scope="session")
def lifecycle() -> Machine:
    return Machine(
        "content",
        initial="DRAFT",
        moves={"DRAFT": ["CANDIDATE"], "CANDIDATE": ["VALIDATED"], "VALIDATED": [operator("APPROVED")]},
    )


@pytest.fixture(scope="session")
def curation() -> Machine:
    return Machine(
        "curation",
        initial="New",
        states=["New", "Selected", "Maybe", "Discarded"],
        aliases={"Archived": "Discarded"},
    )


@pytest.fixture(scope="session")
def processing() -> Machine:
    return Machine(
        "processing",
        initial=None,
        aliases={"Error": "Failed"},
        moves={
            None: ["Queued"],
            "Queued": ["Processing", None],
            "Processing": ["Complete", "Failed"],
            "Failed": ["Queued"],
            "Complete": ["Queued"],
        },
    )


@pytest.fixture(scope="session")
def extraction() -> Machine:
    return Machine(
        "extraction",
        initial="pending",
        moves={
            "pending": ["in_progress"],
            "in_progress": ["processed", "failed_retryable", "failed_terminal"],
            "processed": [operator("pending")],
            "failed_retryable": ["in_progress", "failed_terminal"],
            "failed_terminal": [operator("pending")],
        },
    )


@pytest.fixture(scope="session")
def bundled(
    upload: Machine, lifecycle: Machine, curation: Machine, processing: Machine, extraction: Machine
) -> list[Machine]:
    return [upload, lifecycle, curation, processing, extraction]
