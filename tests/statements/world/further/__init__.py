"""Further files with their truth: tables, papers and exchange formats of many countries, and traps whose balances agree when misread."""
