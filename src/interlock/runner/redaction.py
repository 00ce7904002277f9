"""Takes secrets out of text that is kept: messages of exceptions and log lines quote URLs, headers and settings."""

from __future__ import annotations

import re

HIDDEN = "***"
_SECRETS = re.compile(
    r"(?P<url>\b[a-z][a-z0-9+.-]*://)[^\s/@:]*:[^\s/@]+@"
    r"|(?P<scheme>\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}"
    r"|(?P<name>[\"']?\b[\w-]*(?:password|passwd|secret|token|api[_-]?key|authorization|cookie)\b[\"']?\s*[=:]\s*)(?!\s*(?:bearer|basic)\b)"
    r"(?:\"[^\"]*\"|'[^']*'|[^\s,;&\"'})\]]+)"
    r"|\bilk_\w{8,}",
    re.IGNORECASE,
)
_SUSPECT = re.compile(r"://|bearer|basic|passw|secret|token|key|authorization|cookie|ilk_", re.IGNORECASE)
_NAMES = re.compile(r"password|passwd|secret|token|api_?key|authorization|cookie", re.IGNORECASE)


def redacted(text: str) -> str:
    """The text with passwords, tokens and keys replaced."""
    return _SECRETS.sub(_hide, text) if _SUSPECT.search(text) else text


def is_secret(name: str) -> bool:
    """Whether a field of this name is never shown, whatever it holds."""
    return _NAMES.search(name) is not None


def _hide(found: re.Match[str]) -> str:
    if found["url"]:
        return f"{found['url']}{HIDDEN}@"
    return f"{found['scheme'] or found['name'] or ''}{HIDDEN}"
