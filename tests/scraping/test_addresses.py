"""Addresses have one spelling each, and only public ones are contacted."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from interlock.workflows.scraping.web.addresses import (
    BadAddress,
    is_public,
    is_same_site,
    path_depth,
    read_networks,
    read_site,
    read_url,
)


@pytest.mark.parametrize(
    ("text", "scheme", "host"),
    [
        ("example.com", "https", "example.com"),
        (" EXAMPLE.com. ", "https", "example.com"),
        ("HTTPS://Example.COM:443/x?y#z", "https", "example.com"),
        ("http://example.com:80", "http", "example.com"),
        ("http://127.0.0.1:8080/a", "http", "127.0.0.1:8080"),
        ("localhost:99", "https", "localhost:99"),
        ("//a.com", "https", "a.com"),
        ("münchen.de", "https", "xn--mnchen-3ya.de"),
        ("http://[::1]:8000/", "http", "[::1]:8000"),
        ("https://①②⑦.⓪.⓪.①/", "https", "127.0.0.1"),
    ],
)
def test_a_site_is_kept_in_one_spelling(text: str, scheme: str, host: str) -> None:
    assert read_site(text) == (scheme, host)


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "ftp://a.com", "javascript:alert(1)", "data:text/html,x", "mailto:a@b.de", "file:///etc/passwd", "https://user:pw@a.com",
        "a..b", "exa mple.com", "http://a.com:99999", "http://a.com:0", "https://", "https://-a.com", "http://a.com\\@b.com", "a\x00.com",
        "https://[::1", "x" * 300 + ".com", "gopher://a", "https://\ud800.com",
    ],
)  # fmt: skip
def test_what_is_no_site_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        read_site(text)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("/a/../b/./c?x=%7e%2f&y=ü#f", "https://a.com/b/c?x=~%2F&y=%C3%BC"),
        ("https://A.com", "https://a.com/"),
        ("//b.com/x y", "https://b.com/x%20y"),
        ("?q=1", "https://a.com/d/e?q=1"),
        ("../../..", "https://a.com/"),
        ("http://a.com:80/%c3%bc", "http://a.com/%C3%BC"),
        ("https://a.com/a/b.html", "https://a.com/a/b.html"),
    ],
)
def test_a_page_is_kept_in_one_spelling(text: str, url: str) -> None:
    assert read_url(text, "https://a.com/d/e") == url
    assert read_url(url) == url


@pytest.mark.parametrize(
    "text",
    [
        "mailto:x@y.z",
        "javascript:void(0)",
        "data:,x",
        "https://a.com/" + "x" * 3000,
        "http://u@a.com/",
        "https:\\\\a.com\\b",
    ],
)
def test_what_is_no_page_is_refused(text: str) -> None:
    with pytest.raises(BadAddress):
        read_url(text, "https://a.com/d/e")
    with pytest.raises(BadAddress):
        read_url(text, "https://a.com/")


@pytest.mark.parametrize(
    "text",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255",
     "::1", "::",     "fe80::1", "fc00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1",
     "198.18.0.1", "192.0.2.1", "240.0.0.1", "fec0::1", "::127.0.0.1", "64:ff9b:1::1", "2001:db8::1"],
)  # fmt: skip
def test_addresses_that_are_not_public_are_not_contacted(text: str) -> None:
    assert not is_public(ip_address(text))


def test_public_addresses_and_those_that_are_allowed_by_name_are_contacted() -> None:
    assert is_public(ip_address("93.184.216.34"))
    assert is_public(ip_address("2606:2800:220:1:248:1893:25c8:1946"))
    allowed = read_networks("127.0.0.1, 10.0.0.0/8,::1")
    assert [
        is_public(ip_address(one), allowed)
        for one in ("127.0.0.1", "127.0.0.2", "10.9.9.9", "::1", "::ffff:127.0.0.1")
    ] == [
        True,
        False,
        True,
        True,
        True,
    ]


def test_a_page_belongs_to_its_site_with_and_without_www() -> None:
    assert is_same_site("https://www.a.com/x", "a.com")
    assert is_same_site("https://a.com:8443/x", "a.com:8443")
    assert not is_same_site("https://b.a.com/x", "a.com")
    assert (path_depth("https://a.com/"), path_depth("https://a.com/de/kontakt/")) == (0, 2)
