"""Which addresses are nobody's: placeholders, robots, file names and hosts that lead nowhere."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import phonenumbers

NOT_TOP_LEVEL = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "avif",
        "ico",
        "css",
        "js",
        "mjs",
        "json",
        "xml",
        "html",
        "htm",
        "php",
        "asp",
        "aspx",
        "woff",
        "ttf",
        "eot",
        "mp4",
        "webm",
        "mp3",
        "pdf",
        "zip",
        "gz",
        "tar",
        "exe",
        "dll",
        "scss",
        "less",
        "ts",
        "tsx",
        "jsx",
        "vue",
        "map",
        "txt",
        "csv",
        "yml",
        "yaml",
        "ini",
        "log",
        "bak",
        "local",
        "localhost",
        "internal",
        "invalid",
        "test",
        "example",
        "lan",
        "onion",
    ]
)
"""Endings of files and of names that lead nowhere."""
NOBODY = re.compile(
    r"^(?:(?:.*[-_.])?(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|no[-_.]?responder?|ne[-_.]?pas[-_.]?repondre|nicht[-_.]?antworten)(?:[-_.\d].*)?|"
    r"noreply.*|donotreply.*|mailer[-_]?daemon|postmaster|bounces?|unsubscribe|null|nobody|git|hg|svn|ssh|root|"
    r"example|test|tests|testing|tester|user|username|your[-_.]?name|yourname|name|firstname|first\.last|(?:firstname|name)\.(?:lastname|surname)|"
    r"vorname\.(?:nach)?name|prenom\.nom|nombre\.apellido|nome\.cognome|voornaam\.achternaam|imie\.nazwisko|etunimi\.sukunimi|f[oö]r?na[mv]n\.(?:efter|etter)na[mv]n|nom|nombre|"
    r"you|your|(?:your|my)[-_.]?e?mail|my[-_.]?name|votre[-_.]?e?mail|(?:ihre|deine)[-_.]?e?mail|tu[-_.]?(?:correo|email)|email|e-?mail|mail@|someone|somebody|"
    r"john\.?doe|jane\.?doe|(?:max|erika)\.?mustermann|mustermann|foo|bar|abc|xyz|"
    r"sample|demo|dummy|placeholder|anonymous|guest|xxx+|aaa+|me|u00[0-9a-f]{2}.*|wght|ital|opsz)$",
    re.IGNORECASE,
)
_OWN_LOCALS = frozenset({"me", "email", "e-mail", "name", "you", "demo", "user", "abc", "xyz"})
"""Local parts of placeholders that sites use as well, at their own host."""
NOWHERE = re.compile(
    r"(?:^|\.)(?:example\.\w+(?:\.\w+)?|domain(?:name)?\.(?:com|tld|de|org|net)|(?:your|my|ihre?|deine?|votre|tu|su|uw|jouw)-?(?:own)?-?"
    r"(?:domain|domaine|dominio|domein|company|site|website|e?mail|firma|business|name)\.\w+|"
    r"sitename\.\w+|site\.com|website\.com|company\.com|email\.com|emailaddress\.com|address\.com|somewhere\.com|xyz\.com|abc\.com|foo(?:bar)?\.com|"
    r"mail\.example|test\.(?:com|de|org)|sentry(?:-next)?\.io|wixpress\.com|reallygreatsite\.com|"
    r"ingest\.(?:us|de)?\.?sentry\.io|schema\.org|w3\.org|doe\.com|mailservice\.com|localhost\.\w+|muster(?:firma|domain)?\.\w+|beispiel\.\w+|ejemplo\.\w+|exemple\.\w+|"
    r"esempio\.\w+|acme\.\w+|xxx+\.\w+|noreply\.github\.com|calendar\.google\.com|gserviceaccount\.com|[cg]\.us|s\.whatsapp\.net|2x\.\w+|3x\.\w+)$",
    re.IGNORECASE,
)
COUNTRIES = frozenset(one.lower() for one in phonenumbers.SUPPORTED_REGIONS) | {
    "uk",
    "eu",
    "su",
    "aq",
    "gs",
    "pn",
    "tf",
    "tp",
}
"""The top-level domains of two letters."""


def is_somebodys(email: str, site: str = "") -> bool:
    """Whether an address may reach a person: no placeholder, no robot, no file name. `site` is a URL of the site that shows it: there
    are names, such as `me`, that only a site's own host has."""
    user, _, host = email.partition("@")
    top = host.rpartition(".")[2]
    if top in NOT_TOP_LEVEL or NOWHERE.search(host) or (len(top) == 2 and top not in COUNTRIES):
        return False
    if re.fullmatch(r"[0-9a-f]{24,}|\d{8,}\.[\w.+-]+", user) or re.fullmatch(
        r"\d+x\d*", host.partition(".")[0]
    ):
        return False
    if re.fullmatch(r"[\d.]+", host.rpartition(".")[0] or "x") and not top.isalpha():
        return False
    plus_free = user.partition("+")[0]
    if plus_free in _OWN_LOCALS:
        name = host.rpartition(".")[0].rpartition(".")[2]
        return not site or name in (urlsplit(site).hostname or "")
    return not NOBODY.match(plus_free)
