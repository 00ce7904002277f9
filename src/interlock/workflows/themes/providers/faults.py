"""Why a provider gave no answer; each class is one failure class of the stage."""

from __future__ import annotations

from datetime import timedelta


class ProviderFault(Exception):
    """A provider gave no usable answer. `after` is how long it asks to be left alone, None where it does not ask."""

    after: timedelta | None = None


class ProviderUnavailable(ProviderFault):
    """Nobody answers at the provider's address, or the provider has trouble of its own."""


class RateLimited(ProviderFault):
    """Too many requests for now."""


class QuotaExhausted(ProviderFault):
    """The account has nothing left; further requests are pointless until somebody pays or a period ends."""


class ProviderRejected(ProviderFault):
    """The provider refuses this request for good: key, permission, billing, or a text that is too long."""
