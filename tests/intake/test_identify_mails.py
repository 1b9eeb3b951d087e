"""Who wrote, and for which turn: every way an address can be right, changed or forged."""

from collections.abc import Sequence

import pytest
from sqlmodel import Session, select

from pbem.desk.people import find_or_add_person
from pbem.installation import Installation
from pbem.intake.identify import Identity, identify
from pbem.post.addresses import return_path
from pbem.store import Address, Game, Invitation, Letter, Person, Seat, Tenure, Token
from pbem.store.people import address_of
from pbem.store.tokens import Bearer, digest, issue
from tests.tables import Table, open_table

SERVER = "ark@ark.example"


@pytest.fixture
def table(installation: Installation) -> Table:
    return open_table(installation)


def who(
    installation: Installation,
    to: Sequence[str] | str = (),
    sender: str = "ann@example.org",
    headers: Sequence[str] = (),
    references: Sequence[str] = (),
) -> Identity:
    with installation.store.read() as session:
        return identify(
            session,
            installation.settings,
            installation.keys,
            envelope_to=[to] if isinstance(to, str) else to,
            recipients=headers,
            references=references,
            sender=sender,
        )


def test_a_reply_address_names_seat_and_decision(installation: Installation, table: Table) -> None:
    found = who(installation, table.reply_address(0))
    assert found.verdict == "act"
    assert found.bearer == table.bearer(0)
    assert (found.person_id, found.name, found.addressed) == (table.people[0], "Ann", "seat")
    assert found.confirmed
    assert found.by == "envelope"


@pytest.mark.parametrize("change", [str.upper, str.title, lambda one: one.replace("@", "+sent@")])
def test_it_may_change_its_case_on_the_way(
    installation: Installation, table: Table, change: object
) -> None:
    assert callable(change)
    assert who(installation, change(table.reply_address(0))).bearer == table.bearer(0)


@pytest.mark.parametrize("sender", ["ann@example.org", "ANN@Example.ORG", " Ann@example.org "])
def test_so_may_the_sender(installation: Installation, table: Table, sender: str) -> None:
    assert who(installation, table.reply_address(0), sender).verdict == "act"


@pytest.mark.parametrize(
    "sender", ["eve@example.org", "bo@example.org", "", "ann@example.org.evil.example", "ann"]
)
def test_a_strange_sender_with_the_right_address_is_asked_about(
    installation: Installation, table: Table, sender: str
) -> None:
    """Also another player of the same table: a forwarded letter moves nothing."""
    found = who(installation, table.reply_address(0), sender)
    assert (found.verdict, found.person_id, found.confirmed) == ("ask", table.people[0], False)


def test_the_header_counts_where_the_envelope_says_nothing(
    installation: Installation, table: Table
) -> None:
    """Fetched by IMAP, or delivered to one mailbox for all."""
    found = who(
        installation, "catchall@ark.example", headers=["x@y.example", table.reply_address(0)]
    )
    assert (found.verdict, found.by, found.bearer) == ("act", "header", table.bearer(0))


def test_the_envelope_is_believed_more_than_the_headers(
    installation: Installation, table: Table
) -> None:
    found = who(installation, table.reply_address(0), headers=[table.reply_address(1)])
    assert found.bearer == table.bearer(0)


def test_the_letter_that_is_answered_tells_where_no_address_does(
    installation: Installation, table: Table
) -> None:
    letter = table.letters(seat=0)[-1]
    found = who(installation, SERVER, references=["<other@x>", letter.message_id])
    assert (found.verdict, found.by, found.addressed) == ("act", "thread", "seat")
    assert found.bearer == table.bearer(0)


def test_nobody_acts_by_another_s_thread(installation: Installation, table: Table) -> None:
    letter = table.letters(seat=0)[-1]
    found = who(installation, SERVER, sender="bo@example.org", references=[letter.message_id])
    assert found.verdict == "ask"


def test_an_old_decision_stays_one(installation: Installation, table: Table) -> None:
    """An aged letter's address is not taken for the newest one (commands.md 1.8)."""
    old, address = table.bearer(0), table.reply_address(0)
    with installation.store.work() as session:
        game = session.get_one(Game, table.game_id)
        game.decision += 3
        session.add(game)
    found = who(installation, address)
    assert found.verdict == "act"
    assert found.bearer == old


def test_of_two_letters_of_one_seat_the_older_counts(
    installation: Installation, table: Table
) -> None:
    old = table.bearer(0)
    newer = Bearer("seat", table.people[0], table.game_id, 0, decision=7)
    with installation.store.work() as session:
        token = issue(session, installation.keys, newer, installation.clock())
    addresses = [installation.site.reply_address(token), table.reply_address(0)]
    assert who(installation, addresses).bearer == old
    assert who(installation, addresses[:1]).bearer == newer


def test_letters_of_two_tables_name_the_person(installation: Installation, table: Table) -> None:
    other = open_table(installation, "Other club", "two")
    found = who(installation, [table.reply_address(0), other.reply_address(0)])
    assert (found.verdict, found.addressed) == ("act", "person")
    assert found.bearer == Bearer("person", table.people[0])


def test_of_two_people_s_addresses_the_writer_s_counts(
    installation: Installation, table: Table
) -> None:
    """Reply to all, with another player's reply address among them."""
    found = who(installation, [table.reply_address(1), table.reply_address(0)])
    assert (found.verdict, found.bearer) == ("act", table.bearer(0))


@pytest.mark.parametrize("purpose", ["forged", "revoked", "page"])
def test_what_is_no_reply_address_moves_nothing(
    installation: Installation, table: Table, purpose: str
) -> None:
    token = installation.keys.token(table.bearer(0))
    with installation.store.work() as session:
        if purpose == "forged":
            token = token[::-1]
        elif purpose == "revoked":
            session.get_one(Token, digest(token)).revoked_at = installation.clock()
        else:
            bearer = Bearer("page", table.people[0])
            token = issue(session, installation.keys, bearer, installation.clock())
    found = who(installation, installation.site.reply_address(token))
    assert (found.verdict, found.bearer) == ("resend", None)
    assert found.person_id == table.people[0]


def test_a_token_of_another_game_or_seat_is_that_seat_s(
    installation: Installation, table: Table
) -> None:
    """Ann writes to Bo's address: it is Bo who is asked, and Ann moves neither."""
    found = who(installation, table.reply_address(1))
    assert (found.verdict, found.person_id) == ("ask", table.people[1])


@pytest.mark.parametrize(
    ("to", "verdict"),
    [(SERVER, "server"), ("ARK@ark.example", "server"), ("x@ark.example", "resend")],
)
def test_a_known_sender_without_a_reply_address(
    installation: Installation, table: Table, to: str, verdict: str
) -> None:
    found = who(installation, to)
    assert (found.verdict, found.person_id, found.bearer) == (verdict, table.people[0], None)
    assert found.confirmed
    assert found.addressed == "server"


def test_a_stranger_is_one(installation: Installation, table: Table) -> None:
    found = who(installation, SERVER, sender="eve@example.org")
    assert (found.verdict, found.person_id, found.bearer) == ("stranger", None, None)


def test_mail_to_the_postmaster_is_for_the_operator(
    installation: Installation, table: Table
) -> None:
    for sender in ("eve@example.org", "ann@example.org"):
        assert who(installation, "postmaster@ark.example", sender).verdict == "postmaster"
    both = ["postmaster@ark.example", table.reply_address(0)]
    assert who(installation, both).verdict == "act"


def test_a_return_path_is_nobody_s(installation: Installation, table: Table) -> None:
    path = return_path(installation.keys, "ark.example", 1)
    assert who(installation, path, sender="eve@example.org").verdict == "stranger"


def invited(session: Session, installation: Installation, game_id: int) -> tuple[Invitation, str]:
    person = find_or_add_person(session, installation.clock(), "Di", "di@example.org")
    invitation = Invitation(
        game_id=game_id, place=9, person_id=person.id, created_at=installation.clock()
    )
    session.add(invitation)
    session.flush()
    bearer = Bearer("invitation", person.id, game_id, invitation_id=invitation.id)
    token = issue(session, installation.keys, bearer, installation.clock())
    return invitation, installation.site.reply_address(token)


def test_an_invitation_is_answered_from_the_invited_address_only(
    installation: Installation, table: Table
) -> None:
    with installation.store.work() as session:
        invitation, address = invited(session, installation, table.game_id)
    found = who(installation, address, "di@example.org")
    assert (found.verdict, found.addressed) == ("act", "seat")
    assert found.bearer is not None
    assert found.bearer.purpose == "invitation"
    assert found.bearer.invitation_id == invitation.id
    assert who(installation, address, "ann@example.org").verdict == "ask"
    assert who(installation, address, "eve@example.org").verdict == "ask"


def test_an_address_not_yet_confirmed_does_not_act_unless_our_letters_go_there(
    installation: Installation, table: Table
) -> None:
    with installation.store.work() as session:
        own = address_of(session, table.people[0])
        assert own is not None
        session.add(
            Address(
                person_id=own.person_id,
                address="ann@work.example",
                primary=False,
                created_at=installation.clock(),
            )
        )
    to = table.reply_address(0)
    assert who(installation, to, "ann@work.example").verdict == "ask"
    with installation.store.work() as session:
        added = session.exec(select(Address).where(Address.address == "ann@work.example")).one()
        added.confirmed_at = installation.clock()
        session.add(added)
    assert who(installation, to, "ann@work.example").verdict == "act"


def test_a_seat_that_passed_on_is_not_moved_by_its_former_holder(
    installation: Installation, table: Table
) -> None:
    address, letter = table.reply_address(0), table.letters(seat=0)[-1]
    with installation.store.work() as session:
        held = session.exec(
            select(Tenure).join(Seat).where(Seat.number == 0, Seat.game_id == table.game_id)
        ).one()
        held.until_seq = 1
        session.add(held)
        newcomer = find_or_add_person(session, installation.clock(), "Di", "di@example.org", True)
        session.add(Tenure(seat_id=held.seat_id, person_id=newcomer.id, from_seq=1))
    assert who(installation, address).verdict == "resend"
    assert who(installation, SERVER, references=[letter.message_id]).verdict == "server"


def test_an_erased_person_is_nobody(installation: Installation, table: Table) -> None:
    with installation.store.work() as session:
        session.get_one(Person, table.people[0]).erased_at = installation.clock()
    assert who(installation, table.reply_address(0)).bearer is None


def test_a_reference_to_no_letter_of_ours_is_nothing(
    installation: Installation, table: Table
) -> None:
    letter = table.letters(seat=0)[-1]
    assert isinstance(letter, Letter)
    other = letter.message_id.replace("letter-", "letter-9")
    assert who(installation, SERVER, references=[other, "<>", ""]).verdict == "server"
