"""What the players' banks of time held after an earlier event, as the log tells it.

Whatever takes from a bank says in its event what is left: a turn, a deadline that was missed.
A rollback gives back; whoever takes over a seat begins with a whole bank.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pbem.store import Event, Game, Seat
from pbem.store.options import options_of
from pbem.timing.controls import Bank

Banks = Mapping[int, int | None]
"""Seconds by seat; None: nothing was taken yet, the bank is whole."""


def left_in(seat: Seat) -> dict[str, int]:
    """What an event that takes from a seat's bank says of it; nothing where there is none."""
    return {} if seat.bank_seconds is None else {"bank": seat.bank_seconds}


def given_back(game: Game, log: Sequence[Event], to: int) -> dict[int, int | None]:
    """What the banks hold when a table goes back to event `to` of its log; {} where there are
    none and never were any: who had one before the time control changed may get it again.

    That is what they held then; but whoever has taken over a seat since begins with a whole
    one, and more time that a moderator has given since then is not lost: it goes into the
    bank, as far as its cap lets it."""
    control = options_of(game).control
    found: dict[int, int | None] = {}
    for seat in range(game.players):
        own = [event for event in log if _tells(event, seat)]
        came = [one.seq for one in own if one.kind == "substituted"]
        since, left = _held(own, seat, max(to, *came, to))
        if isinstance(control, Bank) and (more := _given(own, since)):
            base = control.seconds if left is None else left
            left = max(base, min(control.cap, base + more))
        found[seat] = left
    has_any = isinstance(control, Bank) or any("bank" in event.public for event in log)
    return found if has_any else {}


def _tells(event: Event, seat: int) -> bool:
    return event.kind == "rollback" or event.seat == seat


def _held(own: Sequence[Event], seat: int, upto: int) -> tuple[int, int | None]:
    """The event by which a bank came to hold what it held after event `upto`, and how much."""
    for event in reversed(own):
        if event.seq > upto:
            continue
        if event.kind == "substituted":
            return event.seq, None
        if event.kind == "rollback" and (banks := event.public.get("banks")):
            return event.seq, banks[str(seat)][1]
        if "bank" in event.public:
            return event.seq, event.public["bank"]
    return 0, None


def _given(own: Sequence[Event], since: int) -> int:
    """How many seconds moderators have given a seat after an event: it pays by its next one."""
    total = timedelta()
    for event in own:
        if event.seq > since and event.kind == "deadline-moved":
            facts = event.public
            if facts["why"] == "moderator" and facts["was"] and facts["due"]:
                total += _at(facts["due"]) - _at(facts["was"])
    return max(0, round(total.total_seconds()))


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)
