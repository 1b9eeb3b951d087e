"""The secrets a letter carries: its reply address and the link to the reader's page.

They are made known to the database when the letter is queued and computed anew when it
is rendered; the row of the letter holds none."""

from collections.abc import Mapping
from typing import Any, Protocol

from pbem.store.tokens import Bearer


class Addressed(Protocol):
    """A letter, or the draft of one, as far as its secrets depend on it."""

    @property
    def kind(self) -> str: ...
    @property
    def person_id(self) -> int | None: ...
    @property
    def game_id(self) -> int | None: ...
    @property
    def seat(self) -> int | None: ...
    @property
    def decision(self) -> int | None: ...
    @property
    def context(self) -> Mapping[str, Any]: ...
    @property
    def generation(self) -> int: ...
    @property
    def page_generation(self) -> int: ...


ACTS = {"address-confirm": "address", "address-changed": "undo"}
"""Letters to an address that is not, or not any more, the one a person is written to, and
what answering them is for."""


def reply_bearer(letter: Addressed) -> Bearer | None:
    """Whom an answer to this letter comes from; None: the server's own address will do."""
    if letter.kind == "confirm" and letter.context.get("pending") is not None:
        return Bearer(
            "confirm",
            person_id=letter.person_id,
            game_id=letter.game_id,
            seat=letter.seat,
            decision=letter.decision,
            generation=letter.context["pending"],
        )
    if letter.kind in ACTS:  # of one change of address; nothing else can be done with it
        return Bearer(
            ACTS[letter.kind], letter.person_id, generation=letter.context.get("change", 0)
        )
    if letter.game_id is not None and letter.seat is not None:
        return Bearer(
            "seat",
            person_id=letter.person_id,
            game_id=letter.game_id,
            seat=letter.seat,
            decision=letter.decision,
            generation=letter.generation,
        )
    invitation_id = letter.context.get("invitation")
    if invitation_id is not None:
        return Bearer(
            "invitation",
            person_id=letter.person_id,
            game_id=letter.game_id,
            invitation_id=invitation_id,
            generation=letter.generation,
        )
    if letter.person_id is None:
        return None
    return Bearer(
        "person",
        person_id=letter.person_id,
        decision=letter.decision,  # the newest event of all tables when it was written
        generation=letter.generation,
    )


def link_bearer(letter: Addressed) -> Bearer | None:
    """What else the letter links to: the sign-in of a moderator."""
    if letter.kind != "sign-in":
        return None
    return Bearer("sign-in", person_id=letter.person_id, generation=letter.context["link"])


def page_bearer(letter: Addressed) -> Bearer | None:
    """Whose page the letter links to; none in one to an address that is not the main one."""
    if letter.person_id is None or letter.kind in ACTS:
        return None
    return Bearer("page", person_id=letter.person_id, generation=letter.page_generation)


UNSUBSCRIBED_FROM = {
    "reminder": "reminders",
    "reminders": "reminders",
    "what-happened": "news",
    "pets-chosen": "news",
    "end-phase": "news",
    "digest": "news",
    "message": "talk",
}
"""Letters that may be ended by one click (RFC 8058), and what it ends: never those that ask
for a turn or answer a mail."""


def unsubscribe_bearer(letter: Addressed) -> Bearer | None:
    """Whose letters of this kind one click ends."""
    if letter.person_id is None or letter.kind not in UNSUBSCRIBED_FROM:
        return None
    return Bearer("unsubscribe", person_id=letter.person_id, generation=letter.page_generation)


def bearers_of(letter: Addressed) -> list[Bearer]:
    """All that a letter's secrets stand for, to be made known when it is queued."""
    found = (reply_bearer(letter), page_bearer(letter), unsubscribe_bearer(letter))
    return [one for one in found if one is not None]
