"""Links to the pages of a moderator's actions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import urlencode

from sqlmodel import Session

from pbem.moderation import ACTIONS, Offer, offered
from pbem.web import installation
from pbem.web.moderator.guard import Moderator

PAGES = "/moderator/actions"


@dataclass(frozen=True)
class Link:
    """Where something can be done, and what it is called; ``refused``: why somebody else
    has to do it."""

    label: str
    url: str
    says: str = ""
    refused: str = ""
    name: str = ""  # of the action


@dataclass(frozen=True)
class Family:
    """Actions that are about the same thing."""

    title: str
    links: tuple[Link, ...]


def deed(name: str, label: str = "", **concerning: int | None) -> Link | None:
    """The page of an action at a place (game, seat, person, mail, letter; None: left out);
    None where there is no such action."""
    action = ACTIONS.get(name)
    if action is None:
        return None
    query = urlencode({key: value for key, value in concerning.items() if value is not None})
    return Link(
        label or action.title, f"{PAGES}/{name}" + (f"?{query}" if query else ""), action.says,
        name=name,
    )  # fmt: skip


def deeds_of(session: Session, who: Moderator, **place: int | None) -> list[Family]:
    """What a moderator can do at a place now, by what it is about."""
    offers = offered(installation(), session, who.because(), who.powers, **place)
    return [
        Family(title, tuple(_links(group)))
        for title, group in groupby(offers, key=lambda offer: offer.family)
    ]


def _links(offers: Iterable[Offer]) -> Iterator[Link]:
    for offer in offers:
        target = offer.target
        link = deed(
            offer.action.name, game=target.game_id, seat=target.seat, person=target.person_id,
            mail=target.mail_id, letter=target.letter_id,
        )  # fmt: skip
        if link is not None:
            yield replace(link, refused=offer.refused)
