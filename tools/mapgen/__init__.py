"""Makes maps/<game>/ from open geography. Run `python -m tools.mapgen GAME`; see docs/maps.md."""
