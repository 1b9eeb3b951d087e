"""A whole game as one page that needs nothing beside it: every step is in it and shown by its
address (`#t17`), whose hands are open is chosen by a button, without any script; the record
is in it, too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from engine.cards import KINDS
from engine.record import write
from engine.view import View
from pbem.archive import exporting
from pbem.archive.records import standing_turns
from pbem.letters.ark import Picture, picture
from pbem.letters.cards import Face, cards_of
from pbem.letters.sentences import Teller, new_cabins, new_cards
from pbem.store.log import seen_by
from pbem.translation import _
from pbem.web.archive import graphs, replaying
from pbem.web.archive.finished import finished_game
from pbem.web.archive.reader import Opened


@dataclass(frozen=True)
class PageStep:
    """What the page shows of one step; `hands` and `pets` by seat."""

    turn: int
    told: tuple[str, ...]
    view: View
    ark: Picture
    display: tuple[Face, ...]
    hands: tuple[tuple[Face, ...], ...]
    pets: tuple[Face | None, ...]


def one_page(session: Session, here: Opened) -> dict[str, Any]:
    """All the template needs."""
    shown = finished_game(session, here)
    steps = replaying.walked(session, here.game)
    record = exporting.public_record(session, here.game, here.called)
    return {
        "here": here,
        "game": here.game,
        "shown": shown,
        "steps": list(_steps(session, here, steps)),
        "last": steps.facts.turns,
        "kinds": KINDS,
        "eyes": eyes(here.names),
        "moves": [replaying.move_words(turn) for turn in steps.turns],
        "movers": [step.mover for step in steps.facts.steps],
        "curves": graphs.curves(steps.facts.course, here.names),
        # Inside a script only `</script` could end it; JSON may write any < as an escape.
        "record": write(record).replace("<", "\\u003c"),
    }


def _steps(session: Session, here: Opened, steps: replaying.Walked) -> Sequence[PageStep]:
    events = standing_turns(session, here.game)
    cards = cards_of(steps.view(0, None).deck)
    teller = Teller(cards, here.names, None)
    found = []
    for turn in range(steps.facts.turns + 1):
        seen = seen_by(events[turn - 1 : turn], None) if turn else []
        table = steps.view(turn, None)
        own = [steps.view(turn, seat) for seat in range(here.game.players)]
        found.append(
            PageStep(
                turn,
                tuple(teller.tell(seen)) or replaying.untold(steps, here.names, turn),
                table,
                picture(table, new_cards(seen), new_cabins(seen)),
                tuple(map(cards.face, table.display)),
                tuple(tuple(map(cards.face, one.hand or ())) for one in own),
                tuple(None if one.pet is None else cards.face(one.pet) for one in own),
            )
        )
    return found


def eyes(names: Sequence[str]) -> list[tuple[str, str]]:
    """Whose hands may be opened: the id of the button, and its label."""
    seats = [(str(seat), name) for seat, name in enumerate(names)]
    return [("p", _("Public")), *seats, ("a", _("All hands"))]
