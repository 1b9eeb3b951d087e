"""How a deal can be verified (`proof` of a record).

Before the game the house publishes `commitment(server_seed, salt)`.  Every player may add a word.
The deal follows from `final_seed(server_seed, words)`, and at the end seed and salt are told: so
neither the house nor any player could choose the deal.

In a record `proof` is an object with `commitment`, `server_seed`, `salt`, `words` (a text for every
seat, "" where none was given), `shuffle` (the name of the generator and shuffle) and, where seats
were drawn, `seating`: by seat, the index of its player in the order of the invitations.
"""

from hashlib import sha256
from typing import Any

from engine.recording.form import Record
from engine.setup import new_game, setup_of
from engine.shuffle import SHUFFLE_NAME, Generator


def commitment(server_seed: str, salt: str) -> str:
    """SHA-256 of server seed, colon and salt, in hexadecimal."""
    return _sha256(f"{server_seed}:{salt}")


def final_seed(server_seed: str, words: list[str]) -> str:
    """SHA-256 of the server seed and the players' words, each on a line, in hexadecimal.

    The words stand in the order of the seats before they were drawn: that of the invitations.
    """
    return _sha256("\n".join([server_seed, *words]))


def seating(seed: str, n: int) -> list[int]:
    """By seat, the index of its player among the n invited.

    A Fisher-Yates shuffle of 0 to n - 1 with the generator of ``"seats:" + seed``: independent of
    the deal, which uses another label.
    """
    order = list(range(n))
    Generator("seats:" + seed).shuffle(order)
    return order


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def verify(record: Record) -> list[str]:
    """Everything that is wrong with the proof of a record, one sentence each; [] when it holds.

    It holds when the commitment fits the server seed and the salt, and the set-up (and the seats)
    are those that follow from the server seed and the words.
    """
    proof = record.proof
    if proof is None:
        return ["the record has no proof"]
    faults = _form_faults(proof, record.players)
    if faults:
        return faults
    if commitment(proof["server_seed"], proof["salt"]) != proof["commitment"]:
        faults.append("the commitment does not fit the server seed and the salt")
    words, drawn = proof["words"], proof.get("seating")
    if drawn is not None:
        # the words were hashed in the order of the invitations, before seats were drawn
        words = [words[drawn.index(invited)] for invited in range(record.players)]
    seed = final_seed(proof["server_seed"], words)
    if drawn is not None and drawn != seating(seed, record.players):
        faults.append("the seats are not those drawn from the final seed")
    if setup_of(new_game(seed, record.players, record.deck)) != record.setup:
        faults.append("the set-up is not the one dealt from the final seed")
    return faults


def _form_faults(proof: dict[str, Any], players: int) -> list[str]:
    faults = [
        f"{key} of the proof is not a text"
        for key in ("commitment", "server_seed", "salt")
        if not isinstance(proof.get(key), str)
    ]
    if proof.get("shuffle") != SHUFFLE_NAME:
        faults.append(f"shuffle of the proof is not {SHUFFLE_NAME}")
    words = proof.get("words")
    if not (
        isinstance(words, list)
        and len(words) == players
        and all(isinstance(word, str) for word in words)
    ):
        faults.append("words of the proof is not a list with a text for every seat")
    drawn = proof.get("seating")
    if drawn is not None and not (
        isinstance(drawn, list)
        and all(type(index) is int for index in drawn)
        and sorted(drawn) == list(range(players))
    ):
        faults.append("seating of the proof does not name every player once")
    return faults
