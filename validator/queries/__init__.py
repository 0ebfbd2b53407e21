"""Questions without a verdict: supply, reach, the position at the end of a file."""
