"""The commands of the content workflow."""
