"""Papers whose words stand at given places, as in PDFs of banks."""
