"""Scenes of the letters about the table itself."""

from collections.abc import Iterator
from datetime import timedelta

from sqlmodel import Session, col, select

from pbem.letters import announce
from pbem.letters.site import Site
from pbem.letters.stage import Stage
from pbem.store import Letter, Vote
from pbem.store.rows import id_of
from pbem.timing import PerTurn

SCENES = (
    "played-for-you", "played-for-you-pet", "seat-news", "seat-news-substitute", "seat-news-back",
    "seat-lost", "seat-lost-substitute", "substitute-welcome", "substitute-wanted",
    "substitute-wanted-friend", "seat-decision", "vote", "vote-time", "vote-end", "vote-over",
    "vote-over-silent", "paused", "paused-emergency", "resumed", "mended", "silence", "ended",
    "ended-silence", "halted", "halted-moderator",
)  # fmt: skip


def affair_scenes(session: Session, site: Site) -> Iterator[tuple[str, Letter]]:
    """(name of the scene, its letter), each once."""
    stage = Stage(session, site, 3, "orchard", name="Long river").begin()
    stage.until(lambda position: position.turn >= 4)
    yield from _seats(session, site, stage)
    yield from _votes(session, site, stage)
    yield from _ends(session, site, stage)


def _seats(session: Session, site: Site, stage: Stage) -> Iterator[tuple[str, Letter]]:
    game, now = stage.game, stage.now
    mover, people = stage.position.to_move[0], [id_of(person) for person in stage.people]
    until = now + timedelta(days=3)
    announce.played_for_you(session, site, now, game, mover, "minimal")
    yield "played-for-you", _last(session, "played-for-you")
    announce.played_for_you(session, site, now, game, mover, "default")
    yield "played-for-you-pet", _last(session, "played-for-you")
    for scene, what, before in (
        ("seat-news", "late", people[mover]), ("seat-news-substitute", "substituted", people[0]),
        ("seat-news-back", "returned", None),
    ):  # fmt: skip
        announce.seat_news(session, site, now, game, mover, what, before=before)
        yield scene, _last(session, "seat-news")
    for scene, to in (("seat-lost", "bot"), ("seat-lost-substitute", "substitute")):
        announce.seat_lost(session, site, now, game, mover, people[mover], to)
        yield scene, _last(session, "seat-lost")
    announce.substitute_welcome(session, site, now, game, mover)
    yield "substitute-welcome", _last(session, "substitute-welcome")
    for scene, by in (("substitute-wanted", None), ("substitute-wanted-friend", people[1])):
        announce.substitute_wanted(session, site, now, game, mover, people[2], by, until)
        yield scene, _last(session, "substitute-wanted")
    game.moderator_id = people[0]
    announce.seat_decision(session, site, now, game, mover, until)
    yield "seat-decision", _last(session, "seat-decision")


def _votes(session: Session, site: Site, stage: Stage) -> Iterator[tuple[str, Letter]]:
    game, now, proposer = stage.game, stage.now, id_of(stage.people[0])
    vote = Vote(
        game_id=id_of(game), what="pause", opened_by=proposer, opened_at=now,
        expires_at=now + timedelta(days=5),
    )  # fmt: skip
    for scene, what in (("vote", "pause"), ("vote-time", "time"), ("vote-end", "end")):
        vote.what, vote.control = what, PerTurn(seconds=72 * 3600).model_dump(mode="json")
        announce.vote(session, site, now, game, vote)
        yield scene, _last(session, "vote")
    for scene, outcome in (("vote-over", "refused"), ("vote-over-silent", "silent")):
        vote.outcome = outcome
        announce.vote_over(session, site, now, game, vote)
        yield scene, _last(session, "vote-over")
    for scene, what in (
        ("paused", "vote"), ("paused-emergency", "emergency"), ("resumed", "resumed"),
        ("mended", "mended"),
    ):  # fmt: skip
        until = now + timedelta(hours=24) if what == "emergency" else None
        announce.paused(session, site, now, game, what, until=until, by=proposer)
        yield scene, _last(session, "paused")


def _ends(session: Session, site: Site, stage: Stage) -> Iterator[tuple[str, Letter]]:
    game, now = stage.game, stage.now
    announce.silence(session, site, now, game, now + timedelta(days=7))
    yield "silence", _last(session, "silence")
    for scene, by, points in (("ended", "consent", [12, 7, 9]), ("ended-silence", "silence", None)):
        announce.ended(session, site, now, game, {"by": by, "points": points})
        yield scene, _last(session, "ended")
    announce.halted(session, site, now, game)
    yield "halted", _last(session, "halted")
    yield "halted-moderator", _last(session, "halted-moderator")


def _last(session: Session, kind: str) -> Letter:
    return session.exec(
        select(Letter).where(Letter.kind == kind).order_by(col(Letter.id).desc()).limit(1)
    ).one()
