"""Phases judged as they were meant: what a player did, whatever the order of the hands."""
