"""Tables beside the records: gates and verdicts, idempotency keys, counters, operations, API keys, machine versions."""
