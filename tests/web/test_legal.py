"""The privacy page and the imprint: what the server says, and what its operator does."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from pbem.app import create_app
from pbem.settings import Settings
from tests.web.harbour import Harbour, page


def _with(harbour: Harbour, **legal: str) -> FlaskClient:
    here = harbour.installation
    changed: Settings = here.settings.model_copy(
        update={"legal": here.settings.legal.model_copy(update=legal)}
    )
    return create_app(replace(here, settings=changed)).test_client()


def test_every_page_leads_to_both(client: FlaskClient) -> None:
    links = {tag.attributes.get("href") for tag in page(client, "/rules").all("a")}
    assert {"/privacy", "/imprint"} <= links


def test_the_privacy_page_says_how_long_mails_are_kept(
    client: FlaskClient, harbour: Harbour
) -> None:
    days = harbour.installation.settings.mail.keep_days
    assert f"as they came, for {days} days" in page(client, "/privacy").text


def test_the_imprint_names_the_operator_until_he_writes_one(client: FlaskClient) -> None:
    assert "is run by its operator" in page(client, "/imprint").text


@pytest.mark.parametrize(("name", "address"), [("imprint", "/imprint"), ("privacy", "/privacy")])
def test_what_the_operator_wrote_is_text(harbour: Harbour, name: str, address: str) -> None:
    client = _with(harbour, **{name: "Olive <b>Owner</b>\nHarbour 1\n\nCall first."})
    shown = page(client, address)
    assert "Olive <b>Owner</b>" in shown.text
    assert "Harbour 1</p>\n<p>Call first.</p>" in shown.source.replace("<br>", "\n")
