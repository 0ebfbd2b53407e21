"""Random legal play: whole games, move by move, by the rules.

    from players.game import play
    played = play("wfm", "turning-point", 7)           # .events, .referee
    python -m players wfm turning-point 7 > game.txt  # as a turn sheet

Every event goes to the referee at once; what he calls illegal stops the game with the event and the rule.
What all games share is here; how one is played is in a package of its own, `players.<game>`, with two things:
`game.PLAYER` (`players.game.Player`: its table, what is done in each phase, who mails when) and
`mutations.FAULTS` (`players.faults`: faults that can be planted, each with the rules it breaks).
"""
