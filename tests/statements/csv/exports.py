"""Every made-up export, by name."""

from __future__ import annotations

from .bank_tables import BANKS, Export
from .service_tables import SERVICES

EXPORTS = {**BANKS, **SERVICES}

__all__ = ["EXPORTS", "Export"]
