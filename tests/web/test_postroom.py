"""The post room: for this machine only, and by real mail only."""

import email
import email.policy
from email.message import EmailMessage

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlmodel import col, select

from pbem.app import create_app
from pbem.settings import SettingsError
from pbem.store import Letter, Mail
from pbem.web.loopback import HANDED_ON
from pbem.web.postroom.writing import DOMAIN, WrittenMail, compose, reply_subject
from tests.web.harbour import RUNNING, Harbour, Page, page
from tests.web.running import at_work


@pytest.fixture
def with_postroom() -> bool:
    return True


def asking_letter(harbour: Harbour) -> Letter:
    """The letter that asks Ann for her move."""
    with harbour.installation.store.read() as session:
        letter = session.exec(
            select(Letter)
            .where(Letter.kind == "your-turn", Letter.game_id == RUNNING, Letter.seat == 0)
            .order_by(col(Letter.id).desc())
        ).first()
        assert letter is not None
        session.expunge(letter)
        return letter


def mails(harbour: Harbour) -> list[Mail]:
    with harbour.installation.store.read() as session:
        found = list(session.exec(select(Mail).order_by(col(Mail.id))))
        session.expunge_all()
        return found


# -- who gets in


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "ark.example.org"])
def test_it_is_refused_where_others_could_reach_it(harbour: Harbour, host: str) -> None:
    settings = harbour.installation.settings
    web = settings.web.model_copy(update={"host": host})
    exposed = type(harbour.installation)(
        settings=settings.model_copy(update={"web": web}),
        **{
            name: getattr(harbour.installation, name)
            for name in ("store", "keys", "clock", "entropy", "site", "desk")
        },
    )
    with pytest.raises(SettingsError, match=r"web\.postroom.*refused while web\.host is"):
        create_app(exposed)


@pytest.mark.parametrize("with_postroom", [False])
def test_it_is_not_there_unless_wanted(client: FlaskClient) -> None:
    assert client.get("/postroom").status_code == 404
    assert "Post room" not in page(client, "/").text


@pytest.mark.parametrize("address", ["/postroom", "/postroom/letters/1/html", "/postroom/compose"])
@pytest.mark.parametrize(
    ("host", "remote", "let_in"),
    [
        ("127.0.0.1:8080", "127.0.0.1", True),
        ("localhost", "::1", True),
        ("[::1]:8080", "::1", True),
        ("127.0.0.1", "192.0.2.7", False),
        ("evil.example", "127.0.0.1", False),  # a name of somebody else's that points here
        ("127.0.0.1.evil.example", "127.0.0.1", False),
        ("[", "127.0.0.1", False),
    ],
)
def test_it_answers_this_machine_only(
    client: FlaskClient, address: str, host: str, remote: str, let_in: bool
) -> None:
    response = client.get(address, headers={"Host": host}, environ_base={"REMOTE_ADDR": remote})
    assert response.status_code == (200 if let_in else 403)
    assert ("Sunday" in response.get_data(as_text=True)) <= let_in


@pytest.mark.parametrize("name", sorted(HANDED_ON))
def test_what_a_web_server_in_front_hands_on_is_a_strangers(client: FlaskClient, name: str) -> None:
    here = {"REMOTE_ADDR": "127.0.0.1"}
    assert (
        client.get("/postroom", headers={"Host": "localhost"}, environ_base=here).status_code == 200
    )
    asked = {"Host": "localhost", name: "127.0.0.1"}
    assert client.get("/postroom", headers=asked, environ_base=here).status_code == 403
    assert set(client.get("/health", headers=asked, environ_base=here).json or {}) == {"status"}


# -- looking


def test_the_letter_that_waits_is_open_at_once(client: FlaskClient, harbour: Harbour) -> None:
    shown = page(client, "/postroom")
    assert "Answer as ann@example.org" in shown.text
    assert f"/postroom/letters/{asking_letter(harbour).id}/html" in shown.source
    assert shown.source.count('<span class="badge">to move</span>') == 1


def test_an_example_can_be_pressed(client: FlaskClient) -> None:
    """A link, so that it works without scripts; it fills the box and does nothing."""
    link = next(
        tag.attributes["href"]
        for tag in page(client, "/postroom").all("a")
        if "data-fill" in tag.attributes
    )
    assert "text=take+" in link or "text=take%20" in link
    assert ">take " in page(client, link.partition("#")[0]).source.split("<textarea")[1]


def test_every_mailbox_and_mail_is_there(client: FlaskClient, harbour: Harbour) -> None:
    with harbour.installation.store.read() as session:
        letters = session.exec(select(Letter).where(Letter.state != "replaced")).all()
        assert {letter.to_address for letter in letters} == {
            "ann@example.org", "bo@example.org", "cy@example.org",
        }  # fmt: skip
        for letter in letters:
            assert (
                f'"/postroom/letters/{letter.id}"'
                in page(client, f"/postroom/mailbox/{letter.to_address}").source
            )
    assert "Nothing has come yet" in page(client, "/postroom/mailbox/no@example.org").text
    for number in ("999", "99999999999999999999"):
        assert client.get(f"/postroom/letters/{number}").status_code == 404
        assert client.get(f"/postroom/mails/{number}").status_code == 404


def test_a_letter_is_caged(client: FlaskClient, harbour: Harbour) -> None:
    """Its frame may style itself and open links beside the page, and nothing else."""
    letter = asking_letter(harbour)
    frame = page(client, f"/postroom/letters/{letter.id}").all("iframe")[0].attributes
    assert "allow-scripts" not in frame["sandbox"]
    response = client.get(frame["src"])
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert "frame-ancestors 'self'" in policy
    assert "allow-scripts" not in policy
    assert '<base target="_blank">' in response.get_data(as_text=True)
    assert "frame-src 'self'" in client.get("/postroom").headers["Content-Security-Policy"]


def test_the_text_part_can_be_read(client: FlaskClient, harbour: Harbour) -> None:
    shown = page(client, f"/postroom/letters/{asking_letter(harbour).id}?as=text")
    assert "Ann Archer, it is your turn." in shown.text
    assert not shown.all("iframe")


# -- writing


def send_answer(client: FlaskClient, letter: Letter, text: str, **more: str) -> Page:
    form = page(client, f"/postroom/letters/{letter.id}")
    response = client.post(
        f"/postroom/letters/{letter.id}/answer",
        data={"csrf": form.field("csrf"), "text": text, **more},
    )
    if response.status_code == 303:
        return page(client, response.location)
    return Page(response.get_data(as_text=True))


def test_an_answer_goes_out_by_smtp_and_comes_back_as_a_letter(
    client: FlaskClient, harbour: Harbour
) -> None:
    letter = asking_letter(harbour)
    example = next(
        line for line in page(client, "/postroom").source.split(">") if line.startswith("take ")
    ).partition("<")[0]
    seq = harbour.game(RUNNING).seq
    with at_work(harbour):
        shown = send_answer(client, letter, f"Hello!\n{example}\n", quote="1")
    assert harbour.game(RUNNING).seq == seq + 1, "the turn was done"
    assert '<span class="badge">new</span>' in shown.source
    (mail,) = mails(harbour)
    assert mail.envelope_from == "ann@example.org"
    assert mail.state == "done"
    message = email.message_from_bytes(mail.raw, policy=email.policy.default)
    assert message["From"] == "Ann Archer <ann@example.org>"
    assert message["In-Reply-To"] == letter.message_id
    assert letter.message_id in message["References"]
    body = message.get_content().replace("\r\n", "\n")
    assert body.startswith(f"Hello!\n{example}\n\nOn ")
    assert "> Ann Archer, it is your turn." in body
    assert mail.text is not None
    assert "it is your turn" not in mail.text, "the quote was not taken for new"
    assert example in page(client, f"/postroom/mails/{mail.id}").text


def test_without_a_mail_server_it_says_so_and_keeps_the_text(
    client: FlaskClient, harbour: Harbour
) -> None:
    shown = send_answer(client, asking_letter(harbour), "take the last line")
    assert "The mail server is not running" in shown.text
    assert ">take the last line</textarea>" in shown.source
    noted = harbour.installation.settings.instance / "addresses.txt"
    noted.write_text("Web: http://127.0.0.1:1\nSMTP: 127.0.0.1:1\n", "utf-8")
    shown = send_answer(client, asking_letter(harbour), "take the last line")
    assert "The mail server at 127.0.0.1:1 does not answer" in shown.text


def test_a_new_mail_to_the_server(client: FlaskClient, harbour: Harbour) -> None:
    form = page(client, "/postroom/compose")
    assert form.field("to") == "ark@ark.example"
    data = {"csrf": form.field("csrf"), "from": "dora@example.org", "to": "ark@ark.example",
            "subject": "Hello", "text": "help"}  # fmt: skip
    with at_work(harbour):
        response = client.post("/postroom/compose", data=data)
        assert response.status_code == 303
        refused = client.post("/postroom/compose", data={**data, "to": "nobody@ark.example"})
    assert "refuses nobody@ark.example: 550" in refused.get_data(as_text=True)
    assert ">help</textarea>" in refused.get_data(as_text=True)
    (mail,) = mails(harbour)
    assert (mail.envelope_from, mail.envelope_to) == ("dora@example.org", ["ark@ark.example"])
    shown = page(client, "/postroom/mailbox/dora@example.org")
    assert len([tag for tag in shown.all("a") if "/postroom/letters/" in tag.attributes["href"]])


@pytest.mark.parametrize("field", ["from", "to"])
@pytest.mark.parametrize("value", ["", "nobody", "a@b\nBcc: c@d", "@", "a b@c"])
def test_an_address_that_is_none_is_refused(
    client: FlaskClient, harbour: Harbour, field: str, value: str
) -> None:
    form = page(client, "/postroom/compose")
    data = {"csrf": form.field("csrf"), "from": "a@example.org", "to": "ark@ark.example",
            "subject": "", "text": "help"}  # fmt: skip
    response = client.post("/postroom/compose", data={**data, field: value})
    assert response.status_code == 200
    assert 'class="trouble"' in response.get_data(as_text=True)
    assert mails(harbour) == []


def test_an_empty_installation_has_an_inviting_post_room(app: Flask, harbour: Harbour) -> None:
    with harbour.installation.store.work() as session:
        for table in ("letter", "address", "deed"):
            session.connection().exec_driver_sql("PRAGMA defer_foreign_keys=ON")
            session.connection().exec_driver_sql(f"DELETE FROM {table}")
    assert "No letter has been written here yet" in page(app.test_client(), "/postroom").text
    assert app.test_client().get("/postroom/compose").status_code == 200


# -- the mail itself


def test_a_mail_is_what_a_mail_program_writes(harbour: Harbour) -> None:
    draft = WrittenMail(
        "zoe@example.org", "Zoë", "t-x@ark.example", "  a\n subject ",
        "grüße\r\n.\nFrom me", in_reply_to="<2@x>", references="<1@x>",
        quoted="one\n\ntwo", quoted_from="Ark <t-x@ark.example>",
    )  # fmt: skip
    message: EmailMessage = compose(draft, harbour.installation.clock(), b"\x01\x02")
    again = email.message_from_bytes(message.as_bytes(), policy=email.policy.default)
    assert again["Subject"] == "a subject"
    assert again["Message-ID"] == f"<0102@{DOMAIN}>"
    assert again["References"] == "<1@x> <2@x>"
    assert again["From"].addresses[0].display_name == "Zoë"
    assert again.get_content().replace("\r\n", "\n") == (
        "grüße\n.\nFrom me\n\nOn an earlier day, Ark <t-x@ark.example> wrote:\n\n> one\n>\n> two\n"
    )


@pytest.mark.parametrize(
    ("subject", "reply"), [("Ark", "Re: Ark"), ("Re: Ark", "Re: Ark"), ("RE: Ark", "RE: Ark")]
)
def test_an_answer_says_re_once(subject: str, reply: str) -> None:
    assert reply_subject(subject) == reply
