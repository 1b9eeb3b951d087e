"""`address …`: where letters go, and from where a person may write."""

from sqlmodel import func, select

from pbem.commands import Line
from pbem.desk import addresses
from pbem.desk.addresses import AddressOutcome
from pbem.desk.counter import Counter, Handler
from pbem.desk.orders import AnswerLine, answered, done, nobody_known, refused
from pbem.desk.people import address_fault
from pbem.letters import announce
from pbem.store import Address, AddressChange, Letter, Person
from pbem.store.people import fold_address
from pbem.store.rows import id_of
from pbem.translation import _


def address(counter: Counter, line: Line) -> AnswerLine:
    """`address`, `address NEW`, `address add ADDRESS`, `address remove ADDRESS`."""
    if (person := counter.writer) is None or person.id is None:
        return nobody_known(line)
    args = line.args or {}
    if "address" not in args:
        return answered(line, _("Your addresses:"), _listed(counter, person.id))
    if not counter.order.confirmed or counter.order.addressed == "server":
        sentence = _(
            "Addresses are changed by an answer to one of our letters, from an address that "
            "is known as yours, or on your page."
        )
        return refused(line, "unconfirmed", sentence)
    wanted = fold_address(str(args["address"]))
    if args["action"] == "remove":
        return _told(line, addresses.remove(counter.session, counter.now, person, wanted))
    return _ask(counter, line, person, str(args["action"]), wanted)


def of_letter(counter: Counter, line: Line) -> AnswerLine:
    """What an answer to one of the letters about an address says: `confirm` at the new
    one, `undo` at the old one, and nothing else, for it is nobody's own letter."""
    wanted, act = _ACTS[counter.order.purpose]
    if line.command != wanted:
        sentence = _("An answer to this letter can only say one thing: {word}", word=wanted)
        return refused(line, "one-thing-only", sentence)
    change = counter.session.get(AddressChange, counter.order.confirms)
    if change is None:
        return refused(line, "expired", _("This is over, and nothing has changed."))
    return _told(line, act(counter.session, counter.site, counter.now, change))


def ask_again(counter: Counter) -> bool:
    """Somebody wrote "yes" where only `confirm` counts: the letter that asks goes to the new
    address once more, instead of an answer to the old one.  False where that is not so, or
    it was sent often enough."""
    change = None
    if counter.order.purpose == "address":
        change = counter.session.get(AddressChange, counter.order.confirms)
    if change is None or change.confirmed_at is not None or change.expires_at <= counter.now:
        return False
    sent = counter.session.exec(
        select(func.count())
        .select_from(Letter)
        .where(
            Letter.kind == "address-confirm",
            Letter.to_address == change.address,
            Letter.person_id == change.person_id,
        )
    ).one()
    if sent >= MOST_ASKED:
        return False
    announce.address_confirm(counter.session, counter.site, counter.now, change)
    return True


MOST_ASKED = 3  # letters to one new address that ask the same


_ACTS = {"address": ("confirm", addresses.confirm), "undo": ("undo", addresses.undo)}
OF_LETTER = frozenset(_ACTS)
"""The purposes of reply addresses whose mails go to `of_letter`, whatever they say."""


def _ask(counter: Counter, line: Line, person: Person, action: str, wanted: str) -> AnswerLine:
    session, site, now = counter.session, counter.site, counter.now
    fault = address_fault(wanted, site.settings.mail.domain)
    if fault is not None:
        return refused(line, "bad-address", fault)
    own = addresses.own_addresses(session, id_of(person))
    row = next((one for one in own if one.address == wanted), None)
    if row is not None and (row.confirmed_at is not None or row.primary):
        if action == "add" or row.primary:
            return answered(line, _("{address} is yours already.", address=wanted))
        return _told(line, addresses.make_main(session, site, now, person, row))
    if len(own) >= addresses.MOST:
        sentence = _("You have {most} addresses; remove one first.", most=addresses.MOST)
        return refused(line, "too-many-addresses", sentence)
    lately = addresses.asked_lately(session, now, person_id=person.id)
    if lately >= site.settings.quotas.address_letters_a_day:
        sentence = _("You have asked for {count} addresses today; go on tomorrow.", count=lately)
        return refused(line, "too-many-letters", sentence)
    addresses.ask(session, site, now, person, action, wanted)
    return done(
        line,
        _(
            "Nothing has changed yet: a letter to {address} asks for a confirmation within "
            "{days} days. If none comes, look whether it is written right; the address of "
            "another player, and one that wants no mail from here, cannot be taken.",
            address=wanted,
            days=addresses.CONFIRM_WITHIN.days,
        ),
    )


def _listed(counter: Counter, person_id: int) -> tuple[str, ...]:
    own = addresses.own_addresses(counter.session, person_id)
    waiting = addresses.waiting(counter.session, person_id, counter.now)
    block = [f"· {one.address}: {_standing(one)}" for one in own]
    block += [_("· {address}: waits for its confirmation", address=one.address) for one in waiting]
    return tuple(block)


def _standing(row: Address) -> str:
    if row.primary:
        return _("your letters go there")
    return _("you may write from there") if row.confirmed_at else _("not confirmed yet")


def _told(line: Line, outcome: AddressOutcome) -> AnswerLine:
    if not outcome.done:
        return refused(line, outcome.code, outcome.sentence)
    if outcome.code.endswith("-before"):
        return answered(line, outcome.sentence)
    return done(line, outcome.sentence)


HANDLERS: dict[str, Handler] = {"address": address}
