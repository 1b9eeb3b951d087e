"""The demo game: you and two bots, already waiting for your move."""

from pbem.cli.moderator import sign_in_link
from pbem.desk import tables
from pbem.desk.people import find_or_add_person
from pbem.desk.tables import Place
from pbem.installation import Installation
from pbem.jobs.bots import play_bots
from pbem.store.log import Author
from pbem.store.people import person_by_address
from pbem.store.roles import OWNER, grant, powers_of
from pbem.store.rows import id_of

NAME, ADDRESS = "Noah", "noah@example.net"
OWNER_NAME, OWNER_ADDRESS = "Harbourmaster", "harbour@example.net"


def open_demo_game(installation: Installation) -> int:
    """Open and begin it; returns its number."""
    now = installation.clock()
    author = Author("cli")
    with installation.store.work() as session:
        you = find_or_add_person(session, now, NAME, ADDRESS, confirmed=True)
        owner = find_or_add_person(session, now, OWNER_NAME, OWNER_ADDRESS, confirmed=True)
        grant(session, now, id_of(owner), OWNER)
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
            mail_policy="token",  # nobody else is here: no code for a new browser
        )
        tables.begin_as_invited(session, installation.site, now, author, game)
        game_id = id_of(game)
    play_bots(installation, game_id)
    return game_id


def owner_link(installation: Installation) -> str | None:
    """A link that signs the demo's owner in; None where there is no such person."""
    with installation.store.read() as session:
        owner = person_by_address(session, OWNER_ADDRESS)
        if owner is None or powers_of(session, id_of(owner)) is None:
            return None
    return sign_in_link(installation, OWNER_ADDRESS)
