"""One turn at a table: engine, log, clock and letters, in the caller's unit of work."""

from collections.abc import Sequence
from datetime import datetime

from sqlmodel import Session

from engine.bots import bot
from engine.game import Position, apply
from engine.moves import Move, Pet, to_json
from engine.shuffle import Generator
from engine.view import view
from pbem.desk import banks, waits
from pbem.desk.deadlines import Away
from pbem.desk.opened import tell_opened
from pbem.letters import Site, announce
from pbem.letters.announce.batch import Batch
from pbem.store import Event, Game, Mail, Seat, Wait
from pbem.store.log import Author, append
from pbem.store.people import Holder, seated
from pbem.store.positions import position_now, store_position


def play(
    session: Session, site: Site, now: datetime, author: Author, game: Game, seat: int, move: Move,
    held: Sequence[Holder] | None = None, outcome: str = "turn", away: Away | None = None,
    running: Sequence[Wait] | None = None, batch: Batch | None = None,
) -> Event:  # fmt: skip
    """Apply a legal move (else `engine.game.IllegalMove`) and leave its whole trace.
    `held`, `away`, `running`: the table's holders, their absences and its open waits, for a
    caller who knows them; `batch`: that which the letters go with.
    `outcome`: turn, or how it was done for the player (forced, default, bot, minimal)."""
    held = seated(session, game) if held is None else held
    position = position_now(game)
    phase_before = position.phase
    happenings = apply(position, seat, move)
    event = append(
        session, game, "turn", now, author, seat=seat, move=to_json(move), happenings=happenings
    )
    if not isinstance(move, Pet):
        game.decision += 1  # what ages letters (commands.md 1.8); a pet does not
    store_position(game, position)
    if position.phase == "over":
        game.status, game.finished_at = "over", now
    waits.follow(
        session, game, position, now, held, mover=seat, sent_at=sent_at(session, author),
        outcome=outcome, away=away, running=running, batch=batch,
    )  # fmt: skip
    [seat_id] = [one.seat_id for one in held if one.seat == seat]
    event.public = banks.left_in(session.get_one(Seat, seat_id))
    game.bot_waits = waits.moves_at_once(session, game, position, held)
    session.add(game)
    if position.phase == "over":
        if batch is not None:
            batch.put()  # before the letters of its end
        announce.game_over(session, site, now, game)
        tell_opened(session, site, now, author, game)
    elif not game.bot_waits or (position.phase == "pets" != phase_before):
        # A bot's turn follows at once, and one letter for both is better than two; but
        # pets are chosen by all at the same time.
        announce.after_turn(session, site, now, game, seat, held, batch)
    return event


def sent_at(session: Session, author: Author) -> datetime | None:
    """When whoever caused this sent it, if it came by mail: nobody's time runs while his
    mail waits to be read."""
    mail = None if author.mail_id is None else session.get(Mail, author.mail_id)
    return None if mail is None else mail.received_at


def play_bot(session: Session, site: Site, now: datetime, game: Game) -> bool:
    """Let one bot that is to move do its turn, or the only legal one of a player who wants
    that; False when there is none.

    Its choice comes from the seat's view and from a generator of this game and event,
    so that it is the same when a crash makes it choose again."""
    if game.status != "running" or game.halted_at is not None:
        return False
    position = position_now(game)
    held = seated(session, game)
    waiting = waits.bots_to_move(session, game, position, held)
    if not waiting:
        return _play_forced(session, site, now, game, position, held)
    seat, name = waiting[0]
    chance = Generator(f"{game.seed}/bot/{game.seq}")
    move = bot(name).choose(view(position, seat), chance)
    play(session, site, now, Author("bot"), game, seat, move, held)
    return True


def _play_forced(
    session: Session, site: Site, now: datetime, game: Game, position: Position,
    held: Sequence[Holder],
) -> bool:  # fmt: skip
    """The only legal move of a player who has asked for that; False when there is none."""
    forced = waits.forced_to_move(session, game, position, held)
    if not forced:
        game.bot_waits = False
        session.add(game)
        return False
    seat, move = forced[0]
    play(session, site, now, Author("clock"), game, seat, move, held, outcome="forced")
    return True
