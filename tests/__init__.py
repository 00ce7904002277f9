"""The tests; a package, so that `bench/` can start the same servers."""
