"""What the dashboard's templates can say beside what all templates can."""

from collections.abc import Mapping

from pbem.letters.moments import span
from pbem.letters.times import day
from pbem.web.moderator.guard import blueprint

LETTERS: Mapping[str, str] = {
    "aged": "an answer to a letter that had been overtaken",
    "begins": "the game begins",
    "digest": "news of the day",
    "ended": "the game was ended",
    "held": "a mail is held",
    "moderated": "word of what a moderator did",
    "over": "the game is over, with its result",
    "pace": "another time control",
    "silence": "the table has been silent",
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
