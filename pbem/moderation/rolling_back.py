"""Back to an earlier event, as a new event: what is undone, what of the messages, and who has
seen hidden cards meanwhile."""

from collections.abc import Iterable, Sequence

from sqlmodel import col, select

from pbem.desk import rolling_back
from pbem.desk.rolling_back import Difference
from pbem.letters import announce
from pbem.letters.cards import cards_of
from pbem.letters.moments import span
from pbem.letters.plain import STRONG, WEAK
from pbem.letters.sentences import Teller
from pbem.moderation.model import Action, Case, Change, Effect, FollowUp, Parameter, Refused
from pbem.moderation.telling import tell_table
from pbem.store import Event
from pbem.store.log import events_of, seen_by
from pbem.store.people import holders
from pbem.store.positions import deck_of
from pbem.translation import later

MOST_OFFERED = 200  # turns; an earlier event can be named by its number
MESSAGES = (("keep", "They stay"), ("take-back", "They are taken back, too"))


def roll_back(case: Case) -> Effect:
    """Turns after an event do not stand any more; or, of one taken back earlier, stand again."""
    to, game = _event(case), case.game
    gone = rolling_back.difference(case.session, game, to)
    if not gone.undone and not gone.restored:
        raise Refused("nothing", "No turn lies in between: the table stands like that now.", "to")
    messages = case.values["messages"] == "take-back"
    warnings, told = _warnings(case, gone), _teller(case)
    changes = [
        *(Change(_number(one), _told(told, one), "taken back") for one in gone.undone),
        *(Change(_number(one), "taken back", _told(told, one)) for one in gone.restored),
    ]
    event = rolling_back.roll_back(case.session, case.now, case.author, game, to, messages=messages)
    changes += _banks(case, event)
    _tell(case, gone)
    return Effect(
        _sentences(gone, to, messages),
        tuple(warnings),
        tuple(changes),
        inverse=FollowUp(
            "roll-back",
            case.target,
            {"to": str(event.seq - 1), "messages": "keep"},
            label="Let it stand again",
        ),
        details={"to": to},
    )


def turns_offered(case: Case) -> Sequence[tuple[str, str]]:
    """The turns that stand, the newest first, as the first that is taken back: a choice
    names the event before it."""
    turns = [one for one in events_of(case.session, case.game) if one.kind == "turn"]
    teller = _teller(case)
    return [
        (str(event.seq - 1), f"take back event {event.seq}, {_told(teller, event)}")
        for event in reversed(turns[-MOST_OFFERED:])
    ]


def _event(case: Case) -> int:
    """The event to go back to: after the start, and not the newest one."""
    to: int = case.values["to"]
    start = case.session.exec(
        select(Event.seq).where(Event.game_id == case.game.id, col(Event.kind) == "started")
    ).first()
    if start is None or not start <= to < case.game.seq:
        newest = case.game.seq - 1
        raise Refused("no-event", f"Choose an event from {start} to {newest}.", "to")
    return to


def _sentences(gone: Difference, to: int, messages: bool) -> tuple[str, ...]:
    said = [f"The table goes back to how it stood after event {to}."]
    if gone.undone:
        said.append(f"Turns taken back: {len(gone.undone)}.")
    if gone.restored:
        said.append(f"Turns that stand again: {len(gone.restored)}.")
    if gone.messages:
        what = "are taken back, too" if messages else "stay"
        said.append(f"Messages since: {len(gone.messages)}; they {what}.")
    said.append("Whoever is to move has the whole time of a turn from now on.")
    if gone.banks:
        said.append(
            "Banks of time hold again what they held then, and what a moderator has given since."
        )
    return tuple(said)


def _banks(case: Case, event: Event) -> Iterable[Change]:
    """Those that hold another time than before."""
    for seat, (was, now) in event.public.get("banks", {}).items():
        if was != now:
            yield Change(f"bank of {case.name_of(int(seat))}", _in_bank(was), _in_bank(now))


def _in_bank(seconds: int | None) -> str:
    if seconds is None:
        return "whole"
    return str(span(seconds)) if seconds else "empty"


def _warnings(case: Case, gone: Difference) -> Iterable[str]:
    """Who knows more than the position tells: the stack keeps its order."""
    draws, shown = [0] * case.game.players, 0
    for event in gone.undone:
        for part in event.happenings:
            if part["kind"] == "gather" and part["seat"] is not None:
                drawn = part["private"].get(str(part["seat"]), {}).get("draw")
                draws[part["seat"]] += drawn is not None
            elif part["kind"] == "refill":
                shown += len((part["public"] or {}).get("cards", ()))
    for seat, count in enumerate(draws):
        if count:
            yield (
                f"{case.name_of(seat)} has drawn {_cards(count)} from the stack meanwhile and knows"
                " what lies there: the stack keeps its order."
            )
    if shown:
        yield f"All have seen {_cards(shown)} coming from the stack to the display meanwhile."
    if any(event.move and event.move.get("type") == "pet" for event in gone.undone):
        yield "Pets were chosen meanwhile; they are chosen anew."
    if case.game.status == "over":
        yield "The game was over, and every hand was shown: everybody knows all cards."


def _tell(case: Case, gone: Difference) -> None:
    if gone.undone:
        announce.rolled_back(
            case.session, case.site, case.now, case.game,
            undone=[event.seq for event in gone.undone],
            by=case.actor.person_id, reason=case.actor.told, banks=bool(gone.banks),
        )  # fmt: skip
        return
    tell_table(case, later("The turns that had been taken back stand again."))
    for one in holders(case.session, case.game):
        announce.ask(case.session, case.site, case.now, case.game, one.seat)


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _number(event: Event) -> str:
    return f"event {event.seq}"


def _teller(case: Case) -> Teller:
    names = [one.name for one in holders(case.session, case.game)]
    return Teller(cards_of(deck_of(case.game)), names, None)


def _told(teller: Teller, event: Event) -> str:
    """A turn as everybody may know it."""
    told = " ".join(teller.tell(seen_by([event], None)))
    told = told.replace(STRONG, "").replace(WEAK, "")
    return told or f"a turn of {teller.names[event.seat or 0]}"


ACTIONS = (
    Action(
        "roll-back", "Roll back", "Takes turns back, the newest first; the log keeps all.",
        "game", roll_back,
        (
            Parameter("to", "Which turns go", "event", choices=turns_offered, most=10**8,
                      hint="The turn you choose is taken back, and all turns after it. By number:"
                      " the last event that stays."),
            Parameter("messages", "Messages said since", "choice", default="keep",
                      choices=MESSAGES),
        ),
        players="owner", at=frozenset({"running", "over"}),
        fits=lambda case: case.game.setup is not None,
    ),
)  # fmt: skip
