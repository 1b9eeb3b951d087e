"""A search finds what looking through everything would find, page by page."""

from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from sqlmodel import Session, col, select

from engine.record import read
from pbem.archive.filing import file_all
from pbem.archive.moments import Moment
from pbem.archive.search import Wanted, search
from pbem.installation import Installation
from pbem.store import Category, DriveOut, FinishedGame, FinishedSeat, Profile
from pbem.store.rows import id_of
from tests.archive.games import dealt_here, people, played, record_lines
from tests.conftest import START
from tests.examples import examples


@pytest.fixture
def archive(installation: Installation) -> Installation:
    """Games of three sizes on a few days, two of them at the same instant, one for members
    only; Ann plays in some, and is known as Captain Nemo."""
    with installation.store.work() as session:
        ann, bo = people(session, "Ann Bo", START)
        games = [*record_lines()[:9], played("search one"), played("search two", 4)]
        for number, record in enumerate(games):
            count = read(record)[0].players
            seated = [ann if number % 2 else None, bo, *[None] * (count - 2)]
            dealt_here(
                session, record, seated, START + timedelta(days=number // 2),
                archive="members" if number == 4 else "open" if number % 3 else "names-hidden",
            )  # fmt: skip
        session.add(
            Profile(
                person_id=id_of(ann),
                name="Captain Nemo",
                name_key="captain nemo",
                public=True,
                created_at=START,
            )
        )
    file_all(installation.store)
    return installation


def by_hand(session: Session, wanted: Wanted) -> list[Moment]:
    """Looking through every game."""
    found = []
    query = select(FinishedGame, Category).join(
        Category, col(Category.id) == col(FinishedGame.category_id)
    )
    for game, category in session.exec(query):
        seats = session.exec(select(FinishedSeat).where(FinishedSeat.game_id == game.game_id)).all()
        outs = session.exec(select(DriveOut).where(DriveOut.game_id == game.game_id)).all()
        day = game.finished_at.date()
        # Ann is known by her pseudonym, and by that alone.
        names = {"captain nemo" if seat.person_id == 1 else seat.name_key for seat in seats}
        fits = (
            game.listed
            and all(getattr(category, name) == value for name, value in wanted.of_category.items())
            and (wanted.since is None or day >= wanted.since)
            and (wanted.until is None or day <= wanted.until)
            and (wanted.player is None or wanted.player.lower() in names)
            and (
                (wanted.driver is None and wanted.victim is None)
                or any(
                    wanted.driver in (None, one.driver) and wanted.victim in (None, one.victim)
                    for one in outs
                )
            )
        )
        if fits:
            found.append((game.finished_at, game.game_id))
    return sorted(found, reverse=True)


def maybe(*values: object) -> st.SearchStrategy[object]:
    return st.sampled_from([None, *values])


WANTED = st.builds(
    Wanted,
    player=maybe("Bo", "Captain Nemo", "ANN", "nobody"),
    since=maybe(START.date(), START.date() + timedelta(days=2)),
    until=maybe(START.date() + timedelta(days=1), date.max),
    deck=maybe("house", "other"),
    players=maybe(3, 4, 5),
    length=maybe("short", "medium"),
    result=maybe("clear", "close"),
    driver=maybe("skunk", "mosquito", "spider"),
    victim=maybe("pig", "deer", "chimpanzee"),
)


@examples(40, HealthCheck.function_scoped_fixture)
@given(wanted=WANTED, size=st.integers(1, 4))
def test_pages_hold_what_is_there(archive: Installation, wanted: Wanted, size: int) -> None:
    with archive.store.read() as session:
        expected = by_hand(session, wanted)
        found: list[Moment] = []
        page = search(session, wanted, size=size)
        assert page.newer is None
        while True:
            found += page.moments
            if page.older is None:
                break
            page = search(session, wanted, older_than=page.older, size=size)
        assert found == expected
        back = list(page.moments)
        while page.newer is not None:
            page = search(session, wanted, newer_than=page.newer, size=size)
            back = [*page.moments, *back]
        assert back == expected


def test_a_hidden_name_finds_nothing_but_by_its_owners_wish(archive: Installation) -> None:
    with archive.store.work() as session:
        hidden = {
            game.game_id
            for game in session.exec(select(FinishedGame))
            if game.game_id % 3 == 1  # names-hidden, as they were dealt in order
        }
        found = {number for _, number in search(session, Wanted(player="bo")).moments}
        assert found
        assert not found & hidden
        assert {n for _, n in search(session, Wanted(player="captain nemo")).moments} & hidden
        session.exec(select(Profile)).one().public = False
        session.flush()
        assert not search(session, Wanted(player="captain nemo")).moments
