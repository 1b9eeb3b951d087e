"""Positions that a seat cannot tell apart: the same but for the cards it cannot know."""

from __future__ import annotations

import random
from typing import Any

RAIN = "rain"


def permuted(state: dict[str, Any], players: int, seat: int | None, rng: random.Random) -> Any:
    """A `state` that looks the same to the seat (or to a spectator, None).

    Exchanged at will: the cards of the other hands, the others' pets and the cards of the stack
    with one another, and the order of the stack. Kept is what is public: how many cards lie where,
    and that before the first rain card is out no rain lies above its known place.
    """
    hidden_hands = [other for other in range(players) if other != seat]
    choosing = state["phase"] == "pets"
    hands = [list(hand) for hand in state["hands"]]
    pets = list(state["pets"])
    for other in hidden_hands:
        if choosing and other not in state["to_move"]:
            # Whether a pet was set aside is as secret as which: undo it here, decide again below.
            if pets[other] is not None:
                hands[other].append(pets[other])
            pets[other] = None

    stack = list(state["stack"])
    pool = [name for name in stack if name != RAIN]
    for other in hidden_hands:
        pool += hands[other] + [pets[other]] * (pets[other] is not None)
    rng.shuffle(pool)
    for other in hidden_hands:
        hands[other] = [pool.pop() for _ in hands[other]]
        if pets[other] is not None:
            pets[other] = pool.pop()
        elif choosing and other not in state["to_move"] and hands[other]:
            pets[other] = rng.choice([None, hands[other][0]])
            if pets[other] is not None:
                hands[other].remove(pets[other])

    places = [place for place, name in enumerate(stack) if name == RAIN]
    if state["rain"] == 0:
        first, below = places[:1], range(places[0] + 1, len(stack))
        places = first + rng.sample(below, len(places) - 1)
    else:
        places = rng.sample(range(len(stack)), len(places))
    new_stack = [RAIN if place in places else pool.pop() for place in range(len(stack))]
    assert not pool
    return {**state, "hands": hands, "pets": pets, "stack": new_stack}
