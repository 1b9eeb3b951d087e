"""What the dashboard's templates can say beside what all templates can."""

from collections.abc import Mapping

from pbem.letters.moments import span
from pbem.letters.times import day
from pbem.moderation import ACTIONS
from pbem.translation import _, later
from pbem.web.moderator.guard import blueprint

LETTERS: Mapping[str, str] = {
    "absence": "somebody is away",
    "aged": "an answer to a letter that had been overtaken",
    "begins": "the game begins",
    "choose-pet": "a pet is to be chosen",
    "deadline-missed": "a turn did not come in time",
    "declined": "an invitation was declined",
    "digest": "news of the day",
    "end-phase": "the end phase begins",
    "ended": "the game was ended",
    "expired": "the table did not fill",
    "held": "a mail is held",
    "moderated": "word of what a moderator did",
    "note": "a moderator's own words",
    "opened": "the table is open",
    "over": "the game is over, with its result",
    "pace": "another time control",
    "paused": "the clocks stand still, or run again",
    "pets-chosen": "all pets are chosen",
    "played-for-you": "a turn was done for the player",
    "resigned": "a player has left the game",
    "rollback": "turns were taken back",
    "seat-decision": "a seat to decide on",
    "seat-lost": "the seat has gone to somebody else",
    "seat-news": "a seat has another holder",
    "silence": "the table has been silent",
    "substitute-wanted": "a seat to be taken over",
    "visit": "a link to a page",
    "vote": "a vote is called",
    "vote-over": "how a vote ended",
    "welcome": "welcome to a table",
}
"""Kinds of letters whose name alone does not say what they are."""
WHY: Mapping[str, str] = {
    "sender": "its sender's address is not known as the player's",
    "unproved": "nothing proves that it comes from its sender",
    "list": "it came by way of a mailing list or as bulk mail",
    "never answered: own": "a mail of this server itself, never answered",
}
"""Why the mail room did what it did with a mail, where it has noted only a word."""


MAIL_POLICIES: Mapping[str, str] = {
    "token": later("whoever has its reply address"),
    "sender": later("its reply address, from a known sender"),
    "dmarc": later("its reply address, from a proved sender"),
}
"""Whose mail moves a seat, in the words of the form that opens a table; so the next."""
ARCHIVES: Mapping[str, str] = {
    "names-hidden": later("everybody may read it, without names"),
    "open": later("everybody may read it, with names"),
    "members": later("only those who have played may read it"),
}
PHASES: Mapping[str, str] = {
    "main": "main phase", "pets": "pets are chosen", "end": "end phase", "over": "over",
}  # fmt: skip


@blueprint.app_template_filter("mail_policy")
def mail_policy(policy: str) -> str:
    """Whose mail moves a seat."""
    return _(MAIL_POLICIES[policy])


@blueprint.app_template_filter("archive_words")
def archive_words(archive: str) -> str:
    """Who may read a game when it is over."""
    return _(ARCHIVES[archive])


@blueprint.app_template_filter("phase_word")
def phase_word(phase: str) -> str:
    """Where a game stands."""
    return PHASES.get(phase, phase)


@blueprint.app_template_filter("action_title")
def action_title(name: str) -> str:
    """What a moderator does, by the name of the action, as its form has it."""
    action = ACTIONS.get(name)
    return name.replace("-", " ") if action is None else action.title


@blueprint.app_template_filter("length_of_time")
def length_of_time(seconds: int) -> str:
    """A length of time in its largest units: 2 days, 1 hour and 5 minutes."""
    return span(seconds)


@blueprint.app_template_filter("calendar_day")
def calendar_day(written: str) -> str:
    """A day as letters write it, of its ISO form."""
    return day(written)


@blueprint.app_template_filter("letter_kind")
def letter_kind(kind: str) -> str:
    """What a letter is, in words."""
    return LETTERS.get(kind, kind.replace("-", " "))


@blueprint.app_template_filter("why")
def why(noted: str) -> str:
    """What is noted with a mail, in words; what somebody else said stays as it is."""
    code, more, rest = noted.partition(";")
    return WHY.get(code, code) + more + rest
