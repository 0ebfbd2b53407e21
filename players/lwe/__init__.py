"""Random legal play of Land Without End."""
