"""The rules of Ark: positions, moves, views, records.

Standard library only.  The package knows no clock, no mail, no database and no player's name;
whatever chance it needs comes from a seed (`engine.shuffle`).  The rules are cited by number
(``R5.6``); docs/architecture.md shows the whole face of the package.
"""
