"""A position as readable text."""

from engine.cards import Card
from engine.view import View


def show(view: View) -> str:
    """What the view knows, as lines of text."""
    lines = [_heading(view), ""]
    for side in "LR":
        for number, crew in enumerate(view.ark[side], 1):
            cards = "; ".join(_card(view.deck.card(name)) for name in crew)
            lines.append(f"{side}{number:<3} {cards}")
    lines += ["", f"balance {_balance(view.balance)}"]
    lines.append("display " + (", ".join(view.display) or "empty"))
    lines.append(f"stack   {view.stack_count} cards, {view.rain} of 5 rain cards revealed")
    lines.append("")
    lines += [_seat(view, seat) for seat in range(view.players)]
    if view.hand is not None:
        lines += ["", f"hand of seat {view.seat}: " + (", ".join(view.hand) or "empty")]
        if view.pet_chosen:
            lines.append(f"pet of seat {view.seat}: {view.pet or 'none'}")
    if view.result is not None:
        winners = ", ".join(f"seat {seat}" for seat in view.result.winners)
        lines += ["", f"won by {winners}: " + " ".join(map(str, view.result.totals))]
    return "\n".join(lines)


def _heading(view: View) -> str:
    moving = ", ".join(f"seat {seat}" for seat in view.to_move)
    waits = f", {moving} to move" if moving else ""
    return f"after turn {view.turn}, phase {view.phase}{waits}"


def _card(card: Card) -> str:
    traits = [trait for trait in (card.climate, card.diet, card.kind) if trait != "none"]
    return " ".join([card.name, str(card.weight), *traits])


def _balance(balance: int) -> str:
    if balance == 0:
        return "even"
    return f"{'right' if balance > 0 else 'left'} heavier by {abs(balance)}"


def _seat(view: View, seat: int) -> str:
    marks = ", ".join(f"{kind} {count:g}" for kind, count in view.marks[seat].items() if count)
    extra = ", passed" if seat in view.passed else ""
    if view.pets_set[seat]:
        extra += ", pet set aside"
    return (
        f"seat {seat}: {view.points[seat]} points now, {view.timbers[seat]} timbers, "
        f"{view.hand_counts[seat]} cards; {marks or 'no marker'}{extra}"
    )
