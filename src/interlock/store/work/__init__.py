"""Work rows: attempts, leases, reports, children, and what a sweep looks for."""
