"""``simulate``: games between bots, one record a line."""

import argparse
import gc
from pathlib import Path

from engine.bots import BOTS
from engine.cards import Deck, DeckError, builtin_deck, load_deck
from engine.cli import wrong_call
from engine.simulate import simulate


def run(options: argparse.Namespace) -> int:
    """Play the games and write the file."""
    bots = options.bot.split(",")
    if len(bots) == 1:
        bots *= options.players
    if len(bots) != options.players or not all(name in BOTS for name in bots):
        return wrong_call(f"--bot takes one of {', '.join(BOTS)}, or one for every seat")
    if options.games < 0:
        return wrong_call("--games takes a number of games")
    gc.disable()  # a game makes nothing cyclic, and looking for it takes a tenth of the time
    try:
        deck = _deck(options.deck)
        with open(options.out, "w", encoding="utf-8", newline="\n") as out:
            for line in simulate(
                options.players,
                options.games,
                options.seed,
                bots,
                deck,
                with_legal=options.legal,
                with_state=options.state,
            ):
                out.write(line + "\n")
    except DeckError as error:
        return wrong_call(str(error))
    except OSError as error:
        return wrong_call(f"{error.filename or options.out}: {error.strerror}")
    finally:
        gc.enable()
    return 0


def _deck(file: str | None) -> Deck:
    return builtin_deck() if file is None else load_deck(file, Path(file).stem)
