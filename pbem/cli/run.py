"""`run`: the server."""

import sys
from contextlib import ExitStack
from pathlib import Path

import click
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import select

from pbem import logs
from pbem.app import create_app
from pbem.cli.demo import open_demo_game, owner_link
from pbem.cli.ending import told_to_end
from pbem.cli.listening import NOTED
from pbem.cli.opening import unanswered
from pbem.installation import Installation, open_installation
from pbem.intake.imap import ImapReader
from pbem.intake.readers import read_soon
from pbem.intake.smtp import SmtpServer
from pbem.jobs import driver_of
from pbem.jobs.embedded import AlreadyRunning, Lock
from pbem.settings import Settings, instance_folder, load_settings, unknown_variables
from pbem.store import Game, migrate
from pbem.web.server import WebServer, WebSocket


@click.command()
@click.option("--demo", is_flag=True, help="With a post room and a game to play at once.")
def run(demo: bool) -> None:
    """Serve: mail, pages, post and clock, until Ctrl-C."""
    settings = _settings(demo)
    for unknown in unknown_variables():
        click.echo(f"{unknown} is no setting: it changes nothing (ARK_WEB__PORT is one)", err=True)
    logs.configure(settings.log_level, settings.log_format)
    with ExitStack() as stack:
        end = told_to_end(stack)
        try:
            _start(settings, demo, stack)
        except (AlreadyRunning, OSError) as error:
            raise click.ClickException(str(error)) from None
        except SQLAlchemyError as error:
            raise click.ClickException(unanswered(error)) from None
        end.recv(1)
        click.echo("Stopping …")


def _start(settings: Settings, demo: bool, stack: ExitStack) -> None:
    settings.instance.mkdir(parents=True, exist_ok=True)
    lock = Lock(settings.instance)
    lock.acquire()
    stack.callback(lock.release)
    web_socket = WebSocket(settings.web)
    stack.callback(web_socket.close)
    settings = _with_port(settings, web_socket.port)  # letters link to the real one
    installation = open_installation(settings)
    stack.callback(installation.close)
    smtp = SmtpServer(installation, on_mail=installation.nudge)  # or a bad certificate ends it
    migrate.upgrade(installation.store)
    if demo and not _any_game(installation):
        open_demo_game(installation)
    read_soon()
    jobs = driver_of(installation)
    installation.nudge.listen(jobs.ring)
    smtp.start()
    stack.callback(smtp.stop)
    web = WebServer(create_app(installation), settings.web, web_socket)
    web.start()
    stack.callback(web.stop)
    jobs.start()
    stack.callback(jobs.stop)
    if settings.imap.enabled:
        mailbox = ImapReader(installation, on_mail=installation.nudge)
        mailbox.start()
        stack.callback(mailbox.stop)
    _print_addresses(settings, smtp, owner_link(installation) if demo else None)


def _with_port(settings: Settings, port: int) -> Settings:
    web = settings.web.model_copy(update={"port": port})
    return settings.model_copy(update={"web": web})


def _settings(demo: bool) -> Settings:
    """`--demo` switches the post room on; an operator's own settings file decides itself."""
    if demo and not (instance_folder() / "settings.toml").exists():
        return load_settings(
            web={"postroom": True},
            post={"transport": "postroom"},
            mail={"readers": 0},  # whoever tries it out wants his first answer at once
        )
    return load_settings()


def _any_game(installation: Installation) -> bool:
    with installation.store.read() as session:
        return session.exec(select(Game.id).limit(1)).first() is not None


def _print_addresses(settings: Settings, smtp: SmtpServer, sign_in: str | None) -> None:
    """Where everything is, on the terminal and in `addresses.txt` of the instance; a link
    that signs its moderator in (once) on the terminal only."""
    base = f"http://{settings.web.host}:{settings.web.port}"
    lines = [f"Web: {base}", *smtp.addresses()]
    if settings.web.postroom:
        lines.append(f"Post room: {base}/postroom")
    text = "\n".join(lines) + "\n"
    click.echo(text if sign_in is None else f"{text}Moderator: {sign_in}\n", nl=False)
    sys.stdout.flush()
    Path(settings.instance, NOTED).write_text(text, encoding="utf-8")
