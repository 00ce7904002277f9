"""The tables that banks export, one small file of mappings each; what is listed here is registered."""

from __future__ import annotations

from ..mapping import CsvMapping
from . import (
    american_express,
    apple_card,
    bank_of_america,
    capital_one,
    chase,
    citi,
    discover,
    n26,
    paypal,
    rbc,
    revolut,
    venmo,
    wells_fargo,
    wise,
)

MAPPINGS: tuple[CsvMapping, ...] = tuple(
    mapping
    for bank in (
        bank_of_america,
        chase,
        wells_fargo,
        american_express,
        discover,
        citi,
        capital_one,
        rbc,
        apple_card,
        wise,
        revolut,
        n26,
        paypal,
        venmo,
    )
    for mapping in bank.MAPPINGS
)
