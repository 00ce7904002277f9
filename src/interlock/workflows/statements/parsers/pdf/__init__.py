"""Statements as PDF: words by position, lines, tables, signs and balances; pure functions from bytes to rows."""
