"""Tables and rows of adoption: phases, disagreements, and writes past Interlock."""
