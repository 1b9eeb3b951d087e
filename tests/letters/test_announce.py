"""Who gets which letter, in which conversation, and what needs not be sent any more."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import Session, col, select

from engine.game import Position
from pbem.letters import Site, announce
from pbem.letters.queue import STATE, queue, withdraw
from pbem.letters.stage import Stage
from pbem.store import Letter, Mail, Token
from pbem.store.tokens import digest


def kinds(session: Session, seat: int | None = None, since: int = 0) -> list[str]:
    query = select(Letter).where(col(Letter.id) > since, Letter.state != "replaced")
    if seat is not None:
        query = query.where(Letter.seat == seat)
    return [letter.kind for letter in session.exec(query.order_by(col(Letter.id)))]


def newest_id(session: Session) -> int:
    return max(filter(None, session.exec(select(Letter.id))), default=0)


def sent(session: Session, when: datetime) -> None:
    """Everything queued so far has gone out."""
    for letter in session.exec(select(Letter).where(Letter.state == "queued")):
        letter.state, letter.sent_at = "sent", when
        session.add(letter)
    session.flush()


@pytest.fixture
def table(session: Session, site: Site) -> Stage:
    return Stage(session, site, 4, "announce").begin()


def test_everybody_learns_of_the_beginning_and_the_first_is_asked(
    session: Session, table: Stage
) -> None:
    assert kinds(session, 0) == ["begins", "your-turn"]
    assert [kinds(session, seat) for seat in (1, 2, 3)] == [["begins"]] * 3


def test_after_a_turn_the_next_is_asked_the_others_told_and_the_mover_not(
    session: Session, table: Stage
) -> None:
    sent(session, table.now)
    before = newest_id(session)
    table.until(lambda position: position.turn >= 1)
    assert [kinds(session, seat, before) for seat in range(4)] == [
        [], ["your-turn"], ["what-happened"], ["what-happened"],
    ]  # fmt: skip


def test_who_chose_fewer_letters_is_only_asked(session: Session, table: Stage) -> None:
    table.people[2].letters = "mine"
    before = newest_id(session)
    table.until(lambda position: position.turn >= 6)
    assert set(kinds(session, 2, before)) == {"your-turn"}


def test_bots_get_no_letters(session: Session, site: Site) -> None:
    table = Stage(session, site, 4, "bots", bots=(1, 3)).begin()
    table.until(lambda position: position.phase == "end")
    addressed = {letter.seat for letter in session.exec(select(Letter))}
    assert addressed == {0, 2}


def test_a_newer_letter_of_the_table_replaces_an_unsent_one_only(
    session: Session, table: Stage
) -> None:
    table.until(lambda position: position.turn >= 1)
    sent(session, table.now)
    table.until(lambda position: position.turn >= 3)
    states = session.exec(
        select(Letter.state, Letter.kind)
        .where(Letter.seat == 0, col(Letter.kind).in_(STATE))
        .order_by(col(Letter.id))
    ).all()
    assert states == [
        ("replaced", "your-turn"),  # done by its player before it went out
        ("replaced", "what-happened"),
        ("queued", "what-happened"),
    ]


def test_a_pet_is_nobodys_news(session: Session, table: Stage) -> None:
    table.until(lambda position: position.phase == "pets")
    assert kinds(session).count("choose-pet") == 4
    before = newest_id(session)
    table.until(lambda position: len(position.to_move) == 1)
    assert kinds(session, since=before) == []


def test_the_first_news_of_each_phase_says_so(session: Session, table: Stage) -> None:
    phases: set[tuple[int | None, str]] = set()

    def note(position: Position) -> bool:
        rows = session.exec(
            select(Letter).where(col(Letter.kind).in_(["pets-chosen", "end-phase"]))
        )
        phases.update((row.seat, row.kind) for row in rows if row.state != "replaced")
        sent(session, table.now)
        return False

    table.until(note)
    for seat in range(4):
        own = [kind for kind in kinds(session, seat) if kind in ("pets-chosen", "end-phase")]
        assert len(own) == len(set(own))
    assert {kind for _, kind in phases} == {"pets-chosen", "end-phase"}


def test_the_result_goes_to_all_and_to_an_organiser_who_does_not_play(
    session: Session, site: Site
) -> None:
    table = Stage(session, site, 3, "result", organiser=4).begin().until(lambda position: False)
    over = session.exec(select(Letter).where(Letter.kind == "over")).all()
    assert sorted(letter.seat if letter.seat is not None else 9 for letter in over) == [0, 1, 2, 9]
    assert set(kinds(session)) & STATE == set()
    assert table.game.status == "over"


def test_your_turn_opens_a_conversation_and_the_reminder_joins_it(
    session: Session, site: Site, table: Stage
) -> None:
    asked = session.exec(select(Letter).where(Letter.kind == "your-turn")).one()
    assert asked.in_reply_to is None
    reminder = announce.reminder(session, site, table.now, table.game, 0, 1)
    assert reminder is not None
    assert (reminder.in_reply_to, reminder.references) == (asked.message_id, asked.message_id)


def test_one_reminder_a_rung_and_wait(session: Session, site: Site, table: Stage) -> None:
    def remind(rung: int) -> Letter | None:
        return announce.reminder(session, site, table.now, table.game, 0, rung)

    assert remind(1) is not None
    sent(session, table.now)
    assert remind(1) is None
    assert remind(2) is not None
    assert table.game.waiting_since is not None
    table.game.waiting_since += timedelta(days=1)
    assert remind(1) is not None


def test_reminders_that_have_not_gone_out_are_withdrawn_with_the_turn(
    session: Session, site: Site, table: Stage
) -> None:
    announce.reminder(session, site, table.now, table.game, 0, 1)
    table.until(lambda position: position.turn >= 1)
    assert session.exec(select(Letter.state).where(Letter.kind == "reminder")).one() == "replaced"


def test_the_news_of_a_table_are_one_conversation(session: Session, table: Stage) -> None:
    table.until(lambda position: position.turn >= 1)
    sent(session, table.now)
    table.until(lambda position: position.turn >= 2)
    first, second = session.exec(
        select(Letter)
        .where(Letter.seat == 3, Letter.kind == "what-happened", Letter.state != "replaced")
        .order_by(col(Letter.id))
    ).all()[:2]
    assert (first.in_reply_to, second.in_reply_to) == (None, first.message_id)


def test_a_missed_deadline_is_told_once(session: Session, site: Site, table: Stage) -> None:
    for _ in range(2):
        announce.deadline_missed(session, site, table.now, table.game, [1])
    assert sorted(kind for kind in kinds(session) if kind.startswith("deadline")) == [
        "deadline-missed",
        "deadline-missed",
        "deadline-missed",
        "deadline-missed-organiser",
    ]
    assert "deadline-missed" not in kinds(session, 0)  # who organises is told as such


def test_a_message_reaches_those_named_and_not_its_writer(
    session: Session, site: Site, table: Stage
) -> None:
    announce.message(
        session, site, table.now, table.game, sender=1, seats=[1, 3], text="psst", to_all=False
    )
    assert [letter.seat for letter in session.exec(select(Letter)) if letter.kind == "message"] == [
        3
    ]


def test_an_erased_person_is_not_written_to(session: Session, table: Stage) -> None:
    table.people[3].erased_at = table.now
    before = newest_id(session)
    table.until(lambda position: position.turn >= 2)
    assert kinds(session, 3, before) == []


def test_an_answer_joins_the_conversation_of_the_mail(
    session: Session, site: Site, table: Stage
) -> None:
    mail = Mail(
        received_at=table.now, channel="smtp", envelope_from="", envelope_to=[], digest="",
        message_id="<m@example.org>",
        raw=b"Subject: =?utf-8?q?AW=3A_Re=3A_Z=C3=BCge?=\r\nReferences: <a@x>\r\n <b@x>\r\n\r\nhi",
    )  # fmt: skip
    session.add(mail)
    session.flush()
    number = announce.answer(
        session, site, table.now, {"outcome": "done", "lines": [], "seq": 1},
        mail_id=mail.id, person_id=table.people[0].id, game=table.game, seat=0,
    )  # fmt: skip
    letter = session.get_one(Letter, number)
    assert letter.in_reply_to == "<m@example.org>"
    assert letter.references == "<a@x> <b@x> <m@example.org>"
    assert letter.context["subject"] == "AW: Re: Züge"
    assert letter.answers_mail_id == mail.id


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        ("done", "receipt"), ("information", "receipt"), ("prose", "receipt"),
        ("repeated", "receipt"), ("refused", "refusal"), ("aged", "aged"),
        ("preview", "preview"), ("held", "held"),
    ],
)  # fmt: skip
def test_each_outcome_has_its_letter(
    session: Session, site: Site, table: Stage, outcome: str, kind: str
) -> None:
    number = announce.answer(
        session, site, table.now, {"outcome": outcome, "lines": []},
        person_id=table.people[0].id, game=table.game, seat=0,
    )  # fmt: skip
    letter = session.get_one(Letter, number)
    assert letter.kind == kind


def test_resending_asks_again_or_tells_again(session: Session, site: Site, table: Stage) -> None:
    asked = announce.resend(session, site, table.now, table.game, 0)
    told = announce.resend(session, site, table.now, table.game, 1)
    assert asked is not None
    assert told is not None
    assert (asked.kind, told.kind) == ("your-turn", "what-happened")


def test_message_ids_are_all_different_and_ours(session: Session, table: Stage) -> None:
    table.until(lambda position: position.turn >= 5)
    ids = session.exec(select(Letter.message_id)).all()
    assert len(ids) == len(set(ids))
    assert all(one.startswith("<letter-") and one.endswith("@ark.localhost>") for one in ids)


def test_tokens_are_known_before_the_letter_goes_out_and_not_in_its_row(
    session: Session, site: Site, table: Stage
) -> None:
    from pbem.letters.bearers import page_bearer, reply_bearer

    for letter in session.exec(select(Letter)):
        for bearer in (reply_bearer(letter), page_bearer(letter)):
            assert bearer is not None
            token = site.keys.token(bearer)
            assert session.get(Token, digest(token)) is not None
            assert token not in repr(letter)


def test_a_key_is_used_once(session: Session, site: Site, table: Stage) -> None:
    def one() -> Letter | None:
        return queue(session, site, table.now, "stranger", to_address="a@b.example", once="x")

    assert one() is not None
    assert one() is None


def test_withdrawing_leaves_what_has_gone_out(session: Session, table: Stage) -> None:
    sent(session, table.now)
    withdraw(session, table.game, 0, STATE)
    assert session.exec(select(Letter).where(Letter.state == "replaced")).all() == []


def test_invitations_and_what_becomes_of_them(session: Session, site: Site) -> None:
    table = Stage(session, site, 3, "invited")
    game, now, guest = table.game, table.now, table.invitations[1]
    first = announce.invitation(session, site, now, game, guest)
    again = announce.invitation_reminder(session, site, now, game, guest)
    assert first is not None
    assert again is not None
    assert again.in_reply_to == first.message_id
    assert first.context == {"invitation": guest.id}
    guest.state = "declined"
    announce.declined(session, site, now, game, guest)
    told = session.exec(select(Letter).where(Letter.kind == "declined")).one()
    assert told.person_id == game.organiser_id
    for _ in range(2):
        announce.expired(session, site, now, game)
    expired = session.exec(select(Letter.person_id).where(Letter.kind == "expired")).all()
    assert sorted(expired) == [table.people[0].id, table.people[2].id]
