"""One letter of every kind, from real games: what the gallery and the golden tests show."""

from collections.abc import Iterator

from sqlmodel import Session, col, select

from pbem.letters import announce
from pbem.letters import scenes_affairs as affairs
from pbem.letters import scenes_arriving as arriving
from pbem.letters import scenes_clock as clock
from pbem.letters import scenes_moderating as moderating
from pbem.letters.queue import newest
from pbem.letters.scenes_answering import answering_scenes, mail_of_ann
from pbem.letters.scenes_personal import personal_scenes
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Letter, Role
from pbem.store.rows import id_of

SEED = "harbour"
NAMES = (
    "invitation", "invitation-reminder", "opened", "declined", "withdrawn", "expired",
    "stranger", "test", "sign-in", "alert", "begins", "your-turn-first", "your-turn",
    "what-happened", "reminder", "deadline-missed", "deadline-missed-you",
    "deadline-missed-organiser", "message", "message-moderator", "confirm",
    "refusal", "aged", "preview", "held", "information", "help", "legal",
    "receipt", "choose-pet", "resigned", "pets-chosen", "end-phase", "your-turn-end", "over",
    "over-organiser", "welcome", "address-confirm", "address-changed",
    "address-add", "address-added", "address-taken", "my-data", "confirm-forgetting",
    "forgotten", "browser-code", "visit", *arriving.SCENES,
    *clock.SCENES, *affairs.SCENES, *moderating.SCENES,
)  # fmt: skip
"""The scenes, in their order."""


def scenes(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    """(name of the scene, its letter), each once."""
    yield from _before(session, site)
    yield from _playing(session, site)
    yield from _ending(session, site)
    yield from personal_scenes(session, site)
    yield from arriving.arriving_scenes(session, site)
    yield from clock.clock_scenes(session, site)
    yield from affairs.affair_scenes(session, site)
    yield from moderating.moderating_scenes(session, site)


def _before(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    stage = Stage(session, site, 4, SEED, bots=(3,))
    game, now = stage.game, stage.now
    guest = stage.invitations[2]
    yield "invitation", _some(announce.invitation(session, site, now, game, guest))
    stage.invitations[1].state = "accepted"
    yield (
        "invitation-reminder",
        _some(announce.invitation_reminder(session, site, now, game, guest)),
    )
    yield "opened", _some(announce.opened(session, site, now, game))
    guest.state = "declined"
    announce.declined(session, site, now, game, guest)
    yield "declined", _last(session, "declined")
    guest.state = "withdrawn"
    yield "withdrawn", _some(announce.withdrawn(session, site, now, game, guest))
    game.status = "expired"
    announce.expired(session, site, now, game)
    yield "expired", _last(session, "expired")
    mail = mail_of_ann(session, stage, "Hello?")
    yield (
        "stranger",
        _some(announce.stranger(session, site, now, to_address="fay@example.org", mail_id=mail.id)),
    )
    yield (
        "test",
        _some(
            announce.test_report(
                session,
                site,
                now,
                to_address="ann@example.org",
                person_id=stage.people[0].id,
                report=["take fox", "  understood: take fox", "Hi all,", "  left aside"],
                mail_id=mail.id,
            )
        ),
    )
    organiser = id_of(stage.people[0])
    yield "sign-in", _some(announce.sign_in(session, site, now, organiser, 1))
    session.add(Role(person_id=organiser, kind="owner", granted_at=now))
    announce.template_failed(session, site, now, "your-turn", "UndefinedError: 'pirates'")
    yield "alert", _last(session, "alert")


def _playing(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    stage = Stage(session, site, 4, SEED, name="Harbour lights").begin()
    game = stage.game
    yield "begins", _seat(session, stage, 1, "begins")
    yield "your-turn-first", _seat(session, stage, 0, "your-turn")
    stage.until(lambda position: position.turn >= 15)
    mover = stage.position.to_move[0]
    other = next(seat for seat in (1, 2, 3) if seat != mover)  # seat 0 organises
    yield "your-turn", _seat(session, stage, mover, "your-turn")
    yield "what-happened", _seat(session, stage, other, "what-happened")
    yield "reminder", _some(announce.reminder(session, site, stage.now, game, mover, 2))
    announce.deadline_missed(session, site, stage.now, game, [mover])
    yield "deadline-missed", _seat(session, stage, other, "deadline-missed")
    yield "deadline-missed-you", _seat(session, stage, mover, "deadline-missed")
    yield "deadline-missed-organiser", _last(session, "deadline-missed-organiser")
    announce.message(
        session, site, stage.now, game, sender=mover, seats=[s for s in range(4) if s != mover],
        text="The hen is mine!\nYou may have the grain, it fits R2 — and mind the walrus.",
        to_all=True,
    )  # fmt: skip
    yield "message", _last(session, "message")
    game.moderator_id = game.organiser_id
    yield (
        "message-moderator",
        _some(announce.message_to_moderator(session, site, stage.now, game, mover, "Is Bo away?")),
    )
    yield (
        "confirm",
        _some(
            announce.confirm(
                session,
                site,
                stage.now,
                person_id=id_of(stage.people[mover]),
                game=game,
                seat=mover,
                command="resign",
            )
        ),
    )
    yield from answering_scenes(session, site, stage, mover)
    stage.until(lambda position: position.phase == "pets")
    yield "choose-pet", _last(session, "choose-pet")
    stage.leave(2)
    yield "resigned", _last(session, "resigned")


def _ending(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    stage = Stage(session, site, 3, "lantern", name="Night sail").begin()
    stage.until(lambda position: position.phase == "pets")
    stage.until(lambda position: position.phase != "pets")
    yield "pets-chosen", _last(session, "pets-chosen")
    stage.until(lambda position: position.phase == "end")
    mover = stage.position.to_move[0]
    yield "end-phase", _last(session, "end-phase")
    yield "your-turn-end", _seat(session, stage, mover, "your-turn")
    stage.until(lambda position: False)
    yield "over", _seat(session, stage, 1, "over")
    table = Stage(session, site, 3, "beacon", name="Long haul", organiser=4).begin()
    table.until(lambda position: False)
    yield "over-organiser", _last(session, "over")


def _some(letter: Letter | None) -> Letter:
    assert letter is not None
    return letter


def _seat(session: Session, stage: Stage, seat: int, kind: str) -> Letter:
    return _some(newest(session, stage.game, seat, {kind}))


def _last(session: Session, kind: str) -> Letter:
    query = select(Letter).where(Letter.kind == kind, Letter.state != "replaced")
    return session.exec(query.order_by(col(Letter.id).desc()).limit(1)).one()
