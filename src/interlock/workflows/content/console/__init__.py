"""The page of the console where content is governed."""
