"""Random legal play: whole games of War for the Motherland, move by move, by the rules.

    from tools.play.game import play
    played = play(seed=7)              # .events, .referee
    python -m tools.play 7 > game.txt  # as a turn sheet

Every event goes to the referee at once; what he calls illegal stops the game with the event and the rule.
"""
