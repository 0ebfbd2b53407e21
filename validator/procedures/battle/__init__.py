"""Battles step by step: a game derives its steps from these, gives values and rules, overrides the rest."""
