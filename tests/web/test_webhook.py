"""Mail in by webhook: signed, stored before it is answered, refused with a clear status."""

import pytest
from flask.testing import FlaskClient
from sqlmodel import select
from werkzeug.test import TestResponse

from pbem.app import create_app
from pbem.installation import Installation, open_installation
from pbem.settings import Settings, Webhook
from pbem.store import Mail
from pbem.web.webhook import signature
from tests.conftest import HandClock

SECRET = "a secret of some length"
MAIL = b"From: ann@example.net\r\nTo: ark@ark.example\r\nSubject: help\r\n\r\nhelp\r\n"
QUERY = b"sender=ann%40example.net&recipient=ark%40ark.example"


@pytest.fixture
def here(settings: Settings, clock: HandClock) -> Installation:
    opened = settings.model_copy(update={"webhook": Webhook(secret=SECRET)})
    return open_installation(opened, clock=clock)


@pytest.fixture
def client(here: Installation) -> FlaskClient:
    return create_app(here).test_client()


def _post(
    client: FlaskClient, here: Installation, raw: bytes = MAIL, query: bytes = QUERY, **wrong: str
) -> TestResponse:
    timestamp = wrong.get("timestamp", str(int(here.clock().timestamp())))
    headers = {
        "X-Ark-Timestamp": timestamp,
        "X-Ark-Signature": wrong.get("signature", signature(SECRET, timestamp, query, raw)),
    }
    return client.post(f"/webhook/mail?{query.decode()}", data=raw, headers=headers)


def _mails(here: Installation) -> list[Mail]:
    with here.store.read() as session:
        return list(session.exec(select(Mail)))


def test_a_signed_mail_is_in_the_inbox_byte_for_byte(
    client: FlaskClient, here: Installation
) -> None:
    assert _post(client, here).status_code == 204
    (mail,) = _mails(here)
    assert (mail.raw, mail.channel, mail.envelope_to) == (MAIL, "webhook", ["ark@ark.example"])


@pytest.mark.parametrize(
    ("sender", "envelope_from"),
    [("", ""), ("sender=&", "<>"), ("sender=%3C%3E&", "<>"), ("sender=a@x.org&", "a@x.org")],
)
def test_a_null_return_path_is_not_one_that_nobody_told(
    client: FlaskClient, here: Installation, sender: str, envelope_from: str
) -> None:
    query = f"{sender}recipient=ark@ark.example".encode()
    assert _post(client, here, query=query).status_code == 204
    assert [mail.envelope_from for mail in _mails(here)] == [envelope_from]


@pytest.mark.parametrize(
    "wrong",
    [
        {"signature": ""},
        {"signature": "0" * 64},
        {"signature": "\u00e4"},
        {"timestamp": "0"},
        {"timestamp": "99999999999999999999"},
        {"timestamp": "now"},
        {"timestamp": ""},
    ],
)
def test_without_the_right_signature_nothing_is_taken(
    client: FlaskClient, here: Installation, wrong: dict[str, str]
) -> None:
    assert _post(client, here, **wrong).status_code == 401
    assert _mails(here) == []


def test_the_envelope_is_signed_too(client: FlaskClient, here: Installation) -> None:
    timestamp = str(int(here.clock().timestamp()))
    headers = {
        "X-Ark-Timestamp": timestamp,
        "X-Ark-Signature": signature(SECRET, timestamp, QUERY, MAIL),
    }
    answer = client.post("/webhook/mail?recipient=ark@ark.example", data=MAIL, headers=headers)
    assert answer.status_code == 401


def test_an_unknown_address_and_too_large_a_mail(client: FlaskClient, here: Installation) -> None:
    assert _post(client, here, query=b"recipient=t-nobody%40ark.example").status_code == 404
    large = MAIL + b"x" * here.settings.mail.max_bytes
    assert _post(client, here, raw=large).status_code == 413
    assert _mails(here) == []


def test_trouble_of_our_own_is_temporary(client: FlaskClient, here: Installation) -> None:
    with here.store.engine.connect() as connection:
        connection.exec_driver_sql("DROP TABLE mail")
    assert _post(client, here).status_code == 503


def test_without_a_secret_there_is_no_such_page(installation: Installation) -> None:
    client = create_app(installation).test_client()
    assert client.post("/webhook/mail", data=MAIL).status_code == 404
