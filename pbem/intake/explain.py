"""How a mail is read, without doing anything (commands.md 5).

Nothing is stored or sent; without a game no database and no instance folder is needed.
"""

from typing import Any

from engine.cards import builtin_deck
from pbem.commands import Context, read
from pbem.desk.ahead import context_of
from pbem.desk.counter import Counter
from pbem.installation import Installation
from pbem.intake.identify import Identity
from pbem.intake.known import quotable
from pbem.intake.message import Message, OwnAddresses, read_message
from pbem.intake.ordering import order_of, text_of
from pbem.store import Game
from pbem.store.people import holders
from pbem.store.tokens import Bearer

READ = frozenset({"commands", "empty", "list"})
"""The kinds whose text is read for commands; the others never act (commands.md 1.6)."""


class UnknownSeatError(LookupError):
    """There is no such game or seat; the text is one line for whoever asked."""


def explain(
    raw: bytes,
    installation: Installation | None = None,
    game_id: int | None = None,
    seat: int | None = None,
) -> dict[str, Any]:
    """The JSON object for one mail.  With an installation, game and seat it is read as the
    server would for that seat now.  Only a seat that does not exist raises."""
    if installation is None:
        message = read_message(raw)
        context = Context(builtin_deck(), sender=message.sender_name or None)
        return _object(message, context)
    with installation.store.read() as session:
        game = None if game_id is None else session.get(Game, game_id)
        held = [] if game is None else holders(session, game)
        holder = next((one for one in held if one.seat == seat), None)
        if holder is None:
            raise UnknownSeatError(f"there is no seat {seat} in a game {game_id} that has begun")
        bearer = Bearer("seat", holder.person_id, game_id, seat)
        identity = Identity("act", bearer, holder.person_id, holder.name, confirmed=True)
        sent = quotable(session, installation.site, identity)
        message = read_message(raw, sent, OwnAddresses.of(installation.settings))
        counter = Counter.opened(
            session,
            installation.site,
            installation.clock(),
            installation.entropy,
            order_of(message, identity),
        )
        return _object(message, context_of(counter))


def unreadable() -> dict[str, Any]:
    """What is said of bytes that cannot be read at all, or not in time."""
    names = {"message_id": "", "from": "", "subject": "", "text": ""}
    return {"kind": "unreadable", **names, "cut": [], "lines": []}


def _object(message: Message, context: Context) -> dict[str, Any]:
    text = text_of(message) if message.kind in READ else message.text
    # A command in the subject of a mail without new text is what the mail says.
    kind = "commands" if message.kind == "empty" and text else message.kind
    lines = read(text, context, message.breaks).lines if kind in READ else ()
    described: dict[str, Any] = {
        "kind": kind,
        "message_id": message.message_id,
        "from": message.sender,
        "subject": message.subject,
        "text": text,
        "cut": list(message.cut),
        "lines": [line.to_json() for line in lines],
    }
    if message.bounce is not None:
        described["bounce"] = message.bounce.to_json()
    return described
