"""Exactly once (commands.md 1.7): the same turn command from the same seat for the same
decision is done one time, by whichever ways its copies came."""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlmodel import Session

from pbem.commands import Reading
from pbem.store import Deed, Game

TURN_COMMANDS = frozenset({"take", "play", "pet", "pass"})


def turn_key(game_id: int, seat: int, decision: int, plain: Reading) -> str | None:
    """The key of the turn in a text, read without a position so that it stays the same
    when the position has moved on; None for a text without a turn."""
    turns = [
        line.args
        for line in plain.lines
        if line.command in TURN_COMMANDS and not line.preview and line.completes is None
    ]
    if not turns or any(args is None for args in turns):
        return None
    return _digest("turn", game_id, seat, decision, turns)


def mail_key(game_id: int | None, seat: int | None, message_id: str, text: str) -> str:
    """The key of a mail: the same Message-ID with the same seat and text."""
    return _digest("mail", game_id, seat, message_id, [text])


def record(session: Session, key: str, game: Game | None, now: datetime) -> Deed:
    deed = Deed(key=key, game_id=None if game is None else game.id, at=now)
    session.add(deed)
    return deed


def _digest(kind: str, *parts: Any) -> str:
    plain = json.dumps([kind, *map(_plain, parts)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def _plain(part: Any) -> Any:
    if isinstance(part, Iterable) and not isinstance(part, str | dict):
        return [_plain(one) for one in part]
    return dict(part) if hasattr(part, "keys") else part
