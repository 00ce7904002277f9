"""The client: one contract, asked of an app and of a service."""
