"""A moderator's own affairs: the second factor, time off and deputies; and who has roles."""

import re
from dataclasses import replace
from datetime import timedelta

import pyotp
import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import select

from pbem.app import create_app
from pbem.cli import main
from pbem.store import RecoveryCode, SecondFactor, Sitting
from pbem.store.roles import OWNER
from tests.conftest import HandClock
from tests.web.harbour import Harbour, Page, page, person
from tests.web.moderators import appoint, audit_of, link_of, signed_in

OLIVE = "Olive Owner"


@pytest.fixture(autouse=True)
def roles(harbour: Harbour) -> None:
    appoint(harbour)


def post(client: FlaskClient, to: str, form: str, /, **fields: str) -> tuple[int, Page]:
    """Send a form of the page `form`."""
    data = {"csrf": page(client, form).field("csrf"), **fields}
    response = client.post(to, data=data)
    return response.status_code, Page(response.get_data(as_text=True))


def set_up(app: Flask, harbour: Harbour, name: str = OLIVE) -> tuple[pyotp.TOTP, list[str]]:
    """Somebody sets his device up; returns it and the recovery codes."""
    client = signed_in(app, harbour, name)
    status, shown = post(client, "/moderator/me/device", "/moderator/me")
    assert status == 200
    secret = re.search(r'class="secret">((?:<span>[A-Z2-7]{4}</span>){8})<', shown.source)
    assert secret is not None
    device = pyotp.TOTP(re.sub(r"</?span>", "", secret[1]))
    code = code_of(device, harbour)
    status, shown = post(client, "/moderator/me/device/confirm", "/moderator/me", code=code)
    assert status == 200
    codes = re.findall(r"<code>([a-z2-7-]{19})</code>", shown.source)
    assert len(set(codes)) == 10
    assert "\n".join(codes) in shown.source  # to copy
    return device, codes


def code_of(device: pyotp.TOTP, harbour: Harbour, steps: int = 0) -> str:
    return device.at(harbour.installation.clock() + timedelta(seconds=30 * steps))


def half(app: Flask, harbour: Harbour, name: str = OLIVE) -> FlaskClient:
    """A browser that has pressed the button behind the link, and no more."""
    client = app.test_client()
    harbour.installation.entropy(1)  # links are told apart by what is drawn for them
    link = f"/moderator/sign-in/{link_of(harbour, name)}"
    response = client.post(link, data={"csrf": page(client, link).field("csrf")})
    assert response.location == "/moderator/code"
    return client


def enter(client: FlaskClient, code: str) -> int:
    return post(client, "/moderator/code", "/moderator/code", code=code)[0]


def test_without_the_code_nothing_opens(app: Flask, harbour: Harbour) -> None:
    set_up(app, harbour)
    client = half(app, harbour)
    for address in ("", "/games", "/mail", "/me", "/staff", "/actions"):
        response = client.get(f"/moderator{address}")
        assert (response.status_code, response.location) == (303, "/moderator/code")
    status, _ = post(client, "/moderator/me/device/off", "/moderator/code", code="000000")
    assert status == 303
    with harbour.installation.store.read() as session:
        assert session.get(SecondFactor, person(session, harbour.installation, "Olive").id)


def test_the_code_opens_and_counts_once(app: Flask, harbour: Harbour, clock: HandClock) -> None:
    device, _codes = set_up(app, harbour)
    first, second = half(app, harbour), half(app, harbour)
    used = code_of(device, harbour)
    assert enter(first, used) == 403, "it was used to set the device up"
    clock.advance(seconds=30)
    code = code_of(device, harbour)
    assert enter(first, f" {code[:3]} {code[3:]} ") == 303
    assert page(first, "/moderator")
    assert enter(second, code) == 403
    assert [action for action, _ in audit_of(harbour)] == ["second-factor-on"]


def test_a_clock_that_is_half_a_minute_off_will_do(
    app: Flask, harbour: Harbour, clock: HandClock
) -> None:
    device, _codes = set_up(app, harbour)
    statuses = []
    for steps in (-2, 2, -1, 1):
        clock.advance(minutes=5)
        statuses.append(enter(half(app, harbour), code_of(device, harbour, steps)))
    assert statuses == [403, 403, 303, 303]


def test_a_recovery_code_stands_in_once(app: Flask, harbour: Harbour) -> None:
    _device, codes = set_up(app, harbour)
    assert enter(half(app, harbour), codes[3].upper()) == 303
    assert enter(half(app, harbour), codes[3]) == 403
    client = half(app, harbour)
    before = page(client, "/moderator/code").field("csrf")
    assert enter(client, codes[4].replace("-", " ")) == 303
    assert client.post("/moderator/sign-out", data={"csrf": before}).status_code == 400
    assert "8 recovery codes are left" in page(client, "/moderator/me").text


def test_wrong_codes_make_the_next_one_wait_whatever_the_browser(
    app: Flask, harbour: Harbour, clock: HandClock
) -> None:
    device, _codes = set_up(app, harbour)
    browsers = [half(app, harbour) for _ in range(7)]
    assert [enter(one, "123456") for one in browsers] == [403] * 5 + [429] * 2
    clock.advance(seconds=4)
    assert enter(browsers[0], code_of(device, harbour, 1)) == 429
    clock.advance(minutes=1)
    assert enter(browsers[0], code_of(device, harbour)) == 303


def test_the_step_in_between_runs_out(app: Flask, harbour: Harbour, clock: HandClock) -> None:
    _device, codes = set_up(app, harbour)
    client = half(app, harbour)
    clock.advance(minutes=10)
    response = client.get("/moderator/code")
    assert (response.status_code, response.location) == (303, "/moderator/sign-in")
    assert enter(half(app, harbour), codes[0]) == 303


def test_switching_it_off_takes_a_code(app: Flask, harbour: Harbour) -> None:
    _device, codes = set_up(app, harbour)
    client = half(app, harbour)
    assert enter(client, codes[0]) == 303
    off = "/moderator/me/device/off"
    assert post(client, "/moderator/me/device", "/moderator/me")[0] == 409, "it is on"
    assert post(client, off, "/moderator/me", code="nothing")[0] == 403
    assert post(client, off, "/moderator/me", code=codes[1])[0] == 303
    harbour.installation.entropy(1)
    assert signed_in(app, harbour, OLIVE).get("/moderator").status_code == 200
    with harbour.installation.store.read() as session:
        assert not session.exec(select(RecoveryCode)).all()


def test_an_owner_switches_off_what_was_lost(app: Flask, harbour: Harbour) -> None:
    set_up(app, harbour, "Max Moderator")
    with harbour.installation.store.read() as session:
        max_id = session.exec(select(SecondFactor.person_id)).one()
    olive = signed_in(app, harbour, OLIVE)
    off = f"/moderator/staff/{max_id}/device-off"
    assert post(olive, off, "/moderator/staff", reason="")[0] == 409
    assert post(olive, off, "/moderator/staff", reason="His phone is in the sea.")[0] == 303
    assert ("second-factor-off", "His phone is in the sea.") in audit_of(harbour)
    assert signed_in(app, harbour, "Max Moderator").get("/moderator").status_code == 200


def test_no_secret_is_stored(app: Flask, harbour: Harbour) -> None:
    device, codes = set_up(app, harbour)
    stored = repr(harbour.rows()).lower()
    assert device.secret.lower() not in stored
    assert not any(code.replace("-", "") in stored for code in codes)


def test_taking_the_last_role_signs_out_everywhere(app: Flask, harbour: Harbour) -> None:
    gil, olive = signed_in(app, harbour, "Gil Gamesman"), signed_in(app, harbour, OLIVE)
    shown = page(olive, "/moderator/staff").source
    role = re.search(r"moderator of game 2.*?/moderator/staff/roles/(\d+)/revoke", shown, re.S)
    assert role is not None
    take = f"/moderator/staff/roles/{role[1]}/revoke"
    assert post(olive, take, "/moderator/staff", reason="Thank you.")[0] == 303
    assert gil.get("/moderator").status_code == 303
    with harbour.installation.store.read() as session:
        person_id = person(session, harbour.installation, "Gil").id
        open_ones = select(Sitting).where(Sitting.person_id == person_id)
        assert all(one.revoked_at for one in session.exec(open_ones))


def test_the_last_owner_stays(app: Flask, harbour: Harbour) -> None:
    olive = signed_in(app, harbour, OLIVE)
    shown = page(olive, "/moderator/staff").source
    owners = re.findall(r"<summary>owner .*?/moderator/staff/roles/(\d+)/revoke", shown, re.S)
    assert len(owners) == 2
    statuses = [
        post(olive, f"/moderator/staff/roles/{role}/revoke", "/moderator/staff", reason="x")[0]
        for role in owners
    ]
    assert statuses == [303, 409]


GRANTS = (
    ({"kind": "moderator", "address": "cy@example.org"}, 303),
    ({"kind": "game", "game": "2", "address": "cy@example.org"}, 303),
    ({"kind": "game", "game": "99", "address": "cy@example.org"}, 409),
    ({"kind": "emperor", "address": "cy@example.org"}, 409),
    ({"kind": OWNER, "address": "new@example.org"}, 409),
    ({"kind": OWNER, "address": "new@example.org", "name": "Newt"}, 303),
    ({"kind": OWNER, "address": "nonsense", "name": "Newt"}, 409),
    ({"kind": "moderator", "address": "cy@example.org", "reason": " "}, 409),
)


def test_the_owner_gives_roles(app: Flask, harbour: Harbour) -> None:
    olive = signed_in(app, harbour, OLIVE)
    for fields, status in GRANTS:
        form, before = {"reason": "We need help.", **fields}, len(audit_of(harbour))
        found = post(olive, "/moderator/staff/grant", "/moderator/staff", **form)[0]
        assert found == status, fields
        assert len(audit_of(harbour)) - before == (status == 303)
    assert "moderator of game 2" in page(olive, "/moderator/staff").text


def test_a_moderator_takes_time_off_and_names_a_deputy(app: Flask, harbour: Harbour) -> None:
    client = signed_in(app, harbour, OLIVE)
    me = "/moderator/me"
    assert post(client, f"{me}/leave", me, first="2026-12-03", last="2026-12-01")[0] == 409
    assert post(client, f"{me}/leave", me, first="soon", last="")[0] == 409
    assert post(client, f"{me}/leave", me, first="2026-12-01", last="2026-12-03")[0] == 303
    shown = page(client, me)
    assert "2026-12-01 to 2026-12-03" in shown.text
    max_id = re.search(r'<option value="(\d+)">Max', shown.source)
    assert max_id is not None
    assert post(client, f"{me}/deputies", me, person=max_id[1])[0] == 303
    assert "deputies: Max Moderator" in page(client, "/moderator/staff").text
    assert post(client, f"{me}/deputies", me, person="1000")[0] == 404
    assert post(client, f"{me}/deputies", me, person=max_id[1], do="dismiss")[0] == 303
    assert post(client, f"{me}/leave/1/end", me)[0] == 303
    assert "2026-12-01" not in page(client, me).text
    other = signed_in(app, harbour, "Max Moderator")
    assert post(other, f"{me}/leave/1/end", me)[0] == 404
    deeds = [action for action, _ in audit_of(harbour)]
    assert deeds == ["leave", "name-deputy", "dismiss-deputy", "leave-over"]


def test_the_command_line_switches_off_what_was_lost(
    app: Flask, harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up(app, harbour)
    monkeypatch.setenv("ARK_INSTANCE", str(harbour.installation.settings.instance))
    run = CliRunner()
    done = run.invoke(main, ["moderator", "forget-device", "olive@example.org"])
    assert done.output == "Olive Owner signs in without a code now.\n"
    assert run.invoke(main, ["moderator", "forget-device", OLIVE]).exit_code == 1
    harbour.installation.entropy(1)
    assert signed_in(app, harbour, OLIVE).get("/moderator").status_code == 200


def test_cookies_are_sent_over_https_only_where_there_is_https(harbour: Harbour) -> None:
    here = harbour.installation
    web = here.settings.web.model_copy(update={"url": "https://ark.example"})
    settings = here.settings.model_copy(update={"web": web})
    client = create_app(replace(here, settings=settings)).test_client()
    link, base = f"/moderator/sign-in/{link_of(harbour, OLIVE)}", "https://ark.example"
    shown = Page(client.get(link, base_url=base).get_data(as_text=True))
    response = client.post(link, data={"csrf": shown.field("csrf")}, base_url=base)
    [cookie] = [one for one in response.headers.getlist("Set-Cookie") if "moderator" in one]
    assert cookie.startswith("__Host-ark-moderator=")
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
