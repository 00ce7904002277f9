"""The commands of the themes workflow."""
