"""The HTTP API of the scraping workflow."""
