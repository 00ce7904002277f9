"""The tables of the scraping workflow; the engine adds both statuses, their versions and what else their axes need."""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

from interlock.extension import Instant

from .web.addresses import LONGEST_URL

metadata = MetaData()
ID = BigInteger().with_variant(Integer(), "sqlite")


def _id() -> Column[int]:
    return Column("id", ID, primary_key=True, autoincrement=True)


def _belongs_to(table: str, *, required: bool = True) -> Column[int]:
    name = {"domains": "domain_id", "sitemap_files": "sitemap_file_id", "pages": "page_id"}[table]
    return Column(
        name, ID, ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=not required, index=not required
    )


def _created() -> Column[object]:
    return Column("created_at", Instant(), nullable=True)


domains = Table(
    "domains",
    metadata,
    _id(),
    Column("host", String(260), nullable=False, unique=True),
    Column("url", String(LONGEST_URL), nullable=False),
    Column("title", Text),
    Column("description", Text),
    Column("language", String(16)),
    Column("http_status", Integer),
    Column("sitemap_count", Integer),
    _created(),
)

sitemap_files = Table(
    "sitemap_files",
    metadata,
    _id(),
    _belongs_to("domains"),
    Column("host", String(260), nullable=False),
    Column("url", String(LONGEST_URL), nullable=False),
    Column("kind", String(16)),
    Column("url_count", Integer),
    Column("skipped_count", Integer),
    Column("bad_children", Integer),
    Column("etag", String(300)),
    Column("last_modified", String(100)),
    _created(),
)

pages = Table(
    "pages",
    metadata,
    _id(),
    _belongs_to("domains"),
    _belongs_to("sitemap_files", required=False),
    Column("host", String(260), nullable=False),
    Column("url", String(LONGEST_URL), nullable=False),
    Column("page_type", String(32)),
    Column("confidence", Float),
    Column("depth", Integer),
    Column("title", Text),
    Column("http_status", Integer),
    Column("contact_count", Integer),
    Column("etag", String(300)),
    Column("last_modified", String(100)),
    _created(),
)

contacts = Table(
    "contacts",
    metadata,
    _id(),
    _belongs_to("domains"),
    _belongs_to("pages", required=False),
    Column("contact_key", String(300), nullable=False),
    Column("email", String(254), index=True),
    Column("phone", String(20)),
    Column("social", JSON),
    Column("verification", JSON),
    _created(),
)

WORKED = ("queued_at", "processing_error")
"""What the engine keeps of the work on a record and people want to see."""
PUBLIC_COLUMNS = {
    table.name.replace("_", "-"): (*(name for name in table.columns.keys() if name != "id"), *WORKED)  # noqa: SIM118 a collection, no mapping
    for table in (domains, sitemap_files, pages, contacts)
}
"""The columns of each kind that lists and answers show, beside id and statuses: read here, before the engine adds its own."""


def index_statuses(table: Table) -> None:
    """Index both statuses of a table that a workflow has given them: lists are asked for by either, and a host's work by `Processing`."""
    made = {index.name for index in table.indexes}
    names = {
        f"{table.name}_by_curation": ["curation_status", "id"],
        f"{table.name}_by_processing": ["processing_status", "host" if "host" in table.c else "id"],
    }
    for name, columns in names.items():
        if name not in made:
            Index(name, *(table.c[column] for column in columns))
