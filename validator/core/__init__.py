"""Mechanics that hex wargames share. No name of a game stands here."""
