"""Is this move legal, and if not, why not: every broken rule of one move.

`allowed` is the quick answer for a raw move, `violations` the full one for a friendly move.
Neither makes the list of legal moves; tests hold all three together.
"""

from engine.cards import KINDS
from engine.moves import Board, Gather, Move, Pass, Pet, Play
from engine.playing import enter
from engine.position import Position
from engine.raw import BOARD, GATHER, PASS, PET, RawMove, encode
from engine.refusals import Violation, refusal
from engine.tables import MARKABLE, NONE, PROVISION, SLOW, RawPlay, Tables, cabin_name, cabin_number


def allowed(position: Position, seat: int, raw: RawMove) -> bool:
    """Is the raw move legal?"""
    phase, action = position.phase, raw[0]
    if phase == "pets":
        return (
            action == PET
            and seat in position.to_move
            and (raw[1] == NONE or raw[1] in position.hands[seat])
        )
    if seat != position.seat or phase == "over":
        return False
    if action == BOARD:
        if phase == "end":
            return (
                len(raw) == 2
                and not position.tables.alone >> raw[1][0] & 1
                and _play_allowed(position, seat, raw[1], 1)
            )
        if len(raw) == 2:
            return _play_allowed(position, seat, raw[1], 0)
        return len(raw) == 3 and _pair_allowed(position, seat, raw[1], raw[2])
    if action == GATHER:
        return phase == "main" and raw[1] in position.display
    return action == PASS and phase == "end"


def _pair_allowed(position: Position, seat: int, first: RawPlay, second: RawPlay) -> bool:
    alone = position.tables.alone
    if (alone >> first[0] | alone >> second[0]) & 1 or first[1] == second[1]:
        return False
    if not _play_allowed(position, seat, first, 0):
        return False
    between = position.copy()
    enter(between, seat, first, 0)
    return _play_allowed(between, seat, second, 0)


def _play_allowed(position: Position, seat: int, play: RawPlay, cost: int) -> bool:
    """Is the play legal as a single one, apart from R8.2's cards?"""
    card, cabin, out, mark, take = play
    tables, ark = position.tables, position.ark
    if card not in position.hands[seat]:
        return False
    if cabin == ark.ends[cabin & 1]:
        cost += 1
        if out != NONE or not _take_allowed(position, take):
            return False
    elif take != NONE or cabin > ark.ends[cabin & 1]:
        return False
    if position.timbers[seat] < cost:
        return False
    if out != NONE and not (
        tables.drivers >> card & 1 and tables.victims[card] >> out & 1 and out in ark.cabins[cabin]
    ):
        return False
    if mark not in tables.marks[tables.chimpanzee if out == tables.chimpanzee else card]:
        return False
    return ark.admits(tables, card, cabin, out)


def _take_allowed(position: Position, take: int) -> bool:
    return take in position.display if position.display else take == NONE


def violations(position: Position, seat: int, move: Move) -> list[Violation]:
    """Every rule the move breaks; [] when it is legal."""
    raw = encode(position.deck, move)
    if raw is not None and allowed(position, seat, raw):
        return []
    return _turn_faults(position, seat, move) or _move_faults(position, seat, move)


def _turn_faults(position: Position, seat: int, move: Move) -> list[Violation]:
    """Is it the seat's turn, and for this kind of move?"""
    phase = position.phase
    if phase == "over":
        return [refusal("game-over")]
    if phase == "pets":
        if not isinstance(move, Pet):
            return [refusal("pets-now")]
        if seat in position.to_move:
            return []
        known = 0 <= seat < position.players
        return [refusal("pet-chosen" if known else "not-your-turn", seat=seat)]
    found = []
    if seat != position.seat:
        found.append(refusal("not-your-turn", seat=seat))
    if isinstance(move, Pet):
        found.append(refusal("no-pet-now"))
    elif isinstance(move, Pass) and phase == "main":
        found.append(refusal("no-pass"))
    elif isinstance(move, Gather) and phase == "end":
        found.append(refusal("no-gather"))
    return found


def _move_faults(position: Position, seat: int, move: Move) -> list[Violation]:
    deck, hand = position.deck, position.hands[seat]
    match move:
        case Gather(take):
            if take not in deck:
                return [refusal("unknown-card", card=take)]
            if deck.number(take) not in position.display:
                return [refusal("gather-not-on-display", card=take)]
        case Pet(card) if card is not None:
            if card not in deck:
                return [refusal("unknown-card", card=card)]
            if deck.number(card) not in hand:
                return [refusal("pet-not-in-hand", card=card, seat=seat)]
        case Board(plays):
            return _board_faults(position, seat, plays)
    return []


def _board_faults(position: Position, seat: int, plays: tuple[Play, ...]) -> list[Violation]:
    if position.phase == "end":
        if len(plays) != 1:
            return [refusal("one-card", count=len(plays))]
        return [
            *_kind_faults(position, plays, "slow-at-end", "provision-at-end"),
            *_play_faults(position, seat, plays[0], 1),
        ]
    if len(plays) not in (1, 2):
        return [refusal("card-count", count=len(plays))]
    found = _play_faults(position, seat, plays[0], 0)
    if len(plays) == 2:
        pair = _kind_faults(position, plays, "slow-in-pair", "provision-in-pair")
        if plays[0].cabin == plays[1].cabin:
            pair.append(refusal("same-cabin", cabin=plays[1].cabin))
        if not found:
            # the second card comes when everything about the first is done (R4.3)
            between = position.copy()
            first = encode(position.deck, Board(plays[:1]))
            assert first is not None, "a play without faults names real things"
            enter(between, seat, first[1], 0)
            found = _play_faults(between, seat, plays[1], 0)
        found = pair + found
    return found


def _kind_faults(
    position: Position, plays: tuple[Play, ...], slow: str, provision: str
) -> list[Violation]:
    tables = position.tables
    codes = {SLOW: slow, PROVISION: provision}
    return [
        refusal(codes[kind], card=play.card)
        for play in plays
        if play.card in position.deck
        and (kind := tables.kind[position.deck.number(play.card)]) in codes
    ]


def _play_faults(position: Position, seat: int, play: Play, cost: int) -> list[Violation]:
    """What is against the play as a single one, apart from R4.3 and R8.2's cards."""
    deck = position.deck
    found = [
        refusal("unknown-card", card=name)
        for name in (play.card, play.out, play.take)
        if name is not None and name not in deck
    ]
    cabin = cabin_number(play.cabin)
    if cabin is None:
        found.append(refusal("unknown-cabin", cabin=play.cabin))
    if found or cabin is None:
        return found
    card = deck.number(play.card)
    if card not in position.hands[seat]:
        found.append(refusal("not-in-hand", card=play.card, seat=seat))
    out_faults = _out_faults(position, play, card, cabin)
    # a victim that may not be driven out stays, so the cabin is asked as it is
    out = NONE if out_faults or play.out is None else deck.number(play.out)
    found += out_faults
    found += placing_faults(position, seat, card, cabin, out, cost)
    found += _mark_faults(position.tables, play, card)
    found += _take_faults(position, play, cabin)
    return found


def placing_faults(
    position: Position, seat: int, card: int, cabin: int, out: int, cost: int
) -> list[Violation]:
    """What is against the card in that cabin: R5.1 to R5.6, and the timbers it takes."""
    found = position.ark.faults(position.tables, card, cabin, out)
    opens = cabin == position.ark.ends[cabin & 1]
    timbers = position.timbers[seat]
    if timbers < cost + opens:
        name = cabin_name(cabin)
        if cost:
            named = {"card": position.deck.cards[card].name, "cabin": name}
            found.append(refusal("timber-end", cost=cost + opens, timbers=timbers, **named))
        else:
            found.append(refusal("timber-new", cabin=name))
    return found


def _out_faults(position: Position, play: Play, card: int, cabin: int) -> list[Violation]:
    if play.out is None:
        return []
    tables, ark = position.tables, position.ark
    if not tables.drivers >> card & 1:
        return [refusal("out-no-power", card=play.card)]
    if cabin >= ark.ends[cabin & 1]:
        return [refusal("out-new-cabin", cabin=play.cabin)]
    victim = position.deck.card(play.out)
    number = position.deck.number(play.out)
    found = []
    if number not in ark.cabins[cabin]:
        found.append(refusal("out-absent", other=play.out, cabin=play.cabin))
    if victim.is_provision:
        found.append(refusal("out-provision", other=play.out))
    elif victim.special in ("fox", "mosquito", "spider"):
        found.append(refusal("out-immune", other=play.out))
    else:
        power = tables.cards[card].special
        if power == "mosquito" and victim.weight != 2:
            found.append(
                refusal("out-weight", card=play.card, other=play.out, weight=victim.weight)
            )
        if power == "spider" and victim.kind != "shy":
            found.append(refusal("out-not-shy", card=play.card, other=play.out))
    return found


def _mark_faults(tables: Tables, play: Play, card: int) -> list[Violation]:
    chimpanzee = tables.cards[tables.chimpanzee].name
    if chimpanzee not in (play.card, play.out):
        return [] if play.mark is None else [refusal("mark-needless")]
    if play.mark is None:
        return [refusal("mark-missing", card=chimpanzee)]
    if play.mark == KINDS[PROVISION]:
        return [refusal("mark-provision", card=chimpanzee)]
    if play.mark not in [KINDS[kind] for kind in MARKABLE]:
        return [refusal("mark-unknown", mark=play.mark)]
    return []


def _take_faults(position: Position, play: Play, cabin: int) -> list[Violation]:
    end = position.ark.ends[cabin & 1]
    if cabin != end:
        # beyond the next new cabin R5.1 says enough
        needless = play.take is not None and cabin < end
        return [refusal("take-needless", cabin=play.cabin)] if needless else []
    if play.take is None:
        return [refusal("take-missing", cabin=play.cabin)] if position.display else []
    if not position.display:
        return [refusal("take-empty")]
    if position.deck.number(play.take) not in position.display:
        return [refusal("take-not-on-display", card=play.take)]
    return []


def fits(position: Position, seat: int, card: str, cabin: str) -> list[Violation]:
    """May the card go into the cabin as a single play that drives nobody out (R5, R6, R8)?

    Whether the seat holds the card, and which card it takes, is not asked.
    """
    found = []
    if card not in position.deck:
        found.append(refusal("unknown-card", card=card))
    number = cabin_number(cabin)
    if number is None:
        found.append(refusal("unknown-cabin", cabin=cabin))
    if found or number is None:
        return found
    if position.phase != "end":
        return placing_faults(position, seat, position.deck.number(card), number, NONE, 0)
    return [
        *_kind_faults(position, (Play(card, cabin),), "slow-at-end", "provision-at-end"),
        *placing_faults(position, seat, position.deck.number(card), number, NONE, 1),
    ]


def victims(position: Position, seat: int, card: str, cabin: str) -> list[str]:
    """The animals the card may drive out of the cabin by entering it (R6.4 to R6.9), in their
    order there; whether the seat holds the card is not asked."""
    number = cabin_number(cabin)
    if card not in position.deck or number is None:
        return []
    tables, ark = position.tables, position.ark
    own = position.deck.number(card)
    if not tables.drivers >> own & 1 or number >= ark.ends[number & 1]:
        return []
    if position.phase == "end" and (tables.alone >> own & 1 or not position.timbers[seat]):
        return []
    return [
        tables.cards[other].name
        for other in ark.cabins[number]
        if tables.victims[own] >> other & 1 and ark.admits(tables, own, number, other)
    ]
