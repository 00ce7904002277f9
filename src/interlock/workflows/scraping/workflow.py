"""The scraping workflows as declarations: four kinds of records, each with what people decided and what the system does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Column, Table

from interlock import Axis, Done, Extension, Machine, Outcome, Work, Workflow, during, entering, leaving

from .contacts.mail_domains import UNKNOWN
from .options import Options, read_options
from .stage_queries import are_first_at_host, count_other_domains, is_free_host, read_turns
from .stages import read_sitemap_file, visit, visit_domain, visit_page
from .tables import contacts, domains, index_statuses, pages, sitemap_files
from .verifying import verify_contact
from .visitor import Visitors
from .web.fetching import FetchLimits

CURATION = Machine(
    "curation",
    initial="New",
    states=["New", "Selected", "Maybe", "Discarded"],
    aliases={"Not a Fit": "Discarded", "Archived": "Discarded", "Skipped": "Discarded"},
)
PROCESSING = Machine(
    "processing",
    initial=None,
    moves={
        None: ["Queued"],
        "Queued": ["Processing", None],
        "Processing": ["Complete", "Failed"],
        "Failed": ["Queued"],
        "Complete": ["Queued"],
    },
    aliases={"Error": "Failed"},
)
BATCHES = {"domains": 10, "sitemap-files": 20, "pages": 10, "contacts": 50}
"""How many of each kind begin in one cycle."""
WAITING_LEVEL = {"leave": "Queued", "within": "5m", "share": 99}
RUNNING_LEVEL = {"leave": "Processing", "within": "30m", "share": 99}


def declare(
    options: Options | None = None, limits: FetchLimits | None = None, *, continuous: bool = False
) -> list[Workflow]:
    """The four workflows; without options those of this process's settings. `continuous`: work goes on all the time where no setting
    names a cycle."""
    return _Declared(options or read_options(continuous=continuous), limits).workflows


class _Declared:
    """The workflows and their stages."""

    def __init__(self, options: Options, limits: FetchLimits | None) -> None:
        self.options, self.visitors = options, Visitors(options, limits)
        self.domains = self._kind("domains", "domain", domains, [domains.c.host])
        self.sitemap_files = self._kind(
            "sitemap-files", "sitemap file", sitemap_files, [sitemap_files.c.domain_id, sitemap_files.c.url]
        )
        self.pages = self._kind("pages", "page", pages, [pages.c.domain_id, pages.c.url])
        self.contacts = self._kind(
            "contacts", "contact", contacts, [contacts.c.domain_id, contacts.c.contact_key]
        )
        self._visiting_stages()
        self._contact_stage()

    @property
    def workflows(self) -> list[Workflow]:
        return [self.domains, self.sitemap_files, self.pages, self.contacts]

    def _kind(self, name: str, noun: str, table: Table, unique: Sequence[Column[Any]]) -> Workflow:
        workflow = Workflow(
            name,
            noun=noun,
            records=table,
            unique=unique,
            axes=[
                Axis("curation_status", CURATION, prefix="curation_"),
                Axis(
                    "processing_status",
                    PROCESSING,
                    prefix="processing_",
                    columns={"error_message": "processing_error"},
                    stamps={"Queued": "queued_at"},
                    moved_by="stages",
                ),
            ],
            rules=[
                entering(curation_status="Selected").moves(
                    processing_status={None: "Queued", "Failed": "Queued", "Complete": "Queued"}
                ),
                leaving(curation_status="Selected").moves(processing_status={"Queued": None}),
                during(curation_status="Selected").moves(processing_status={None: "Queued"}),
                entering(processing_status={"Queued", "Processing"}).requires(curation_status="Selected"),
            ],
            extension=Extension(
                routes="interlock.workflows.scraping.api.routes:routes",
                levels={f"{name}_waiting": WAITING_LEVEL, f"{name}_running": RUNNING_LEVEL},
                commands={"scraping": "interlock.workflows.scraping.commands.noun:scraping"}
                if name == "domains"
                else {},
            ),
        )
        index_statuses(table)
        return workflow

    def _stage(self, workflow: Workflow, **more: Any) -> Callable[[Callable[..., Any]], Any]:
        return workflow.stage(
            axis="processing_status",
            waiting="Queued",
            running="Processing",
            done="Complete",
            failed="Failed",
            retry=self.options.retry,
            rate=self.options.batch(BATCHES[workflow.name]),
            deadline="2h",
            **more,
        )

    def _visiting_stage(
        self, workflow: Workflow, table: Table, *, timeout: str
    ) -> Callable[[Callable[..., Any]], Any]:
        """A stage that visits the host of its records: one of them at a time, at the rate, and while no other kind is at that host."""
        host = table.c.host
        return self._stage(
            workflow,
            per_key=(host, 1),
            rate_per=(host, self.options.rate),
            only_if=is_free_host(table),
            timeout=timeout,
        )

    def _visiting_stages(self) -> None:
        options, visitors = self.options, self.visitors

        @self._visiting_stage(self.domains, domains, timeout="10m")
        async def domain(work: Work, is_first: bool) -> Outcome[None]:
            return await visit(work, visitors.here(), is_first, partial(visit_domain, options=options))

        @self._visiting_stage(self.sitemap_files, sitemap_files, timeout="30m")
        async def sitemap_file(work: Work, turn: tuple[bool, str]) -> Outcome[None]:
            is_first, site = turn
            return await visit(work, visitors.here(), is_first, partial(read_sitemap_file, site=site))

        @self._visiting_stage(self.pages, pages, timeout="5m")
        async def page(work: Work, is_first: bool) -> Outcome[None]:
            return await visit(work, visitors.here(), is_first, visit_page)

        for stage, table in ((domain, domains), (page, pages)):
            stage.load_many(partial(are_first_at_host, table))
        sitemap_file.load_many(read_turns)

    def _contact_stage(self) -> None:
        options, visitors = self.options, self.visitors

        @self._stage(self.contacts, timeout="1m")
        async def contact(work: Work, others: int) -> Outcome[None]:
            host = str(work.record["email"] or "").rpartition("@")[2]
            checked = UNKNOWN
            if host and options.check_mail_domains:
                checked = await visitors.here().mail_domains.check(host)
            return Done(verification=verify_contact(work.record, others, checked))

        contact.load_many(count_other_domains)
