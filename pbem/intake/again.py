"""A mail taken up again: read once more, treated as from a seat, or discarded.

Everything goes the way a new mail goes (`carry_out`), in one unit of work with the row of
the audit and the table's event.  A mail whose orders were carried out is never carried
out again (commands.md 1.7).  A rehearsal does all of it and takes it back, so what it
shows is what would happen.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlmodel import Session, select

from pbem.desk.orders import Answer
from pbem.desk.rehearsing import Since, attempt
from pbem.installation import Installation
from pbem.intake.case import Result
from pbem.intake.handling import carry_out, understand
from pbem.intake.identify import Identity
from pbem.intake.message import Message
from pbem.intake.proving import vouched
from pbem.store import Event, Game, Mail, Person
from pbem.store.audit import Actor, note
from pbem.store.log import Author, append
from pbem.store.moderated import MODERATED
from pbem.store.people import Holder, address_of, holders
from pbem.store.tokens import Bearer
from pbem.translation import _, speaking

log = logging.getLogger(__name__)

READ_AGAIN, TREAT_AS, VOUCH_FOR, DISCARD = "read-again", "treat-as", "vouch-for", "discard"
NEVER_ACTS = frozenset({"auto-reply", "bounce", "own"})  # commands.md 1.6, whoever asks
REPEATABLE = frozenset({"done", "held", "ignored", "quarantined", "discarded", "expired"})


@dataclass(frozen=True)
class Redone:
    """What became of it.  ``code`` is empty when it was done (or rehearsed), else why not;
    ``events`` are (seq, kind), ``letters`` (kind, person)."""

    code: str = ""
    sentence: str = ""
    state: str = ""
    reason: str = ""
    answer: Answer | None = None
    events: tuple[tuple[int, str], ...] = ()
    letters: tuple[tuple[str, int | None], ...] = ()

    @property
    def ok(self) -> bool:
        return not self.code


def read_again(
    installation: Installation, mail_id: int, actor: Actor, *, rehearse: bool = False
) -> Redone:
    """Read and settle a mail afresh, as if it had just come."""
    seen = understood(installation, mail_id)
    if isinstance(seen, Redone):
        return seen
    message, identity = seen

    def act(session: Session, row: Mail) -> Redone:
        return reread(installation, session, row, actor, message, identity)

    return _act_once(installation, mail_id, actor, READ_AGAIN, act, rehearse)


def reread(
    installation: Installation, session: Session, row: Mail, actor: Actor, message: Message,
    identity: Identity,
) -> Redone:  # fmt: skip
    """The same for a caller with a unit of work and what was `understood`."""
    game_id = row.game_id if identity.bearer is None else identity.bearer.game_id
    seat = row.seat if identity.bearer is None else identity.bearer.seat
    _tell_table(installation, session, actor, READ_AGAIN, row, game_id, seat)
    return _settled(carry_out(installation, session, row, message, identity))


def treat_as(
    installation: Installation,
    mail_id: int,
    game_id: int,
    seat: int,
    actor: Actor,
    *,
    decision: int | None = None,
    rehearse: bool = False,
) -> Redone:
    """Do a mail's commands as if the holder of this seat had sent them to its reply
    address.  `decision` is the one the table was at when this was thought over: a turn
    never moves another one."""
    seen = understood(installation, mail_id)
    if isinstance(seen, Redone):
        return seen
    message, _sender = seen

    def act(session: Session, row: Mail) -> Redone:
        return treated(installation, session, row, actor, message, game_id, seat, decision)

    return _act_once(installation, mail_id, actor, TREAT_AS, act, rehearse)


def treated(
    installation: Installation, session: Session, row: Mail, actor: Actor, message: Message,
    game_id: int, seat: int, decision: int | None = None,
) -> Redone:  # fmt: skip
    """The same for a caller with a unit of work and what was `understood`."""
    message = _as_commands(message)
    if message.kind in NEVER_ACTS:
        return _never_acts()
    game = session.get(Game, game_id)
    holder = None if game is None else _holder(session, game, seat)
    if game is None or holder is None or holder.person_id is None:
        return Redone("no-seat", _("Nobody holds this seat; choose one that is held."))
    identity = _as_holder(session, game, holder, decision)
    _tell_table(installation, session, actor, TREAT_AS, row, game_id, seat)
    said = (_told(installation, session, actor, row, holder.person_id),)
    return _settled(carry_out(installation, session, row, message, identity, said))


def vouch_for(installation: Installation, mail_id: int, person_id: int) -> Redone:
    """Do a held mail's commands because its person says on his page that he wrote it: as
    whatever its reply address names, for the decision of the letter it answers."""
    seen = understood(installation, mail_id)
    if isinstance(seen, Redone):
        return seen
    message, identity = _as_commands(seen[0]), seen[1]
    if message.kind in NEVER_ACTS:
        return _never_acts()
    if identity.person_id != person_id:
        return Redone("not-yours", _("The reply address it was sent to is not yours any more."))

    def act(session: Session, row: Mail) -> Redone:
        if row.state != "held":
            return Redone("not-held", _("This mail is not held any more."))
        return _settled(carry_out(installation, session, row, message, vouched(identity, message)))

    return _act_once(installation, mail_id, Actor("web", person_id), VOUCH_FOR, act, rehearse=False)


def discard(
    installation: Installation, mail_id: int, actor: Actor, *, rehearse: bool = False
) -> Redone:
    """Put a mail aside: nothing in it is done.  It can be taken up again as long as it is
    kept."""

    def act(session: Session, row: Mail) -> Redone:
        return put_aside(installation, session, row, actor)

    return _act_once(installation, mail_id, actor, DISCARD, act, rehearse)


def put_aside(installation: Installation, session: Session, row: Mail, actor: Actor) -> Redone:
    """The same for a caller with a unit of work."""
    _tell_table(installation, session, actor, DISCARD, row, row.game_id, row.seat)
    row.state, row.handled_at = "discarded", installation.clock()
    session.add(row)
    return Redone(state=row.state)


def obstacle(session: Session, mail: Mail | None, action: str = READ_AGAIN) -> Redone | None:
    """Why a mail cannot be taken up again; None when it can."""
    if mail is None:
        return Redone("gone", _("There is no such mail any more."))
    if mail.state not in REPEATABLE:
        return Redone("not-read-yet", _("This mail has not been read yet; wait a moment."))
    if was_carried_out(session, mail):
        sentence = _("What this mail orders was done already; nothing is done twice.")
        return Redone("done-already", sentence)
    if action == DISCARD:
        if mail.state == "discarded":
            return Redone("discarded-already", _("This mail is discarded already."))
    elif not mail.raw:
        sentence = _("Only the receipt of this mail is kept; ask its sender to send it again.")
        return Redone("pruned", sentence)
    return None


def was_carried_out(session: Session, mail: Mail) -> bool:
    """Whether anything a mail (or the one it is a copy of) orders has been done."""
    answer = (mail.receipt or {}).get("answer") or {}
    if answer.get("outcome") == "repeated":
        return True
    if any(line["status"] == "done" for line in answer.get("lines", ())):
        return True
    caused = select(Event.id).where(Event.mail_id == mail.id, Event.kind != MODERATED)
    return session.exec(caused.limit(1)).first() is not None


def understood(installation: Installation, mail_id: int) -> tuple[Message, Identity] | Redone:
    """Read the mail, outside of any writing unit of work: reading takes its time."""
    with installation.store.read() as session:
        mail = session.get(Mail, mail_id)
        fault = obstacle(session, mail)
    if mail is None or fault is not None:
        return fault or Redone("gone")
    try:
        return understand(installation, mail)
    except Exception:  # a mail in quarantine may do to this what it did to the worker
        log.exception("mail %d could not be read again", mail_id)
        return _failed()


def _act_once(
    installation: Installation,
    mail_id: int,
    actor: Actor,
    action: str,
    act: Callable[[Session, Mail], Redone],
    rehearse: bool,
) -> Redone:
    """One unit of work: look again whether it may be done, do it, write it down."""

    def once(session: Session) -> Redone:
        row = session.get(Mail, mail_id, with_for_update=True)
        fault = obstacle(session, row, action)
        if row is None or fault is not None:
            return fault or Redone("gone")
        since = Since.now(session)
        redone = act(session, row)
        if not redone.ok:
            return redone
        note(
            session, installation.clock(), actor, action, mail_id=row.id,
            game_id=row.game_id, seat=row.seat, subject_id=row.person_id,
            outcome=redone.state if redone.answer is None else redone.answer.outcome,
        )  # fmt: skip
        session.flush()
        caused = tuple((seq, kind) for _game, seq, kind in since.events(mail_id))
        return replace(redone, events=caused, letters=since.letters(mail_id))

    try:
        redone = attempt(installation.store, once, lambda redone: redone.ok and not rehearse)
    except Exception:
        log.exception("mail %d could not be taken up again", mail_id)
        return _failed()
    if redone.ok and not rehearse:
        installation.nudge()
    return redone


def _as_commands(message: Message) -> Message:
    """A mail that was held for the headers of a mailing list is one that orders something:
    somebody has looked."""
    return replace(message, kind="commands") if message.kind == "list" else message


def _never_acts() -> Redone:
    return Redone("never-acts", _("Automatic mail never acts, whoever wants it to."))


def _failed() -> Redone:
    sentence = _("This mail could not be dealt with; nothing was done, and the log says why.")
    return Redone("failed", sentence)


def _settled(result: Result) -> Redone:
    return Redone(state=result.state, reason=result.reason, answer=result.answer)


def _holder(session: Session, game: Game, seat: int) -> Holder | None:
    return next((one for one in holders(session, game) if one.seat == seat), None)


def _as_holder(session: Session, game: Game, holder: Holder, decision: int | None) -> Identity:
    """What the mail's addresses would have said, had it come from the holder of the seat."""
    person_id = holder.person_id
    address = None if person_id is None else address_of(session, person_id)
    return Identity(
        "act",
        Bearer("seat", person_id, game.id, holder.seat, decision=decision),
        person_id,
        holder.name,
        confirmed=address is not None and address.confirmed_at is not None,
        by="moderator",
    )


def _tell_table(
    installation: Installation, session: Session, actor: Actor, action: str, row: Mail,
    game_id: int | None, seat: int | None,
) -> None:  # fmt: skip
    """The table's log names who dealt with the mail; a player's own doing needs no such."""
    game = None if game_id is None else session.get(Game, game_id)
    if game is None or actor.channel == "web":
        return
    append(
        session, game, MODERATED, installation.clock(),
        Author("moderator", actor.person_id, row.id),
        seat=seat, public={"action": action, "by": actor.person_id},
    )  # fmt: skip
    session.add(game)


def _told(
    installation: Installation, session: Session, actor: Actor, row: Mail, person_id: int
) -> str:
    """What the player's copy says beside what was done."""
    player = session.get_one(Person, person_id)
    moderator = None if actor.person_id is None else session.get(Person, actor.person_id)
    with speaking(player.language):
        operator = installation.settings.site.operator or _("The operator")
        name = operator if moderator is None else moderator.name
        return _(
            "{name}, who moderates here, has read a mail of {date} as sent from your seat. "
            "If it is not yours, write to the moderator.",
            name=name,
            date=row.received_at.date().isoformat(),
        )
