"""The command of the page."""
