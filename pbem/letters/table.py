"""The table as one reader may see it, prepared for the templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from sqlmodel import Session

from engine.cards import KINDS
from engine.view import View, imagine, view
from pbem.commands.speech import kind_name
from pbem.letters import cards as words
from pbem.letters.ark import picture
from pbem.letters.ark_html import ark_html, strip_html
from pbem.letters.ark_text import ark_text
from pbem.letters.cards import Face, cards_of
from pbem.letters.examples import examples
from pbem.letters.hand import Fit, fits_of, hand_cards
from pbem.letters.sentences import Teller, new_cabins, new_cards
from pbem.letters.styles import Styles
from pbem.store import Event, Game
from pbem.store.log import PERSONAL, Seen, events_of, last_turn_of, seen_by
from pbem.store.positions import position_at
from pbem.store.tenures import spans_of
from pbem.translation import _, capitalised, clauses, either, language, listing, series


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card of hand or display."""

    name: str
    facts: str
    note: str
    strip: Markup  # the cell of the card's strip
    words: str  # facts without the weight and climate that stand on the strip


@dataclass(frozen=True, slots=True)
class Player:
    """What everybody knows of one player."""

    name: str
    me: bool
    points: int
    marks: Mapping[str, float]
    timbers: int
    cards: int
    passed: bool
    pet: bool | None

    @property
    def sentence(self) -> str:
        """For the text part."""
        marks = series(
            _("{kind} {number}", kind=_kind(kind), number=words.count(n))
            for kind, n in self.marks.items()
            if n
        )
        told = clauses(
            (
                capitalised(marks) if marks else _("No markers"),
                words.timbers(self.timbers),
                words.cards(self.cards),
                _("a pet set aside") if self.pet else "",
                _("out") if self.passed else "",
            )
        )
        points = words.points(self.points)
        if self.me:
            return _("{name} (you): {points} now. {details}.", name=self.name, points=points,
                     details=told)  # fmt: skip
        return _("{name}: {points} now. {details}.", name=self.name, points=points, details=told)


@dataclass(frozen=True, slots=True)
class MarkerRow:
    """One row of the table of markers: a scoring card, timbers, cards or points."""

    label: str
    cells: tuple[tuple[str, bool], ...]  # by seat: text, is it the highest?


@dataclass(frozen=True)
class Table:
    """Everything a letter may show of a table at one moment."""

    view: View
    names: Sequence[str]
    turn: int
    mine: bool  # is the reader to move?
    movers: str  # who is, in words
    news: list[str]
    first: bool  # has the reader had no turn yet?
    ark_text: str
    ark_html: Markup
    balance: str
    next_cabins: str
    hand: list[ShownCard]
    display: list[ShownCard]
    players: list[Player]
    rows: list[MarkerRow]
    examples: list[str]

    @property
    def phase(self) -> str:
        return self.view.phase

    @property
    def most(self) -> int:
        """The highest points now."""
        return max(self.view.points)

    @property
    def own_timbers(self) -> str:
        return "" if self.view.seat is None else words.timbers(self.view.timbers[self.view.seat])

    @property
    def pet(self) -> str:
        return "" if self.view.pet is None else cards_of(self.view.deck).name(self.view.pet)

    @property
    def stack(self) -> str:
        """What is left to draw, and how much rain has come."""
        rain = self.view.rain
        if rain >= 5:
            return _("no more draws, {rain} of 5 rain", rain=rain)
        return _("{count} in the stack, {rain} of 5 rain", count=self.view.stack_count, rain=rain)


def table(
    session: Session, game: Game, names: Sequence[str], seat: int | None, seq: int,
    styles: Styles, *, own_turn: bool = False,
) -> Table:  # fmt: skip
    """The table after event `seq`, for a seat or a spectator (who is told no news).

    With `own_turn` the cards of the reader's own last turn count as new, too; what it
    brought about is told in the answer."""
    shown = view(position_at(session, game, seq), seat)
    last = seq if seat is None else last_turn_of(session, game, seat, seq)
    log = events_of(session, game, last - 1 if own_turn and last else last, seq)
    spans = None if seat is None or not _has_words(log) else spans_of(session, game, seat, seq)
    seen = seen_by(log, seat, spans)
    news = [one for one in seen if one.seq > last]
    return laid_out(shown, names, news, seen, styles, first=last == 0)


def _has_words(log: Sequence[Event]) -> bool:
    """Is there anything that only whoever held the seat then may read?"""
    return any(event.kind in PERSONAL for event in log)


def laid_out(
    shown: View, names: Sequence[str], news: Sequence[Seen], seen: Sequence[Seen],
    styles: Styles, *, first: bool,
) -> Table:  # fmt: skip
    """The table of a view; `news` are told, the cards of `seen` are framed."""
    cards = cards_of(shown.deck)
    teller = Teller(cards, names, shown.seat)
    ark = picture(shown, new_cards(seen), new_cabins(seen))
    position = imagine(shown)
    fitting: list[Fit] = [] if shown.phase == "over" else fits_of(position, shown)
    players = _players(shown, names)
    return Table(
        view=shown,
        names=names,
        turn=shown.turn + 1,
        mine=shown.seat is not None and shown.seat in shown.to_move,
        movers=listing(names[seat] for seat in shown.to_move),
        news=teller.tell(news),
        first=first,
        ark_text=ark_text(ark),
        ark_html=ark_html(ark, styles),
        balance=ark.balance_words,
        next_cabins=either(side.next for side in ark.sides if side.next),
        hand=[_shown(card.face, card.note, styles) for card in hand_cards(shown, fitting)],
        display=[_shown(cards.face(name), "", styles) for name in shown.display],
        players=players,
        rows=_rows(players),
        examples=examples(position, shown, fitting),
    )


def _shown(face: Face, note: str, styles: Styles) -> ShownCard:
    strip = strip_html(face, styles, "strip held-strip")
    return ShownCard(face.name, face.facts, note, strip, face.traits)


def _players(shown: View, names: Sequence[str]) -> list[Player]:
    return [
        Player(
            name=name,
            me=seat == shown.seat,
            points=shown.points[seat],
            marks=shown.marks[seat],
            timbers=shown.timbers[seat],
            cards=shown.hand_counts[seat],
            passed=seat in shown.passed,
            pet=shown.pets_set[seat],
        )
        for seat, name in enumerate(names)
    ]


def _rows(players: Sequence[Player]) -> list[MarkerRow]:
    rows = []
    for kind in KINDS:
        counts = [player.marks[kind] for player in players]
        most = max(counts)
        rows.append(
            MarkerRow(
                _kind(kind),
                tuple((words.count_sign(n) if n else "·", n == most > 0) for n in counts),
            )
        )
    return [
        *rows,
        MarkerRow(_("timbers"), tuple((str(player.timbers), False) for player in players)),
        MarkerRow(_("cards"), tuple((str(player.cards), False) for player in players)),
    ]


def _kind(kind: str) -> str:
    return kind_name(kind, language())
