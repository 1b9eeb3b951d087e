"""The words of letters about the table itself: seats that change hands, votes, its clocks
standing still, its end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from pbem.commands import spoken_command
from pbem.commands.speech import setting_word
from pbem.letters.moments import moment
from pbem.letters.names import table_name
from pbem.letters.times import pace
from pbem.store import Game, Letter, Person
from pbem.store.options import options_of
from pbem.timing.terms import control_of
from pbem.translation import _, clauses, language, later, listing


@dataclass(frozen=True)
class Words:
    """A letter: its first sentence, what else it says, and what may be answered."""

    headline: str
    told: Sequence[str] = ()
    examples: Sequence[str] = ()
    asks: str = ""


@dataclass(frozen=True)
class Matter:
    """What such a letter is about."""

    session: Session
    letter: Letter
    person: Person | None
    game: Game
    names: Sequence[str]  # by seat, as they are called now
    facts: Mapping[str, Any] = field(default_factory=dict)

    def name(self, key: str) -> str:
        """The person of a fact."""
        number = self.facts.get(key)
        person = None if number is None else self.session.get(Person, number)
        return _("Somebody") if person is None else table_name(person.name)

    def holder(self, key: str) -> str:
        """Who holds the seat of a fact now."""
        return str(self.names[self.facts[key]])

    def until(self) -> str:
        until = self.facts.get("until")
        if until is None:
            return ""
        zone = None if self.person is None else self.person.zone
        return str(moment(datetime.fromisoformat(until), zone, self.game.zone))


def words_of(matter: Matter) -> Words:
    """The words of a letter of `AFFAIRS`."""
    return AFFAIRS[matter.letter.kind](matter)


PLAYED = {
    "forced": later("You had one legal move only, and it was done for you."),
    "default": later("Your time was over: no answer means no pet, so you have none."),
    "bot": later("Your time was over: a bot has played this turn for you."),
    "minimal": later(
        "Your time was over: the server has done the least for you, the first card of the "
        "display, or in the end phase being out."
    ),
}


def _played_for_you(matter: Matter) -> Words:
    how = matter.facts["how"]
    if how in ("forced", "default"):
        return Words(_(PLAYED[how]), [_("It counts as no miss.")])
    return Words(_(PLAYED[how]), [_("Your seat stays yours; the next turn is yours again.")])


def _seat_news(matter: Matter) -> Words:
    before, now = matter.name("before"), matter.holder("changed")
    match matter.facts["what"]:
        case "substituted" if matter.facts["before"] is not None:
            told = _("{who} takes over the seat of {before}.", who=now, before=before)
        case "substituted":
            told = _("{who} takes over the seat of a bot.", who=now)
        case "returned":
            told = _("{who} is back and plays on.", who=now)
        case "moderator":
            told = _("{bot} plays the seat of {before} now; the moderator has decided so.",
                     bot=now, before=before)  # fmt: skip
        case _:
            told = _("{bot} plays the seat of {before} now, who has not answered for long.",
                     bot=now, before=before)  # fmt: skip
    return Words(told, [_("What was done at that seat before stays with who did it.")])


def _seat_lost(matter: Matter) -> Words:
    late = "decided" not in matter.facts  # a moderator has reasons of his own, and the letter them
    if matter.facts["to"] == "substitute":
        why = _("You had not answered for long, and the game has gone on. Your turns stay yours.")
        return Words(_("Somebody else plays your seat now."), [why] if late else [])
    why = _("You had not answered for long. The seat waits for you: any answer to this letter "
            "makes it yours again at once, as long as the game lasts.")  # fmt: skip
    return Words(
        _("A bot plays your seat now."),
        [why] if late else [],
        [spoken_command("join", language()) + f" {matter.game.id}"],
        _("To come back"),
    )  # fmt: skip


def _welcome(matter: Matter) -> Words:
    return Words(
        _("Welcome to {game}: this seat is yours now.", game=table_name(matter.game.name, 60)),
        [
            _("You have its hand, its timbers and its markers. Notes and messages of whoever had "
              "it before are not shown to you."),
            _("Time for a turn: {time}.", time=pace_of(matter.game)),
        ],
        [spoken_command("history", language()) + " 30"],
        _("To read what has happened so far"),
    )  # fmt: skip


def _wanted(matter: Matter) -> Words:
    game = matter.game
    name = table_name(game.name, 60)
    if matter.facts["who"] is None:
        headline = _("A seat at {game} wants a player.", game=name)
        why = _("You get this because you are ready to substitute; your page ends that.")
    else:
        headline = _("{who} asks whether you take a seat at {game}.", who=matter.name("who"),
                     game=name)  # fmt: skip
        why = _("You get this one letter because your address was given for it.")
    return Words(
        headline,
        [
            _("The game is under way; {people} play. Whoever had the seat has not answered for "
              "long.", people=listing(_others(matter))),
            _("Time for a turn: {time}.", time=pace_of(game)),
            _("Whoever comes first has it; if nobody comes by {time}, a bot does.",
              time=matter.until()),
            why,
        ],
        [spoken_command("join", language()) + f" {game.id}"],
        _("To take the seat, answer with"),
    )  # fmt: skip


def _decision(matter: Matter) -> Words:
    command = f"game seat {matter.game.id} {matter.facts['about']} wait"
    return Words(
        _("{who} does not answer: what becomes of the seat?", who=matter.holder("about")),
        [
            _("You look after this table. Without your word a bot plays the seat from {time} on.",
              time=matter.until()),
            _("On your page you can wait on, ask the substitutes, or let a bot have it at once; "
              "so can the operator: {command}", command=command),
        ],
    )  # fmt: skip


def asked_for(what: str, control: Mapping[str, Any] | None) -> str:
    """What a table is asked about."""
    if what == "pause":
        return _("The clocks are to stand still.")
    if what == "end" or control is None:
        return _("The game is to end.")
    return _("Another time for a turn: {time}.", time=pace(control_of(control)))


def _vote(matter: Matter) -> Words:
    who, yes, no = (
        matter.name("who"),
        *(f"{spoken_command('vote', language())} {setting_word(one, language())}"
          for one in ("yes", "no")),
    )  # fmt: skip
    match matter.facts["what"]:
        case "pause":
            asked = _("{who} proposes that the clocks of this table stand still for a while.",
                      who=who)  # fmt: skip
        case "end":
            asked = _("{who} proposes to end this game now, without a winner.", who=who)
        case _:
            asked = _("{who} proposes another time for a turn: {time}.", who=who,
                      time=pace(control_of(matter.facts["control"])))  # fmt: skip
    return Words(
        asked,
        [
            _("All people at the table have to agree, by {time}. Whoever says nothing has not "
              "agreed.", time=matter.until()),
        ],
        [yes, no],
        _("Your answer"),
    )  # fmt: skip


def _vote_over(matter: Matter) -> Words:
    if matter.facts["outcome"] == "refused":
        told = _("Not all agree, so everything stays as it is. The question was:")
    else:
        told = _("Not all have answered in time, so everything stays as it is. The question was:")
    return Words(told, [asked_for(matter.facts["what"], matter.facts["control"])])


def _paused(matter: Matter) -> Words:
    what, until = matter.facts["what"], matter.until()
    runs = _("Each clock has what it had left before.")
    match what:
        case "resumed" if matter.facts.get("who") is not None:
            return Words(_("{who} lets the clocks run again.", who=matter.name("who")), [runs])
        case "resumed" | "over":
            return Words(_("The clocks run again."), [runs])
        case "mended":
            return Words(
                _("The table is mended, and the game goes on."),
                [_("Nobody’s time ran while it was halted.")],
            )
        case "emergency":
            told = _("{who} cannot play for now: the clocks stand still.", who=matter.name("who"))
        case "moderator":
            told = _("The moderator has stopped the clocks.")
        case _:
            told = _("As all have agreed, the clocks stand still.")
    if until:
        lasts = _("They run again {time} at the latest.", time=until)
    else:
        lasts = _("They run again as soon as one of you says so.")
    return Words(
        told,
        [_("Whoever likes may play on all the same."), lasts],
        [spoken_command("resume", language())], _("To let them run"),
    )  # fmt: skip


def _silence(matter: Matter) -> Words:
    return Words(
        _("It has been silent at this table for long."),
        [_("If nobody does or says anything, the game ends on {time}. Any turn or word keeps it "
           "alive.", time=matter.until())],
    )  # fmt: skip


BY = {
    "consent": later("The game has ended, as all have agreed."),
    "moderator": later("The moderator has ended the game."),
    "silence": later("The game has ended, because nobody has said anything for long."),
}


def _ended(matter: Matter) -> Words:
    return ending_words(matter.facts, matter.names)


def ending_words(facts: Mapping[str, Any], names: Sequence[str]) -> Words:
    """Why a game has ended before its last turn, and what came of it (the event `ended`)."""
    points = facts["points"]
    if points is None:
        counts = _("It has no result.")
    else:
        told = clauses(
            _("{name} {number}", name=name, number=number)
            for name, number in zip(names, points, strict=True)
        )
        counts = _("The points as they stood, pets not counted: {points}.", points=told)
    return Words(_(BY[facts["by"]]), [_("There is no winner."), counts])


def _halted(matter: Matter) -> Words:
    return Words(
        _("The table is halted: something is wrong with it, not with you."),
        [_("Whoever runs this server has been told. Nobody’s time runs; you need do nothing, and "
           "a letter comes when it goes on.")],
    )  # fmt: skip


def _halted_moderator(matter: Matter) -> Words:
    return Words(
        _("Game {number} is halted: it failed three times.", number=matter.game.id),
        [_("The log of the server says why. All other games go on. When it is mended, run"),
         f"python -m pbem game resume {matter.game.id}"],
    )  # fmt: skip


def pace_of(game: Game) -> str:
    """How long a turn may take there."""
    return pace(options_of(game).control)


def _others(matter: Matter) -> list[str]:
    return [name for seat, name in enumerate(matter.names) if seat != matter.facts["about"]]


AFFAIRS: Mapping[str, Callable[[Matter], Words]] = {
    "played-for-you": _played_for_you,
    "seat-news": _seat_news,
    "seat-lost": _seat_lost,
    "substitute-welcome": _welcome,
    "substitute-wanted": _wanted,
    "seat-decision": _decision,
    "vote": _vote,
    "vote-over": _vote_over,
    "paused": _paused,
    "silence": _silence,
    "ended": _ended,
    "halted": _halted,
    "halted-moderator": _halted_moderator,
}
