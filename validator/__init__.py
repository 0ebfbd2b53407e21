"""A log becomes events, a position and findings."""
