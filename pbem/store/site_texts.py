"""The words for everybody who comes that are in force now."""

from sqlmodel import Session, col, select

from pbem.store.models import SiteText

NOTICE, HOUSE_RULES = "notice", "house-rules"


def words(session: Session, kind: str) -> str:
    """The newest text of a kind; empty where there is none."""
    newest = select(SiteText.text).where(SiteText.kind == kind).order_by(col(SiteText.id).desc())
    return session.exec(newest.limit(1)).first() or ""
