"""Messages and notes of a table, as one seat reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.store import Event, Game
from pbem.store.log import PERSONAL, Seen, seen_by
from pbem.store.tenures import Span, lies_in, spans_of
from pbem.translation import _, listing


@dataclass(frozen=True)
class Said:
    """A message or a note: other people's words."""

    seq: int
    at: datetime
    note: bool
    who: str
    to: str
    text: str


Spans = Mapping[int, Sequence[Span]]
"""By seat: when its present holder has held it."""


def said(one: Seen, names: Sequence[str], seat: int, spans: Spans) -> Said:
    """A message or a note that is open to a seat; of a seat without ``spans``, its present
    holder's."""
    own = one.seat is None or one.seat == seat
    sender = seat if one.seat is None else one.seat
    if sender not in spans or lies_in(one.seq, spans[sender]):
        who = _("You") if own else names[sender]
    elif own:
        who = _("Whoever had your seat before")
    else:
        who = _("Whoever had the seat of {name} before", name=names[sender])
    to = _addressees(one.facts.get("to"), names, seat)
    return Said(one.seq, one.at, one.kind == "note", who, to, str(one.facts.get("text", "")))


def said_before(
    session: Session, game: Game, seat: int, names: Sequence[str], *, before: int | None, most: int
) -> list[Said]:  # fmt: skip
    """The newest messages and notes (older than event ``before``) that a seat may read."""
    query = select(Event).where(Event.game_id == game.id, col(Event.kind).in_(PERSONAL))
    if before is not None:
        query = query.where(col(Event.seq) < before)
    spans = {number: spans_of(session, game, number) for number in range(len(names))}
    found: list[Said] = []
    for event in session.exec(query.order_by(col(Event.seq).desc())):
        found += [said(one, names, seat, spans) for one in seen_by([event], seat, spans[seat])]
        if len(found) == most:
            break
    return found


def _addressees(to: Any, names: Sequence[str], seat: int) -> str:
    if to == "all":
        return _("everybody")
    if to == "moderator":
        return _("the moderator")
    if isinstance(to, list):
        return listing(_("you") if other == seat else names[other] for other in to)
    return _("yourself")
