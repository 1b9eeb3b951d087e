"""The life of a table before its first turn: opened, invited, accepted, begun, expired."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from engine.bots import BOTS
from engine.game import new_game
from engine.proof import commitment, final_seed, seating
from engine.record import setup_of
from pbem.desk import waits
from pbem.desk.options import options_for, seconds_of
from pbem.desk.welcome import not_to_be_asked
from pbem.letters import Site, announce
from pbem.store import Game, Invitation, Seat, Tenure
from pbem.store.decks import USUAL
from pbem.store.log import Author, append
from pbem.store.positions import deck_of, store_position
from pbem.store.rows import id_of
from pbem.timing import GameOptions
from pbem.translation import _, series

MIN_PLAYERS, MAX_PLAYERS = 3, 5
INVITATION_REMINDERS = (3 / 7, 6 / 7)  # of the time until an unfilled table expires


class TableError(ValueError):
    """Something about a table that cannot be done: ``code``, and a sentence with the
    next step."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True)
class Place:
    """Who is asked to a table: a person or a bot."""

    person_id: int | None = None
    bot: str | None = None


def open_table(
    session: Session,
    site: Site,
    now: datetime,
    entropy: Callable[[int], bytes],
    author: Author,
    *,
    name: str,
    places: Sequence[Place],
    players: int | None = None,
    organiser_id: int | None = None,
    turn_seconds: int | None = None,
    options: GameOptions | None = None,
    server_seed: str | None = None,
    rematch_of: int | None = None,
    announced: bool = True,
    mail_policy: str | None = None,
    deck: str = USUAL,
    cards: list[dict[str, Any]] | None = None,
) -> Game:
    """Open a table and invite (unless not `announced`).  The deal is committed to now:
    SHA-256 of seed and salt goes into every invitation.  `turn_seconds` is a short way to
    say `options` that differ in the time per turn only; `cards` are those of a `deck` that
    does not come with the engine."""
    players = len(places) if players is None else players
    _check_size(players, places)
    server_seed = server_seed if server_seed is not None else entropy(32).hex()
    salt = entropy(16).hex()
    expires_at = now + timedelta(days=site.settings.games.invitation_days)
    options = options or options_for(site.settings, turn_seconds)
    game = Game(
        name=name,
        players=players,
        organiser_id=organiser_id,
        moderator_id=organiser_id,
        zone=site.settings.site.zone,
        turn_seconds=seconds_of(options.control),
        options=options.to_json(),
        created_at=now,
        expires_at=expires_at,
        server_seed=server_seed,
        salt=salt,
        commitment=commitment(server_seed, salt),
        rematch_of=rematch_of,
        deck=deck,
        cards=cards,
        mail_policy=mail_policy or site.settings.games.mail_policy,
    )
    session.add(game)
    session.flush()
    append(session, game, "opened", now, author, public={"commitment": game.commitment})
    for place in places:
        invite(session, site, now, author, game, place, announced=announced)
    game.alarm_at = next_invitation_alarm(game, now)
    return game


def invite(
    session: Session,
    site: Site,
    now: datetime,
    author: Author,
    game: Game,
    place: Place,
    announced: bool = True,
) -> Invitation:
    """Ask one more person (or bot) to a table that has not begun."""
    _require_inviting(game)
    if place.bot is not None and place.bot not in BOTS:
        raise TableError(
            "unknown-bot",
            _("No bot is called “{name}”; there are: {bots}.", name=place.bot, bots=series(BOTS)),
        )
    taken = invitations(session, game)
    if len(taken) >= game.players:
        raise TableError(
            "table-full", _("The table has its {count} players already.", count=game.players)
        )
    if place.person_id is not None and any(one.person_id == place.person_id for one in taken):
        raise TableError("already-invited", _("This person is invited already."))
    himself = place.person_id is not None and place.person_id == author.person_id
    asked = None if himself else place.person_id
    if asked is not None and (trouble := not_to_be_asked(session, site, now, asked)) is not None:
        raise TableError(*trouble)
    invitation = _again(session, game, place) or Invitation(
        game_id=id_of(game),
        place=_next_place(session, game),
        person_id=place.person_id,
        bot=place.bot,
        created_at=now,
    )
    ready = place.bot is not None or himself  # whoever opens a table comes to it
    invitation.state = "accepted" if ready else "invited"
    invitation.answered_at = now if ready else None
    session.add(invitation)
    session.flush()
    append(session, game, "invited", now, author, public={"place": invitation.place})
    if announced and not ready:
        announce.invitation(session, site, now, game, invitation)
    return invitation


def accept(
    session: Session, site: Site, now: datetime, author: Author, game: Game,
    invitation: Invitation, word: str = "",
) -> bool:  # fmt: skip
    """Take the offered place; a word goes into the seed of the deal.  True when this
    was the last answer and the game has begun."""
    _require_inviting(game)
    if invitation.state == "withdrawn":
        raise TableError("withdrawn", _("This invitation was withdrawn; ask the organiser."))
    if len(word) > 100:
        raise TableError("word-too-long", _("A word for the deal has at most 100 characters."))
    others = [one for one in invitations(session, game) if one.id != invitation.id]
    if invitation.state == "declined" and len(others) >= game.players:
        raise TableError("table-full", _("Somebody else has taken the place meanwhile."))
    invitation.state, invitation.word, invitation.answered_at = "accepted", word, now
    session.add(invitation)
    append(session, game, "accepted", now, author, public={"place": invitation.place})
    if len(others) + 1 == game.players and all(one.state == "accepted" for one in others):
        begin(session, site, now, author, game)
        return True
    return False


def decline(
    session: Session, site: Site, now: datetime, author: Author, game: Game,
    invitation: Invitation,
) -> None:  # fmt: skip
    """Say no; the organiser is told and may ask somebody else."""
    _require_inviting(game)
    invitation.state, invitation.answered_at = "declined", now
    session.add(invitation)
    append(session, game, "declined", now, author, public={"place": invitation.place})
    announce.declined(session, site, now, game, invitation)


def begin(
    session: Session, site: Site, now: datetime, author: Author, game: Game,
    *, draw_seats: bool = True,
) -> None:  # fmt: skip
    """Deal and begin with all who have accepted (three or more).  Seats are drawn from
    the final seed, a hash over the server's seed and everybody's word; open invitations
    are withdrawn."""
    _require_inviting(game)
    going = [one for one in invitations(session, game) if one.state == "accepted"]
    if len(going) < MIN_PLAYERS:
        raise TableError(
            "too-few",
            _(
                "A game needs {least} players; accepted so far: {number}.",
                least=MIN_PLAYERS,
                number=len(going),
            ),
        )
    for one in invitations(session, game):
        if one.state == "invited":
            one.state = "withdrawn"
            session.add(one)
            announce.withdrawn(session, site, now, game, one)
    drawn = draw_seats and not game.seats_as_given
    game.players = len(going)
    game.seed = final_seed(game.server_seed, [one.word for one in going])
    game.seating = list(seating(game.seed, len(going))) if drawn else None
    order = [going[index] for index in game.seating] if game.seating is not None else going
    game.status, game.started_at, game.expires_at = "running", now, None
    seats = [{"person": one.person_id, "bot": one.bot} for one in order]
    event = append(session, game, "started", now, author, public={"seats": seats})
    for number, one in enumerate(order):
        _hold_seat(session, game, number, one, event.seq)
    position = new_game(game.seed, game.players, deck_of(game))
    game.setup = setup_of(position)
    store_position(game, position)
    session.flush()
    waits.follow(session, game, position, now)
    game.bot_waits = bool(waits.bots_to_move(session, game, position))
    announce.game_begins(session, site, now, game)


def begin_as_invited(
    session: Session, site: Site, now: datetime, author: Author, game: Game
) -> None:
    """Begin at once with everybody who was asked, in the order in which they were: for an
    operator, who has their word."""
    for one in invitations(session, game):
        one.state = "accepted"
        session.add(one)
    begin(session, site, now, author, game, draw_seats=False)


def _hold_seat(session: Session, game: Game, number: int, holder: Invitation, seq: int) -> None:
    """Seat whoever has accepted: the first tenure of the seat."""
    seat = Seat(game_id=id_of(game), number=number)
    session.add(seat)
    session.flush()
    session.add(
        Tenure(seat_id=id_of(seat), person_id=holder.person_id, bot=holder.bot, from_seq=seq)
    )


def expire(session: Session, site: Site, now: datetime, game: Game) -> None:
    """An unfilled table ends, and everybody who was asked is told."""
    game.status, game.finished_at, game.alarm_at = "expired", now, None
    append(session, game, "expired", now, Author("clock"), public={})
    announce.expired(session, site, now, game)


def remind_invited(session: Session, site: Site, now: datetime, game: Game) -> None:
    """Remind those who have not answered; at most twice a table, also if its end has moved."""
    rung = sum(at <= now for at in _reminders(game))
    for one in invitations(session, game):
        if one.state == "invited":
            announce.invitation_reminder(session, site, now, game, one, rung)
    game.alarm_at = next_invitation_alarm(game, now)
    session.add(game)


def invitations(session: Session, game: Game) -> list[Invitation]:
    """The places that are taken or offered, in the order of invitation."""
    return list(
        session.exec(
            select(Invitation)
            .where(
                Invitation.game_id == game.id,
                col(Invitation.state).in_(["invited", "accepted"]),
            )
            .order_by(col(Invitation.place))
        )
    )


def _check_size(players: int, places: Sequence[Place]) -> None:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise TableError(
            "table-size",
            _(
                "Ark is for {least} to {most} players, not {number}.",
                least=MIN_PLAYERS,
                most=MAX_PLAYERS,
                number=players,
            ),
        )
    if len(places) > players:
        raise TableError(
            "table-size",
            _("{number} are invited to a table of {seats}.", number=len(places), seats=players),
        )


def _require_inviting(game: Game) -> None:
    if game.status == "inviting":
        return
    sentence = {
        "running": _("The game has begun already."),
        "over": _("The game is over."),
        "expired": _("The table was closed because it did not fill in time."),
        "ended": _("The game was ended."),
    }[game.status]
    raise TableError("not-inviting", sentence)


def _again(session: Session, game: Game, place: Place) -> Invitation | None:
    """The earlier invitation of a person who had declined and is asked again."""
    if place.person_id is None:
        return None
    return session.exec(
        select(Invitation).where(
            Invitation.game_id == game.id, Invitation.person_id == place.person_id
        )
    ).first()


def _next_place(session: Session, game: Game) -> int:
    places = session.exec(select(Invitation.place).where(Invitation.game_id == game.id))
    return max(places, default=-1) + 1


def next_invitation_alarm(game: Game, now: datetime) -> datetime | None:
    """When a table that waits for its players is looked at next: to remind, or to end."""
    if game.expires_at is None:
        return None
    return next((at for at in _reminders(game) if at > now), game.expires_at)


def _reminders(game: Game) -> list[datetime]:
    """When those who have not answered are reminded."""
    if game.expires_at is None:
        return []
    span = game.expires_at - game.created_at
    return [game.created_at + span * part for part in INVITATION_REMINDERS]
