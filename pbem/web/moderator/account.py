"""`/moderator/me`: a moderator's own affairs: second factor, time off, deputies, browsers."""

from datetime import date

from flask import Response, abort, make_response, render_template, request
from sqlmodel import Session
from werkzeug.wrappers import Response as AnyResponse

from pbem.store import Leave
from pbem.store.audit import note
from pbem.store.deputies import (
    LeaveError,
    deputies_of,
    dismiss_deputy,
    leaves_of,
    name_deputy,
    take_leave,
)
from pbem.store.pauses import failed, forget, paused_until
from pbem.store.roles import all_with_roles
from pbem.store.second_factors import (
    accepts,
    begin,
    confirm,
    device_address,
    second_factor_of,
    secret_of,
    spares_left,
)
from pbem.store.second_factors import forget as switch_off
from pbem.store.sittings import sittings_of
from pbem.web import installation
from pbem.web.moderator.guard import Moderator, blueprint, signed_in
from pbem.web.moderator.signing_in import WRONG_CODE, paused, to

NO_CODE = "This is no code of your device now. Look at it again and take the next one."


@blueprint.get("/me")
def account() -> str:
    """Second factor, time off and deputies, and the way to the browsers."""
    who = signed_in()
    with installation().store.read() as session:
        return _page(session, who)


@blueprint.post("/me/device")
def begin_device() -> AnyResponse | str:
    """Show the secret for a new device; nothing is asked for until a code confirms it."""
    here, who = installation(), signed_in()
    with here.store.work() as session:
        row = second_factor_of(session, who.id)
        if row is not None and row.confirmed_at is not None:
            abort(409)
        begin(session, here.clock(), here.entropy, who.id)
        return _device_page(session, who)


@blueprint.post("/me/device/confirm")
def confirm_device() -> AnyResponse | str:
    """Switch the second factor on; the recovery codes are shown once, here."""
    here, who = installation(), signed_in()
    now = here.clock()
    with here.store.work() as session:
        row = second_factor_of(session, who.id)
        if row is None or row.confirmed_at is not None:
            return to("moderator.account")
        if (waits := _paused(session, who)) is not None:
            return waits
        code = request.form.get("code", "")
        codes = confirm(session, here.keys, now, here.entropy, who.id, code)
        if codes is None:
            failed(session, here.keys, now, WRONG_CODE, str(who.id))
            return make_response(_device_page(session, who, NO_CODE), 403)
        note(session, now, who.because(), "second-factor-on", subject_id=who.id)
    return render_template("moderator/recovery.html", codes=codes)


@blueprint.post("/me/device/off")
def remove_device() -> AnyResponse | str:
    """Switch the second factor off; that takes a code, too."""
    here, who = installation(), signed_in()
    now = here.clock()
    with here.store.work() as session:
        if (waits := _paused(session, who)) is not None:
            return waits
        if not accepts(session, here.keys, now, who.id, request.form.get("code", "")):
            failed(session, here.keys, now, WRONG_CODE, str(who.id))
            return make_response(_page(session, who, NO_CODE), 403)
        forget(session, here.keys, WRONG_CODE, str(who.id))
        switch_off(session, who.id)
        note(session, now, who.because(), "second-factor-off", subject_id=who.id)
    return to("moderator.account")


@blueprint.post("/me/leave")
def go_away() -> AnyResponse | str:
    """Be away as a moderator: the deputies are asked instead."""
    here, who = installation(), signed_in()
    now = here.clock()
    with here.store.work() as session:
        zone = who.person.zone or here.settings.site.zone
        try:
            first, last = _day("first"), _day("last")
            row = take_leave(session, now, who.id, zone, first, last)
        except LeaveError as error:
            return make_response(_page(session, who, str(error)), 409)
        except (ValueError, OverflowError):
            return make_response(_page(session, who, "Choose the first and the last day."), 409)
        days = {"first": row.first_day, "last": row.last_day}
        note(session, now, who.because(), "leave", subject_id=who.id, details=days)
    return to("moderator.account")


@blueprint.post("/me/leave/<int:leave_id>/end")
def come_back(leave_id: int) -> AnyResponse:
    """Be back, or take days back that have not begun."""
    here, who = installation(), signed_in()
    with here.store.work() as session:
        row = session.get(Leave, leave_id) if leave_id < 2**31 else None
        if row is None or row.person_id != who.id:
            abort(404)
        if row.ended_at is None:
            row.ended_at = here.clock()
            session.add(row)
            note(session, row.ended_at, who.because(), "leave-over", subject_id=who.id)
    return to("moderator.account")


@blueprint.post("/me/deputies")
def change_deputies() -> AnyResponse:
    """Name a deputy, or do without one."""
    here, who = installation(), signed_in()
    value, off = request.form.get("person", ""), request.form.get("do") == "dismiss"
    with here.store.work() as session:
        names = {str(one.id): one.id for one in all_with_roles(session) if one.id != who.id}
        known = {str(one.id): one.id for one in deputies_of(session, who.id)}
        number = (known if off else names).get(value)
        if number is None:
            abort(404)
        if off:
            dismiss_deputy(session, who.id, number)
        else:
            name_deputy(session, here.clock(), who.id, number)
        action = "dismiss-deputy" if off else "name-deputy"
        note(session, here.clock(), who.because(), action, subject_id=number)
    return to("moderator.account")


def _day(name: str) -> date:
    return date.fromisoformat(request.form.get(name, ""))


def _page(session: Session, who: Moderator, trouble: str = "") -> str:
    here = installation()
    now = here.clock()
    deputies = deputies_of(session, who.id)
    taken = {who.id, *(one.id for one in deputies)}
    return render_template(
        "moderator/account.html",
        factor=second_factor_of(session, who.id),
        spares=spares_left(session, who.id),
        leaves=leaves_of(session, now, who.id),
        deputies=deputies,
        others=[one for one in all_with_roles(session) if one.id not in taken],
        browsers=len(sittings_of(session, now, who.id)),
        trouble=trouble,
    )


def _device_page(session: Session, who: Moderator, trouble: str = "") -> str:
    here = installation()
    row = second_factor_of(session, who.id)
    assert row is not None
    name = who.person.name
    return render_template(
        "moderator/device.html",
        secret=secret_of(here.keys, row),
        address=device_address(here.keys, row, name, here.settings.site.name),
        trouble=trouble,
    )


def _paused(session: Session, who: Moderator) -> Response | None:
    here = installation()
    until = paused_until(session, here.keys, WRONG_CODE, str(who.id))
    return paused(until, here.clock()) if until is not None and here.clock() < until else None
