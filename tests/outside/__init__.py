"""A workflow as a team outside this house writes it: public names only."""
