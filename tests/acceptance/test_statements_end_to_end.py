"""A statement goes in over HTTP and comes out as transactions, through real processes; what is hostile or broken ends with its code."""

from __future__ import annotations

import io
import socket
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from interlock.workflows.statements.doubt.reconcile import FIELDS
from tests.acceptance.upped import Up, up
from tests.statements.ofx.files import XML, bank, sgml, transaction
from tests.statements.pdf.layouts import boa as boa_layouts
from tests.statements.pdf.layouts.sheets import Style
from tests.statements.pdf.test_faults import text_page

ALWAYS = {
    "upload_id",
    "status",
    "version",
    "error_code",
    "error_message",
    "retry_count",
    "last_retry_at",
    "max_retries",
    "upload_log_ref",
    "status_metadata",
    "file_name",
    "source_type",
    "file_size_bytes",
    "file_hash",
    "created_at",
}
Content = bytes | Callable[[], bytes]
"""A file, or what makes one that is too large to be made whenever tests are collected."""
CSV = b'Date,Description,Amount\n01/15/2024,STARBUCKS #1234,-4.50\n01/16/2024,SALARY,"1,234.56"\n'
ENTITIES = (
    XML
    + "<!DOCTYPE b [<!ENTITY a 'ha'>"
    + "".join(f"<!ENTITY a{number} '{f'&a{number - 1 or str()};' * 10}'>" for number in range(1, 30))
    + "]><OFX>&a29;</OFX>"
)


@cache
def bombed_pdf() -> bytes:
    """A page whose content is 600 MB of spaces, packed into less than one: one megabyte is squeezed, and said again and again."""
    spaces, squeeze = b" " * 1_000_000, zlib.compressobj(9, wbits=-15)
    once, checksum = squeeze.compress(spaces) + squeeze.flush(zlib.Z_FULL_FLUSH), 1
    for _ in range(600):
        checksum = zlib.adler32(spaces, checksum)
    packed = b"\x78\xda" + once * 600 + b"\x03\x00" + checksum.to_bytes(4, "big")
    head = (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>endobj\n4 0 obj<</Filter/FlateDecode/Length "
    )
    return (
        head
        + str(len(packed)).encode()
        + b">>stream\n"
        + packed
        + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


@cache
def zip_bomb() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("statement.csv", b"0" * 50_000_000, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def made(content: Content) -> bytes:
    return content if isinstance(content, bytes) else content()


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    with up(tmp_path_factory.mktemp("up")) as started:
        yield started


def test_end_to_end_pipeline(running: Up) -> None:
    """The third sketch: upload, wait, and the record says what came of it."""
    answer = running.send("bofa.pdf", boa_layouts.checking().pdf())
    assert (answer.status_code, set(answer.json())) == (201, {"upload_id", "status", "upload_log_ref"})
    upload_id = answer.json()["upload_id"]
    record = running.ended(upload_id)
    assert set(record) == ALWAYS | {
        "parse_log_ref",
        "observations_count",
        "normalizer_log_ref",
        "canonicals_count",
        *FIELDS,
    }
    assert (record["reconciled"], record["institution"]) == ("yes", "Bank of America")
    assert (record["status"], record["version"]) == ("normalized", 4)
    assert (record["observations_count"], record["canonicals_count"]) == (len(boa_layouts.CHECKING),) * 2
    found = running.get(f"/api/v1/uploads/{upload_id}/transactions")["transactions"]
    assert sorted(one["amount"] for one in found) == sorted(amount for _, _, amount in boa_layouts.CHECKING)
    for name in ("upload_log_ref", "parse_log_ref", "normalizer_log_ref"):
        assert running.client.get(record[name]).status_code == 200


@pytest.mark.parametrize(
    ("name", "content", "transactions"),
    [
        ("export.csv", CSV, 2),
        ("card.pdf", boa_layouts.card().pdf(), len(boa_layouts.CARD)),
        ("money.ofx", sgml(bank(transaction("-1.00", "1"), transaction("2.50", "2"))).encode(), 2),
        ("money.qfx", sgml(bank(transaction("-1.00", "3"))).encode(), 1),
    ],
)
def test_every_kind_ends_normalized(name: str, content: bytes, transactions: int, running: Up) -> None:
    record = running.ended(running.upload(name, content))
    assert (record["status"], record["canonicals_count"]) == ("normalized", transactions), record


BROKEN: dict[str, tuple[str, Content, set[str]]] = {
    "corrupt": ("x.pdf", boa_layouts.checking().pdf()[:2000], {"PDF_CORRUPT"}),
    "encrypted": ("x.pdf", boa_layouts.checking().pdf(Style(password="secret")), {"PDF_ENCRYPTED"}),
    "scanned": ("x.pdf", text_page(picture=True), {"NO_TEXT_LAYER"}),
    "a letter": ("x.pdf", text_page("Dear customer,", "our terms have changed."), {"LAYOUT_MISMATCH"}),
    "blank, and longer than what is looked at when it comes": ("x.csv", b" \n" * 40_000, {"EMPTY_FILE"}),
    "no table": ("x.csv", b"nothing of a kind\n", {"LAYOUT_MISMATCH"}),
    "entity bomb": ("x.ofx", ENTITIES.encode(), {"XML_ENTITIES"}),
    "packed bomb": ("x.pdf", bombed_pdf, {"MEMORY_LIMIT"}),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_or_hostile_ends_in_error_with_its_code(case: str, running: Up) -> None:
    name, content, codes = BROKEN[case]
    record = running.ended(running.upload(name, made(content)))
    assert (record["status"], record["error_code"] in codes) == ("error", True), record
    assert record["observations_count"] == 0
    log = running.get(record["parse_log_ref"])
    assert (log["success"], log["errors"][0]["error_code"]) == (False, record["error_code"])
    assert running.client.get("/health").status_code == 200


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("x.csv", zip_bomb, 415),
        ("x.pdf", zip_bomb, 415),
        ("x.xlsx", zip_bomb, 415),
        ("x.zip", zip_bomb, 415),
        ("x.csv", b"", 400),
        ("../../x.exe", CSV, 415),
        ("x.pdf", b"\x89PNG\r\n", 415),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)[:12]),
)
def test_what_is_refused_leaves_nothing(name: str, content: Content, status: int, running: Up) -> None:
    before, rows = running.files(), running.get("/api/v1/monitoring/uploads")["counts"]
    assert running.send(name, made(content)).status_code == status
    assert (running.files(), running.get("/api/v1/monitoring/uploads")["counts"]) == (before, rows)


def test_a_named_path_stays_a_name(running: Up) -> None:
    upload_id = running.upload("../../../etc/cron.d/x.csv", CSV + b"01/17/2024,ONE MORE,-1.00\n")
    assert running.ended(upload_id)["status"] == "normalized"
    (listed,) = [
        one for one in running.get("/api/v1/uploads?limit=500")["uploads"] if one["upload_id"] == upload_id
    ]
    assert listed["file_name"] == "x.csv"
    assert not list(running.data.parent.rglob("cron.d"))


@pytest.mark.parametrize("megabytes", [1_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_gigabytes_are_refused_and_memory_stays_flat(megabytes: int, running: Up) -> None:
    """What the sender announces is refused at once; what comes without announcement, when it is too much."""
    process = psutil.Process(running.process)
    before, files = process.memory_info().rss, running.files()
    head = b"POST /api/v1/uploads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    part = b'--x\r\nContent-Disposition: form-data; name="file"; filename="x.csv"\r\n\r\n'
    assert b" 413 " in told(running, head + b"Content-Length: 10000000000\r\n\r\n" + part, b"", 0)
    chunk = b"%x\r\n" % (1 << 20) + b"0" * (1 << 20) + b"\r\n"
    answer = told(
        running,
        head + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n" % (len(part), part),
        chunk,
        megabytes,
    )
    assert b" 413 " in answer
    assert b'"error":"file_too_large"' in answer
    assert b'"max_size_mb":50' in answer
    assert process.memory_info().rss - before < 30_000_000
    assert running.files() == files


def told(running: Up, first: bytes, then: bytes, times: int) -> bytes:
    """Send as a careless client does: on and on until the other side has had enough; then what it said."""
    place = urlsplit(running.url)
    with socket.create_connection((str(place.hostname), int(place.port or 0)), timeout=60) as line:
        line.sendall(first)
        try:
            for _ in range(times):
                line.sendall(then)
        except OSError:
            assert times
        line.settimeout(30)
        return line.recv(65_536)


def test_it_all_works_on_postgresql_too(postgres_url: str, tmp_path: Path) -> None:
    with up(tmp_path / "data", "--database", postgres_url) as running:
        record = running.ended(running.upload("bofa.pdf", boa_layouts.checking().pdf()))
        assert (record["status"], record["canonicals_count"]) == ("normalized", len(boa_layouts.CHECKING))
        assert len(running.files()) == 1
        assert running.files()[0].is_relative_to(tmp_path / "data")
