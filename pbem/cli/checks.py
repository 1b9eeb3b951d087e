"""The doctor's checks, each with one finding."""

import urllib.error
import urllib.request

from sqlalchemy.exc import SQLAlchemyError

from pbem.cli import loop_mails
from pbem.cli.findings import RUNNING, Check, Finding, nobody_serves
from pbem.cli.listening import serves
from pbem.cli.opening import first_line
from pbem.installation import Installation
from pbem.post.signing import signer_of
from pbem.resolver import LookupFailed
from pbem.settings import Settings, SettingsError, unknown_variables
from pbem.store import migrate
from pbem.store.session import is_shared

DNS_SECONDS = 10.0


def check_settings(installation: Installation) -> Finding:
    settings, unknown = installation.settings, unknown_variables()
    said = f"instance folder {settings.instance}, mail domain {settings.mail.domain}"
    if unknown:
        said += f"; no settings, though in the environment: {', '.join(unknown)}"
    return Finding("settings", True, said)


def check_database(installation: Installation) -> Finding:
    try:
        revision, newest = migrate.revision(installation.store), migrate.newest()
    except SQLAlchemyError as error:
        return Finding("database", False, first_line(error))
    if revision != newest:
        return Finding(
            "database", False,
            f"at revision {revision}, this version needs {newest}: run `python -m pbem upgrade`",
        )  # fmt: skip
    if missing := migrate.difference(installation.store):
        return Finding("database", False, f"differs from the models: {missing[0]}")
    return Finding("database", True, f"answers, at revision {revision}")


def check_workers(installation: Installation) -> Finding:
    """Is there anybody to read mail and deliver letters?  On one machine `run` is it."""
    from pbem.store import queue  # what it needs comes with PostgreSQL only

    try:
        found = queue.workers(installation.store.engine, installation.settings.workers)
    except SQLAlchemyError as error:
        return Finding("workers", False, first_line(error))
    if not found:
        return Finding("workers", False, "none is at work: start `python -m pbem run`, or `worker`")
    return Finding("workers", True, f"{found} at work")


def check_pages(installation: Installation) -> Finding:
    web = installation.settings.web
    if not serves(installation.settings):
        return nobody_serves("pages")
    address = f"http://{web.host}:{web.port}/health"
    try:
        with urllib.request.urlopen(address, timeout=5) as answer:
            return Finding("pages", answer.status == 200, f"{address} answers {answer.status}")
    except (urllib.error.URLError, OSError) as error:
        return Finding("pages", False, f"{address} does not answer ({error}). {RUNNING}")


def check_dkim(installation: Installation) -> Finding:
    """Can the world check our signatures?  A letter whose signature fails is worse off than
    one without."""
    try:
        signer = signer_of(installation.settings)
    except SettingsError as error:
        return Finding("dkim", False, str(error))
    assert signer is not None  # asked only where a selector is set

    def lookup(name: str) -> bytes | None:
        return next(iter(installation.resolver.txt(name, DNS_SECONDS)), None)

    where = f"the TXT record {signer.record_name}"
    try:
        published = signer.is_published(lookup)
    except LookupFailed as error:
        return Finding("dkim", False, f"{where} cannot be looked up now ({first_line(error)})")
    if not published:
        return Finding(
            "dkim", False,
            f"{where} does not hold the public key of {installation.settings.dkim.key}: publish "
            "it, or empty dkim.selector and let the relay sign",
        )  # fmt: skip
    return Finding("dkim", True, f"{where} holds our public key")


def checks(settings: Settings) -> dict[str, Check]:
    """The checks of this installation, by the name each finding has: one for every way in
    that is switched on."""
    ways_in: dict[str, tuple[bool, Check]] = {
        "smtp": (settings.mail.smtp, loop_mails.check_smtp),
        "lmtp": (settings.lmtp.enabled, loop_mails.check_lmtp),
        "pipe": (settings.mail.pipe, loop_mails.check_pipe),
        "webhook": (bool(settings.webhook.secret), loop_mails.check_webhook),
        "imap": (settings.imap.enabled, loop_mails.check_imap),
    }
    return {
        "settings": check_settings,
        "database": check_database,
        "pages": check_pages,
        **({"workers": check_workers} if is_shared(settings.database_url) else {}),
        **{name: check for name, (on, check) in ways_in.items() if on},
        **({"dkim": check_dkim} if settings.dkim.selector else {}),
    }
