"""Whole games by mail: from the invitation to the final letter, everything over SMTP."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import pytest

from engine.position import Position
from engine.record import read, replay
from pbem.letters import Site
from pbem.settings import load_settings
from pbem.store.tokens import Keys
from tests.e2e import mistakes
from tests.e2e.knowledge import copy_database, letters_to, permute
from tests.e2e.server import LONGEST, ROOT, SERVER_ADDRESS, Server, wait_until
from tests.e2e.sink import Delivery, Sink
from tests.e2e.table import ANN, BO, CY, DI, EVE, Player, Table

FAY = Player("Fay", "fay@example.net")
SNAPSHOT_EVERY = 14  # turns
NEWEST = 10  # letters to a seat that are compared in each snapshot
WORDS = ("sunshine", "gopher", "dove", "olive", "forty-days")


def test_three_players_invited_by_the_operator(
    server: Server, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.start()
    players = (ANN, BO, CY)
    seats = [word for player in players for word in ("--seat", player.written)]
    printed = server.printed("new-game", "--name", "Three in an ark", *seats)
    table = Table(server, sink, int(printed.splitlines()[-1]), players, "three")
    invited = [invitation_to(table, player) for player in players]
    accept(table, invited)
    play(table, monkeypatch)
    ask_for_a_rematch(table)
    assert server.stop() == 0


def test_four_players_invited_by_one_of_them(
    server: Server, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.start()
    make_known(server, sink, ANN)
    players = (ANN, BO, CY, DI)
    table = Table(server, sink, 2, players, "four")
    others = ", ".join(player.address for player in players[1:])
    order = table.write_to(SERVER_ADDRESS, ANN, f"Hello!\n\nnew game Friday club with {others}\n")
    done(table, order)
    accept(table, [invitation_to(table, player) for player in players[1:]])
    play(table, monkeypatch, mistake_every=2)
    assert server.stop() == 0


def test_five_players_one_of_whom_is_asked_in_place_of_another(
    server: Server, sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.start()
    make_known(server, sink, ANN)
    table = Table(server, sink, 2, (ANN, BO, CY, DI, EVE, FAY), "five")
    others = ", ".join(player.address for player in (BO, CY, DI, FAY))
    done(table, table.write_to(SERVER_ADDRESS, ANN, f"new game Full house with {others}\n"))
    accept(table, [invitation_to(table, player) for player in (BO, CY, DI)])
    sorry = "decline\n\nSorry, I am travelling all week!\nFay\n"
    done(table, table.answer(invitation_to(table, FAY), sorry))
    news = sink.wait_for(
        lambda one: one.envelope_to == ANN.address and "cannot come" in one.subject,
        "word to Ann that Fay declined",
    )
    assert "fay" in news.text.casefold()
    done(table, table.answer(news, f"invite {EVE.address}\n"))
    accept(table, [invitation_to(table, EVE)])
    assert FAY.address not in table.now().addresses
    play(table, monkeypatch, mistake_every=3)
    assert not [one for one in sink.all(FAY.address) if "your turn" in one.subject.casefold()]
    assert server.stop() == 0


# -- the table before the first turn


def make_known(server: Server, sink: Sink, player: Player) -> None:
    """Somebody who has been invited once may open games; here he had no time that once."""
    printed = server.printed(
        "new-game", "--name", "Earlier", "--seat", player.written, "--seat", "bot:random",
        "--seat", "bot:greedy",
    )  # fmt: skip
    table = Table(server, sink, int(printed.splitlines()[-1]), (player,), "known")
    done(table, table.answer(invitation_to(table, player), "decline\n"))


def invitation_to(table: Table, player: Player) -> Delivery:
    letter = table.sink.wait_for(
        lambda one: (
            one.envelope_to == player.address
            and "› accept" in one.text
            and f"<game-{table.game_id}." in one.message["List-Id"]
        ),
        f"invitation to {player.address}",
    )
    assert "decline" in letter.text
    return letter


def accept(table: Table, invitations: Sequence[Delivery]) -> None:
    for letter, word in zip(invitations, WORDS, strict=False):
        name = table.players[letter.envelope_to].name
        done(table, table.answer(letter, f"Hi!\n\naccept {word}\n\nCheers\n{name}\n"))


def done(table: Table, message_id: str) -> None:
    """What this mail said was done."""
    mail = table.settled(message_id)
    assert mail.receipt is not None, mail.error
    assert (mail.receipt["answer"] or {}).get("outcome") == "done", str(mail.receipt)


# -- the game


def play(table: Table, monkeypatch: pytest.MonkeyPatch, mistake_every: int = 1) -> None:
    """To the end, with a mistake before every so many turns of the main phase; then look at
    everything that was left behind."""
    folder = table.server.folder.parent
    wrong = cycle(table.rng.sample(mistakes.MISTAKES, len(mistakes.MISTAKES)))
    snapshots: list[Path] = []
    turns = 0
    while not table.over():
        now = table.now()
        if turns % SNAPSHOT_EVERY == SNAPSHOT_EVERY - 1 or _some_have_chosen(now.position):
            name = folder / f"after-{turns}.sqlite"
            snapshots.append(copy_database(table.server.folder / "ark.sqlite", name))
        if now.position.phase == "main" and turns % mistake_every == 0:
            mistakes.make(next(wrong), table)
        if turns == now.position.players + 1:
            for mistake in mistakes.LATE:
                mistakes.make(mistake, table)
        table.play_turn()
        turns += 1
    wait_until(table.outbox_empty, "the last letters to be delivered")
    assert_final_letters(table)
    assert_answered_once(table)
    assert_record_holds(table, folder / "game.ark.json")
    monkeypatch.setenv("ARK_INSTANCE", str(table.server.folder))
    settings = load_settings()
    site = Site(settings, Keys.of_instance(settings.instance))
    changed = [
        assert_blind(snapshot, site, table, number % table.now().position.players)
        for number, snapshot in enumerate(snapshots)
    ]
    assert any(changed), "nothing was exchanged"


def _some_have_chosen(position: Position) -> bool:
    return position.phase == "pets" and len(position.to_move) == 1


def assert_final_letters(table: Table) -> None:
    """Everybody is told the result, and how to have a rematch."""
    totals = read(table.server.printed("export", "--game", str(table.game_id)))[0].result
    assert totals is not None
    for address in table.now().addresses:
        letter = table.sink.wait_for(
            lambda one, to=address: one.envelope_to == to and "rematch" in one.text,
            f"final letter to {address}",
        )
        assert "› rematch" in letter.text
        for total in totals["totals"]:
            assert str(total) in letter.text


def ask_for_a_rematch(table: Table) -> None:
    """The last letter of a game opens the next one."""
    final = table.sink.wait_for(
        lambda one: one.envelope_to == ANN.address and "› rematch" in one.text, "final letter"
    )
    done(table, table.answer(final, "rematch\n"))
    again = Table(table.server, table.sink, table.game_id + 1, table.players.values(), "again")
    accept(again, [invitation_to(again, player) for player in (BO, CY)])
    assert set(again.now().addresses) == set(table.players)
    again.play_turn()


def assert_answered_once(table: Table) -> None:
    """No letter came twice, and no mail was answered twice."""
    deliveries = table.sink.all()
    ids = [one.message_id for one in deliveries]
    assert len(ids) == len(set(ids))
    for message_id, writer in table.mails.items():
        answers = [one for one in deliveries if one.in_reply_to == message_id]
        copies = table.taken[message_id]
        assert 1 <= len(answers) <= copies, (message_id, [one.subject for one in answers])
        assert all(one.envelope_to == writer for one in answers)


def assert_record_holds(table: Table, file: Path) -> None:
    """The engine agrees with every move, the result and the deal."""
    table.server.printed("export", "--game", str(table.game_id), "--out", str(file))
    for command in ("replay", "verify"):
        done = subprocess.run(
            [sys.executable, "-m", "engine", command, str(file)],
            cwd=ROOT, capture_output=True, timeout=LONGEST,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    record = read(file.read_text(encoding="utf-8"))[0]
    assert replay(record).position == table.now().position
    assert record.proof is not None
    assert set(filter(None, record.proof["words"])) <= set(WORDS)
    assert any(record.proof["words"])


def assert_blind(snapshot: Path, site: Site, table: Table, seat: int) -> bool:
    """No letter to the seat changes with the cards it could not know.  True when letters to
    its neighbour do, which they need not: he may hold nothing but what he openly took."""
    other = (seat + 1) % table.now().position.players
    before = {one: letters_to(snapshot, site, table.game_id, one, NEWEST) for one in (seat, other)}
    permute(snapshot, table.game_id, seat, random.Random(snapshot.name))
    after = {one: letters_to(snapshot, site, table.game_id, one, NEWEST) for one in (seat, other)}
    assert before[seat]
    for message_id, letter in before[seat].items():
        assert after[seat][message_id] == letter, letter.subject
    return after[other] != before[other]
