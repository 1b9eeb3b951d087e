"""Who sits where: substitutes, bots, removal, return, and the order of seats."""

from collections.abc import Sequence
from datetime import timedelta

from sqlmodel import col, select

from pbem.desk import deadlines, deciding, offering, succession, tables
from pbem.desk.offering import seat_row, was_there
from pbem.desk.succession import REMOVED
from pbem.moderation.model import (
    INVITING,
    RUNNING,
    Action,
    Case,
    Effect,
    FollowUp,
    Parameter,
    Refused,
)
from pbem.moderation.telling import tell
from pbem.store import Invitation, Person, Tenure
from pbem.store.log import append
from pbem.store.options import options_of
from pbem.store.people import seat_of
from pbem.store.rows import id_of
from pbem.store.tenures import last_person_at, tenure_of
from pbem.translation import later

STAYS = "The bot plays on until somebody takes it."
GOES = "A bot gets it if nobody takes it."


def invite_substitute(case: Case) -> Effect:
    """Offer the seat, to one person or to those who are ready; until it is taken, a turn of
    its holder ends the offer.  That of a seat which a bot has already ends when it is taken."""
    row, name = seat_row(case.session, case.game, case.seat), case.name_of(case.seat)
    bot, is_new = case.holder.bot is not None, row.offered_at is None
    if is_new:
        days = options_of(case.game).offer_days
        append(
            case.session, case.game, "offered", case.now, case.author,
            seat=case.seat, public={"seat": case.seat},
        )  # fmt: skip
        row.offered_at = case.now
        row.offer_ends_at = None if bot else case.now + timedelta(days=days)
        case.session.add(row)
        for wait in deadlines.open_waits(case.session, case.game):
            if wait.seat == case.seat:
                offering.stand_still(
                    case.session, case.game, wait, case.now, case.author, "offered"
                )
        succession.next_offer_end(case.session, case.game)
        deadlines.set_alarm(case.session, case.game, case.now)
    who: Person | None = case.values["who"]
    if who is not None:
        asked_by = case.actor.person_id or case.game.organiser_id or id_of(who)
        offering.ask_friend(case.session, case.site, case.now, case.game, id_of(who), asked_by)
        asked = f"{who.name} is asked"
    else:
        count = len(offering.ask_waiting_list(case.session, case.site, case.now, case.game, row))
        if not count and not is_new:
            sentence = "Those who are ready were asked already; name somebody, or wait."
            raise Refused("asked", sentence, "who")
        asked = f"people ready to substitute are asked: {count}"
    return Effect(
        (f"The seat of {name} is offered; {asked}.", STAYS if bot else GOES),
        inverse=FollowUp("withdraw-offer", case.target),
    )


def withdraw_offer(case: Case) -> Effect:
    name, bot = case.name_of(case.seat), case.holder.bot is not None
    if not deciding.decide(
        case.session, case.site, case.now, case.author, case.game, case.seat, "wait"
    ):
        raise Refused("not-offered", "This seat is not offered.")
    return Effect(
        ("The bot keeps the seat.",)
        if bot
        else (f"The table waits for {name} again, with the whole time of a turn.",),
        inverse=FollowUp("invite-substitute", case.target),
    )


def replace(case: Case) -> Effect:
    """Somebody has agreed to take the seat: it is his at once."""
    who: Person = case.values["who"]
    before, name = case.holder, case.name_of(case.seat)
    if seat_of(case.session, case.game, id_of(who)) is not None:
        raise Refused("at-the-table", f"{who.name} sits at this table already.", "who")
    if was_there(case.session, case.game, case.seat, id_of(who)):
        sentence = f"{who.name} has held another seat of this game and knows its cards."
        raise Refused("at-the-table", sentence, "who")
    succession.give_to_person(
        case.session, case.site, case.now, case.author, case.game, case.seat, id_of(who)
    )
    inverse = None
    if before.person_id is not None:
        _mark(case, before.person_id, "moderator")
        inverse = FollowUp("replace", case.target, {"who": str(before.person_id)})
    return Effect((f"{who.name} takes over the seat of {name}.",), inverse=inverse)


def give_to_bot(case: Case) -> Effect:
    name, person_id = case.name_of(case.seat), case.holder.person_id
    succession.give_to_bot(
        case.session, case.site, case.now, case.author, case.game, case.seat, "moderator"
    )
    return Effect(
        (f"A bot plays the seat of {name}, who has it again with the first answer.",),
        inverse=FollowUp("restore", case.target), subject_id=person_id,
    )  # fmt: skip


def remove(case: Case) -> Effect:
    name, person_id = case.name_of(case.seat), case.holder.person_id
    succession.give_to_bot(
        case.session, case.site, case.now, case.author, case.game, case.seat, REMOVED
    )
    tell(case, person_id, later("You do not play at this table any more; a bot has your seat."))
    return Effect(
        (f"A bot plays the seat of {name}, who cannot come back by answering.",),
        inverse=FollowUp("restore", case.target), subject_id=person_id,
    )  # fmt: skip


def restore(case: Case) -> Effect:
    """Give a bot's seat back to whoever held it last."""
    last = _last(case)
    if last is None or last.person_id is None:
        raise Refused("nobody", "Nobody has held this seat before the bot.")
    person = case.session.get_one(Person, last.person_id)
    if person.blocked_at is not None:
        raise Refused("blocked", f"{person.name} is blocked here; unblock this person first.")
    last.left = "moderator"  # whoever was removed may be back from now on
    case.session.add(last)
    case.session.flush()
    succession.give_to_person(
        case.session, case.site, case.now, case.author, case.game, case.seat, last.person_id
    )
    return Effect(
        (f"{person.name} has the seat again.",), inverse=FollowUp("give-to-bot", case.target),
        subject_id=person.id,
    )  # fmt: skip


def swap(case: Case) -> Effect:
    """Two people change places before the start; seats are as invited then, not drawn."""
    places = {str(one.place): one for one in tables.invitations(case.session, case.game)}
    first, second = places[case.values["first"]], places[case.values["second"]]
    if first is second:
        raise Refused("same", "Choose two different places.", "second")
    one, other = first.place, second.place
    first.place = -1  # a place has one holder, in between too
    case.session.add(first)
    case.session.flush()
    second.place = one
    case.session.add(second)
    case.session.flush()
    first.place = other
    case.session.flush()
    case.game.seats_as_given = True
    case.session.add(case.game)
    for invitation in (first, second):
        tell(case, invitation.person_id, later("Your seat at this table was changed."))
    names = _holder(case, first), _holder(case, second)
    return Effect(
        (f"{names[0]} and {names[1]} change places; seats are not drawn by lot any more.",),
        inverse=FollowUp("swap", case.target, {"first": str(one), "second": str(other)}),
    )


def places_offered(case: Case) -> Sequence[tuple[str, str]]:
    """The places of a table that has not begun."""
    return [
        (str(one.place), f"{number}. {_holder(case, one)}")
        for number, one in enumerate(tables.invitations(case.session, case.game), 1)
    ]


def _holder(case: Case, one: Invitation) -> str:
    if one.person_id is None:
        return f"bot {one.bot}"
    return case.session.get_one(Person, one.person_id).name


def _last(case: Case) -> Tenure | None:
    """The last time a person held the seat that a bot holds now."""
    held = tenure_of(case.session, case.game, case.seat)
    return None if held.bot is None else last_person_at(case.session, held.seat_id)


def _mark(case: Case, person_id: int, why: str) -> None:
    """Why somebody's last time at a seat has ended."""
    held = tenure_of(case.session, case.game, case.seat)
    last = case.session.exec(
        select(Tenure)
        .where(Tenure.seat_id == held.seat_id, Tenure.person_id == person_id)
        .order_by(col(Tenure.id).desc())
        .limit(1)
    ).one()
    last.left = why
    case.session.add(last)


def _by_person(case: Case) -> bool:
    return case.holder.person_id is not None


def _can_be_restored(case: Case) -> bool:
    last = _last(case)
    return last is not None and case.session.get_one(Person, last.person_id).erased_at is None


_WHO = "An address or a number of somebody known here."
ACTIONS = (
    Action(
        "invite-substitute", "Invite a substitute", "Offers the seat to somebody, or to all who"
        " are ready to substitute.", "seat", invite_substitute,
        (Parameter("who", "Whom", "somebody", required=False, private=True,
                   hint=_WHO + " Empty: those who are ready."),),
        players="owner", at=RUNNING,
    ),
    Action(
        "withdraw-offer", "Wait for the player again", "Takes the offer of the seat back.",
        "seat", withdraw_offer, players="owner", at=RUNNING,
        fits=lambda case: seat_row(case.session, case.game, case.seat).offered_at is not None,
    ),
    Action(
        "give-to-bot", "Let a bot play from now on", "A bot plays until the player answers.",
        "seat", give_to_bot, players="owner", at=RUNNING, fits=_by_person,
    ),
    Action(
        "replace", "Give the seat to somebody", "Somebody who has agreed takes the seat over at"
        " once, with its hand.", "seat", replace,
        (Parameter("who", "To whom", "somebody", private=True, hint=_WHO),),
        players="owner", at=RUNNING,
    ),
    Action(
        "remove", "Remove the player", "A bot plays; the player cannot come back without you.",
        "seat", remove, players="owner", at=RUNNING, fits=_by_person,
    ),
    Action(
        "restore", "Give the seat back", "The last player of the seat has it again.",
        "seat", restore, players="owner", at=RUNNING, fits=_can_be_restored,
    ),
    Action(
        "swap", "Swap two places", "Before the start; the seats are then not drawn by lot.",
        "game", swap,
        (Parameter("first", "One place", "choice", choices=places_offered),
         Parameter("second", "Another one", "choice", choices=places_offered)),
        players="owner", at=INVITING,
        fits=lambda case: len(tables.invitations(case.session, case.game)) > 1,
    ),
)  # fmt: skip
