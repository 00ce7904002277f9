"""One small file per kind of statement; a parser is registered, and adding a bank is one file or one mapping."""
