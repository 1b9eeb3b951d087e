"""Wiping out, in small pieces, what is stored of people who are forgotten.

What is to be wiped stands in the database (`Erasure`), so a crash loses nothing; the row
goes when nothing is left and no letter to that person is under way any more."""

from sqlmodel import col, select

from pbem.installation import Installation
from pbem.store import Erasure
from pbem.store.erasing import BATCH, is_under_way, redact, traces, wipe_own, wiped_out


def erase_due(installation: Installation) -> int:
    """Go on with every erasure; returns how many have been finished."""
    with installation.store.read() as session:
        due = session.exec(select(Erasure).order_by(col(Erasure.created_at))).all()
    return sum(_erase(installation, erasure) for erasure in due)


def _erase(installation: Installation, erasure: Erasure) -> bool:
    store = installation.store
    left = True
    while left:
        with store.work() as session, wiped_out(session):
            left = wipe_own(session, erasure)
    with store.read() as session:
        if is_under_way(session, erasure):
            return False
        rows = traces(session, erasure)
    for start in range(0, len(rows), BATCH):
        with store.work() as session, wiped_out(session):
            redact(session, erasure, rows[start : start + BATCH])
    with store.work() as session, wiped_out(session):
        row = session.get(Erasure, erasure.person_id)
        if row is not None:
            session.delete(row)
    return True
