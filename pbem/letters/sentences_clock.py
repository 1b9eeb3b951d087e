"""What the clock and the moderator did, told in sentences."""

from collections.abc import Callable, Mapping
from typing import Any

from pbem.letters.times import day, pace
from pbem.store.log import Seen
from pbem.timing.terms import control_of
from pbem.translation import _, later, sentences

WHY = {
    "outage": later("The server was not there for a while: the time of {who} is longer by that."),
    "grace": later("A time of grace runs for {who}."),
    "again": later("The time of {who} begins anew."),
    "moderator": later("The moderator has given {who} more time."),
}
"""By the reason of a moved deadline; those left out are told by another event."""
WHY_YOURS = {
    "outage": later("The server was not there for a while: your time is longer by that."),
    "grace": later("A time of grace runs for you."),
    "again": later("Your time begins anew."),
    "moderator": later("The moderator has given you more time."),
}
"""The same to whom it is about."""
GIVEN_BACK = later("The banks of time hold again what they held then.")


def told(part: Seen, name: Callable[[int], str], reader: int | None = None) -> str:
    """A sentence about an event of the clock; "" for one that says nothing to players.
    `name` gives the words for the holder of a seat, in the middle of a sentence; what is
    about the reader's own seat speaks to him."""
    if reader is not None and part.facts.get("seat") == reader and (own := _to_him(part)):
        return own
    facts: Mapping[str, Any] = part.facts
    match part.kind:
        case "deadline-moved" if facts["why"] in WHY:
            return _(WHY[facts["why"]], who=name(facts["seat"]))
        case "ends-moved" if facts["why"] == "outage":
            return _("The server was not there for a while: what ends at this table ends later.")
        case "absence":
            return _(
                "{who} is away from {first} to {last}.",
                who=name(facts["seat"]), first=day(facts["first"]), last=day(facts["last"]),
            )  # fmt: skip
        case "back":
            return _("{who} is there again.", who=name(facts["seat"]))
        case "missed":
            return _("A turn of {who} did not come in time.", who=name(facts["seat"]))
        case "offered":
            return _("The seat of {who} may go to somebody else.", who=name(facts["seat"]))
        case "left-to-bot" | "resigned":
            return _("A bot plays that seat from then on: {who}.", who=name(_seat(part)))
        case "substituted":
            return _("{who} has taken over a seat.", who=name(_seat(part)))
        case "returned":
            return _("{who} has come back.", who=name(_seat(part)))
        case "paused":
            return _("The clocks of the table stood still from here on.")
        case "resumed" | "mended":
            return _("The clocks of the table ran again.")
        case "reopened":
            return _("The game goes on where it had ended.")
        case "ended":
            return _("The game has ended before its last turn.")
        case "rollback":
            given_back = _(GIVEN_BACK) if facts.get("banks") else ""
            return sentences((_("The moderator took turns back."), given_back))
        case "pace":
            return _("Time for a turn is now: {time}.", time=pace(control_of(facts["control"])))
    return ""


def _to_him(part: Seen) -> str:
    """The sentence to whom an event is about; "" for one that is told to all alike."""
    facts: Mapping[str, Any] = part.facts
    match part.kind:
        case "deadline-moved" if facts["why"] in WHY_YOURS:
            return _(WHY_YOURS[facts["why"]])
        case "absence":
            return _(
                "You are away from {first} to {last}.",
                first=day(facts["first"]), last=day(facts["last"]),
            )  # fmt: skip
        case "back":
            return _("You are there again.")
        case "missed":
            return _("Your turn did not come in time.")
    return ""


def _seat(part: Seen) -> int:
    return part.seat or 0
