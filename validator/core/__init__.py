"""Mechanics that hex wargames share. A game states its rules as values and asks; nothing here knows a game.

board      the map compiled: hex ids, steps, masks, distance
costs      what a step costs, in twelfths of a point
zones      zones of control
movement   reach, the cheapest way, and which rule stands in the way
strategic, rail, sea   movement by other means
supply     lines, chains and networks of supply
stacking, control, sequence, reinforcement, victory
combat, losses, retreat, advance, obligations
explain    verdicts as sentences
"""
