"""The words of what a moderator did: took turns back, wrote to somebody, decided something."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.letters.cards import cards_of
from pbem.letters.moments import moment
from pbem.letters.names import table_name
from pbem.letters.plain import clean_lines
from pbem.letters.sentences import Teller
from pbem.letters.sentences_clock import GIVEN_BACK
from pbem.store import Event, Game, Letter, Person
from pbem.store.log import seen_by
from pbem.store.positions import deck_of
from pbem.translation import _, ngettext

MODERATED = frozenset({"rollback", "note", "moderated"})
DECIDED = frozenset({"paused", "pace", "ended", "seat-news", "seat-lost"})
"""Letters about the table itself, which tell as well of what its players or its clock did: where
a moderator decided it, they say so, and why."""
MOST_UNDONE = 12
"""So many of the turns taken back are told one by one; of more, the newest."""


def moderating_words(
    session: Session, letter: Letter, person: Person | None, game: Game | None,
    names: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """The variables of a letter of `MODERATED`; `names` by seat, none before the game."""
    context = letter.context
    words: dict[str, Any] = {
        "who": moderator(session, context["who"]),
        "answered": letter.seat is not None and game is not None and game.moderator_id is not None,
    }
    if letter.kind == "note":
        return words | {"words": "\n".join(clean_lines(context["text"]))}
    words["reason"] = "\n".join(clean_lines(context["reason"]))
    if letter.kind == "moderated":
        facts = {
            key: _fact(session, fact, person, game, names) for key, fact in context["facts"].items()
        }
        return words | {
            "said": _(context["said"], **facts),
            "done": _done(session, letter, game, names),
        }
    assert game is not None
    return words | _undone(session, letter, game, names)


def decided_words(session: Session, letter: Letter) -> dict[str, str] | None:
    """Who decided what a letter of `DECIDED` tells, and why; None where no moderator did."""
    decided = letter.context.get("decided")
    if decided is None:
        return None
    reason = "\n".join(clean_lines(decided["reason"]))
    return {"who": moderator(session, decided["by"]), "reason": reason}


def moderator(session: Session, person_id: int | None) -> str:
    """Who did it, in the words of letters."""
    person = None if person_id is None else session.get(Person, person_id)
    if person is None:
        return _("The operator")
    return _("{name} (moderator)", name=table_name(person.name))


def _done(session: Session, letter: Letter, game: Game | None, names: Sequence[str]) -> list[str]:
    """The turn that was done for the reader, in sentences; none where no such was."""
    number = letter.context.get("turn")
    if number is None or game is None:
        return []
    log = session.exec(select(Event).where(Event.game_id == game.id, Event.seq == number)).all()
    return Teller(cards_of(deck_of(game)), names, letter.seat).tell(seen_by(log, letter.seat))


def _undone(session: Session, letter: Letter, game: Game, names: Sequence[str]) -> dict[str, Any]:
    """How much was taken back, and the newest of it in sentences, as its reader may know it."""
    numbers: list[int] = letter.context["undone"]
    chosen = numbers[-MOST_UNDONE:]
    log = session.exec(
        select(Event)
        .where(Event.game_id == game.id, col(Event.seq).in_(chosen))
        .order_by(col(Event.seq))
    ).all()
    teller = Teller(cards_of(deck_of(game)), names, letter.seat)
    more = len(numbers) - len(chosen)
    return {
        "taken_back": ngettext(
            "{who} has taken back the last turn.",
            "{who} has taken back the last {count} turns.",
            len(numbers),
            who=moderator(session, letter.context["who"]),
        ),
        "undone": teller.tell(seen_by(log, letter.seat)),
        "given_back": _(GIVEN_BACK) if letter.context.get("banks") else "",
        "more": ngettext("… and {count} turn before.", "… and {count} turns before.", more)
        if more
        else "",
    }


def _fact(
    session: Session, fact: Any, person: Person | None, game: Game | None, names: Sequence[str]
) -> str | int:
    """A value of `announce.moderated` in words."""
    if not isinstance(fact, Mapping):
        return table_name(fact, 60) if isinstance(fact, str) else int(fact)
    [(what, value)] = fact.items()
    match what:
        case "person":
            found = session.get(Person, value)
            return _("Somebody") if found is None else table_name(found.name)
        case "seat":
            return names[value]
        case _:
            own = None if person is None else person.zone
            table = "UTC" if game is None else game.zone
            return str(moment(datetime.fromisoformat(value), own, table))
