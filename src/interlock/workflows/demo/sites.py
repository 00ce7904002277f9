"""A small web server on this machine that plays everybody outside: the invented sites, and a provider of extractions."""

from __future__ import annotations

import json
import threading
import zlib
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .words import MORE_SITES, SITES, TOWNS, Site

SLOW_SECONDS = 20.0
"""How long a slow site takes for a page; long enough to be seen at work, shorter than a visit may last."""


def site_of(host: str) -> Site | None:
    """Return the site of a host; hosts of towns are made up as they are asked for."""
    for site in SITES:
        if site.host == host:
            return site
    name = host.removesuffix(".example")
    for ending, word, text in MORE_SITES:
        town = name.removesuffix(f"-{ending}")
        if town != name and town.rstrip("0123456789") in TOWNS:
            return Site(
                host,
                f"{town.title()} {word}",
                text,
                "error" if zlib.crc32(host.encode()) % 9 == 0 else "good",
            )
    return None


def town_host(number: int) -> str:
    """Return the host of this number; the same number gives the same host."""
    town, ending = TOWNS[number % len(TOWNS)], MORE_SITES[number // len(TOWNS) % len(MORE_SITES)][0]
    round_ = number // (len(TOWNS) * len(MORE_SITES))
    return f"{town}{round_ or ''}-{ending}.example"


class Handler(BaseHTTPRequestHandler):
    """Answers as the site that the request names, or as the provider."""

    stopping: threading.Event
    slow_seconds: float
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer a visitor."""
        host = self.headers.get("Host", "").partition(":")[0]
        site = site_of(host)
        if site is None:
            self.answer(404, "text/plain", "no such site")
        elif self.path == "/robots.txt":
            self.answer(200, "text/plain", f"User-agent: *\nAllow: /\nSitemap: http://{host}/sitemap.xml\n")
        elif site.manner == "error":
            self.answer(500, "text/plain", "the database of this site is away")
        elif site.manner == "wall":
            self.answer(
                403, "text/html", "<title>Attention Required!</title><h1>Please verify you are a human</h1>"
            )
        elif self.path == "/sitemap.xml":
            self.answer(200, "application/xml", sitemap(site))
        else:
            if site.manner == "slow":
                self.stopping.wait(self.slow_seconds)
            self.answer(200, "text/html; charset=utf-8", page(site, self.path))

    def do_POST(self) -> None:
        """Answer an extraction as a provider does: mostly themes, sometimes no JSON, sometimes too many requests."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = json.loads(body)["messages"]
        article, is_technical = asked[1]["content"], "price action" in asked[0]["content"]
        turn = zlib.crc32(article.encode()) % 10
        if turn == 7 and not is_technical:
            self.answer(
                429,
                "application/json",
                json.dumps({"error": {"code": "rate_limit_exceeded", "message": "too many requests"}}),
            )
        elif turn in (3, 8) and not is_technical:
            self.complete("Here are the themes you asked for: chips, power and patience.")
        elif turn == 5 and is_technical:
            self.answer(
                401,
                "application/json",
                json.dumps(
                    {"error": {"code": "permission_denied", "message": "this model is not open to you"}}
                ),
            )
        else:
            self.complete(json.dumps(mentions(article)))

    def complete(self, text: str) -> None:
        """Answer with a chat completion of this text."""
        self.answer(200, "application/json", json.dumps({"choices": [{"message": {"content": text}}]}))

    def answer(self, status: int, media: str, text: str) -> None:
        """Send one answer."""
        data = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", media)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


def page(site: Site, path: str) -> str:
    """Return a page of a site; its contact page has addresses."""
    links = "".join(f'<li><a href="{one}">{one.strip("/") or "home"}</a></li>' for one in paths(site))
    contact = ""
    if "contact" in path or "team" in path:
        first = site.host.partition("-")[0]
        contact = (
            f'<p>Write to <a href="mailto:office@{site.host}">office@{site.host}</a> or jane.{first}@{site.host}.</p>'
            f"<p>Tel. +44 20 7946 0{zlib.crc32(site.host.encode()) % 900 + 100}</p>"
        )
    head = f'<title>{escape(site.title)}</title><meta name="description" content="{escape(site.text)}">'
    body = f"<h1>{escape(site.title)}</h1><p>{escape(site.text)}</p><ul>{links}</ul>{contact}"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'


def paths(site: Site) -> list[str]:
    """Return the pages of a site."""
    more = [f"/news/{number}" for number in range(1, zlib.crc32(site.host.encode()) % 4 + 2)]
    return ["/", "/about", "/contact", "/team", "/legal/privacy", *more]


def sitemap(site: Site) -> str:
    """Return the sitemap of a site."""
    urls = "".join(f"<url><loc>http://{site.host}{path}</loc></url>" for path in paths(site))
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


def mentions(article: str) -> list[dict[str, Any]]:
    """Return themes for an article, found by a few words."""
    known = {
        "AI": ("AI infrastructure", ["NVDA", "AMD"], "bullish"),
        "nuclear": ("Nuclear power", ["CCJ"], "bullish"),
        "drug": ("Obesity drugs", ["LLY", "NVO"], "bullish"),
        "Banks": ("Credit quality", ["JPM"], "bearish"),
        "batteries": ("Energy storage", ["TSLA"], "neutral"),
        "copper": ("Copper supply", ["FCX"], "bullish"),
        "efense": ("Defense spending", ["LMT"], "bullish"),
    }
    return [
        {
            "theme": theme,
            "tickers": tickers,
            "sentiment": tone,
            "confidence": 0.8,
            "excerpt": article.rpartition("\n\n")[2][:200],
        }
        for word, (theme, tickers, tone) in known.items()
        if word in article
    ]


class Outside:
    """The server in a thread of its own; `close` ends it."""

    def __init__(self, slow_seconds: float = SLOW_SECONDS) -> None:
        self.stopping = threading.Event()
        bound = {"stopping": self.stopping, "slow_seconds": slow_seconds}
        handler = type("BoundHandler", (Handler,), bound)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(
            target=self.server.serve_forever, name="interlock-demo-sites", daemon=True
        )

    @property
    def port(self) -> int:
        """Where it listens on this machine."""
        return int(self.server.server_address[1])

    def start(self) -> None:
        """Begin to answer; again changes nothing."""
        if not self.thread.is_alive():
            self.thread.start()

    def close(self) -> None:
        """Stop answering."""
        self.stopping.set()
        if self.thread.is_alive():
            self.server.shutdown()
        self.server.server_close()
