"""People at their browsers: a seat of a table, played through its page alone."""

from __future__ import annotations

import re
import smtplib
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage

from playwright.sync_api import Locator, Page
from sqlmodel import col, select

from engine.moves import Board, Gather, Move, Pass, Pet, Play
from engine.view import View, view
from pbem.commands import card_name
from pbem.installation import Installation
from pbem.letters.bearers import reply_bearer
from pbem.post.content import content_of
from pbem.store import Game, Letter
from pbem.store.people import holders
from pbem.store.positions import position_now

Press = Callable[[Locator], None]


def click(target: Locator) -> None:
    """With the mouse, or a finger."""
    target.click()


UNSETTLED = ".htmx-request, .htmx-swapping, .htmx-settling"
TAB_STOPS = """wanted => {
    const stops = [...document.querySelectorAll(
        "a[href], button, input, select, textarea, summary, iframe, [tabindex]"
    )].filter(one => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
    return Math.max(0, stops.indexOf(wanted) - stops.indexOf(document.activeElement));
}"""
"""How often Tab has probably to be pressed to get somewhere."""


def tab_to(target: Locator) -> None:
    """Tab until it has the focus."""
    keyboard, presses = target.page.keyboard, 0
    for number in range(150):
        if target.evaluate("it => it === document.activeElement"):
            return
        if number == 1:  # now something has the focus from which can be counted
            presses = target.evaluate(TAB_STOPS)
        for _ in range(max(1, presses)):
            keyboard.press("Tab")
        presses = 0
    raise AssertionError(f"the keyboard does not reach {target}")


def by_keyboard(target: Locator) -> None:
    """Tab until it has the focus, then Enter."""
    tab_to(target)
    target.page.keyboard.press("Enter")


def view_of(installation: Installation, game_id: int, name: str) -> View | None:
    """What somebody's seat sees now; None while it is not asked."""
    with installation.store.read() as session:
        game = session.get_one(Game, game_id)
        if game.status != "running":
            return None
        position = position_now(game)
        for holder in holders(session, game):
            if holder.name == name and holder.seat in position.to_move:
                return view(position, holder.seat)
    return None


def seq_of(installation: Installation, game_id: int) -> int:
    with installation.store.read() as session:
        return session.get_one(Game, game_id).seq


def code_for(installation: Installation, address: str) -> str:
    """The code in the newest letter to an address."""
    with installation.store.read() as session:
        letter = session.exec(
            select(Letter)
            .where(Letter.kind == "browser-code", Letter.to_address == address)
            .order_by(col(Letter.id).desc())
        ).first()
        assert letter is not None
        text = content_of(session, installation.site, letter).text
    return re.findall(r"^[0-9]{6}$", text, re.MULTILINE)[0]


def printed(card: str) -> str:
    """The name on a card: copies of a provision that are alike have no number."""
    return re.sub(r" [0-9]$", "", card_name(card))


@dataclass
class Player:
    """Somebody, at his browser."""

    page: Page
    base: str
    name: str
    address: str
    press: Press = click

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def make_known(self, installation: Installation) -> None:
        """The code that comes by mail, typed in."""
        self.go("/me/browser")
        with self.page.expect_navigation():
            self.press(self.page.get_by_role("button", name="Mail me a code"))
        self.page.get_by_label("The six digits").fill(code_for(installation, self.address))
        with self.page.expect_navigation():
            self.press(self.page.get_by_role("button", name="It is me"))

    def play(self, move: Move) -> None:
        """Choose a turn on the table's page that is shown, and make it."""
        self.choose(move)
        self.make()

    def make(self) -> None:
        """Make the turn that is chosen."""
        with self.page.expect_navigation():
            self.press(self.page.get_by_role("button", name="Make this turn"))

    def choose(self, move: Move) -> None:
        """Step by step, up to the last look at it."""
        match move:
            case Gather(take):
                self._card("Take", take)
            case Pet(None):
                self._link("No pet")
            case Pet(card):
                self._card("Set aside", card or "")
            case Pass():
                self._link("Pass")
            case Board(plays):
                self._card("Play", plays[0].card)
                self._options(plays[0])
                for second in plays[1:]:
                    self._card("And", second.card)
                    self._options(second)
        self._await("ready")

    def _options(self, play: Play) -> None:
        self._await("cabin")
        self._link(re.compile(rf"^{play.cabin}\b"))
        for _ in range(4):
            match self._step():
                case "out" if play.out is None:
                    self._link("Drive nobody out")
                case "out":
                    self._link(f"Drive the {printed(play.out)} out")
                case "mark":
                    self._link((play.mark or "").capitalize())
                case "take":
                    self._link(f"Take the {printed(play.take or '')}")
                case _:
                    return

    def _card(self, word: str, card: str) -> None:
        name = printed(card)
        cards = self.page.locator("#turn a.pick").filter(
            has=self.page.locator(".name", has_text=re.compile(rf"^\s*{name}(\s*★)?\s*$"))
        )
        self._follow(cards.filter(has_text=word).first)

    def _link(self, words: str | re.Pattern[str]) -> None:
        self._follow(self.page.locator("#turn .options a").filter(has_text=words).first)

    def _follow(self, link: Locator) -> None:
        """Press it, and wait for what it leads to (which may come without a new page)."""
        before = self.page.locator("#board").get_attribute("data-choice")
        self.press(link)
        self.page.locator(f'#board:not([data-choice="{before}"])').wait_for(state="attached")
        self.page.locator(UNSETTLED).first.wait_for(state="detached")  # then the focus moves

    def _step(self) -> str:
        names = self.page.locator("#board").get_attribute("class") or ""
        return re.findall(r"step-(\w+)", names)[0]

    def _await(self, step: str) -> None:
        self.page.locator(f"#board.step-{step}").wait_for(state="attached")


def mail_turn(
    installation: Installation, port: int, player: Player, game_id: int, line: str
) -> None:
    """Answer the newest letter to a player's seat, as a mail program does."""
    with installation.store.read() as session:
        letter = session.exec(
            select(Letter)
            .where(
                Letter.to_address == player.address,
                Letter.game_id == game_id,
                col(Letter.seat).is_not(None),
                Letter.decision == session.get_one(Game, game_id).decision,
            )
            .order_by(col(Letter.id).desc())
        ).first()
        assert letter is not None
        bearer = reply_bearer(letter)
        assert bearer is not None
        address = installation.site.reply_address(installation.keys.token(bearer))
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = player.address, address, "Re: Ark"
    mail["Message-ID"] = f"<{game_id}.{letter.id}.{abs(hash(line))}@example.org>"
    mail.set_content(line)
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as smtp:
        smtp.send_message(mail)
