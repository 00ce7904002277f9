"""Finds social profiles among a page's links: who somebody is there, not what can be shared there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import islice
from typing import NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit

from ..web.addresses import BadAddress, read_url
from ..web.page import Link, Page

MOST = 50
MOST_META = 1000
_HANDLE = re.compile(r"@\w{1,15}")


class _Network(NamedTuple):
    """How one network names its profiles: hosts, a pattern of profile paths, first segments that are none, and the usual host;
    without one the host of a profile is a part of it."""

    name: str
    hosts: list[str]
    profile: re.Pattern[str]
    never: frozenset[str]
    usual: str


_NEVER = frozenset(
    [
        "login",
        "signup",
        "signin",
        "register",
        "home",
        "about",
        "privacy",
        "terms",
        "legal",
        "help",
        "search",
        "explore",
        "hashtag",
        "hashtags",
        "share",
        "sharer",
        "sharing",
        "intent",
        "dialog",
        "plugins",
        "tr",
        "policies",
        "settings",
        "download",
        "ads",
        "business",
        "developers",
        "jobs",
        "careers",
        "press",
        "support",
        "contact",
        "watch",
        "embed",
        "oauth",
        "api",
        "i",
        "web",
        "status",
        "sharer.php",
        "share.php",
        "policy.php",
        "policy",
        "cookies",
        "tos",
        "account",
        "accounts",
        "messages",
        "username",
        "yourusername",
        "your-username",
        "yourpage",
        "your-page",
        "yourprofile",
        "your-profile",
        "yourname",
        "your-name",
        "yourcompany",
        "your-company",
        "yourhandle",
        "yourchannel",
        "youraccount",
        "example",
    ]
)
"""First segments that are no profile on any network, and placeholders of templates."""
_TEMPLATES = frozenset(
    [
        "wix",
        "shopify",
        "wordpress",
        "wordpressdotcom",
        "squarespace",
        "weebly",
        "godaddy",
        "elementor",
        "jimdo",
        "webflow",
        "envato",
    ]
)
"""Whose profiles their templates link to until somebody replaces them; their own sites have them too."""


def _networks() -> Iterator[_Network]:
    text = files(__package__).joinpath("networks.toml").read_text(encoding="utf-8")
    for name, facts in tomllib.loads(text).items():
        yield _Network(
            name,
            facts["hosts"],
            re.compile(facts["profile"]),
            frozenset(facts["never"]) | _NEVER,
            facts["usual"],
        )


_NETWORKS = tuple(_networks())
_FEDERATED = re.compile(r"https://[^/]+/@\w+")
"""A profile on any server of the Fediverse: only where the page says that it is its own, or what it is."""
_SAYS_FEDERATED = re.compile(r"mastodon|fediverse|pixelfed|peertube", re.IGNORECASE)
_FRAME = re.compile(
    r"(?:https?:)?//www\.facebook\.com/plugins/page\.php\?(?:[^#]*&)?href=([^&#]{10,300})", re.IGNORECASE
)
_OPENS = re.compile(r"""['"](https?://[^'"\s]{8,300})['"]""")
_HOSTS = "|".join(re.escape(host) for one in _NETWORKS for host in one.hosts)
_NAMED = re.compile(
    rf"(?<![\w./@-])(?:https?://)?((?:[a-z-]+\.)?(?:{_HOSTS})/[^\s<>\"'()|,;]{{2,200}})", re.IGNORECASE
)
"""The address of a network as people write it."""
_NOT_PROFILES = (
    "developers.",
    "help.",
    "support.",
    "business.",
    "about.",
    "ads.",
    "api.",
    "gist.",
    "docs.",
    "blog.",
    "l.",
    "lm.",
    "platform.",
    "i.",
    "static.",
)
"""Parts of networks that have no profiles."""


def extract_profiles(page: Page, more: Iterable[str] = ()) -> list[str]:
    """The profiles that a page links to or names, in one spelling each."""
    host = urlsplit(page.url).hostname or ""
    profiles = dict.fromkeys(
        (
            *_profiles(
                (
                    *(url for url, _ in page.addresses()),
                    *_bare(page),
                    *_protocols(page),
                    *_stated(page),
                    *_opened(page),
                    *more,
                )
            ),
            *(url for url, link in page.addresses() if _FEDERATED.fullmatch(url) and _is_called_own(link)),
            *_profiles(
                f"https://{name.rstrip('.!?:')}" for line in page.lines for name in _NAMED.findall(line)
            ),
        )
    )
    return [one for one in profiles if _name_of(one) not in _TEMPLATES or _name_of(one) in host][:MOST]


def _is_called_own(link: Link) -> bool:
    """Whether a page says of a link that it is its own profile, or by its text, its icon or its label that it is one of the Fediverse."""
    return "me" in link.rel.lower().split() or bool(_SAYS_FEDERATED.search(f"{link.text} {link.names}"))


def _bare(page: Page) -> Iterator[str]:
    """The links whose profile is not in the path of an address: without a scheme, so that they lead to nowhere on the page's own site, and
    with the mark of a script before the path."""
    for link in page.links:
        if _NAMED.fullmatch(link.href):
            yield f"https://{link.href.removeprefix('https://').removeprefix('http://').replace('/#!/', '/', 1)}"


def _protocols(page: Page) -> Iterator[str]:
    """The chats that links of a page open by a protocol of their own, as addresses."""
    for link in page.links:
        scheme, _, asked = link.href.partition("?")
        match scheme.lower().rstrip("/"):
            case "whatsapp://send":
                yield f"https://api.whatsapp.com/send?{asked}"
            case "tg://resolve":
                yield f"https://t.me/{parse_qs(asked).get('domain', [''])[0]}"
            case _:
                pass


def _opened(page: Page) -> Iterator[str]:
    """The profiles that a page shows in a frame of the network's own, and those that scripts open when an element is touched."""
    for element in page.elements():
        if element.tag == "iframe" and (shown := _FRAME.match(str(element.get("src") or ""))):
            yield unquote(shown[1])
        elif "fb-page" in (element.get("class") or "").split():
            yield str(element.get("data-href") or "")
        yield from _OPENS.findall(str(element.get("onclick") or "")[:2000])


def _stated(page: Page) -> Iterator[str]:
    """The profiles that the head of a page names as those of its site."""
    for element in islice(page.tree.iter("meta"), MOST_META):
        name = str(element.get("name") or element.get("property") or "").lower()
        content = str(element.get("content") or "").strip()
        if name == "article:publisher":
            yield content
        elif name == "twitter:site" and _HANDLE.fullmatch(content):
            yield f"https://x.com/{content.lstrip('@')}"


def _name_of(profile: str) -> str:
    return profile.rpartition("/")[2].lstrip("@").lower()


def _profiles(urls: Iterable[str]) -> Iterator[str]:
    for url in urls:
        profile = read_profile(url)
        if profile:
            yield profile


def read_profile(url: str) -> str:
    """The profile that a URL is; empty for share buttons, posts, log-ins and everything else."""
    try:
        parts = urlsplit(read_url(url))
    except BadAddress:
        return ""
    host = (parts.hostname or "").lower()
    network = next((one for one in _NETWORKS if _is_of(host, one)), None)
    if network is None:
        return ""
    path = unquote(parts.path).strip("/")
    path = re.sub(
        r"^(?:[a-z]{2}(?:[-_][a-z]{2})?)/(?=(?:in|company|profile|companies)/)", "", path, flags=re.IGNORECASE
    )
    if network.name == "facebook" and path == "profile.php":
        number = parse_qs(parts.query).get("id", [""])[0]
        return f"https://{network.usual}/profile.php?id={number}" if number.isdigit() else ""
    if network.name == "whatsapp":
        asked = parse_qs(parts.query).get("phone", [""])[0] if path == "send" else ""
        path = re.sub(r"[^\d]", "", asked) if path == "send" else path.removeprefix("+")
    if network.name == "x" and path.lower() in ("intent/follow", "intent/user"):
        path = parse_qs(parts.query).get("screen_name", [""])[0]
    first = path.partition("/")[0].lower()
    if not path or first in network.never:
        return ""
    match = network.profile.match(path)
    if (
        match is None
        or path[match.end() : match.end() + 1] not in ("", "/")
        or not _is_whole(network, match[0], path)
    ):
        return ""
    name = match[0].rstrip("/")
    if network.name == "x":
        name = name.lstrip("@")
    elif network.name in ("telegram", "instagram"):
        name = name.removeprefix("s/").removeprefix("_u/")  # the same, shown on the web or in the app
    return f"https://{network.usual or host}/{quote(name, safe='/@:+')}"


def _is_whole(network: _Network, profile: str, path: str) -> bool:
    """Whether what follows a profile's name is a part of it, such as its list of videos, and no single post or repository."""
    rest = path[len(profile) :].strip("/").lower()
    if not rest:
        return True
    if network.name in ("linkedin", "xing", "youtube"):
        return True
    return rest in (
        "about",
        "videos",
        "featured",
        "posts",
        "info",
        "mycompany",
        "likes",
        "reviews",
        "home",
        "timeline",
        "boards",
        "_created",
        "photos",
        "reels",
        "tagged",
        "tracks",
        "albums",
        "popular-tracks",
        "community",
        "media",
        "menu",
        "services",
        "followers",
        "_saved",
        "pins",
        "schedule",
        "repositories",
        "projects",
        "shots",
        "photos_albums",
        "events",
        "live",
        "groups",
        "mentions",
        "shop",
        "shorts",
        "streams",
        "playlists",
        "guides",
    )


def _is_of(host: str, network: _Network) -> bool:
    of_it = any(host == one or host.endswith(f".{one}") for one in network.hosts)
    return of_it and (not host.startswith(_NOT_PROFILES) or host == "api.whatsapp.com")
