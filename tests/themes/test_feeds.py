"""Feeds and files become items; what cannot be read is named and hides nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from interlock.workflows.themes.feeds.item import BadItem, read_instant, read_item
from interlock.workflows.themes.feeds.reading import read_items

RSS = b"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>News</title>
<item><title>Gold rises</title><link>https://news.example/1</link><guid>n-1</guid><author>a@b.example (Ann)</author>
<pubDate>Tue, 03 Mar 2026 10:00:00 +0100</pubDate><description>short</description>
<content:encoded><![CDATA[<p>Gold &amp; silver rose.</p>]]></content:encoded></item>
<item><title>No guid</title><link>https://news.example/2</link></item>
<item></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><entry><id>urn:1</id><title>One</title>
<updated>2026-03-01T00:00:00Z</updated><link href="https://a.example/"/><summary>Text</summary></entry></feed>"""


def test_an_rss_feed_becomes_items_with_their_instants_in_utc() -> None:
    reading = read_items(RSS, "feed.xml")
    first, second = reading.items
    assert (first.external_id, first.title, first.url) == ("n-1", "Gold rises", "https://news.example/1")
    assert first.content == "<p>Gold &amp; silver rose.</p>"
    assert first.published_at == datetime(2026, 3, 3, 9, tzinfo=UTC)
    assert (second.external_id, second.published_at) == ("https://news.example/2", None)
    assert len(reading.problems) == 1


def test_an_atom_feed_is_recognised_without_a_name() -> None:
    (item,) = read_items(ATOM).items
    assert (item.external_id, item.content) == ("urn:1", "Text")
    assert item.published_at == datetime(2026, 3, 1, tzinfo=UTC)


def test_json_lines_keep_what_is_good_and_name_what_is_not() -> None:
    reading = read_items(
        b'{"external_id": "1", "title": "A"}\n{broken\n\n[1]\n{"external_id": 2, "published_at": "2026-01-02"}\n{}\n'
    )
    assert [(one.external_id, one.title) for one in reading.items] == [("1", "A"), ("2", "")]
    assert [one.split(":")[0] for one in reading.problems] == ["line 2", "line 4", "line 6"]


def test_a_csv_file_is_read_by_its_column_names() -> None:
    reading = read_items(b'Title,Content,external_id\r\nA,"x, y\nz",1\r\nB,,1\r\n', "a.csv")
    assert [(one.external_id, one.title) for one in reading.items] == [("1", "A"), ("1", "B")]
    assert read_items(b"a,b\n1,2\n", "a.csv").problems == [
        "no column is called external_id, url, title or content"
    ]


@pytest.mark.parametrize(
    "date", ["0000-00-00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "yesterday", ""]
)
def test_an_entry_whose_date_is_no_instant_is_an_item_without_one_and_hides_no_other(date: str) -> None:
    feed = RSS.replace(b"Tue, 03 Mar 2026 10:00:00 +0100", date.encode())
    assert [(one.external_id, one.published_at) for one in read_items(feed).items] == [
        ("n-1", None),
        ("https://news.example/2", None),
    ]


@pytest.mark.parametrize("name", ["", "feed.xml", "a.csv"])
def test_what_has_nothing_in_it_is_called_so_whatever_its_name(name: str) -> None:
    assert read_items(b"\xef\xbb\xbf\n", name).problems == ["nothing is in it"]


@pytest.mark.parametrize("reference", ["&#55357;&#56832;", "&#xD800;", "&#1114112;", "&#0;"])
def test_a_reference_to_no_character_hides_nothing_of_a_feed(reference: str) -> None:
    reading = read_items(RSS.replace(b"Gold rises", f"Gold {reference} rises".encode()))
    assert [one.external_id for one in reading.items] == ["n-1", "https://news.example/2"]
    assert reading.items[0].title.replace("\ufffd", "").split() == ["Gold", "rises"]


def test_a_feed_on_which_the_parser_fails_is_a_problem_and_raises_nothing() -> None:
    point = b"<gml:posList>1</gml:posList><title>Gold rises</title>"
    reading = read_items(RSS.replace(b"<title>Gold rises</title>", point), "feed.xml")
    assert (reading.items, reading.problems) == ([], ["no feed: KeyError"])


@pytest.mark.parametrize(
    "content", [b"", b"<html><body>no feed</body></html>", b"\xff\xfe\x00", b"[1, 2", b"<" * 1000]
)
def test_what_is_no_feed_has_problems_and_no_items(content: bytes) -> None:
    reading = read_items(content)
    assert reading.items == []
    assert reading.problems


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", b'{"external_id": "1", "title": "First"}\n{"external_id": "1", "title": "Second"}'),
        ("a.csv", b"external_id,title\n1,First\n1,Second\n"),
    ],
)
def test_an_identity_that_is_met_again_is_kept_apart_so_that_the_first_one_wins(
    name: str, content: bytes
) -> None:
    assert [one.title for one in read_items(content, name).items] == ["First", "Second"]


def test_a_long_field_of_a_csv_file_hides_no_row_behind_it() -> None:
    long = "x" * 200_000
    reading = read_items(f"external_id,content\n1,{long}\n2,short\n".encode(), "a.csv")
    assert ([len(one.content) for one in reading.items], reading.problems) == ([200_000, 5], [])


def test_a_text_without_identity_is_identified_by_its_hash_and_long_ids_too() -> None:
    assert read_item({"title": "A"}).external_id == read_item({"title": "A"}).external_id
    assert read_item({"title": "A"}).external_id.startswith("sha256:")
    assert len(read_item({"external_id": "x" * 900}).external_id) <= 500
    with pytest.raises(BadItem):
        read_item({"external_id": "1", "published_at": "soon"})
    assert read_instant(0) == datetime(1970, 1, 1, tzinfo=UTC)
