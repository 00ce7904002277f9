"""Runners and executors: isolation, stopping, leases, transport, the sandbox of tests."""
