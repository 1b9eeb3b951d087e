"""Deadlines and reminders: functions of (now, database), woken from outside."""

from pbem.clock.sweep import sweep

__all__ = ["sweep"]
