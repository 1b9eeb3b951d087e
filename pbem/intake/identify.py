"""Who wrote, and for which turn.

The reply address a mail was sent to names the seat (or invitation, or person); the
sender must be an address of the person it belongs to (commands.md 1.8, 1.9).  Subjects
identify nothing, and the sender alone moves nothing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Literal

from sqlmodel import Session, select

from pbem.desk.succession import returns_to
from pbem.intake.authentication import Proof
from pbem.intake.recipients import Recipient, answered_letter, local_part, recipient
from pbem.letters.bearers import reply_bearer
from pbem.settings import Settings
from pbem.store import Address, AddressChange, Game, Invitation, Person
from pbem.store.people import fold_address, holders, person_by_address, policies_of
from pbem.store.tokens import Bearer, Keys, find

MOST_ADDRESSES = 20
OF_ADDRESSES = ("address", "undo")  # purposes of reply addresses
Addressed = Literal["seat", "person", "server"]


@dataclass(frozen=True)
class Identity:
    """What a mail's addresses say.

    ``verdict``:
      act         the reply address is right, and its person's own address wrote (or, where
                  the table's policy is `token`, whoever has the reply address)
      ask         the reply address is right, the sender strange: hold, ask its person
      server      a known person wrote to the server's own address
      resend      a known person wrote to no valid reply address: his letter goes again
      postmaster  it is for whoever runs this server
      stranger    nobody we know wrote
    """

    verdict: str
    bearer: Bearer | None = None
    person_id: int | None = None
    name: str | None = None
    confirmed: bool = False  # the sender's address is known to be his
    by: str = ""  # envelope, header, thread: where the reply address was found
    policy: str = "sender"  # of the table (docs/mail.md)
    decisions: tuple[tuple[int, int], ...] = ()  # (table, decision) of several reply addresses
    proof: Proof | None = None  # of where the mail comes from, where that was looked at

    @property
    def addressed(self) -> Addressed:
        """What the mail was addressed to, as its reading depends on it (commands.md 1.9)."""
        if self.bearer is None:
            return "server"
        of_nothing_else = self.bearer.seat is None and self.bearer.invitation_id is None
        return "person" if of_nothing_else else "seat"


def identify(
    session: Session,
    settings: Settings,
    keys: Keys,
    *,
    envelope_to: Sequence[str],
    recipients: Sequence[str],
    references: Sequence[str],
    sender: str,
) -> Identity:
    """Look at the envelope first, then at every recipient header, then at the letter the
    mail answers; all addresses as they came."""
    writer = person_by_address(session, sender)
    envelope = _ours(session, settings, keys, envelope_to)
    if (own := _claimed(session, envelope, writer)) is not None:
        return _with_address(session, own, sender, "envelope")
    headers = _ours(session, settings, keys, recipients)
    if (own := _claimed(session, headers, writer)) is not None:
        return _with_address(session, own, sender, "header")
    letter = answered_letter(session, references)
    bearer = None if letter is None else reply_bearer(letter)
    if bearer is not None and find(session, keys.token(bearer)) is None:
        bearer = None  # its reply address was made new since, and whoever has it has its id
    if bearer is not None and (person_id := _person_of(session, bearer)) is not None:
        return _with_address(session, _Claim(bearer, person_id), sender, "thread")
    purposes = {one.purpose for one in (*envelope, *headers)}
    if "postmaster" in purposes:
        return Identity("postmaster")
    if writer is None:
        return Identity("stranger")
    return Identity(
        "server" if "server" in purposes else "resend",
        person_id=writer.id,
        name=writer.name,
        confirmed=_standing(session, writer.id, sender) == "confirmed",
    )


@dataclass(frozen=True)
class _Claim:
    """A valid reply address, and whose it is."""

    bearer: Bearer
    person_id: int
    decisions: tuple[tuple[int, int], ...] = ()

    @property
    def place(self) -> tuple[object, ...]:
        """All of it but the decision."""
        return (*astuple(replace(self.bearer, decision=None)), self.person_id)


def _ours(
    session: Session, settings: Settings, keys: Keys, addresses: Sequence[str]
) -> list[Recipient]:
    """Those of the addresses that are ours; of a list of hundreds the first ones."""
    own = [one for one in dict.fromkeys(addresses) if local_part(settings, one) is not None]
    found = (recipient(session, settings, keys, address) for address in own[:MOST_ADDRESSES])
    return [one for one in found if one is not None]


def _claimed(session: Session, ours: Iterable[Recipient], writer: Person | None) -> _Claim | None:
    """One of several reply addresses: the writer's own; of one seat's, the oldest
    decision (it refuses rather than moves); of several tables', the person's."""
    bearers = [one.bearer for one in ours if one.bearer is not None]
    claims = [
        _Claim(bearer, person_id)
        for bearer in bearers
        if (person_id := _person_of(session, bearer)) is not None
    ]
    claims = [one for one in claims if writer is not None and one.person_id == writer.id] or claims
    if not claims:
        return None
    if len({one.place for one in claims}) == 1:
        return min(claims, key=lambda one: one.bearer.decision or 0)
    person_id = claims[0].person_id
    written = [one.decision for one in bearers if one.purpose == "person" and one.decision]
    decisions = tuple(
        (one.bearer.game_id, one.bearer.decision)
        for one in claims
        if one.person_id == person_id and one.bearer.purpose == "seat"
        if one.bearer.game_id is not None and one.bearer.decision is not None
    )
    person = Bearer("person", person_id, decision=min(written, default=None))
    return _Claim(person, person_id, decisions)


def _with_address(session: Session, claim: _Claim, sender: str, by: str) -> Identity:
    person = session.get_one(Person, claim.person_id)
    standing = _standing(session, claim.person_id, sender)
    if claim.bearer.purpose in OF_ADDRESSES:
        standing = _asked(session, claim.bearer, sender)
    policy = policy_of(session, claim.bearer)
    obeyed = standing is not None or (policy == "token" and claim.bearer.purpose == "seat")
    return Identity(
        "act" if obeyed else "ask",
        claim.bearer,
        claim.person_id,
        person.name,
        confirmed=standing is not None,
        by=by,
        policy=policy,
        decisions=claim.decisions,
    )


def _person_of(session: Session, bearer: Bearer) -> int | None:
    """Whom a reply address belongs to; None when it means nobody any more: the seat has
    passed to somebody else, the person was erased."""
    person_id = bearer.person_id
    if bearer.purpose == "seat" or (bearer.purpose == "confirm" and bearer.game_id is not None):
        game = None if bearer.game_id is None else session.get(Game, bearer.game_id)
        held = [] if game is None else holders(session, game)
        now = next((one.person_id for one in held if one.seat == bearer.seat), None)
        if person_id not in (None, now):
            if game is None or bearer.seat is None or bearer.purpose != "seat":
                return None
            if returns_to(session, game, bearer.seat, person_id) is None:
                return None  # one whose seat a bot holds may come back to it
        else:
            person_id = now
    elif bearer.purpose == "invitation":
        number = bearer.invitation_id
        invitation = None if number is None else session.get(Invitation, number)
        person_id = None if invitation is None else invitation.person_id
    person = None if person_id is None else session.get(Person, person_id)
    return None if person is None or person.erased_at is not None else person_id


def policy_of(session: Session, bearer: Bearer) -> str:
    """The policy that holds for a reply address: its table's; for one that names a person,
    who may sit at many, the strictest of his tables', and `sender` at least."""
    if bearer.purpose in ("seat", "confirm") and bearer.game_id is not None:
        game = session.get(Game, bearer.game_id)
        return "sender" if game is None else game.mail_policy
    if bearer.purpose == "person" and bearer.person_id is not None:
        return "dmarc" if "dmarc" in policies_of(session, bearer.person_id) else "sender"
    return "sender"


def _asked(session: Session, bearer: Bearer, sender: str) -> str | None:
    """Only the address that a letter went to may confirm a change of address, or undo it."""
    change = session.get(AddressChange, bearer.generation)
    if change is None:
        return None
    asked = change.address if bearer.purpose == "address" else change.old_address
    return "asked" if fold_address(sender) == asked else None


def _standing(session: Session, person_id: int | None, sender: str) -> str | None:
    """How well we know that this address is the person's: ``confirmed``; ``primary`` (our
    letters go there, so whoever answers one reads them); None: it is not, or not yet."""
    address = session.exec(
        select(Address).where(
            Address.person_id == person_id, Address.address == fold_address(sender)
        )
    ).first()
    if address is None:
        return None
    if address.confirmed_at is not None:
        return "confirmed"
    return "primary" if address.primary else None
