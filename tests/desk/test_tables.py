"""The life of a table before its first turn."""

import pytest
from sqlmodel import Session, select

from engine.proof import verify
from engine.record import from_form
from pbem.archive.records import record_of
from pbem.desk import Answer, Order, tables
from pbem.desk.people import find_or_add_person, fit_name
from pbem.desk.tables import Place, TableError
from pbem.installation import Installation
from pbem.store import Blocked, Event, Game, Invitation, Letter, Person
from pbem.store.log import Author
from pbem.store.people import holders, person_by_address
from tests.conftest import HandClock


def _person(installation: Installation, name: str) -> int:
    with installation.store.work() as session:
        person = find_or_add_person(
            session, installation.clock(), name, f"{name}@example.net", confirmed=True
        )
        assert person.id is not None
        return person.id


def _mail(
    installation: Installation, person_id: int, text: str, game_id: int | None = None
) -> Answer:
    """An order as a mail from this person brings it: to his invitation, or the server."""
    with installation.store.work() as session:
        invitation = session.exec(
            select(Invitation).where(
                Invitation.game_id == game_id, Invitation.person_id == person_id
            )
        ).first()
        order = Order(
            text,
            Author("web", person_id),
            game_id=game_id,
            invitation_id=None if invitation is None else invitation.id,
            addressed="server" if game_id is None else "seat",
        )
        return installation.desk.take_order(session, order)


def _only_game(session: Session) -> Game:
    return session.exec(select(Game)).one()


@pytest.fixture
def ann(installation: Installation) -> int:
    return _person(installation, "Ann")


def _open(installation: Installation, ann: int, text: str | None = None) -> int:
    text = text or "new game Sunday club with bo@example.net, cy@example.net"
    assert _mail(installation, ann, text).outcome == "done"
    with installation.store.read() as session:
        game = _only_game(session)
        assert game.id is not None
        return game.id


def _id_of(installation: Installation, address: str) -> int:
    with installation.store.read() as session:
        person = person_by_address(session, address)
        assert person is not None
        assert person.id is not None
        return person.id


def test_from_invitation_to_the_first_turn(installation: Installation, ann: int) -> None:
    game_id = _open(installation, ann)
    bo, cy = (_id_of(installation, f"{name}@example.net") for name in ("bo", "cy"))
    with installation.store.read() as session:
        kinds = session.exec(select(Letter.kind, Letter.person_id)).all()
        assert ("invitation", bo) in kinds
        assert ("invitation", cy) in kinds
    assert _mail(installation, bo, "accept rainbow", game_id).outcome == "done"
    assert _mail(installation, bo, "accept", game_id).outcome == "information"
    assert _mail(installation, cy, "accept", game_id).outcome == "done"
    with installation.store.read() as session:
        game = _only_game(session)
        assert game.status == "running"
        seats = {holder.person_id for holder in holders(session, game)}
        assert seats == {ann, bo, cy}
        begins = session.exec(select(Letter).where(Letter.kind == "begins")).all()
        assert len(begins) == 3


@pytest.mark.parametrize("said", ["yes", "Yes, gladly!", "ja gern"])
def test_a_friendly_word_is_told_how_to_answer(
    installation: Installation, ann: int, said: str
) -> None:
    game_id = _open(installation, ann)
    bo = _id_of(installation, "bo@example.net")
    [note] = _mail(installation, bo, said, game_id).notes
    assert "“accept”" in note
    assert "“decline”" in note
    _mail(installation, bo, "accept", game_id)
    assert _mail(installation, bo, said, game_id).notes == ()


def test_start_is_in_the_help_of_whoever_can_write_it(installation: Installation, ann: int) -> None:
    game_id = _open(installation, ann)
    bo, cy = (_id_of(installation, f"{name}@example.net") for name in ("bo", "cy"))

    def listed(person_id: int) -> bool:
        [line] = _mail(installation, person_id, "help", game_id).lines
        return any(one.startswith("› start: ") for one in line.block)

    assert listed(ann)
    assert not listed(bo)
    for person_id in (bo, cy):
        _mail(installation, person_id, "accept", game_id)
    assert not listed(ann)
    [line] = _mail(installation, bo, "help start", game_id).lines
    assert "whoever opened the table" in line.block[0]


def test_a_newcomer_is_welcomed_once(installation: Installation, ann: int) -> None:
    first, second = (
        _open_with(installation, ann, f"new game {name} with bo@example.net, cy@example.net")
        for name in ("One", "Two")
    )
    bo, cy = (_id_of(installation, f"{name}@example.net") for name in ("bo", "cy"))
    for game_id in (first, second):
        _mail(installation, bo, "accept", game_id)
        _mail(installation, bo, "decline", game_id)
        _mail(installation, bo, "accept", game_id)
    _mail(installation, cy, "decline", first)
    with installation.store.read() as session:
        letters = session.exec(select(Letter).where(Letter.kind == "welcome")).all()
        assert [letter.person_id for letter in letters] == [bo]
        assert letters[0].context["said"] == "You are in. Still to answer: 1."


def _open_with(installation: Installation, ann: int, text: str) -> int:
    answer = _mail(installation, ann, text)
    assert answer.outcome == "done"
    with installation.store.read() as session:
        return max(session.exec(select(Game.id)).all() or [0], key=lambda number: number or 0) or 0


def test_whoever_opens_a_table_moderates_it(installation: Installation, ann: int) -> None:
    _open(installation, ann)
    with installation.store.read() as session:
        game = _only_game(session)
        assert (game.organiser_id, game.moderator_id) == (ann, ann)


def test_the_deal_can_be_verified(installation: Installation, ann: int) -> None:
    game_id = _open(installation, ann)
    with installation.store.read() as session:
        opened = session.exec(select(Event).where(Event.kind == "opened")).one()
        assert opened.public["commitment"] == _only_game(session).commitment
    for name, word in (("bo", "rainbow"), ("cy", "olive-branch")):
        person = _id_of(installation, f"{name}@example.net")
        assert _mail(installation, person, f"accept {word}", game_id).outcome == "done"
    with installation.store.work() as session:
        game = _only_game(session)
        game.status = "over"  # the proof is told only then
        record = record_of(session, game)
        assert record.proof is not None
        assert sorted(record.proof["words"]) == ["", "olive-branch", "rainbow"]
        assert verify(record) == []
        record.proof["words"][0] += "!"
        assert verify(record)


def test_declining_tells_the_organiser_and_frees_the_place(
    installation: Installation, ann: int
) -> None:
    game_id = _open(installation, ann)
    bo = _id_of(installation, "bo@example.net")
    assert _mail(installation, bo, "decline", game_id).outcome == "done"
    with installation.store.read() as session:
        assert session.exec(select(Letter).where(Letter.kind == "declined")).one()
    assert _mail(installation, ann, "invite di@example.net", game_id).outcome == "done"
    assert _mail(installation, bo, "accept", game_id).outcome == "refused"  # the place is taken


def test_the_organiser_begins_with_three_of_four(installation: Installation, ann: int) -> None:
    game_id = _open(
        installation, ann, "new game Club with bo@example.net, cy@example.net, di@example.net"
    )
    bo, cy, di = (_id_of(installation, f"{name}@example.net") for name in ("bo", "cy", "di"))
    _mail(installation, bo, "accept", game_id)
    assert _mail(installation, ann, "start", game_id).outcome == "refused"
    _mail(installation, cy, "accept", game_id)
    assert _mail(installation, bo, "start", game_id).outcome == "refused"  # not his table
    assert _mail(installation, ann, "start", game_id).outcome == "done"
    assert _mail(installation, di, "accept", game_id).outcome == "refused"
    with installation.store.read() as session:
        assert len(holders(session, _only_game(session))) == 3


def test_never_again_is_kept_as_a_hash_and_respected(installation: Installation, ann: int) -> None:
    game_id = _open(installation, ann)
    bo = _id_of(installation, "bo@example.net")
    assert _mail(installation, bo, "never again", game_id).outcome == "done"
    with installation.store.read() as session:
        blocked = session.exec(select(Blocked)).one()
        assert "bo@" not in repr(blocked)
        invitation = session.exec(select(Invitation).where(Invitation.person_id == bo)).one()
        assert invitation.state == "declined"
    assert _mail(installation, ann, "invite BO@example.net", game_id).outcome == "refused"


def test_one_person_has_one_place(installation: Installation, ann: int) -> None:
    answer = _mail(installation, ann, "new game Club with bo@example.net, ann@example.net")
    assert answer.outcome == "refused"


@pytest.mark.parametrize(
    ("players", "places"),
    [(2, 2), (6, 6), (3, 4)],
)
def test_a_table_has_three_to_five_places(
    installation: Installation, clock: HandClock, players: int, places: int
) -> None:
    with pytest.raises(TableError) as caught, installation.store.work() as session:
        tables.open_table(
            session, installation.site, clock(), installation.entropy, Author("cli"),
            name="t", places=[Place(bot="random")] * places, players=players,
        )  # fmt: skip
    assert caught.value.code == "table-size"
    with installation.store.read() as session:
        assert session.exec(select(Game)).all() == []


def test_only_known_people_open_games(installation: Installation) -> None:
    with installation.store.work() as session:
        stranger = Order(
            "new game Club with a@example.net, b@example.net", Author("mail"), addressed="server"
        )
        answer = installation.desk.take_order(session, stranger)
    assert answer.lines[0].code == "may-not-open"
    with installation.store.read() as session:
        assert session.exec(select(Person)).all() == []


@pytest.mark.parametrize(
    "others",
    [
        "ann@example.net, bo@example.net",  # himself twice
        "bot:evil, bot:greedy",
        "bo@example.net, ark@ark.example",
        "bo@example.net, .a@x..org",
        "bo@example.net, [a]@x",
    ],
)
def test_refused_means_that_nothing_was_done(
    installation: Installation, ann: int, others: str
) -> None:
    answer = _mail(installation, ann, f"new game Club with {others}")
    assert answer.outcome == "refused", answer
    with installation.store.read() as session:
        assert session.exec(select(Game)).all() == []
        assert session.exec(select(Invitation)).all() == []
        assert len(session.exec(select(Person)).all()) == 1


def test_a_rematch_that_is_refused_opens_no_table(installation: Installation, ann: int) -> None:
    game_id = _open(installation, ann)
    for name in ("bo", "cy"):
        guest = _id_of(installation, f"{name}@example.net")
        assert _mail(installation, guest, "accept", game_id).outcome == "done"
    assert _mail(installation, guest, "never again", game_id).outcome == "done"
    with installation.store.work() as session:
        session.get_one(Game, game_id).status = "over"
        before = len(session.exec(select(Letter)).all())
    answer = _mail(installation, ann, "rematch", game_id)
    assert answer.lines[0].code == "never-again"
    with installation.store.read() as session:
        assert _only_game(session).id == game_id
        assert len(session.exec(select(Letter)).all()) == before


def test_an_invitation_has_no_present_letter_to_be_sent_again(
    installation: Installation, ann: int
) -> None:
    game_id = _open(installation, ann)
    bo = _id_of(installation, "bo@example.net")
    for command in ("resend", "resend bo@example.net"):
        assert _mail(installation, bo, command, game_id).lines[0].code == "not-begun"


def test_a_table_of_one_and_bots_begins_at_once(installation: Installation, ann: int) -> None:
    assert _mail(installation, ann, "new game Bots with bot:greedy, bot:random").outcome == "done"
    with installation.store.read() as session:
        assert _only_game(session).status == "running"


def test_one_person_opens_few_tables_a_day(
    installation: Installation, ann: int, clock: HandClock
) -> None:
    """A forged sender must not make this server bomb strangers with invitations."""
    text = "new game Club with bo@example.net, cy@example.net"
    outcomes = [_mail(installation, ann, text).outcome for _ in range(6)]
    assert outcomes == ["done"] * 5 + ["refused"]
    clock.advance(days=1, seconds=1)
    assert _mail(installation, ann, text).outcome == "done"


@pytest.mark.parametrize(
    ("name", "fit"),
    [
        ("Ann", "Ann"),
        ("  Ann   B. ", "Ann B"),
        ("all", "a"),
        ("Bo: the, great", "Bo the great"),
        ("x" * 40, "x" * 24),
        ("\u202eevil\x00", "evil"),
        ("", "a"),
        ("王小明", "王小明"),
    ],
)
def test_names_are_made_fit_to_be_written(name: str, fit: str) -> None:
    assert fit_name(name, "a@example.net") == fit


def test_the_record_of_a_game_reads_back(installation: Installation, ann: int) -> None:
    game_id = _open(installation, ann)
    for name in ("bo", "cy"):
        _mail(installation, _id_of(installation, f"{name}@example.net"), "accept", game_id)
    with installation.store.read() as session:
        record = record_of(session, _only_game(session))
    assert from_form(
        {"format": "ark-record/1", "deck": "house", "players": 3, "setup": record.setup,
         "turns": []}
    ).setup == record.setup  # fmt: skip
