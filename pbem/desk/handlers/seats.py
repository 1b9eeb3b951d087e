"""`join N`: a seat that is offered, one's own again, or an invitation; and whom to ask."""

from sqlmodel import select

from pbem.commands import Line
from pbem.desk import lobby, offering
from pbem.desk.counter import Counter, Handler
from pbem.desk.handlers import joining, privacy
from pbem.desk.offering import OfferError
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.desk.succession import give_to_person, returns_to
from pbem.desk.tables import TableError
from pbem.letters.names import table_name
from pbem.store import Game, Invitation, Person
from pbem.store.people import seat_of
from pbem.store.tenures import seats_held
from pbem.translation import _


def join(counter: Counter, line: Line) -> AnswerLine:
    """`join N`: whatever way there is for the writer to sit at that table."""
    person = counter.writer
    if person is None or person.id is None:
        return refused(line, "unknown", _("This address is not known here; ask for an invitation."))
    number, game = counter.game_named(line)
    if game is None:
        return refused(line, "no-game", _("There is no game {number}.", number=number))
    if game.status == "inviting":
        return _invited(counter, line, game, person.id)
    if game.status != "running":
        return refused(line, "game-over", _("That game is over already."))
    if seat_of(counter.session, game, person.id) is not None:
        return answered(line, _("You sit at that table already."))
    if (own := _own_seat(counter, game, person.id)) is not None:
        return _back(counter, line, game, own, person.id)
    return _taken(counter, line, game, person)


def invite_substitute(counter: Counter, line: Line) -> AnswerLine:
    """`invite ADDRESS` at a running table: ask a friend to take the seat that is offered."""
    person = counter.writer
    game = counter.table
    at_table = {one.person_id for one in counter.holders} | {game.organiser_id, game.moderator_id}
    if person is None or person.id is None or person.id not in at_table:
        return refused(line, "not-here", _("Only people at this table can ask somebody to it."))
    try:
        with counter.session.begin_nested():
            for place in joining.places_of(counter, list((line.args or {}).get("with") or [])):
                if place.person_id is None:
                    return refused(line, "no-bot", _("A bot gets the seat if nobody else does."))
                offering.ask_friend(
                    counter.session, counter.site, counter.now, game, place.person_id, person.id
                )
    except (OfferError, TableError) as error:
        return refused(line, error.code, error.sentence)
    return done(line, _("Asked. Whoever answers first has the seat."))


def _invited(counter: Counter, line: Line, game: Game, person_id: int) -> AnswerLine:
    invitation = counter.session.exec(
        select(Invitation).where(Invitation.game_id == game.id, Invitation.person_id == person_id)
    ).first()
    if invitation is None or (game.lobby and invitation.state in ("declined", "withdrawn")):
        return _come_in(counter, line, game, person_id)
    counter.game, counter.invitation = game, invitation
    return joining.accept(counter, line)


def _come_in(counter: Counter, line: Line, game: Game, person_id: int) -> AnswerLine:
    """A free place at a table that is open to all."""
    try:
        begun = lobby.come_in(
            counter.session, counter.site, counter.now, counter.order.author, game, person_id
        )
    except TableError as error:
        return refused(line, error.code, error.sentence)
    privacy.take_back(counter)
    if begun:
        return done(line, _("You are in, and the game has begun: your letter is on its way."))
    return done(line, _("You are in. A letter comes when the game begins."))


def _own_seat(counter: Counter, game: Game, person_id: int) -> int | None:
    """The seat he held, if a bot holds it now and nobody else has held it since."""
    held = sorted(seats_held(counter.session, game, person_id))
    return next((one for one in held if returns_to(counter.session, game, one, person_id)), None)


def _back(counter: Counter, line: Line, game: Game, seat: int, person_id: int) -> AnswerLine:
    if game.halted_at is not None:
        sentence = _("That table is halted; whoever runs this server has to look.")
        return refused(line, "halted", sentence)
    author = counter.order.author
    give_to_person(counter.session, counter.site, counter.now, author, game, seat, person_id)
    counter.look()
    return done(line, _("Welcome back: the seat is yours again."))


def _taken(counter: Counter, line: Line, game: Game, person: Person) -> AnswerLine:
    author = counter.order.author
    try:
        offering.take(counter.session, counter.site, counter.now, author, game, person)
    except OfferError as error:
        return refused(line, error.code, error.sentence)
    privacy.take_back(counter)
    name = table_name(game.name, 60)
    return done(line, _("The seat at {game} is yours; its letter is on its way.", game=name))


HANDLERS: dict[str, Handler] = {"join": join}
