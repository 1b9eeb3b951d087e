"""Exactly once (commands.md 1.7): the same turn command from the same seat for the same
decision is done one time, by whichever ways its copies came."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

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


def message_key(place: tuple[int | None, ...], message_id: str, text: str) -> str:
    """The key of a message: the same Message-ID with the same place (seat, writer) and text."""
    return _digest("message", place, message_id, text)


def line_key(place: tuple[int | None, ...], message_id: str, text: str) -> str:
    """The key of one line that is done whatever becomes of the others (`say`)."""
    return _digest("line", place, message_id, text)


def first_of(session: Session, keys: Sequence[str]) -> Deed | None:
    """What was done under one of these keys, the first one first."""
    if not keys:
        return None
    found = {deed.key: deed for deed in session.exec(select(Deed).where(col(Deed.key).in_(keys)))}
    return next((found[key] for key in keys if key in found), None)


def known(session: Session, key: str) -> bool:
    return session.get(Deed, key) is not None


def record(
    session: Session, key: str, game: Game | None, now: datetime, answer: dict[str, Any] | None
) -> None:
    """From now on this was done; `answer` is what a copy gets."""
    game_id = None if game is None else game.id
    session.add(Deed(key=key, game_id=game_id, at=now, answer=answer))


def _digest(kind: str, *parts: Any) -> str:
    plain = json.dumps([kind, *map(_plain, parts)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def _plain(part: Any) -> Any:
    """Lists and dicts all the way down, as JSON has them."""
    if isinstance(part, Mapping):
        return {key: _plain(value) for key, value in part.items()}
    if isinstance(part, list | tuple):
        return [_plain(one) for one in part]
    return part
