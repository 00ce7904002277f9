"""The statements that move records on PostgreSQL: single ones, whole batches of a stage, and what they tell the triggers."""
