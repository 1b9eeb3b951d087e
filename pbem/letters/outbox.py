"""Letters on their way into the outbox: drafted one by one, put in together.

A turn causes a letter for nearly everybody at the table.  They are written by a few
statements for all of them (SQLAlchemy Core), not row by row.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlmodel import Session, SQLModel

from pbem.letters.bearers import Addressed, bearers_of
from pbem.letters.site import Site
from pbem.store import Game, Letter
from pbem.store.tokens import issue_all

_TABLES = SQLModel.metadata.tables
_LETTER, _PERSON = _TABLES["letter"], _TABLES["person"]
_SEAT, _TENURE = _TABLES["seat"], _TABLES["tenure"]
_NEWEST_EVENT = select(func.max(_TABLES["event"].c.id))
_INSERT = insert(_LETTER).returning(_LETTER.c.message_id, _LETTER.c.id)
_USED = select(_LETTER.c.once).where(_LETTER.c.once.in_(bindparam("keys", expanding=True)))
_NAME = (
    update(_LETTER).where(_LETTER.c.id == bindparam("number")).values(message_id=bindparam("name"))
)


@dataclass(frozen=True)
class Draft:
    """A letter that has no row yet.  `context` holds only what cannot be worked out again:
    no token, nothing of another player's hand."""

    kind: str  # a folder of mail_templates/
    to_address: str
    person_id: int | None = None
    game_id: int | None = None
    seat: int | None = None
    seq: int | None = None  # the event after which the table is shown
    decision: int | None = None
    context: Mapping[str, Any] = field(default_factory=dict)
    in_reply_to: str | None = None
    references: str = ""
    answers_mail_id: int | None = None
    once: str | None = None
    generation: int = 0  # of its reply address
    page_generation: int = 0  # of the link to its reader's page


def drafted(
    kind: str,
    to_address: str,
    *,
    game: Game | None = None,
    seq: int | None = None,
    **details: Any,
) -> Draft:
    """A draft about a table as it is now (`seq`: as it was then)."""
    if game is not None:
        details |= {"game_id": game.id, "decision": game.decision}
        seq = game.seq if seq is None else seq
    return Draft(kind, to_address, seq=seq, **details)


def put(session: Session, site: Site, now: datetime, drafts: Sequence[Draft]) -> list[int | None]:
    """Give every draft its row, its Message-ID and its tokens; the numbers of the rows.
    None for one whose key `once` was used before."""
    session.flush()  # what the letters are about comes first
    used = _used_keys(session, [draft.once for draft in drafts if draft.once is not None])
    fresh = [draft.once not in used for draft in drafts]
    new = [draft for draft, is_fresh in zip(drafts, fresh, strict=True) if is_fresh]
    if not new:
        return [None] * len(drafts)
    connection = session.connection()
    new = _dated(connection, new)
    new = [
        replace(draft, generation=own, page_generation=page)
        for draft, (own, page) in zip(new, _generations(connection, new), strict=True)
    ]
    numbers = _inserted(connection, [_row(draft, now) for draft in new])
    names = [
        {"number": number, "name": _message_id(site, number, draft, now)}
        for number, draft in zip(numbers, new, strict=True)
    ]
    connection.execute(_NAME, names)
    bearers = [bearer for draft in new for bearer in bearers_of(draft)]
    issue_all(session, site.keys, bearers, now)
    site.ring(session, numbers)
    left = iter(numbers)
    return [next(left) if is_fresh else None for is_fresh in fresh]


def _inserted(connection: Connection, rows: Sequence[dict[str, Any]]) -> list[int]:
    """Write the rows by one statement; their numbers, in the same order.  No database
    promises to return rows in their order, so each carries its place until it has a name."""
    placed = [row | {"message_id": str(place)} for place, row in enumerate(rows)]
    returned = connection.execute(_INSERT, placed)
    numbers: dict[str, int] = {row.message_id: row.id for row in returned}
    return [numbers[row["message_id"]] for row in placed]


def _dated(connection: Connection, drafts: Sequence[Draft]) -> list[Draft]:
    """A letter that is of no table is of the newest event of all: an answer to it can tell
    which turn of which table its reader saw (commands.md 1.9)."""
    if all(draft.game_id is not None for draft in drafts):
        return list(drafts)
    newest = connection.execute(_NEWEST_EVENT).scalar()
    return [
        draft if draft.game_id is not None else replace(draft, decision=newest) for draft in drafts
    ]


def renew_tokens(session: Session, site: Site, letter: Letter, now: datetime) -> None:
    """Give a letter that has not gone yet the present secrets of its reader."""
    session.flush()
    [(letter.generation, letter.page_generation)] = _generations(session.connection(), [letter])
    session.add(letter)
    issue_all(session, site.keys, bearers_of(letter), now)


def _used_keys(session: Session, keys: Collection[str]) -> set[str]:
    if not keys:
        return set()
    return set(session.connection().execute(_USED, {"keys": list(keys)}).scalars())


def _row(draft: Draft, now: datetime) -> dict[str, Any]:
    return {
        "kind": draft.kind,
        "person_id": draft.person_id,
        "to_address": draft.to_address,
        "game_id": draft.game_id,
        "seat": draft.seat,
        "seq": draft.seq,
        "decision": draft.decision,
        "context": dict(draft.context),
        "message_id": "",  # it names the row, so it comes after it
        "in_reply_to": draft.in_reply_to,
        "references": draft.references,
        "answers_mail_id": draft.answers_mail_id,
        "once": draft.once,
        "state": "queued",
        "attempts": 0,
        "created_at": now,
        "next_at": now,
        "generation": draft.generation,
        "page_generation": draft.page_generation,
    }


def _message_id(site: Site, number: int, draft: Draft, now: datetime) -> str:
    """Cannot be guessed, and differs from that of every other letter, also of one with the
    same number from before a restored backup."""
    text = f"{number}/{now.isoformat()}/{draft.kind}/{draft.to_address}"
    random = site.keys.derive("message-id", text).hex()[:20]
    return f"<letter-{number}-{random}@{site.settings.mail.domain}>"


_SEATS = (
    select(_SEAT.c.game_id, _SEAT.c.number, _PERSON.c.id, _TENURE.c.generation)
    .add_columns(_PERSON.c.generation, _PERSON.c.page_generation)
    .select_from(_SEAT)
    .join(_TENURE, _TENURE.c.seat_id == _SEAT.c.id)
    .join(_PERSON, _PERSON.c.id == _TENURE.c.person_id)
    .where(_SEAT.c.game_id.in_(bindparam("games", expanding=True)), _TENURE.c.until_seq.is_(None))
)
_PEOPLE = select(_PERSON.c.id, _PERSON.c.generation, _PERSON.c.page_generation).where(
    _PERSON.c.id.in_(bindparam("people", expanding=True))
)


def _generations(connection: Connection, letters: Sequence[Addressed]) -> Iterator[tuple[int, int]]:
    """The present generations of their readers' reply addresses and links: both can be made
    new, by the seat or by the person, and then all earlier ones are void.  What counts up
    is the sum, so none ever comes again."""
    at_seat: dict[tuple[int | None, int | None, int | None], int] = {}
    of_person: dict[int | None, tuple[int, int]] = {}
    if tables := {letter.game_id for letter in letters if letter.seat is not None}:
        rows = connection.execute(_SEATS, {"games": list(tables)})
        for game_id, seat, person_id, here, own, page in rows:
            at_seat[game_id, seat, person_id] = here
            of_person[person_id] = own, page
    if others := {letter.person_id for letter in letters} - {None, *of_person}:
        for person_id, own, page in connection.execute(_PEOPLE, {"people": list(others)}):
            of_person[person_id] = own, page
    for letter in letters:
        own, page = of_person.get(letter.person_id, (0, 0))
        yield own + at_seat.get((letter.game_id, letter.seat, letter.person_id), 0), own + page
