"""Where it is kept: connections, tables, guards, the one conditional update, the ledger. The only place that speaks SQL."""
