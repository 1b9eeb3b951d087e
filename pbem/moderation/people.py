"""People: their address, name and language; silence; and being forgotten."""

from sqlmodel import col, select

from pbem.commands.player_names import name_fault
from pbem.desk import addresses, forgetting, succession, tables
from pbem.letters import announce
from pbem.moderation.model import (
    RUNNING,
    Action,
    Case,
    Change,
    Effect,
    FollowUp,
    Parameter,
    Refused,
)
from pbem.moderation.telling import tell
from pbem.store import Game, Invitation, Tenure
from pbem.store.people import address_of
from pbem.store.rows import id_of
from pbem.store.tenures import tables_of, tenure_of
from pbem.translation import later
from pbem.translation.catalogues import NAMES


def change_address(case: Case) -> Effect:
    """Ask the new address; it holds when somebody there says that it is his."""
    addresses.ask(case.session, case.site, case.now, case.person, "change", case.values["address"])
    return Effect(
        (
            f"A letter asks the new address whether it belongs to {case.person.name};"
            " letters go there from the answer on.",
            "The old address is told then, and can undo it for two weeks.",
        )
    )


def rename(case: Case) -> Effect:
    before, after = case.person.name, case.values["name"]
    if name_fault(after) is not None or after == before:
        sentence = "A name has 1 to 24 characters, no colon or comma, and is no command."
        raise Refused("name", sentence, "name")
    case.person.name = after
    case.session.add(case.person)
    tell(case, case.person.id, later("You are called {name} here now."), name=after)
    return Effect(
        ("This person has another name at all tables, finished ones too.",),
        changes=(Change("name", before, after),),
        inverse=FollowUp("rename-person", case.target, {"name": before}),
    )


def change_language(case: Case) -> Effect:
    before, after = case.person.language, case.values["language"]
    if before == after:
        raise Refused("no-change", "Letters are in this language already.", "language")
    case.person.language = after
    case.session.add(case.person)
    tell(case, case.person.id, later("Letters to you are in this language from now on."))
    return Effect(
        (f"Letters to {case.person.name} are in another language.",),
        changes=(Change("language", NAMES[before], NAMES[after]),),
        inverse=FollowUp("language", case.target, {"language": before}),
    )


def mute(case: Case) -> Effect:
    case.person.muted_at = case.now
    case.session.add(case.person)
    tell(case, case.person.id, later("Your messages are not passed on at any table."))
    return Effect(
        (f"Messages of {case.person.name} are passed on at no table; turns are done as ever.",),
        inverse=FollowUp("unmute", case.target),
    )


def unmute(case: Case) -> Effect:
    case.person.muted_at = None
    case.session.add(case.person)
    tell(case, case.person.id, later("Your messages are passed on again."))
    return Effect(
        (f"Messages of {case.person.name} are passed on again.",),
        inverse=FollowUp("mute", case.target),
    )


def mute_here(case: Case) -> Effect:
    _tenure(case).muted_at = case.now
    tell(case, case.holder.person_id, later("Your messages are not passed on at this table."))
    return Effect(
        (f"Messages of {case.name_of(case.seat)} are not passed on here; turns are done as ever.",),
        inverse=FollowUp("unmute-here", case.target),
    )


def unmute_here(case: Case) -> Effect:
    _tenure(case).muted_at = None
    tell(case, case.holder.person_id, later("Your messages are passed on at this table again."))
    return Effect(
        (f"Messages of {case.name_of(case.seat)} are passed on here again.",),
        inverse=FollowUp("mute-here", case.target),
    )


def block(case: Case) -> Effect:
    """Out of all tables, and into no other; whoever is blocked can still be forgotten."""
    person = case.person
    _not_himself(case)
    person.blocked_at, person.substitute_since = case.now, None
    case.session.add(person)
    tell(case, person.id, later("You cannot play here any more; what you write is not done."))
    left = _leave(case)
    return Effect(
        (
            f"Nothing that {person.name} writes is done any more, but for what concerns personal"
            " data; nobody can invite this person.",
            f"Tables where a bot plays on: {left[0]}; invitations declined: {left[1]}.",
        ),
        warnings=("Unblocking does not give seats back; each is restored on its own page.",),
        inverse=FollowUp("unblock", case.target),
    )


def unblock(case: Case) -> Effect:
    case.person.blocked_at = None
    case.session.add(case.person)
    tell(case, case.person.id, later("You can play here again."))
    return Effect(
        (f"What {case.person.name} writes is done again.",), inverse=FollowUp("block", case.target)
    )


def export(case: Case) -> Effect:
    """Everything that is stored, to the person's own address: nobody else reads it."""
    if address_of(case.session, id_of(case.person)) is None:
        raise Refused("no-address", "No letter reaches this person; change the address first.")
    announce.my_data(case.session, case.site, case.now, id_of(case.person))
    return Effect((f"{case.person.name} gets all stored personal data by letter.",))


def anonymise(case: Case) -> Effect:
    person = case.person
    _not_himself(case)
    if case.values["name"] != person.name:
        raise Refused("name", "Write the name exactly, to be sure who it is.", "name")
    forgetting.forget(case.session, case.site, case.now, case.author, person)
    return Effect(
        (
            "Name, addresses, mails and letters of this person are wiped out; games and their"
            " logs stay whole, by number.",
        ),
        warnings=("This cannot be taken back.",),
    )


def _not_himself(case: Case) -> None:
    if case.person.id == case.actor.person_id:
        raise Refused("yourself", "Not to yourself; another one with a role does this.")


def _tenure(case: Case) -> Tenure:
    tenure = tenure_of(case.session, case.game, case.seat)
    case.session.add(tenure)
    return tenure


def _leave(case: Case) -> tuple[int, int]:
    """Out of running games (a bot plays) and of tables that have not begun."""
    person_id = id_of(case.person)
    held = case.session.exec(
        tables_of(person_id).where(Game.status == "running").order_by(col(Game.id))
    ).all()
    for game, seat in held:
        succession.give_to_bot(
            case.session, case.site, case.now, case.author, game, seat, succession.REMOVED
        )
    asked = case.session.exec(
        select(Game, Invitation)
        .join(Invitation, col(Invitation.game_id) == col(Game.id))
        .where(
            Invitation.person_id == person_id,
            Game.status == "inviting",
            col(Invitation.state).in_(("invited", "accepted")),
        )
        .order_by(col(Game.id))
    ).all()
    for game, invitation in asked:
        tables.decline(case.session, case.site, case.now, case.author, game, invitation)
    return len(held), len(asked)


def _muted_here(case: Case) -> bool:
    return tenure_of(case.session, case.game, case.seat).muted_at is not None


def _by_person(case: Case) -> bool:
    return case.holder.person_id is not None


ACTIONS = (
    Action(
        "change-address", "Change the address", "Asks a new address whether it belongs to this"
        " person.", "person", change_address,
        (Parameter("address", "New address", "address", most=254, private=True),),
        staff=True, reach="everywhere",
    ),
    Action(
        "rename-person", "Change the name", "At all tables.", "person", rename,
        (Parameter("name", "Name", default=lambda case: case.person.name, most=24, private=True),),
        staff=True, reach="everywhere",
    ),
    Action(
        "language", "Change the language", "The language of letters to this person.",
        "person", change_language,
        (Parameter("language", "Language", "choice", choices=tuple(NAMES.items()),
                   default=lambda case: case.person.language),),
        staff=True, reach="everywhere",
    ),
    Action(
        "mute", "Mute", "Messages of this person are passed on at no table.", "person", mute,
        staff=True, reach="everywhere", fits=lambda case: case.person.muted_at is None,
    ),
    Action(
        "unmute", "Unmute", "Messages are passed on again.", "person", unmute,
        staff=True, reach="everywhere", fits=lambda case: case.person.muted_at is not None,
    ),
    Action(
        "mute-here", "Mute at this table", "Messages of this player are not passed on here.",
        "seat", mute_here, at=RUNNING,
        fits=lambda case: _by_person(case) and not _muted_here(case),
    ),
    Action(
        "unmute-here", "Unmute at this table", "Messages are passed on here again.",
        "seat", unmute_here, at=RUNNING, fits=lambda case: _by_person(case) and _muted_here(case),
    ),
    Action(
        "block", "Block", "Takes the person out of all tables; nothing this person writes is"
        " done.", "person", block, staff=True, reach="everywhere", players="owner",
        fits=lambda case: case.person.blocked_at is None,
    ),
    Action(
        "unblock", "Unblock", "What this person writes is done again.", "person", unblock,
        staff=True, reach="everywhere", fits=lambda case: case.person.blocked_at is not None,
    ),
    Action(
        "export", "Send the personal data", "All that is stored, to the person's own address.",
        "person", export, reach="everywhere",
    ),
    Action(
        "anonymise", "Anonymise", "Wipes the person out; games and their logs stay whole.",
        "person", anonymise,
        (Parameter("name", "Name of the person", most=24, private=True,
                   hint="Once more, to be sure who it is."),),
        staff=True, reach="owner",
    ),
)  # fmt: skip
