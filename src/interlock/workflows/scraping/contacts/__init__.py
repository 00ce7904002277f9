"""Finds e-mail addresses, phone numbers and social profiles in pages, and checks them."""
