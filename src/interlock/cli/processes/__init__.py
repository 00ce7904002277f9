"""Commands that run until Ctrl-C, and the flags that they share."""
