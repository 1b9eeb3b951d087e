"""Finished games: export, import, verification."""
