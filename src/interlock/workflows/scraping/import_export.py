"""Sites come in, contacts go out: hosts that people write, lists of them, and the table of contacts for a spreadsheet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from sqlalchemy import Connection, select

from interlock.errors import BadInput
from interlock.extension import SystemClock, safe_text

from .contacts.emails import plain_email
from .contacts.phones import plain_phone
from .sitemaps.triage import judge_page
from .tables import contacts, domains, pages
from .web.addresses import BadAddress, Site, read_site, read_url

KINDS = ("domains", "sitemap-files", "pages", "contacts")
CURATION = ("New", "Selected", "Maybe", "Discarded")
OLD_NAMES = {"not a fit": "Discarded", "archived": "Discarded", "skipped": "Discarded"}
"""What older systems call a decision; taken by imports, never by the API."""
VIEWS: dict[str, dict[str, list[str | None]]] = {
    "wanted": {"curation_status": ["Selected"]},
    "ready": {"curation_status": ["Selected"], "processing_status": ["Queued", None]},
    "processing": {"processing_status": ["Processing"]},
    "unreviewed": {"processing_status": ["Complete"], "curation_status": ["New"]},
}
"""The questions that people ask, as filters on both statuses."""
MOST_ROWS = 100_000
LONGEST_HEADER = 10_000
"""Letters of a first line in which the sign between its cells is looked for."""
EXPORTED = (
    "id",
    "host",
    "email",
    "phone",
    "social",
    "curation_status",
    "processing_status",
    "valid",
    "page_url",
)
PAGE = 1_000


class ImportLine(NamedTuple):
    """One line of a list of sites: the row to admit, or why it is none."""

    text: str
    row: dict[str, Any] | None
    problem: str = ""
    site: Site | None = None
    """The site that a sitemap file, a page or a contact belongs to."""


def read_domain(text: str, curation: str | None = None) -> ImportLine:
    """The row of a site that a person wrote."""
    try:
        site = read_site(text)
    except BadAddress as error:
        return ImportLine(text, None, str(error))
    row: dict[str, Any] = {"host": site.host, "url": site.url, "created_at": SystemClock().now()}
    if curation:
        row["curation_status"] = curation
    return ImportLine(text, row)


def read_decision(text: str) -> str | None:
    """A decision as an import writes it: any case, and the names of older systems; None where there is none."""
    plain = text.strip().casefold()
    known = {one.casefold(): one for one in CURATION} | OLD_NAMES
    if plain and plain not in known:
        raise BadInput(f"{text[:60]!r} is no decision", hint=f"Write one of {', '.join(CURATION)}.")
    return known.get(plain)


def read_table(text: str, kind: str = "domains") -> Iterator[ImportLine]:
    """The records of a CSV file, its cells parted by commas, semicolons or tabs. Sites have a column `domain` (or `url`, `host`), and one
    column needs no header; sitemap files and pages have `url`, contacts `email` or `phone` and `domain`. `curation_status` may stand
    beside each."""
    text = text.lstrip("\ufeff")
    header: list[str] | None = None
    for number, cells in enumerate(_rows(text)):
        if not any(cell.strip() for cell in cells):
            continue
        if number > MOST_ROWS:
            raise BadInput(f"the file has more than {MOST_ROWS:,} lines", hint="Import it in parts.")
        names = [cell.strip().casefold() for cell in cells]
        if header is None:
            is_header = any(name in names for name in HEADERS)
            header = names if is_header else _only_column(kind, cells)
            if is_header:
                continue
        row = {name: cell.strip() for name, cell in zip(header, cells, strict=False)}
        yield _read_line(kind, row)


def _rows(text: str) -> Iterator[list[str]]:
    """The cells of each line, however lines end."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_find_delimiter(text))
    try:
        yield from rows
    except csv.Error as error:
        raise BadInput(
            f"the file is no CSV: line {rows.line_num}: {error}",
            hint="Look for a quotation mark that does not end.",
        ) from error


def _find_delimiter(text: str) -> str:
    """The sign that parts the names of columns that are known: spreadsheets of half the world write semicolons; a comma where none does."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    for sign in DELIMITERS:
        if any(
            cell.strip().casefold() in HEADERS
            for cell in next(csv.reader([first[:LONGEST_HEADER]], delimiter=sign), [])
        ):
            return sign
    return ","


def _only_column(kind: str, cells: list[str]) -> list[str]:
    """The header of a file that has none: one column of sites or addresses."""
    first = cells[0].strip()
    if len(cells) > 1 or not any(sign in first for sign in ".:"):
        hint = "The first line names the columns: domain or url; of contacts email or phone, and domain."
        raise BadInput(f"the file has no column that is known: {', '.join(cells)[:100]!r}", hint=hint)
    return ["url" if kind in ("sitemap-files", "pages") else "domain"]


HEADERS = ("domain", "url", "host", "email", "phone")
DELIMITERS = ",;\t"


def _read_line(kind: str, row: Mapping[str, str]) -> ImportLine:
    """The record of one line; without its `domain_id`, and with the site that this is the id of, where it is a child."""
    site = next((row[name] for name in ("domain", "url", "host") if row.get(name)), "")
    named = (
        (row.get("url") or site)
        if kind in ("sitemap-files", "pages")
        else row.get("email") or row.get("phone") or site
    )
    try:
        decided = read_decision(row.get("curation_status", ""))
        if kind == "domains":
            return read_domain(site, decided)
        made = _contact_row(row) if kind == "contacts" else _visited_row(kind, named)
        parent = read_site(site)
    except (BadInput, BadAddress) as error:
        return ImportLine(named, None, error.message if isinstance(error, BadInput) else str(error))
    made |= {"created_at": SystemClock().now(), **({"curation_status": decided} if decided else {})}
    return ImportLine(named, made, site=parent)


def _visited_row(kind: str, url: str) -> dict[str, Any]:
    plain = read_url(url)
    row: dict[str, Any] = {"host": urlsplit(plain).netloc, "url": plain}
    if kind == "pages":
        triage = judge_page(plain)
        row |= {
            "page_type": triage.page_type,
            "confidence": round(triage.confidence, 2),
            "depth": triage.depth,
        }
    return row


def _contact_row(row: Mapping[str, str]) -> dict[str, Any]:
    email = plain_email(row.get("email", ""))
    phone = plain_phone(row.get("phone", ""), "ZZ") if row.get("phone") else ""
    if row.get("email") and not email:
        raise BadInput(f"{row['email'][:60]!r} is no e-mail address")
    if row.get("phone") and not phone:
        raise BadInput(
            f"{row['phone'][:60]!r} is no number", hint="Write it with its country: +49 30 1234567."
        )
    if not email and not phone:
        raise BadInput("a contact needs an e-mail address or a number")
    return {
        "contact_key": email or f"tel:{phone}",
        "email": email or None,
        "phone": phone or None,
        "social": [],
    }


def contact_rows(tx: Connection) -> Iterator[dict[str, Any]]:
    """Every contact with its site and page, by id, page by page."""
    asked = (
        select(contacts, domains.c.host, pages.c.url.label("page_url"))
        .join(domains, domains.c.id == contacts.c.domain_id)
        .join(pages, pages.c.id == contacts.c.page_id, isouter=True)
        .order_by(contacts.c.id)
        .limit(PAGE)
    )
    after = 0
    while rows := tx.execute(asked.where(contacts.c.id > after)).mappings().all():
        for row in rows:
            yield as_exported(dict(row))
        after = rows[-1]["id"]


def as_exported(row: Mapping[str, Any]) -> dict[str, Any]:
    """A contact as a line of a spreadsheet."""
    verification = row["verification"] or {}
    cells = {
        **{name: row[name] for name in EXPORTED if name in row},
        "social": " ".join(row["social"] or ()),
        "valid": verification.get("valid"),
    }
    return {name: cells.get(name) for name in EXPORTED}


def write_contacts(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A CSV file, line by line; what a spreadsheet would take for a formula is written as text."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(EXPORTED)
    for row in rows:
        writer.writerow([safe_cell(row[name]) for name in EXPORTED])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


def safe_cell(value: Any) -> str:
    """A value as a spreadsheet reads it, never as a formula; a number to call stays one."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    is_phone = text.startswith("+") and text[1:].isdigit()
    return text if is_phone else safe_text(text)
