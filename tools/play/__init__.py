"""Random legal play: whole games, move by move, by the rules.

    from tools.play.game import play
    played = play("wfm", "turning-point", 7)           # .events, .referee
    python -m tools.play wfm turning-point 7 > game.txt  # as a turn sheet

Every event goes to the referee at once; what he calls illegal stops the game with the event and the rule.
What all games share is here; how one is played is in a package of its own, `tools.play.<game>`.
"""
