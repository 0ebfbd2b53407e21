"""Commands of the referee: see `fieldpost.cli` for how a command is added."""
