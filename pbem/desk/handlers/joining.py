"""Opening tables, inviting, accepting and declining."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlmodel import col, func, select

from pbem.commands import Line
from pbem.commands.forms import Form
from pbem.desk import tables
from pbem.desk.counter import Counter, Handler
from pbem.desk.handlers import privacy
from pbem.desk.options import options_for
from pbem.desk.orders import AnswerLine, answered, done, refused
from pbem.desk.people import address_fault, find_or_add_person
from pbem.desk.tables import Place, TableError
from pbem.letters import announce
from pbem.store import Game, Invitation, Person
from pbem.store.decks import USUAL, Deck, deck_named, deck_names
from pbem.store.options import options_of
from pbem.store.people import holders, is_blocked
from pbem.translation import _, either, language

MOST_INVITED = 12  # addresses in one order


def new_game(counter: Counter, line: Line) -> AnswerLine:
    """`new game NAME with ADDRESS, …`: the writer organises, plays, and moderates."""
    person = counter.writer
    if person is None or not _may_open(counter):
        return refused(
            line, "may-not-open",
            _("New games are opened by whoever runs this server; ask there."),
        )  # fmt: skip
    if (opened := _opened_today(counter)) >= counter.site.settings.quotas.tables_a_day:
        sentence = _("You have opened {count} tables today; go on tomorrow.", count=opened)
        return refused(line, "too-many-tables", sentence)
    privacy.take_back(counter)
    args = line.args or {}
    addresses = list(args.get("with") or [])
    if not 2 <= len(addresses) <= tables.MAX_PLAYERS - 1 and not args.get("for"):
        form = Form("new game", "NAME with ADDRESS, ADDRESS").spoken(language())
        sentence = _("Name two to four others: {form}", form=form)
        return refused(line, "table-size", sentence)
    try:
        with counter.session.begin_nested():  # refused means that nothing of it was done
            others = places_of(counter, addresses)
            deck, cards = _deck(counter, args.get("deck"))
            game = tables.open_table(
                counter.session,
                counter.site,
                counter.now,
                counter.entropy,
                counter.order.author,
                name=str(args.get("name") or "Ark"),
                places=[Place(person.id), *others],
                players=args.get("for"),
                organiser_id=person.id,
                options=options_for(counter.site.settings, args.get("time")),
                deck=deck,
                cards=cards,
            )
            if begun := _only_bots(others, game):
                _begin(counter, game)
    except TableError as error:
        return refused(line, error.code, error.sentence)
    if begun:
        return _has_begun(line, game)
    announce.opened(counter.session, counter.site, counter.now, game, counter.order.author.mail_id)
    counter.mailed = True
    return done(
        line,
        _(
            "Game {number}, {game}, is open; the invitations are on their way.",
            number=game.id,
            game=game.name,
        ),
    )


def _deck(counter: Counter, name: str | None) -> Deck:
    """The deck that was asked for, else the usual one.  Raises `TableError`."""
    found = deck_named(counter.session, name.lower() if name else USUAL)
    if found is None:
        names = either(deck_names(counter.session))
        raise TableError(
            "no-deck", _("There is no deck “{name}”; there is {decks}.", name=name, decks=names)
        )
    return found


def invite(counter: Counter, line: Line) -> AnswerLine:
    """`invite ADDRESS, …`: more people for a table that has not begun; organiser only."""
    if (trouble := _not_organiser(counter, line)) is not None:
        return trouble
    try:
        with counter.session.begin_nested():
            for place in places_of(counter, list((line.args or {}).get("with") or [])):
                tables.invite(counter.session, counter.site, counter.now, counter.order.author,
                              counter.table, place)  # fmt: skip
    except TableError as error:
        return refused(line, error.code, error.sentence)
    return done(line, _("Invited."))


def start(counter: Counter, line: Line) -> AnswerLine:
    """`start`: begin with those who have accepted, three or more; organiser only."""
    if (trouble := _not_organiser(counter, line)) is not None:
        return trouble
    try:
        tables.begin(
            counter.session, counter.site, counter.now, counter.order.author, counter.table
        )
    except TableError as error:
        return refused(line, error.code, error.sentence)
    return done(line, _("The game has begun."))


def accept(counter: Counter, line: Line) -> AnswerLine:
    """`accept [word]`."""
    invitation = counter.invitation
    if invitation is None or counter.game is None:
        return refused(line, "no-invitation", _("There is no invitation that this could accept."))
    if invitation.state == "accepted":
        return answered(line, _("You have accepted already."))
    privacy.take_back(counter)
    word = str((line.args or {}).get("word") or "")
    try:
        begun = tables.accept(counter.session, counter.site, counter.now, counter.order.author,
                              counter.game, invitation, word)  # fmt: skip
    except TableError as error:
        return refused(line, error.code, error.sentence)
    said = _accepted(counter, begun=begun)
    if invitation.person_id is not None and announce.welcome(
        counter.session, counter.site, counter.now, invitation.person_id, counter.game, said,
        counter.order.author.mail_id,
    ):  # fmt: skip
        counter.mailed = True
    return done(line, said)


def _accepted(counter: Counter, *, begun: bool) -> str:
    """What an acceptance has come to."""
    if begun:
        return _("You are in, and the game has begun: your letter is on its way.")
    waiting = sum(
        one.state == "invited" for one in tables.invitations(counter.session, counter.table)
    )
    if not waiting:
        return _("You are in.")
    return _("You are in. Still to answer: {number}.", number=waiting)


def decline(counter: Counter, line: Line) -> AnswerLine:
    """`decline`: before the start."""
    if counter.invitation is None or counter.game is None:
        return refused(line, "no-invitation", _("There is no invitation that this could decline."))
    if counter.invitation.state == "declined":
        return answered(line, _("You have declined already."))
    try:
        tables.decline(counter.session, counter.site, counter.now, counter.order.author,
                       counter.game, counter.invitation)  # fmt: skip
    except TableError as error:
        return refused(line, error.code, error.sentence)
    return done(line, _("Declined. You get no more mail about this table."))


def rematch(counter: Counter, line: Line) -> AnswerLine:
    """`rematch`: a new table with the people (and bots) of this one."""
    person, old = counter.writer, counter.game
    if old is None or person is None:
        return refused(line, "no-table", _("Answer the last letter of the table you mean."))
    if old.status != "over":
        return refused(line, "not-over", _("A rematch is for when this game is over."))
    if (again := _rematch_of(counter, old)) is not None:
        return _join_rematch(counter, line, again, person)
    places = [Place(holder.person_id, holder.bot) for holder in holders(counter.session, old)]
    own = [place for place in places if place.person_id == person.id]
    others = [place for place in places if place.person_id != person.id]
    try:
        with counter.session.begin_nested():  # refused means that nothing of it was done
            game = tables.open_table(
                counter.session,
                counter.site,
                counter.now,
                counter.entropy,
                counter.order.author,
                name=old.name,
                places=[*own, *others],
                organiser_id=person.id,
                options=options_of(old),
                rematch_of=old.id,
                mail_policy=old.mail_policy,
                deck=old.deck,
                cards=old.cards,
            )
            if begun := _only_bots(others, game):
                _begin(counter, game)
    except TableError as error:
        return refused(line, error.code, error.sentence)
    if begun:
        return _has_begun(line, game)
    return done(line, _("Game {number} is open; the others are asked.", number=game.id))


def _only_bots(others: Sequence[Place], game: Game) -> bool:
    """Whether there is nobody to be waited for."""
    return all(place.bot is not None for place in others) and len(others) + 1 == game.players


def _begin(counter: Counter, game: Game) -> None:
    tables.begin(counter.session, counter.site, counter.now, counter.order.author, game)


def _has_begun(line: Line, game: Game) -> AnswerLine:
    return done(line, _("Game {number} has begun: its letters are on their way.", number=game.id))


def _join_rematch(counter: Counter, line: Line, game: Game, person: Person) -> AnswerLine:
    """Somebody else asked for the rematch first: this is an acceptance."""
    counter.invitation = counter.session.exec(
        select(Invitation).where(Invitation.game_id == game.id, Invitation.person_id == person.id)
    ).first()
    counter.game = game
    return accept(counter, line)


def _rematch_of(counter: Counter, old: Game) -> Game | None:
    return counter.session.exec(
        select(Game).where(
            Game.rematch_of == old.id, col(Game.status).in_(["inviting", "running", "over"])
        )
    ).first()


def _opened_today(counter: Counter) -> int:
    return counter.session.exec(
        select(func.count())
        .select_from(Game)
        .where(
            Game.organiser_id == counter.order.author.person_id,
            col(Game.created_at) > counter.now - timedelta(days=1),
        )
    ).one()


def _may_open(counter: Counter) -> bool:
    """The setting `may_open_games`; a person known here has been invited once."""
    return counter.site.settings.site.may_open_games in ("invited", "anyone")


def places_of(counter: Counter, addresses: Sequence[Any]) -> list[Place]:
    """The people of these addresses, each known or made known, none who said never."""
    if len(addresses) > MOST_INVITED:
        raise TableError("too-many", _("At most {most} addresses in one mail.", most=MOST_INVITED))
    places = []
    for address in dict.fromkeys(str(one) for one in addresses):
        if address.startswith("bot:"):
            places.append(Place(bot=address.removeprefix("bot:")))
            continue
        fault = address_fault(address, counter.site.settings.mail.domain)
        if fault is not None:
            raise TableError("bad-address", fault)
        if is_blocked(counter.session, counter.site.keys, address):
            raise TableError(
                "never-again", _("{address} does not want invitations from here.", address=address)
            )
        person = find_or_add_person(counter.session, counter.now, "", address)
        places.append(Place(person.id))
    return places


def _not_organiser(counter: Counter, line: Line) -> AnswerLine | None:
    game = counter.game
    if game is None:
        return refused(line, "no-table", _("Answer the letter of the table you mean."))
    if game.organiser_id is None or game.organiser_id != counter.order.author.person_id:
        return refused(line, "organiser-only", _("Only whoever opened this table can do that."))
    return None


HANDLERS: dict[str, Handler] = {
    "new game": new_game,
    "invite": invite,
    "start": start,
    "accept": accept,
    "decline": decline,
    "rematch": rematch,
}
