"""A file is taken or refused, with the code that says why; of what is refused nothing stays."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from interlock.service.http.limits import Limits
from interlock.workflows.statements.parsers.registry import bundled_parsers
from tests.service.asking import problem
from tests.statements.api.place import CSV, Place

BOUNDARY = "xyz"
FORM = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
REFUSALS: dict[str, tuple[dict[str, Any], int, str, dict[str, Any]]] = {
    "no file": ({"name": None}, 400, "missing_params", {"fields": ["file"]}),
    "neither": (
        {"name": None, "source_type": None},
        400,
        "missing_params",
        {"fields": ["file", "source_type"]},
    ),
    "blank source type": ({"source_type": " "}, 400, "missing_params", {"fields": ["source_type"]}),
    "empty file": ({"content": b""}, 400, "missing_params", {"fields": ["file"]}),
    "unknown ending": (
        {"name": "statement.exe"},
        415,
        "unsupported_media_type",
        {"expected": ["pdf", "csv", "ofx", "qfx", "qif", "xml", "sta"]},
    ),
    "no ending": (
        {"name": "statement"},
        415,
        "unsupported_media_type",
        {"expected": ["pdf", "csv", "ofx", "qfx", "qif", "xml", "sta"]},
    ),
    "csv that is a pdf": ({"content": b"%PDF-1.7\n"}, 415, "unsupported_media_type", {"expected": ["csv"]}),
    "pdf that is a csv": ({"name": "x.pdf"}, 415, "unsupported_media_type", {"expected": ["pdf"]}),
    "csv that is a zip": (
        {"content": b"PK\x03\x04" + bytes(100)},
        415,
        "unsupported_media_type",
        {"expected": ["csv"]},
    ),
    "csv that is gzip": (
        {"content": b"\x1f\x8b\x08" + bytes(100)},
        415,
        "unsupported_media_type",
        {"expected": ["csv"]},
    ),
    "ofx that is a csv": ({"name": "x.ofx"}, 415, "unsupported_media_type", {"expected": ["ofx", "qfx"]}),
    "unknown source type": (
        {"source_type": "my_bank"},
        422,
        "invalid_source_type",
        {"allowed": bundled_parsers().source_types()},
    ),
}


def form(
    *,
    file: bytes = CSV,
    name: str = "statement.csv",
    source_type: str = "auto",
    end: str = f"--{BOUNDARY}--\r\n",
) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="source_type"\r\n\r\n{source_type}\r\n'.encode(),
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
        + file
        + b"\r\n",
    ]
    return b"".join([*parts, end.encode()])


def test_a_file_is_taken_and_its_way_can_be_followed(place: Place) -> None:
    answer = place.post()
    said = answer.json()
    assert (answer.status_code, set(said)) == (201, {"upload_id", "status", "upload_log_ref"})
    upload_id = said["upload_id"]
    assert upload_id.startswith("UL_")
    assert upload_id[3:].isalnum()
    assert (said["status"], said["upload_log_ref"]) == ("queued_for_parse", f"/logs/uploads/{upload_id}.log")
    assert answer.headers["location"].endswith(f"/api/v1/uploads/{upload_id}")
    digest = sha256(CSV).hexdigest()
    (kept,) = place.files()
    assert kept.relative_to(place.folder) == Path(digest[:2]) / digest[2:4] / digest
    assert kept.read_bytes() == CSV
    log = place.asker.client.base_url.join(said["upload_log_ref"])
    text = place.asker.runner.run(place.asker.client.get(log)).text
    assert upload_id in text
    assert digest in text
    assert place.app.ledger.history("statements", upload_id)[0].actor == "local"


def test_what_a_file_is_may_be_left_unsaid(place: Place) -> None:
    answer = place.post(source_type=None)
    assert answer.status_code == 201
    assert place.app.get("statements", answer.json()["upload_id"])["source_type"] == "auto"


@pytest.mark.parametrize("case", REFUSALS)
def test_what_is_refused_says_why_and_leaves_nothing(case: str, place: Place) -> None:
    given, status, error, more = REFUSALS[case]
    answer = place.post(**given)
    said = answer.json()
    assert (answer.status_code, answer.headers["content-type"], said["error"]) == (
        status,
        "application/problem+json",
        error,
    ), said
    assert {name: said[name] for name in more} == more
    assert place.left() == (0, 0)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "nul.csv",
            b"Date,Amount\n1/1/2024,1\x00\n",
            "holds NUL characters, which are binary data and no text",
        ),
        ("a.csv", bytes(range(1, 256)), "holds binary data and no text"),
        ("a.csv", b"%PDF-1.7\n", "is a PDF"),
        (
            "a.qfx",
            b"Date,Amount\n",
            "is text of another kind, and not what its name says: ofx, qfx was expected",
        ),
        (
            "a.xml",
            b"<?xml version='1.0'?><invoice/>",
            "is XML or a web page of another kind, and not what its name says: ofx, qfx, camt was expected",
        ),
    ],
)
def test_a_file_of_another_kind_is_refused_with_what_it_holds(
    name: str, content: bytes, said: str, place: Place
) -> None:
    answer = place.post(content, name).json()
    assert (answer["status"], answer["detail"].startswith(f"{name!r} {said}")) == (415, True), answer
    assert place.left() == (0, 0)


def test_an_account_with_too_long_a_name_is_refused_like_its_neighbours_and_leaves_nothing(
    place: Place,
) -> None:
    answer = place.asker.ask("POST", "/uploads", files={"file": ("a.csv", CSV)}, data={"account": "x" * 201})
    said = problem(answer, 422, "ILK-422")
    assert (said["error"], said["max_length"], "allowed" in said) == ("invalid_account", 200, False)
    assert "Name it shorter" in said["hint"]
    assert place.left() == (0, 0)


NOTHING = {
    "no byte": b"",
    "one line end": b"\n",
    "blanks": b" \t\r\n" * 300,
    "a byte order mark": b"\xef\xbb\xbf",
    "a byte order mark of two bytes": b"\xff\xfe\r\x00\n\x00",
    "zeros": bytes(500),
}


@pytest.mark.parametrize("content", NOTHING.values(), ids=NOTHING)
def test_an_empty_file_is_called_empty_whatever_its_name_says(content: bytes, place: Place) -> None:
    for ending in (".txt", ".csv", ".pdf", ".ofx", ".qif", ".xml", ".sta", ".xls", ".docx", ""):
        answer = place.post(content, f"january{ending}")
        said = answer.json()
        assert (answer.status_code, said["error"], said["fields"]) == (400, "missing_params", ["file"]), (
            ending
        )
        assert f"'january{ending}' is empty" in said["detail"]
        assert "statement again" in said["hint"]
    assert place.left() == (0, 0)


def test_the_same_bytes_again_answer_with_the_upload_that_they_are(place: Place) -> None:
    upload_id = place.upload()
    before = place.left()
    answer = place.post(name="another name.csv", source_type="csv")
    said = problem(answer, 409, "ILK-216")
    assert (said["error"], said["upload_id"], said["upload_log_ref"]) == (
        "duplicate",
        upload_id,
        f"/logs/uploads/{upload_id}.log",
    )
    assert said["file_hash"] == f"sha256:{sha256(CSV).hexdigest()}"
    assert place.left() == before


def test_a_hundred_identical_uploads_at_once_are_one(place: Place) -> None:
    async def crowd() -> list[Any]:
        posts = [
            place.asker.client.post(
                "/api/v1/uploads", files={"file": (f"{number}.csv", CSV)}, data={"source_type": "auto"}
            )
            for number in range(100)
        ]
        return await asyncio.gather(*posts)

    answers = place.asker.runner.run(crowd())
    made = [one.json()["upload_id"] for one in answers if one.status_code == 201]
    refused = [one.json() for one in answers if one.status_code == 409]
    assert (len(made), len(refused)) == (1, 99)
    assert {one["upload_id"] for one in refused} == set(made)
    assert place.left() == (1, 3)  # the upload, its log and its event


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("../../etc/passwd.csv", "passwd.csv"),
        ("C:\\\\Users\\\\ann\\\\my statement.csv", "my statement.csv"),
        ("/abs/x.csv", "x.csv"),
        ("..\\\\..\\\\x.csv", "x.csv"),
        ("a\tb.csv", "a_b.csv"),
        ("é.CSV", "é.CSV"),
        ("x" * 500 + ".csv", "x" * 196 + ".csv"),
    ],
)
def test_a_name_with_a_path_is_only_a_name(given: str, kept: str, place: Place) -> None:
    answer = place.asker.ask("POST", "/uploads", content=form(name=given), headers=FORM)
    assert answer.status_code == 201, answer.text
    (row,) = place.asker.get("/uploads").json()["uploads"]
    assert row["file_name"] == kept
    assert {path.parent.parent.parent for path in place.files()} == {place.folder}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("size", [0, 1, 100_000, 3_000_000])
def test_whatever_its_size_and_pieces_it_arrives_as_it_was(size: int, place: Place) -> None:
    table = CSV + b"01/17/2024,SHOP \r\n--xyz -- \r,-1.00\n" * (size // 33)

    async def dribbled() -> AsyncIterator[bytes]:
        body = form(file=table)
        for start in range(0, len(body), 7_001):
            yield body[start : start + 7_001]

    assert place.asker.ask("POST", "/uploads", content=dribbled(), headers=FORM).status_code == 201
    (kept,) = place.files()
    assert kept.read_bytes() == table


@pytest.mark.sqlite_only
def test_a_file_that_is_too_large_is_cut_off_while_it_arrives(sqlite_url: str, tmp_path: Path) -> None:
    place = Place(sqlite_url, tmp_path, Limits(rate=0, upload=2 * 1024 * 1024))
    taken = []

    async def endless() -> AsyncIterator[bytes]:
        yield form(end="")[:-2]
        while len(taken) < 10_000:
            taken.append(1)
            yield b"x" * 100_000

    said = problem(place.asker.ask("POST", "/uploads", content=endless(), headers=FORM), 413, "ILK-413")
    assert (said["error"], said["max_size_mb"], "Split the file" in said["hint"]) == (
        "file_too_large",
        2,
        True,
    )
    assert len(taken) < 40
    announced = {**FORM, "Content-Length": "10000000000"}
    said = problem(place.asker.ask("POST", "/uploads", content=b"", headers=announced), 413, "ILK-413")
    assert said["error"] == "file_too_large"
    assert place.left() == (0, 0)
    exact = CSV + b"\n" * (2 * 1024 * 1024 - len(CSV))
    assert place.post(exact).status_code == 201
    assert place.post(exact + b"\n").status_code == 413
    place.close()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nonsense",
        form(end=""),
        form()[:40],
        form(end="--other--\r\n"),
        form(name="a").replace(b"xyz", b"abc", 1),
    ],
    ids=["nothing", "nonsense", "no end", "half a head", "another end", "another boundary"],
)
def test_a_form_that_is_not_whole_is_refused(body: bytes, place: Place) -> None:
    said = problem(place.asker.ask("POST", "/uploads", content=body, headers=FORM), 400, "ILK-102")
    assert said["error"] == "missing_params"
    assert place.left() == (0, 0)


@pytest.mark.parametrize(
    "media",
    ["application/json", "text/csv", "multipart/form-data", "multipart/form-data; boundary=", "x" * 3000],
)
def test_what_is_no_form_is_refused(media: str, place: Place) -> None:
    said = problem(
        place.asker.ask("POST", "/uploads", content=CSV, headers={"Content-Type": media}), 400, "ILK-102"
    )
    assert (said["error"], said["fields"]) == ("missing_params", ["file", "source_type"])
    assert place.left() == (0, 0)


@pytest.mark.parametrize(
    "extra",
    [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="b.csv"\r\n\r\nx\r\n',
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="source_type"\r\n\r\ncsv\r\n',
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="n"\r\n\r\nx\r\n' * 60,
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="source_type"\r\n\r\n{"c" * 2000}\r\n',
    ],
    ids=["two files", "two source types", "many parts", "a long source type"],
)
def test_a_form_that_says_too_much_is_refused(extra: str, place: Place) -> None:
    problem(
        place.asker.ask("POST", "/uploads", content=extra.encode() + form(), headers=FORM), 400, "ILK-102"
    )
    assert place.left() == (0, 0)


def test_other_fields_are_passed_over(place: Place) -> None:
    extra = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="note"\r\n\r\n{"n" * 5000}\r\n'
    assert (
        place.asker.ask("POST", "/uploads", content=extra.encode() + form(), headers=FORM).status_code == 201
    )


def test_a_client_that_goes_away_leaves_nothing(place: Place) -> None:
    sent: list[Any] = []
    pieces = iter(
        [
            {"type": "http.request", "body": form(end="")[:-2] + b"y" * 2_000_000, "more_body": True},
            {"type": "http.disconnect"},
        ]
    )

    async def receive() -> Any:
        return next(pieces)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "path": "/api/v1/uploads",
        "raw_path": b"",
        "root_path": "",
        "scheme": "http",
        "query_string": b"",
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "headers": [(b"host", b"127.0.0.1"), (b"content-type", FORM["Content-Type"].encode())],
    }
    place.asker.runner.run(place.asgi(scope, receive, send))
    assert place.left() == (0, 0)


@pytest.mark.sqlite_only
def test_whoever_uploads_too_often_is_told_when_to_come_back(sqlite_url: str, tmp_path: Path) -> None:
    place = Place(sqlite_url, tmp_path, Limits(rate=0.01, burst=1))
    assert place.post().status_code == 201
    answer = place.post(CSV + b"\n")
    said = problem(answer, 429, "ILK-429")
    assert (said["error"], str(said["retry_after"])) == ("rate_limited", answer.headers["retry-after"])
    place.close()


@pytest.mark.sqlite_only
def test_a_database_that_is_away_takes_no_file(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    assert place.asker.get("/uploads").status_code == 200
    place.app.database.close()
    assert place.post().status_code == 503
    assert place.files() == []
