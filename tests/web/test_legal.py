"""The privacy page and the imprint: what the server says, and what its operator does."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from pbem.app import create_app
from pbem.settings import Settings
from tests.web.harbour import Harbour, page


def _with(harbour: Harbour, operator: str = "", **legal: str) -> FlaskClient:
    here = harbour.installation
    site = here.settings.site
    changed: Settings = here.settings.model_copy(
        update={
            "legal": here.settings.legal.model_copy(update=legal),
            "site": site.model_copy(update={"operator": operator or site.operator}),
        }
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


def test_the_imprint_names_the_operator_until_he_writes_one(harbour: Harbour) -> None:
    client = _with(harbour, operator="Olive Owner")
    for address in ("/imprint", "/rules"):
        assert "This server is run by Olive Owner." in page(client, address).text


def test_where_nobody_is_named_the_imprint_says_what_is_to_be_filled_in(
    client: FlaskClient,
) -> None:
    shown = page(client, "/imprint").text
    assert "[site] operator" in shown
    assert "[legal] imprint" in shown
    assert "This server’s address for mail is ark@" in shown
    assert "is run by" not in shown
    assert "is run by" not in page(client, "/rules").text


@pytest.mark.parametrize(("name", "address"), [("imprint", "/imprint"), ("privacy", "/privacy")])
def test_what_the_operator_wrote_is_text(harbour: Harbour, name: str, address: str) -> None:
    client = _with(harbour, **{name: "Olive <b>Owner</b>\nHarbour 1\n\nCall first."})
    shown = page(client, address)
    assert "Olive <b>Owner</b>" in shown.text
    assert "Harbour 1</p>\n<p>Call first.</p>" in shown.source.replace("<br>", "\n")
