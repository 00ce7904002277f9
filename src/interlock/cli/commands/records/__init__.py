"""Commands about records: one, many, and the columns that mirror their states."""
