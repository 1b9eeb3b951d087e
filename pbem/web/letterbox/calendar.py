"""`/calendar/TOKEN.ics`: a person's deadlines for calendar programs."""

from flask import Response, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from pbem.letters import calendar
from pbem.store import Person
from pbem.store.tokens import find
from pbem.translation import speaking
from pbem.web import installation
from pbem.web.letterbox.blueprint import blueprint
from pbem.web.play.visitor import visitor


@blueprint.post("/me/ways/calendar")
def change_calendar() -> AnyResponse:
    """``do``: open, close (who has the address then reads no more), files, no-files."""
    here = installation()
    with here.store.work() as session:
        who = visitor(session)
        match request.form.get("do"):
            case "open":
                calendar.open_calendar(session, here.site, here.clock(), who.id)
            case "close":
                calendar.close_calendar(session, here.clock(), who.id)
            case "files" | "no-files" as do:
                who.person.calendar_files = do == "files"
                session.add(who.person)
            case _:
                abort(400)
    return redirect(url_for("letterbox.ways"), 303)


@blueprint.get("/calendar/<token>.ics")
def deadlines(token: str) -> Response:
    """The calendar, for whoever has its address."""
    here = installation()
    with here.store.read() as session:
        row = find(session, token)
        if row is None or row.purpose != calendar.PURPOSE or row.person_id is None:
            abort(404)
        person = session.get(Person, row.person_id)
        if person is None or person.erased_at is not None:
            abort(404)
        with speaking(person.language):
            content = calendar.feed(session, here.site, person, here.clock())
    response = Response(content, content_type="text/calendar; charset=utf-8")
    response.add_etag()
    response.make_conditional(request)
    return response
