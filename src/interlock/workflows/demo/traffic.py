"""Traffic makes the demo move: a first load of records, then a little more every second, all of it by what anybody may call."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random
from typing import Any

from sqlalchemy import insert, select

from interlock import App
from interlock.errors import InterlockError
from interlock.workflows.statements.uploads.receiving import receive

from ..content import acts
from ..content.reading import list_items
from ..themes.tables import content_sources
from .documents import make_document
from .silent import SilentRunner
from .sites import site_of, town_host
from .words import ARTICLES, DRAFTS, REPLACEMENT, SITES, Draft

log = logging.getLogger("interlock.demo")
PACE = 1.0
"""Seconds between two steps."""
UPLOADS, TOWN_SITES, ITEMS = 16, 24, 24
KEPT_NEW, KEPT_FOR_REVIEW, KEPT_HELD = 30, 6, 12
"""So many sites stay undecided, so many items unreviewed and so many held by a gate, for whoever looks."""
PEOPLE = ("ana", "ben", "luca")


class Traffic:
    """Acts on an app; the same seed acts in the same order. What is there already is left as it is."""

    def __init__(self, app: App, seed: int = 1) -> None:
        self.app, self.chance, self.turn = app, Random(seed), 0
        self.uploaded = self.items = self.towns = self.drafted = 0
        self.first_rule = ""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._silent = SilentRunner(app)

    def start(self) -> None:
        """Load the first records and go on in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="interlock-demo-traffic", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End it; waits for the step that is under way."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(10)

    def _run(self) -> None:
        self.load()
        while not self._stop.wait(PACE):
            self.step()

    def load(self) -> None:
        """Make the first records of every workflow."""
        for part in (
            self.add_sites,
            self.add_sources,
            self.draft_all,
            self.upload_first,
            self.add_first_items,
        ):
            if self._stop.is_set():
                return
            with goes_on(part.__name__):
                part()

    def step(self) -> None:
        """Do a little of everything; which part, follows from the turn."""
        self.turn += 1
        parts: dict[int, tuple[Callable[[], None], ...]] = {
            2: (self.upload,),
            3: (self.add_items, self.decide, self.promote_some),
            5: (self.add_town,),
            7: (self.review_some,),
            8: (self.try_in_vain,),
            10: (self.lose_a_runner,),
            12: (self.draft_again,),
            20: (self.seal,),
        }
        for every, some in parts.items():
            if self.turn % every == 0:
                for part in some:
                    with goes_on(part.__name__):
                        part()

    def seal(self) -> None:
        """Seal what was committed so far, so that pages have a seal to show."""
        self.app.ledger.seal()

    # -- scraping

    def add_sites(self) -> None:
        """Add the invented sites, and decide about some of them."""
        rows = [
            {
                "host": site.host,
                "url": f"http://{site.host}/",
                "title": site.title,
                "description": site.text,
                "created_at": self.app.clock.now(),
            }
            for site in SITES
        ]
        rows += [self._town_row() for _ in range(TOWN_SITES)]
        self.app.admit_many("domains", rows, actor="ben", reason="directory import")
        for _ in range(14):
            self.decide()

    def _town_row(self) -> dict[str, Any]:
        host = town_host(self.towns)
        site = site_of(host)
        self.towns += 1
        return {
            "host": host,
            "url": f"http://{host}/",
            "title": site.title if site else None,
            "created_at": self.app.clock.now(),
        }

    def add_town(self) -> None:
        """Add one more site."""
        self.app.admit("domains", self._town_row(), actor="directory-feed")

    def decide(self) -> None:
        """Decide about one record of each kind that people curate, while enough are left for others."""
        for kind, least in (
            ("domains", KEPT_NEW),
            ("sitemap-files", 2),
            ("pages", KEPT_NEW),
            ("contacts", 4),
        ):
            rows = self.app.list(kind, where={"curation_status": "New"}, limit=least + 20).records
            if len(rows) > least:
                to = self.chance.choices(("Selected", "Maybe", "Discarded"), (7, 1, 2))[0]
                self.app.move(
                    kind, self.chance.choice(rows).id, actor=self.chance.choice(PEOPLE), curation_status=to
                )

    def lose_a_runner(self) -> None:
        """Select a site and have it taken by a runner that is never heard of again."""
        rows = self.app.list("domains", where={"curation_status": "New"}, limit=20).records
        for one in rows[:3]:
            self.app.move("domains", one.id, actor="ana", curation_status="Selected")
            if self._silent.claim_one():
                return

    # -- content

    def draft_all(self) -> None:
        """Submit every draft once, and have the gates judge it."""
        for draft in DRAFTS:
            submitted = self._draft(draft)
            if draft.item_type == "rule" and not self.first_rule:
                self.first_rule = submitted

    def _draft(self, draft: Draft, **more: Any) -> str:
        self.drafted += 1
        item_id = f"{draft.language}-{draft.item_type[:3].upper()}-{self.drafted:04d}"
        acts.submit(
            self.app,
            actor=draft.author,
            item_id=item_id,
            item_type=draft.item_type,
            language=draft.language,
            level=draft.level,
            payload=dict(draft.payload),
            confidence=draft.confidence,
            source="corpus" if draft.author == "corpus" else None,
            **more,
        )
        return item_id

    def draft_again(self) -> None:
        """Submit a new version of a draft, told apart by its number, while there are not too many, and not too many that a gate holds."""
        candidates = list_items(self.app, state="CANDIDATE", limit=60).rows
        held = sum(row["error_code"] is not None for row in candidates)
        if self.drafted < 200 and held < KEPT_HELD:
            draft = self.chance.choice(DRAFTS[:10])
            text = next(name for name in ("definition", "explanation", "prompt") if name in draft.payload)
            payload = {
                **draft.payload,
                text: f"{draft.payload[text]} {self.chance.choice(('Bis.', 'Ter.', 'Due.', 'Dve.'))}",
            }
            self._draft(draft._replace(payload=payload))

    def promote_some(self) -> None:
        """Take drafts and candidates one step further."""
        for state, most in (("DRAFT", 5), ("CANDIDATE", 5)):
            rows = [
                row for row in list_items(self.app, state=state, limit=60).rows if row["error_code"] is None
            ]
            some = self.chance.sample(rows, min(most, len(rows)))
            for row in some + [row for row in rows if row["item_id"] == self.first_rule and row not in some]:
                with goes_on("promote"):
                    acts.promote(self.app, row["item_id"], actor=row["author"])

    def review_some(self) -> None:
        """Review one validated item, while enough are left for others. The first rule comes first: once it is approved, its author
        proposes to replace it."""
        listed = self.app.list(
            "content", where={"state": "VALIDATED"}, columns=("replaces",), limit=60
        ).records
        proposed = {one.id for one in listed if one.columns["replaces"]}
        rows = list_items(self.app, state="VALIDATED", limit=60).rows
        rows = [row for row in rows if row["item_id"] not in proposed]
        first = [row for row in rows if row["item_id"] == self.first_rule]
        if not first and len(rows) <= KEPT_FOR_REVIEW:
            return
        row = (first or [self.chance.choice(rows)])[0]
        acts.approve(self.app, row["item_id"], actor="luca", role="operator", notes="read and good")
        if first:
            self._draft(REPLACEMENT, replaces=self.first_rule)

    def try_in_vain(self) -> None:
        """Ask for what is not allowed, as people and old scripts do: an author approves their own, an import skips the parser."""
        own = [
            row for row in list_items(self.app, state="VALIDATED", limit=60).rows if row["author"] == "mira"
        ]
        if own and self.turn % 16 == 0:
            acts.approve(self.app, own[0]["item_id"], actor="mira", role="operator")
        failed = self.app.list("statements", where={"status": "error"}, limit=20).records
        if failed:
            chosen = self.chance.choice(failed).id
            self.app.move("statements", chosen, actor="legacy-import", status="normalized")

    # -- statements

    def upload_first(self) -> None:
        """Upload the first statements."""
        for _ in range(UPLOADS):
            with goes_on("upload"):
                self.upload()

    def upload(self) -> None:
        """Upload the next statement."""
        document = make_document(self.uploaded)
        self.uploaded += 1
        with self.app.files.receive() as file:
            file.write(document.content)
            receive(
                self.app,
                self.app.workflow("statements"),
                file,
                document.name,
                None,
                actor=self.chance.choice(PEOPLE),
            )

    # -- themes

    def add_sources(self) -> None:
        """Add two sources: one feeds both pipelines, one only the technical one."""
        sources = (("The Market Wire", ["technical", "fundamental"]), ("Charts and Candles", ["technical"]))
        with self.app.database.write() as tx:
            known = set(tx.execute(select(content_sources.c.name)).scalars())
            for name, pipelines in sources:
                if name not in known:
                    tx.execute(
                        insert(content_sources).values(name=name, source_type="news", pipelines=pipelines)
                    )

    def add_first_items(self) -> None:
        """Add the first articles."""
        for _ in range(ITEMS):
            self.add_items()

    def add_items(self) -> None:
        """Add the next article."""
        number = self.items
        self.items += 1
        title, text = ARTICLES[number % len(ARTICLES)]
        with self.app.database.read() as tx:
            sources = tx.execute(select(content_sources.c.id).order_by(content_sources.c.id)).scalars().all()
        row = {
            "source_id": sources[1 if number % 4 == 3 else 0],
            "source_type": "news",
            "external_id": f"demo-{number}",
            "title": title,
            "content": f"{text} Edition {number}.",
            "url": f"http://market-wire.example/{number}",
            "author": "The desk",
            "published_at": self.app.clock.now() - timedelta(minutes=number),
        }
        self.app.admit("themes", row, actor="feed")


@contextmanager
def goes_on(what: str) -> Iterator[None]:
    """Whatever one act is refused for, the next ones are made: duplicates and lost races are part of the play."""
    try:
        yield
    except InterlockError as error:
        log.debug("the demo goes on after %s: %s", what, error)
