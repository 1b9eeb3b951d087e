"""`/unsubscribe/TOKEN/KIND`: one POST ends letters of a kind, without login (RFC 8058).

A GET shows a page with a button and changes nothing: mail scanners follow links.
"""

from flask import Response, abort, make_response, render_template, request
from sqlmodel import Session

from pbem.desk import unsubscribing as desk
from pbem.store import Person
from pbem.store.tokens import find
from pbem.translation import speaking
from pbem.web import forms, installation
from pbem.web.letterbox.blueprint import blueprint

PURPOSE = "unsubscribe"


@blueprint.get("/unsubscribe/<token>/<kind>")
def asked(token: str, kind: str) -> Response:
    """What would end, and the button that ends it (or lets it begin again)."""
    with installation().store.read() as session:
        return _page(_person(session, token, kind), token, kind, changed=False)


@blueprint.post("/unsubscribe/<token>/<kind>")
@forms.signed_otherwise  # the token in the address is the proof; a mail program has no session
def ended(token: str, kind: str) -> Response:
    """Act at once; with ``do=back`` the other way round."""
    with installation().store.work() as session:
        person = _person(session, token, kind)
        if request.form.get("do") == "back":
            desk.subscribe(session, person, kind)
        else:
            desk.unsubscribe(session, person, kind)
        return _page(person, token, kind, changed=True)


def _person(session: Session, token: str, kind: str) -> Person:
    row = find(session, token)
    if row is None or row.purpose != PURPOSE or kind not in desk.KINDS:
        abort(404)
    person = None if row.person_id is None else session.get(Person, row.person_id)
    if person is None or person.erased_at is not None:
        abort(404)
    return person


def _page(person: Person, token: str, kind: str, *, changed: bool) -> Response:
    with speaking(person.language):
        page = render_template(
            "letterbox/unsubscribe.html",
            token=token, kind=kind, changed=changed, comes=desk.is_subscribed(person, kind),
        )  # fmt: skip
    return make_response(page)
