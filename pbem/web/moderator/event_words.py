"""What the log of a table holds beside its turns, in words: the head of an entry of the
timeline, and what no sentence of the letters tells."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.letters.moments import moment
from pbem.store import Event, Game, Invitation, Wait
from pbem.store.moderated import MODERATED
from pbem.web.moderator.guard import blueprint
from pbem.web.moderator.seats import name_of
from pbem.web.moderator.words import action_title

KINDS: Mapping[str, str] = {
    "absence-granted": "more days of absence",
    "ballot": "an answer to a vote",
    "deadline": "time ran out",
    "deadline-moved": "another deadline",
    "ends-moved": "what ends here ends later",
    "hands-opened": "hands that moderators had opened",
    "left-to-bot": "left to a bot",
    "missed": "a missed turn",
    "moderated": "what the table reads of it",
    "pace": "another time control",
    "rollback": "turns were taken back",
    "silence": "the table was silent",
    "vote": "a vote was called",
    "vote-over": "a vote ended",
}
"""Kinds of events whose name alone does not say what they are."""
WHY_MOVED: Mapping[str, str] = {
    "absence": "an absence", "again": "the time begins anew", "alone": "nobody else has to wait",
    "back": "back from an absence", "grace": "time of grace", "halted": "the table was halted",
    "moderator": "more time from a moderator", "offered": "the seat is offered",
    "outage": "the server was not there", "pace": "another time control",
    "pause": "a pause of the table",
}  # fmt: skip
"""Why a deadline is another one."""
ENDS: Mapping[str, str] = {
    "expires": "places to be filled", "vote": "the vote", "offers": "the offer of a seat",
    "silence": "waiting for a word",
}  # fmt: skip
VOTES: Mapping[str, str] = {"end": "to end the game", "pause": "to pause", "pace": "on the pace"}
VOTE_ENDS: Mapping[str, str] = {
    "agreed": "agreed", "refused": "refused", "silent": "not all answered", "void": "void",
}  # fmt: skip
DONE_FOR: Mapping[str, str] = {
    "bot": "by a bot",
    "default": "by the clock",
    "minimal": "by the clock",
    "forced": "by the clock, the only legal one",
}
"""How a turn was done for a player (`Wait.outcome`)."""


@blueprint.app_template_filter("event_kind")
def event_kind(kind: str) -> str:
    """What an event is, in words."""
    return KINDS.get(kind, kind.replace("-", " "))


@dataclass(frozen=True)
class EventTeller:
    """Tells the events of one table.  ``names`` by seat; moments in the reader's ``zone``."""

    session: Session
    game: Game
    names: Sequence[str]
    zone: str | None
    done_for: Mapping[tuple[int | None, datetime | None], str]  # by seat and moment

    @classmethod
    def of(
        cls, session: Session, game: Game, names: Sequence[str], zone: str | None
    ) -> "EventTeller":
        """Those of a table, knowing which turns were done for a player, and how."""
        rows = session.exec(
            select(Wait.seat, Wait.ended_at, Wait.outcome).where(
                Wait.game_id == game.id, col(Wait.outcome).in_(DONE_FOR)
            )
        )
        done: dict[tuple[int | None, datetime | None], str] = {
            (seat, ended): DONE_FOR[how] for seat, ended, how in rows if how is not None
        }
        return cls(session, game, names, zone, done)

    def name(self, seat: int | None) -> str:
        return "" if seat is None or not 0 <= seat < len(self.names) else self.names[seat]

    def head(self, event: Event, seen: bool) -> str:
        """What it is, whose, and by whom."""
        if event.kind == "say":
            what = "a message" if seen else "a private message"
        elif event.kind == MODERATED:
            what = action_title(str(event.public.get("action", "")))
        else:
            what = event_kind(event.kind)
        parts = (what, self._whose(event), self._how(event))
        return " · ".join(part for part in parts if part)

    def _whose(self, event: Event) -> str:
        """Whom it is about: of a moderator's action who held the seat then."""
        person_id = event.public.get("person") if event.kind == MODERATED else None
        return name_of(self.session, person_id) or self.name(event.seat)

    def _how(self, event: Event) -> str:
        done = ""
        if event.kind == "turn":
            done = self.done_for.get((event.seat, event.at), "")
        match event.channel:
            case "bot":
                return "by a bot"
            case "clock":
                return done or "by the clock"
            case "cli":
                by = "by the command line"
            case "moderator":
                name = name_of(self.session, event.person_id)
                by = f"by {name}, moderator" if name else "by a moderator"
            case _:
                return ""
        return f"{done}, {by}" if done else by

    def facts(self, event: Event) -> str:
        """What is public of an event and no sentence tells; never the words of a message."""
        tell = _FACTS.get(event.kind)
        return "" if tell is None else tell(self, event.public)

    def moved(self, facts: Mapping[str, Any]) -> str:
        why, due = str(facts.get("why", "")), facts.get("due")
        until = "no time runs" if due is None else f"until {self.time(due)}"
        return f"{WHY_MOVED.get(why, why)}: {until}"

    def ends(self, facts: Mapping[str, Any]) -> str:
        named = ((words, facts[key]) for key, words in ENDS.items() if facts.get(key))
        return ", ".join(f"{words} until {self.time(at)}" for words, at in named)

    def vote(self, facts: Mapping[str, Any]) -> str:
        what = str(facts.get("what", ""))
        end = facts.get("outcome")
        told = [VOTES.get(what, what), VOTE_ENDS.get(str(end), str(end)) if end else ""]
        by = facts.get("by")
        told.append(f"asked by {name_of(self.session, by, 'somebody')}" if by else "")
        return ", ".join(part for part in told if part)

    def place(self, facts: Mapping[str, Any]) -> str:
        asked = select(Invitation.person_id).where(
            Invitation.game_id == self.game.id, Invitation.place == facts.get("place")
        )
        return name_of(self.session, self.session.exec(asked).first())

    def time(self, at: str) -> str:
        return str(moment(datetime.fromisoformat(at), self.zone, self.game.zone))


_Tell = Callable[[EventTeller, Mapping[str, Any]], str]
_FACTS: Mapping[str, _Tell] = {
    "absence-granted": lambda _words, facts: f"{facts['days']} days more",
    "accepted": EventTeller.place,
    "ballot": lambda _words, facts: "yes" if facts["agrees"] else "no",
    "deadline-moved": EventTeller.moved,
    "declined": EventTeller.place,
    "ends-moved": EventTeller.ends,
    "invited": EventTeller.place,
    "vote": EventTeller.vote,
    "vote-over": EventTeller.vote,
}
"""By the kind of event; of the others there is nothing to be said beside their head."""
