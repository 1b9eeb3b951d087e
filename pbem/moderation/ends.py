"""Before its time, not to be counted, put aside: the ends of games."""

from pbem.desk import ending, tables, waits
from pbem.letters import announce
from pbem.moderation.model import CLOSED, INVITING, RUNNING, Action, Case, Effect, FollowUp
from pbem.moderation.telling import tell_table
from pbem.store import daily
from pbem.store.log import append
from pbem.store.people import holders
from pbem.store.positions import position_now
from pbem.translation import later


def end(case: Case) -> Effect:
    ending.end(case.session, case.site, case.now, case.author, case.game, "moderator")
    return Effect(
        ("The game ends before its last turn; nobody wins.",),
        inverse=FollowUp("reopen", case.target),
    )


def reopen(case: Case) -> Effect:
    """A game that was ended goes on where it stood."""
    game, position = case.game, position_now(case.game)
    daily.changed(case.session, case.now, game.finished_at)
    game.status, game.finished_at = "running", None
    append(case.session, game, "reopened", case.now, case.author, public={})
    waits.follow(case.session, game, position, case.now)
    game.bot_waits = waits.moves_at_once(case.session, game, position)
    game.active_at, game.silence_told_at = case.now, None
    case.session.add(game)
    tell_table(case, later("The game goes on where it stood."))
    for one in holders(case.session, game):
        announce.ask(case.session, case.site, case.now, game, one.seat)
    return Effect(
        ("The game goes on where it stood; whoever is to move has the whole time of a turn.",),
        inverse=FollowUp("end", case.target),
    )


def call_off(case: Case) -> Effect:
    tables.expire(case.session, case.site, case.now, case.game)
    return Effect(("The table is closed before it begins, and everybody invited is told.",))


def void(case: Case) -> Effect:
    case.game.voided_at = case.now
    case.session.add(case.game)
    tell_table(case, later("This game does not count: not for ratings, not for statistics."))
    return Effect(
        ("The game does not count for ratings and statistics; it can be read as before.",),
        inverse=FollowUp("count-again", case.target),
    )


def count_again(case: Case) -> Effect:
    case.game.voided_at = None
    case.session.add(case.game)
    tell_table(case, later("This game counts again for ratings and statistics."))
    return Effect(
        ("The game counts again for ratings and statistics.",),
        inverse=FollowUp("void", case.target),
    )


def shelve(case: Case) -> Effect:
    case.game.shelved_at = case.now
    case.session.add(case.game)
    return Effect(
        ("The game is on no list of what is to be looked after; its pages stay.",),
        inverse=FollowUp("unshelve", case.target),
    )


def unshelve(case: Case) -> Effect:
    case.game.shelved_at = None
    case.session.add(case.game)
    return Effect(("The game is on the lists again.",), inverse=FollowUp("shelve", case.target))


ACTIONS = (
    Action(
        "end", "End the game", "Ends a running game before its last turn; nobody wins.",
        "game", end, players="owner", at=RUNNING, unless="The game is not running.",
    ),
    Action(
        "reopen", "Let an ended game go on", "Where it stood when it was ended.",
        "game", reopen, players="owner", at=frozenset({"ended"}),
        fits=lambda case: case.game.setup is not None,
    ),
    Action(
        "call-off", "Call the table off", "Closes a table that has not begun.",
        "game", call_off, at=INVITING,
    ),
    Action(
        "void", "Void the game", "It does not count for ratings and statistics.",
        "game", void, players="owner", at=RUNNING | CLOSED,
        fits=lambda case: case.game.voided_at is None,
    ),
    Action(
        "count-again", "Let the game count again", "Takes back that it was voided.",
        "game", count_again, players="owner", at=RUNNING | CLOSED,
        fits=lambda case: case.game.voided_at is not None,
    ),
    Action(
        "shelve", "Archive the game", "Puts a game that is over off the lists.",
        "game", shelve, reason=False, at=CLOSED, fits=lambda case: case.game.shelved_at is None,
    ),
    Action(
        "unshelve", "Put the game on the lists again", "Takes back that it was archived.",
        "game", unshelve, reason=False, at=CLOSED,
        fits=lambda case: case.game.shelved_at is not None,
    ),
)  # fmt: skip
