"""The commands of the scraping workflow."""
