"""Files that were written before anybody looked at how they would be read: tables, papers and exchange formats of further banks."""
