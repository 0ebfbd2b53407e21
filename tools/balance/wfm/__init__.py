"""Turning Point played by two crude automatic players."""

from tools.balance.wfm.match import AXIS_POLICIES, Match, score

__all__ = ["AXIS_POLICIES", "Match", "score"]
