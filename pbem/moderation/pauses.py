"""Clocks stand still: of one table, or of all (the panic switch)."""

from pbem.clock import is_stopped, start, stop
from pbem.desk import failing, pausing
from pbem.moderation.model import RUNNING, Action, Case, Effect, FollowUp, Refused


def pause(case: Case) -> Effect:
    if not pausing.pause(case.session, case.site, case.now, case.author, case.game, "moderator"):
        raise Refused("stands", "The clocks of this table stand still already.")
    return Effect(
        ("The clocks of the table stand still until somebody lets them run; turns may come.",),
        inverse=FollowUp("resume", case.target),
    )


def resume(case: Case) -> Effect:
    """Let a table go on, whether it was halted by a failure or paused by people."""
    halted = case.game.halted_at is not None
    mended = failing.resume(case.session, case.site, case.now, case.author, case.game)
    if not mended and not pausing.resume(case.session, case.site, case.now, case.author, case.game):
        raise Refused("runs", "The table is neither halted nor paused.")
    if halted:
        return Effect(
            ("The halted table goes on from the position its log gives; the time in between"
             " is nobody's.",),
        )  # fmt: skip
    return Effect(
        ("The clocks of the table run again; the time in between is nobody's.",),
        inverse=FollowUp("pause", case.target),
    )


def stop_all(case: Case) -> Effect:
    if not stop(case.session, case.now):
        raise Refused("stands", "All clocks stand still already.")
    return Effect(
        ("No deadline of any table runs from now on; turns and letters go on.",),
        inverse=FollowUp("start-all", case.target),
    )


def start_all(case: Case) -> Effect:
    if start(case.session, case.now) is None:
        raise Refused("runs", "The clocks run already.")
    return Effect(
        ("All clocks run again, each credited with the time in between.",),
        inverse=FollowUp("stop-all", case.target),
    )


def _stands(case: Case) -> bool:
    return case.game.paused_at is not None or case.game.halted_at is not None


ACTIONS = (
    Action(
        "pause", "Pause the table", "Stops all clocks of the table; turns may come all the same.",
        "game", pause, at=RUNNING, fits=lambda case: not _stands(case),
        unless="The game is not running, or its clocks stand still already.",
    ),
    Action(
        "resume", "Let the table go on", "Lets the clocks of a paused or halted table run.",
        "game", resume, fits=_stands, unless="The table is neither halted nor paused.",
    ),
    Action(
        "stop-all", "Stop all clocks", "The panic switch: no deadline of any table runs.",
        "server", stop_all, reach="everywhere", fits=lambda case: not is_stopped(case.session),
    ),
    Action(
        "start-all", "Let all clocks run", "Ends the panic; nobody loses the time in between.",
        "server", start_all, reach="everywhere", fits=lambda case: is_stopped(case.session),
    ),
)  # fmt: skip
