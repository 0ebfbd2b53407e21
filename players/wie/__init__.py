"""Random legal play of War in the East."""
