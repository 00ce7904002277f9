"""Commands about machines: drawn, compared, migrated, simulated, and brought to tables that have rows."""
