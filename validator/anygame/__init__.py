"""Games whose rules we do not know: what their logs show all the same."""
