"""Coming back to a seat that a bot holds meanwhile."""

from pbem.commands import Reading
from pbem.desk.counter import Counter
from pbem.desk.succession import give_to_person, returns_to
from pbem.translation import _

LEAVING = frozenset({"resign", "leave"})


def come_back(counter: Counter, reading: Reading) -> bool:
    """Whoever lost his seat because he did not answer has it again with his first answer,
    unless all it says is that he leaves.  True if that has happened."""
    person_id = counter.order.author.person_id
    game, seat = counter.game, counter.order.seat
    if game is None or seat is None or person_id is None or game.halted_at is not None:
        return False
    if returns_to(counter.session, game, seat, person_id) not in ("late", "moderator"):
        return False
    commands = {line.command for line in reading.lines if line.command is not None}
    if commands and commands <= LEAVING:
        return False
    give_to_person(
        counter.session, counter.site, counter.now, counter.order.author, game, seat, person_id
    )
    counter.look()
    counter.notes.append(_("Welcome back: the seat is yours again."))
    return True


def may_come_back(counter: Counter, reading: Reading) -> bool:
    """Whether he left by himself, and now asks for his seat and nothing else: `join N`."""
    game, seat = counter.game, counter.order.seat
    commands = [line for line in reading.lines if line.command is not None]
    return (
        game is not None
        and seat is not None
        and len(commands) == 1
        and commands[0].command == "join"
        and (commands[0].args or {}).get("game") == game.id
        and returns_to(counter.session, game, seat, counter.order.author.person_id) is not None
    )
