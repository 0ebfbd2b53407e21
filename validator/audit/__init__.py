"""A whole game audited: its files put in order, the links between them, the rules, the dice."""

from validator.audit.game import Audit, audit

__all__ = ["Audit", "audit"]
