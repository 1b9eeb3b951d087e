"""One table as one seat sees it, ready for the page.

Built from the seat's view and from what of the log is open to it, and from nothing else.
"""

from dataclasses import dataclass

from sqlmodel import Session

from engine.cards import KINDS
from engine.view import View, imagine, view
from pbem.letters.arriving import unreached
from pbem.letters.cards import Face, cards_of
from pbem.letters.examples import examples
from pbem.letters.hand import fits_of
from pbem.letters.sentences import Teller, new_cabins, new_cards
from pbem.store import Game
from pbem.store.log import PERSONAL, Seen, events_of, last_turn_of, seen_by
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.store.tenures import spans_of
from pbem.web.play.said import Said, said
from pbem.web.play.turn import Choice, Fresh, Link, TurnBoard, board_of


@dataclass(frozen=True)
class TablePage:
    """What the page of a table shows."""

    game: Game
    seat: int
    names: tuple[str, ...]
    view: View
    board: TurnBoard
    pet: Face | None
    told: tuple[str, ...]
    said: tuple[Said, ...]
    examples: tuple[str, ...]
    unreached: tuple[str, ...]  # of those it waits for: whom mail does not reach
    kinds: tuple[str, ...] = KINDS

    @property
    def foretold(self) -> tuple[str, ...]:
        """What the plays that are chosen would be, in sentences."""
        seen = (
            Seen(self.game.seq, self.game.created_at, one.kind, one.seat, one.public or {})
            for one in self.board.told
        )
        return tuple(Teller(cards_of(self.view.deck), self.names, self.seat).tell(seen))

    @property
    def waits(self) -> bool:
        """Does the table wait for this seat?"""
        return self.seat in self.view.to_move

    @property
    def waiting_for(self) -> tuple[str, ...]:
        return tuple(self.names[seat] for seat in self.view.to_move if seat != self.seat)


def table_page(session: Session, game: Game, seat: int, choice: Choice, link: Link) -> TablePage:
    """The table now, for the holder of this seat who has chosen so much of a turn."""
    held = holders(session, game)
    names = tuple(holder.name for holder in held)
    seen_view = view(position_now(game), seat)
    known = imagine(seen_view)  # so that nothing on the page can hang on an unseen card
    cards = cards_of(seen_view.deck)
    since = last_turn_of(session, game, seat)
    spans = spans_of(session, game, seat)
    news = seen_by(events_of(session, game, after=since), seat, spans)
    teller = Teller(cards, names, seat)
    fitting = fits_of(known, seen_view)
    return TablePage(
        game=game,
        seat=seat,
        names=names,
        view=seen_view,
        board=board_of(seen_view, choice, link, fresh=Fresh(new_cards(news), new_cabins(news))),
        pet=None if seen_view.pet is None else cards.face(seen_view.pet),
        told=tuple(teller.tell(one for one in news if one.kind not in PERSONAL)),
        said=tuple(said(one, names, seat, {seat: spans}) for one in news if one.kind in PERSONAL),
        examples=tuple(examples(known, seen_view, fitting)),
        unreached=tuple(
            unreached(session, held, names, [one for one in seen_view.to_move if one != seat])
        ),
    )
