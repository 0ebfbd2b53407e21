"""Findings as text, JSON, JUnit and HTML."""
