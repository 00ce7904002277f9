"""What a sweep adds: state rows of pairs, counted apart and without waiting for the next sweep, and copies that stay equal to the record's
own column."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, select, text

from interlock import Axis, Failed, Machine, Workflow, after, during
from interlock.coordinator import standing_rules
from interlock.errors import BadDeclaration, BadInput, RefusedByDatabase
from interlock.testing import Sandbox
from tests.contract.queue.test_queue_plans import BEGAN, SCOPES, articles, fill_articles
from tests.contract.recounting import figures, watching
from tests.contract.rules.test_scoped_work import subscribe, themed
from tests.contract.worked import counted, moves, said_of
from tests.contract.working import Boxed, another_runner
from tests.kinds import CURATION, domains


def test_missing_pairs_are_added_slice_by_slice_in_one_sweep_and_counted_apart(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standing_rules, "PAIRS_SLICE", 2)
    box = boxed(themed())
    subscribe(box, "one", "technical")
    box.admit_many("themes", [{"feed": "one"} for _ in range(7)])
    subscribe(box, "one", "fundamental")
    box.coordinates.sweep()
    with box.database.read() as tx:
        assert (
            tx.execute(text("SELECT count(*) FROM article_state WHERE pipeline = 'fundamental'")).scalar()
            == 7
        )
    assert [moves(box, id, "themes", axis="status", scope="fundamental") for id in (1, 7)] == [
        [(None, "pending", "article.created")]
    ] * 2
    assert (
        counted(box, "pairs.missing", "themes", "extract"),
        counted(box, "repaired", "themes", "extract"),
    ) == (7, 0)
    assert (
        figures(watching(box, {}))["interlock_stage_total"].samples[
            "themes", "extract", "fundamental", "pairs.missing"
        ]
        == 7
    )


def test_a_sweep_looks_at_every_record_in_turn(boxed: Boxed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing_rules, "PAIRS_SLICE", 2)
    box = boxed(themed())
    subscribe(box, "one", "technical")
    subscribe(box, "both", "technical", "fundamental")
    box.admit_many("themes", [{"feed": "one"} for _ in range(5)])
    box.coordinates.sweep()  # the first two lack nothing
    with box.database.engine.begin() as tx:
        tx.execute(text("UPDATE articles SET feed = 'both' WHERE id IN (1, 5)"))
    added = []
    for _ in range(4):
        box.coordinates.sweep()
        added.append(counted(box, "pairs.missing", "themes", "extract"))
    assert added == [0, 2, 2, 2]  # where one is missing the next slice is looked at, too


def test_a_rule_across_tables_reaches_every_scope_of_every_record(
    boxed: Boxed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slices end in the middle of a record's scopes; the next one begins there."""
    monkeypatch.setattr(standing_rules, "ACROSS_SLICE", 3)
    box = boxed(articles(during(curation_status="Selected").moves(status={"pending": "in_progress"})))
    fill_articles(box)
    chosen = [1, 2, 3, 4]
    with box.database.engine.connect() as tx:  # no `entering` rule follows, so only the sweep can
        for id in chosen:
            box.move("articles", id, actor="ann", curation_status="Selected", tx=tx)
        tx.commit()
    for _ in range(4):
        box.coordinates.standing.step()
    with box.database.read() as tx:
        asked = "SELECT article_id, pipeline, status FROM article_state WHERE article_id <= 5 ORDER BY article_id, pipeline"
        stands = {(row[0], row[1]): row[2] for row in tx.execute(text(asked))}
    assert stands == {
        (id, scope): "in_progress" if id in chosen else "pending" for id in range(1, 6) for scope in SCOPES
    }


def copies(box: Sandbox, id: int) -> list[Any]:
    with box.database.read() as tx:
        return [
            str(one)
            for one in tx.execute(
                text(f"SELECT published_at FROM article_state WHERE article_id = {id}")
            ).scalars()
        ]


def original(box: Sandbox, id: int) -> str:
    with box.database.read() as tx:
        return str(tx.execute(text(f"SELECT published_at FROM articles WHERE id = {id}")).scalar())


def test_a_copy_is_made_with_its_row_and_follows_the_record(boxed: Boxed, hand: Any) -> None:
    box = boxed(articles())
    fill_articles(box)
    assert copies(box, 3) == [original(box, 3)] * 2
    box.amend(
        "articles", 3, facts={"published_at": BEGAN + timedelta(days=900)}, actor="ann", reason="a wrong date"
    )
    assert copies(box, 3) == [original(box, 3)] * 2
    assert copies(box, 3)[0].startswith("2028")
    hand.run("UPDATE articles SET published_at = NULL WHERE id = 3")
    assert copies(box, 3) == ["None"] * 2
    assert [move.version for move in box.ledger.history("articles", 3, axis="status", scope="technical")] == [
        0
    ]


def test_a_copy_is_made_for_rows_that_the_sweep_adds(boxed: Boxed) -> None:
    box = boxed(articles())
    box.admit("articles", {"feed": "f", "published_at": BEGAN})
    subscribe_articles(box)
    box.coordinates.sweep()
    assert copies(box, 1) == [original(box, 1)] * 2


def subscribe_articles(box: Sandbox) -> None:
    with box.database.engine.begin() as tx:
        for scope in SCOPES:
            tx.exec_driver_sql(f"INSERT INTO feeds(feed, pipeline) VALUES ('f', '{scope}')")


def test_a_queue_goes_by_the_copy_and_two_waiting_states_are_one_order(boxed: Boxed) -> None:
    """The newest first, whether it waits for its first try or for another."""
    box = boxed(articles())
    subscribe_articles(box)
    box.admit_many(
        "articles", [{"feed": "f", "published_at": BEGAN + timedelta(hours=hours)} for hours in (3, 1, 2)]
    )
    another_runner(box, capacity=1).renew()
    box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())
    box.report("articles", 1, Failed("LATER"), scope=work_scope(box))
    box.advance("1m")
    queue = box.coordinates.stage_queues["articles.extract"].queue
    for scope in SCOPES:
        with box.database.write() as tx:
            assert [(one.seen.key, one.seen.states[0]) for one in queue.due(tx, scope, 10)][1:] == [
                (3, "pending"),
                (2, "pending"),
            ]
            assert [one.seen.key for one in queue.due(tx, scope, 1)] == [1]


def work_scope(box: Sandbox) -> str:
    with box.database.read() as tx:
        return str(tx.execute(text("SELECT scope FROM interlock_work")).scalar())


def test_copies_are_of_the_record_and_for_scoped_axes_only() -> None:
    records = domains().records
    with pytest.raises(BadDeclaration, match="scoped"):
        Axis("curation_status", CURATION, copies={"host": records.c.host})


def test_what_failed_and_was_discarded_is_not_due(boxed: Boxed) -> None:
    """A rule keeps it from going back: nobody is late with it, and no alert is due."""
    box = boxed(domains())
    watch = watching(box, {})
    box.admit("domains", {"host": "a"})
    box.move("domains", 1, actor="ann", curation_status="Selected")
    box.coordinates.step()
    assert box.runs is not None
    box.runs.renew()
    box.coordinates.dispatcher.step(box.coordinates.stage_queues.values())
    box.report("domains", 1, Failed("TIMEOUT"))
    box.move("domains", 1, actor="ann", curation_status="Discarded")
    box.advance("30m")
    box.coordinates.sweep()
    row = box.get("domains", 1)
    assert (row["processing_status"], row["curation_status"]) == ("Failed", "Discarded")
    assert moves(box, 1, "domains", axis="processing_status")[-1][:2] == ("Processing", "Failed")
    told = figures(watch)
    assert [
        told[f"interlock_{name}_age_seconds"].samples["domains", "domain", ""] for name in ("due", "retry")
    ] == [0, 0]
    box.move("domains", 1, actor="ann", curation_status="Maybe")
    with box.database.read() as tx:
        assert box.coordinates.stage_queues["domains.domain"].queue.oldest(tx, box.clock.now()) == {}


def test_pairs_that_came_later_are_added_at_once_with_who_and_why(boxed: Boxed) -> None:
    box = boxed(themed())
    subscribe(box, "one", "technical")
    ids = [one.id for one in box.admit_many("themes", [{"feed": "one"} for _ in range(3)])]
    subscribe(box, "one", "fundamental")
    pairs = [(id, "fundamental") for id in ids]
    assert box.add_scopes("themes", pairs, actor="olga", reason="it feeds both") == 3
    assert box.add_scopes("themes", pairs, actor="olga", reason="again") == 0
    assert box.add_scopes("themes", [], actor="olga") == 0
    for id in ids:
        (entry,) = box.ledger.history("themes", id, axis="status", scope="fundamental")
        assert (entry.old, entry.new, entry.version, entry.actor, entry.reason) == (
            None,
            "pending",
            0,
            "olga",
            "it feeds both",
        )
    box.coordinates.sweep()
    assert counted(box, "pairs.missing", "themes", "extract") == 0
    assert box.counts()["themes", "status", "fundamental", "pending"] == 3
    with pytest.raises(BadInput):
        box.add_scopes("themes", [(ids[0], "astrological")], actor="olga")
    with pytest.raises(RefusedByDatabase):
        box.add_scopes("themes", [(999, "fundamental")], actor="olga")
    subscribe(box, "two", "technical")
    with box.database.write() as tx:
        late = box.admit("themes", {"feed": "two"}, tx=tx).id
        assert box.add_scopes("themes", [(late, "fundamental")], actor="olga", tx=tx) == 1
    assert box.counts()["themes", "status", "fundamental", "pending"] == 4


def offers(*, refuses: int | None = None) -> Workflow:
    """Offers with a state for each region that ordered them; the orders know nothing of offers that are gone."""
    metadata = MetaData()
    records = Table("offers", metadata, Column("id", Integer, primary_key=True), Column("title", String(20)))
    orders = Table("orders", metadata, Column("offer", Integer), Column("region", String(20)))
    states = Table(
        "offer_state",
        metadata,
        Column("offer", ForeignKey("offers.id"), primary_key=True),
        Column("region", String(20), primary_key=True),
    )
    machine = Machine("offer", initial="open", moves={"open": [after("1h", "late")], "late": []})
    axis = Axis(
        "status",
        machine,
        table=states,
        scope=("north", "south"),
        scope_column="region",
        pairs=select(orders.c.offer, orders.c.region),
    )
    workflow = Workflow("offers", noun="offer", records=records, axes=[axis], tables=[orders])

    @workflow.on_move("open")
    def mind(tx: Any, begun: Any) -> None:
        if any(move.id == refuses for move in begun):
            raise ValueError("not this one")

    return workflow


def order(box: Sandbox, *ids: int, region: str = "north") -> None:
    with box.database.engine.begin() as tx:
        for id in ids:
            tx.execute(
                text("INSERT INTO orders(offer, region) VALUES (:id, :region)"), {"id": id, "region": region}
            )


def states_of_offers(box: Sandbox) -> list[tuple[int, str]]:
    with box.database.read() as tx:
        return [
            tuple(row) for row in tx.execute(text("SELECT offer, status FROM offer_state ORDER BY offer"))
        ]


def test_a_pair_that_is_refused_stops_no_other_and_timers_go_on(boxed: Boxed, whole: Any) -> None:
    box = boxed(offers(refuses=2))
    order(box, 3)
    box.admit_many("offers", [{"id": id} for id in (1, 2, 3)])
    assert states_of_offers(box) == [(3, "open")]
    order(box, 1, 2)
    box.advance("1h")
    for _ in range(3):
        box.advance("1s")
        box.coordinates.sweep()
    assert states_of_offers(box) == [(1, "open"), (3, "late")]
    assert said_of(box, "2", "offers") == [("refused", "ILK-214")], "recorded once"
    assert moves(box, 1, "offers", axis="status", scope="north") == [(None, "open", "offer.created")]
    whole(box)


def test_a_pair_of_a_record_that_is_gone_makes_no_state_row(boxed: Boxed, whole: Any) -> None:
    box = boxed(offers())
    order(box, 1, 2, 77)
    box.admit_many("offers", [{"id": 1}, {"id": 2}])
    box.erase("offers", 1, actor="ann", role="admin", reason="asked to")
    order(box, 2, region="south")
    box.coordinates.sweep()
    assert states_of_offers(box) == [(2, "open"), (2, "open")]
    assert (said_of(box, "1", "offers"), said_of(box, "77", "offers")) == ([], [])
    whole(box)
