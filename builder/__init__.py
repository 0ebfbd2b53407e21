"""A game definition becomes pictures, XML and set-ups, and those a module."""
