"""Work → result → report: takes work, runs stage functions, reports what came of it; never moves a record."""
