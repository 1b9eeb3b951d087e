"""Whoever is forgotten may have been called like a card, an action or a state of a game."""

from sqlmodel import Session, select, update

from engine.cards import builtin_deck
from engine.game import legal_moves
from pbem.clock.erasing import erase_due
from pbem.desk.forgetting import forget
from pbem.desk.people import choose_name
from pbem.installation import Installation
from pbem.store import Event, Game, Letter, Person
from pbem.store.log import Author
from pbem.store.names import all_names
from pbem.store.positions import position_now, replayed
from pbem.store.redaction import pattern_of, redacted
from tests.conftest import HandClock
from tests.desk.seats import late
from tests.desk.table import Table

CODES = (
    *(card.name for card in builtin_deck().cards),
    "gather", "main", "deal", "house", "grace", "bank", "standings", "names-hidden", "sender",
    "ark-1", "UTC", "deadline-moved", "done", "take", "seat", "example", "bo", "00", "0",
)  # fmt: skip


def _kept(session: Session) -> list[object]:
    events = session.exec(select(Event).order_by(Event.id)).all()  # type: ignore[arg-type]
    letters = session.exec(select(Letter).order_by(Letter.id)).all()  # type: ignore[arg-type]
    return [(one.move, one.happenings, one.public) for one in events if one.kind != "say"] + [
        (one.context, one.once, one.in_reply_to, one.references, one.to_address)
        for one in letters
        if one.person_id not in (1, None) and one.kind != "message"
    ]


def test_no_name_takes_anything_from_a_game(installation: Installation, clock: HandClock) -> None:
    table = Table.begun(installation, time="bank 20h + 2h cap 30h", free_hours=0, graces=1)
    for _turn in range(3):
        move = legal_moves(position_now(table.game()), table.to_move()[0])[0]
        assert table.play(move).outcome == "done"
    assert table.order(1, "say all: the hen is mine").outcome == "done"
    late(table, clock, 40)
    with installation.store.work() as session:
        ann = session.get_one(Person, 1)
        for name in CODES:
            choose_name(session, clock(), ann, name)
            session.flush()
        assert len(all_names(session, ann)) > 60, "few of them are refused"
        session.exec(update(Letter).values(state="sent"))
    with installation.store.work() as session:
        forget(session, installation.site, clock(), Author("cli"), session.get_one(Person, 1))
        session.exec(update(Letter).values(state="sent"))
        session.flush()
        before, game = _kept(session), session.get_one(Game, table.game_id).model_dump()
    assert erase_due(installation) == 1
    with installation.store.read() as session:
        assert _kept(session) == before
        now = session.get_one(Game, table.game_id)
        assert now.model_dump() == game
        assert replayed(session, now) == position_now(now)
        said = session.exec(select(Event).where(Event.kind == "say")).one()
        assert said.public["text"] == "the a former player is mine"


def test_codes_stay_and_words_go() -> None:
    none, names = pattern_of((), ()), pattern_of((), ("pause", "not", "ann", "00"))
    stored = {
        "outcome": "not tried", "due": "2026-12-01T10:00:00+00:00", "action": "pause-many",
        "lines": [{"text": "pause", "status": "not tried", "block": ["ann 00"]}],
        "unknown": ["Ask ann!", "ann"], "name": "ann",
    }  # fmt: skip
    assert redacted(stored, names, none) == stored | {
        "lines": [
            {
                "text": "a former player", "status": "not tried",
                "block": ["a former player a former player"],
            }
        ],
        "unknown": ["Ask a former player!", "ann"], "name": "a former player",
    }  # fmt: skip
