"""The demo game: you and two bots, already waiting for your move."""

from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.jobs.bots import play_bots
from pbem.store.log import Author

NAME, ADDRESS = "Noah", "noah@example.net"


def open_demo_game(installation: Installation) -> int:
    """Open and begin it; returns its number."""
    now = installation.clock()
    author = Author("cli")
    with installation.store.work() as session:
        you = find_or_add_person(session, now, NAME, ADDRESS, confirmed=True)
        game = tables.open_table(
            session,
            installation.site,
            now,
            installation.entropy,
            author,
            name="Demo",
            places=[Place(you.id), Place(bot="greedy"), Place(bot="random")],
            organiser_id=you.id,
            announced=False,
        )
        for one in tables.invitations(session, game):
            one.state = "accepted"
        tables.begin(session, installation.site, now, author, game, draw_seats=False)
        game_id = game.id
    assert game_id is not None
    play_bots(installation, game_id)
    return game_id
