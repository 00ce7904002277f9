"""What a workflow adds to the surfaces of its app, as values: figures, invariants, needs and views."""
