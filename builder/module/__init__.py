"""The module: pieces, charts, windows and set-ups of a game, written as a .vmod."""
