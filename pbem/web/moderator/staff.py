"""`/moderator/staff`: who may do what here; the owner gives roles and takes them."""

from dataclasses import dataclass

from flask import abort, make_response, render_template, request
from sqlmodel import Session, select
from werkzeug.wrappers import Response as AnyResponse

from pbem.desk.people import address_fault, find_or_add_person
from pbem.store import Game, Person, Role
from pbem.store.audit import note
from pbem.store.deputies import deputies_of, is_away
from pbem.store.people import person_by_address
from pbem.store.roles import MODERATOR, OWNER, all_with_roles, grant, owners, revoke, roles_of
from pbem.store.rows import id_of
from pbem.store.second_factors import forget, is_asked_for
from pbem.store.sittings import close, sittings_of
from pbem.web import installation
from pbem.web.moderator.guard import blueprint, owner
from pbem.web.moderator.mailroom import MOST_REASON
from pbem.web.moderator.signing_in import to

KINDS = {
    MODERATOR: "moderator of all games", "game": "moderator of one game", OWNER: "owner",
}  # fmt: skip
NO_REASON = "Say why, please: the reason is kept with it."


@dataclass(frozen=True)
class Member:
    """Somebody with a role."""

    person: Person
    roles: tuple[Role, ...]
    browsers: int
    second_factor: bool
    away: bool
    deputies: tuple[str, ...]


@blueprint.get("/staff")
def staff() -> str:
    """Everybody with a role."""
    owner()
    with installation().store.read() as session:
        return _page(session)


@blueprint.post("/staff/grant")
def give_role() -> AnyResponse | str:
    """Make somebody a moderator: one who is known by his address, or somebody new."""
    here, who, form = installation(), owner(), request.form
    reason = _reason()
    with here.store.work() as session:
        address, name = form.get("address", "").strip(), " ".join(form.get("name", "").split())
        kind, game_id = _kind(session)
        person = person_by_address(session, address)
        trouble = _trouble(person, address, name, kind, reason)
        if trouble:
            return make_response(_page(session, trouble), 409)
        assert kind is not None
        now = here.clock()
        if person is None:
            person = find_or_add_person(session, now, name[:60], address, confirmed=False)
        grant(session, now, id_of(person), kind, game_id=game_id, by=who.id)
        note(
            session, now, who.because(reason), "grant-role",
            subject_id=person.id, game_id=game_id, details={"kind": kind},
        )  # fmt: skip
    return to("moderator.staff")


@blueprint.post("/staff/roles/<int:role_id>/revoke")
def take_role(role_id: int) -> AnyResponse | str:
    """Take one role away; somebody without any is signed out everywhere."""
    here, who, reason = installation(), owner(), _reason()
    with here.store.work() as session:
        role = session.get(Role, role_id) if role_id < 2**31 else None
        if role is None or role.revoked_at is not None:
            abort(404)
        if not reason:
            return make_response(_page(session, NO_REASON), 409)
        if role.kind == OWNER and owners(session) == {role.person_id}:
            last = "This is the last owner. Make another one first."
            return make_response(_page(session, last), 409)
        now = here.clock()
        revoke(session, now, role)
        note(
            session, now, who.because(reason), "revoke-role",
            subject_id=role.person_id, game_id=role.game_id, details={"kind": role.kind},
        )  # fmt: skip
    return to("moderator.staff")


@blueprint.post("/staff/<int:person_id>/sign-out")
def sign_out_everywhere(person_id: int) -> AnyResponse:
    """Close all browsers of a moderator."""
    here, who = installation(), owner()
    with here.store.work() as session:
        now = here.clock()
        _with_role(session, person_id)
        for sitting in sittings_of(session, now, person_id):
            close(session, now, sitting)
        note(session, now, who.because(_reason()), "sign-out-everywhere", subject_id=person_id)
    return to("moderator.staff")


@blueprint.post("/staff/<int:person_id>/device-off")
def take_device(person_id: int) -> AnyResponse:
    """Switch off the second factor of somebody who has lost his device."""
    here, who, reason = installation(), owner(), _reason()
    with here.store.work() as session:
        _with_role(session, person_id)
        if not reason:
            return make_response(_page(session, NO_REASON), 409)
        if forget(session, person_id):
            note(
                session, here.clock(), who.because(reason), "second-factor-off",
                subject_id=person_id,
            )  # fmt: skip
    return to("moderator.staff")


def _page(session: Session, trouble: str = "") -> str:
    return render_template(
        "moderator/staff.html",
        members=[_member(session, person) for person in all_with_roles(session)],
        kinds=KINDS,
        given=request.form if trouble else {},
        trouble=trouble,
    )


def _member(session: Session, person: Person) -> Member:
    number, now = id_of(person), installation().clock()
    return Member(
        person,
        tuple(roles_of(session, number)),
        len(sittings_of(session, now, number)),
        is_asked_for(session, number),
        is_away(session, now, number),
        tuple(one.name for one in deputies_of(session, number)),
    )


def _kind(session: Session) -> tuple[str | None, int | None]:
    """The role that is to be given; None where the form names none."""
    kind, number = request.form.get("kind", ""), request.form.get("game", "").strip()
    if kind in (MODERATOR, OWNER):
        return kind, None
    known = number.isascii() and number.isdigit() and len(number) < 10
    game_id = int(number) if known else 0
    if kind == "game" and session.exec(select(Game.id).where(Game.id == game_id)).first():
        return MODERATOR, game_id
    return None, None


def _trouble(person: Person | None, address: str, name: str, kind: str | None, reason: str) -> str:
    """Why the form cannot be done; "" when it can."""
    if kind is None:
        return "Choose a role; for one game, its number as the list of games shows it."
    fault = address_fault(address, installation().settings.mail.domain)
    if person is None and fault is not None:
        return fault
    if person is None and not (name and name.isprintable()):
        return "Nobody has this address yet: write a name, too."
    return "" if reason else NO_REASON


def _with_role(session: Session, person_id: int) -> None:
    if person_id >= 2**31 or not roles_of(session, person_id):
        abort(404)


def _reason() -> str:
    return " ".join(request.form.get("reason", "").split())[:MOST_REASON]
