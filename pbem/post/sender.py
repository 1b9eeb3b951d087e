"""Handing letters to the relay, in a thread of its own: it leaves us waiting for most of the
time, in which the next letters are claimed and written."""

from dataclasses import dataclass
from queue import SimpleQueue
from threading import Event, Thread
from types import TracebackType

from pbem.installation import Installation
from pbem.letters.render import Rendered
from pbem.post.addresses import return_path
from pbem.post.claiming import Claimed
from pbem.post.journal import Journal
from pbem.post.recording import Attempt
from pbem.post.smtp_client import Relay, SmtpOutcome
from pbem.store.rows import id_of


@dataclass(frozen=True)
class Written:
    """A letter under way: what it says and its bytes, or why it could not be written."""

    claimed: Claimed
    rendered: Rendered | None
    mail: bytes | SmtpOutcome


class Sender:
    """Sends what it is given, one after the other over one connection; those after one that
    the relay could not be reached for, not.  What comes out stands in the same order."""

    def __init__(self, installation: Installation, relay: Relay) -> None:
        self._installation, self._relay = installation, relay
        self._journal = Journal(installation.settings.instance)
        self._letters: SimpleQueue[Written | None] = SimpleQueue()
        self._attempts: SimpleQueue[Attempt | BaseException] = SimpleQueue()
        self._stopped = Event()
        self._thread = Thread(target=self._run, name="ark-sender")

    def __enter__(self) -> "Sender":
        self._journal.begin()
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped.set()  # nothing more goes out that nobody would record
        self._letters.put(None)
        self._thread.join()
        self._relay.close()
        self._journal.close()

    def send(self, letter: Written) -> None:
        self._letters.put(letter)

    def attempt(self) -> Attempt:
        """How the next letter of those that were given fared; waits for it."""
        found = self._attempts.get()
        if isinstance(found, BaseException):
            raise found
        return found

    def _run(self) -> None:
        down = False
        try:
            while (letter := self._letters.get()) is not None and not self._stopped.is_set():
                attempt = Attempt(letter.claimed, None) if down else self._tried(letter)
                down = down or (attempt.outcome is not None and attempt.outcome.relay_down)
                self._attempts.put(attempt)
        except BaseException as error:  # noqa: BLE001 - raised where it can be dealt with
            self._attempts.put(error)

    def _tried(self, letter: Written) -> Attempt:
        if isinstance(letter.mail, SmtpOutcome):
            return Attempt(letter.claimed, letter.mail)
        settings, row = self._installation.settings, letter.claimed.letter
        if settings.post.transport == "postroom":
            outcome = SmtpOutcome("sent", "kept for the post room")
        else:
            sender = return_path(self._installation.keys, settings.mail.domain, id_of(row))
            outcome = self._relay.send(sender, row.to_address, letter.mail)
            if outcome.state == "sent":
                self._journal.taken(row.message_id)
        return Attempt(letter.claimed, outcome, letter.rendered)
