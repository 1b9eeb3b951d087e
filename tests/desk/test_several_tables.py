"""One mail for several tables: the lines below `game N` are for that one (commands.md 1.9)."""

from collections.abc import Callable

import pytest
from sqlmodel import col, func, select

from pbem.desk import Answer, Order
from pbem.installation import Installation
from pbem.store import Event, Game, Letter
from pbem.store.log import Author
from tests.tables import Table, open_table

Give = Callable[..., Answer]


@pytest.fixture
def tables(installation: Installation) -> tuple[Table, Table]:
    return open_table(installation, "First"), open_table(installation, "Second", seed="two")


@pytest.fixture
def give(installation: Installation, tables: tuple[Table, Table]) -> Give:
    def give(text: str, addressed: str = "person", **details: object) -> Answer:
        with installation.store.work() as session:
            newest = session.exec(select(func.max(Event.id))).one()
            facts: dict[str, object] = {"after": newest, "purpose": "person", **details}
            person = tables[0].people[0]
            order = Order(text, Author("mail", person), addressed=addressed, **facts)  # type: ignore[arg-type]
            return installation.desk.take_order(session, order)

    return give


def _decisions(installation: Installation) -> list[int]:
    with installation.store.read() as session:
        return [game.decision for game in session.exec(select(Game).order_by(col(Game.id)))]


def _mover(table: Table) -> str:
    return table.legal(0)[0]


def test_each_turn_is_done_at_its_own_table(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    one, two = tables
    turns = [_mover(table) for table in tables]
    answer = give(f"game {one.game_id}\n{turns[0]}\n\ngame {two.game_id}; {turns[1]}")
    assert answer.outcome == "done"
    assert [line.status for line in answer.lines] == ["answered", "done", "answered", "done"]
    assert [table.moves() for table in tables] == [[turns[0]], [turns[1]]]


def test_it_is_answered_by_one_letter(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    one, two = tables
    give(f"game {one.game_id}\nstatus\ngame {two.game_id}\nsay all: hello\nscores")
    with installation.store.read() as session:
        kinds = list(session.exec(select(Letter.kind).where(Letter.kind == "receipt")))
    assert kinds == ["receipt"]


def test_a_turn_above_the_first_table_is_asked_back(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    turn = _mover(tables[0])
    answer = give(f"{turn}\ngame {tables[1].game_id}\nstatus")
    assert [line.status for line in answer.lines] == ["ambiguous", "answered", "answered"]
    assert _decisions(installation) == [0, 0]


def test_doubt_above_all_tables_stops_all(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    turn = _mover(tables[0])
    answer = give(f"Wait, I am not sure yet\ngame {tables[0].game_id}\n{turn}")
    assert answer.outcome == "refused"
    assert _decisions(installation) == [0, 0]


def test_a_fault_at_one_table_is_not_the_others(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    one, two = tables
    answer = give(f"game {one.game_id}\nplay fxo L9\n\ngame {two.game_id}\n{_mover(two)}")
    assert answer.outcome == "refused"
    assert _decisions(installation) == [0, 1]


def test_from_an_old_letter_no_turn_is_moved(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    one = tables[0]
    with installation.store.read() as session:
        before = session.exec(select(func.max(Event.id))).one()
    first, other, *_ = one.legal(0)
    give(f"game {one.game_id}\n{first}")
    assert give(f"game {one.game_id}\n{other}", after=before).outcome == "aged"
    assert give(f"game {one.game_id}\n{first}", after=before).outcome == "repeated"
    assert len(one.moves()) == 1


@pytest.mark.parametrize("facts", [{"after": None}, {"after": 0}])
def test_a_letter_of_unknown_age_moves_nothing(
    installation: Installation, tables: tuple[Table, Table], give: Give, facts: dict[str, object]
) -> None:
    one = tables[0]
    give(f"game {one.game_id}\n{_mover(one)}")
    answer = give(f"game {one.game_id}\npass", **facts)
    assert answer.outcome == "aged"
    assert len(one.moves()) == 1


def test_no_place_at_a_table_of_others(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    answer = give("game 999\ntake fox\nsay all: hi")
    assert [line.status for line in answer.lines] == ["refused", "not tried", "not tried"]
    assert answer.lines[0].code == "other-table"


def test_a_letter_of_one_table_says_nothing_at_another(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    one, two = tables
    facts = {"game_id": one.game_id, "seat": 0, "purpose": "seat", "after": None}
    answer = give(f"game {two.game_id}\nsay all: hello", addressed="seat", **facts)
    assert [line.status for line in answer.lines] == ["refused", "not tried"]
    own = give(f"game {one.game_id}\nstatus", addressed="seat", **facts)
    assert [line.status for line in own.lines] == ["answered", "answered"]


def test_the_same_mail_again_is_answered_as_before(
    installation: Installation, tables: tuple[Table, Table], give: Give
) -> None:
    one = tables[0]
    text = f"game {one.game_id}\n{_mover(one)}"
    assert give(text, message_id="<1@example.net>").outcome == "done"
    assert give(text, message_id="<1@example.net>").outcome == "repeated"
    assert len(one.moves()) == 1
