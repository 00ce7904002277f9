"""Pages of statements as tests draw them: one file for each kind of layout."""
