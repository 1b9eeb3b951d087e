"""How somebody works a page: with a mouse (or a finger), or by keyboard alone."""

from typing import Protocol

from playwright.sync_api import Locator

from tests.web.seats import by_keyboard, click, tab_to


class Hands(Protocol):
    def press(self, target: Locator) -> None:
        """A link, a button, a summary."""

    def write(self, field: Locator, text: str) -> None:
        """Into a text field, in place of what it holds."""

    def choose(self, field: Locator, label: str) -> None:
        """One of a list."""


class Mouse:
    def press(self, target: Locator) -> None:
        click(target)

    def write(self, field: Locator, text: str) -> None:
        field.fill(text)

    def choose(self, field: Locator, label: str) -> None:
        field.select_option(label=label)


class Keyboard:
    def press(self, target: Locator) -> None:
        by_keyboard(target)

    def write(self, field: Locator, text: str) -> None:
        tab_to(field)
        field.page.keyboard.press("Control+A")
        field.page.keyboard.type(text)

    def choose(self, field: Locator, label: str) -> None:
        tab_to(field)
        field.page.keyboard.type(label)
