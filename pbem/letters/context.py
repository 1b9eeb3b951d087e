"""What a letter's templates are given.

Everything is worked out from the row of the letter, the log up to its event, and the
view of its seat; a letter to a seat is the same whatever the cards are that this seat
cannot see.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from pbem.letters.affairs import AFFAIRS, Matter, words_of
from pbem.letters.answered import answered
from pbem.letters.arriving import arriving_words, unreached, unsubscribe_words
from pbem.letters.bearers import link_bearer, page_bearer
from pbem.letters.digest import digest_words
from pbem.letters.moderating import MODERATED, decided_words, moderating_words
from pbem.letters.moments import moment
from pbem.letters.names import table_name, table_names
from pbem.letters.personal import OF_ADDRESSES, address_words, data_words, welcome_words
from pbem.letters.plain import clean, clean_lines
from pbem.letters.site import Site
from pbem.letters.story import story
from pbem.letters.styles import Styles
from pbem.letters.table import Table, table
from pbem.letters.times import absence_words, late_words, pace, waiting_tables
from pbem.letters.visiting import VISITS, visiting_words
from pbem.store import Game, Invitation, Letter, Person
from pbem.store.options import options_of
from pbem.store.people import Holder, holders
from pbem.store.rows import id_of
from pbem.store.sittings import LINK_LIVES
from pbem.translation import _, listing

WITH_TABLE = frozenset(
    {
        "your-turn", "what-happened", "choose-pet", "pets-chosen", "end-phase", "begins",
        "receipt", "refusal", "aged", "preview", "held", "reminder", "over", "deadline-missed",
        "resigned", "absence", "pace", "played-for-you", "seat-news", "substitute-welcome",
        "paused", "rollback",
    }
)  # fmt: skip
"""Letters that show the table, once there is one."""
AFTER_OWN_TURN = frozenset({"receipt"})


@dataclass(frozen=True, slots=True)
class GameWords:
    """A game in the words of letters."""

    id: int
    name: str
    pace: str
    archive: str  # who may read it when it is over: open, names-hidden, members
    organiser: str
    players: int
    commitment: str
    status: str


def context_of(session: Session, site: Site, letter: Letter, styles: Styles) -> dict[str, Any]:
    """The variables of a letter's templates, by name."""
    person = None if letter.person_id is None else session.get(Person, letter.person_id)
    game = None if letter.game_id is None else session.get(Game, letter.game_id)
    page = page_bearer(letter)
    context: dict[str, Any] = {
        "site": _site(site),
        "kind": letter.kind,
        "person": "" if person is None else table_name(person.name),
        "page": "" if page is None else site.page_url(site.keys.token(page), _table(letter)),
        "game": None if game is None else _game(session, game),
        "deadline": _deadline(letter, person, game),
        "table": None,
        "alone": False,
        "seated": letter.seat is not None,
        "reply": letter.in_reply_to is not None,
        "read_as": _read_as(site, letter),
        "mail_subject": letter.context.get("subject"),
        **unsubscribe_words(site, letter),
    }
    if game is not None:
        context |= _of_game(session, site, letter, person, game, styles)
    elif letter.kind in MODERATED:
        context |= moderating_words(session, letter, person, None, ())
    if letter.kind in ("unreachable", "sent-elsewhere"):
        context |= arriving_words(session, letter)
    if "answer" in letter.context:
        context["answer"] = answered(letter.context["answer"])
    if letter.kind == "reminders":
        context |= waiting_tables(session, letter, person)
    if letter.kind == "alert":
        context |= {name: clean(letter.context[name], 500) for name in ("template", "why")}
    if letter.kind == "digest":
        context |= digest_words(session, letter, person)
    if letter.kind == "confirm":
        context["command"] = letter.context["command"]
    if letter.kind == "welcome":
        context |= welcome_words(letter, person)
    if letter.kind in OF_ADDRESSES:
        context |= address_words(session, site, letter, person)
    if letter.kind == "my-data" and person is not None:
        context |= data_words(session, site, person)
    if (link := link_bearer(letter)) is not None:
        context["sign_in"] = site.sign_in_url(site.keys.token(link))
        context["minutes"] = LINK_LIVES // timedelta(minutes=1)
    if letter.kind in VISITS:
        context |= visiting_words(site, letter)
    if letter.kind == "test":
        context["report"] = [clean(line, 500) for line in letter.context["report"]]
    return context


def _of_game(
    session: Session, site: Site, letter: Letter, person: Person | None, game: Game,
    styles: Styles,
) -> dict[str, Any]:  # fmt: skip
    context: dict[str, Any] = {"decided": decided_words(session, letter)}
    names: list[str] = []
    if game.seating is not None or game.position is not None:
        held = holders(session, game)
        names = table_names(holder.name for holder in held)
        context["alone"] = sum(holder.bot is None for holder in held) == 1
        if letter.kind in WITH_TABLE:
            shown = table(
                session, game, names, letter.seat, letter.seq or game.seq, styles,
                own_turn=letter.kind in AFTER_OWN_TURN,
            )  # fmt: skip
            context["table"] = shown
            waited_for = [seat for seat in shown.view.to_move if seat != letter.seat]
            context["unreached"] = unreached(session, held, names, waited_for)
            if letter.kind == "over":
                context |= {"story": story(session, game, shown), "url": _url(site, game)}
        if letter.kind in AFFAIRS:
            matter = Matter(session, letter, person, game, names, letter.context)
            context["words"] = words_of(matter)
        if letter.kind == "begins":
            context["seats"] = _seats(session, held)
        if "late" in letter.context:
            late = letter.context["late"]
            context["late"] = listing(names[seat] for seat in late)
            context["late_is_me"] = letter.seat in late
            context |= late_words(letter, person, game)
        if letter.kind == "absence":
            context |= absence_words(letter, names)
        if letter.kind in ("message", "message-moderator"):
            context |= _message(letter, names)
        if letter.kind == "resigned":
            context |= {"who": _who(session, letter), "successor": names[letter.context["left"]]}
    if letter.kind in MODERATED:
        context |= moderating_words(session, letter, person, game, names)
    if letter.kind == "reminder":
        context["rung"] = letter.context["rung"]
    if game.status in ("inviting", "expired") or letter.kind in ("withdrawn", "opened"):
        context |= _invited(session, letter, person, game)
    return context


def _table(letter: Letter) -> int | None:
    """The table that a letter to a seat is about: its page is the one to open."""
    return None if letter.seat is None else letter.game_id


def _read_as(site: Site, letter: Letter) -> str:
    """Where the writer of the mail that is answered sees how it was read."""
    page = page_bearer(letter)
    if page is None or letter.answers_mail_id is None:
        return ""
    return f"{site.page_url(site.keys.token(page))}?mail={letter.answers_mail_id}"


def _site(site: Site) -> dict[str, str]:
    settings = site.settings
    return {
        "name": settings.site.name,
        "operator": settings.site.operator,  # may be empty: nobody is named
        "url": settings.base_url,
        "rules_url": site.rules_url,
        "address": settings.server_address,
    }


def _game(session: Session, game: Game) -> GameWords:
    organiser = None if game.organiser_id is None else session.get(Person, game.organiser_id)
    return GameWords(
        id=id_of(game),
        name=table_name(game.name, 60),
        pace=pace(options_of(game).control),
        archive=game.archive,
        organiser=_("The operator") if organiser is None else table_name(organiser.name),
        players=game.players,
        commitment=game.commitment,
        status=game.status,
    )


def _deadline(letter: Letter, person: Person | None, game: Game | None) -> str:
    due = letter.context.get("due")
    if due is None or game is None:
        return ""
    zone = None if person is None else person.zone
    return str(moment(datetime.fromisoformat(due), zone, game.zone))


def _seats(session: Session, held: Sequence[Holder]) -> list[dict[str, Any]]:
    """Who sits where, for the letter that begins a game."""
    told = []
    for holder in held:
        person = None if holder.person_id is None else session.get(Person, holder.person_id)
        told.append(
            {
                "name": table_name(holder.name),
                "bot": holder.bot,
                "zone": (person.zone or "").replace("_", " ") if person is not None else "",
                "seat": holder.seat,
            }
        )
    return told


def _message(letter: Letter, names: list[str]) -> dict[str, Any]:
    to: list[int] | None = letter.context.get("to")
    mine = [seat for seat in to or () if seat != letter.seat]
    others = listing(names[seat] for seat in mine)
    if to is None:
        told = _("everybody")
    else:
        told = _("you and {others}", others=others) if others else _("you alone")
    return {
        "sender": names[letter.context["from"]],
        "to": told,
        "words": "\n".join(clean_lines(letter.context["text"])),
    }


def _who(session: Session, letter: Letter) -> str:
    person = session.get(Person, letter.context["who"])
    return _("Somebody") if person is None else table_name(person.name)


def _invited(session: Session, letter: Letter, person: Person | None, game: Game) -> dict[str, Any]:
    """The table that is to be filled: who was asked, who has answered, until when."""
    rows = session.exec(
        select(Invitation, Person)
        .outerjoin(Person, col(Person.id) == col(Invitation.person_id))
        .where(Invitation.game_id == game.id)
        .order_by(col(Invitation.place))
    ).all()
    own = person.id if person is not None else None
    there = [row for row in rows if row[0].state in ("invited", "accepted")]
    who: Mapping[int | None, str] = {
        guest.id: table_name(guest.name) for _, guest in rows if guest is not None
    }
    zone = None if person is None else person.zone
    return {
        "others": [who[row.person_id] for row, _ in there if row.person_id not in (own, None)],
        "bots": sum(row.bot is not None for row, _ in there),
        "accepted": [
            who[row.person_id]
            for row, _ in there
            if row.state == "accepted" and row.person_id is not None
        ],
        "who": who.get(letter.context.get("who"), _("Somebody")),
        "expires": "" if game.expires_at is None else str(moment(game.expires_at, zone, game.zone)),
    }


def _url(site: Site, game: Game) -> str:
    return site.game_url(id_of(game))


__all__ = ["Table", "context_of"]
