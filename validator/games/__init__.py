"""The rules of each game, in the order of its rulebook."""
