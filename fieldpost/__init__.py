"""fieldpost: modules, logs and rules for hex-and-counter wargames played by mail."""

__version__ = "0.2.0"
