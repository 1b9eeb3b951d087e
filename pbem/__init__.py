"""Ark by mail: a play-by-email turn server for the card game Ark."""

__version__ = "0.1.0"
