"""A moderator at a browser.  Everything is done by the pages: what is not to be seen or not to
be pressed there cannot be done here."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from playwright.sync_api import ConsoleMessage, Locator, Page

from tests.browsers import Eye, too_wide
from tests.stories.hands import Hands, Mouse
from tests.stories.house import NAMES

Fields = Mapping[str, str]
"""What is filled in, by (the beginning of) a field's label."""


@dataclass
class Moderator:
    page: Page
    base: str
    hands: Hands = field(default_factory=Mouse)
    with_axe: bool = False  # the pages of actions are looked at by it
    complaints: list[str] = field(default_factory=list)
    _eye: Eye = field(default_factory=Eye)

    def __post_init__(self) -> None:
        self.page.on("console", self._hear)

    def _hear(self, said: ConsoleMessage) -> None:
        if not said.text.startswith("Failed to load resource"):  # a refused form has a status
            self.complaints.append(said.text)

    def go(self, path: str = "") -> None:
        """To a page of the dashboard, by its address."""
        self.page.goto(f"{self.base}/moderator{path}")
        self._look()

    def follow(self, name: str) -> None:
        """A link, by what it is called."""
        self._turn_page(self.page.locator("main").get_by_role("link", name=name).first)

    def open_action(self, title: str, seat: int | None = None) -> None:
        """One of what can be done at the place whose page is shown (or with a seat there)."""
        place = self.page.locator("main")
        if seat is not None:
            place = self.unfold(f"What can be done with the seat of {NAMES[seat]}")
        self._turn_page(place.locator("ul.deeds, ul.rows").get_by_role("link", name=title).first)

    def unfold(self, words: str) -> Locator:
        """What a page keeps behind some words."""
        place = self.page.locator("main details", has_text=words)
        self.hands.press(place.locator("summary"))
        return place

    def preview(self, why: str, fields: Fields | None = None) -> str:
        """Fill the form of an action in; what would happen, in the words of the page."""
        self._fill({**(fields or {}), "Why": why})
        self._turn_page(self.page.get_by_role("button", name="Show what would happen"))
        assert "nothing has been done yet" in self.text, self.text
        return self.page.locator("section.preview").inner_text()

    def attach(self, label: str, name: str, text: str) -> None:
        """A file to the form that is shown."""
        file = {"name": name, "mimeType": "text/csv", "buffer": text.encode()}
        self.page.get_by_label(label).set_input_files(file)  # type: ignore[arg-type]

    def fault(self, why: str, fields: Fields) -> str:
        """Fill a form in, and read what is wrong with it."""
        self._fill({**fields, "Why": why})
        self._turn_page(self.page.get_by_role("button", name="Show what would happen"))
        return self.page.get_by_role("alert").inner_text()

    def confirm(self, why: str = "") -> str:
        """Let what was shown happen; the page that is shown then."""
        if why:
            self._fill({"Why": why})
        self._turn_page(self.page.locator("main form button:not(.quiet)"))
        return self.text

    def do(
        self, title: str, why: str, fields: Fields | None = None, seat: int | None = None
    ) -> str:
        """An action of the page that is shown, from its link to the page of what was done."""
        self.open_action(title, seat)
        self.preview(why, fields)
        done = self.confirm()
        assert f"Done: {title}" in done, done
        return done

    def take_back(self, why: str) -> str:
        """The way back that the page of what was done offers."""
        self.press("…")
        assert "nothing has been done yet" in self.text, self.text
        return self.confirm(why)

    def press(self, button: str) -> None:
        """A button of the page, by what stands on it."""
        self._turn_page(self.page.locator("main").get_by_role("button", name=button))

    @property
    def text(self) -> str:
        return self.page.locator("main").inner_text()

    def _fill(self, fields: Fields) -> None:
        form = self.page.locator("main form").last
        for label, value in fields.items():
            one = form.get_by_label(label).first
            if one.evaluate("it => it.localName") == "select":
                self.hands.choose(one, value)
            else:
                self.hands.write(one, value)

    def _turn_page(self, target: Locator) -> None:
        with self.page.expect_navigation():
            self.hands.press(target)
        self._look()

    def _look(self) -> None:
        """Every page passed through fits the screen; axe has nothing against those of actions
        (tests.web.test_dashboard_browser looks at the others)."""
        if self.with_axe and "/actions/" in self.page.url:
            assert self._eye.faults(self.page) == []
        else:
            assert too_wide(self.page) == []
