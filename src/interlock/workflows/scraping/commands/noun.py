"""`interlock scraping`: add sites, list and curate what was found, run the work, export contacts."""

from __future__ import annotations

import codecs
import threading
from collections.abc import Iterator
from typing import Any

import click

from interlock.client import BulkCommand, Client, RecordFilter
from interlock.commands import (
    OK,
    REFUSED,
    TO,
    Noun,
    Session,
    note,
    open_output,
    session,
    show_rows,
    work_here,
)
from interlock.errors import BadInput, InterlockError

from ..import_export import (
    CURATION,
    KINDS,
    VIEWS,
    ImportLine,
    contact_rows,
    read_domain,
    read_table,
    write_contacts,
)
from ..tables import PUBLIC_COLUMNS

KIND = click.argument("kind", type=click.Choice(KINDS))
TABLED = {
    "domains": ("id", "host", "curation_status", "processing_status", "title", "processing_error"),
    "sitemap-files": ("id", "url", "curation_status", "processing_status", "url_count", "processing_error"),
    "pages": (
        "id",
        "url",
        "curation_status",
        "processing_status",
        "page_type",
        "confidence",
        "processing_error",
    ),
    "contacts": ("id", "email", "phone", "curation_status", "processing_status", "processing_error"),
}
AT_ONCE = 500
PAUSE_SECONDS = 0.3


@click.group(
    cls=Noun,
    examples=(
        "interlock scraping add example.com --select",
        "interlock scraping list domains --view ready",
        "interlock scraping run",
        "interlock scraping export --to contacts.csv",
    ),
)
def scraping() -> None:
    """Web sites: add and curate them, visit what was selected, export contacts."""


def client_of(running: Session, *, prepare: bool = False) -> Client:
    """The service that was named, or the app; without one the workflows that come with Interlock. `prepare` makes a database ready that
    is not there yet, as an import of statements does."""
    if running.service is None:
        app = running.bundled_app()
        if prepare:
            app.migrate()
        else:
            app.ready()
    return running.client()


@scraping.verb(
    "add",
    "interlock scraping add example.com example.org",
    "interlock scraping add --file sites.csv --select",
)
@click.argument("sites", nargs=-1, metavar="SITE...")
@click.option(
    "--file",
    "file",
    type=click.Path(),
    help="A CSV file with a column domain or url; - is stdin.",
)
@click.option("--select", "chosen", is_flag=True, help="Select them too, so that they are visited.")
@click.pass_context
def add(context: click.Context, sites: tuple[str, ...], file: str | None, chosen: bool) -> None:
    """Add web sites; what is there already stays as it is."""
    running = session()
    if not sites and file is None:
        raise click.UsageError("name a site, or a file of them with --file.")
    wanted = [read_domain(one) for one in sites]
    if file is not None:
        try:
            with click.open_file(file, encoding="utf-8-sig") as lines:
                wanted += read_table(lines.read())
        except FileNotFoundError:
            raise BadInput(f"there is no file {file}") from None
        except UnicodeDecodeError as error:
            raise BadInput(f"{file} is not text in UTF-8", hint="Save it as CSV in UTF-8.") from error
        except OSError as error:
            raise BadInput(f"{file} cannot be read: {error.strerror}") from error
    if chosen:
        wanted = [
            one._replace(row={**one.row, "curation_status": "Selected"}) if one.row else one for one in wanted
        ]
    rows = added(client_of(running, prepare=True), wanted)
    show_rows(
        running.output,
        rows,
        ("site", "outcome", "id", "problem"),
        empty="nothing to add",
        blank=("id", "problem"),
    )
    context.exit(REFUSED if any(row["outcome"] == "refused" for row in rows) else OK)


def added(client: Client, wanted: list[ImportLine]) -> list[dict[str, Any]]:
    """What came of each, in their order."""
    good = [one.row for one in wanted if one.row is not None]
    answers = iter(
        [
            answer
            for start in range(0, len(good), AT_ONCE)
            for answer in client.admit_many("domains", good[start : start + AT_ONCE])
        ]
    )
    rows = []
    for one in wanted:
        if one.row is None:
            rows.append({"site": one.text, "outcome": "refused", "id": None, "problem": one.problem})
        else:
            answer = next(answers)
            problem = answer.error.message if answer.error is not None else None
            rows.append(
                {"site": one.row["host"], "outcome": answer.outcome, "id": answer.id, "problem": problem}
            )
    return rows


@scraping.verb(
    "list",
    "interlock scraping list domains",
    "interlock scraping list pages --curation Selected --processing null",
)
@KIND
@click.option(
    "--curation", multiple=True, type=click.Choice(CURATION), help="Only with this decision; may be repeated."
)
@click.option(
    "--processing",
    multiple=True,
    metavar="STATUS",
    help="Only with this processing status, or null; may be repeated.",
)
@click.option(
    "--view", type=click.Choice(list(VIEWS)), help="A question that is often asked, instead of statuses."
)
@click.option(
    "--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="How many at most."
)
def list_(
    kind: str, curation: tuple[str, ...], processing: tuple[str, ...], view: str | None, limit: int
) -> None:
    """List records of one kind with both statuses."""
    running = session()
    rows = read_rows(client_of(running), kind, filter_of(curation, processing, view), limit)
    show_rows(running.output, rows, TABLED[kind], empty=f"no {kind}", blank=TABLED[kind][1:])


def filter_of(curation: tuple[str, ...], processing: tuple[str, ...], view: str | None) -> dict[str, Any]:
    """The states to list, by axis."""
    if view is not None:
        if curation or processing:
            raise BadInput(
                "a view is a filter of its own", hint="Leave out --curation and --processing, or --view."
            )
        return dict(VIEWS[view])
    where: dict[str, Any] = {}
    if curation:
        where["curation_status"] = list(curation)
    if processing:
        where["processing_status"] = [None if one == "null" else one for one in processing]
    return where


def read_rows(client: Client, kind: str, where: dict[str, Any], limit: int) -> list[dict[str, Any]]:
    """Up to so many records with both statuses, page by page."""
    rows: list[dict[str, Any]] = []
    after: Any = None
    while len(rows) < limit:
        page = client.list(
            kind,
            where=where,
            columns=PUBLIC_COLUMNS[kind],
            limit=min(AT_ONCE, limit - len(rows)),
            after=after,
        )
        rows += [
            {"id": one.id, **one.columns, **{at.axis: at.state for at in one.where}} for one in page.records
        ]
        if page.next is None:
            break
        after = page.next
    return rows


def decide(
    kind: str,
    ids: tuple[str, ...],
    to: str,
    reason: str | None,
    curation: tuple[str, ...],
    processing: tuple[str, ...],
    view: str | None,
    yes: bool,
) -> None:
    """Set the decision of records by id, or of all that match, after showing how many that are."""
    running = session()
    client = client_of(running)
    if ids and (curation or processing or view):
        raise BadInput(
            "name ids or a filter, and not both",
            hint="Leave out the ids, or --curation, --processing and --view.",
        )
    if ids:
        rows = [decided(client, kind, id, to, reason) for id in ids]
        names = ("id", "outcome", "processing_status", "problem")
        show_rows(running.output, rows, names, blank=names[2:])
        if to == "Selected" and any(row["outcome"] == "unchanged" for row in rows):
            note(SELECTED_ALREADY)
        click.get_current_context().exit(REFUSED if any(row["outcome"] == "refused" for row in rows) else OK)
    where = filter_of(curation, processing, view)
    if not where:
        raise BadInput("say which records: their ids, --curation, --processing or --view")
    command = BulkCommand(
        kind,
        reason or f"{to.lower()} by filter",
        axis="curation_status",
        to=to,
        filter=RecordFilter(where=where),
    )
    preview = client.operations.preview(command)
    note(f"{preview.records:,} {kind} match; {preview.outcomes.get('moved', 0):,} would change to {to}")
    if preview.records and (yes or click.confirm("Go on?", err=True)):
        operation = client.operations.create(command)
        done = client.operations.run(operation.id)
        show_rows(
            running.output,
            [{"outcome": name, "records": number} for name, number in done.outcomes.items() if number],
            ("outcome", "records"),
        )


SELECTED_ALREADY = (
    "What is unchanged was Selected already: `interlock record retry` sends what failed back into the queue, "
    "and POST /api/v1/KIND/ID/reprocess of a service what is complete."
)


def decided(client: Client, kind: str, id: str, to: str, reason: str | None) -> dict[str, Any]:
    try:
        answer = client.move(kind, id, reason=reason, curation_status=to)
    except InterlockError as error:
        return {"id": id, "outcome": "refused", "processing_status": None, "problem": error.message}
    state = next((move.new for move in answer.driven if move.axis == "processing_status"), None)
    if answer.outcome == "unchanged":
        state = next((at.state for at in client.get(kind, id).where if at.axis == "processing_status"), None)
    return {"id": id, "outcome": answer.outcome, "processing_status": state, "problem": None}


def _decision(verb: str, to: str, help: str) -> None:
    @scraping.verb(
        verb,
        f"interlock scraping {verb} domains 7 8 9",
        f"interlock scraping {verb} pages --curation New --yes",
    )
    @KIND
    @click.argument("ids", nargs=-1, metavar="[ID...]")
    @click.option("--reason", help="Why; it is kept in the ledger.")
    @click.option(
        "--curation",
        multiple=True,
        type=click.Choice(CURATION),
        help="Instead of ids: all with this decision.",
    )
    @click.option(
        "--processing",
        multiple=True,
        metavar="STATUS",
        help="Instead of ids: all with this processing status.",
    )
    @click.option("--view", type=click.Choice(list(VIEWS)), help="Instead of ids: all of this view.")
    @click.option("--yes", is_flag=True, help="Do not ask.")
    def command(
        kind: str,
        ids: tuple[str, ...],
        reason: str | None,
        curation: tuple[str, ...],
        processing: tuple[str, ...],
        view: str | None,
        yes: bool,
    ) -> None:
        decide(kind, ids, to, reason, curation, processing, view, yes)

    command.help = help


_decision("select", "Selected", "Select records: they are queued, and visited when their turn comes.")
_decision("maybe", "Maybe", "Put records off: what is queued is taken out of the queue.")
_decision(
    "discard",
    "Discarded",
    "Discard records: what is queued is taken out of the queue, what runs is finished.",
)


@scraping.verb("run", "interlock scraping run", "interlock scraping run --for 600")
@click.option(
    "--for",
    "seconds",
    type=click.IntRange(1),
    default=None,
    help="Stop after so many seconds, however much is left.",
)
def run(seconds: int | None) -> None:
    """Visit what is queued until nothing is left; with Ctrl-C the rest stays queued."""
    running = session()
    app = running.bundled_app()
    pause, waited = threading.Event(), 0.0
    with work_here(app):
        noted = 0
        while left := waiting(app.counts()) + app.arriving():
            if left != noted:
                note(f"{left:,} to do")
            noted = left
            pause.wait(PAUSE_SECONDS)
            waited += PAUSE_SECONDS
            if seconds is not None and waited >= seconds:
                break
    rows = [
        {"kind": kind, "status": state, "records": number}
        for (kind, axis, _, state), number in app.counts().items()
        if axis == "processing_status" and kind in KINDS and state is not None and number
    ]
    show_rows(running.output, rows, ("kind", "status", "records"), empty="nothing was processed")


def waiting(counts: Any) -> int:
    """How many records are queued or processed."""
    return sum(
        number
        for (kind, axis, _, state), number in counts.items()
        if kind in KINDS and axis == "processing_status" and state in ("Queued", "Processing")
    )


@scraping.verb(
    "export", "interlock scraping export --to contacts.csv", "interlock scraping export > contacts.csv"
)
@TO
def export(target: str | None) -> None:
    """Write all contacts as CSV, safe for spreadsheets."""
    running = session()
    with open_output(target) as out:
        for line in contact_lines(running):
            out.write(line)


def contact_lines(running: Session) -> Iterator[str]:
    """The CSV file of all contacts, from the service that was named or from the app's database."""
    if running.service is not None:
        decoder = codecs.getincrementaldecoder("utf-8")()
        for piece in running.service.download("/contacts/export"):
            yield decoder.decode(piece)
        yield decoder.decode(b"", final=True)
        return
    with running.bundled_app().database.read() as tx:
        yield from write_contacts(contact_rows(tx))
