"""The scraping workflow: sites are collected, people curate them, and what they selected is visited politely."""
