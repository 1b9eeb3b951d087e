"""Giving up a seat: asked back at the registered address first (commands.md 1.8)."""

from datetime import timedelta

from sqlmodel import col, select

from pbem.commands import Line
from pbem.desk.counter import Counter, Handler
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.desk.succession import hand_over
from pbem.letters import announce
from pbem.store import Pending
from pbem.store.rows import id_of
from pbem.translation import _

CONFIRM_WITHIN = timedelta(days=7)


def resign(counter: Counter, line: Line) -> AnswerLine:
    """`resign`: ask at the registered address; nothing changes before the answer."""
    if (trouble := _not_playing(counter, line)) is not None:
        return trouble
    pending = _pending(counter)
    if pending is None:
        pending = Pending(
            game_id=id_of(counter.table),
            seat=counter.seat,
            what="resign",
            created_at=counter.now,
            expires_at=counter.now + CONFIRM_WITHIN,
        )
        counter.session.add(pending)
        counter.session.flush()
    announce.confirm(
        counter.session, counter.site, counter.now,
        person_id=counter.holders[counter.seat].person_id or 0,
        game=counter.table, seat=counter.seat, command="resign", pending_id=pending.id,
        mail_id=counter.order.author.mail_id,
    )  # fmt: skip
    counter.mailed = True
    return answered(
        line,
        _(
            "Nothing has changed yet: a letter to your registered address asks whether you "
            "really mean it. A bot would play your seat from then on."
        ),
    )


def confirm(counter: Counter, line: Line) -> AnswerLine:
    """`confirm`: what this seat was asked about is done."""
    if (trouble := _not_playing(counter, line)) is not None:
        return trouble
    pending = _pending(counter)
    if pending is None:
        return refused(line, "nothing-to-confirm", _("There is nothing to confirm for your seat."))
    if counter.order.confirms != pending.id:
        sentence = _("Only an answer to the letter that asked, at your own address, confirms this.")
        return refused(line, "confirm-by-letter", sentence)
    pending.settled_at = counter.now
    counter.session.add(pending)
    hand_over(
        counter.session, counter.site, counter.now, counter.order.author, counter.table,
        counter.seat,
    )  # fmt: skip
    return done(line, _("You have left the game; a bot plays your seat from now on."))


def _pending(counter: Counter) -> Pending | None:
    return counter.session.exec(
        select(Pending).where(
            Pending.game_id == counter.table.id,
            Pending.seat == counter.seat,
            col(Pending.settled_at).is_(None),
            col(Pending.expires_at) > counter.now,
        )
    ).first()


def _not_playing(counter: Counter, line: Line) -> AnswerLine | None:
    if counter.game is None or counter.view is None:
        return refused(line, "no-table", _("Answer a letter of the table you mean."))
    if counter.game.status != "running":
        return refused(line, "game-over", _("The game is over already."))
    return None


HANDLERS: dict[str, Handler] = {"resign": resign, "leave": resign}
