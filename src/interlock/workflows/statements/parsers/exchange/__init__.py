"""Formats for exchange between programs: QIF, CAMT and MT940."""
