"""What a mailed turn asks of the database: the thread that settles mails does little else."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from engine.game import legal_moves
from engine.moves import notation
from pbem.installation import Installation
from pbem.intake.handling import carry_out, read_mail
from pbem.store import Game, Mail
from pbem.store.people import address_of, holders
from pbem.store.positions import position_now
from pbem.store.tokens import Bearer
from tests.desk.table import Table
from tests.intake.mails import deposit, stored, written

MOST = 34  # statements; 33 while earlier letters have not gone out
TURNS = 8


def test_a_mailed_turn_takes_few_statements(installation: Installation) -> None:
    table = Table.begun(installation, players=4)
    for _ in range(TURNS):
        number = mail_with_a_turn(table)
        understood = read_mail(installation, number)
        with installation.store.work() as session, statements(installation) as said:
            carry_out(
                installation, session, session.get_one(Mail, number),
                understood.message, understood.identity, ahead=understood.ahead,
            )  # fmt: skip
            session.flush()
        receipt = stored(installation, number).receipt
        assert receipt is not None
        assert receipt["answer"]["outcome"] == "done"
        assert len(said) <= MOST, "\n".join(said)


def mail_with_a_turn(table: Table) -> int:
    """A mail by whoever is to move, with a legal turn; its number."""
    here = table.installation
    with here.store.read() as session:
        game = session.get_one(Game, table.game_id)
        position = position_now(game)
        seat = position.to_move[0]
        text = notation(legal_moves(position, seat)[0]).replace(" + ", "\n")
        holder = holders(session, game)[seat]
        assert holder.person_id is not None
        address = address_of(session, holder.person_id)
        assert address is not None
        bearer = Bearer("seat", holder.person_id, game.id, seat, decision=game.decision)
        to, sender = here.site.reply_address(here.keys.token(bearer)), address.address
    return deposit(here, written(text, sender=sender), to)


@contextmanager
def statements(installation: Installation) -> Iterator[list[str]]:
    """All that is said to the database meanwhile."""
    said: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        said.append(statement)

    event.listen(installation.store.engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(installation.store.engine, "before_cursor_execute", note)
