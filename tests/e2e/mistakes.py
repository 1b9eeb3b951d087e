"""Mails that must not move the game, and what their writers must be told (commands.md 1).

Each is tried by somebody whose turn it is in the main phase, before the right mail.
"""

from __future__ import annotations

import smtplib
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from engine.view import View, view
from pbem.commands import card_name
from tests.e2e.layouts import Answer, bottom_posted, top_posted, unquoted
from tests.e2e.server import SERVER_ADDRESS, wait_until
from tests.e2e.sink import Delivery
from tests.e2e.table import Player, Table

MALLORY = Player("Mallory", "mallory@elsewhere.example")
ZOE = Player("Zoe", "zoe@elsewhere.example")


@dataclass(frozen=True)
class Chair:
    """Whose turn it is: his seat, his letter, what he sees."""

    table: Table
    seat: int
    letter: Delivery
    seen: View

    @property
    def card(self) -> str:
        return self.seen.display[0]

    def answer(self, text: str, *, then: tuple[str, ...] = ()) -> None:
        """Answer the letter; the mail is answered, and the answer says all of `then`."""
        self.told(self.table.answer(self.letter, text), *then)

    def told(self, message_id: str, *words: str) -> None:
        """The mail was read, and answered in its thread with these words (in any case)."""
        mail = self.table.settled(message_id)
        answer = self.table.sink.wait_for(
            lambda one: one.in_reply_to == message_id, f"answer to {message_id} ({mail.receipt})"
        )
        assert answer.envelope_to == self.letter.envelope_to
        for word in words:
            assert word.casefold() in answer.text.casefold(), f"{word!r} is not in {answer.text}"

    def written(self, text: str, sender: Player | None = None) -> Answer:
        """The answer before it is laid out; as if from somebody else, if so said."""
        writer = self.table.players[self.letter.envelope_to] if sender is None else sender
        return Answer(writer.name, writer.address, self.letter, text, self.table.new_id())


def misspelt(chair: Chair) -> None:
    chair.answer(f"tkae {chair.card}\n", then=("did you mean", f"take {_spoken(chair.card)}"))


def leftover(chair: Chair) -> None:
    chair.answer(f"take {chair.card} quickly\n", then=("quickly",))


def not_on_display(chair: Chair) -> None:
    other = next(card.name for card in chair.seen.deck.cards if card.name not in chair.seen.display)
    chair.answer(f"take {other}\n", then=(_spoken(other), "display"))


def no_such_cabin(chair: Chair) -> None:
    card = (chair.seen.hand or ("fox",))[0]
    cabin = f"L{len(chair.seen.ark['L']) + 2}"
    chair.answer(f"play {card} {cabin} take {chair.card}\n", then=(cabin,))


def ambiguous(chair: Chair) -> None:
    chair.answer("take ch\n", then=("chameleon", "chamois"))


def negated(chair: Chair) -> None:
    chair.answer(f"don't take {chair.card}\n", then=("take",))


def conditional(chair: Chair) -> None:
    chair.answer(f"take {chair.card} if Bo passes\n", then=("take",))


def alternatives(chair: Chair) -> None:
    chair.answer(f"take {chair.card} or {chair.seen.display[1]}\n", then=("take",))


def doubtful(chair: Chair) -> None:
    chair.answer(f"take {chair.card}\nOr maybe I should wait for the rain.\n", then=("take",))


def question(chair: Chair) -> None:
    chair.answer(f"take {chair.card}?\n", then=("nothing was done",))


def preview(chair: Chair) -> None:
    chair.answer(f"preview take {chair.card}\n", then=("nothing was done",))


def two_actions(chair: Chair) -> None:
    chair.answer(f"take {chair.card}\ntake {chair.seen.display[1]}\n", then=("take",))


def early_pass(chair: Chair) -> None:
    chair.answer("pass\n", then=("R4.1",))


def early_pet(chair: Chair) -> None:
    chair.answer("pet none\n", then=("pet",))


def below_the_farewell(chair: Chair) -> None:
    chair.answer(f"Cheers\ntake {chair.card}\n", then=("take",))


def copied_example(chair: Chair) -> None:
    chair.answer(f"› take {chair.card}\n", then=("›",))


def quoted_only(chair: Chair) -> None:
    """An answer that holds nothing but the letter, in which a turn was not meant."""
    answer = chair.written("")
    chair.table.post(bottom_posted(answer).as_bytes(), chair.letter, answer.message_id)
    chair.told(answer.message_id)


def marked_as_quoted(chair: Chair) -> None:
    answer = chair.written(f"> take {chair.card}\n")
    chair.table.post(unquoted(answer).as_bytes(), chair.letter, answer.message_id)
    chair.told(answer.message_id)


def too_long(chair: Chair) -> None:
    text = "".join(f"The {number}th verse of our hymn.\n" for number in range(60))
    chair.answer(f"{text}take {chair.card}\n", then=("50",))


def out_of_office(chair: Chair) -> None:
    """An automatic answer never acts and is never answered."""
    _never_answered(chair, "Auto-Submitted", "auto-replied")


def null_sender(chair: Chair) -> None:
    answer = chair.written(f"take {chair.card}\n")
    chair.table.server.send(unquoted(answer).as_bytes(), "", chair.letter.reply_address)
    assert chair.table.settled(answer.message_id).state == "ignored"


def bulk(chair: Chair) -> None:
    """With the headers of bulk mail: held, and asked about."""
    _with_header(chair, "Precedence", "bulk", "held")


def from_a_stranger(chair: Chair) -> None:
    """The reply address is right and the sender strange: a forwarded letter, say."""
    answer = chair.written(f"take {chair.card}\n", MALLORY)
    raw = top_posted(answer).as_bytes()
    chair.table.server.send(raw, MALLORY.address, chair.letter.reply_address)
    assert chair.table.settled(answer.message_id).state == "held"
    assert not chair.table.sink.all(MALLORY.address)


def from_another_player(chair: Chair) -> None:
    everybody = chair.table.players.values()
    other = next(one for one in everybody if one.address != chair.letter.envelope_to)
    answer = chair.written(f"take {chair.card}\n", other)
    raw = unquoted(answer).as_bytes()
    chair.table.server.send(raw, other.address, chair.letter.reply_address)
    assert chair.table.settled(answer.message_id).state == "held"


def unknown_token(chair: Chair) -> None:
    """An address that is none of ours is refused at the door."""
    local, _, domain = chair.letter.reply_address.partition("@")
    wrong = f"{local[:-4]}aaaa@{domain}"
    raw = unquoted(chair.written(f"take {chair.card}\n")).as_bytes()
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        chair.table.server.send(raw, chair.letter.envelope_to, wrong)
    assert refused.value.recipients[wrong][0] == 550


def at_the_wrong_door(chair: Chair) -> None:
    """A turn sent to the server's own address: the letter with the right one comes again."""
    player, table = chair.table.players[chair.letter.envelope_to], chair.table
    before = len(table.sink.all(player.address))
    table.settled(write_to_server(table, player, f"take {chair.card}"))
    wait_until(lambda: len(table.sink.all(player.address)) > before, "an answer")


def stranger(chair: Chair) -> None:
    """Somebody nobody knows is told once what this is, and then no more."""
    table = chair.table
    for _ in range(2):
        table.settled(write_to_server(table, ZOE, "new game x with a@b.example"))
    wait_until(table.outbox_empty, "the answer to the stranger")
    assert len(table.sink.all(ZOE.address)) == 1


def copy_of_the_last_turn(chair: Chair) -> None:
    """The same mail once more, as some mail servers deliver it."""
    assert chair.table.last is not None
    raw, letter, message_id = chair.table.last
    turns = chair.table.turns_of(message_id)
    chair.table.post(raw, letter, message_id)
    chair.table.settled(message_id)
    assert len(chair.table.turns_of(message_id)) == len(turns) == 1


def answer_to_an_old_letter(chair: Chair) -> None:
    """A turn that would be legal now, in answer to a letter the table has moved on from."""
    old = [
        one
        for one in chair.table.sink.all(chair.letter.envelope_to)
        if "your turn" in one.subject and one.reply_address != chair.letter.reply_address
    ]
    chair.told(chair.table.answer(old[-1], f"take {chair.card}\n"), "moved on", "legal")


def not_his_turn(chair: Chair) -> None:
    """Somebody answers his news with a turn while the table waits for another."""
    table = chair.table
    waiting = table.now().addresses[(chair.seat + 1) % chair.seen.players]
    news = table.sink.wait_for(
        lambda one: one.envelope_to == waiting and one.reply_address.startswith("t-"), "news"
    )
    message_id = table.answer(news, f"take {chair.card}\n")
    table.settled(message_id)
    table.sink.wait_for(
        lambda one: one.in_reply_to == message_id and one.envelope_to == waiting, "refusal"
    )


def write_to_server(table: Table, sender: Player, text: str) -> str:
    """A mail that gets no answer in its own thread."""
    message_id = table.write_to(SERVER_ADDRESS, sender, text)
    del table.mails[message_id]
    return message_id


def _never_answered(chair: Chair, header: str, value: str) -> None:
    _with_header(chair, header, value, "ignored")


def _with_header(chair: Chair, header: str, value: str, state: str) -> None:
    answer = chair.written(f"take {chair.card}\n")
    message = top_posted(answer)
    message[header] = value
    chair.table.server.send(
        message.as_bytes(), chair.letter.envelope_to, chair.letter.reply_address
    )
    assert chair.table.settled(answer.message_id).state == state


def _spoken(card: str) -> str:
    return card_name(card)


MISTAKES: tuple[Callable[[Chair], None], ...] = (
    misspelt, leftover, not_on_display, no_such_cabin, ambiguous, negated, conditional,
    alternatives, doubtful, question, preview, two_actions, early_pass, early_pet,
    below_the_farewell, copied_example, quoted_only, marked_as_quoted, too_long, out_of_office,
    null_sender, bulk, from_a_stranger, from_another_player, unknown_token,
    at_the_wrong_door, stranger, not_his_turn,
)  # fmt: skip
LATE = (copy_of_the_last_turn, answer_to_an_old_letter)
"""Those that can be made only when everybody has had a turn."""


def make(mistake: Callable[[Chair], None], table: Table) -> None:
    """Let somebody whose turn it is make this mistake; the table stays as it is."""
    before = table.now()
    seat = before.position.to_move[0]
    chair = Chair(table, seat, table.letter_to(seat, before), view(before.position, seat))
    try:
        mistake(chair)
    except AssertionError as error:
        raise AssertionError(f"{mistake.__name__}: {error}") from error
    after = table.now()
    assert (after.decision, after.position) == (before.decision, before.position), mistake
    assert after.seq == before.seq, f"{mistake.__name__} left something in the log"
