"""What a team may set: who extracts, with which key, which symbols count, how long a quota stop lasts, and whether feeds are fetched."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from interlock.errors import BadInput
from interlock.extension import setting

LOCAL = "local"
_TRUE, _FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True)
class Options:
    """The settings of the themes workflow, each INTERLOCK_THEMES_NAME or a key of `[workflows.themes]` in interlock.toml."""

    provider: str = LOCAL
    """`local`, or the URL of an OpenAI-compatible endpoint."""
    model: str = "default"
    key: str | None = field(default=None, repr=False)
    universe: tuple[str, ...] = ()
    """Symbols beyond those that come with the package."""
    empty_retry: bool = True
    """Whether a first empty result is tried once more."""
    quota_pause: str = "1h"
    timeout: float = 60.0
    """Seconds for one request."""
    fetch: bool = True
    """Whether feeds of sources are fetched."""
    allow_private: tuple[IPv4Network | IPv6Network, ...] = ()
    """Private addresses from which feeds may be fetched all the same."""


def read_options() -> Options:
    """Return the options of this process."""
    default = Options()
    provider = setting("themes.provider") or LOCAL
    if provider != LOCAL and not _is_address(provider):
        raise BadInput(
            f"{provider!r} is no provider",
            hint="INTERLOCK_THEMES_PROVIDER is local, or a URL: http://host/v1.",
        )
    return Options(
        provider,
        setting("themes.model") or default.model,
        _read_key(),
        read_universe(setting("themes.universe") or ""),
        _read_switch("empty_retry", default.empty_retry),
        _read_span("quota_pause", default.quota_pause),
        _read_seconds("timeout", default.timeout),
        _read_switch("fetch", default.fetch),
        _read_networks(),
    )


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and not re.search(r"\s|[^\x21-\x7e]", url)
        )
    except ValueError:  # brackets that hold no address, or a port that is no number
        return False


def _read_key() -> str | None:
    """Return the key, which goes into a header as it is; the message for one that cannot does not show it."""
    key = (setting("themes.key") or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise BadInput(
            "INTERLOCK_THEMES_KEY has characters that no header may have",
            hint="Set it again: letters, digits and signs.",
        )
    return key or None


def read_universe(text: str) -> tuple[str, ...]:
    """Return the symbols of a file, one in each line or with commas between them, or of the text itself."""
    path = Path(text)
    if text and ("/" in text or path.suffix in (".txt", ".csv")):
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(
                f"INTERLOCK_THEMES_UNIVERSE: {error}", hint="Name a file of symbols, or write AAPL,MSFT."
            ) from error
    return tuple(dict.fromkeys(re.findall(r"[A-Za-z][A-Za-z0-9.-]{0,9}", text)))


def _read_switch(name: str, default: bool) -> bool:
    text = setting(f"themes.{name}")
    if text is None:
        return default
    if text.casefold() in _TRUE | _FALSE:
        return text.casefold() in _TRUE
    raise BadInput(f"{text!r} is neither yes nor no", hint=f"INTERLOCK_THEMES_{name.upper()} is yes or no.")


def _read_span(name: str, default: str) -> str:
    text = setting(f"themes.{name}") or default
    if not re.fullmatch(r"[0-9]{1,6}(s|m|h|d)", text):
        raise BadInput(
            f"{text!r} is no span", hint=f"INTERLOCK_THEMES_{name.upper()} is a span such as 30m or 1h."
        )
    return text


def _read_seconds(name: str, default: float) -> float:
    text = setting(f"themes.{name}")
    if text is None:
        return default
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]+)?", text) or not float(text):
        raise BadInput(
            f"{text!r} is no number of seconds",
            hint=f"INTERLOCK_THEMES_{name.upper()} is a number such as 60.",
        )
    return float(text)


def _read_networks() -> tuple[IPv4Network | IPv6Network, ...]:
    text = setting("themes.allow_private") or ""
    try:
        return tuple(ip_network(one) for one in re.split(r"[,\s]+", text) if one)
    except ValueError as error:
        raise BadInput(
            f"INTERLOCK_THEMES_ALLOW_PRIVATE: {error}",
            hint="Write addresses or networks: 127.0.0.1, 10.0.0.0/8.",
        ) from error
