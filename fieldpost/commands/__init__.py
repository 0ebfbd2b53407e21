"""One module for each command of the `fieldpost` program."""
