"""Scenes of the letters that answer what a player wrote."""

from collections.abc import Iterator, Sequence
from typing import Any

from sqlmodel import Session

from engine.moves import Board, Gather, Play, to_json
from engine.refusals import refusal
from engine.view import view
from pbem.commands import print_turn
from pbem.commands.help import overview
from pbem.commands.nouns import card_noun
from pbem.commands.speech import command_word
from pbem.commands.violations import violation_sentence
from pbem.letters import announce
from pbem.letters.cards import cards_of
from pbem.letters.moments import moment
from pbem.letters.plain import STRONG, WEAK
from pbem.letters.sentences import Teller
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Letter, Mail
from pbem.store.log import events_of, seen_by
from pbem.translation import _, language


def answering_scenes(
    session: Session, site: Site, stage: Stage, mover: int
) -> Iterator[tuple[str, Letter]]:
    """What the player at turn is answered: what was not done, what he asked, what was done."""
    yield from _undone(session, site, stage, mover)
    yield from _asked(session, site, stage, mover)
    yield from _done(session, site, stage, mover)


def _undone(session: Session, site: Site, stage: Stage, mover: int) -> Iterator[tuple[str, Letter]]:
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


def _asked(session: Session, site: Site, stage: Stage, mover: int) -> Iterator[tuple[str, Letter]]:
    spoken = language()
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


def _done(session: Session, site: Site, stage: Stage, mover: int) -> Iterator[tuple[str, Letter]]:
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


def _answer(
    session: Session, site: Site, stage: Stage, seat: int, outcome: str, *lines: dict[str, Any],
    notes: Sequence[str] = (),
) -> Letter:  # fmt: skip
    mail = mail_of_ann(session, stage, f"Re: Ark, {stage.game.name}: your turn")
    told = {"outcome": outcome, "lines": list(lines), "notes": list(notes), "seq": stage.game.seq}
    number = announce.answer(
        session, site, stage.now, told,
        mail_id=mail.id, person_id=stage.people[seat].id, game=stage.game, seat=seat,
    )  # fmt: skip
    return session.get_one(Letter, number)


def mail_of_ann(session: Session, stage: Stage, subject: str) -> Mail:
    raw = f"Subject: {subject}\r\nReferences: <first@example.org>\r\n\r\ntake hen\r\n"
    mail = Mail(
        received_at=stage.now, channel="smtp", envelope_from="ann@example.org", envelope_to=[],
        raw=raw.encode(), digest="0" * 64, message_id="<mail@example.org>",
    )  # fmt: skip
    session.add(mail)
    session.flush()
    return mail
