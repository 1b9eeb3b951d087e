"""The harbour's finished game, as the archive has it."""

from pbem.archive.filing import file_all
from pbem.store import Game
from tests.web.harbour import FINISHED, Harbour


def change(harbour: Harbour, **values: object) -> None:
    """Change the finished game, and let the archive know."""
    with harbour.installation.store.work() as session:
        game = session.get_one(Game, FINISHED)
        for name, value in values.items():
            setattr(game, name, value)
        session.add(game)
    file_all(harbour.installation.store)


def turn_seqs(harbour: Harbour) -> list[int]:
    """The events of its turns."""
    with harbour.installation.store.read() as session:
        rows = session.connection().exec_driver_sql(
            "SELECT seq FROM event WHERE game_id = 1 AND kind = 'turn' ORDER BY seq"
        )
        return list(rows.scalars())
