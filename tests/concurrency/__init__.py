"""Many real processes on one database, some of them killed."""
