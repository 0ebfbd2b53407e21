"""Random legal play of War for the Motherland."""
