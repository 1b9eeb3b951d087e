"""A mail taken up again: what becomes of it, and that nothing is done twice."""

import pytest
from sqlmodel import Session, col, select

from engine.moves import from_json, notation
from pbem.installation import Installation
from pbem.intake import again
from pbem.intake.again import MODERATED, discard, read_again, treat_as
from pbem.intake.inbox import drain
from pbem.letters.receipts import identified
from pbem.store import Audit, Event, Game, Letter, Mail
from pbem.store.audit import Actor
from pbem.store.rows import id_of
from tests.conftest import HandClock
from tests.intake.mails import deposit, receive, stored, written
from tests.tables import Table, open_table

STRANGE = "ann@elsewhere.example"
BY = Actor("cli", None, "he told me on the phone")


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


@pytest.fixture
def held(installation: Installation, table: Table) -> Mail:
    """A turn of seat 0, from an address of its person that nobody knows."""
    mail = receive(installation, table.reply_address(0), table.legal(0)[0], sender=STRANGE)
    assert mail.state == "held"
    return mail


def _events(installation: Installation, mail: Mail) -> list[Event]:
    with installation.store.read() as session:
        found = list(session.exec(select(Event).where(Event.mail_id == mail.id)))
        session.expunge_all()
        return found


def _audit(installation: Installation) -> list[Audit]:
    with installation.store.read() as session:
        rows = list(session.exec(select(Audit).order_by(col(Audit.id))))
        session.expunge_all()
        return rows


def _everything(installation: Installation) -> tuple[object, ...]:
    with installation.store.read() as session:
        return tuple(
            tuple(map(repr, session.exec(select(table).order_by(table.id))))  # type: ignore[attr-defined]
            for table in (Mail, Event, Letter, Audit, Game)
        )


def test_a_held_turn_is_done_for_its_seat(
    installation: Installation, table: Table, held: Mail
) -> None:
    wanted = table.legal(0)[0]
    redone = treat_as(installation, id_of(held), table.game_id, 0, BY)
    assert redone.ok
    assert redone.answer is not None
    assert redone.answer.outcome == "done"
    assert table.moves() == [wanted]
    mail = stored(installation, id_of(held))
    assert (mail.state, mail.game_id, mail.seat, mail.person_id) == (
        "done", table.game_id, 0, table.people[0],
    )  # fmt: skip
    assert mail.receipt is not None
    assert mail.receipt["by"] == "moderator"
    assert identified(mail.receipt) == "A moderator has said whose it is."


def test_table_and_player_learn_who_did_it(
    installation: Installation, table: Table, held: Mail
) -> None:
    redone = treat_as(
        installation, id_of(held), table.game_id, 0, Actor("moderator", table.people[2], "asked")
    )
    moderated, turn = _events(installation, held)
    assert (moderated.kind, moderated.channel) == (MODERATED, "moderator")
    assert moderated.person_id == table.people[2]
    assert (turn.kind, turn.channel, turn.person_id) == ("turn", "mail", table.people[0])
    assert redone.events == ((moderated.seq, MODERATED), (turn.seq, "turn"))
    (copy,) = table.letters(0, "receipt")
    assert copy.to_address == "ann@example.org"
    assert any("Cy, who moderates here" in note for note in copy.context["answer"]["notes"])
    (row,) = _audit(installation)
    assert (row.action, row.person_id, row.mail_id, row.game_id, row.seat, row.reason) == (
        "treat-as", table.people[2], held.id, table.game_id, 0, "asked",
    )  # fmt: skip
    assert (row.subject_id, row.outcome) == (table.people[0], "done")


def test_what_was_done_is_never_done_again(
    installation: Installation, table: Table, held: Mail
) -> None:
    assert treat_as(installation, id_of(held), table.game_id, 0, BY).ok
    before = _everything(installation)
    for redone in (
        treat_as(installation, id_of(held), table.game_id, 0, BY),
        treat_as(installation, id_of(held), table.game_id, 1, BY),
        read_again(installation, id_of(held), BY),
        discard(installation, id_of(held), BY),
    ):
        assert redone.code == "done-already"
    assert _everything(installation) == before


def test_a_partly_done_mail_counts_as_done(installation: Installation, table: Table) -> None:
    mail = receive(installation, table.reply_address(0), "say all: hello\nplay fox L9")
    assert mail.receipt is not None
    assert mail.receipt["answer"]["outcome"] == "refused"
    assert read_again(installation, id_of(mail), BY).code == "done-already"


def test_a_copy_of_a_done_mail_is_not_done_for_another_seat(
    installation: Installation, table: Table
) -> None:
    raw = written(table.legal(0)[0], to=table.reply_address(0))
    to = table.reply_address(0)
    deposit(installation, raw, to)
    copy = deposit(installation, raw, to)
    drain(installation)
    assert treat_as(installation, copy, table.game_id, 1, BY).code == "done-already"


def test_the_held_copy_of_a_done_mail_is_answered_only(
    installation: Installation, table: Table, held: Mail
) -> None:
    """The player has sent the turn again from his own address meanwhile."""
    decision = 0
    receive(installation, table.reply_address(0), table.legal(0)[0])
    moves = table.moves()
    assert len(moves) == 1
    redone = treat_as(installation, id_of(held), table.game_id, 0, BY, decision=decision)
    assert redone.answer is not None
    assert redone.answer.outcome in ("repeated", "aged")
    assert table.moves() == moves


def test_a_turn_thought_over_at_an_earlier_decision_does_not_move_a_later_one(
    installation: Installation, table: Table, held: Mail
) -> None:
    receive(installation, table.reply_address(0), table.legal(0)[1])
    redone = treat_as(installation, id_of(held), table.game_id, 0, BY, decision=0)
    assert redone.answer is not None
    assert redone.answer.outcome == "aged"
    assert len(table.moves()) == 1


def test_a_rehearsal_shows_all_and_changes_nothing(
    installation: Installation, table: Table, held: Mail
) -> None:
    before = _everything(installation)
    number = id_of(held)
    rehearsed = treat_as(installation, number, table.game_id, 0, BY, rehearse=True)
    assert _everything(installation) == before
    assert treat_as(installation, number, table.game_id, 0, BY) == rehearsed
    assert rehearsed.events
    assert rehearsed.letters
    assert _everything(installation) != before


@pytest.mark.parametrize("act", [read_again, discard])
def test_rehearsals_of_the_others_change_nothing(
    installation: Installation, held: Mail, act: object
) -> None:
    before = _everything(installation)
    assert callable(act)
    assert act(installation, held.id, BY, rehearse=True).ok
    assert _everything(installation) == before


def test_a_discarded_mail_does_nothing_and_can_be_taken_up_again(
    installation: Installation, table: Table, held: Mail
) -> None:
    assert discard(installation, id_of(held), BY).state == "discarded"
    assert stored(installation, id_of(held)).state == "discarded"
    assert discard(installation, id_of(held), BY).code == "discarded-already"
    assert table.moves() == []
    assert treat_as(installation, id_of(held), table.game_id, 0, BY).ok
    assert len(table.moves()) == 1


def test_reading_again_holds_a_strange_sender_again(
    installation: Installation, table: Table, held: Mail, clock: HandClock
) -> None:
    redone = read_again(installation, id_of(held), BY)
    assert (redone.state, table.moves()) == ("held", [])


def test_a_mail_from_quarantine_is_read_when_its_trouble_is_over(
    installation: Installation, table: Table
) -> None:
    number = deposit(installation, written(table.legal(0)[0], to="x"), table.reply_address(0))
    with installation.store.work() as session:
        row = session.get_one(Mail, number)
        row.state, row.error = "quarantined", "RuntimeError: a bug that is mended now"
        session.add(row)
    redone = read_again(installation, number, BY)
    assert redone.state == "done"
    assert len(table.moves()) == 1
    assert stored(installation, number).error is None


def test_reading_that_fails_again_is_a_value(
    installation: Installation, table: Table, held: Mail, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise RuntimeError("still broken")

    before = _everything(installation)
    monkeypatch.setattr(again, "carry_out", broken)
    assert read_again(installation, id_of(held), BY).code == "failed"
    monkeypatch.setattr(again, "understand", broken)
    assert read_again(installation, id_of(held), BY).code == "failed"
    assert _everything(installation) == before


def test_what_cannot_be_taken_up_is_told(installation: Installation, table: Table) -> None:
    assert read_again(installation, 999, BY).code == "gone"
    new = deposit(installation, written("status"))
    assert read_again(installation, new, BY).code == "not-read-yet"
    assert discard(installation, new, BY).code == "not-read-yet"


def test_of_a_pruned_mail_only_the_receipt_is_left(
    installation: Installation, table: Table, held: Mail
) -> None:
    with installation.store.work() as session:
        row = session.get_one(Mail, held.id)
        row.raw = b""
        session.add(row)
    assert read_again(installation, id_of(held), BY).code == "pruned"
    assert treat_as(installation, id_of(held), table.game_id, 0, BY).code == "pruned"
    assert discard(installation, id_of(held), BY).ok


@pytest.mark.parametrize("seat", [3, -1, 99])
def test_a_seat_nobody_holds_does_not_do(
    installation: Installation, table: Table, held: Mail, seat: int
) -> None:
    assert treat_as(installation, id_of(held), table.game_id, seat, BY).code == "no-seat"
    assert treat_as(installation, id_of(held), 999, 0, BY).code == "no-seat"
    assert _audit(installation) == []


@pytest.mark.parametrize(
    "headers",
    [{"Auto-Submitted": "auto-replied"}, {"X-Ark-Letter": "1"}],
    ids=["auto-reply", "our own letter"],
)
def test_automatic_mail_never_acts_for_a_moderator_either(
    installation: Installation, table: Table, headers: dict[str, str]
) -> None:
    mail = receive(installation, table.reply_address(0), table.legal(0)[0], **headers)
    assert mail.state == "ignored"
    assert treat_as(installation, id_of(mail), table.game_id, 0, BY).code == "never-acts"
    assert table.moves() == []


def test_a_mail_held_for_its_list_headers_can_be_treated(
    installation: Installation, table: Table
) -> None:
    mail = receive(installation, table.reply_address(0), table.legal(0)[0], Precedence="list")
    assert mail.state == "held"
    redone = treat_as(installation, id_of(mail), table.game_id, 0, BY)
    assert redone.state == "done"
    assert len(table.moves()) == 1


def test_the_turn_replays_with_the_moderators_event_before_it(
    installation: Installation, table: Table, held: Mail
) -> None:
    treat_as(installation, id_of(held), table.game_id, 0, BY)
    mover = 1
    receive(installation, table.reply_address(mover), table.legal(mover)[0],
            sender="bo@example.org")  # fmt: skip
    assert len(table.moves()) == 2
    with installation.store.read() as session:
        turns = session.exec(select(Event).where(Event.kind == "turn").order_by(col(Event.seq)))
        assert [notation(from_json(one.move)) for one in turns if one.move] == table.moves()


def test_the_audit_is_appended_to_only(installation: Installation, held: Mail) -> None:
    discard(installation, id_of(held), BY)
    with installation.store.read() as session:
        (row,) = session.exec(select(Audit)).all()
    row.reason = "another"
    for change in (Session.add, Session.delete):
        with pytest.raises(TypeError), installation.store.work() as session:
            change(session, session.merge(row))
    assert [row.reason for row in _audit(installation)] == ["he told me on the phone"]


def test_the_answer_to_test_tells_what_the_receipt_does(
    installation: Installation, table: Table
) -> None:
    mail = receive(installation, table.reply_address(0), "test\n\n-- \nAnn")
    (letter,) = table.letters(0, "receipt")
    (line,) = letter.context["answer"]["lines"]
    assert mail.receipt is not None
    facts = [
        "Handed in by SMTP.", "From ann@example.org.", "text/plain, 14 bytes: read.",
        "Cut: The signature: what stands below a line of two dashes.",
    ]  # fmt: skip
    assert [fact for fact in facts if fact not in line["block"]] == []
