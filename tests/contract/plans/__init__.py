"""One plan, however it is carried out: batches, single statements, lost races."""
