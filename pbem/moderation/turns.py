"""A turn for somebody else: as he asked for it, or by a bot.

What comes off the stack is nobody's to see beforehand: the preview says what is done, and
nothing of what it brings."""

from engine.bots import bot
from engine.moves import notation
from engine.shuffle import Generator
from engine.view import view
from pbem.commands import Context, Reading, read
from pbem.desk import turns
from pbem.desk.moving import is_turn
from pbem.desk.succession import SUCCESSOR
from pbem.moderation.model import RUNNING, Action, Case, Effect, Parameter, Refused
from pbem.moderation.telling import tell
from pbem.store.people import seated
from pbem.store.positions import deck_of, position_now
from pbem.translation import later


def act_for(case: Case) -> Effect:
    """The turn somebody has asked for, in the grammar of mails."""
    reading = _read(case)
    move = reading.turn
    if move is None:
        raise Refused("no-turn", _trouble(reading), "commands")
    name, holder = case.name_of(case.seat), case.holder
    event = turns.play(case.session, case.site, case.now, case.author, case.game, case.seat, move)
    tell(case, holder.person_id, later("Your turn was done for you."), turn=event.seq)
    return Effect((f"The turn of {name} is done: {notation(move)}.",), subject_id=holder.person_id)


def play_once(case: Case) -> Effect:
    """A bot does this one turn; it sees what the seat sees."""
    position, name, holder = position_now(case.game), case.name_of(case.seat), case.holder
    chance = Generator(f"{case.game.seed}/late/{case.game.seq}")
    move = bot(SUCCESSOR).choose(view(position, case.seat), chance)
    event = turns.play(
        case.session, case.site, case.now, case.author, case.game, case.seat, move, outcome="bot"
    )
    tell(case, holder.person_id, later("A bot has done this turn for you."), turn=event.seq)
    return Effect((f"A bot does the present turn of {name}.",), subject_id=holder.person_id)


def may_move(case: Case) -> bool:
    """A person's seat that is to move, at a table that is not halted."""
    return (
        case.game.halted_at is None
        and case.seat in position_now(case.game).to_move
        and case.holder.person_id is not None
    )


def _read(case: Case) -> Reading:
    if not case.values["commands"]:
        raise Refused("no-turn", "Write the turn, as in a mail.", "commands")
    context = Context(
        deck=deck_of(case.game),
        names=tuple(one.name for one in seated(case.session, case.game)),
        view=view(position_now(case.game), case.seat),
        game=case.game.id,
        today=case.now.date(),
    )
    reading = read(case.values["commands"], context)
    if any(line.command is not None and not is_turn(line) for line in reading.lines):
        raise Refused("turn-only", "Nothing but a turn is done for somebody else.", "commands")
    return reading


def _trouble(reading: Reading) -> str:
    """Why nothing can be done, as the player would be told."""
    said = next((line.message for line in reading.lines if line.message), None)
    return said or "There is no turn in this text; write one as in a mail: take fox."


# Whether a turn is legal tells of the hand: nobody who plays there may ask.
ACTIONS = (
    Action(
        "act-for", "Do a turn for the player", "Does what the player has asked for, written as in"
        " a mail; the player gets a copy.", "seat", act_for,
        (Parameter("commands", "The turn", "text", most=500, private=True,
                   hint="take fox; play fox L2; pet fox; pet none; pass"),),
        players="never", at=RUNNING, fits=may_move, blind=True, tells=True,
    ),
    Action(
        "play-once", "Let a bot do this turn", "A bot does the present turn only; the player keeps"
        " the seat.", "seat", play_once, players="owner", at=RUNNING, fits=may_move, blind=True,
    ),
)  # fmt: skip
