"""A player of games that are refereed by their data: he knows the `rules:` block, and no game."""
