"""The commands besides turns (commands.md 4): one registry, a module a subject."""
