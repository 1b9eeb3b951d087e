"""Questions: answered from the seat's own view, changing nothing."""

from sqlmodel import col

from engine.cards import builtin_deck
from engine.game import fits, victims
from engine.moves import Board, Gather, Move, Pet, to_json
from engine.view import imagine
from pbem.commands import Line, print_turn, spoken_command
from pbem.commands.forms import Form
from pbem.commands.help import command_help, overview
from pbem.commands.nouns import card_noun
from pbem.commands.speech import kind_name
from pbem.commands.violations import violation_sentence
from pbem.desk.counter import Counter, Handler
from pbem.desk.moving import told
from pbem.desk.orders import AnswerLine, answered, refused
from pbem.letters import receipts
from pbem.letters.arriving import unreached
from pbem.letters.cards import cards_of, count, points, timbers
from pbem.letters.hand import fits_of, hand_cards
from pbem.letters.moments import moment
from pbem.store import Game, Mail
from pbem.store.log import events_of, seen_by
from pbem.store.positions import deck_of
from pbem.store.tenures import tables_of
from pbem.translation import _, either, language, later, listing, sentences, series

POWERS = {
    "fox": later("Its player takes two timbers from the bank; it cannot be driven out (R6.1)."),
    "hedgehog": later("Heavier meat eaters need not be lighter than it (R6.2)."),
    "turtle": later("No meat eater need be lighter than it (R6.3)."),
    "mosquito": later("May drive out an animal of weight 2; cannot be driven out (R6.4)."),
    "spider": later("May drive out a shy animal; cannot be driven out (R6.5)."),
    "skunk": later("May drive out any one animal (R6.6)."),
    "bronto": later("Its marker counts one and a half (R6.7)."),
    "chimpanzee": later(
        "Its marker goes on any scoring card but provision and counts one and a half (R6.8)."
    ),
}

STATUS = {
    "running": later("· game {number}, {game}: running"),
    "over": later("· game {number}, {game}: over"),
}

MANY = 40  # lines of a list of moves in one answer
HISTORY = 10


def status(counter: Counter, line: Line) -> AnswerLine:
    """`status`: the position stands in every answer, so this only says whose turn it is."""
    if counter.game is None:
        return _no_table(line)
    if counter.view is None:
        return answered(line, _("The game has not begun yet."))
    if counter.view.phase == "over":
        return answered(line, _("The game is over."))
    waiting = [counter.name_of(seat) for seat in counter.view.to_move]
    told = _("The table waits for {people}.", people=listing(waiting))
    told += "".join(" " + sentence for sentence in _since_and_until(counter))
    others = [seat for seat in counter.view.to_move if seat != counter.order.seat]
    names = [holder.name for holder in counter.holders]
    if missed := unreached(counter.session, counter.holders, names, others):
        told += " " + _(
            "Our letters to {people} do not arrive at the moment; the clock runs on.",
            people=listing(missed),
        )
    return answered(line, told)


def _since_and_until(counter: Counter) -> list[str]:
    """How long the table has waited, and until when it will."""
    game, writer = counter.table, counter.writer
    zone = None if writer is None else writer.zone
    found = []
    if game.waiting_since is not None:
        since = moment(game.waiting_since, zone, game.zone)
        found.append(_("It has waited since {time}.", time=since))
    if game.due_at is not None:
        found.append(_("Time ends {time}.", time=moment(game.due_at, zone, game.zone)))
    return found


def hand(counter: Counter, line: Line) -> AnswerLine:
    """`hand`: each card with where it fits."""
    if (view := counter.view) is None:
        return _no_table(line)
    if not counter.order.confirmed:
        return refused(
            line,
            "unconfirmed",
            _("A hand is sent to a confirmed address only; confirm yours first."),
        )
    if not view.hand:
        return answered(line, _("Your hand is empty."))
    described = hand_cards(view, fits_of(imagine(view), view))
    cards = (
        _("· {card}: {facts}. {note}", card=card.face.name, facts=card.face.facts, note=card.note)
        for card in described
    )
    return answered(line, _("Your hand:"), tuple(cards))


def scores(counter: Counter, line: Line) -> AnswerLine:
    """`scores`: points as the markers and timbers stand, pets not counted."""
    if (view := counter.view) is None:
        return _no_table(line)
    block = []
    for holder in counter.holders:
        marks = series(
            _("{kind} {number}", kind=kind_name(kind, language()), number=count(held))
            for kind, held in view.marks[holder.seat].items()
        )
        block.append(
            _(
                "{name}: {points} now ({marks}; {timbers})",
                name=holder.name,
                points=points(view.points[holder.seat]),
                marks=marks,
                timbers=timbers(view.timbers[holder.seat]),
            )
        )
    return answered(line, _("Points as things stand, pets not counted:"), tuple(block))


def legal(counter: Counter, line: Line) -> AnswerLine:
    """`legal`: single plays by card; with a card, its pairs too (commands.md 4)."""
    if (view := counter.view) is None:
        return _no_table(line)
    if counter.seat not in view.to_move:
        return answered(line, _("It is not your turn: nothing is legal for you now."))
    card = (line.args or {}).get("card")
    moves = view.legal()
    chosen = [print_turn(to_json(move), language()) for move in moves if _wanted(move, card)]
    named = None if card is None else card_noun(str(card), language())
    if not chosen:
        if named is None:
            return answered(line, _("Nothing is legal."))
        return answered(line, _("Nothing is legal with the {card}.", card=named))
    block = [f"· {one}" for one in chosen[:MANY]]
    if (more := len(chosen) - MANY) > 0:
        form = Form("legal", "CARD").spoken(language())
        block.append(_("· … and {number} more; name a card: {form}", number=more, form=form))
    if named is None:
        told = _("Legal (pairs: ask for one card), {number} in all:", number=len(chosen))
    else:
        told = _("Legal with the {card}, {number} in all:", card=named, number=len(chosen))
    return answered(line, told, tuple(block))


def _wanted(move: Move, card: str | None) -> bool:
    if card is None:
        return not (isinstance(move, Board) and len(move.plays) > 1)
    if isinstance(move, Board):
        return any(play.card == card for play in move.plays)
    if isinstance(move, Gather):
        return move.take == card
    return isinstance(move, Pet) and move.card == card


def why(counter: Counter, line: Line) -> AnswerLine:
    """`why CARD CABIN`: every rule that keeps it out, or that it may go there."""
    if (view := counter.view) is None:
        return _no_table(line)
    args = line.args or {}
    card, cabin = str(args.get("card")), str(args.get("cabin"))
    position = imagine(view)
    broken = fits(position, counter.seat, card, cabin)
    named = card_noun(card, language())
    if not broken:
        return answered(line, _("The {card} may go into {cabin}.", card=named, cabin=cabin))
    block = [_("{rule}: {reason}", rule=one.rule, reason=violation_sentence(one)) for one in broken]
    outs = [card_noun(out, language()) for out in victims(position, counter.seat, card, cabin)]
    if outs:
        block.append(_("But it may enter by driving out the {cards}.", cards=either(outs)))
    told = _("The {card} may not simply go into {cabin}:", card=named, cabin=cabin)
    return answered(line, told, tuple(block))


def history(counter: Counter, line: Line) -> AnswerLine:
    """`history [N]`: the last N turns as this seat may know them."""
    if counter.game is None or counter.view is None:
        return _no_table(line)
    turns = int((line.args or {}).get("turns") or HISTORY)
    events = [event for event in events_of(counter.session, counter.game) if event.kind == "turn"]
    block = told(counter, seen_by(events[-turns:] if turns else [], counter.seat))
    if not block:
        return answered(line, _("Nothing has happened yet."))
    return answered(line, _("What happened, oldest first:"), tuple(f"· {one}" for one in block))


def rules(counter: Counter, line: Line) -> AnswerLine:
    """`rules [CARD]`: where the rules stand, or what one card does."""
    where = f"{counter.site.settings.base_url}/rules"
    card = (line.args or {}).get("card")
    if card is None:
        return answered(line, _("The rules of Ark: {url}", url=where))
    deck = builtin_deck() if counter.game is None else deck_of(counter.game)
    face, power = cards_of(deck).face(str(card)), deck.card(str(card)).special
    told = _("{card}: {facts}.", card=face.name, facts=face.facts)
    more = _(POWERS[power]) if power in POWERS else ""
    return answered(line, sentences((told, more)), (_("All rules: {url}", url=where),))


def help_(counter: Counter, line: Line) -> AnswerLine:
    """`help [COMMAND]`."""
    command = (line.args or {}).get("command")
    if command is None:
        url = f"{counter.site.settings.base_url}/help"
        known = overview(language(), served=counter.served, starts=_may_start(counter))
        where = _("More: {url}", url=url)
        return answered(line, _("What you can write, one command a line:"), (*known, where))
    told = _("About “{command}”:", command=spoken_command(str(command), language()))
    return answered(line, told, tuple(command_help(str(command), language())))


def _may_start(counter: Counter) -> bool:
    """Has whoever asks opened this table, and has it not begun?"""
    game = counter.game
    if game is None or game.status != "inviting" or game.organiser_id is None:
        return False
    return game.organiser_id == counter.order.author.person_id


def games(counter: Counter, line: Line) -> AnswerLine:
    """`games`: the tables of whoever asks."""
    person_id = counter.order.author.person_id
    if person_id is None:
        return answered(line, _("You play at no table here."))
    found = counter.session.exec(
        tables_of(person_id)
        .where(col(Game.status).in_(["running", "over"]))
        .order_by(col(Game.id).desc())
        .limit(MANY)
    ).all()
    if not found:
        return answered(line, _("You play at no table here."))
    block = tuple(_(STATUS[game.status], number=game.id, game=game.name) for game, _seat in found)
    return answered(line, _("Your tables:"), block)


def test(counter: Counter, line: Line) -> AnswerLine:
    """`test`: the answer shows how the mail came and how it was read; that is all."""
    mail_id = counter.order.author.mail_id
    mail = None if mail_id is None else counter.session.get(Mail, mail_id)
    kept = None if mail is None else mail.receipt
    facts = () if mail is None or kept is None else receipts.facts(mail.channel, mail.kind, kept)
    said = _("Your mail arrived; this is how it was taken, and how each of its lines was read.")
    return answered(line, said, tuple(facts))


def _no_table(line: Line) -> AnswerLine:
    return refused(line, "no-table", _("This belongs to a table; answer one of its letters."))


def game(counter: Counter, line: Line) -> AnswerLine:
    """`game N` where it changes nothing: in a letter of that table itself."""
    return which_table(counter, line.text, int((line.args or {})["game"]))


def which_table(counter: Counter, text: str, number: int) -> AnswerLine:
    """Say which table the lines below are for."""
    table = counter.session.get(Game, number)
    name = "" if table is None else table.name
    return AnswerLine(
        text, "answered", _("Table {number}, {name}:", number=number, name=name), "table"
    )


HANDLERS: dict[str, Handler] = {
    "status": status,
    "hand": hand,
    "scores": scores,
    "legal": legal,
    "why": why,
    "history": history,
    "rules": rules,
    "help": help_,
    "games": games,
    "game": game,
    "test": test,
}
