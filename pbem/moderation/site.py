"""Words for everybody who comes, and the decks that tables can be opened with."""

import re
from collections.abc import Sequence

from sqlmodel import select

from engine.cards import DeckError, builtin_names, cards_form, load_deck
from pbem.moderation.model import Action, Case, Change, Effect, FollowUp, Parameter, Refused
from pbem.store import SiteText, UploadedDeck
from pbem.store.decks import decks_offered
from pbem.store.site_texts import HOUSE_RULES, NOTICE, words

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")


def notice(case: Case) -> Effect:
    return _say(case, NOTICE, "notice", "Every page shows this notice.", "No page shows a notice.")


def house_rules(case: Case) -> Effect:
    return _say(
        case, HOUSE_RULES, "house-rules", "These are the house rules.", "There are no house rules."
    )


def upload_deck(case: Case) -> Effect:
    """A deck of the operator's own; refused with every fault `load_deck` finds."""
    name = case.values["name"]
    taken = {*builtin_names(), *case.session.exec(select(UploadedDeck.name)).all()}
    if not _NAME.fullmatch(name):
        sentence = "The name of a deck has 1 to 32 small letters, digits and hyphens."
        raise Refused("deck-name", sentence, "name")
    if name in taken:
        raise Refused("deck-name", "There is (or was) a deck of this name; take another.", "name")
    try:
        deck = load_deck(case.values["cards"].splitlines(), name)
    except DeckError as error:
        raise Refused("deck", " ".join(f"{fault}." for fault in error.faults), "cards") from None
    case.session.add(
        UploadedDeck(name=name, cards=cards_form(deck), at=case.now, person_id=case.actor.person_id)
    )
    return Effect(
        (f"New tables can be opened with the deck {name}: {len(deck.cards)} cards, as R1 asks.",),
        inverse=FollowUp("withdraw-deck", case.target, {"name": name}),
    )


def withdraw_deck(case: Case) -> Effect:
    row = _deck(case)
    row.withdrawn_at = case.now
    case.session.add(row)
    return Effect(
        (f"No new table is opened with the deck {row.name}; games that have it go on.",),
        inverse=FollowUp("offer-deck", case.target, {"name": row.name}),
    )


def offer_deck(case: Case) -> Effect:
    row = _deck(case)
    row.withdrawn_at = None
    case.session.add(row)
    return Effect(
        (f"New tables can be opened with the deck {row.name} again.",),
        inverse=FollowUp("withdraw-deck", case.target, {"name": row.name}),
    )


def _say(case: Case, kind: str, action: str, said: str, none: str) -> Effect:
    before, after = words(case.session, kind), case.values["text"] or ""
    if before == after:
        raise Refused("no-change", "It says that already.", "text")
    case.session.add(SiteText(kind=kind, text=after, at=case.now, person_id=case.actor.person_id))
    return Effect(
        (said if after else none,),
        changes=(Change(kind.replace("-", " "), before or "none", after or "none"),),
        inverse=FollowUp(action, case.target, {"text": before}),
    )


def _deck(case: Case) -> UploadedDeck:
    name = case.values["name"]
    return case.session.exec(select(UploadedDeck).where(UploadedDeck.name == name)).one()


def _offered(case: Case) -> Sequence[tuple[str, str]]:
    return [(one.name, one.name) for one in decks_offered(case.session)]


def _withdrawn(case: Case) -> Sequence[tuple[str, str]]:
    rows = case.session.exec(select(UploadedDeck).order_by(UploadedDeck.name))
    return [(one.name, one.name) for one in rows if one.withdrawn_at is not None]


def _text(kind: str, label: str, most: int) -> Parameter:
    return Parameter(
        "text", label, "text", required=False, most=most,
        default=lambda case: words(case.session, kind), hint="Empty: none.",
    )  # fmt: skip


ACTIONS = (
    Action(
        "notice", "Put up a notice", "A few words at the top of every page.", "server", notice,
        (_text(NOTICE, "Notice", 500),), reach="everywhere", reason=False,
    ),
    Action(
        "house-rules", "Set the house rules", "What holds on this server beside the rules.",
        "server", house_rules, (_text(HOUSE_RULES, "House rules", 10_000),),
        reach="everywhere", reason=False,
    ),
    Action(
        "upload-deck", "Upload a deck", "A deck of your own, checked by R1.", "server", upload_deck,
        (Parameter("name", "Name", most=32),
         Parameter("cards", "Cards (CSV)", "file", most=20_000, private=True,
                   hint="name,weight,climate,diet,kind,special; 55 cards")),
        reach="everywhere", reason=False,
    ),
    Action(
        "withdraw-deck", "Withdraw a deck", "No new table is opened with it.", "server",
        withdraw_deck, (Parameter("name", "Deck", "choice", choices=_offered),),
        reach="everywhere", reason=False, fits=lambda case: bool(_offered(case)),
    ),
    Action(
        "offer-deck", "Offer a deck again", "Takes back that it was withdrawn.", "server",
        offer_deck, (Parameter("name", "Deck", "choice", choices=_withdrawn),),
        reach="everywhere", reason=False, fits=lambda case: bool(_withdrawn(case)),
    ),
)  # fmt: skip
