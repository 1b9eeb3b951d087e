"""The server the stories happen on: three people at a table that runs, at one that has just
begun and at one that is over, somebody who would substitute, and two moderators who play
nowhere."""

import random

from engine.game import legal_moves
from pbem.desk import turns
from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.post.delivery import deliver_due
from pbem.store import Game
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.roles import MODERATOR, OWNER, grant
from pbem.store.rows import id_of
from pbem.store.sittings import open_sitting
from tests.desk.table import Table

SUNDAY, MONDAY, FINISHED = 1, 2, 3
ANN, BO, CY = 0, 1, 2  # their seats at every table
NAMES = ("Ann", "Bo", "Cy")
ROLES = {"Olive": OWNER, "Max": MODERATOR, "Dan": ""}


def build(here: Installation) -> None:
    """At the Sunday club seven turns are done and Bo is to move; all letters have gone."""
    for number, (name, count) in enumerate(
        [("Sunday club", 7), ("Monday club", 1), ("Old salts", 500)], 1
    ):
        table = Table.begun(here, seed=f"story {number}")
        assert table.game_id == number
        _play(here, number, name, count)
    now = here.clock()
    with here.store.work() as session:
        for name, kind in ROLES.items():
            address = f"{name.lower()}@example.net"
            one = find_or_add_person(session, now, name, address, confirmed=True)
            if kind:
                grant(session, now, id_of(one), kind)
                open_sitting(session, now, id_of(one), secret(name))
            else:
                one.substitute_since = now
                session.add(one)
    while deliver_due(here):
        pass


def secret(name: str) -> str:
    """What the browser of a moderator is known by."""
    return f"browser-of-{name}"


def _play(here: Installation, game_id: int, name: str, count: int) -> None:
    chance = random.Random(game_id)
    with here.store.work() as session:
        game = session.get_one(Game, game_id)
        game.name = name
        for _turn in range(count):
            if game.status != "running":
                break
            position = position_now(game)
            seat = position.to_move[0]
            author = Author("web", holders(session, game)[seat].person_id)
            move = chance.choice(legal_moves(position, seat))
            turns.play(session, here.site, here.clock(), author, game, seat, move)
        session.add(game)
