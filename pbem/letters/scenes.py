"""One letter of every kind, from real games: what the gallery and the golden tests show."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlmodel import Session, col, select

from engine.moves import Board, Gather, Play, to_json
from engine.refusals import refusal
from engine.view import view
from pbem.commands import print_turn
from pbem.commands.help import overview
from pbem.commands.nouns import card_noun
from pbem.commands.speech import command_word
from pbem.commands.violations import violation_sentence
from pbem.letters import announce
from pbem.letters import scenes_affairs as affairs
from pbem.letters import scenes_arriving as arriving
from pbem.letters import scenes_clock as clock
from pbem.letters import scenes_moderating as moderating
from pbem.letters.cards import cards_of
from pbem.letters.moments import moment
from pbem.letters.plain import STRONG, WEAK
from pbem.letters.queue import newest
from pbem.letters.scenes_personal import personal_scenes
from pbem.letters.sentences import Teller
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Letter, Mail, Role
from pbem.store.log import events_of, seen_by
from pbem.store.rows import id_of
from pbem.translation import _, language

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
    mail = _mail(session, stage, "Hello?")
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
    yield from _answers(session, site, stage, mover)
    stage.until(lambda position: position.phase == "pets")
    yield "choose-pet", _last(session, "choose-pet")
    stage.leave(2)
    yield "resigned", _last(session, "resigned")


def _answers(
    session: Session, site: Site, stage: Stage, mover: int
) -> Iterator[tuple[str, Letter]]:
    spoken = language()
    held = view(stage.position, mover).hand or ()
    too_heavy = violation_sentence(refusal("balance", excess=3, side="left"))
    trouble = (
        {
            "text": print_turn(to_json(Board((Play(held[0], "L1"),))), spoken),
            "status": "refused",
            "message": _("{reasons}.", reasons=too_heavy),
            "rules": ["R5.3"],
        },
        {
            "text": "paly cat R1", "status": "not understood",
            "suggest": print_turn(to_json(Board((Play("cat", "R1"),))), spoken),
        },
        {
            "text": "take ch",
            "status": "ambiguous",
            "message": _("More than one card fits. Which one do you mean?"),
            "readings": [
                print_turn(to_json(Gather(card)), spoken)
                for card in ("chameleon", "chamois", "chimpanzee")
            ],
        },
        {"text": "Hi all, good game!", "status": "ignored", "message": "prose"},
    )  # fmt: skip
    hen = print_turn(to_json(Gather("hen")), spoken)
    yield "refusal", _answer(session, site, stage, mover, "refused", *trouble)
    yield "aged", _answer(
        session, site, stage, mover, "aged",
        {
            "text": hen, "status": "refused", "code": "aged",
            "message": _("The table has moved on since then; nothing was done."),
        },
    )  # fmt: skip
    yield "preview", _answer(
        session, site, stage, mover, "preview",
        {
            "text": f"{command_word('preview', spoken)} {hen}", "status": "preview",
            "message": _("This would happen; nothing was done."),
            "block": [
                _("You took the {card} and a card from the stack.", card=card_noun("hen", spoken)),
                _("Balance then: left heavier by {weight}.", weight=1),
            ],
        },
    )  # fmt: skip
    yield "held", _answer(
        session, site, stage, mover, "held",
        {"text": hen, "status": "not tried"},
        notes=(
            _("It came from {address}, which is not known as yours.", address="ann@work.example"),
            _(
                "If you meant it, answer this letter with the same line, or say so on your page; "
                "if it was not you, throw it away there and make your reply address new."
            ),
            _("It waits until {time}, then it is thrown away.", time=moment(stage.now, None)),
        ),
    )  # fmt: skip
    yield "information", _answer(
        session, site, stage, mover, "information",
        {
            "text": "scores", "status": "answered",
            "message": _("Points as things stand, pets not counted:"),
            "block": ["Ann 12", "Bo 10", "Cy 9", "Di 14"],
        },
    )  # fmt: skip
    yield "help", _answer(
        session, site, stage, mover, "information",
        {
            "text": "help", "status": "answered",
            "message": _("What you can write, one command a line:"), "block": overview(spoken),
        },
    )  # fmt: skip
    moves = view(stage.position, mover).legal()
    legal = [print_turn(to_json(move), spoken) for move in moves]
    pairs = [line for line in legal if " + " in line]
    yield "legal", _answer(
        session, site, stage, mover, "information",
        {
            "text": "legal", "status": "answered",
            "message": _("Legal (pairs: ask for one card), {number} in all:", number=len(legal)),
            "block": [f"· {line}" for line in (*legal[:12], *pairs[:4])],
        },
    )  # fmt: skip
    before = stage.game.seq
    stage.until(lambda position: position.to_move != (mover,))
    happened = seen_by(events_of(session, stage.game, before), mover)
    teller = Teller(cards_of(stage.position.deck), [one.name for one in stage.people], mover)
    yield "receipt", _answer(
        session, site, stage, mover, "done",
        {
            "text": "Take the bronto, please", "status": "done",
            "block": [line.replace(STRONG, "").replace(WEAK, "") for line in teller.tell(happened)],
        },
        {"text": "Cheers", "status": "ignored", "message": "sign-off"},
    )  # fmt: skip


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


def _answer(
    session: Session, site: Site, stage: Stage, seat: int, outcome: str, *lines: dict[str, Any],
    notes: Sequence[str] = (),
) -> Letter:  # fmt: skip
    mail = _mail(session, stage, f"Re: Ark, {stage.game.name}: your turn")
    told = {"outcome": outcome, "lines": list(lines), "notes": list(notes), "seq": stage.game.seq}
    number = announce.answer(
        session, site, stage.now, told,
        mail_id=mail.id, person_id=stage.people[seat].id, game=stage.game, seat=seat,
    )  # fmt: skip
    return session.get_one(Letter, number)


def _mail(session: Session, stage: Stage, subject: str) -> Mail:
    raw = f"Subject: {subject}\r\nReferences: <first@example.org>\r\n\r\ntake hen\r\n"
    mail = Mail(
        received_at=stage.now, channel="smtp", envelope_from="ann@example.org", envelope_to=[],
        raw=raw.encode(), digest="0" * 64, message_id="<mail@example.org>",
    )  # fmt: skip
    session.add(mail)
    session.flush()
    return mail


def _some(letter: Letter | None) -> Letter:
    assert letter is not None
    return letter


def _seat(session: Session, stage: Stage, seat: int, kind: str) -> Letter:
    return _some(newest(session, stage.game, seat, {kind}))


def _last(session: Session, kind: str) -> Letter:
    query = select(Letter).where(Letter.kind == kind, Letter.state != "replaced")
    return session.exec(query.order_by(col(Letter.id).desc()).limit(1)).one()
