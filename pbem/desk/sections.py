"""One text for several tables: what stands below a line `game N` is for that table
(commands.md 1.9)."""

from dataclasses import dataclass, replace

from sqlmodel import Session, col, select

from pbem.commands import Context, Reading, read
from pbem.desk.counter import Counter
from pbem.desk.orders import Order
from pbem.store import Event, Game, Invitation
from pbem.store.people import seat_of

NEVER = -1  # a decision no table is at: a turn is answered like one from an old letter


@dataclass(frozen=True)
class Section:
    """The lines for one table; `game` is None for those above the first `game N`."""

    game: int | None
    heading: str
    text: str
    breaks: tuple[int, ...]


def sections_of(order: Order, reading: Reading, context: Context) -> list[Section]:
    """The parts of a text by table; [] when no line of it names another table than the
    one it was sent to."""
    named = [_table(line.command, line.error, line.args) for line in reading.lines]
    tables = [number for number in named if number is not None]
    if not set(tables) - {order.game_id}:
        return []
    sections = _split(order, context)
    # A line of somebody's message may look like one that names a table: then nobody knows
    # which is meant, and turns are asked back.
    return sections if [one.game for one in sections[1:]] == tables else []


def order_for(counter: Counter, section: Section) -> Order | None:
    """What a section orders, as if it had been sent to that table; None when the writer has
    no place there, or wrote to the address of another table."""
    order, session = counter.order, counter.session
    part = replace(order, text=section.text, breaks=section.breaks, notes=())
    if section.game in (None, order.game_id):
        return part
    person_id = order.author.person_id
    game = session.get(Game, section.game)
    if order.addressed != "person" or game is None or person_id is None:
        return None
    part = replace(part, game_id=game.id, addressed="seat", purpose="seat")
    if (seat := seat_of(session, game, person_id)) is not None:
        return replace(part, seat=seat, decision=_decision(session, order, game))
    invitation = session.exec(
        select(Invitation.id).where(
            Invitation.game_id == game.id,
            Invitation.person_id == person_id,
            col(Invitation.state).in_(("invited", "accepted")),
        )
    ).first()
    return None if invitation is None else replace(part, invitation_id=invitation)


def _decision(session: Session, order: Order, game: Game) -> int:
    """The decision of the table that the writer had before him: the oldest that any of the
    addresses he wrote to stands for."""
    known = [decision for number, decision in order.decisions if number == game.id]
    if order.after is not None:
        known.append(_decision_after(session, game, order.after))
    return min(known, default=NEVER)


def _decision_after(session: Session, game: Game, event_id: int) -> int:
    """The table's decision when this was the newest event of all tables."""
    next_one = session.exec(
        select(Event.decision)
        .where(Event.game_id == game.id, col(Event.id) > event_id)
        .order_by(col(Event.seq))
        .limit(1)
    ).first()
    return game.decision if next_one is None else next_one


def _split(order: Order, context: Context) -> list[Section]:
    pieces: list[tuple[int | None, str, list[str], list[int]]] = [(None, "", [], [])]
    for number, raw in enumerate(order.text.split("\n")):
        if number in order.breaks:
            pieces[-1][3].append(len(pieces[-1][2]))
        lines = read(raw, context).lines
        if all(_table(line.command, line.error, line.args) is None for line in lines):
            pieces[-1][2].append(raw)
            continue
        for line in lines:
            table = _table(line.command, line.error, line.args)
            if table is None:
                pieces[-1][2].append(line.text)
            else:
                pieces.append((table, line.text, [], []))
    return [
        Section(table, heading, "\n".join(text), tuple(breaks))
        for table, heading, text, breaks in pieces
    ]


def _table(command: str | None, error: str | None, args: object) -> int | None:
    """The table that a line names, if that is what it does."""
    if command != "game" or error is not None or not isinstance(args, dict):
        return None
    return int(args["game"])


def stops_all(reading: Reading) -> bool:
    """Whether doubt above the first table ("wait, not yet") stops the turns of all."""
    for line in reading.lines:
        if _table(line.command, line.error, line.args) is not None:
            return False
        if line.code == "prose-stop":
            return True
    return False
