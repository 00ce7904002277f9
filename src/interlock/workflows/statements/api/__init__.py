"""The statements workflow over HTTP."""
