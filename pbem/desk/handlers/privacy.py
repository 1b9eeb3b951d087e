"""What is stored about a person: shown to him, erased, and never used again."""

from datetime import timedelta

from sqlmodel import Session, col, func, select

from pbem.commands import Line
from pbem.desk import tables
from pbem.desk.addresses import DAY
from pbem.desk.counter import Counter, Handler
from pbem.desk.forgetting import forget
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.desk.people import address_fault
from pbem.desk.tables import TableError
from pbem.desk.undo_time import keeps_person
from pbem.letters import Site, announce
from pbem.store import Blocked, Game, Invitation, Letter, Pending, Seat, Tenure
from pbem.store.people import address_of, addresses_of, wants_no_mail
from pbem.store.tokens import blocked_digest
from pbem.translation import _, ngettext

CONFIRM_WITHIN = timedelta(days=7)
WHAT = "forget me"


def my_data(counter: Counter, line: Line) -> AnswerLine:
    """`my data`: by mail to the confirmed main address, wherever it was asked."""
    person = counter.writer
    main = None if person is None or person.id is None else address_of(counter.session, person.id)
    if person is None or person.id is None or main is None:
        return _unknown(line)
    if main.confirmed_at is None:
        sentence = _("Your address is not confirmed yet: answer one of our letters from there.")
        return refused(line, "unconfirmed", sentence)
    lately = _letters_lately(counter, person.id, "my-data")
    if lately >= counter.site.settings.quotas.data_letters_a_day:
        return refused(line, "too-many-letters", _("You have had your data today; go on tomorrow."))
    announce.my_data(
        counter.session, counter.site, counter.now, person.id, counter.order.author.mail_id
    )
    counter.mailed = True
    return answered(line, _("All that is stored about you is on its way to {address}.",
                            address=main.address))  # fmt: skip


def forget_me(counter: Counter, line: Line) -> AnswerLine:
    """`forget me`: ask at the registered address; nothing changes before the answer."""
    person = counter.writer
    if person is None or person.id is None:
        return _unknown(line)
    if (why := keeps_person(counter.session, counter.now, person)) is not None:
        return refused(line, "can-be-undone", why)
    pending = _pending(counter, person.id)
    if pending is None:
        pending = Pending(
            person_id=person.id,
            what=WHAT,
            created_at=counter.now,
            expires_at=counter.now + CONFIRM_WITHIN,
        )
        counter.session.add(pending)
        counter.session.flush()
    lately = _letters_lately(counter, person.id, "confirm")
    if lately >= counter.site.settings.quotas.address_letters_a_day:
        sentence = _("You were asked back often enough today; answer one of those letters.")
        return refused(line, "too-many-letters", sentence)
    announce.confirm(
        counter.session, counter.site, counter.now,
        person_id=person.id, command=WHAT, pending_id=pending.id,
        mail_id=counter.order.author.mail_id,
    )  # fmt: skip
    counter.mailed = True
    return answered(
        line,
        _("Nothing has changed yet: a letter to your registered address asks whether you "
          "really mean it."),
        _what_it_does(counter, person.id),
    )  # fmt: skip


def confirm(counter: Counter, line: Line) -> AnswerLine:
    """`confirm`, where no table is meant: what this person was asked about is done."""
    person = counter.writer
    pending = None if person is None or person.id is None else _pending(counter, person.id)
    if person is None or pending is None:
        sentence = _("There is nothing to confirm here.")
        return refused(line, "nothing-to-confirm", sentence)
    if counter.order.confirms != pending.id:
        sentence = _("Only an answer to the letter that asked, at your own address, confirms this.")
        return refused(line, "confirm-by-letter", sentence)
    if (why := keeps_person(counter.session, counter.now, person)) is not None:
        return refused(line, "can-be-undone", why)
    forget(counter.session, counter.site, counter.now, counter.order.author, person)
    counter.mailed = True  # the last letter says it
    return done(line, _("You are forgotten; this was the last we know of you."))


def never_again(counter: Counter, line: Line) -> AnswerLine:
    """`never again`: no letter that he did not ask for ever reaches his addresses; what he
    is invited to now is declined."""
    person_id = counter.order.author.person_id
    if person_id is None:
        sentence = _("This address is not known here; it gets no mail anyway.")
        return refused(line, "unknown", sentence)
    for address in addresses_of(counter.session, person_id):
        if address_fault(address, counter.site.settings.mail.domain) is not None:
            continue
        key = blocked_digest(counter.site.keys, address)
        if counter.session.get(Blocked, key) is None:
            counter.session.add(Blocked(digest=key, created_at=counter.now))
    for invitation, game in _open_invitations(counter, person_id):
        try:
            tables.decline(counter.session, counter.site, counter.now, counter.order.author,
                           game, invitation)  # fmt: skip
        except TableError:  # begun meanwhile: then it asks him nothing any more
            continue
    return done(
        line,
        _(
            "No invitation is ever sent to your address again, and what you were invited "
            "to is declined. Games you play in go on. On your page, under Settings, you can "
            "take it back."
        ),
    )


def take_back(counter: Counter) -> None:
    """Whoever opens a table or accepts a place himself wants to be written to."""
    person_id = counter.order.author.person_id
    if person_id is not None and counter.order.confirmed and counter.order.addressed != "server":
        unblock(counter.session, counter.site, person_id)


def unblock(session: Session, site: Site, person_id: int) -> bool:
    """Take "never again" back for all addresses of a person; False where there was none."""
    keys = [blocked_digest(site.keys, one) for one in addresses_of(session, person_id)]
    rows = [row for key in keys if (row := session.get(Blocked, key)) is not None]
    for row in rows:
        session.delete(row)
    session.flush()
    return bool(rows)


def reminded(counter: Counter) -> list[str]:
    """What an answer says beside all else to somebody who wrote "never again"."""
    person_id = counter.order.author.person_id
    if person_id is None or counter.order.seat is not None:
        return []
    if not wants_no_mail(counter.session, counter.site.keys, person_id):
        return []
    return [
        _(
            'You wrote "never again", so nobody can invite you. On your page, under Settings, '
            "you can take it back."
        )
    ]


def _open_invitations(counter: Counter, person_id: int) -> list[tuple[Invitation, Game]]:
    rows = counter.session.exec(
        select(Invitation, Game)
        .join(Game, col(Game.id) == col(Invitation.game_id))
        .where(
            Invitation.person_id == person_id,
            Invitation.state == "invited",
            Game.status == "inviting",
        )
    ).all()
    return [(invitation, game) for invitation, game in rows]


def _what_it_does(counter: Counter, person_id: int) -> tuple[str, ...]:
    """What would become of him here, in numbers."""
    running = counter.session.exec(
        select(func.count())
        .select_from(Tenure)
        .join(Seat, col(Seat.id) == col(Tenure.seat_id))
        .join(Game, col(Game.id) == col(Seat.game_id))
        .where(
            Tenure.person_id == person_id,
            col(Tenure.until_seq).is_(None),
            Game.status == "running",
        )
    ).one()
    return (
        ngettext(
            "· a bot plays on for you in {count} running game",
            "· bots play on for you in {count} running games",
            running,
        ),
        _('· your name becomes "a former player" everywhere'),
        _("· your addresses, mails, notes and letters are erased"),
        _("· what you said to others stays with them, without your name"),
    )


def _pending(counter: Counter, person_id: int) -> Pending | None:
    return counter.session.exec(
        select(Pending).where(
            Pending.person_id == person_id,
            Pending.what == WHAT,
            col(Pending.settled_at).is_(None),
            col(Pending.expires_at) > counter.now,
        )
    ).first()


def _letters_lately(counter: Counter, person_id: int, kind: str) -> int:
    return counter.session.exec(
        select(func.count())
        .select_from(Letter)
        .where(
            Letter.person_id == person_id,
            Letter.kind == kind,
            col(Letter.created_at) > counter.now - DAY,
        )
    ).one()


def _unknown(line: Line) -> AnswerLine:
    return refused(line, "unknown", _("This address is not known here; nothing is stored."))


HANDLERS: dict[str, Handler] = {
    "my data": my_data,
    "forget me": forget_me,
    "never again": never_again,
}
