"""An installation on PostgreSQL, as its operator meets it."""

import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text as sql
from sqlmodel import select

from pbem.app import create_app
from pbem.cli import main
from pbem.desk import Order
from pbem.installation import Installation, open_installation
from pbem.jobs import driver_of
from pbem.settings import Settings
from pbem.store import Game, Letter, Person, Store, migrate
from pbem.store.log import Author
from pbem.store.people import holders
from pbem.store.queue import workers
from pbem.web import EXTENSION
from tests.conftest import HandClock
from tests.desk.table import Table, written
from tests.e2e.server import wait_until
from tests.ports import free_port
from tests.services.postgresql import Postgresql


class Undone(Exception):
    """A unit of work that does not come to its end."""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def workers_of(installation: Installation) -> int:
    return workers(installation.store.engine, installation.settings.workers)


def _letters_waiting(installation: Installation) -> bool:
    with installation.store.read() as session:
        return session.exec(select(Letter.id).where(Letter.state == "queued")).first() is not None


def test_an_empty_database_is_filled_once_by_machines_that_start_at_once(
    postgresql: Postgresql,
) -> None:
    url = postgresql.bare()
    stores = [Store(url) for _ in range(3)]
    failed: list[BaseException] = []

    def upgrade(store: Store) -> None:
        try:
            migrate.upgrade(store)
        except BaseException as error:  # noqa: BLE001 - handed to the test
            failed.append(error)

    threads = [threading.Thread(target=upgrade, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert migrate.revision(stores[0]) == migrate.newest()
    assert migrate.difference(stores[0]) == []
    for store in stores:
        store.close()
    postgresql.drop(url)


def test_the_doctor_knows_the_database_and_who_is_at_work(installation: Installation) -> None:
    told = run("doctor").output
    assert f"ok   database: answers, at revision {migrate.newest()}" in told
    assert "FAIL workers: none is at work" in told
    driver = driver_of(installation)
    driver.start()
    try:
        wait_until(lambda: workers_of(installation) == 1, "the worker to begin")
        assert "ok   workers: 1 at work" in run("doctor").output
    finally:
        driver.stop()


def test_a_worker_comes_back_with_its_database(
    postgresql: Postgresql, installation: Installation
) -> None:
    """Every connection is cut, as when the database is started anew."""
    driver = driver_of(installation)
    driver.start()
    try:
        wait_until(lambda: workers_of(installation) == 1, "the worker to begin")
        postgresql.do(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            f" WHERE datname = '{installation.store.engine.url.database}'"
        )
        game_id = Table.begun(installation).game_id
        with installation.store.read() as session:
            assert session.get_one(Game, game_id).status == "running"
        wait_until(lambda: not _letters_waiting(installation), "the letters to be delivered")
    finally:
        driver.stop()


def test_a_backup_is_postgresqls_own_affair(installation: Installation, tmp_path: Path) -> None:
    done = run("backup", str(tmp_path / "backup.tar.gz"))
    assert done.exit_code == 1
    assert "pg_dump" in done.output


@pytest.mark.parametrize("command", ["doctor", "upgrade", "worker"])
def test_the_password_of_the_database_is_never_shown(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    nowhere = f"postgresql://ark:secret-password@127.0.0.1:{free_port()}/ark"
    monkeypatch.setenv("ARK_DATABASE", nowhere)
    done = run(command)
    assert done.exit_code == 1
    assert "secret-password" not in done.output + repr(done.exception)
    assert "Traceback" not in done.output


@pytest.mark.parametrize(
    "url", ["", "mysql://ark:secret-password@db/ark", "postgresql//ark:secret-password@db"]
)
def test_a_worker_needs_postgresql(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setenv("ARK_DATABASE", url)
    done = run("worker")
    assert done.exit_code == 2
    assert done.output.startswith("ark: setting database: ")
    assert "secret-password" not in done.output


def test_a_nul_is_nobodys_trouble(installation: Installation, clock: HandClock) -> None:
    with installation.store.work() as session:
        session.add(Person(name="A\0nn", created_at=clock()))
    with installation.store.read() as session:
        assert session.exec(select(Person.name)).all() == ["A\ufffdnn"]


def test_letters_and_the_job_that_delivers_them_are_written_together(
    installation: Installation,
) -> None:
    def jobs() -> int:
        query = sql("SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'post'")
        with installation.store.read() as session:
            return int(session.connection().execute(query).scalar_one())

    table = Table.begun(installation)
    before = jobs()
    with installation.store.read() as session:
        ann = holders(session, session.get_one(Game, table.game_id))[0].person_id
    text = written(table.view(0).legal()[0])
    turn = Order(text, Author("web", ann), game_id=table.game_id, seat=0)
    with pytest.raises(Undone), installation.store.work() as session:  # noqa: PT012 - its rollback
        assert installation.desk.take_order(session, turn).outcome == "done"
        raise Undone
    assert (jobs(), table.game().decision) == (before, 0)
    with installation.store.work() as session:
        assert installation.desk.take_order(session, turn).outcome == "done"
    assert (jobs(), table.game().decision) == (before + 1, 1)


def test_pages_of_any_wsgi_server_put_their_work_into_the_queue(settings: Settings) -> None:
    """`create_app()` starts nothing; what there is to do is done elsewhere."""
    app = create_app()
    assert app.test_client().get("/").status_code == 200
    app.extensions[EXTENSION].close()
    opened = open_installation(settings)
    opened.nudge()
    opened.nudge()
    with opened.store.read() as session:
        names = session.connection().execute(
            sql("SELECT task_name FROM procrastinate_jobs ORDER BY 1")
        )
        assert list(names.scalars()) == ["bots", "inbox"]
    opened.close()
