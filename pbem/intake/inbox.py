"""The worker of the inbox: mails are read side by side, and settled many in one commit.

A mail is read first (`readers`), which changes nothing, and settled afterwards in a unit of
work that also writes its answer and marks it done, so a crash at any moment does it wholly
or not at all.  Mails of one seat, person or sender wait for each other (`lanes`), so
they are dealt with in the order they came.

What goes wrong with a mail is counted *before* it is tried: one that kills its reader, or
the server, three times is put aside (`quarantined`) and never holds up the next.  Mails
that were under way when the server died are tried one at a time, so that only the guilty
one is blamed again.
"""

import logging
from collections.abc import Collection, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session, SQLModel, col

from pbem import logs
from pbem.installation import Installation
from pbem.intake.handling import Understood, carry_out
from pbem.intake.lanes import HEAD, Lane, Waiting, lanes_of
from pbem.intake.readers import Myself, Readers
from pbem.store import Event, Mail
from pbem.store.session import Group
from pbem.store.trouble import is_the_databases_own

log = logging.getLogger(__name__)

MAX_ATTEMPTS = 3
WINDOW = 64  # mails that are looked at, and being read, at a time
LARGEST_GROUP = 24  # mails settled in one commit: others wait for it to write
LINGER = 0.02  # seconds for which one mail that was read waits for more, to share a commit
DIED = "the server ended while this mail was tried"

_MAIL = SQLModel.metadata.tables["mail"]
_WAITING = (
    select(
        _MAIL.c.id, _MAIL.c.envelope_from, _MAIL.c.envelope_to,
        func.substr(_MAIL.c.raw, 1, HEAD), _MAIL.c.attempts, _MAIL.c.error,
    )
    .where(_MAIL.c.state == "new")
    .order_by(_MAIL.c.id)
)  # fmt: skip
_TRY = (
    update(_MAIL)
    .where(_MAIL.c.id == bindparam("mail"))
    .values(attempts=_MAIL.c.attempts + 1, error=None)
)
_GIVE_BACK = (
    update(_MAIL)
    .where(_MAIL.c.id == bindparam("mail"), _MAIL.c.state == "new")
    .values(attempts=_MAIL.c.attempts - 1)
)
_NOTE = update(_MAIL).where(_MAIL.c.id == bindparam("mail")).values(error=bindparam("why"))


@dataclass(frozen=True)
class _Tried:
    """A mail whose attempt was counted, and that is being read."""

    mail_id: int
    lanes: frozenset[Lane]
    understood: "Future[Understood]"


class Inbox:
    """The worker.  All of its methods belong to one thread."""

    def __init__(
        self, installation: Installation, readers: Readers | None = None, window: int = WINDOW
    ) -> None:
        self._installation = installation
        self._readers = Myself(installation) if readers is None else readers
        self._window = window
        self._tried: dict[int, _Tried] = {}

    def work(self) -> int:
        """One round: try what waits, settle what was read; how many mails are dealt with.
        Trouble with one mail is noted in its row; only the database's own is raised."""
        try:
            aside = self._try_more()
            return aside + self._settle(self._read())
        except BaseException as error:
            tried, self._tried = self._tried, {}  # they are new mails as before
            if is_the_databases_own(error):
                self._give_back(tried)
            raise

    @property
    def is_busy(self) -> bool:
        """Whether mails are being read; they are settled in one of the next rounds."""
        return bool(self._tried)

    def rest(self) -> None:
        """Nothing has come for a while."""
        self._readers.rest()

    def close(self) -> None:
        """Leave what is being read to the next start, as if it had not been tried."""
        tried, self._tried = self._tried, {}
        self._readers.close()
        self._give_back(tried)

    def _try_more(self) -> int:
        """Count the attempts of mails that may be read now, and have them read.  Returns
        how many were put aside, having had all of theirs."""
        if len(self._tried) > self._window // 2:
            return 0
        with self._installation.store.read() as session:
            free = self._free(session)
        if not free:
            return 0
        spent = [mail for mail, _ in free if mail.attempts >= MAX_ATTEMPTS]
        due = [(mail, lanes) for mail, lanes in free if mail.attempts < MAX_ATTEMPTS]
        with self._installation.store.work() as session:
            for mail in spent:
                self._quarantine(session, mail)
            if due:
                session.connection().execute(_TRY, [{"mail": mail.mail_id} for mail, _ in due])
        for mail, lanes in due:
            number = mail.mail_id
            self._tried[number] = _Tried(number, lanes, self._readers.read(number))
        return len(spent)

    def _free(self, session: Session) -> list[tuple[Waiting, frozenset[Lane]]]:
        """The next mails, oldest first, none of which has to wait for another one."""
        rows = session.connection().execute(_WAITING.limit(self._window + len(self._tried)))
        mails = [Waiting(*row) for row in rows if row[0] not in self._tried]
        suspect = next((mail for mail in mails if mail.is_suspect), None)
        if suspect is not None:  # alone, and before all others
            mails = [] if self._tried else [suspect]
        lanes = lanes_of(session, self._installation.settings, mails) if mails else {}
        taken = {lane for tried in self._tried.values() for lane in tried.lanes}
        free = []
        for mail in mails[: self._window]:
            own = lanes[mail.mail_id]
            if taken.isdisjoint(own):
                free.append((mail, own))
            taken |= own
        return free

    def _quarantine(self, session: Session, mail: Waiting) -> None:
        row = session.get_one(Mail, mail.mail_id)
        row.state, row.error = "quarantined", mail.error or DIED
        row.handled_at = self._installation.clock()
        session.add(row)
        log.error("mail %d was put into quarantine: %s", mail.mail_id, row.error)

    def _give_back(self, mail_ids: Collection[int]) -> None:
        """A locked database or a full disk condemns no mail."""
        if mail_ids:
            with suppress(SQLAlchemyError), self._installation.store.work() as session:
                session.connection().execute(_GIVE_BACK, [{"mail": one} for one in mail_ids])

    def _read(self) -> Sequence[_Tried]:
        """Wait until some mails were read: those, oldest first."""
        futures = [one.understood for one in self._tried.values()]
        if not wait(futures, LINGER * 5, FIRST_COMPLETED).done:
            return ()
        if len(futures) > 1:
            wait(futures, LINGER)
        read = [one for _, one in sorted(self._tried.items()) if one.understood.done()]
        return read[:LARGEST_GROUP]

    def _settle(self, read: Sequence[_Tried]) -> int:
        """Settle mails that were read, in one commit; what fails is undone alone.  PostgreSQL
        waits for the disk once for many connections: there each mail is committed by itself,
        so that others wait for one at most, and for none where it is a turn at another table."""
        store = self._installation.store
        together = [read] if store.is_sqlite else [[one] for one in read]
        for some in filter(None, together):
            with store.group(_only_table(some)) as group:
                for one in some:
                    self._settle_one(group, one)
        for one in read:
            del self._tried[one.mail_id]
        return len(read)

    def _settle_one(self, group: Group, tried: _Tried) -> None:
        with logs.about(trace=logs.trace_of(tried.mail_id), mail=tried.mail_id):
            self._settle_as_read(group, tried)

    def _settle_as_read(self, group: Group, tried: _Tried) -> None:
        try:
            understood = tried.understood.result()
            with group.work() as session:
                row = session.get_one(Mail, tried.mail_id)
                if row.state == "new":  # else somebody else was faster
                    carry_out(
                        self._installation, session, row,
                        understood.message, understood.identity, ahead=understood.ahead,
                    )  # fmt: skip
                if log.isEnabledFor(logging.INFO):
                    _tell(session, row)
        except Exception as error:  # the next mail must not wait for this one
            if is_the_databases_own(error):
                raise
            log.exception("mail %d could not be dealt with", tried.mail_id)
            why = f"{type(error).__name__}: {error}"[:1000]
            group.connection.execute(_NOTE, {"mail": tried.mail_id, "why": why})


def _only_table(mails: Sequence[_Tried]) -> int | None:
    """The table of a mail that is settled by itself and writes to nothing else."""
    try:
        return mails[0].understood.result().only_table if len(mails) == 1 else None
    except Exception:  # noqa: BLE001 - told when it is settled
        return None


def _tell(session: Session, mail: Mail) -> None:
    """Say in the log what became of a mail, and which events it made."""
    session.flush()
    made = session.scalars(select(col(Event.seq)).where(col(Event.mail_id) == mail.id)).all()
    with logs.about(game=mail.game_id, seat=mail.seat, events=list(made) or None):
        log.info("mail %d is %s", mail.id, mail.state)


def process_next(installation: Installation) -> bool:
    """Deal with the oldest new mail in this thread; False when there is none."""
    return Inbox(installation, window=1).work() > 0


def drain(installation: Installation) -> int:
    """Deal with all new mails in this thread; how many times one was tried or put aside."""
    inbox, count = Inbox(installation), 0
    while done := inbox.work():
        count += done
    return count
