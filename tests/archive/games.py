"""Finished games to put into an archive: records that are there, and games played here."""

from datetime import datetime, timedelta
from functools import cache
from pathlib import Path

from sqlmodel import Session

from engine.bots import bot
from engine.cards import builtin_deck
from engine.game import apply, new_game
from engine.moves import to_json
from engine.proof import commitment, final_seed
from engine.record import Record, Turn, begin, read, walk, write
from engine.scoring import score
from engine.shuffle import SHUFFLE_NAME, Generator
from engine.view import view
from pbem.archive import importing
from pbem.installation import Installation
from pbem.store import Game, Invitation, Person, Seat, Tenure
from pbem.store.log import Author, append
from pbem.store.positions import store_position
from pbem.store.rows import id_of

RECORDS = Path(__file__).parent.parent / "records"


@cache
def record_lines() -> tuple[str, ...]:
    """Whole games of bots with 3, 4 and 5 players."""
    return tuple((RECORDS / "games.jsonl").read_text(encoding="utf-8").splitlines())


def records() -> list[Record]:
    return [record for line in record_lines() for record in read(line)]


@cache
def played(seed: str, players: int = 3) -> str:
    """The record of a game between bots that is worth looking at, with its proof."""
    server_seed, salt, words = seed, "salt", [""] * players
    position = new_game(final_seed(server_seed, words), players, builtin_deck())
    record, chance = begin(position), Generator(seed)
    while position.phase != "over":
        seat = position.to_move[0]
        move = bot("greedy").choose(view(position, seat), chance)
        record.turns.append(Turn(seat, move))
        apply(position, seat, move)
    record.result = dict(score(position).to_json())
    record.rules = "ark-1"
    record.proof = {
        "commitment": commitment(server_seed, salt), "server_seed": server_seed, "salt": salt,
        "words": words, "shuffle": SHUFFLE_NAME,
    }  # fmt: skip
    return write(record)


def brought_in(installation: Installation, text: str) -> list[int]:
    with installation.store.work() as session:
        return importing.import_records(session, text, installation.clock())


def people(session: Session, names: str, now: datetime) -> list[Person]:
    found = [Person(name=name, created_at=now) for name in names.split()]
    session.add_all(found)
    session.flush()
    return found


def dealt_here(
    session: Session, text: str, seated: list[Person | None], finished: datetime, **more: object
) -> Game:
    """A game of this server as it stands at its end, not filed yet; None: a bot's seat."""
    [record] = read(text)
    game = Game(
        name="A table", status="over", players=record.players, turn_seconds=1,
        created_at=finished - timedelta(days=10), started_at=finished - timedelta(days=9),
        finished_at=finished, server_seed="", salt="", commitment="", seed="dealt here",
        setup=record.setup, **more,
    )  # fmt: skip
    session.add(game)
    session.flush()
    assert game.id is not None
    for number, person in enumerate(seated):
        seat = Seat(game_id=game.id, number=number)
        session.add(seat)
        session.flush()
        holder = {"bot": "random"} if person is None else {"person_id": person.id}
        session.add(Tenure(seat_id=id_of(seat), from_seq=1, **holder))
        session.add(
            Invitation(
                game_id=game.id, place=number, state="accepted", created_at=finished, **holder
            )
        )
    play(session, game, record, finished)
    return game


def play(session: Session, game: Game, record: Record, now: datetime) -> None:
    for turn, happenings, position in walk(record):
        append(
            session, game, "turn", now, Author("bot"),
            seat=turn.seat, move=to_json(turn.move), happenings=happenings,
        )  # fmt: skip
        game.decision += 1
        store_position(game, position)
    session.add(game)
    session.flush()
