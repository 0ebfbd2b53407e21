"""What runs the rules of a game over its events: the referee, the rulebook, own games."""
