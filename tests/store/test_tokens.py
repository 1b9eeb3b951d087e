"""Reply addresses and links: derived, hashed at rest, worth one thing each."""

import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import Session, SQLModel, create_engine, select

from pbem.store import Token
from pbem.store.tokens import LENGTH, Bearer, Keys, digest, find, issue

NOW = datetime(2026, 12, 1, tzinfo=UTC)
KEYS = Keys(b"k" * 32)
SEAT = Bearer("seat", person_id=None, game_id=None, seat=2, decision=7)


@pytest.fixture
def session() -> Session:
    engine = create_engine("sqlite://")
    SQLModel.metadata.create_all(engine)
    return Session(engine)


def test_a_token_can_be_computed_anew_and_is_stored_as_a_hash_only(session: Session) -> None:
    token = issue(session, KEYS, SEAT, NOW)
    assert token == KEYS.token(SEAT)
    assert len(token) == LENGTH
    row = session.exec(select(Token)).one()
    assert token not in repr(row)
    assert row.digest == digest(token)
    session.close()


def test_case_does_not_matter_and_a_revoked_one_is_none(session: Session) -> None:
    token = issue(session, KEYS, SEAT, NOW)
    row = find(session, token.upper())
    assert row is not None
    row.revoked_at = NOW
    assert find(session, token) is None
    assert find(session, "a" * LENGTH) is None
    session.close()


def test_every_part_of_a_bearer_changes_the_token() -> None:
    others = [
        Bearer("page", seat=2, decision=7),
        Bearer("seat", seat=3, decision=7),
        Bearer("seat", seat=2, decision=8),
        Bearer("seat", seat=2, decision=7, generation=1),
        Bearer("seat", seat=2, decision=7, game_id=1),
        Bearer("seat", seat=2, decision=7, person_id=1),
        Bearer("seat", seat=2, decision=7, invitation_id=1),
    ]
    tokens = {KEYS.token(bearer) for bearer in [SEAT, *others]}
    assert len(tokens) == len(others) + 1
    assert Keys(b"x" * 32).token(SEAT) not in tokens


def test_the_key_is_made_once_by_whoever_comes_first_and_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "instance"
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(Keys.of_instance(folder).token(SEAT)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    assert (folder / "key").stat().st_mode & 0o777 == 0o600
