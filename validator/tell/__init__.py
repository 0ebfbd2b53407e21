"""A game told by turns, from what its logs show and nothing else; and its front as moving pictures."""
