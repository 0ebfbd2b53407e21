"""Commands of the builder: see `fieldpost.cli` for how a command is added."""
