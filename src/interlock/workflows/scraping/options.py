"""What a team may set: how fast, how often, and which private addresses may be visited all the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address

from interlock.errors import BadInput
from interlock.extension import setting

from .web.addresses import Network, read_networks
from .web.resolving import Nameserver

CONTINUOUS = "continuous"
RETRY_DELAYS: tuple[str, ...] = ("5m", "10m", "20m")
_TRUE, _FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off", ""})


@dataclass(frozen=True)
class Options:
    """The settings of the scraping workflow, each INTERLOCK_SCRAPING_NAME or a key of `[workflows.scraping]` in interlock.toml."""

    allow_private: tuple[Network, ...] = field(default_factory=tuple)
    cycle: str = "1m"
    """How often a batch begins, or `continuous`."""
    rate: str = "1/s"
    """Requests to one host."""
    retries: int = len(RETRY_DELAYS)
    select_sitemaps: bool = False
    """Policy: sitemap files of a selected domain are selected too."""
    verify_tls: bool = True
    check_mail_domains: bool = True
    """Ask the DNS whether the host of a contact's address takes mail."""
    nameserver: Nameserver | None = None
    """The nameserver that resolves every name, instead of the system's."""
    gateway: tuple[str, int] | None = None
    """An address and port that answers for every site: for tests and the demo. No setting names it."""

    @property
    def interval(self) -> float:
        """Seconds between two requests to one host."""
        number, _, unit = self.rate.partition("/")
        seconds = {"s": 1, "m": 60, "h": 3600}.get(unit.strip())
        if seconds is None or not number.strip().isdigit() or int(number) < 1:
            raise BadInput(
                f"{self.rate!r} is no rate", hint="Write INTERLOCK_SCRAPING_RATE as 1/s, 30/m or 100/h."
            )
        return seconds / int(number)

    @property
    def retry(self) -> tuple[str, ...]:
        return RETRY_DELAYS[: self.retries]

    def batch(self, size: int) -> str | None:
        """The rate of a stage that begins so many in each cycle; None where it goes on continuously."""
        return None if self.cycle == CONTINUOUS else f"{size}/{self.cycle.removeprefix('1')}"


def read_options(*, continuous: bool = False) -> Options:
    """The options of this process. `continuous` is the cycle where no setting names one."""
    default = Options()
    retries = setting("scraping.retries")
    if retries is not None and not (retries.isdigit() and int(retries) <= len(RETRY_DELAYS)):
        raise BadInput(
            f"{retries!r} retries of a visit", hint=f"INTERLOCK_SCRAPING_RETRIES is 0 to {len(RETRY_DELAYS)}."
        )
    cycle = setting("scraping.cycle") or (CONTINUOUS if continuous else default.cycle)
    if cycle not in ("1s", "1m", "1h", CONTINUOUS):
        raise BadInput(f"{cycle!r} is no cycle", hint="INTERLOCK_SCRAPING_CYCLE is 1s, 1m, 1h or continuous.")
    try:
        networks = read_networks(setting("scraping.allow_private") or "")
    except ValueError as error:
        raise BadInput(
            f"INTERLOCK_SCRAPING_ALLOW_PRIVATE: {error}",
            hint="Write addresses or networks: 127.0.0.1, 10.0.0.0/8.",
        ) from error
    options = Options(
        networks,
        cycle,
        setting("scraping.rate") or default.rate,
        default.retries if retries is None else int(retries),
        _read_switch("select_sitemaps", default.select_sitemaps),
        _read_switch("verify_tls", default.verify_tls),
        _read_switch("check_mail_domains", default.check_mail_domains),
        _read_nameserver(),
    )
    _ = options.interval  # refuses a rate that is none
    return options


def _read_switch(name: str, default: bool) -> bool:
    text = setting(f"scraping.{name}")
    if text is None:
        return default
    if text.casefold() in _TRUE | _FALSE:
        return text.casefold() in _TRUE
    raise BadInput(f"{text!r} is neither yes nor no", hint=f"INTERLOCK_SCRAPING_{name.upper()} is yes or no.")


def _read_nameserver() -> Nameserver | None:
    text = setting("scraping.nameserver")
    if not text:
        return None
    host, _, port = text.rpartition(":") if text.count(":") == 1 or "]:" in text else (text, "", "53")
    try:
        address = str(ip_address(host.strip("[] ")))
        if not 0 < int(port) < 65_536:
            raise ValueError(port)
    except ValueError as error:
        raise BadInput(
            f"{text!r} is no nameserver",
            hint="Write INTERLOCK_SCRAPING_NAMESERVER as 9.9.9.9, 127.0.0.1:5353 or [::1]:53.",
        ) from error
    return address, int(port)
