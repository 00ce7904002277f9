"""Sitemaps of every kind and quality give the pages that are in them."""

from __future__ import annotations

import gzip

import pytest

from interlock.workflows.scraping.sitemaps.reading import MOST_URLS, Sitemap, read_sitemap
from interlock.workflows.scraping.sitemaps.triage import judge_page
from interlock.workflows.scraping.web.faults import FetchFault

URL = "https://a.com/sitemap.xml"
XMLNS = b'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
GOOD = (
    b'<?xml version="1.0" encoding="UTF-8"?><urlset '
    + XMLNS
    + b' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">'
    b"<url><loc> https://a.com/1?a=1&amp;b=2 </loc><image:image><image:loc>https://a.com/i.png</image:loc></image:image></url>"
    b"<url><lastmod>2024</lastmod><loc><![CDATA[https://a.com/2]]></loc></url><url><loc>/relative</loc></url>"
    b"<url><loc>javascript:alert(1)</loc></url><url><loc>https://a.com/2</loc></url></urlset>"
)
PAGES = ["https://a.com/1?a=1&b=2", "https://a.com/2", "https://a.com/relative"]


def read(content: bytes) -> Sitemap:
    return read_sitemap(content, URL)


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        b"\xef\xbb\xbf" + GOOD,
        b"\n \n" + GOOD,
        gzip.compress(GOOD),
        gzip.compress(gzip.compress(GOOD)),
        gzip.compress(GOOD) + b"trailing rubbish",
        GOOD.replace(b'encoding="UTF-8"', b"").decode().encode("utf-16"),
        GOOD.replace(XMLNS, b""),
        GOOD.replace(XMLNS, b'xmlns="https://www.sitemaps.org/schemas/sitemap/0.9/"'),
        GOOD.replace(b"&amp;", b"&"),
    ],
    ids=[
        "plain",
        "mark",
        "blank lines",
        "packed",
        "packed twice",
        "rubbish behind",
        "UTF-16",
        "no namespace",
        "another namespace",
        "stray &",
    ],
)
def test_a_list_of_pages_is_read_however_it_is_written(content: bytes) -> None:
    sitemap = read(content)
    assert (sitemap.kind, sitemap.pages, sitemap.skipped) == ("urlset", PAGES, 1)


@pytest.mark.parametrize(
    "content",
    [
        b"<br />\n<b>Warning</b>: session_start() in /var/www/x.php on line 3<br />\n" + GOOD,
        b"Notice: Undefined index\n" + GOOD,
        GOOD.replace(b"UTF-8", b"UTF-16"),
        GOOD.replace(b"UTF-8", b"utf8mb4"),
        GOOD.replace(b"UTF-8", b"UTF-16").decode().encode("utf-16-le"),
        GOOD.replace(b"UTF-8", b"UTF-16").decode().encode("utf-16-be"),
        GOOD.replace(b"/2]", b"/2\x0b]"),
        GOOD.replace(b">https://a.com/2<", b">a.com/2<"),
        GOOD.replace(b"<loc> https://a.com/1", b"<loc> www.a.com/1"),
        b"<!DOCTYPE html><html><head></head><body>" + GOOD.partition(b"?>")[2] + b"</body></html>",
        GOOD.replace(b"[https://a.com/2]", "[\ufeffhttps://a.com/2\u200b]".encode()),
    ],
    ids=[
        "warnings before",
        "a notice before",
        "says UTF-16",
        "says what nobody knows",
        "UTF-16 without a mark",
        "UTF-16, big end first",
        "control characters",
        "no scheme",
        "www and no scheme",
        "in a web page",
        "marks round an address",
    ],
)
def test_what_servers_do_to_a_file_does_not_hide_its_pages(content: bytes) -> None:
    sitemap = read(content)
    pages = [page.replace("//www.", "//") for page in sitemap.pages]
    assert (sitemap.kind, pages, sitemap.skipped) == ("urlset", PAGES, 1)


def test_broken_markup_hides_no_address() -> None:
    unclosed = read(b"<urlset><url><loc>https://a.com/1</url><url><loc>https://a.com/2</loc></url></urlset>")
    assert (set(unclosed.pages), unclosed.is_broken) == ({"https://a.com/1", "https://a.com/2"}, True)
    two = read(
        b"<urlset><url><loc>https://a.com/1</loc></url></urlset><urlset><url><loc>https://a.com/2</loc></url></urlset>"
    )
    assert two.pages == ["https://a.com/1", "https://a.com/2"]
    index = read(b"<sitemapindex><sitemap><loc>https://a.com/s.xml</sitemap></sitemapindex>")
    assert (index.kind, index.sitemaps, index.pages) == ("index", ["https://a.com/s.xml"], [])


def test_bytes_of_an_older_encoding_are_read_among_utf8() -> None:
    content = "<urlset><url><loc>https://a.com/café</loc></url></urlset>".encode("latin-1")
    for text in (content, b'<?xml version="1.0" encoding="UTF-8"?>' + content):
        assert read(text).pages == ["https://a.com/caf%C3%A9"]


def test_a_file_that_is_cut_gives_what_is_whole() -> None:
    cut = read(GOOD[: GOOD.index(b"[https://a.com/2]") + 10])
    assert (cut.pages, cut.is_broken) == (PAGES[:1], True)
    packed = gzip.compress(GOOD * 1)
    assert read(packed[:-20]).pages[:1] == PAGES[:1]


def test_an_index_gives_sitemaps_and_feeds_give_their_items() -> None:
    index = read(
        b"<sitemapindex><sitemap><loc>https://a.com/s1.xml.gz</loc></sitemap><sitemap><loc>s2.xml</loc></sitemap></sitemapindex>"
    )
    assert (index.kind, index.sitemaps, index.pages) == (
        "index",
        ["https://a.com/s1.xml.gz", "https://a.com/s2.xml"],
        [],
    )
    rss = read(
        b"<rss version='2.0'><channel><link>https://a.com</link><item><link>https://a.com/p1</link></item>"
        b"<item><guid>https://a.com/p2</guid></item><item><guid isPermaLink='false'>77</guid></item></channel></rss>"
    )
    assert (rss.kind, rss.pages) == ("rss", ["https://a.com/p1", "https://a.com/p2"])
    atom = read(
        b"<feed xmlns='http://www.w3.org/2005/Atom'><link href='https://a.com'/><entry><link rel='self' href='https://a.com/self'/>"
        b"<link href='https://a.com/e1'/></entry></feed>"
    )
    assert (atom.kind, atom.pages) == ("atom", ["https://a.com/e1"])
    text = read("\ufeffhttps://a.com/1\r\n# a remark\nhttps://a.com/2  \nnope\n".encode())
    assert (text.kind, text.pages, text.skipped) == ("text", ["https://a.com/1", "https://a.com/2"], 1)


@pytest.mark.parametrize(
    ("content", "kind", "found"),
    [
        (
            b"<urlset><url><loc>https://a.com/1</loc><loc>https://a.com/2</loc></url></urlset>",
            "urlset",
            ["/1", "/2"],
        ),
        (b"<sitemapindex><url><loc>https://a.com/1</loc></url></sitemapindex>", "urlset", ["/1"]),
        (
            b"<urlset><url><loc>https://a.com/1?n=caf&eacute;</loc></url></urlset>",
            "urlset",
            ["/1?n=caf%C3%A9"],
        ),
        (b"<urlset><url><loc>https://a.com/1?a=1&amp;amp;b=2</loc></url></urlset>", "urlset", ["/1?a=1&b=2"]),
        (b"<urlset><url><loc>https://a.com/1?a=1&copy=2</loc></url></urlset>", "urlset", ["/1?a=1&copy=2"]),
        (
            b"<rss><channel><item><link>https://feeds.b.com/~r/1</link><o:origLink xmlns:o='o'>https://a.com/1</o:origLink></item></channel></rss>",
            "rss",
            ["/1"],
        ),
        (b'<x:urlset xmlns:x="y"><x:url><x:loc>https://a.com/1</x:loc></x:url></x:urlset>', "urlset", ["/1"]),
        (b"<URLSET><URL><LOC>HTTPS://A.COM/1</LOC></URL></URLSET>", "urlset", ["/1"]),
        (
            b"<urlset><url><!-- <loc>https://a.com/0</loc> --><loc>\n //a.com/1 \n</loc></url></urlset>",
            "urlset",
            ["/1"],
        ),
    ],
    ids=[
        "two in one",
        "pages in an index",
        "named letter",
        "escaped twice",
        "no letter",
        "counted",
        "prefix",
        "capitals",
        "remark",
    ],
)
def test_what_is_clear_is_read_though_it_is_written_wrongly(
    content: bytes, kind: str, found: list[str]
) -> None:
    sitemap = read(content)
    assert (sitemap.kind, sitemap.pages) == (kind, [f"https://a.com{path}" for path in found])


def test_a_line_that_goes_on_behind_a_host_is_no_address() -> None:
    sitemap = read(b"https://a.com/1 2024-05-01\nwww.a.com/2\nwww.a.com/3 is closed\n")
    assert sitemap.pages == ["https://a.com/1", "https://www.a.com/2"]
    assert sitemap.skipped == 1


def test_an_empty_list_is_no_fault() -> None:
    assert read(b"<urlset/>").pages == []


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "NOT_A_SITEMAP"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "NOT_A_SITEMAP"),
        (b"<html><body><pre>&lt;urlset></pre><rss><item></item></rss></body></html>", "NOT_A_SITEMAP"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "NOT_A_SITEMAP"),
        (b"nothing here is an address", "NOT_A_SITEMAP"),
        (b'["https://a.com/1"]', "NOT_A_SITEMAP"),
        (b"<", "NOT_A_SITEMAP"),
        (
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
            "ENTITIES",
        ),
        (
            b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>&a;</loc></url></urlset>',
            "ENTITIES",
        ),
        (b"\x1f\x8brubbish", "BAD_ENCODING"),
    ],
)
def test_what_is_no_sitemap_has_a_code(content: bytes, code: str) -> None:
    assert_refused(content, code)


def test_what_is_too_large_once_unpacked_has_a_code() -> None:
    assert_refused(gzip.compress(b"0" * 200_000_000, 1), "TOO_LARGE")


def assert_refused(content: bytes, code: str) -> None:
    with pytest.raises(FetchFault) as caught:
        read(content)
    assert (caught.value.code, caught.value.is_final) == (code, True)


def test_more_addresses_than_the_protocol_allows_are_counted() -> None:
    many = (
        b"<urlset>"
        + b"".join(b"<url><loc>https://a.com/%d</loc></url>" % number for number in range(MOST_URLS + 7))
        + b"</urlset>"
    )
    sitemap = read(many)
    assert (len(sitemap.pages), sitemap.left_out) == (MOST_URLS, 7)


@pytest.mark.parametrize(
    ("path", "kind", "wanted"),
    [
        ("/contact", "contact", True),
        ("/contact-us/", "contact", True),
        ("/?page=contact", "contact", True),
        ("/index.php?id=impressum", "legal", True),
        ("/algemene-voorwaarden", "legal", True),
        ("/regulamin", "legal", True),
        ("/de/kontakt.html", "contact", True),
        ("/お問い合わせ", "contact", True),
        ("/nous-contacter", "contact", True),
        ("/impressum", "legal", True),
        ("/legal/privacy-policy", "legal", True),
        ("/careers/contact", "careers-contact", True),
        ("/blog/contact", "contact", False),
        ("/contact-lenses", "contact", False),
        ("/a/b/c/contact", "contact", False),
        ("/blog/how-to-contact-your-customers", "post", False),
        ("/products/7", "post", False),
        ("/about-us", "about", False),
        ("/", "home", False),
    ],
)
def test_a_page_is_judged_by_its_address(path: str, kind: str, wanted: bool) -> None:
    triage = judge_page(f"https://a.com{path}")
    assert (triage.page_type, triage.is_wanted) == (kind, wanted)
