"""Land Without End played by two crude automatic players."""

from tools.balance.lwe.match import PLANS, Match, Outcome

__all__ = ["PLANS", "Match", "Outcome"]
