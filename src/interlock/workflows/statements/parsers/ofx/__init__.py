"""OFX and QFX: bank, card and investment statements in SGML and XML, read by one tolerant pass over their tags."""
