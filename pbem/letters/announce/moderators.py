"""Letters to those who run the server, and about what they have done."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from pbem.letters.announce.mailing import Mailing
from pbem.letters.plain import clean
from pbem.letters.queue import STATE, queue_to
from pbem.letters.site import Site
from pbem.store import Game, Letter, Role


def sign_in(
    session: Session, site: Site, now: datetime, person_id: int, number: int
) -> Letter | None:
    """Bring a moderator the link that signs him in; `number` is the link's."""
    return queue_to(session, site, now, "sign-in", person_id, context={"link": number})


def template_failed(session: Session, site: Site, now: datetime, kind: str, why: str) -> None:
    """Tell the owners of the server that their template of this kind fails; once a day, whoever
    finds it (UTC)."""
    context = {"template": clean(kind, 60), "why": clean(why, 500)}
    owners = session.exec(
        select(Role.person_id).where(Role.kind == "owner", col(Role.revoked_at).is_(None))
    )
    for person_id in sorted(set(owners)):
        once = f"template:{kind}:{now:%Y-%m-%d}:{person_id}"
        queue_to(session, site, now, "alert", person_id, context=context, once=once)


def rolled_back(
    session: Session, site: Site, now: datetime, game: Game, *,
    undone: Sequence[int], by: int | None, reason: str, banks: bool = False,
) -> None:  # fmt: skip
    """Tell the table that turns were taken back, and ask whoever is to move now, in the same
    letter.  `undone`: the numbers (seq) of the events taken back, in their order; `by`: the
    person who did it, None: whoever has the command line of the server; `banks`: time was
    given back to banks.

    To be called when the game stands where it stands now."""
    mailing = Mailing(session, site, now, game)
    facts = {"undone": list(undone), "who": by, "reason": reason, "banks": banks}
    for seat, _ in mailing.people():
        mailing.withdraw(seat, STATE | {"reminder"})
        mailing.post("rollback", seat, context=facts | mailing.until(seat))
    mailing.send()


def note(
    session: Session, site: Site, now: datetime, person_id: int, *,
    by: int | None, text: str, game: Game | None = None, seat: int | None = None,
) -> Letter | None:  # fmt: skip
    """Bring somebody a moderator's words; of a game and to a seat, where it is about one."""
    return queue_to(
        session, site, now, "note", person_id, game=game, seat=seat,
        context={"who": by, "text": text},
    )  # fmt: skip


def moderated(
    session: Session, site: Site, now: datetime, person_id: int, *,
    said: str, by: int | None, reason: str, facts: Mapping[str, Any] | None = None,
    game: Game | None = None, seat: int | None = None, turn: int | None = None,
) -> Letter | None:  # fmt: skip
    """Tell somebody what a moderator has done that concerns him, and why.

    `said` is one sentence, marked with `translation.later`; it is said in the reader's
    language, with `facts` in it: a text or a number as it is, a `datetime` in the reader's
    zone, ``{"person": id}`` and ``{"seat": number}`` by name.  `turn`: the number (seq) of
    the event of a turn that was done for him; the letter tells it."""
    context = {
        "said": said, "who": by, "reason": reason, "turn": turn,
        "facts": {
            key: {"time": fact.isoformat()} if isinstance(fact, datetime) else fact
            for key, fact in (facts or {}).items()
        },
    }  # fmt: skip
    return queue_to(
        session, site, now, "moderated", person_id, game=game, seat=seat, context=context
    )
