"""Statements: uploads a second over HTTP, how long a parse of each kind takes, and what 5,000 rows of PDF cost in time and memory.

`python -m bench.statements FILE` parses one file in a process of its own, and says how long it took and how large the process became.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from urllib.parse import urlsplit

from interlock import App
from interlock.service.application import build
from interlock.service.http.limits import Limits
from interlock.workflows.statements.parsers.contract import Document
from interlock.workflows.statements.parsers.registry import bundled_parsers
from interlock.workflows.statements.workflow import declare
from tests.service.serving import served
from tests.statements.csv import bank_tables
from tests.statements.ofx.files import bank, sgml, transaction
from tests.statements.pdf.layouts import boa as boa_layouts
from tests.statements.pdf.layouts.sheets import Sheet

from .bars import Line

ROWS = 5_000
ON_A_PAGE = 40
BOUNDARY = "bench"


def statements(uploads: int, parses: int, rows: int = ROWS) -> Iterator[Line]:
    """So many uploads one after the other on one connection, and so many parses of each kind."""
    yield Line("uploads over HTTP, CSV of 100 rows", "sqlite", None, uploads_per_second(uploads), "uploads/s")
    for kind, (name, content) in kinds().items():
        taken = timed(
            lambda name=name, content=content: bundled_parsers().parse(Document(name, content)), parses
        )  # type: ignore[misc]
        yield Line(f"parse {kind}, p50", "none", None, median(taken) * 1e3, "ms")
        yield Line(
            f"parse {kind}, p95",
            "none",
            None,
            quantiles(taken, n=20)[-1] * 1e3 if len(taken) > 1 else taken[0] * 1e3,
            "ms",
        )
    said = in_a_process_of_its_own(many_rows(rows))
    yield Line(f"parse PDF of {rows:,} rows", "none", None, said["seconds"], "s")
    yield Line(f"parse PDF of {rows:,} rows, memory", "none", None, said["megabytes"], "MB")


def kinds() -> dict[str, tuple[str, bytes]]:
    table = b"Date,Description,Amount\n" + b"".join(
        b"01/%02d/2024,SHOP NUMBER %d,-%d.50\n" % (n % 28 + 1, n, n) for n in range(100)
    )
    return {
        "Bank of America PDF": ("a.pdf", boa_layouts.checking().pdf()),
        "card PDF": ("a.pdf", boa_layouts.card().pdf()),
        "Chase CSV": ("a.csv", bank_tables.CHASE.text.encode()),
        "unknown CSV, 100 rows": ("a.csv", table),
        "OFX, 100 rows": (
            "a.ofx",
            sgml(bank(*(transaction(f"-{n}.25", str(n)) for n in range(100)))).encode(),
        ),
    }


def timed(act: Callable[[], object], times: int) -> list[float]:
    act()
    gc.collect()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append(time.perf_counter() - began)
    return taken


def uploads_per_second(number: int) -> float:
    """Each another file: hashed, checked, kept, admitted with its log, answered 201."""
    with tempfile.TemporaryDirectory() as folder:
        app = App(
            [declare()],
            database=f"sqlite:///{Path(folder) / 'bench.sqlite'}",
            files=str(Path(folder) / "files"),
        )
        app.migrate()
        with served(build(app, limits=Limits(rate=0))) as url:
            place = urlsplit(url)
            connection = HTTPConnection(str(place.hostname), int(place.port or 0), timeout=60)
            forms = [form(kinds()["unknown CSV, 100 rows"][1] + b"\n" * one) for one in range(number + 1)]
            sent(connection, forms[0])
            began = time.perf_counter()
            for one in forms[1:]:
                sent(connection, one)
            seconds = time.perf_counter() - began
            connection.close()
        app.close()
    return number / seconds


def form(content: bytes) -> bytes:
    return b"".join(
        [
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="source_type"\r\n\r\nauto\r\n'.encode(),
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'.encode(),
            content,
            f"\r\n--{BOUNDARY}--\r\n".encode(),
        ]
    )


def sent(connection: HTTPConnection, body: bytes) -> None:
    connection.request(
        "POST", "/api/v1/uploads", body, {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    )
    answer = connection.getresponse()
    answer.read()
    assert answer.status == 201, answer.status


def many_rows(rows: int) -> bytes:
    """A Bank of America statement of many pages."""
    sheet, period, account = Sheet(), ("January 1, 2024", "January 31, 2024"), "0012 3456 7890"
    sheet.row((boa_layouts.DATE, "Bank of America"), step=30)
    boa_layouts.summary(
        sheet,
        account,
        period,
        [
            (f"Beginning balance on {period[0]}", "$0.00"),
            ("Deposits and other additions", f"{rows:,}.00"),
            (f"Ending balance on {period[1]}", f"${rows:,}.00"),
        ],
    )
    for number in range(rows):
        if number % ON_A_PAGE == 0:
            sheet.turn(70)
            boa_layouts.page_head(sheet, account, period)
            boa_layouts.title(sheet, f"Deposits and other additions{' - continued' if number else ''}")
            boa_layouts.head(sheet)
        boa_layouts.entry(
            sheet,
            f"01/{number % 31 + 1:02d}/24",
            "1.00",
            f"SOMEBODY DES:PAYMENT ID:{number:06d} INDN:SAMPLE PAT",
        )
    return sheet.pdf()


def in_a_process_of_its_own(content: bytes) -> dict[str, float]:
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(content)
        file.flush()
        told = subprocess.run(
            [sys.executable, "-m", "bench.statements", file.name], check=True, capture_output=True, text=True
        )
    said: dict[str, float] = json.loads(told.stdout)
    return said


def main() -> None:
    file = Path(sys.argv[1])
    began = time.perf_counter()
    parsed = bundled_parsers().parse(Document(file.name, file.read_bytes()))
    seconds = time.perf_counter() - began
    assert all(balance.agrees for balance in parsed.balances), parsed.balances
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"seconds": round(seconds, 3), "megabytes": round(peak, 1), "rows": len(parsed.rows)}))


if __name__ == "__main__":
    main()
