"""Two steps: `prepare` shows what would happen and gives a key; `carry_out` does it with that
key, once, and not if anything it rests on has moved meanwhile."""

import hmac
import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session

from pbem.desk import once
from pbem.desk.offering import OfferError
from pbem.desk.rehearsing import Since, attempt
from pbem.desk.tables import TableError
from pbem.installation import Installation
from pbem.moderation import going_on, parameters
from pbem.moderation.may import FOR_OTHERS, place_of, refusal
from pbem.moderation.model import Action, Case, Effect, Refused, Target
from pbem.moderation.outcome import Outcome
from pbem.moderation.registry import ACTIONS
from pbem.moderation.state import LOOKED_AT, last_done, state_of
from pbem.moderation.telling import sign
from pbem.store import Audit, Deed
from pbem.store.audit import Actor, note
from pbem.store.log import append
from pbem.store.moderated import MODERATED
from pbem.store.roles import Powers

log = logging.getLogger(__name__)

KEY_LIVES = timedelta(hours=12)
MOST_REASON = 500
NOT_NOW = "This cannot be done now: the game, or what it is about, is not in that state."
_TELL_NOTHING = frozenset({"not-yours", "no-mail", "no-game", "not-begun", "not-now", *FOR_OTHERS})
_PREFIX = "moderation:"


def prepare(
    here: Installation, actor: Actor, powers: Powers | None, name: str, target: Target,
    given: Mapping[str, str],
) -> Outcome:  # fmt: skip
    """What an action would do, with the key to do it; nothing is done."""
    return _run(here, actor, powers, name, target, given, None)


def carry_out(
    here: Installation, actor: Actor, powers: Powers | None, name: str, target: Target,
    given: Mapping[str, str], key: str,
) -> Outcome:  # fmt: skip
    """Do what was prepared with this key.  The same key again does nothing and gives the
    first outcome; with a key for another state nothing is done."""
    outcome = _run(here, actor, powers, name, target, given, key)
    if outcome.ok and not outcome.repeated:
        if outcome.left:
            _begin(here)
        here.nudge()
    return outcome


def _begin(here: Installation) -> None:
    """Begin with what was confirmed for many; if that fails, it stands, and is done later."""
    try:
        going_on.go_on(here, going_on.AT_FIRST)
    except Exception:
        log.exception("an action on many could not be begun at once")


def outcome_of(session: Session, audit: Audit) -> Outcome | None:
    """What an action came to, as long as that is kept; the audit itself stays."""
    key = audit.details.get("key")
    deed = None if key is None else session.get(Deed, _PREFIX + key)
    return None if deed is None or deed.answer is None else Outcome.from_json(deed.answer)


def _run(
    here: Installation, actor: Actor, powers: Powers | None, name: str, target: Target,
    given: Mapping[str, str], key: str | None,
) -> Outcome:  # fmt: skip
    action = ACTIONS.get(name)
    if action is None:
        return Outcome("no-action", "There is no such action; choose one on the page of its game.")
    target = target.of(action.scope)
    outcome = _attempt(here, actor, powers, action, target, given, key)
    if key is None and action.tells and outcome.code not in _TELL_NOTHING:
        with here.store.work() as session:
            _write_down_look(session, here.clock(), actor, action, target, given, outcome)
    return outcome


def _attempt(
    here: Installation, actor: Actor, powers: Powers | None, action: Action, target: Target,
    given: Mapping[str, str], key: str | None,
) -> Outcome:  # fmt: skip
    """One unit of work; what a preview does in it is taken back."""
    try:
        ahead = None if action.ahead is None else action.ahead(here, target)

        def act(session: Session) -> Outcome:
            case = Case(
                here, session, here.clock(), actor, target, powers=powers, locks=True, ahead=ahead
            )
            return _within(action, case, given, key)

        return attempt(here.store, act, lambda outcome: key is not None and not outcome.repeated)
    except Refused as refused:
        return Outcome(refused.code, refused.sentence, refused.about)
    except (TableError, OfferError) as refused:
        return Outcome(refused.code, refused.sentence)
    except Exception:
        log.exception("the action %s failed", action.name)
        sentence = "This could not be done, and nothing was; the server's log says why."
        return Outcome("failed", sentence)


def _within(action: Action, case: Case, given: Mapping[str, str], key: str | None) -> Outcome:
    """The action in its unit of work: looked at once more, done, written down."""
    session = case.session
    if key is not None and (deed := session.get(Deed, _PREFIX + key)) is not None:
        first = Outcome.from_json(deed.answer or {})
        if first.audit_id is None or session.get_one(Audit, first.audit_id).action != action.name:
            raise Refused("stale", "This form was of another action; look at it once more.")
        return replace(first, repeated=True)
    if (refused := refusal(session, action, case.powers, case.target)) is not None:
        raise refused
    _check_target(action, case)
    case.values = parameters.read(action, case, given)
    if key is None:
        issued = f"{case.now:%Y%m%dT%H%M%S}"
    else:
        issued = key.partition("-")[0]
        _check_reason(action, case)
        _check_age(case, issued)
    case.shown_at = _time(case, issued)
    expected = _key(action, case, given, issued)
    if key is not None and not hmac.compare_digest(key.encode(), expected.encode()):
        sentence = "Something has changed since you looked; look again, then decide."
        raise Refused("stale", sentence)
    outcome = _done(action, case, given, expected)
    if key is not None:
        once.record(session, _PREFIX + expected, None, case.now, outcome.to_json())
        return outcome
    if action.blind:
        outcome = replace(outcome, events=(), letters=())
    return replace(outcome, audit_id=None)


def _check_target(action: Action, case: Case) -> None:
    """The target has what the scope of the action asks for, and is in the right state."""
    match action.scope:
        case "seat":
            _ = case.seat
        case "game":
            _ = case.game
        case "person":
            _ = case.person
        case "mail":
            _ = case.mail
        case "letter":
            _ = case.letter
        case _:
            pass
    if (action.at and case.game.status not in action.at) or not action.fits(case):
        raise Refused("not-now", action.unless or NOT_NOW)


def _check_reason(action: Action, case: Case) -> None:
    if action.reason and not case.actor.reason:
        raise Refused("reason", "Say why, please: the reason is kept with it.", "reason")


def _check_age(case: Case, issued: str) -> None:
    try:
        at = _time(case, issued)
    except ValueError:
        raise Refused("stale", "This form is not one of ours; look once more.") from None
    if not timedelta(seconds=-1) <= case.now - at <= KEY_LIVES:
        raise Refused("stale", "This form is too old; look once more, then decide.")


def _time(case: Case, issued: str) -> datetime:
    return datetime.strptime(issued, "%Y%m%dT%H%M%S").replace(tzinfo=case.now.tzinfo)


def _key(action: Action, case: Case, given: Mapping[str, str], issued: str) -> str:
    """What was shown, to whom, and all that it rests on, as one short text."""
    asked = {one.name: parameters.plain(given.get(one.name, "")) for one in action.parameters}
    rests_on = [
        state_of(case), last_done(case, action), action.state(case) if action.state else None
    ]  # fmt: skip
    plain = json.dumps(
        [action.name, case.actor.person_id, case.target.to_json(), asked, rests_on, issued],
        sort_keys=True, default=str,
    )  # fmt: skip
    return f"{issued}-{case.here.keys.derive('moderation', plain).hex()[:32]}"


def _done(action: Action, case: Case, given: Mapping[str, str], key: str) -> Outcome:
    session = case.session
    since = Since.now(session)
    effect = action.act(case)
    sign(case, since.letter)
    _tell_log(action, case, effect)
    audit = _write_down(action, case, effect, key)
    if effect.left:
        effect = replace(effect, inverse=going_on.begin(case, action, given, audit))
    session.flush()
    return Outcome(
        sentences=effect.sentences, warnings=effect.warnings, changes=effect.changes,
        inverse=effect.inverse, key=key, audit_id=audit.id, left=effect.left,
        events=since.events(), letters=since.letters(),
    )  # fmt: skip


def _tell_log(action: Action, case: Case, effect: Effect) -> None:
    """The table's log names who did it, and to whom; what is told at the end of the game
    only has an event of its own."""
    if action.scope not in ("game", "seat") or action.shows is not None:
        return
    facts: dict[str, Any] = {"action": action.name, "by": case.actor.person_id}
    if case.target.seat is not None:
        facts |= {"seat": case.target.seat, "person": _subject(case, effect)}
    append(
        case.session, case.game, MODERATED, case.now, case.author,
        seat=case.target.seat, public=facts,
    )  # fmt: skip
    case.session.add(case.game)


def _write_down(action: Action, case: Case, effect: Effect, key: str) -> Audit:
    private = {one.name for one in action.parameters if one.private}
    values = {
        name: str(value.id if hasattr(value, "id") else value)
        for name, value in case.values.items()
        if value is not None and name not in private
    }
    game_id, seat = place_of(case.session, case.target)
    row = note(
        case.session, case.now, case.actor, action.name,
        game_id=game_id, seat=seat, mail_id=case.target.mail_id,
        letter_id=case.target.letter_id, subject_id=_subject(case, effect),
        outcome="begun" if effect.left else "done",
        details={"key": key, "values": values, **effect.details},
    )  # fmt: skip
    case.session.flush()
    return row


def _write_down_look(
    session: Session, now: datetime, actor: Actor, action: Action, target: Target,
    given: Mapping[str, str], outcome: Outcome,
) -> None:  # fmt: skip
    """A preview that tells of a hand whether a turn is legal stands in the audit, too."""
    game_id, seat = place_of(session, target)
    note(
        session, now, actor, action.name, game_id=game_id, seat=seat, mail_id=target.mail_id,
        outcome=LOOKED_AT, details={"code": outcome.code, "for": given.get("seat", "")[:20]},
    )  # fmt: skip


def _subject(case: Case, effect: Effect) -> int | None:
    if effect.subject_id is not None or case.target.person_id is not None:
        return effect.subject_id or case.target.person_id
    if case.target.seat is None or case.game.setup is None:
        return None
    return case.holder.person_id
