"""The ledger: entries and their hash chain, reading, export, the past; verification and seals in folders of their own."""
