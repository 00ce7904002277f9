"""The statements workflow on the command line."""
