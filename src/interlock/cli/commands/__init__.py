"""The commands, in rooms by what they are about; a file for each noun. `cli/program.py` lists all of them."""
