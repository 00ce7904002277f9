"""One module for each screen: a function from `PageContext` to a template and the values that it shows."""
