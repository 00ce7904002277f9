"""A file that kills whoever reads it ends with the code of its fault after the second death, and never takes all the tries."""

from __future__ import annotations

import io
import os
import signal
from dataclasses import dataclass
from typing import IO, Any

import pytest

from interlock import Failed, Work
from interlock.clock import SystemClock
from interlock.workflows.statements.parsed import Parsed, ParseFault
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import Parsers, bundled_parsers
from interlock.workflows.statements.parsers.trial import BEFORE, survive
from interlock.workflows.statements.workflow import declare, parsed_file

PDF = b"%PDF-1.4 deadly"


@dataclass(frozen=True)
class Deadly:
    """Kills its process as a file of this kind does."""

    by: int = 0
    parser_id: str = "deadly"
    version: str = "1.0.0"
    source_type: str = "deadly"

    def confidence(self, document: Document) -> float:
        return 0.0

    def parse(self, document: Document) -> Parsed:
        if self.by:
            os.kill(os.getpid(), self.by)
        raise ParseFault("LAYOUT_MISMATCH", "nothing of a kind")


def deadly(by: int) -> Parsers:
    return bundled_parsers().with_own([Deadly(by)])


def work(**also: Any) -> Work:
    record = {
        "upload_id": "UL_1",
        "storage_ref": "x",
        "file_name": "x.pdf",
        "source_type": "deadly",
        "file_size_bytes": len(PDF),
        "file_hash": "sha256:0",
        "mime_type": "application/pdf",
    }
    made = Work("UL_1", record, **also)
    made.opener = lambda ref: io.BytesIO(PDF)
    return made


@pytest.mark.parametrize(
    ("by", "code"),
    [
        (signal.SIGABRT, "MEMORY_LIMIT"),
        (signal.SIGTRAP, "MEMORY_LIMIT"),
        (signal.SIGSEGV, "PDF_CORRUPT"),
        (signal.SIGBUS, "PDF_CORRUPT"),
        (signal.SIGXCPU, "TIMEOUT"),
    ],
)
def test_the_second_death_names_the_fault_and_is_final(by: int, code: str) -> None:
    outcome = parsed_file(work(attempt=1, last_error=BEFORE), SystemClock(), deadly(by))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.final, outcome.facts["observations_count"]) == (code, True, 0)
    assert outcome.result is not None
    assert outcome.result.log["errors"][0]["error_code"] == code


@pytest.mark.parametrize("by", [0, signal.SIGKILL])
def test_a_death_from_outside_is_not_the_files_fault(by: int) -> None:
    survive(deadly(by), Document("x.pdf", PDF), "deadly", "512MB")


def test_a_file_that_survives_the_trial_is_read_as_ever() -> None:
    outcome = parsed_file(work(last_error=BEFORE), SystemClock(), deadly(0))
    assert isinstance(outcome, Failed)
    assert outcome.code == "LAYOUT_MISMATCH"


def test_time_and_memory_are_used_up_once_and_a_crash_is_tried_again() -> None:
    failures = declare().stages["parse"].failures
    assert {kind: (one.code, one.final) for kind, one in failures.items()} == {
        MemoryError: ("MEMORY_LIMIT", True),
        TimeoutError: ("TIMEOUT", True),
    }
    assert ChildProcessError not in failures


def test_a_file_store_that_is_slow_is_no_file_that_takes_too_long() -> None:
    def away(ref: str) -> IO[bytes]:
        raise TimeoutError(110, "timed out")

    slow = work()
    slow.opener = away
    with pytest.raises(ConnectionError, match="did not answer in time"):
        parsed_file(slow, SystemClock(), bundled_parsers())
