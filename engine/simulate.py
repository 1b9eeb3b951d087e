"""Playing whole games between bots, and writing their records."""

from collections.abc import Iterator, Sequence

from engine.bots import Bot, bot
from engine.bots.random import Random
from engine.cards import Deck
from engine.legal import legal_raw
from engine.playing import perform
from engine.position import Position
from engine.raw import RawMove, encode
from engine.recording.state import state
from engine.recording.write import begin, dumps, move_text, write_with
from engine.scoring import score
from engine.setup import new_game
from engine.shuffle import Generator


def simulate(
    players: int,
    games: int,
    seed: str,
    bots: Sequence[str],
    deck: Deck,
    *,
    with_legal: bool = False,
    with_state: bool = False,
) -> Iterator[str]:
    """The records of so many games, one line each, without line ends.

    `bots` names the bot of every seat.  Game i (from 0) is dealt from the seed ``seed/i``; all its
    bots draw from the generator of ``"bots:" + seed/i``.
    """
    for number in range(games):
        game_seed = f"{seed}/{number}"
        yield _play(
            new_game(game_seed, players, deck),
            [bot(name) for name in bots],
            Generator("bots:" + game_seed),
            with_legal,
            with_state,
        )


def _play(
    position: Position, bots: Sequence[Bot], rng: Generator, with_legal: bool, with_state: bool
) -> str:
    record = begin(position)
    tables = position.tables
    turns = []
    while position.phase != "over":
        seat = position.seat if position.phase != "pets" else position.to_move[0]
        legal = legal_raw(position, seat)
        raw = _choose(bots[seat], position, seat, legal, rng)
        text = f'{{"seat":{seat},"move":{move_text(tables, raw)}'
        if with_legal:
            text += f',"legal":[{",".join([move_text(tables, one) for one in legal])}]'
        perform(position, seat, raw)
        if with_state:
            text += f',"state":{dumps(state(position))}'
        turns.append(text + "}")
    record.result = score(position).to_json()
    return write_with(record, ",".join(turns))


def _choose(
    bot: Bot, position: Position, seat: int, legal: list[RawMove], rng: Generator
) -> RawMove:
    if isinstance(bot, Random):
        # what it would choose from its view: that has the same legal list in the same order
        return legal[rng.below(len(legal))]
    from engine.view import view  # only where a bot looks

    raw = encode(position.deck, bot.choose(view(position, seat), rng))
    assert raw is not None
    return raw
