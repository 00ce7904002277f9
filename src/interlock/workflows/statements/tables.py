"""The tables of the statements workflow; the engine adds status, version and what else its axis needs to `uploads`."""

from __future__ import annotations

from string import ascii_letters, digits

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Date,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    literal_column,
    or_,
)

from interlock.extension import Instant

metadata = MetaData()


def _counter(name: str) -> Column[int]:
    """A number that is not known before its stage has run."""
    return Column(name, Integer, nullable=True)


def _upload() -> Column[str]:
    """Whose row this is. Erasing an upload takes its rows along: they are what it said about a person."""
    return Column(
        "upload_id", String(64), ForeignKey("uploads.upload_id", ondelete="CASCADE"), nullable=False
    )


# ^UL_[a-zA-Z0-9]+$ and ^sha256:[0-9a-f]{64}$, said so that both databases understand it: nothing is left once these letters are trimmed.
_UPLOAD_ID = (
    "substr(upload_id, 1, 3) = 'UL_' AND length(upload_id) > 3 AND "
    f"rtrim(substr(upload_id, 4), '{ascii_letters}{digits}') = ''"
)
_FILE_HASH = f"substr(file_hash, 1, 7) = 'sha256:' AND length(file_hash) = 71 AND rtrim(substr(file_hash, 8), '{digits}abcdef') = ''"

uploads = Table(
    "uploads",
    metadata,
    Column("upload_id", String(64), primary_key=True),
    Column("file_hash", String(71), nullable=False, unique=True),
    Column("storage_ref", Text, nullable=False),
    Column("source_type", String(64), nullable=False),
    Column("file_name", Text, nullable=False),
    Column("file_size_bytes", BigInteger, nullable=False),
    Column("mime_type", String(127), nullable=False),
    Column("upload_log_ref", Text, nullable=False),
    Column("parse_log_ref", Text),
    Column("normalizer_log_ref", Text),
    Column("parser_id", String(64)),
    Column("parser_version", String(32)),
    Column("parser_source", String(64)),
    Column("normalizer_version", String(32)),
    Column("rule_set_version", String(128)),
    _counter("observations_count"),
    _counter("canonicals_count"),
    _counter("failed_count"),
    Column("chosen_account", Text),
    Column("layout", String(64)),
    Column("reconciled", String(8)),
    Column("opening_balance", String(40)),
    Column("closing_balance", String(40)),
    Column("statement_from", String(10)),
    Column("statement_to", String(10)),
    Column("currency", String(3)),
    Column("account", Text),
    Column("account_type", String(16)),
    Column("institution", Text),
    Column("issuer", Text),
    Column("date_order", String(8)),
    _counter("rows_skipped"),
    _counter("warnings_count"),
    Column("max_retries", Integer, nullable=False, server_default="3"),
    Column("created_at", Instant(), nullable=False),
    CheckConstraint(_UPLOAD_ID, name="upload_id_is_well_formed"),
    CheckConstraint(_FILE_HASH, name="file_hash_is_well_formed"),
)

IN_DOUBT = or_(uploads.c.reconciled == literal_column("'no'"), uploads.c.warnings_count > literal_column("0"))
"""That the balances of an upload contradict its rows, or nobody has settled its warnings; literals, so that the index below can be used."""
Index("uploads_by_time", uploads.c.created_at, uploads.c.upload_id)  # lists show the newest first
Index(
    "uploads_doubtful",
    uploads.c.created_at,
    uploads.c.upload_id,
    sqlite_where=IN_DOUBT,
    postgresql_where=IN_DOUBT,
)

observations = Table(
    "observations",
    metadata,
    _upload(),
    Column("row_id", Integer, nullable=False),
    Column("date", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("amount", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("account", Text, nullable=False),
    Column("sign", SmallInteger, nullable=False),
    Column("decimal_separator", String(1), nullable=False, server_default=""),
    Column("date_format", String(64), nullable=False, server_default=""),
    Column("posted_date", Text, nullable=False, server_default=""),
    Column("reference", Text, nullable=False, server_default=""),
    Column("source_category", Text, nullable=False, server_default=""),
    Column("kind", String(16), nullable=False, server_default="cash"),
    Column("trade", JSON),
    Column("source_type", String(64), nullable=False),
    Column("parser_id", String(64), nullable=False),
    Column("parser_version", String(32), nullable=False),
    Column("extracted_at", Instant(), nullable=False),
    Column("warnings", JSON, nullable=False),
    Column("attempt", Integer, nullable=False),
    CheckConstraint("sign IN (1, -1)", name="sign_is_one"),
)
Index("observations_by_row", observations.c.upload_id, observations.c.row_id, unique=True)

transactions = Table(
    "transactions",
    metadata,
    # The number is the primary key because SQLite counts up only there, and never gives one out twice only with AUTOINCREMENT: a page's
    # cursor stays true when rows before it are replaced. An identity needs no right on a sequence. The canonical id is as unique.
    Column(
        "insertion_sequence",
        BigInteger().with_variant(Integer(), "sqlite"),
        Identity(always=True),
        primary_key=True,
    ),
    Column("canonical_id", String(36), nullable=False, unique=True),
    _upload(),
    Column("observation_id", String(96), nullable=False),
    Column("date", Date, nullable=False),
    Column("amount", String(40), nullable=False),
    Column("currency", String(3), nullable=False),
    Column("description", Text, nullable=False),
    Column("merchant", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("account", Text, nullable=False),
    Column("account_type", String(16), nullable=False, server_default=""),
    Column("flags", JSON, nullable=False),
    Column("confidence_score", Float, nullable=False),
    Column("applied_rules", JSON, nullable=False),
    Column("normalized_at", Instant(), nullable=False),
    Column("normalizer_version", String(32), nullable=False),
    Column("rule_set_version", String(128), nullable=False),
    Column("attempt", Integer, nullable=False),
    sqlite_autoincrement=True,
)
Index("transactions_by_upload", transactions.c.upload_id, transactions.c.insertion_sequence)
Index(
    "transactions_by_amount", transactions.c.account, transactions.c.amount, transactions.c.date
)  # duplicates are looked up by it

# One row per account: whoever writes an account's transactions updates it first, and so waits for whoever else does.
statement_accounts = Table(
    "statement_accounts",
    metadata,
    Column("account", Text, primary_key=True),
    Column("writes", Integer, nullable=False),
)

# What a person decided about files of one bank and layout; the parse of the next one reads it.
statement_interpretations = Table(
    "statement_interpretations",
    metadata,
    Column("layout", String(64), primary_key=True),
    Column("institution", Text, nullable=False),
    Column("decision", JSON, nullable=False),
    Column("decided_by", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("decided_at", Instant(), nullable=False),
)

# Logs are rows, not files: the fenced finish then writes a log in the same transaction as the result it is about. A file could say that an
# attempt succeeded whose rows were refused, or be missing after a crash between the two.
statement_logs = Table(
    "statement_logs",
    metadata,
    Column("ref", String(160), primary_key=True),
    _upload(),
    Column("media_type", String(64), nullable=False),
    Column("content", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("written_at", Instant(), nullable=False),
)

# What happened, written in the transaction of the move; erasing an upload takes its events along, and its ledger stays.
statement_events = Table(
    "statement_events",
    metadata,
    Column("id", String(96), primary_key=True),
    _upload(),
    Column("version", Integer, nullable=False),
    Column("event_type", String(32), nullable=False),
    Column("happened_at", Instant(), nullable=False),
    Column("content", JSON, nullable=False),
)
Index("statement_events_by_upload", statement_events.c.upload_id, statement_events.c.version)

# Files that are of no upload and still to be deleted: those of erased uploads, and those that are being taken in until their upload is
# there. A file cannot be deleted in a transaction, so that it is to be is kept in one.
statement_files_left = Table(
    "statement_files_left",
    metadata,
    Column("storage_ref", String(160), primary_key=True),
    Column("file_hash", String(71), nullable=False),
)

WRITTEN_BY_RUNNERS = (
    "observations",
    "transactions",
    "statement_accounts",
    "statement_logs",
    "statement_interpretations",
)
"""What the runner role needs rights on; the record table is not among them."""
