"""A GET never acts; a POST acts only from one of our own pages."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.web.harbour import FINISHED, RUNNING, Harbour, page

# A sensible value for each part of an address: a table that is there, a letter that is.
VALUES = {
    "game_id": (FINISHED, RUNNING),
    "invitation_id": (8,),
    "letter_id": (1,),
    "mail_id": (1,),
    "address": ("ann@example.org",),
    "filename": ("ark.css",),
    "sitting_id": (1,),
    "link": ("a" * 26,),
    "kind": ("news",),
    "hook_id": (1,),
    "person_id": (1,),
    "role_id": (1,),
    "leave_id": (1,),
    "form": ("csv",),
    "audit_id": (1,),
    "turn": (3,),
    "profile_id": (1,),
    "name": ("seat",),
}


def addresses(harbour: Harbour, rule: Rule) -> list[str]:
    """The addresses of a rule, its parts filled in."""
    found = [rule.rule]
    for part in rule.arguments:
        values = (harbour.token("Ann"),) if part == "token" else VALUES[part]
        pattern = re.compile(rf"<([^>:]+:)?{part}>")
        found = [pattern.sub(str(value), one) for one in found for value in values]
    return found


@pytest.mark.parametrize("with_postroom", [True])
def test_looking_changes_nothing(app: Flask, harbour: Harbour, ann: FlaskClient) -> None:
    before = harbour.rows()
    statuses = []
    for rule in app.url_map.iter_rules():
        for address in addresses(harbour, rule):
            for ending in ("", "?do=do&text=take+fox&key=0123456789abcdef0&decision=0&answer=1"):
                statuses.append(ann.get(address + ending, buffered=True).status_code)
                ann.head(address + ending, buffered=True)
    assert harbour.rows() == before
    known = {200, 302, 303, 401, 404, 405}
    assert {200, 303, 405} <= set(statuses) <= known, "each page was looked at"


@pytest.mark.parametrize("with_postroom", [True])
@pytest.mark.parametrize("mark", [None, "", "wrong", "ünicode"])
def test_a_post_needs_the_mark_of_the_session(
    app: Flask, harbour: Harbour, ann: FlaskClient, mark: str | None
) -> None:
    form = page(ann, f"/me/games/{RUNNING}")
    before = harbour.rows()
    posts = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert len(posts) >= 5
    # Programs have no session; what they send holds a token for this alone.
    bearing = ("letterbox.ended", "api.move", "api.preview")
    posts = [rule for rule in posts if rule.endpoint not in bearing]
    for rule in posts:
        for address in addresses(harbour, rule):
            data = {
                "key": form.field("key"),
                "decision": form.field("decision"),
                "text": "pass",
                "do": "do",
            }
            response = ann.post(address, data=data if mark is None else {**data, "csrf": mark})
            assert response.status_code == 400, address
            assert "gone stale" in response.get_data(as_text=True)
    assert harbour.rows() == before


def test_the_mark_of_another_session_does_not_do(
    app: Flask, harbour: Harbour, ann: FlaskClient
) -> None:
    bo = harbour.browser(app, "Bo")
    page(ann, "/me")
    stolen = page(bo, f"/me/games/{RUNNING}").field("csrf")
    response = ann.post("/me/leave", data={"csrf": stolen})
    assert response.status_code == 400
    assert page(ann, "/me")


@pytest.mark.parametrize("missing", ["key", "decision", "text"])
def test_half_a_form_is_refused(harbour: Harbour, ann: FlaskClient, missing: str) -> None:
    form = page(ann, f"/me/games/{RUNNING}")
    before = harbour.rows()
    data = {name: form.field(name) for name in ("csrf", "key", "decision")} | {"text": "status"}
    del data[missing]
    assert ann.post(f"/me/games/{RUNNING}", data=data).status_code == 400
    assert harbour.rows() == before


@pytest.mark.parametrize(
    ("field", "value"),
    [("key", "short"), ("key", "x" * 100), ("decision", "-1"), ("decision", "9" * 30),
     ("decision", "²")],
)  # fmt: skip
def test_nonsense_in_a_form_is_refused(
    harbour: Harbour, ann: FlaskClient, field: str, value: str
) -> None:
    form = page(ann, f"/me/games/{RUNNING}")
    before = harbour.rows()
    data = {name: form.field(name) for name in ("csrf", "key", "decision")} | {"text": "status"}
    assert ann.post(f"/me/games/{RUNNING}", data={**data, field: value}).status_code == 400
    assert harbour.rows() == before
