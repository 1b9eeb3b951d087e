"""The present letter of a table once more."""

from pbem.commands import Line
from pbem.commands.forms import Form
from pbem.desk.counter import Counter, Handler
from pbem.desk.moving import no_position
from pbem.desk.orders import AnswerLine, done, refused
from pbem.letters import announce
from pbem.letters.resending import Resent, resend_to
from pbem.translation import _, language


def resend(counter: Counter, line: Line) -> AnswerLine:
    """`resend [ADDRESS]`: the present letter once more; to another of the writer's own
    confirmed addresses with a note to the registered one."""
    if counter.game is None or counter.writer is None:
        sentence = _("This belongs to a table; answer one of its letters.")
        return refused(line, "no-table", sentence)
    if counter.order.seat is None:
        return refused(line, *no_position(counter))
    address = (line.args or {}).get("address")
    if address is None:
        announce.resend(counter.session, counter.site, counter.now, counter.game, counter.seat)
        return done(line, _("The present letter of this table is on its way to you again."))
    outcome = resend_to(
        counter.session, counter.site, counter.now, counter.game, counter.seat, counter.writer,
        str(address),
    )  # fmt: skip
    match outcome:
        case Resent.NO_SUCH_ADDRESS:
            sentence = _(
                "{address} is no confirmed address of yours. Add it first: {form}",
                address=address, form=Form("address", "add ADDRESS").spoken(language()),
            )  # fmt: skip
            return refused(line, "not-yours", sentence)
        case Resent.TOO_MANY:
            sentence = _("This letter was sent often enough this hour; try again later.")
            return refused(line, "too-many-letters", sentence)
    return done(
        line, _("The present letter of this table is on its way to {address}.", address=address)
    )


HANDLERS: dict[str, Handler] = {"resend": resend}
